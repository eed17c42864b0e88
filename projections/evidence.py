"""Evidence as plain JSON values: verdicts, what is known of hands, claims, other profiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from referee.events import FrozenProfile, article_in
from referee.partida import INITIAL, Partida, evolve, table_of
from referee.rules.articles import ABOUT
from referee.rules.cards import Mask, tokens_in
from referee.rules.profile import Profile
from referee.store import Recorded
from referee.table.claims import claim_read
from referee.table.comparing import NotComparable, compared
from referee.table.state import Deal, Line
from referee.table.verdicts import Judged, evidence_of, judged


def state_at(history: Sequence[Recorded], line: Line | None) -> Partida:
    """A partida as its record stood after a line; None: after the last.

    :raises LookupError: it has no such line
    """
    state = INITIAL
    for recorded in history:
        if line is None or recorded.line <= line:
            state = evolve(state, recorded.event)  # type: ignore[arg-type]  # a stream of a partida holds its events only
    if line is not None and not 0 <= line == state.version:
        raise LookupError(line)
    return state


def evidence_view(state: Partida, profile: FrozenProfile | None) -> dict[str, Any]:
    """Every act of a player with its verdict and what proves it; the claim, if there was one."""
    table = table_of(state)
    read = claim_read(table)
    broken = {deal.number: evidence_of(deal).broken for deal in table.all_deals}
    return {
        "line": state.version,
        "acts": [act_view(one, profile) for one in judged(table, state.acts)],
        "contradicted": [
            {"deal": number, "line": max(line, 0)} for number, line in broken.items() if line
        ],
        "claim": None if read is None else msgspec.to_builtins(read),
    }


def act_view(one: Judged, profile: FrozenProfile | None) -> dict[str, Any]:
    """One act with its verdict."""
    return {
        "line": one.line,
        "seat": one.seat,
        "verdict": one.answer,
        "since": one.since or None,
        "rule": None if one.rule is None else one.rule.value,
        "article": _article(one, profile),
        "proof": {"lines": list(one.proof), "cards": tokens_in(_mask(one.cards))},
        "by_count": one.by_count,
        "settles": {"cards": tokens_in(_mask(one.settles)), "tricks": list(one.tricks)},
        "slip": None
        if one.slip is None
        else {
            "kind": one.slip.kind,
            "lines": list(one.slip.lines),
            "cards": tokens_in(_mask(one.slip.cards)),
        },
    }


def _mask(cards: Sequence[int]) -> Mask:
    return sum(1 << card for card in cards)


def _article(one: Judged, profile: FrozenProfile | None) -> dict[str, str] | None:
    if one.rule is None or profile is None:
        return None
    about = ABOUT[one.rule]
    options = (one.option, *about.options, about.cost)
    return next((found for o in options if (found := article_in(profile, o))), None)


def knowledge_view(state: Partida) -> dict[str, Any]:
    """What is known of every hand of the running deal: certain, possible, and how many cards."""
    deal = table_of(state).deal
    return {
        "line": state.version,
        "deal": None if deal is None else deal.number,
        "hands": {} if deal is None else _hands(deal),
    }


def _hands(deal: Deal) -> dict[str, Any]:
    known = evidence_of(deal).knowledge()
    return {
        seat: {
            "size": size,
            "certain": tokens_in(hand.certain),
            "possible": tokens_in(hand.possible & ~hand.certain),
            "not": tokens_in(deal.deck & ~hand.possible),
        }
        for seat, size, hand in zip(deal.seats, deal.sizes, known, strict=True)
    }


def comparison_view(state: Partida, other: Profile) -> dict[str, Any]:
    """What would change under another profile, and by which option.

    :raises NotComparable: the cards are dealt otherwise
    """
    assert state.start is not None
    options = state.start.options
    if options.players not in other.players:
        raise NotComparable(("players",))
    deck = options.deck if options.deck in other.decks else None
    found = compared(state.start, state.acts, other.options(options.players, deck))
    return {"profile": other.id, **msgspec.to_builtins(found)}
