"""Tournaments on the board of the hall: calls to tables, and the clock of the round."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict

from api.http.languages import UNKNOWN, say
from api.tournaments.rounds import ClockDisplay, PairDisplay, clock_display, draw_title
from projections.tournaments.view import HallFactsData


class NamedPairData(TypedDict):
    """A pair that is called: names of its players, and its own or an empty text."""

    pair: str
    players: list[str | None]
    name: str


class NamedCallData(TypedDict):
    """A table and the pairs that are called to it.

    ``bracket``: of a tie, which of the brackets it is in; else empty.
    """

    table: int
    bracket: str
    pairs: list[NamedPairData]


class CallsData(HallFactsData):
    """A tournament on the board of the hall, with names.

    ``called``: number of tables called, with those that the board does not show.
    """

    name: str | None
    calls: list[NamedCallData]
    called: int


@dataclass(frozen=True, slots=True)
class CallDisplay:
    """A table and the two pairs that are called to it.

    ``draw``: the name of their bracket if it is not the main one.
    """

    table: int
    pairs: tuple[PairDisplay, ...]
    draw: str


@dataclass(frozen=True, slots=True)
class CallsDisplay:
    """A tournament in the hall; ``more``: calls that are not shown, ``left``: minutes."""

    id: str
    name: str
    title: str
    clock: ClockDisplay | None
    left: int
    calls: tuple[CallDisplay, ...]
    more: int


def calls(view: CallsData, lang: str, now: datetime) -> CallsDisplay:
    """A tournament on the board of the hall, in a language."""
    clock = clock_display(view["clock"])
    found = tuple(
        CallDisplay(
            one["table"],
            tuple(_pair(pair) for pair in one["pairs"]),
            draw_title(one["bracket"], lang),
        )
        for one in view["calls"]
    )
    return CallsDisplay(
        id=view["id"],
        name=view["name"] or UNKNOWN,
        title=say("tournament_page.round_n", lang, n=view["round"]),
        clock=clock,
        left=0 if clock is None else clock.left(now),
        calls=found,
        more=view["called"] - len(found),
    )


def _pair(pair: NamedPairData) -> PairDisplay:
    players = tuple(name or UNKNOWN for name in pair["players"])
    return PairDisplay(pair["pair"], players, title=pair["name"])
