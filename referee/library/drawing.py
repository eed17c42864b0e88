"""A table as SVG: hands around the trick, the pinta with the stock, and the points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from referee.rules.library.drawing import (
    COLOURS,
    EDGE,
    HEIGHT,
    SPANISH_SUITS,
    STEP,
    WIDTH,
    card_fan_svg,
    card_svg_group,
    fan_width,
    svg_document,
    svg_label,
)
from referee.rules.library.hands import Hand
from referee.rules.library.tricks import Trick
from referee.rules.library.values import Card, Seat, Side, Suit

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


def table_svg(table: TableView) -> str:
    """SVG drawing of a table."""
    places = dict(zip(table.hands, _PLACES[len(table.hands)], strict=True))
    most = max(len(hand) + unseen for hand, unseen in table.hands.values())
    scale = _OF_FEW if most <= _FEW else _OF_MANY
    drawn = [f'<rect width="{_WIDE}" height="{_HIGH}" rx="14" fill="#dcebdc"/>', _stock_svg(table)]
    for seat, (hand, unseen) in table.hands.items():
        x, y = places[seat]
        left = x - fan_width(len(hand) + unseen) * scale / 2
        drawn.append(_svg_at(_hand_svg(hand, unseen), left, y - HEIGHT * scale / 2, scale))
        drawn.append(svg_label(f"● {seat}" if seat is table.turn else seat, x, y + 55, "bold"))
    for seat, card in table.trick:
        x, y = (at + (to - at) * _NEAR for at, to in zip(_MIDDLE, places[seat], strict=True))
        left, top = x - WIDTH * scale / 2, y - HEIGHT * scale / 2
        drawn.append(_svg_at(card_svg_group(card, 0, 0), left, top, scale))
    score = " · ".join(f"{side} {points}" for side, points in table.score.items())
    drawn.append(svg_label(score, _WIDE - 90, 40, "bold"))
    whole = f'<g color="#222">{"".join(drawn)}</g>'
    return svg_document(_WIDE, _HIGH, whole, f"{score} · {table.trick}")


def _hand_svg(open_cards: Hand, unseen: int) -> str:
    """SVG of a hand: the open cards, then a back for each unseen one."""
    backs = (_card_back_svg(STEP * (len(open_cards) + at), 0) for at in range(unseen))
    return card_fan_svg(open_cards) + "".join(backs)


def _stock_svg(table: TableView) -> str:
    """SVG of the pinta and the stock with its size; of the trump alone after the last draw."""
    if table.pinta is None:
        return "" if table.trump is None else _suit_svg(table.trump, 40, 30)
    drawn = [_svg_at(card_svg_group(table.pinta, 0, 0), 30, 25, _OF_FEW)]
    if table.stock > 1:
        drawn.append(_svg_at(_card_back_svg(0, 0), 56, 25, _OF_FEW))
    if table.stock:
        drawn.append(svg_label(str(table.stock), 68, 120))
    return "".join(drawn)


def _svg_at(content: str, x: float, y: float, scale: float) -> str:
    """SVG content, moved to a position and scaled."""
    return f'<g transform="translate({x:g} {y:g}) scale({scale})">{content}</g>'


def _suit_svg(suit: Suit, x: float, y: float) -> str:
    """SVG of the shape of a suit at a position."""
    place = f'transform="translate({x:g} {y:g})" color="{COLOURS[suit]}"'
    return f"<g {place}><title>{suit}</title>{SPANISH_SUITS[suit]}</g>"


def _card_back_svg(x: float, y: float) -> str:
    """SVG of the back of a card at a position."""
    return (
        f'<g transform="translate({x:g} {y:g})"><rect {EDGE} fill="{_BACK}" stroke="#e8d6bd"/></g>'
    )
