"""The result of an encuentro: reported, confirmed by the other side, contested, signed."""

from __future__ import annotations

import hashlib
import secrets
from typing import Literal
from uuid import UUID

import marshmallow as ma
from flask import Response, g

from api.cases.acts import CaseActBuilder
from api.cases.rest import answer_opening
from api.cases.schemas import (
    CodeIn,
    ConfirmationIn,
    ContestIn,
    DenialIn,
    ReopeningIn,
    ReportIn,
    ScoreIn,
    ScoreWithdrawalIn,
    SignatureIn,
)
from api.encuentros.schemas import Opened
from api.http import answers
from api.http.access import guard
from api.http.access.attempts import STRANGERS, begin_attempt, caller_address
from api.http.access.security import note_security
from api.http.answers import Written
from api.http.bodies import Body
from api.http.rest import Noun, answer_headers, response_to_write, takes_headers
from api.http.services import PendingTexts, current_services, pending_texts, write_metadata
from api.results import final_scores
from referee import events as ev
from referee.access.attempts import subjects_of_side_code
from referee.access.keys import SYMBOLS
from referee.log.streams import Answer, WriteMetadata


class CodeAnswer(Written):
    """A code, shown once: null when the request was answered before."""

    code = ma.fields.String(required=True, allow_none=True)


blp = Noun(
    "results",
    __name__,
    url_prefix="/api/v1/encuentros/<uuid:encuentro_id>/result",
    description="The result of an encuentro",
)
_WRITE = answer_headers(tag=True, replayed=True)
_LENGTH = 8
_SALT_BYTES = 16


def _record_acts(encuentro_id: UUID, *acts: ev.EncuentroAct) -> Answer:
    return current_services().referee.encuentros.record_encuentro_acts(
        encuentro_id, acts, write_metadata(), g.expected_version
    )


def _person_in_body(body: Body, encuentro_id: UUID, put: PendingTexts) -> ev.PersonId:
    """The person whom a body names; empty if it names none."""
    return (
        CaseActBuilder(encuentro_id, put).id_of_known_or_new_person(body["by"])
        if "by" in body
        else ""
    )


def new_code(side: ev.SideName) -> tuple[str, ev.CodeGiven]:
    """A code of eight characters that are not easily confused, and the act that gives it."""
    code = "".join(secrets.choice(SYMBOLS) for _ in range(_LENGTH))
    salt = secrets.token_hex(_SALT_BYTES)
    return f"{code[:4]}-{code[4:]}", ev.CodeGiven(side, salt, hash_of(code, salt))


def hash_of(code: str, salt: str) -> str:
    """Slow hash of a code, so that a stolen log does not reveal codes."""
    plain = code.replace("-", "").upper().encode()
    return hashlib.scrypt(plain, salt=bytes.fromhex(salt), n=2**14, r=8, p=1, dklen=32).hex()


@blp.route("/codes", methods=["POST"])
@guard.requires("results:sign")
@takes_headers(key=True, match=True)
@blp.arguments(CodeIn)
@blp.response(200, CodeAnswer, headers=_WRITE)
def give_code(body: Body, encuentro_id: UUID) -> Response:
    """Give a side a new code to confirm with; it is shown once, and only its hash is kept"""
    code, act = new_code(body["side"])
    answer = _record_acts(encuentro_id, act)
    return response_to_write(answer, code=None if answer.replayed else code)


@blp.route("/scores", methods=["POST"])
@guard.requires("results:report")
@takes_headers(key=True, match=True)
@blp.arguments(ScoreIn)
@blp.response(200, answers.Written, headers=_WRITE)
def tell_score(body: Body, encuentro_id: UUID) -> Response:
    """Tell the final score, and report it; that of an official, for no side, is official at once"""
    with pending_texts() as put:
        by = _person_in_body(body, encuentro_id, put)
        acts = final_scores.score_acts(
            body["score"], body["side"], role_of_caller(body["side"]), by
        )
        answer = put.erase_if_replayed(_record_acts(encuentro_id, *acts))
    return response_to_write(answer)


@blp.route("/scores/withdrawal", methods=["POST"])
@guard.requires("results:report")
@takes_headers(key=True, match=True)
@blp.arguments(ScoreWithdrawalIn)
@blp.response(200, answers.Written, headers=_WRITE)
def withdraw_score(body: Body, encuentro_id: UUID) -> Response:
    """Take back the final score that was told last: all stands as before it"""
    act = ev.FinalScoreWithdrawn(body["side"], role_of_caller(body["side"]))
    return response_to_write(_record_acts(encuentro_id, act))


@blp.route("/denials", methods=["POST"])
@guard.requires("results:confirm")
@takes_headers(key=True, match=True)
@blp.arguments(DenialIn)
@blp.response(200, answers.Written, headers=_WRITE)
def deny(body: Body, encuentro_id: UUID) -> Response:
    """A side does not agree with what was reported; no case is opened for that"""
    with pending_texts() as put:
        by = _person_in_body(body, encuentro_id, put)
        answer = put.erase_if_replayed(
            _record_acts(encuentro_id, ev.ResultDenied(by, body["side"], write_metadata().device))
        )
    return response_to_write(answer)


