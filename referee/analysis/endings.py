"""How a partida stands at the end of a deal, when from a card on everybody plays best."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from referee.analysis.deals import ArrastreMoment
from referee.analysis.position import KnownPosition
from referee.analysis.questions import points_left
from referee.rules.cards import BIT, CANTE_PAIR, Card
from referee.rules.counts import Score, cante_points, scores, totals
from referee.rules.partida import TWO_SIDES, first_deal
from referee.rules.profile.options import Options
from referee.rules.seats import SEATS, SIDES, Side, side_of
from referee.table.counts import has_unknown_points, items_of
from referee.table.state import Deal, Table

NOBODY: Side = ""
_Scores: TypeAlias = dict[Side, Score]


@dataclass(frozen=True, slots=True)
class PointsBefore:
    """What each side has of the partida before a card. ``scores``: None if not all is counted."""

    options: Options
    in_vueltas: bool
    scores: tuple[tuple[Side, Score], ...] | None


def points_before(table: Table, deal: Deal, moment: ArrastreMoment) -> PointsBefore:
    """What each side had before a card of a deal, with points that were ruled until then."""
    deals = table.all_deals[: deal.number - 1]
    is_counted = not any(has_unknown_points(each) for each in deals)
    if not is_counted:
        return PointsBefore(table.options, bool(deals), None)
    last, out = table.options.last_trick_points, table.ruled_out
    rows = [row for each in deals for row in items_of(each, last, out)]
    rows += [row for row in items_of(deal, last, out) if row.reason == "ruling"]
    before = [
        (row.side, row.reason, row.points)
        for row in rows
        if row.reason != "ruling" or table.came_before(row.line, moment.line)
    ]
    found = scores(before, table.players)
    return PointsBefore(
        table.options,
        bool(deals),
        tuple((side, _sum(score, moment.scores[side])) for side, score in found.items()),
    )


def winners_after(before: PointsBefore, known: KnownPosition, card: Card, value: int) -> set[Side]:
    """Who may have won when the deal is over, if its side makes this value with a card.

    ``NOBODY`` is among them if that can be nobody yet, or depends on who comes first.
    """
    if before.scores is None or len(before.scores) != TWO_SIDES:
        return {NOBODY}
    made = dict(before.scores)
    return {
        _winner(before, {side: _sum(made[side], more[side]) for side in made}, taker)
        for taker, more in _ways_to_make(known, card, value)
    }


def _ways_to_make(known: KnownPosition, card: Card, value: int) -> Iterator[tuple[Side, _Scores]]:
    """Every way in which a value can be cards, last trick and cantes; who takes the last trick.

    More than there are: each cante that is still in a hand may be sung, or not.
    """
    options, side = known.options, known.side
    other = next(each for each in SIDES[options.players] if each != side)
    for chosen in product((False, True), repeat=len(pairs := _pairs(known, card))):
        sung = {side: 0, other: 0}
        for (singer, points), is_sung in zip(pairs, chosen, strict=True):
            sung[singer] += points * is_sung
        mine = value - (sung[side] - sung[other]) // 2
        cards = {side: mine, other: points_left(known) - mine}
        for taker in (side, other):
            last = {side: 0, other: 0, taker: options.last_trick_points}
            found = {
                each: Score(cards[each] - last[each], last[each], sung[each]) for each in cards
            }
            if all(score.cards >= 0 for score in found.values()):
                yield taker, found


def _pairs(known: KnownPosition, card: Card) -> list[tuple[Side, int]]:
    """Cantes that are still in a hand after a card: the side, and what they are worth."""
    options = known.options
    if not (options.cante_in_arrastre and options.cantes_per_player):
        return []
    return [
        (side_of(seat), cante_points(suit, known.trump))
        for seat, hand in zip(SEATS[options.players], known.hands, strict=True)
        for suit, pair in enumerate(CANTE_PAIR)
        if hand & ~BIT[card] & pair == pair and suit not in known.sung
    ]


def _winner(before: PointsBefore, found: _Scores, taker: Side) -> Side:
    """Who has won at the end of the deal."""
    options = before.options
    total = totals(found, options)
    reached = [side for side in found if total[side] >= options.target]
    depends_on_first = before.in_vueltas or options.claim_in == "any_deal"
    if len(reached) > 1 and depends_on_first:
        return NOBODY
    if before.in_vueltas:
        return reached[0] if reached else NOBODY
    order = (taker, *(side for side in found if side != taker))
    return first_deal(found, options, order) or NOBODY


def _sum(one: Score, other: Score) -> Score:
    return Score(*(a + b for a, b in zip(one, other, strict=True)))
