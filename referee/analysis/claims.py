"""Claims and concessions of a partida, judged as the cards stood when they were made.

A claim of the target, and a concession: what could still be reached, or since when it was. A claim
of the rest: whether it held. It decides nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from typing import Literal, TypeAlias, TypedDict

from referee.analysis.engine import NoAnalysis
from referee.analysis.reach import StillReach, reach_of
from referee.analysis.rests import MOST_WAYS_OF_CLAIM, RestAnswer, rest_of
from referee.events import ClaimMade, Conceded, RestClaimed
from referee.rules.seats import Seat, Side, side_of
from referee.table.readings import TableReading, advance
from referee.table.state import Line, Table

_Claim: TypeAlias = ClaimMade | Conceded | RestClaimed


class ReachData(TypedDict):
    """A claim or a concession, and whether its side could still reach the target then.

    ``total``: what it had. ``most``: with best play of all from there if ``is_exact``, else with
    all that was left; None if it is not known. ``since``: if it had the target already, the line
    that made it, with the ``cards`` laid after that. ``not_known``: nothing but a sum is said
    where this platform has no engine.
    """

    line: Line
    side: Side
    answer: StillReach
    total: int | None
    most: int | None
    is_exact: bool
    since: Line | None
    cards: int
    not_known: Literal["no_analysis"] | None


class RestData(TypedDict):
    """A claim of the rest, judged. ``ways``: how the cards could lie when it was made."""

    line: Line
    seat: Seat
    answer: RestAnswer | Literal["no_analysis"]
    ways: int


class ClaimsData(TypedDict):
    """Claims of the target and concessions, and claims of the rest, in order of play."""

    reaches: list[ReachData]
    rests: list[RestData]


def claims_of(
    reading: TableReading,
    lines: Collection[Line] | None = None,
    most_ways: int = MOST_WAYS_OF_CLAIM,
    most_in_all: int = sys.maxsize,
) -> ClaimsData:
    """The claims and concessions of a partida, or those of some lines, judged.

    ``most_ways`` that unseen cards can lie: for a claim of the rest; ``most_in_all``: for all of
    them together. With more it waits to be asked for.
    """
    found: ClaimsData = {"reaches": [], "rests": []}
    now, left_over = reading.table(), most_in_all
    for then, line, act in _moments(reading, lines):
        if isinstance(act, RestClaimed):
            most = min(most_ways, left_over)
            row = _rest(then, now, line, act.seat, most)
            left_over -= row["ways"] if row["ways"] <= most else 0
            found["rests"].append(row)
        else:
            side = act.side if isinstance(act, Conceded) else side_of(act.seat)
            found["reaches"].append(_reach(then, now, line, side))
    return found


def _moments(
    reading: TableReading, lines: Collection[Line] | None
) -> Iterator[tuple[Table, Line, _Claim]]:
    """The table after each claim and concession, in order of play, with its line and the act."""
    wanted = {
        one.line: one.act
        for one in reading.acts
        if isinstance(one.act, _Claim) and (lines is None or one.line in lines)
    }
    table = reading.start
    for one in reading.acts if wanted else ():
        table = advance(table, one.line, one.act)
        if act := wanted.get(one.line):
            yield table, one.line, act


def _reach(then: Table, now: Table, line: Line, side: Side) -> ReachData:
    one = reach_of(then, now, side)
    return {
        "line": line,
        "side": side,
        "answer": one.answer,
        "total": one.total,
        "most": one.most,
        "is_exact": one.is_exact,
        "since": one.since,
        "cards": one.cards,
        "not_known": "no_analysis" if one.lacks_engine else None,
    }


def _rest(then: Table, now: Table, line: Line, seat: Seat, most_ways: int) -> RestData:
    try:
        judged = rest_of(then, now, seat, most_ways)
    except NoAnalysis:
        return {"line": line, "seat": seat, "answer": "no_analysis", "ways": 0}
    return {"line": line, "seat": seat, "answer": judged.answer, "ways": judged.ways}
