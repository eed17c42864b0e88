"""What the hall is told of tournaments: calls to the tables, the clock of the round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from api.http.languages import UNKNOWN, say
from api.tournaments.rounds import ClockFace, PairFace, clock_face


@dataclass(frozen=True, slots=True)
class CallFace:
    """A table and the two pairs that are called to it."""

    table: int
    pairs: tuple[PairFace, ...]


@dataclass(frozen=True, slots=True)
class CallsFace:
    """A tournament in the hall; ``more``: calls that are not shown, ``left``: minutes."""

    id: str
    name: str
    title: str
    clock: ClockFace | None
    left: int
    calls: tuple[CallFace, ...]
    more: int


def calls(view: Mapping[str, Any], lang: str, now: datetime) -> CallsFace:
    """What the hall is told of a tournament, in a language."""
    clock = clock_face(view["clock"])
    found = tuple(
        CallFace(one["table"], tuple(_pair(pair) for pair in one["pairs"])) for one in view["calls"]
    )
    return CallsFace(
        id=view["id"],
        name=view["name"] or UNKNOWN,
        title=say("tournament_page.round_n", lang, n=view["round"]),
        clock=clock,
        left=0 if clock is None else clock.left(now),
        calls=found,
        more=view["called"] - len(found),
    )


def _pair(pair: Mapping[str, Any]) -> PairFace:
    return PairFace(pair["pair"], tuple(name or UNKNOWN for name in pair["players"]))