@blp.route("/reports", methods=["POST"])
@guard.requires("results:report")
@takes_headers(key=True, match=True)
@blp.arguments(ReportIn)
@blp.response(200, answers.Written, headers=_WRITE)
def report(body: Body, encuentro_id: UUID) -> Response:
    """Report the result as it stands; that of an official, for no side, is official at once"""
    with pending_texts() as put:
        by = CaseActBuilder(encuentro_id, put).id_of_known_or_new_person(body["by"])
        act = ev.ResultReported(
            by, body["side"], write_metadata().device, entered_by=role_of_caller(body["side"])
        )
        answer = put.erase_if_replayed(_record_acts(encuentro_id, act))
    return response_to_write(answer)


def role_of_caller(side: ev.SideName) -> Literal["", "official"]:
    """``"official"`` if the caller may sign results and enters one for no side, else empty."""
    return "official" if not side and "results:sign" in g.actor.permissions else ""


@blp.route("/confirmations", methods=["POST"])
@guard.requires("results:confirm")
@takes_headers(key=True, match=True)
@blp.arguments(ConfirmationIn)
@blp.response(200, answers.Written, headers=_WRITE)
def confirm(body: Body, encuentro_id: UUID) -> Response:
    """Another side confirms: signed in itself, or with its code"""
    with pending_texts() as put:
        by = CaseActBuilder(encuentro_id, put).id_of_known_or_new_person(body["by"])
        code = (
            hash_of_entered_code(encuentro_id, body["side"], body["code"]) if "code" in body else ""
        )
        act = ev.ResultConfirmed(by, body["side"], write_metadata().device, code)
        answer = put.erase_if_replayed(
            confirm_result(encuentro_id, act, write_metadata(), g.expected_version)
        )
    return response_to_write(answer)


def confirm_result(
    encuentro_id: UUID, act: ev.ResultConfirmed, by: WriteMetadata, expected: int | None = None
) -> Answer:
    """Record that a side confirms."""
    return current_services().referee.encuentros.record_encuentro_act(
        encuentro_id, act, by, expected
    )


def hash_of_entered_code(encuentro_id: UUID, side: ev.SideName, code: str) -> str:
    """Hash of a code that a side entered.

    :raises Problem: too many wrong ones from this address; it has to wait
    """
    given = (
        current_services()
        .referee.encuentros.encuentro(encuentro_id)
        .result.latest_code_of_side(side)
    )
    subjects = subjects_of_side_code(str(encuentro_id), side, caller_address())
    with begin_attempt(subjects, STRANGERS) as attempt:
        found = hash_of(code, given.salt) if given else "-"
        attempt.is_right = given is not None and secrets.compare_digest(found, given.hash)
    if not attempt.is_right:
        note_security("code_failed", about=str(encuentro_id), detail=side)
    return found


@blp.route("/contests", methods=["POST"])
@guard.requires("cases:open")
@takes_headers(key=True, match=True)
@blp.arguments(ContestIn)
@blp.response(201, Opened, headers=_WRITE)
def contest(body: Body, encuentro_id: UUID) -> Response:
    """A side does not accept the result: a case is opened"""
    last = len(current_services().referee.encuentros.encuentro(encuentro_id).partidas)
    with pending_texts() as put:
        act = CaseActBuilder(encuentro_id, put).opening({"partida": last, **body})
        noted = ev.ResultContested(act.by, act.side, 0, act.text)
        expected = g.expected_version
        answer = put.erase_if_replayed(
            current_services().referee.cases.contest_result(
                encuentro_id, noted, act, write_metadata(), expected
            )
        )
    return answer_opening(answer, encuentro_id)


@blp.route("/signature", methods=["POST"])
@guard.requires("results:sign")
@takes_headers(key=True, match=True)
@blp.arguments(SignatureIn)
@blp.response(200, answers.Written, headers=_WRITE)
def sign(body: Body, encuentro_id: UUID) -> Response:
    """Sign the acta: the result is official"""
    with pending_texts() as put:
        act = signature_of(CaseActBuilder(encuentro_id, put), body)
        answer = put.erase_if_replayed(_record_acts(encuentro_id, act))
    return response_to_write(answer)


def signature_of(clerk: CaseActBuilder, body: Body) -> ev.ResultMadeOfficial:
    """The signature of a body, as an act."""
    return ev.ResultMadeOfficial(
        clerk.id_of_known_or_new_person(body["by"]), clerk.store_text(body)
    )


@blp.route("/reopenings", methods=["POST"])
@guard.requires("results:sign")
@takes_headers(key=True, match=True)
@blp.arguments(ReopeningIn)
@blp.response(200, answers.Written, headers=_WRITE)
def reopen(body: Body, encuentro_id: UUID) -> Response:
    """Reopen a signed acta, by two persons, for a reason"""
    with pending_texts() as put:
        act = reopening_of(CaseActBuilder(encuentro_id, put), body)
        answer = put.erase_if_replayed(_record_acts(encuentro_id, act))
    return response_to_write(answer)


def reopening_of(clerk: CaseActBuilder, body: Body) -> ev.ResultReopened:
    """The reopening of a body, as an act of two persons."""
    persons = (
        clerk.id_of_known_or_new_person(body["by"]),
        clerk.id_of_known_or_new_person(body["second"], "second"),
    )
    return ev.ResultReopened(*persons, clerk.store_text(body))
