"""The grammar of acts: one form each, the keyword and the fields in their order.

The slot of a type both writes and reads its fields, so printing and parsing agree.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

import msgspec

from referee import events as ev
from referee.record.errors import Code, Unprintable
from referee.record.lexicon import (
    ANY_SUIT_WORD,
    DRAW,
    EFFECT,
    FAULT,
    HOW,
    INCIDENT,
    PACKETS,
    SEAT_ORDER,
    SHOWN,
    SIDE_ORDER,
    SUIT_LETTERS,
    SUIT_WORDS,
    TUTE,
    UNKNOWN,
    WHOLE,
    PrintContext,
    invert_words,
    number_text,
    print_string,
    refuse_unless_among,
    token_in_pack,
)
from referee.record.reader import Reader

FieldValue: TypeAlias = Any  # whatever the type of the field is
REQUIRED: FieldValue = object()


@dataclass(frozen=True, slots=True)
class Slot(ABC):
    """One field of an act. A value equal to ``default`` is left out; ``label`` comes before it.

    ``has_unknown``: an unknown value is written as such.
    """

    name: str
    default: FieldValue = REQUIRED
    label: str = ""
    has_unknown: bool = False

    def tokens_with_label(self, value: FieldValue, context: PrintContext) -> list[str]:
        """Tokens of a value with its label; none for the default."""
        if value == self.default:
            return []
        return (
            [self.label, *self._value_tokens(value, context)]
            if self.label
            else self._value_tokens(value, context)
        )

    def parse_value_or_default(self, reader: Reader) -> FieldValue:
        """Value under the cursor, which moves on, or the default when it was left out."""
        if self.label:
            if reader.word_at_cursor != self.label and self.default is not REQUIRED:
                return self.default
            if reader.word_at_cursor != self.label:
                raise reader.misread_exception(Code.SOMETHING_MISSING, expected=self.label)
            reader.take_any_token(self.label)
            return self._parse_value(reader)
        if self.default is not REQUIRED and not self._is_next(reader):
            return self.default
        return self._parse_value(reader)

    @abstractmethod
    def _value_tokens(self, value: FieldValue, context: PrintContext) -> list[str]:
        """Tokens of a value that is not left out."""

    @abstractmethod
    def _parse_value(self, reader: Reader) -> FieldValue:
        """Value of the tokens under the cursor, which moves past them."""

    def _is_next(self, reader: Reader) -> bool:
        """Whether the slot is present; called only for optional slots without a label."""
        return reader.token_at_cursor is not None


@dataclass(frozen=True, slots=True)
class SeatSlot(Slot):
    """A field of an act that is a seat."""

    def _value_tokens(self, value: FieldValue, context: PrintContext) -> list[str]:
        return [refuse_unless_among(value, SEAT_ORDER)]

    def _parse_value(self, reader: Reader) -> str:
        return reader.take_seat()

    def _is_next(self, reader: Reader) -> bool:
        return reader.is_seat_next


@dataclass(frozen=True, slots=True)
class SideSlot(Slot):
    """A field of an act that is a side."""

    def _value_tokens(self, value: FieldValue, context: PrintContext) -> list[str]:
        return [
            UNKNOWN if self.has_unknown and not value else refuse_unless_among(value, SIDE_ORDER)
        ]

    def _parse_value(self, reader: Reader) -> str:
        if self.has_unknown and reader.is_unknown_next:
            reader.take_any_token("side")
            return ""
        return reader.take_side()

    def _is_next(self, reader: Reader) -> bool:
        return reader.is_side_next


@dataclass(frozen=True, slots=True)
class CardSlot(Slot):
    """A field of an act that is a card."""

    def _value_tokens(self, value: FieldValue, context: PrintContext) -> list[str]:
        return [UNKNOWN if self.has_unknown and not value else token_in_pack(value, context.pack)]

    def _parse_value(self, reader: Reader) -> str:
        if self.has_unknown and reader.is_unknown_next:
            reader.take_any_token("card")
            return ""
        return reader.take_card()

    def _is_next(self, reader: Reader) -> bool:
        return reader.is_card_next


@dataclass(frozen=True, slots=True)
class CardsSlot(Slot):
    """A field with any number of cards; with ``has_unknown`` unseen cards are read and left out."""

    def _value_tokens(self, value: FieldValue, context: PrintContext) -> list[str]:
        return [token_in_pack(token, context.pack) for token in value]

    def _parse_value(self, reader: Reader) -> tuple[str, ...]:
        cards: list[str] = []
        while reader.is_card_next or reader.is_unknown_next:
            if reader.is_unknown_next and self.has_unknown:
                reader.take_any_token("card")
                continue
            cards.append(reader.take_card())
        return tuple(cards)

    def _is_next(self, reader: Reader) -> bool:
        return reader.is_card_next or reader.is_unknown_next


@dataclass(frozen=True, slots=True)
class SuitSlot(Slot):
    """A field that is the suit of a cante; a suit that was not named has a sign of its own."""

    def _value_tokens(self, value: FieldValue, context: PrintContext) -> list[str]:
        return [SUIT_WORDS[context.pack][refuse_unless_among(value, "OCEB")] if value else UNKNOWN]

    def _parse_value(self, reader: Reader) -> str:
        if reader.is_unknown_next:
            reader.take_any_token("suit")
            return ""
        suit = suit_at_cursor_or_none(reader)
        is_left_out = (
            reader.token_at_cursor is None
            or reader.token_at_cursor.kind != "word"
            or reader.is_seat_next
        )
        if suit is None and (is_left_out or reader.word_at_cursor in SHOWN.values()):
            raise reader.misread_exception(
                Code.SUIT_LEFT_OUT, readings=[UNKNOWN, *SUIT_WORDS["spanish"].values()]
            )
        if suit is None:
            raise reader.misread_exception(Code.SUIT_MALFORMED)
        token = reader.take_any_token("suit")
        if reader.sheet.pack is None and token.word == "c":
            reader.sheet.suits_in_doubt.append((token, ["copas", "treboles"]))
        return suit


def suit_at_cursor_or_none(reader: Reader) -> str | None:
    """Letter of the suit that the word at the cursor names; None if it names none."""
    letters = SUIT_LETTERS[reader.sheet.pack or "spanish"]
    return ANY_SUIT_WORD.get(reader.word_at_cursor) or letters.get(reader.word_at_cursor)


@dataclass(frozen=True, slots=True)
class SuitsSlot(Slot):
    """A field that is a list of suits."""

    def _value_tokens(self, value: FieldValue, context: PrintContext) -> list[str]:
        return [
            SUIT_WORDS[context.pack][refuse_unless_among(suit, tuple("OCEB"))] for suit in value
        ]

    def _parse_value(self, reader: Reader) -> tuple[str, ...]:
        suits = []
        while (suit := suit_at_cursor_or_none(reader)) is not None:
            reader.take_any_token("suit")
            suits.append(suit)
        if not suits and reader.token_at_cursor is None:
            raise reader.misread_exception(Code.SOMETHING_MISSING, expected="suit")
        if not suits:
            raise reader.misread_exception(Code.SUIT_MALFORMED)
        return tuple(suits)


@dataclass(frozen=True, slots=True)
class NumberSlot(Slot):
    """A field that is a number; ``signed``: always with its sign."""

    signed: bool = False

    def _value_tokens(self, value: FieldValue, context: PrintContext) -> list[str]:
        text = number_text(value)
        return ["+" + text if self.signed and value >= 0 else text]

    def _parse_value(self, reader: Reader) -> int:
        return reader.take_number()

    def _is_next(self, reader: Reader) -> bool:
        return reader.is_number_next


@dataclass(frozen=True, slots=True)
class WordSlot(Slot):
    """A field that is one of a few words."""

    words: dict[Any, str] = field(default_factory=dict)

    def _value_tokens(self, value: FieldValue, context: PrintContext) -> list[str]:
        try:
            return [self.words[value]]
        except (KeyError, TypeError):
            raise Unprintable(value) from None

    def _parse_value(self, reader: Reader) -> FieldValue:
        values = invert_words(self.words)
        if reader.word_at_cursor not in values:
            code = Code.SOMETHING_MISSING if reader.token_at_cursor is None else Code.WORD_UNKNOWN
            raise reader.misread_exception(code, expected=list(values))
        return values[reader.take_any_token(self.name).word]

    def _is_next(self, reader: Reader) -> bool:
        return reader.word_at_cursor in invert_words(self.words)


@dataclass(frozen=True, slots=True)
class TotalsSlot(Slot):
    """A field with a number for each side, or for each seat."""

    of_seats: bool = False

    def _value_tokens(self, value: FieldValue, context: PrintContext) -> list[str]:
        order = SEAT_ORDER if self.of_seats else SIDE_ORDER
        for key in value:
            refuse_unless_among(key, order)
        return [piece for key in order if key in value for piece in (key, number_text(value[key]))]

    def _parse_value(self, reader: Reader) -> dict[str, int]:
        totals: dict[str, int] = {}
        while self._is_next(reader):
            token = reader.token_at_cursor
            key = reader.take_seat() if self.of_seats else reader.take_side()
            if key in totals:
                raise reader.misread_exception(Code.NAMED_TWICE, token)
            totals[key] = reader.take_number()
        return totals

    def _is_next(self, reader: Reader) -> bool:
        return reader.is_seat_next if self.of_seats else reader.is_side_next


@dataclass(frozen=True, slots=True)
class TextSlot(Slot):
    """A field of free words in quotes; an erased text is written as unknown."""

    def _value_tokens(self, value: FieldValue, context: PrintContext) -> list[str]:
        words = context.texts.get(value)
        return [UNKNOWN if words is None else print_string(words)]

    def _parse_value(self, reader: Reader) -> ev.TextId:
        if reader.is_unknown_next:
            reader.take_any_token("text")
            return reader.sheet.add_text(None)
        return reader.sheet.add_text(reader.take_string("reason"))

    def _is_next(self, reader: Reader) -> bool:
        return reader.is_unknown_next or (
            reader.token_at_cursor is not None and reader.token_at_cursor.kind == "string"
        )


@dataclass(frozen=True, slots=True)
class StringSlot(Slot):
    """A field that is a quoted string, kept in the act itself."""

    def _value_tokens(self, value: FieldValue, context: PrintContext) -> list[str]:
        return [print_string(value)]

    def _parse_value(self, reader: Reader) -> str:
        return reader.take_string()


@dataclass(frozen=True, slots=True)
class ActForm:
    """How one kind of act is written. ``fixed``: what the keyword itself says."""

    word: str
    act: type[ev.TableAct]
    slots: tuple[Slot, ...]
    fixed: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _At:
    """A field, with details of its spelling that its type does not define.

    ``label``: the word before it. ``words``: those of its values. ``has_unknown`` and
    ``is_written``: it is never left out, an unknown value is written as such.
    """

    name: str
    label: str = ""
    words: dict[Any, str] | None = None
    has_unknown: bool = False
    is_written: bool = False


_SLOTS: dict[object, Callable[..., Slot]] = {
    ev.SeatName: SeatSlot,
    ev.SideName: SideSlot,
    ev.CardToken: CardSlot,
    tuple[ev.CardToken, ...]: CardsSlot,
    ev.SuitName: SuitSlot,
    tuple[ev.SuitName, ...]: SuitsSlot,
    int: NumberSlot,
    ev.CardCount: NumberSlot,
    ev.TrickNumber: NumberSlot,
    ev.DealNumber: NumberSlot,
    ev.Points: NumberSlot,
    ev.PointAdjustment: partial(NumberSlot, signed=True),
    dict[ev.SeatName, ev.CardCount]: partial(TotalsSlot, of_seats=True),
    dict[ev.SideName, int]: TotalsSlot,
    ev.TextId: TextSlot,
    str: StringSlot,
    ev.Incident: partial(WordSlot, words=INCIDENT),
    ev.DrawFault: partial(WordSlot, words=FAULT),
    ev.How: partial(WordSlot, words=HOW),
    ev.Effect: partial(WordSlot, words=EFFECT),
}


def _slot_of_field(one: msgspec.structs.FieldInfo, at: _At) -> Slot:
    """Slot of one field of an act: by its type, left out where it has its default."""
    default = REQUIRED
    if not (at.is_written or at.has_unknown):
        if one.default is not msgspec.NODEFAULT:
            default = one.default
        elif one.default_factory is not msgspec.NODEFAULT:
            default = one.default_factory()
    if at.words is not None:
        return WordSlot(one.name, default, at.label, words=at.words)
    kind, _ = ev.split_optional_type(one.type)
    return _SLOTS[kind](one.name, default, at.label, at.has_unknown)


def _act_form(word: str, act: type[ev.TableAct], *order: str | _At, **fixed: object) -> ActForm:
    """Written form of a kind of act: its keyword, and its fields in the order of writing."""
    known = {one.name: one for one in msgspec.structs.fields(act)}
    places = [_At(place) if isinstance(place, str) else place for place in order]
    return ActForm(word, act, tuple(_slot_of_field(known[at.name], at) for at in places), fixed)


_SHOWN = _At("shown", words=SHOWN)
PLAY = _act_form("", ev.CardPlayed, "seat", "card")
DRAWN = _act_form(DRAW, ev.CardDrawn, "seat", _At("card", has_unknown=True))

FORMS: tuple[ActForm, ...] = (
    _act_form(
        "reparto",
        ev.DealStarted,
        *("dealer", _At("cutter", "corta"), _At("cut", "corte"), _At("removed", "sin")),
        _At("packets", "de", words=PACKETS),
    ),
    _act_form("malreparto", ev.Misdealt, "hands"),
    _act_form("tiene", ev.WrongDealFound, "seat", "cards"),
    _act_form("pinta", ev.PintaTurned, "card"),
    _act_form("cartas", ev.HandEntered, "seat", _At("cards", has_unknown=True), moment="dealt"),
    _act_form("ahora", ev.HandEntered, "seat", _At("cards", has_unknown=True), moment="now"),
    _act_form("mazo", ev.StockEntered, "cards"),
    PLAY,
    DRAWN,
    _act_form("malrobo", ev.WrongDraw, "seat", "fault", "card"),
    _act_form("canta", ev.CanteAnnounced, "seat", _At("suit", has_unknown=True), _SHOWN),
    _act_form("pregunta", ev.SuitRequested, "by", _At("seat", "a"), _At("suit", has_unknown=True)),
    _act_form("cambia", ev.PintaSwapped, "seat", "card"),
    _act_form("tute", ev.TuteAnnounced, "seat", _At("rank", words=TUTE), _SHOWN),
    _act_form("mira", ev.TrickReviewed, "seat", "trick"),
    _act_form(
        "ensena", ev.CardsShown, "seat", _At("whole", words=WHOLE), "cards", _At("void", "sin")
    ),
    _act_form("incidente", ev.IncidentNoted, "incident", "seat", "card", "text"),
    _act_form(
        "renuncio",
        ev.RenuncioDenounced,
        *("by", _At("against", "contra"), _At("trick", "baza"), _At("deal", "reparto")),
    ),
    _act_form("101", ev.ClaimMade, "seat"),
    _act_form("resto", ev.RestClaimed, "seat"),
    _act_form("cuenta", ev.CountEntered, "totals"),
    _act_form("concede", ev.Conceded, "side"),
    _act_form("abandona", ev.Abandoned, "side"),
    _act_form("tiempo", ev.TimeCalled),
    _act_form("pausa", ev.PlaySuspended, "text"),
    _act_form("sigue", ev.PlayResumed),
    _act_form("anula", ev.DealAnnulled, "text", replayed=False),
    _act_form("repite", ev.DealAnnulled, "text", replayed=True),
    _act_form("baza", ev.TrickEntered, "seat", "points"),
    _act_form(
        "resultado",
        ev.ResultEntered,
        _At("winner", has_unknown=True),
        _At("how", is_written=True),
        "totals",
        "text",
    ),
    _act_form(
        "resuelve",
        ev.RulingGiven,
        *("effect", "side", "seat", "points"),
        *(_At("line", "linea"), _At("article", "articulo"), "text"),
    ),
)
BY_WORD: dict[str, ActForm] = {form.word: form for form in FORMS if form.word}


def form_of_act(act: ev.TableAct) -> ActForm:
    """The written form in the grammar for an act: its keyword and its slots."""
    return next(
        form
        for form in FORMS
        if form.act is type(act)
        and all(getattr(act, name) == value for name, value in form.fixed.items())
    )
