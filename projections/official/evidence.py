"""Evidence as plain JSON values: verdicts, what is known of hands, claims, other profiles."""

from __future__ import annotations

from typing import Any

import msgspec

from projections.official.findings import article_of
from referee.encuentro.partida import Partida, table_of
from referee.events import FrozenProfile
from referee.rules.cards import mask_of, tokens_in
from referee.rules.profile.profile import Profile
from referee.table.claims import claim_read
from referee.table.comparing import compared, options_at
from referee.table.state import Deal
from referee.table.verdicts import Judged, evidence_by_deal, evidence_of, judged


def evidence_view(state: Partida, profile: FrozenProfile | None) -> dict[str, Any]:
    """Every act of a player with its verdict and what proves it; the claim, if there was one."""
    table = table_of(state)
    evidence = evidence_by_deal(table)
    read = claim_read(table, evidence)
    return {
        "line": state.version,
        "acts": [act_view(one, profile) for one in judged(table, state.acts, evidence)],
        "contradicted": [
            {"deal": number, "line": max(found.broken, 0)}
            for number, found in evidence.items()
            if found.broken
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
        "article": article_of(one.rule, profile, one.option),
        "proof": {"lines": list(one.proof), "cards": tokens_in(mask_of(one.cards))},
        "by_count": one.by_count,
        "settles": {"cards": tokens_in(mask_of(one.settles)), "tricks": list(one.tricks)},
        "slip": None
        if one.slip is None
        else {
            "kind": one.slip.kind,
            "lines": list(one.slip.lines),
            "cards": tokens_in(mask_of(one.slip.cards)),
        },
    }


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
    found = compared(state.start, state.acts, options_at(state.start.options, other))
    return {"profile": other.id, **msgspec.to_builtins(found)}
