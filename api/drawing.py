"""Draws: the cards as they fell, or drawn by the program from a seed; the outcome follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from api.house import Pocket, house
from api.problems import Problem
from referee.application import Answer
from referee.encuentro import options_of
from referee.events import DrawMade
from referee.rules.cards import CARD, TOKENS
from referee.rules.draw import (
    METHODS,
    Draw,
    DrawError,
    Fallen,
    Unfinished,
    draw_by_program,
)


def made(body: Mapping[str, Any], encuentro_id: UUID, put: Pocket) -> DrawMade:
    """The draw that a request tells of, with its outcome.

    ``candidates`` are seats for the dealer, else persons: an id, or the name of somebody new.

    :raises Problem: it cannot have been like this
    """
    state = house().referee.encuentro(encuentro_id)
    ids = {name: _person(body["purpose"], name, put) for name in body["candidates"]}
    if len(ids) < len(body["candidates"]):
        raise Problem("bad_draw", reason="candidate-twice", facts={})
    method, purpose = body["method"], body["purpose"]
    try:
        draw = Draw(tuple(ids.values()), purpose, options_of(state))
        if "cards" in body:
            seed, cards = "", _fallen(body["cards"], ids)
            outcome = METHODS[method](draw, cards)
        else:
            seed = body.get("seed") or house().draw_seed()
            outcome, cards = draw_by_program(method, draw, seed)
    except DrawError as wrong:
        raise Problem("bad_draw", reason=wrong.code, facts=dict(wrong.facts)) from None
    if isinstance(outcome, Unfinished):
        raise Problem("bad_draw", reason="unfinished", facts={"waiting": outcome.waiting})
    fallen = tuple((who, TOKENS[card]) for who, card in cards)
    return DrawMade(method, purpose, draw.candidates, fallen, outcome.outcome, seed)


def view(answer: Answer) -> dict[str, Any]:
    """The draw of an answer, with names."""
    act = next(r.event for r in answer.events if isinstance(r.event, DrawMade))
    names = {one: house().persons.name(one) for one in act.candidates}
    return {
        "outcome": act.outcome,
        "cards": act.cards,
        "seed": act.seed,
        "names": {one: name for one, name in names.items() if name is not None},
    }


def _person(purpose: str, candidate: str, put: Pocket) -> str:
    if purpose == "dealer" or house().persons.name(candidate) is not None:
        return candidate
    return put.person(candidate)


def _fallen(cards: list[list[str]], ids: Mapping[str, str]) -> tuple[Fallen, ...]:
    try:
        return tuple((ids.get(who, who), CARD[token]) for who, token in cards)
    except KeyError:
        raise Problem("bad_draw", reason="card-not-in-deck", facts={}) from None
