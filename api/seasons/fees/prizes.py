"""Prizes in words, and who gets them by a table of points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple, Protocol

import msgspec

from api.http.languages import language, say
from api.http.services import current_services
from api.money.amounts import print_amount, prize_lines
from api.seasons.points import StandingLineData
from projections.seasons.views import PrizeIdData
from referee.events import Competitors


class PrizeData(msgspec.Struct, frozen=True):
    """What a place is worth: an amount in cents, or words; neither if the words were erased."""

    amount: int
    words: str | None


class PricedView(Protocol):
    """A view of an evening or a season that says what each pays, and the prizes by place."""

    @property
    def fee(self) -> int:
        """The fee, in cents."""

    @property
    def prizes(self) -> list[PrizeData]:
        """The prizes, in the order of their places."""


class PlacedPrize(NamedTuple):
    """A prize of a place in words, and the lines of the table that it goes to: several share it."""

    place: int
    what: str
    lines: tuple[StandingLineData, ...] = ()

    @property
    def names(self) -> list[str]:
        """Names of those who get it."""
        return [one.name or say("grammar.nameless", language()) for one in self.lines]


def prizes_with_words(prizes: Sequence[PrizeIdData]) -> list[PrizeData]:
    """Prizes of a view, with their words."""
    texts = current_services().persons.texts_by_id(one.words for one in prizes if one.words)
    return [PrizeData(amount=one.amount, words=texts.get(one.words)) for one in prizes]


def prizes_by_place(
    prizes: Sequence[PrizeData], standings: Sequence[StandingLineData]
) -> list[PlacedPrize]:
    """Prizes by place, with those who get them once somebody has played.

    Several who are level share the prizes of all the places that they take up.
    """
    level: dict[int, list[StandingLineData]] = {}
    for line in standings:
        level.setdefault(line.place, []).append(line)
    taken: Mapping[int, tuple[StandingLineData, ...]] = {
        place + more: tuple(lines)
        for place, lines in (level if any(one.played for one in standings) else {}).items()
        for more in range(len(lines))
    }
    words = prize_lines([(one.amount, one.words) for one in prizes], language())
    return [PlacedPrize(at, what, taken.get(at, ())) for at, what in enumerate(words, 1)]


def fees_line(view: PricedView, of: Competitors, standings: Sequence[StandingLineData]) -> str:
    """Fee and prizes in one line; empty if there are none.

    ``standings``: those that say who gets the prizes; empty while they may change.
    """
    lang, fee, prizes = language(), view.fee, view.prizes
    parts = [say(f"fees.line_{of}", lang, fee=print_amount(fee, lang))] if fee else []
    if prizes:
        placed = groupby(prizes_by_place(prizes, standings), key=lambda one: one.names)
        lines = ", ".join(_prizes_in_words(names, together) for names, together in placed)
        parts.append(say("fees.line_prizes", lang, prizes=lines))
    return " ".join(parts)


def _prizes_in_words(names: Sequence[str], prizes: Iterable[PlacedPrize]) -> str:
    """Prizes that the same persons or pairs get, with their names."""
    lang = language()
    said = ", ".join(say("fees.place", lang, n=one.place) + " " + one.what for one in prizes)
    return f"{said} ({', '.join(names)})" if names else said
