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
from referee.record.reader import Reader
from referee.record.tokens import print_string
from referee.record.words import (
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
    card_text,
    number_text,
    one_of,
    values_by_word,
)

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

    def write(self, value: FieldValue, context: PrintContext) -> list[str]:
        """Tokens of a value."""
        if value == self.default:
            return []
        return (
            [self.label, *self._print(value, context)]
            if self.label
            else self._print(value, context)
        )

    def read(self, reader: Reader) -> FieldValue:
        """Value under the cursor, or the default when it was left out."""
        if self.label:
            if reader.word != self.label and self.default is not REQUIRED:
                return self.default
            if reader.word != self.label:
                raise reader.misread(Code.SOMETHING_MISSING, expected=self.label)
            reader.take(self.label)
            return self._take(reader)
        if self.default is not REQUIRED and not self._is_next(reader):
            return self.default
        return self._take(reader)

    @abstractmethod
    def _print(self, value: FieldValue, context: PrintContext) -> list[str]:
        """Tokens of a value that is not left out."""

    @abstractmethod
    def _take(self, reader: Reader) -> FieldValue:
        """Value of the tokens under the cursor."""

    def _is_next(self, reader: Reader) -> bool:
        """Whether the slot is present; called only for optional slots without a label."""
        return reader.next is not None


@dataclass(frozen=True, slots=True)
class SeatSlot(Slot):
    """A seat."""

    def _print(self, value: FieldValue, context: PrintContext) -> list[str]:
        return [one_of(value, SEAT_ORDER)]

    def _take(self, reader: Reader) -> str:
        return reader.take_seat()

    def _is_next(self, reader: Reader) -> bool:
        return reader.is_seat


@dataclass(frozen=True, slots=True)
class SideSlot(Slot):
    """A side."""

    def _print(self, value: FieldValue, context: PrintContext) -> list[str]:
        return [UNKNOWN if self.has_unknown and not value else one_of(value, SIDE_ORDER)]

    def _take(self, reader: Reader) -> str:
        if self.has_unknown and reader.is_unknown:
            reader.take("side")
            return ""
        return reader.take_side()

    def _is_next(self, reader: Reader) -> bool:
        return reader.is_side


@dataclass(frozen=True, slots=True)
class CardSlot(Slot):
    """A card."""

    def _print(self, value: FieldValue, context: PrintContext) -> list[str]:
        return [UNKNOWN if self.has_unknown and not value else card_text(value, context.pack)]

    def _take(self, reader: Reader) -> str:
        if self.has_unknown and reader.is_unknown:
            reader.take("card")
            return ""
        return reader.take_card()

    def _is_next(self, reader: Reader) -> bool:
        return reader.is_card


@dataclass(frozen=True, slots=True)
class CardsSlot(Slot):
    """Any number of cards; with ``has_unknown`` also cards that nobody saw, which are left out."""

    def _print(self, value: FieldValue, context: PrintContext) -> list[str]:
        return [card_text(token, context.pack) for token in value]

    def _take(self, reader: Reader) -> tuple[str, ...]:
        cards: list[str] = []
        while reader.is_card or reader.is_unknown:
            if reader.is_unknown and self.has_unknown:
                reader.take("card")
                continue
            cards.append(reader.take_card())
        return tuple(cards)

    def _is_next(self, reader: Reader) -> bool:
        return reader.is_card or reader.is_unknown


@dataclass(frozen=True, slots=True)
class SuitSlot(Slot):
    """The suit of a cante; an unnamed one is written, since an omission may be a mistake."""

    def _print(self, value: FieldValue, context: PrintContext) -> list[str]:
        return [SUIT_WORDS[context.pack][one_of(value, "OCEB")] if value else UNKNOWN]

    def _take(self, reader: Reader) -> str:
        if reader.is_unknown:
            reader.take("suit")
            return ""
        suit = suit_under(reader)
        is_left_out = reader.next is None or reader.next.kind != "word" or reader.is_seat
        if suit is None and (is_left_out or reader.word in SHOWN.values()):
            raise reader.misread(
                Code.SUIT_LEFT_OUT, readings=[UNKNOWN, *SUIT_WORDS["spanish"].values()]
            )
        if suit is None:
            raise reader.misread(Code.SUIT_MALFORMED)
        token = reader.take("suit")
        if reader.sheet.pack is None and token.word == "c":
            reader.sheet.suits_in_doubt.append((token, ["copas", "treboles"]))
        return suit


