"""Deals of a record without cards, by the points that each side makes."""

from __future__ import annotations

from collections.abc import Iterable

from referee.events import CanteAnnounced, DealStarted, PintaTurned, TableAct, TrickEntered
from referee.rules.profile.options import Options
from referee.rules.seats import SEATS
from tests.support.records.table_text import CLUB, Scene, given


def deal_of(
    options: Options,
    last: str = "A1",
    dealer: str = "",
    cantes: Iterable[tuple[str, str]] = (),
    **points: int,
) -> list[TableAct]:
    """A deal without cards: so many card points for each side, cantes, and the last trick."""
    seats = SEATS[options.players]
    many = (options.stock_size + options.hand_size * options.players) // options.players
    acts: list[TableAct] = [DealStarted(dealer or seats[-1]), PintaTurned("4O")]
    options_of_trick = {side: TrickEntered(f"{side}1", worth) for side, worth in points.items()}
    for side, trick in options_of_trick.items():
        acts.append(trick)
        acts += [CanteAnnounced(seat, suit, None) for seat, suit in cantes if seat[0] == side]
    acts += [TrickEntered(last, 0)] * (many - len(points))
    return acts


def vueltas(options: Options = CLUB, a: int = 60, **more: object) -> Scene:
    """A first deal that decides nothing, A1 taking its last trick, and the next deal begun."""
    first = deal_of(options, "A1", A=a, B=120 - a)
    return given(options, *first, DealStarted("A1"), PintaTurned("4C"))
