"""Seats and sides: who sits where, who comes next, who is with whom.

Seats are listed in order of play, so the direction of play matters only where the law says
*left* or *right*: played anticlockwise the next seat sits on the right.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

Seat: TypeAlias = str
Side: TypeAlias = str
Direction: TypeAlias = Literal["anticlockwise", "clockwise"]

SEATS: dict[int, tuple[Seat, ...]] = {
    2: ("A1", "B1"),
    3: ("A1", "B1", "C1"),
    4: ("A1", "B1", "A2", "B2"),
}
SIDES: dict[int, tuple[Side, ...]] = {2: ("A", "B"), 3: ("A", "B", "C"), 4: ("A", "B")}


def side_of(seat: Seat) -> Side:
    """Side of a seat: its letter.

    >>> side_of("B2")
    'B'
    """
    return seat[0]


def order_from(seat: Seat, players: int) -> tuple[Seat, ...]:
    """All seats in order of play, beginning with this one.

    >>> order_from("A2", 4)
    ('A2', 'B2', 'A1', 'B1')
    """
    seats = SEATS[players]
    start = seats.index(seat)
    return seats[start:] + seats[:start]


def next_seat(seat: Seat, players: int) -> Seat:
    """Seat that plays after this one."""
    return order_from(seat, players)[1]


def seat_to_the_left_of(seat: Seat, players: int, direction: Direction) -> Seat:
    """Seat on the left, where the dealer offers the cut.

    >>> seat_to_the_left_of("A1", 4, "anticlockwise"), seat_to_the_left_of("A1", 4, "clockwise")
    ('B2', 'B1')
    """
    return order_from(seat, players)[-1 if direction == "anticlockwise" else 1]


def seat_to_the_right_of(seat: Seat, players: int, direction: Direction) -> Seat:
    """Seat on the right."""
    return order_from(seat, players)[1 if direction == "anticlockwise" else -1]


def partner_of(seat: Seat, players: int) -> Seat | None:
    """Seat opposite of the same side; None for a lone player."""
    return order_from(seat, players)[2] if players == 4 else None  # noqa: PLR2004 - a pair needs four


def other_sides(side: Side, players: int) -> tuple[Side, ...]:
    """The other sides, in order of play from A."""
    return tuple(other for other in SIDES[players] if other != side)
