"""Deals of a record without cards, by the points that each side makes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from referee.events import CanteAnnounced, DealStarted, PintaTurned, TableAct, TrickEntered
from referee.rules.cards import SUITS
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
    shares = tricks_worth(points, options.players)
    for side, worth in shares.items():
        acts.append(TrickEntered(f"{side}1", worth[0]))
        acts += [CanteAnnounced(seat, suit, None) for seat, suit in cantes if seat[0] == side]
    acts += [TrickEntered(f"{side}1", one) for side, worth in shares.items() for one in worth[1:]]
    acts += [TrickEntered(last, 0)] * (many - sum(map(len, shares.values())))
    return acts


def tricks_worth(points: Mapping[str, int], players: int) -> dict[str, list[int]]:
    """Points of the tricks of each side, out of the cards of one deck; all of its 120 are theirs."""
    left = [value for value in (11, 10, 4, 3, 2) for _ in SUITS]
    found = {}
    for side, worth in points.items():
        own = next(cards for cards in _summing(left, worth))
        for value in own:
            left.remove(value)
        found[side] = [sum(own[at : at + players]) for at in range(0, max(len(own), 1), players)]
    assert not left, "cards of value that no side has"
    return found


def _summing(values: Sequence[int], worth: int) -> Iterator[list[int]]:
    """Some of these values, in their order, that make this sum; the most first."""
    if not worth:
        yield []
    if worth > 0 and values:
        for own in _summing(values[1:], worth - values[0]):
            yield [values[0], *own]
        others = next((at for at, one in enumerate(values) if one != values[0]), len(values))
        yield from _summing(values[others:], worth)


def vueltas(options: Options = CLUB, a: int = 60, **more: object) -> Scene:
    """A first deal that decides nothing, A1 taking its last trick, and the next deal begun."""
    first = deal_of(options, "A1", A=a, B=120 - a)
    return given(options, *first, DealStarted("A1"), PintaTurned("4C"))
