"""A table as SVG: hands around the trick, the pinta with the stock, and the points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from referee.rules.library.cards import Card, Suit
from referee.rules.library.drawing import (
    COLOURS,
    EDGE,
    HEIGHT,
    SPANISH_SUITS,
    STEP,
    WIDTH,
    card_face,
    fan,
    fan_width,
    label,
    picture,
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
_BACK: Final = "#7a2e2e"
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
        drawn.append(_place(_hand(hand, unseen), left, y - HEIGHT * scale / 2, scale))
        drawn.append(label(f"● {seat}" if seat is table.turn else seat, x, y + 55, "bold"))
    for seat, card in table.trick:
        x, y = (at + (to - at) * _NEAR for at, to in zip(_MIDDLE, places[seat], strict=True))
        left, top = x - WIDTH * scale / 2, y - HEIGHT * scale / 2
        drawn.append(_place(card_face(card, 0, 0), left, top, scale))
    score = " · ".join(f"{side} {points}" for side, points in table.score.items())
    drawn.append(label(score, _WIDE - 90, 40, "bold"))
    whole = f'<g color="#222">{"".join(drawn)}</g>'
    return picture(_WIDE, _HIGH, whole, f"{score} · {table.trick}")


def _hand(open_cards: Hand, unseen: int) -> str:
    """Cards of a seat, those that nobody sees after the others."""
    backs = (_card_back(STEP * (len(open_cards) + at), 0) for at in range(unseen))
    return fan(open_cards) + "".join(backs)


def _stock(table: TableView) -> str:
    """The pinta under the stock with the number of its cards; after the last draw the trump."""
    if table.pinta is None:
        return "" if table.trump is None else _suit_shape(table.trump, 40, 30)
    drawn = [_place(card_face(table.pinta, 0, 0), 30, 25, _OF_FEW)]
    if table.stock > 1:
        drawn.append(_place(_card_back(0, 0), 56, 25, _OF_FEW))
    if table.stock:
        drawn.append(label(str(table.stock), 68, 120))
    return "".join(drawn)


def _place(content: str, x: float, y: float, scale: float) -> str:
    return f'<g transform="translate({x:g} {y:g}) scale({scale})">{content}</g>'


def _suit_shape(suit: Suit, x: float, y: float) -> str:
    """The shape of a suit at a place of a drawing."""
    place = f'transform="translate({x:g} {y:g})" color="{COLOURS[suit]}"'
    return f"<g {place}><title>{suit}</title>{SPANISH_SUITS[suit]}</g>"


def _card_back(x: float, y: float) -> str:
    """A card that nobody sees."""
    return (
        f'<g transform="translate({x:g} {y:g})"><rect {EDGE} fill="{_BACK}" stroke="#e8d6bd"/></g>'
    )
