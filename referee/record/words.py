"""Words of the text record: players' Spanish without accents."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.events import TextId
from referee.record.errors import Unprintable
from referee.record.tokens import fold_case
from referee.rules.cards import CARD, Pack, print_card

FORMAT = "1"
SEAT_ORDER = ("A1", "B1", "C1", "A2", "B2")
SIDE_ORDER = ("A", "B", "C")
PACKS: tuple[Pack, ...] = ("spanish", "french_queen_sota", "french_queen_caballo")

PARTIDA, AMENDMENT, REPLACE, INSERT, WITHDRAW = "partida", "enmienda", "linea", "antes", "quita"
IS = "es"
FINDING, DRAW, UNKNOWN = "%", "+", "?"

SUIT_WORDS: dict[Pack, dict[str, str]] = {
    "spanish": {"O": "oros", "C": "copas", "E": "espadas", "B": "bastos"},
    "french_queen_sota": {"O": "diamantes", "C": "corazones", "E": "picas", "B": "treboles"},
    "french_queen_caballo": {"O": "diamantes", "C": "corazones", "E": "picas", "B": "treboles"},
}
SUIT_LETTERS: dict[Pack, dict[str, str]] = {
    "spanish": {suit.lower(): suit for suit in "OCEB"},
    "french_queen_sota": {"d": "O", "h": "C", "s": "E", "c": "B"},
    "french_queen_caballo": {"d": "O", "h": "C", "s": "E", "c": "B"},
}
ANY_SUIT_WORD: dict[str, str] = {
    word: suit for words in SUIT_WORDS.values() for suit, word in words.items()
} | {"oro": "O", "copa": "C", "espada": "E", "basto": "B"}

SHOWN = {True: "vistas", False: "tapadas"}
WHOLE = {True: "todas"}
TUTE = {"R": "reyes", "S": "sotas"}
FAULT = {"out_of_order": "turno", "two_cards": "dos", "none": "nada", "pinta_early": "pinta"}
INCIDENT = {
    "talk": "charla",
    "signal": "sena",
    "exposed": "descubierta",
    "to_partner": "pareja",
    "wrong_draw": "robo",
    "wrong_gathering": "recogida",
    "late": "tarde",
    "other": "otro",
}
HOW = {
    "first_deal": "idas",
    "claim": "cantada",
    "false_claim": "falsa",
    "unclaimed": "callada",
    "target": "llegada",
    "tute": "tute",
    "renuncio": "renuncio",
    "concession": "concedida",
    "abandonment": "abandonada",
    "ruling": "resuelta",
    "undecided": "indecisa",
}
PACKETS = {"3+3": "tres", "one_by_one": "una"}
EFFECT = {
    "partida": "partida",
    "points": "tantos",
    "dealer": "reparte",
    "annul_act": "anula-linea",
    "annul_deal": "anula",
    "replay_deal": "repite",
    "renuncio": "renuncio-linea",
    "warning": "aviso",
    "none": "nada",
}

SYNONYMS = {
    "reparte": "reparto",
    "roba": DRAW,
    "anade": "antes",
    "cantan": "canta",
    "ciento-una": "101",
    "muestra": "ensena",
    "borra": "quita",
}
RULE_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_BILLION = 10**9


def keyword(word: str) -> str:
    """Canonical spelling of a keyword."""
    spelt = fold_case(word)
    return SYNONYMS.get(spelt, spelt)


def values_by_word(words: dict[Any, str]) -> dict[str, Any]:
    """Values by their words."""
    return {word: value for value, word in words.items()}


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
