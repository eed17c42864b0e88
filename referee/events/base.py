"""Types of the fields of the log, and what an act, a conclusion and a fact are."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from functools import lru_cache
from types import NoneType
from typing import Annotated, Final, Literal, TypeAlias, get_args

import msgspec

from referee.rules.profile.options import Options, options_from_values


class FieldKind(Enum):
    """What a plain string or number means: it separates types that are stored in the same form.

    The HTTP schemas and the text record look up by type how a field is read and written.
    """

    CARD = auto()
    SEAT = auto()
    SIDE = auto()
    TEXT = auto()
    PERSON = auto()
    CARD_COUNT = auto()
    TRICK = auto()
    DEAL = auto()
    POINTS = auto()
    ADJUSTMENT = auto()


CardToken: TypeAlias = Annotated[str, FieldKind.CARD]
SeatName: TypeAlias = Annotated[str, FieldKind.SEAT]
SideName: TypeAlias = Annotated[str, FieldKind.SIDE]
SuitName: TypeAlias = Literal["", "O", "C", "E", "B"]
TextId: TypeAlias = Annotated[str, FieldKind.TEXT]
PersonId: TypeAlias = Annotated[str, FieldKind.PERSON]
PrincipalId: TypeAlias = str
"""The account, the paired device or the owner's token that made a request; empty: not recorded."""
CardCount: TypeAlias = Annotated[int, FieldKind.CARD_COUNT]
TrickNumber: TypeAlias = Annotated[int, FieldKind.TRICK]
DealNumber: TypeAlias = Annotated[int, FieldKind.DEAL]
Points: TypeAlias = Annotated[int, FieldKind.POINTS]
PointAdjustment: TypeAlias = Annotated[int, FieldKind.ADJUSTMENT]

Incident: TypeAlias = Literal[
    "talk", "signal", "exposed", "to_partner", "wrong_draw", "wrong_gathering", "late", "other"
]
DrawFault: TypeAlias = Literal["out_of_order", "two_cards", "none", "pinta_early"]
How: TypeAlias = Literal[
    "first_deal",
    "claim",
    "false_claim",
    "unclaimed",
    "target",
    "tute",
    "renuncio",
    "concession",
    "abandonment",
    "ruling",
    "undecided",
]
Effect: TypeAlias = Literal[
    "partida",
    "points",
    "dealer",
    "annul_act",
    "annul_deal",
    "replay_deal",
    "renuncio",
    "warning",
    "none",
]

OptionValues: TypeAlias = dict[str, bool | int | str | list[str]]
_MOST_PROFILES: Final = 256


def split_optional_type(kind: object) -> tuple[object, bool]:
    """The type without ``| None``, and whether it had it.

    >>> split_optional_type(int | None), split_optional_type(str)
    ((<class 'int'>, True), (<class 'str'>, False))
    """
    kinds = get_args(kind)
    if NoneType not in kinds:
        return kind, False
    (other,) = (one for one in kinds if one is not NoneType)
    return other, True


def options_from(values: Mapping[str, bool | int | str | list[str]]) -> Options:
    """Options as they were frozen on the log, where lists stand for tuples."""
    return _options_of_bytes(msgspec.json.encode(values))


@lru_cache(_MOST_PROFILES)
def _options_of_bytes(values: bytes) -> Options:
    """Options of the bytes of their values; a rebuild takes 1.7 times as long if none are kept."""
    found = msgspec.json.decode(values, type=dict[str, bool | int | str | list[str]])
    return options_from_values(found)


class Fact(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Anything on the log: frozen, compared by value."""


class Act(Fact, frozen=True, tag_field="kind"):
    """Something that happened at the table, lawful or not."""


class Conclusion(Fact, frozen=True, tag_field="kind"):
    """Something official that follows from an act. It takes no line of its own."""