def suit_under(reader: Reader) -> str | None:
    """Suit that the word under the cursor names."""
    letters = SUIT_LETTERS[reader.sheet.pack or "spanish"]
    return ANY_SUIT_WORD.get(reader.word) or letters.get(reader.word)


@dataclass(frozen=True, slots=True)
class SuitsSlot(Slot):
    """Suits after their label."""

    def _print(self, value: FieldValue, context: PrintContext) -> list[str]:
        return [SUIT_WORDS[context.pack][one_of(suit, tuple("OCEB"))] for suit in value]

    def _take(self, reader: Reader) -> tuple[str, ...]:
        suits = []
        while (suit := suit_under(reader)) is not None:
            reader.take("suit")
            suits.append(suit)
        if not suits and reader.next is None:
            raise reader.misread(Code.SOMETHING_MISSING, expected="suit")
        if not suits:
            raise reader.misread(Code.SUIT_MALFORMED)
        return tuple(suits)


@dataclass(frozen=True, slots=True)
class NumberSlot(Slot):
    """A number; ``signed``: more or fewer, always with its sign."""

    signed: bool = False

    def _print(self, value: FieldValue, context: PrintContext) -> list[str]:
        text = number_text(value)
        return ["+" + text if self.signed and value >= 0 else text]

    def _take(self, reader: Reader) -> int:
        return reader.take_number()

    def _is_next(self, reader: Reader) -> bool:
        return reader.is_number


@dataclass(frozen=True, slots=True)
class WordSlot(Slot):
    """One of a few words."""

    words: dict[Any, str] = field(default_factory=dict)

    def _print(self, value: FieldValue, context: PrintContext) -> list[str]:
        try:
            return [self.words[value]]
        except (KeyError, TypeError):
            raise Unprintable(value) from None

    def _take(self, reader: Reader) -> FieldValue:
        values = values_by_word(self.words)
        if reader.word not in values:
            code = Code.SOMETHING_MISSING if reader.next is None else Code.WORD_UNKNOWN
            raise reader.misread(code, expected=list(values))
        return values[reader.take(self.name).word]

    def _is_next(self, reader: Reader) -> bool:
        return reader.word in values_by_word(self.words)


@dataclass(frozen=True, slots=True)
class TotalsSlot(Slot):
    """Numbers of sides or of seats, in their order."""

    of_seats: bool = False

    def _print(self, value: FieldValue, context: PrintContext) -> list[str]:
        order = SEAT_ORDER if self.of_seats else SIDE_ORDER
        for key in value:
            one_of(key, order)
        return [piece for key in order if key in value for piece in (key, number_text(value[key]))]

    def _take(self, reader: Reader) -> dict[str, int]:
        totals: dict[str, int] = {}
        while self._is_next(reader):
            token = reader.next
            key = reader.take_seat() if self.of_seats else reader.take_side()
            if key in totals:
                raise reader.misread(Code.NAMED_TWICE, token)
            totals[key] = reader.take_number()
        return totals

    def _is_next(self, reader: Reader) -> bool:
        return reader.is_seat if self.of_seats else reader.is_side


@dataclass(frozen=True, slots=True)
class TextSlot(Slot):
    """Free words in quotes; an erased text is written as unknown."""

    def _print(self, value: FieldValue, context: PrintContext) -> list[str]:
        words = context.texts.get(value)
        return [UNKNOWN if words is None else print_string(words)]

    def _take(self, reader: Reader) -> ev.TextId:
        if reader.is_unknown:
            reader.take("text")
            return reader.sheet.name_text(None)
        return reader.sheet.name_text(reader.take_string("reason"))

    def _is_next(self, reader: Reader) -> bool:
        return reader.is_unknown or (reader.next is not None and reader.next.kind == "string")


@dataclass(frozen=True, slots=True)
class StringSlot(Slot):
    """A quoted string that is kept in the act itself."""

    def _print(self, value: FieldValue, context: PrintContext) -> list[str]:
        return [print_string(value)]

    def _take(self, reader: Reader) -> str:
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


