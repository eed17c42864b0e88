"""Seats and sides as values."""

from __future__ import annotations

from referee.rules.enumeration import NamedText
from referee.rules.seats import SEATS, side_of


class Side(NamedText):
    """A pair of partners, or a player alone."""

    A = "A"
    B = "B"
    C = "C"


class Seat(NamedText):
    """A place at the table. In order of play: A1 B1 A2 B2; of three A1 B1 C1; of two A1 B1.

    >>> Seat("A1").side, Seat.A1.partner(), Seat.A1.next()
    (Side.A, Seat.A2, Seat.B1)
    """

    A1 = "A1"
    B1 = "B1"
    A2 = "A2"
    B2 = "B2"
    C1 = "C1"

    @classmethod
    def at_table(cls, players: int = 4) -> tuple[Seat, ...]:
        """Seats of a table in order of play. ``ValueError`` unless 2, 3 or 4 play."""
        if players not in _TABLES:
            raise ValueError(f"guiñote is played by 2, 3 or 4, not by {players}")
        return _TABLES[players]

    @property
    def side(self) -> Side:
        """Side that the seat plays for."""
        return Side(side_of(self))

    def next(self, players: int = 4) -> Seat:
        """Seat that plays after this one. ``ValueError`` if the table has no such seat."""
        return self._order(players)[1]

    def partner(self, players: int = 4) -> Seat | None:
        """Other seat of the same side; None for a player alone."""
        order = self._order(players)
        return next((seat for seat in order[1:] if seat.side == self.side), None)

    def check(self, players: int) -> None:
        """``ValueError`` if a table of so many players has no such seat."""
        if self not in (seats := self.at_table(players)):
            raise ValueError(f"{self} is no seat of a table of {players}: {' '.join(seats)}")

    def _order(self, players: int) -> tuple[Seat, ...]:
        """All seats of the table in order of play, from this one."""
        self.check(players)
        start = _TABLES[players].index(self)
        return _TABLES[players][start:] + _TABLES[players][:start]


_TABLES = {players: tuple(map(Seat, seats)) for players, seats in SEATS.items()}
