"""Tokens of a text record: words, marks and quoted strings, each with its place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from referee.events import TextId
from referee.record.errors import AMBIGUOUS, Code, RecordError, RecordFact, Unprintable
from referee.rules.cards import CARD, Pack, print_card

_LINES = re.compile(r"\r\n|\n|\r")
_TOKEN = re.compile(
    r"""(?P<blank>[\s,:]+|;.*)
    |(?P<string>"(?:[^"\\]|\\.)*")
    |(?P<open>".*)
    |(?P<number>[+][0-9]+(?![^\s,:;"\[\]()+/?%]))
    |(?P<mark>[\[\]()+/?%])
    |(?P<word>[^\s,:;"\[\]()+/?%]+)""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:u\{([0-9A-Fa-f]{1,6})\}|(.))", re.DOTALL)
_PLAIN_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}
_ESCAPED = {char: "\\" + name for name, char in _PLAIN_ESCAPES.items()}
_UNSEEN = frozenset({"Cc", "Cf", "Zl", "Zp"})
_LAST_CODE_POINT = 0x10FFFF
_SURROGATES = range(0xD800, 0xE000)


class Token(msgspec.Struct, frozen=True):
    """A piece of a line. ``text`` of a string is what it says; ``word`` is folded for keywords."""

    kind: str
    text: str
    line: int
    column: int
    end: int

    @property
    def word(self) -> str:
        """Keyword as spelt in the canonical form: lower case, no accents; empty for a string."""
        return "" if self.kind == "string" else fold_case(self.text)


class Misread(Exception):  # noqa: N818 - caught where the statement ends
    """Raised for one fault, which is then added to the list of faults."""

    def __init__(self, error: RecordError) -> None:
        super().__init__(error)
        self.error = error


def record_error_at(code: Code, line: int, column: int, **facts: RecordFact) -> RecordError:
    """A new ``RecordError`` for a fault of this code at a place of the text."""
    return RecordError("ambiguous" if code in AMBIGUOUS else "malformed", code, line, column, facts)


def fold_case(text: str) -> str:
    """Lower case without accents.

    >>> fold_case("Enseña")
    'ensena'
    """
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFD", text.casefold())
    return "".join(char for char in apart if not unicodedata.combining(char))


def lines_of(source: str) -> list[str]:
    """Lines of a text, whichever way they end, without a byte order mark."""
    return _LINES.split(source.removeprefix("\ufeff"))


def tokens_of(text: str, line: int, errors: list[RecordError]) -> Iterator[Token]:
    """Tokens of one line; what cannot be read goes to ``errors``."""
    for found in _TOKEN.finditer(text):
        kind, piece, column = str(found.lastgroup), found.group(), found.start() + 1
        if kind == "blank":
            continue
        if kind == "open":
            errors.append(record_error_at(Code.STRING_UNCLOSED, line, column))
            return
        if kind == "string":
            try:
                piece = parse_string(piece, line, column)
            except Misread as misread:
                errors.append(misread.error)
                piece = ""
        yield Token("word" if kind == "number" else kind, piece, line, column, found.end() + 1)


def statements_of_tokens(tokens: Iterator[Token], heads: frozenset[str]) -> Iterator[list[Token]]:
    """Split the tokens of one line into statements: parted by ``/``, a draw sign, or a tag.

    A draw sign right after the head of a change (one of ``heads``, a line) belongs to the change.
    """
    statement: list[Token] = []
    for token in tokens:
        mark = token.text if token.kind == "mark" else ""
        begins = mark in {"/", "["} or (
            mark == "+" and not _has_only_head_of_change(statement, heads)
        )
        if begins and statement:
            yield statement
            statement = []
        if mark != "/":
            statement.append(token)
        if mark == "]":
            yield statement
            statement = []
    if statement:
        yield statement


def _has_only_head_of_change(statement: list[Token], heads: frozenset[str]) -> bool:
    words = [token.word for token in statement[:3]]
    is_all = len(statement) == len(words)
    return is_all and bool(words) and words[0] in heads and words[2:] in ([], ["es"])


def parse_string(quoted: str, line: int = 1, column: int = 1) -> str:
    """What a quoted string says, in NFC.

    :raises Misread: for an escape that is none.
    """

    def unescape(found: re.Match[str]) -> str:
        hexadecimal, char = found.groups()
        if hexadecimal is not None:
            code_point = int(hexadecimal, 16)
            if code_point <= _LAST_CODE_POINT and code_point not in _SURROGATES:
                return chr(code_point)
        elif char in _PLAIN_ESCAPES:
            return _PLAIN_ESCAPES[char]
        raise Misread(
            record_error_at(
                Code.ESCAPE_UNKNOWN, line, column + 1 + found.start(), escape=found.group()
            )
        )

    return unicodedata.normalize("NFC", _ESCAPE.sub(unescape, quoted[1:-1]))


def print_string(text: str) -> str:
    r"""Text in quotes, so that the whole stays on one line and in NFC.

    >>> print(print_string('dice "voy"\n'))
    "dice \"voy\"\n"
    """
    out = []
    is_loose = True
    for char in unicodedata.normalize("NFC", text):
        category = unicodedata.category(char)
        if category == "Cs":
            raise Unprintable(ascii(char))
        if char in _ESCAPED:
            shown = _ESCAPED[char]
        elif category in _UNSEEN or (is_loose and category.startswith("M")):
            shown = f"\\u{{{ord(char):x}}}"
        else:
            shown = char
        is_loose = shown != char
        out.append(shown)
    return '"' + "".join(out) + '"'


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


def canonical_keyword(word: str) -> str:
    """Canonical spelling of a keyword."""
    spelt = fold_case(word)
    return SYNONYMS.get(spelt, spelt)


def invert_words(words: dict[Any, str]) -> dict[str, Any]:
    """Mapping from each word to the value that it stands for."""
    return {word: value for value, word in words.items()}


@dataclass(frozen=True, slots=True)
class PrintContext:
    """Context of printing an act: the pack for its cards, the words of its texts."""

    pack: Pack = "spanish"
    texts: Mapping[TextId, str] = field(default_factory=dict)


def refuse_unless_among(value: object, allowed: Container[str]) -> str:
    """The value unchanged; ``Unprintable`` if it is not among those allowed."""
    if not isinstance(value, str) or value not in allowed:
        raise Unprintable(value)
    return value


def number_text(value: object) -> str:
    """Digits of a number; ``Unprintable`` if no record can hold it."""
    if not isinstance(value, int) or isinstance(value, bool) or not -_BILLION < value < _BILLION:
        raise Unprintable(value)
    return str(value)


def token_in_pack(token: str, pack: Pack) -> str:
    """Token of a card in the letters of a pack."""
    return print_card(CARD[refuse_unless_among(token, CARD)], pack)


def pack_by_name(pack: str) -> Pack:
    """The pack of this name; ``Unprintable`` if there is none."""
    for known in PACKS:
        if known == pack:
            return known
    raise Unprintable(pack)
