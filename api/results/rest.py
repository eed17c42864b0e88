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
from api.http.access.attempts import STRANGERS, attempt_within_limits, caller_address
from api.http.access.security import note_security
from api.http.answers import Written
from api.http.bodies import Body
from api.http.rest import Noun, answer_header_schemas, response_to_write, takes_headers_and_query
from api.http.services import PendingTexts, current_services, metadata_of_request, pending_texts
from api.results import final_scores
from referee import events as ev
from referee.access.attempts import side_code_attempt_subjects
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
_WRITE = answer_header_schemas(tag=True, replayed=True)
_LENGTH = 8
_SALT_BYTES = 16


def _record_acts(encuentro_id: UUID, *acts: ev.EncuentroAct) -> Answer:
    return current_services().referee.encuentros.record_encuentro_acts(
        encuentro_id, acts, metadata_of_request(), g.expected_version
    )


def _store_person_in_body(body: Body, encuentro_id: UUID, put: PendingTexts) -> ev.PersonId:
    """Id of the person whom a body names, stored if new; empty if it names none."""
    return (
        CaseActBuilder(encuentro_id, put).id_of_known_or_new_person(body["by"])
        if "by" in body
        else ""
    )


def new_code_and_act(side: ev.SideName) -> tuple[str, ev.CodeGiven]:
    """A code of eight characters that are not easily confused, and the act that gives it."""
    code = "".join(secrets.choice(SYMBOLS) for _ in range(_LENGTH))
    salt = secrets.token_hex(_SALT_BYTES)
    return f"{code[:4]}-{code[4:]}", ev.CodeGiven(side, salt, hash_of_code(code, salt))


def hash_of_code(code: str, salt: str) -> str:
    """Slow hash of a code, so that a stolen log does not reveal codes."""
    plain = code.replace("-", "").upper().encode()
    return hashlib.scrypt(plain, salt=bytes.fromhex(salt), n=2**14, r=8, p=1, dklen=32).hex()


@blp.route("/codes", methods=["POST"])
@guard.requires("results:sign")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(CodeIn)
@blp.response(200, CodeAnswer, headers=_WRITE)
def give_confirmation_code(body: Body, encuentro_id: UUID) -> Response:
    """Give a side a new code to confirm with; it is shown once, and only its hash is kept"""
    code, act = new_code_and_act(body["side"])
    answer = _record_acts(encuentro_id, act)
    return response_to_write(answer, code=None if answer.replayed else code)


@blp.route("/scores", methods=["POST"])
@guard.requires("results:report")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(ScoreIn)
@blp.response(200, answers.Written, headers=_WRITE)
def tell_score(body: Body, encuentro_id: UUID) -> Response:
    """Tell the final score, and report it; that of an official, for no side, is official at once"""
    with pending_texts() as put:
        by = _store_person_in_body(body, encuentro_id, put)
        acts = final_scores.score_acts(
            body["score"], body["side"], official_or_empty(body["side"]), by
        )
        answer = put.erase_if_replayed(_record_acts(encuentro_id, *acts))
    return response_to_write(answer)


@blp.route("/scores/withdrawal", methods=["POST"])
@guard.requires("results:report")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(ScoreWithdrawalIn)
@blp.response(200, answers.Written, headers=_WRITE)
def withdraw_score(body: Body, encuentro_id: UUID) -> Response:
    """Take back the final score that was told last: all stands as before it"""
    act = ev.FinalScoreWithdrawn(body["side"], official_or_empty(body["side"]))
    return response_to_write(_record_acts(encuentro_id, act))


@blp.route("/denials", methods=["POST"])
@guard.requires("results:confirm")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(DenialIn)
@blp.response(200, answers.Written, headers=_WRITE)
def deny(body: Body, encuentro_id: UUID) -> Response:
    """A side does not agree with what was reported; no case is opened for that"""
    with pending_texts() as put:
        by = _store_person_in_body(body, encuentro_id, put)
        answer = put.erase_if_replayed(
            _record_acts(
                encuentro_id, ev.ResultDenied(by, body["side"], metadata_of_request().device)
            )
        )
    return response_to_write(answer)


@blp.route("/reports", methods=["POST"])
@guard.requires("results:report")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(ReportIn)
@blp.response(200, answers.Written, headers=_WRITE)
def report(body: Body, encuentro_id: UUID) -> Response:
    """Report the result as it stands; that of an official, for no side, is official at once"""
    with pending_texts() as put:
        by = CaseActBuilder(encuentro_id, put).id_of_known_or_new_person(body["by"])
        act = ev.ResultReported(
            by,
            body["side"],
            metadata_of_request().device,
            entered_by=official_or_empty(body["side"]),
        )
        answer = put.erase_if_replayed(_record_acts(encuentro_id, act))
    return response_to_write(answer)


