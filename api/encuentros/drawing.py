"""Draws: the cards as they fell, or drawn by the program from a seed, with the outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import marshmallow as ma
import msgspec
from flask import Response

from api.encuentros.schemas import DrawTried
from api.http.access import guard
from api.http.bodies import Body
from api.http.fields import ResponseSchema
from api.http.rest import Noun, reply
from api.http.services import PendingTexts, current_services, refuse_text_with_names
from api.profiles.rest import frozen_profile_of_request
from referee.aggregates.encuentro import options_of
from referee.errors import Refused
from referee.events import DrawMade, options_from
from referee.log.streams import Answer
from referee.rules.cards import CARD, TOKENS
from referee.rules.draw import (
    METHODS,
    Fallen,
    SeatDraw,
    SeatDrawOutcome,
    SeatDrawRule,
    UnfinishedSeatDraw,
    draw_seats_by_program,
)
from referee.rules.profile.options import Options

blp = Noun("draws", __name__, url_prefix="/api/v1/draws", description="Draws")


@dataclass(frozen=True, slots=True)
class FallenCards:
    """A draw so far: the cards that fell, and the seed if the program drew."""

    draw: SeatDraw
    outcome: SeatDrawOutcome | UnfinishedSeatDraw
    cards: Sequence[Fallen]
    seed: str

    @property
    def cards_as_tokens(self) -> tuple[tuple[str, str], ...]:
        """Who got which card, in tokens."""
        return tuple((who, TOKENS[card]) for who, card in self.cards)


def read_or_make_draw(body: Body, ids: Mapping[str, str], options: Options) -> FallenCards:
    """The draw in a body, or one by the program, with its outcome; ``ids``: id of each candidate.

    :raises Refused: it is impossible
    """
    if len(ids) < len(body["candidates"]):
        raise Refused(SeatDrawRule.CANDIDATE_TWICE)
    method = body["method"]
    draw = SeatDraw(tuple(ids.values()), body["purpose"], options)
    if "cards" in body:
        cards = _read_fallen_cards(body["cards"], ids)
        return FallenCards(draw, METHODS[method](draw, cards), cards, "")
    refuse_text_with_names("seed", body.get("seed", ""))
    seed = body.get("seed") or current_services().draw_seed()
    return FallenCards(draw, *draw_seats_by_program(method, draw, seed), seed)


def draw_act_of_body(body: Body, encuentro_id: UUID, put: PendingTexts) -> DrawMade:
    """The act for the draw in a request, with its outcome.

    ``candidates`` are seats for the dealer, else persons: an id, or the name of somebody new.

    :raises Refused: it is impossible, or not finished
    """
    options = options_of(current_services().referee.encuentros.encuentro(encuentro_id))
    ids = {
        name: _candidate_id_or_add_person(body["purpose"], name, put) for name in body["candidates"]
    }
    found = read_or_make_draw(body, ids, options)
    if isinstance(found.outcome, UnfinishedSeatDraw):
        raise Refused(SeatDrawRule.UNFINISHED, waiting=found.outcome.waiting)
    return DrawMade(
        body["method"],
        body["purpose"],
        found.draw.candidates,
        found.cards_as_tokens,
        found.outcome.outcome_for_log,
        found.seed,
    )


class DrawStateData(msgspec.Struct, frozen=True):
    """A draw as it stands. ``waiting``: who may get the next card, in which round of the draw."""

    outcome: Mapping[str, str] | None
    may_choose: bool
    waiting: tuple[str, ...]
    round: int | None
    cards: Sequence[tuple[str, str]]
    seed: str


def draw_state_of_body(body: Body, options: Options) -> DrawStateData:
    """State of a draw: its outcome, or who waits for a card. Nothing is recorded."""
    found = read_or_make_draw(body, {name: name for name in body["candidates"]}, options)
    cards, seed = found.cards_as_tokens, found.seed
    match found.outcome:
        case UnfinishedSeatDraw(waiting, number):
            return DrawStateData(
                outcome=None,
                may_choose=False,
                waiting=waiting,
                round=number,
                cards=cards,
                seed=seed,
            )
        case ended:
            return DrawStateData(
                outcome=ended.outcome_for_log,
                may_choose=ended.may_choose,
                waiting=(),
                round=None,
                cards=cards,
                seed=seed,
            )


class DrawnData(msgspec.Struct, frozen=True):
    """A recorded draw, with the names of those who drew."""

    outcome: Mapping[str, str]
    cards: Sequence[tuple[str, str]]
    seed: str
    names: dict[str, str]


def draw_view_of_answer(answer: Answer) -> DrawnData:
    """The draw that a write has recorded, with the names of the candidates."""
    act = next(r.event for r in answer.events if isinstance(r.event, DrawMade))
    names = {one: current_services().persons.name(one) for one in act.candidates}
    return DrawnData(
        outcome=act.outcome,
        cards=act.cards,
        seed=act.seed,
        names={one: name for one, name in names.items() if name is not None},
    )


def _candidate_id_or_add_person(purpose: str, candidate: str, put: PendingTexts) -> str:
    if purpose == "dealer" or current_services().persons.is_named(candidate):
        return candidate
    return put.add_person(candidate)


def _read_fallen_cards(cards: list[list[str]], ids: Mapping[str, str]) -> tuple[Fallen, ...]:
    try:
        return tuple((ids.get(who, who), CARD[token]) for who, token in cards)
    except KeyError:
        raise Refused(SeatDrawRule.CARD_NOT_IN_DECK) from None


class DrawStands(ResponseSchema):
    """A draw as it stands."""

    outcome = ma.fields.Dict(
        required=True, allow_none=True, metadata={"description": "null: more cards must fall"}
    )
    may_choose = ma.fields.Boolean(
        required=True, metadata={"description": "the dealer chooses a seat"}
    )
    waiting = ma.fields.List(
        ma.fields.String(), required=True, metadata={"description": "who may get the next card"}
    )
    round = ma.fields.Integer(required=True, allow_none=True)
    cards = ma.fields.List(ma.fields.List(ma.fields.String()), required=True)
    seed = ma.fields.String(required=True)


@blp.route("/preview", methods=["POST"])
@guard.requires("encuentros:open")
@blp.arguments(DrawTried)
@blp.response(200, DrawStands)
def preview_draw(body: Body) -> Response:
    """How a draw stands, by its cards so far or from a seed; nothing is recorded"""
    return reply(draw_state_of_body(body, options_from(frozen_profile_of_request(body).options)))
