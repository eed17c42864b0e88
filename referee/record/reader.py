"""The reader of a statement: a cursor over its tokens, and the possible readings of a card."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from referee.events import TextId
from referee.record.errors import Code, RecordError, RecordFact
from referee.record.lexicon import (
    PACKS,
    SEAT_ORDER,
    SIDE_ORDER,
    UNKNOWN,
    Misread,
    Token,
    record_error_at,
)
from referee.rules.cards import CARD, NUMERALS, TOKENS, Pack, parse_card

_SEAT = re.compile(r"[A-Za-z][0-9]")
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
_SUIT_WORD = {"OROS": "O", "COPAS": "C", "ESPADAS": "E", "BASTOS": "B"}
_WRITTEN = re.compile(r"(1[0-2]|[0-9AKQJRSC])([A-Z]|OROS|COPAS|ESPADAS|BASTOS)")
_TEN_OR_AS = "10"


@dataclass(slots=True)
class FileState:
    """What is known of the file so far: the pack if it was stated, the texts, and all faults."""

    pack: Pack | None = None
    texts: dict[TextId, str] = field(default_factory=dict)
    errors: list[RecordError] = field(default_factory=list)
    written_texts: int = 0
    is_french: bool = False
    suits_in_doubt: list[tuple[Token, list[str]]] = field(default_factory=list)

    def add_text(self, words: str | None) -> TextId:
        """Store the words of the next text (None: an erased one) and return its new id."""
        self.written_texts += 1
        text = f"t{self.written_texts}"
        if words is not None:
            self.texts[text] = words
        return text

    def add_ambiguous_suit_faults(self) -> None:
        """Add a fault for each ambiguous suit, if a file with French cards states no pack."""
        if not self.is_french:
            return
        for token, both in self.suits_in_doubt:
            self.errors.append(
                record_error_at(
                    Code.PACK_NOT_STATED,
                    token.line,
                    token.column,
                    token=token.text,
                    readings=both,
                )
            )


class Reader:
    """Cursor over the tokens of one statement."""

    def __init__(self, tokens: list[Token], sheet: FileState) -> None:
        self.tokens = tokens
        self.sheet = sheet
        self.at = 0

    @property
    def token_at_cursor(self) -> Token | None:
        """Token under the cursor; None at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    @property
    def word_at_cursor(self) -> str:
        """Keyword under the cursor, folded; empty at the end or at a string."""
        token = self.token_at_cursor
        return token.word if token is not None else ""

    @property
    def is_seat_next(self) -> bool:
        """Whether a seat, or what looks like one, comes next."""
        token = self.token_at_cursor
        return token is not None and token.kind == "word" and bool(_SEAT.fullmatch(token.text))

    @property
    def is_side_next(self) -> bool:
        """Whether a side comes next."""
        token = self.token_at_cursor
        return token is not None and token.kind == "word" and token.text.upper() in SIDE_ORDER

    @property
    def is_card_next(self) -> bool:
        """Whether a card, or what may be meant for one, comes next."""
        token = self.token_at_cursor
        return token is not None and token.kind == "word" and _may_be_card(token.text)

    @property
    def is_number_next(self) -> bool:
        """Whether a number comes next."""
        token = self.token_at_cursor
        return token is not None and token.kind == "word" and bool(_NUMBER.fullmatch(token.text))

    @property
    def is_unknown_next(self) -> bool:
        """Whether the mark of something unknown comes next."""
        return self.word_at_cursor == UNKNOWN

    def misread_exception(
        self, code: Code, token: Token | None = None, **facts: RecordFact
    ) -> Misread:
        """Exception for a fault at a token, at the cursor, or after the last token."""
        token = token or self.token_at_cursor
        if token is None:
            last = self.tokens[-1]
            return Misread(record_error_at(code, last.line, last.end, **facts))
        return Misread(record_error_at(code, token.line, token.column, token=token.text, **facts))

    def take_any_token(self, expected: str) -> Token:
        """Next token of whatever kind; the cursor moves past it.

        :raises Misread: at the end of the statement.
        """
        token = self.token_at_cursor
        if token is None:
            raise self.misread_exception(Code.SOMETHING_MISSING, expected=expected)
        self.at += 1
        return token

    def take_seat(self) -> str:
        """Take the next token as a seat and move past it; ``Misread`` if it is none."""
        token = self.take_any_token("seat")
        seat = token.text.upper()
        if token.kind != "word" or seat not in SEAT_ORDER:
            raise self.misread_exception(Code.SEAT_MALFORMED, token)
        return seat

    def take_side(self) -> str:
        """Take the next token as a side and move past it; ``Misread`` if it is none."""
        token = self.take_any_token("side")
        side = token.text.upper()
        if token.kind != "word" or side not in SIDE_ORDER:
            raise self.misread_exception(Code.SIDE_MALFORMED, token)
        return side

    def take_number(self) -> int:
        """Take the next token as a number of at most nine digits; ``Misread`` if it is none."""
        token = self.take_any_token("number")
        if token.kind != "word" or not _NUMBER.fullmatch(token.text):
            raise self.misread_exception(Code.NUMBER_MALFORMED, token)
        return int(token.text)

    def take_string(self, expected: str = "string") -> str:
        """Take the next token as a quoted string; in a fault, ``expected`` says what for."""
        token = self.take_any_token(expected)
        if token.kind != "string":
            raise self.misread_exception(Code.SOMETHING_MISSING, token, expected=expected)
        return token.text

    def take_card(self) -> str:
        """Take the next token as a card and move past it; its token in Spanish letters.

        :raises Misread: also when the token has two readings.
        """
        if self.token_at_cursor is not None and self.token_at_cursor.text.upper() in SEAT_ORDER:
            raise self.misread_exception(Code.SOMETHING_MISSING, expected="card")
        token = self.take_any_token("card")
        if token.kind == "mark" and token.text == UNKNOWN:
            raise self.misread_exception(Code.CARD_UNKNOWN_HERE, token)
        if (
            token.kind == "word"
            and token.text == _TEN_OR_AS
            and self.sheet.pack in {None, "spanish"}
        ):
            raise self.misread_exception(
                Code.ZERO_OR_OROS, token, readings=["AO", "SO", "SC", "SE", "SB"]
            )
        cards = card_readings(token.text, self.sheet.pack) if token.kind == "word" else ()
        if not cards:
            raise self.misread_exception(Code.CARD_MALFORMED, token)
        if self.sheet.pack is None:
            self._note_sign_of_french_pack(token, cards)
        if len(cards) > 1:
            code = Code.PACK_NOT_STATED if self.sheet.pack is None else Code.CARD_OF_TWO_PACKS
            raise self.misread_exception(code, token, readings=list(cards))
        return cards[0]

    def _note_sign_of_french_pack(self, token: Token, cards: tuple[str, ...]) -> None:
        if _is_french_only(token.text):
            self.sheet.is_french = True
        elif token.text[-1] in "Cc":
            self.sheet.suits_in_doubt.append((token, [cards[0], same_rank_in_bastos(cards[0])]))