def official_or_empty(side: ev.SideName) -> Literal["", "official"]:
    """``"official"`` if the caller may sign results and enters one for no side, else empty."""
    return "official" if not side and "results:sign" in g.actor.permissions else ""


@blp.route("/confirmations", methods=["POST"])
@guard.requires("results:confirm")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(ConfirmationIn)
@blp.response(200, answers.Written, headers=_WRITE)
def confirm(body: Body, encuentro_id: UUID) -> Response:
    """Another side confirms: signed in itself, or with its code"""
    with pending_texts() as put:
        by = CaseActBuilder(encuentro_id, put).id_of_known_or_new_person(body["by"])
        code = (
            count_attempt_and_hash_code(encuentro_id, body["side"], body["code"])
            if "code" in body
            else ""
        )
        act = ev.ResultConfirmed(by, body["side"], metadata_of_request().device, code)
        answer = put.erase_if_replayed(
            confirm_result(encuentro_id, act, metadata_of_request(), g.expected_version)
        )
    return response_to_write(answer)


def confirm_result(
    encuentro_id: UUID, act: ev.ResultConfirmed, by: WriteMetadata, expected: int | None = None
) -> Answer:
    """Record that a side confirms."""
    return current_services().referee.encuentros.record_encuentro_act(
        encuentro_id, act, by, expected
    )


def count_attempt_and_hash_code(encuentro_id: UUID, side: ev.SideName, code: str) -> str:
    """Hash of a code that a side entered, right or wrong; each call counts as an attempt.

    :raises Problem: too many wrong ones from this address; it has to wait
    """
    given = (
        current_services()
        .referee.encuentros.encuentro(encuentro_id)
        .result.latest_code_of_side(side)
    )
    subjects = side_code_attempt_subjects(str(encuentro_id), side, caller_address())
    with attempt_within_limits(subjects, STRANGERS) as attempt:
        found = hash_of_code(code, given.salt) if given else "-"
        attempt.is_right = given is not None and secrets.compare_digest(found, given.hash)
    if not attempt.is_right:
        note_security("code_failed", about=str(encuentro_id), detail=side)
    return found


@blp.route("/contests", methods=["POST"])
@guard.requires("cases:open")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(ContestIn)
@blp.response(201, Opened, headers=_WRITE)
def contest(body: Body, encuentro_id: UUID) -> Response:
    """A side does not accept the result: a case is opened"""
    last = len(current_services().referee.encuentros.encuentro(encuentro_id).partidas)
    with pending_texts() as put:
        act = CaseActBuilder(encuentro_id, put).opening_act({"partida": last, **body})
        noted = ev.ResultContested(act.by, act.side, 0, act.text)
        expected = g.expected_version
        answer = put.erase_if_replayed(
            current_services().referee.cases.contest_result(
                encuentro_id, noted, act, metadata_of_request(), expected
            )
        )
    return answer_opening(answer, encuentro_id)


@blp.route("/signature", methods=["POST"])
@guard.requires("results:sign")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(SignatureIn)
@blp.response(200, answers.Written, headers=_WRITE)
def sign_acta(body: Body, encuentro_id: UUID) -> Response:
    """Sign the acta: the result is official"""
    with pending_texts() as put:
        act = signature_act_of_body(CaseActBuilder(encuentro_id, put), body)
        answer = put.erase_if_replayed(_record_acts(encuentro_id, act))
    return response_to_write(answer)


def signature_act_of_body(clerk: CaseActBuilder, body: Body) -> ev.ResultMadeOfficial:
    """The act that makes a result official, from a body; its person and text are stored."""
    return ev.ResultMadeOfficial(
        clerk.id_of_known_or_new_person(body["by"]), clerk.store_text_of_body(body)
    )


@blp.route("/reopenings", methods=["POST"])
@guard.requires("results:sign")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(ReopeningIn)
@blp.response(200, answers.Written, headers=_WRITE)
def reopen(body: Body, encuentro_id: UUID) -> Response:
    """Reopen a signed acta, by two persons, for a reason"""
    with pending_texts() as put:
        act = reopening_act_of_body(CaseActBuilder(encuentro_id, put), body)
        answer = put.erase_if_replayed(_record_acts(encuentro_id, act))
    return response_to_write(answer)


def reopening_act_of_body(clerk: CaseActBuilder, body: Body) -> ev.ResultReopened:
    """The act that reopens a result, from a request body; new persons and the reason are stored."""
    persons = (
        clerk.id_of_known_or_new_person(body["by"]),
        clerk.id_of_known_or_new_person(body["second"], "second"),
    )
    return ev.ResultReopened(*persons, clerk.store_text_of_body(body))
