"""Values that a record can hold, and how they are written."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, field

from referee.events import TextId
from referee.record.errors import Unprintable
from referee.record.words import PACKS
from referee.rules.cards import CARD, Pack, print_card

RULE_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_BILLION = 10**9


@dataclass(frozen=True, slots=True)
class PrintContext:
    """Context of printing an act: the pack for its cards, the words of its texts."""

    pack: Pack = "spanish"
    texts: Mapping[TextId, str] = field(default_factory=dict)


def one_of(value: object, allowed: Container[str]) -> str:
    """The value, if a record can hold it."""
    if not isinstance(value, str) or value not in allowed:
        raise Unprintable(value)
    return value


def number_text(value: object) -> str:
    """Digits of a number that a record can hold."""
    if not isinstance(value, int) or isinstance(value, bool) or not -_BILLION < value < _BILLION:
        raise Unprintable(value)
    return str(value)


def card_text(token: str, pack: Pack) -> str:
    """Token of a card in the letters of a pack."""
    return print_card(CARD[one_of(token, CARD)], pack)


def pack_named(pack: str) -> Pack:
    """The pack, if it is one."""
    for known in PACKS:
        if known == pack:
            return known
    raise Unprintable(pack)