def _may_be_card(text: str) -> bool:
    """Whether somebody who wrote this may have meant a card."""
    return text == _TEN_OR_AS or _WRITTEN.fullmatch(text.upper()) is not None


def _is_french_only(text: str) -> bool:
    """Whether a token is a card of a French pack and of no Spanish one."""
    return not _spanish_cards(text.upper()) and bool(_french_cards(text.upper(), PACKS[1]))


def card_readings(text: str, pack: Pack | None) -> tuple[str, ...]:
    """Cards that a token may name in a pack, or in a pack that nobody stated.

    >>> [card_readings(text, "spanish") for text in ("3o", "10B", "XX")]
    [('3O',), ('SB',), ()]
    >>> card_readings("QH", "french_queen_sota"), card_readings("QH", None)
    (('SC',), ('SC', 'CC'))
    >>> card_readings("CC", "french_queen_sota")
    ('CC', 'CB')
    """
    written = text.upper()
    if pack == "spanish":
        return _spanish_cards(written)
    if pack is not None:
        return _french_cards(written, pack) or _cards_of_mixed_token(written)
    named = _spanish_cards(written) or tuple(
        card for french in PACKS[1:] for card in _french_cards(written, french)
    )
    return tuple(dict.fromkeys(named))


def same_rank_in_bastos(card: str) -> str:
    """The card with this rank in clubs (bastos), which the suit ``C`` means in a French pack.

    >>> same_rank_in_bastos("7C")
    '7B'
    """
    return card[0] + "B"


def _spanish_cards(written: str) -> tuple[str, ...]:
    found = _WRITTEN.fullmatch(written)
    if found is None:
        return ()
    rank, suit = found.groups()
    token = NUMERALS.get(rank, rank) + _SUIT_WORD.get(suit, suit)
    return (token,) if token in CARD else ()


def _french_cards(written: str, pack: Pack) -> tuple[str, ...]:
    token = "A" + written[1:] if len(written) == 2 and written[0] == "1" else written  # noqa: PLR2004 - rank and suit
    try:
        return (TOKENS[parse_card(token, pack)],)
    except ValueError:
        return ()


def _cards_of_mixed_token(written: str) -> tuple[str, ...]:
    """A Spanish figure with a C: copas by its rank, clubs (bastos) by its pack."""
    if written in {"RC", "SC", "CC"}:
        return (written, same_rank_in_bastos(written))
    return ()
