"""Names for the seats and sides of a table: its players, as people say them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from flask import current_app, g, has_request_context

from api.http.grammar import Phrase, conjoin, phrase_in_form
from referee.events import SeatName, SideName
from referee.rules.seats import SEATS, side_of

_context: ContextVar[TableNames | None] = ContextVar("seated", default=None)
_MOST_PLAYERS = 4


@dataclass(frozen=True, slots=True)
class TableNames:
    """Names of the players of a table by seat, and of its pairs by side.

    A person without a name has an empty one here: the name was erased, or never told. A seat of
    which nothing is known is a numbered player, a side of such seats a pair with its letter.
    """

    players: int = _MOST_PLAYERS
    names: Mapping[SeatName, str] = field(default_factory=dict)
    pairs: Mapping[SideName, str] = field(default_factory=dict)

    def seat_phrase_or_none(self, seat: SeatName, words: Mapping[str, str]) -> Phrase | None:
        """The player at a seat, as a phrase for texts; None if the table has no such seat."""
        if seat not in SEATS[self.players]:
            return None
        number = SEATS[self.players].index(seat) + 1
        if seat in self.names:
            return Phrase(self.names[seat] or self._nameless_player(number, words))
        return _phrase_with_gender(
            words["grammar.player"].format(n=number), words["grammar.player_gender"]
        )

    def side_phrase_or_none(self, side: SideName, words: Mapping[str, str]) -> Phrase | None:
        """The players of a side or their pair as one phrase for texts; None without such a side."""
        seats = [seat for seat in SEATS[self.players] if side_of(seat) == side]
        if not seats:
            return None
        if len(seats) == 1:
            return self.seat_phrase_or_none(seats[0], words)
        if pair := self.pairs.get(side):
            return Phrase(pair, is_many=True)
        if not any(seat in self.names for seat in seats):
            return _phrase_with_gender(
                words["grammar.pair"].format(side=side), words["grammar.pair_gender"]
            )
        names = [self.seat_phrase_or_none(seat, words) or Phrase(seat) for seat in seats]
        return Phrase(
            conjoin([phrase_in_form(one, "the", words) for one in names], words), is_many=True
        )

    def find_sides_by_name(self, name: str) -> set[SideName]:
        """Sides that have a player, or are a pair, of this name."""
        if not name:
            return set()
        players = {side_of(seat) for seat, one in self.names.items() if one == name}
        return players | {side for side, one in self.pairs.items() if one == name}

    def _nameless_player(self, number: int, words: Mapping[str, str]) -> str:
        """Words for a player without a name, numbered if several have none."""
        is_alone = sum(not name for name in self.names.values()) == 1
        return words["grammar.nameless" if is_alone else "grammar.nameless_n"].format(n=number)


def _phrase_with_gender(text: str, gender: str) -> Phrase:
    return Phrase(text, "f" if gender == "f" else "m" if gender == "m" else "")


@contextmanager
def use_table_names(found: TableNames | None) -> Iterator[None]:
    """Context in which texts name the seats and sides of this table."""
    before = _context.set(found)
    try:
        yield
    finally:
        _context.reset(before)


def current_table_names() -> TableNames | None:
    """Names of the players of the context, else of the table of the request.

    None outside a request: seats then have their codes, as on the log.
    """
    if (found := _context.get()) is not None:
        return found
    if not has_request_context():
        return None
    if "seated" not in g:
        g.seated = current_app.extensions["seated"]()
    known: TableNames = g.seated
    return known
