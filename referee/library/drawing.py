"""A table as SVG: hands around the trick, the pinta with the stock, and the points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from referee.rules.library.cards import Card, Suit
from referee.rules.library.drawing import (
    HEIGHT,
    WIDTH,
    card_back,
    card_face,
    fan,
    fan_width,
    label,
    picture,
    suit_shape,
)
from referee.rules.library.hands import Hand
from referee.rules.library.seats import Seat, Side
from referee.rules.library.tricks import Trick

_WIDE, _HIGH = 760, 470
_MIDDLE: Final = (380, 225)
_PLACES: Final[Mapping[int, tuple[tuple[float, float], ...]]] = {
    2: ((380, 385), (380, 55)),
    3: ((380, 385), (595, 225), (165, 225)),
    4: ((380, 385), (595, 225), (380, 55), (165, 225)),
}
"""Middle of each hand by the number of players: A1 below, and on to the right, as play goes."""
_FEW, _OF_FEW, _OF_MANY = 10, 0.8, 0.6
"""Hands of more cards are drawn smaller."""
_NEAR: Final = 0.4
"""How far from the middle of the table a card lies, on the way to the hand it came from."""


class TableView(NamedTuple):
    """What is drawn of a table: the open cards of each seat and how many more it holds.

    ``pinta``: if it lies on the table.
    """

    hands: Mapping[Seat, tuple[Hand, int]]
    trick: Trick
    trump: Suit | None
    pinta: Card | None
    stock: int
    score: Mapping[Side, int]
    turn: Seat | None


def draw_table(table: TableView) -> str:
    """The drawing of a table."""
    places = dict(zip(table.hands, _PLACES[len(table.hands)], strict=True))
    most = max(len(hand) + unseen for hand, unseen in table.hands.values())
    scale = _OF_FEW if most <= _FEW else _OF_MANY
    drawn = [f'<rect width="{_WIDE}" height="{_HIGH}" rx="14" fill="#dcebdc"/>', _stock(table)]
    for seat, (hand, unseen) in table.hands.items():
        x, y = places[seat]
        left = x - fan_width(len(hand) + unseen) * scale / 2
        drawn.append(_place(fan(hand, unseen), left, y - HEIGHT * scale / 2, scale))
        drawn.append(label(f"● {seat}" if seat is table.turn else seat, x, y + 55, is_bold=True))
    for seat, card in table.trick:
        x, y = (at + (to - at) * _NEAR for at, to in zip(_MIDDLE, places[seat], strict=True))
        left, top = x - WIDTH * scale / 2, y - HEIGHT * scale / 2
        drawn.append(_place(card_face(card, 0, 0), left, top, scale))
    score = " · ".join(f"{side} {points}" for side, points in table.score.items())
    drawn.append(label(score, _WIDE - 90, 40, is_bold=True))
    whole = f'<g color="#222">{"".join(drawn)}</g>'
    return picture(_WIDE, _HIGH, whole, f"{score} · {table.trick}")


def _stock(table: TableView) -> str:
    """The pinta under the stock with the number of its cards; after the last draw the trump."""
    if table.pinta is None:
        return "" if table.trump is None else suit_shape(table.trump, 40, 30)
    drawn = [_place(card_face(table.pinta, 0, 0), 30, 25, _OF_FEW)]
    if table.stock > 1:
        drawn.append(_place(card_back(0, 0), 56, 25, _OF_FEW))
    if table.stock:
        drawn.append(label(str(table.stock), 68, 120))
    return "".join(drawn)


def _place(content: str, x: float, y: float, scale: float) -> str:
    return f'<g transform="translate({x:g} {y:g}) scale({scale})">{content}</g>'
