"""The final score by one tap: entered by an official, taken back, corrected when it was sure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from flask import Blueprint, Response, g, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.encuentros import views
from api.encuentros.pages import names_by_seat, names_by_side
from api.html import forms
from api.html.forms import form_value, new_form_key
from api.html.pages import page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.languages import language, say
from api.http.problems import refusal_words
from api.http.services import await_end_of_log, current_services
from api.results import final_scores
from api.results.final_scores import WhatStands
from referee.errors import Refused, Stale
from referee.events import FinalScoreWithdrawn, SideName
from referee.log.streams import Answer
from referee.rules.match_scores import score_text

blp = Blueprint("scores", __name__)
UNDO_S: Final = 10
"""Seconds for which an undo is offered where a script counts them."""
_MOST_UNDOS: Final = 16
_BACK: Final = re.compile(r"/(?:jornadas|e)/[0-9a-f-]{36}")
_UNDO: Final = re.compile(r"[0-9a-f-]{36}\.[0-9]{1,6}\.[0-9]{1,12}")


class OfferedUndo(NamedTuple):
    """An entry that may be taken back: its encuentro, the version after it, when it was made."""

    encuentro: str
    version: int
    at: int
    left: int


@blp.app_context_processor
def _template_globals() -> dict[str, object]:
    """Template function ``undos``: entries that may be taken back, by encuentro."""
    return {
        "undos": lambda: {one.encuentro: one for one in _parse_undos(request.args.getlist("undo"))}
    }


@blp.post("/e/<uuid:encuentro_id>/final")
@guard.requires("results:sign")
def enter_official_score(encuentro_id: UUID) -> AnyResponse:
    """The final score as it was told to an official: official at once"""
    state = current_services().referee.encuentros.encuentro(encuentro_id)
    stands = final_scores.current_result(state)
    try:
        score = final_scores.score_in_form(request.form, state)
    except ValueError:
        return _confirmation_page(encuentro_id, say("score.unreadable", language()), status=422)
    if _is_score_already_official(stands, score):
        return _redirect_back_with_undos()
    if question := _question_before_entry(stands, score):
        return question.confirmation_page(encuentro_id)
    try:
        return _redirect_back_with_undos(encuentro_id, _record_score(encuentro_id, score, stands))
    except Refused as refused:
        return _confirmation_page(encuentro_id, refusal_words(refused, language()), status=409)
    except Stale:
        return _confirmation_page(
            encuentro_id, say("score.meanwhile", language()), score, status=409
        )


@blp.post("/e/<uuid:encuentro_id>/final/deshacer")
@guard.requires("results:sign")
def take_back_score(encuentro_id: UUID) -> AnyResponse:
    """The final score that was entered just now, taken back"""
    act = FinalScoreWithdrawn(entered_by="official")
    try:
        current_services().referee.encuentros.record_encuentro_act(
            encuentro_id, act, forms.meta_of_form("undo"), forms.version_of_form("version")
        )
    except Refused as refused:
        return _confirmation_page(encuentro_id, refusal_words(refused, language()), status=409)
    except Stale:
        return _confirmation_page(encuentro_id, say("score.meanwhile", language()), status=409)
    return _redirect_back_with_undos(encuentro_id)


def _is_score_already_official(stands: WhatStands, score: dict[SideName, int]) -> bool:
    """Whether the score is official already, as it is after a second tap."""
    return stands.stage == "official" and stands.score == score_text(score)


class _Question(NamedTuple):
    """What is asked before a score is entered: words, and the score."""

    words: str
    score: dict[SideName, int]
    status: int

    def confirmation_page(self, encuentro_id: UUID) -> Response:
        return _confirmation_page(encuentro_id, self.words, self.score, status=self.status)


def _question_before_entry(stands: WhatStands, score: dict[SideName, int]) -> _Question | None:
    """What has to be asked before a score is entered, if it overrules or corrects another."""
    if form_value("seen") != stands.result_fingerprint:
        return _Question(say("score.meanwhile", language()), score, 409)
    if stands.stage in ("official", "confirmed") and not form_value("sure"):
        return _Question(say("score.sure", language()), score, 200)
    return None


def _record_score(encuentro_id: UUID, score: dict[SideName, int], stands: WhatStands) -> Answer:
    made = forms.meta_of_form(score_text(score))
    acts = final_scores.score_acts(score, "", "official", device=g.actor.via)
    return current_services().referee.encuentros.record_encuentro_acts(
        encuentro_id, acts, made, stands.version
    )


def _confirmation_page(
    encuentro_id: UUID, words: str, score: dict[SideName, int] | None = None, *, status: int = 200
) -> Response:
    """The page that says what stands, and asks whether the score is to be entered all the same."""
    await_end_of_log()
    view = views.official_encuentro_view(encuentro_id)
    state = current_services().referee.encuentros.encuentro(encuentro_id)
    return page(
        "results/sure.html",
        view=view,
        sides=names_by_side(names_by_seat(view), view.players),
        stands=final_scores.current_result(state),
        words=words,
        score=score and score_text(score),
        back=_address_to_return(),
        key=new_form_key(),
        status=status,
    )


def _address_to_return() -> str:
    """Address of the page from which the form came: an evening, or the encuentro itself."""
    back = form_value("back")
    return back if _BACK.fullmatch(back.removeprefix(prefix())) else f"{prefix()}/jornadas/"


def _redirect_back_with_undos(
    encuentro_id: UUID | None = None, answer: Answer | None = None
) -> AnyResponse:
    """Redirect to the page of the form; ``answer``: of an entry that may be taken back."""
    here = current_services()
    now, kept = int(here.clock().timestamp()), [*_parse_undos(request.form.getlist("undo"))]
    sent = [
        ("undo", f"{one.encuentro}.{one.version}.{one.at}")
        for one in kept
        if one.left > 0 and one.encuentro != str(encuentro_id)
    ]
    position = here.referee.position()
    if answer is not None:
        version = here.referee.encuentros.encuentro(answer.id).version
        sent.append(("undo", f"{answer.id}.{version}.{now}"))
        position = answer.position
    at = f"#t-{encuentro_id}" if encuentro_id else ""
    query = urlencode([("wait", str(position)), *sent])
    return redirect(f"{_address_to_return()}?{query}{at}", 303)


def _parse_undos(sent: list[str]) -> Iterator[OfferedUndo]:
    now = int(current_services().clock().timestamp())
    for one in filter(_UNDO.fullmatch, sent[-_MOST_UNDOS:]):
        encuentro, version, at = one.split(".")
        left = max(0, min(UNDO_S, int(at) + UNDO_S - now))
        yield OfferedUndo(encuentro, int(version), int(at), left)
