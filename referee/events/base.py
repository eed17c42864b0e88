"""Words of the log, and what an act, a conclusion and a fact are."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal, TypeAlias

import msgspec

from referee.rules.profile.options import Options

CardToken: TypeAlias = str
SeatName: TypeAlias = str
SideName: TypeAlias = str
SuitName: TypeAlias = Literal["", "O", "C", "E", "B"]
TextId: TypeAlias = str
PersonId: TypeAlias = str

Incident: TypeAlias = Literal[
    "talk", "signal", "exposed", "wrong_draw", "wrong_gathering", "late", "other"
]
DrawFault: TypeAlias = Literal["out_of_order", "two_cards", "none", "pinta_early"]
How: TypeAlias = Literal[
    "first_deal",
    "claim",
    "false_claim",
    "unclaimed",
    "tute",
    "renuncio",
    "concession",
    "abandonment",
    "ruling",
    "undecided",
]
Effect: TypeAlias = Literal[
    "partida", "points", "dealer", "annul_act", "annul_deal", "replay_deal", "warning", "none"
]

OptionValues: TypeAlias = dict[str, bool | int | str | list[str]]
_MOST_PROFILES: Final = 256


def options_from(values: Mapping[str, bool | int | str | list[str]]) -> Options:
    """Options as they were frozen on the log, where lists stand for tuples."""
    return _thawed(msgspec.json.encode(values))


@lru_cache(_MOST_PROFILES)
def _thawed(values: bytes) -> Options:
    """Options of the bytes of their values: a club has few, and asks for them at each act."""
    found = msgspec.json.decode(values, type=dict[str, bool | int | str | list[str]])
    thawed = {n: tuple(v) if isinstance(v, list) else v for n, v in found.items()}
    return Options(**thawed)  # type: ignore[arg-type]  # values were typed when they were frozen


class Fact(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Anything on the log: frozen, compared by value."""


class Act(Fact, frozen=True, tag_field="kind"):
    """Something that happened at the table, lawful or not."""


class Conclusion(Fact, frozen=True, tag_field="kind"):
    """Something official that follows from an act. It takes no line of its own."""
