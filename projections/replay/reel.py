"""The reel of a partida: everything a replay needs, in one JSON value.

A frame for each act that stands, in order of play, told by what it has otherwise than the one
before; beside them verdicts with their proof, corrections with before and after, conclusions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from projections.official.evidence import evidence_view
from projections.official.findings import article_of, finding_row
from projections.official.table import cante_view
from projections.replay.frames import ReplayStep, changed, deck_in_order, laid_view, steps_of
from referee.encuentro.partida import Partida, RecordedAct, standing, table_of, withdrawn
from referee.events import FrozenProfile, LogAmended, TableAct
from referee.rules.articles import ABOUT
from referee.rules.cards import TOKENS
from referee.rules.profile.profile import Profile
from referee.table.comparing import NotComparable, options_at
from referee.table.counting import items_of
from referee.table.state import NO_CARD, Deal, Table

FORMAT: Final = "guinote-reel 1"


def reel_view(state: Partida, profile: FrozenProfile) -> dict[str, Any]:
    """The reel of a partida under the profile that its options are from.

    Cards, seats and sides as on the log; persons and texts by their ids. ``steps`` have in ``set``
    what their frame has otherwise than the one before.
    """
    assert state.opened is not None
    table, steps = table_of(state), list(steps_of(state))
    judged = evidence_view(state, profile)
    told = {(one["line"], one["rule"]) for one in judged["acts"]}
    return {
        "format": FORMAT,
        "encuentro": state.opened.encuentro,
        "partida": state.opened.number,
        "line": state.version,
        "players": table.players,
        "seats": list(table.seats),
        "target": table.options.target,
        "profile": {"id": profile.id, "edition": profile.edition, "base": profile.base},
        "outcome": msgspec.to_builtins(table.decided),
        "steps": list(_told(steps)),
        "deals": _deals(table, steps),
        "verdicts": judged["acts"],
        "findings": [
            {**finding_row(one), "article": article_of(one.rule, profile)}
            for one in table.findings
            if ABOUT[one.rule].kind != "duty" and (one.line, one.rule.value) not in told
        ],
        "contradicted": judged["contradicted"],
        "claim": judged["claim"],
        "amendments": amendments(state.log),
    }


def _told(steps: Sequence[ReplayStep]) -> list[dict[str, Any]]:
    """Steps with their acts, the conclusions that each brought, and what changed on the table."""
    frame: dict[str, Any] = {}
    stated: tuple[Any, ...] = ()
    found = []
    for step in steps:
        now = step.table.conclusions
        new = [msgspec.to_builtins(one) for one in now if one not in stated]
        found.append(
            {
                "line": step.entry.line,
                "act": msgspec.to_builtins(step.entry.act),
                **({"said": new} if new else {}),
                "set": changed(frame, step.frame),
            }
        )
        frame, stated = step.frame, now
    return found


def _deals(table: Table, steps: Sequence[ReplayStep]) -> list[dict[str, Any]]:
    """Every deal that was begun, as it lay after its last act; also one that counts no more."""
    last: dict[int, tuple[ReplayStep, Deal]] = {}
    for step in steps:
        if step.table.deal is not None:
            last[step.frame["deal"]] = (step, step.table.deal)
    counting = {deal.line for deal in table.all_deals}
    return [_deal(step.table, deal, counts=deal.line in counting) for step, deal in last.values()]


def _deal(table: Table, deal: Deal, *, counts: bool) -> dict[str, Any]:
    items = items_of(deal, table.options.last_trick_points, table.ruled_out)
    return {
        "number": deal.number,
        "line": deal.line,
        "dealer": deal.dealer,
        "mano": deal.order[0],
        "pinta": TOKENS[deal.pinta] if deal.pinta != NO_CARD else "",
        "counts": counts,
        "cards": deck_in_order(deal.deck),
        "tricks": [
            {
                "plays": [laid_view(play) for play in trick.plays],
                "taker": trick.taker,
                "points": trick.points,
                "line": trick.line,
            }
            for trick in deal.tricks
        ],
        "cantes": [cante_view(cante) for cante in deal.cantes],
        "items": [[one.side, one.reason, one.points, one.line] for one in items],
    }


def amendments(log: Sequence[RecordedAct]) -> list[dict[str, Any]]:
    """Every correction: what stood at each line before, and what stood there after."""
    taken_back = withdrawn(log)
    return [
        {
            "line": one.line,
            "text": one.act.text,
            "stands": one.line not in taken_back,
            "changes": [
                {
                    "line": change.line,
                    "how": change.how,
                    "before": _act_at(log[:place], change.line, change.how),
                    "after": msgspec.to_builtins(change.act),
                }
                for change in one.act.changes
            ],
        }
        for place, one in enumerate(log)
        if isinstance(one.act, LogAmended)
    ]


def _act_at(log: Sequence[RecordedAct], line: int, how: str) -> dict[str, Any] | None:
    """The act that stood at a line; None if a correction puts one where there was none."""
    if how == "insert":
        return None
    acts: dict[int, TableAct] = {entry.line: entry.act for entry in standing(log)}
    found: dict[str, Any] | None = msgspec.to_builtins(acts.get(line))
    return found


def under(state: Partida, other: Profile) -> Partida:
    """The same record under another profile.

    :raises NotComparable: the cards are dealt otherwise
    """
    assert state.start is not None
    chosen = options_at(state.start.options, other)
    return replace(state, start=replace(state.start, options=chosen))


def comparable(state: Partida, others: Iterable[Profile]) -> list[str]:
    """Those of these profiles by which the record can be judged as well."""
    found = []
    for other in others:
        with suppress(NotComparable):
            under(state, other)
            found.append(other.id)
    return found