def _slot(one: msgspec.structs.FieldInfo, at: _At) -> Slot:
    """Slot of one field of an act: by its type, left out where it has its default."""
    default = REQUIRED
    if not (at.is_written or at.has_unknown):
        if one.default is not msgspec.NODEFAULT:
            default = one.default
        elif one.default_factory is not msgspec.NODEFAULT:
            default = one.default_factory()
    if at.words is not None:
        return WordSlot(one.name, default, at.label, words=at.words)
    kind, _ = ev.without_none(one.type)
    return _SLOTS[kind](one.name, default, at.label, at.has_unknown)


def _form(word: str, act: type[ev.TableAct], *order: str | _At, **fixed: object) -> ActForm:
    """ActForm of an act with its fields in the order in which they are written."""
    known = {one.name: one for one in msgspec.structs.fields(act)}
    places = [_At(place) if isinstance(place, str) else place for place in order]
    return ActForm(word, act, tuple(_slot(known[at.name], at) for at in places), fixed)


_SHOWN = _At("shown", words=SHOWN)
PLAY = _form("", ev.CardPlayed, "seat", "card")
DRAWN = _form(DRAW, ev.CardDrawn, "seat", _At("card", has_unknown=True))

FORMS: tuple[ActForm, ...] = (
    _form(
        "reparto",
        ev.DealStarted,
        *("dealer", _At("cutter", "corta"), _At("cut", "corte"), _At("removed", "sin")),
        _At("packets", "de", words=PACKETS),
    ),
    _form("malreparto", ev.Misdealt, "hands"),
    _form("tiene", ev.WrongDealFound, "seat", "cards"),
    _form("pinta", ev.PintaTurned, "card"),
    _form("cartas", ev.HandEntered, "seat", _At("cards", has_unknown=True), moment="dealt"),
    _form("ahora", ev.HandEntered, "seat", _At("cards", has_unknown=True), moment="now"),
    _form("mazo", ev.StockEntered, "cards"),
    PLAY,
    DRAWN,
    _form("malrobo", ev.WrongDraw, "seat", "fault", "card"),
    _form("canta", ev.CanteAnnounced, "seat", _At("suit", has_unknown=True), _SHOWN),
    _form("pregunta", ev.SuitRequested, "by", _At("seat", "a"), _At("suit", has_unknown=True)),
    _form("cambia", ev.PintaSwapped, "seat", "card"),
    _form("tute", ev.TuteAnnounced, "seat", _At("rank", words=TUTE), _SHOWN),
    _form("mira", ev.TrickReviewed, "seat", "trick"),
    _form("ensena", ev.CardsShown, "seat", _At("whole", words=WHOLE), "cards", _At("void", "sin")),
    _form("incidente", ev.IncidentNoted, "incident", "seat", "card", "text"),
    _form(
        "renuncio",
        ev.RenuncioDenounced,
        *("by", _At("against", "contra"), _At("trick", "baza"), _At("deal", "reparto")),
    ),
    _form("101", ev.ClaimMade, "seat"),
    _form("resto", ev.RestClaimed, "seat"),
    _form("cuenta", ev.CountEntered, "totals"),
    _form("concede", ev.Conceded, "side"),
    _form("abandona", ev.Abandoned, "side"),
    _form("tiempo", ev.TimeCalled),
    _form("pausa", ev.PlaySuspended, "text"),
    _form("sigue", ev.PlayResumed),
    _form("anula", ev.DealAnnulled, "text", replayed=False),
    _form("repite", ev.DealAnnulled, "text", replayed=True),
    _form("baza", ev.TrickEntered, "seat", "points"),
    _form(
        "resultado",
        ev.ResultEntered,
        _At("winner", has_unknown=True),
        _At("how", is_written=True),
        "totals",
        "text",
    ),
    _form(
        "resuelve",
        ev.RulingGiven,
        *("effect", "side", "seat", "points"),
        *(_At("line", "linea"), _At("article", "articulo"), "text"),
    ),
)
BY_WORD: dict[str, ActForm] = {form.word: form for form in FORMS if form.word}


def form_of(act: ev.TableAct) -> ActForm:
    """ActForm in which an act is written."""
    return next(
        form
        for form in FORMS
        if form.act is type(act)
        and all(getattr(act, name) == value for name, value in form.fixed.items())
    )
