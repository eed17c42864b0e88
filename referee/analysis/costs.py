"""Points that a disputed card cost beside the best lawful one, and whether it changed who won.

Of a deal whose hands are known the answer is exact. Of one that was stopped short it is asked in
every way in which the unseen cards can lie, or, where these are too many, in some that are drawn.
It decides nothing: what a renuncio costs is in the profile.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product
from typing import Final, Literal, TypeAlias

from referee.analysis.deals import (
    ArrastreMoment,
    CannotAnalyse,
    HiddenHands,
    NotKnown,
    arrastre_moments,
    limits_of_unseen_cards,
    tricks_before_arrastre,
)
from referee.analysis.position import KnownPosition
from referee.analysis.questions import CardPrices, card_prices_or_none, points_left
from referee.rules.cards import BIT, CANTE_PAIR, Card, Mask, Suit
from referee.rules.counts import (
    TWO_SIDES,
    Score,
    cante_points,
    scores_from_items,
    totals,
    winner_after_first_deal,
)
from referee.rules.evidence.sights import Sight
from referee.rules.evidence.verdicts import Evidence
from referee.rules.profile.options import Options
from referee.rules.seats import SEATS, SIDES, Side, side_of
from referee.table.counts import has_unknown_points, score_items
from referee.table.state import Deal, Line, Table
from referee.table.verdicts import evidence_of

NOBODY: Side = ""
_Scores: TypeAlias = dict[Side, Score]


@dataclass(frozen=True, slots=True)
class PointsBefore:
    """Points of each side in the partida before a card; ``scores``: None if some are uncounted."""

    options: Options
    in_vueltas: bool
    scores: tuple[tuple[Side, Score], ...] | None


def points_before(table: Table, deal: Deal, moment: ArrastreMoment) -> PointsBefore:
    """Points of each side before a card of a deal, with those that were ruled until then."""
    deals = table.all_deals[: deal.number - 1]
    is_counted = not any(has_unknown_points(each) for each in deals)
    if not is_counted:
        return PointsBefore(table.options, bool(deals), None)
    last, out = table.options.last_trick_points, table.ruled_out
    rows = [row for each in deals for row in score_items(each, last, out)]
    rows += [row for row in score_items(deal, last, out) if row.reason == "ruling"]
    before = [
        (row.side, row.reason, row.points)
        for row in rows
        if row.reason != "ruling" or table.came_before(row.line, moment.line)
    ]
    found = scores_from_items(before, table.players)
    return PointsBefore(
        table.options,
        bool(deals),
        tuple((side, _sum_scores(score, moment.scores[side])) for side, score in found.items()),
    )


def possible_winners_after_card(
    before: PointsBefore, known: KnownPosition, card: Card, value: int
) -> set[Side]:
    """Sides that may have won when the deal is over, if a card leads to this value for its side.

    ``NOBODY`` is among them if that can be nobody yet, or depends on who comes first.
    """
    if before.scores is None or len(before.scores) != TWO_SIDES:
        return {NOBODY}
    made = dict(before.scores)
    return {
        _winner_at_end_of_deal(
            before, {side: _sum_scores(made[side], more[side]) for side in made}, taker
        )
        for taker, more in _splits_of_value(known, card, value)
    }


def _splits_of_value(
    known: KnownPosition, card: Card, value: int
) -> Iterator[tuple[Side, _Scores]]:
    """Every split of a value into cards, last trick and cantes, with the taker of the last trick.

    More than there are: each cante that is still in a hand may be sung, or not.
    """
    options, side = known.options, known.side_to_play
    other = next(each for each in SIDES[options.players] if each != side)
    for chosen in product((False, True), repeat=len(pairs := _cantes_left_after_card(known, card))):
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


def _cantes_left_after_card(known: KnownPosition, card: Card) -> list[tuple[Side, int]]:
    """Cantes still in a hand after a card: the side of each, and its points."""
    options = known.options
    if not (options.cante_in_arrastre and options.cantes_per_player):
        return []
    return [
        (side_of(seat), cante_points(suit, known.trump))
        for seat, hand in zip(SEATS[options.players], known.hands, strict=True)
        for suit, pair in enumerate(CANTE_PAIR)
        if hand & ~BIT[card] & pair == pair and suit not in known.sung
    ]


def _winner_at_end_of_deal(before: PointsBefore, found: _Scores, taker: Side) -> Side:
    """The side that has won at the end of the deal, or ``NOBODY``."""
    options = before.options
    total = totals(found, options)
    reached = [side for side in found if total[side] >= options.target]
    depends_on_first = before.in_vueltas or options.claim_in == "any_deal"
    if len(reached) > 1 and depends_on_first:
        return NOBODY
    if before.in_vueltas:
        return reached[0] if reached else NOBODY
    order = (taker, *(side for side in found if side != taker))
    return winner_after_first_deal(found, options, order) or NOBODY


def _sum_scores(one: Score, other: Score) -> Score:
    return Score(*(a + b for a, b in zip(one, other, strict=True)))


MOST_WAYS: Final = 35_000
"""Ways that are gone through one by one. Four tricks have 11,550 at most if the hand of the accused
is seen, three have 25,200 if none is."""
DRAWN: Final = 200
"""Ways that are drawn where there are more."""
MOST_NODES: Final = 20_000_000
"""Nodes of all ways together, some two seconds."""
_TRIES: Final = 20

NoCost: TypeAlias = (
    NotKnown
    | Literal[
        "before_arrastre", "no_card", "no_breach", "contradicted", "beyond_nodes", "on_request"
    ]
)
"""Why nothing is said of an act: as of its arrastre; laid before it; no card; it broke no duty,
however the cards lie; the record contradicts itself; the question is too long, or longer than the
caller waits for."""
OtherWay: TypeAlias = Literal["yes", "no", "cannot_tell"]
"""Whether the partida would have gone the other way."""
_Ways: TypeAlias = Iterator[tuple[Mask, ...]]


class NothingToSay(Exception):  # noqa: N818 - an answer about an act, not an error of the program
    """No cost can be given for an act; ``reason`` says why."""

    def __init__(self, reason: NoCost) -> None:
        super().__init__(reason)
        self.reason: NoCost = reason


@dataclass(frozen=True, slots=True)
class CardCost:
    """Points that a card cost compared with the best lawful one, if all play their best from there.

    ``least`` and ``most``: points that it took less, below 0 if it took more. ``ways``: how the
    unseen cards can lie so that it breaks a duty; in ``more`` and ``less`` of them it took more and
    less than the best lawful one. ``tried``: the ways that were looked at, drawn if they have a
    ``seed``. ``turned``: whether with the best lawful one the partida would have gone the other
    way; yes or no if it is so in all ways.
    """

    least: int
    most: int
    more: int
    less: int
    ways: int
    tried: int
    turned: OtherWay
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class _Question:
    """A card and all that is known of its deal, as a key of the cache of answers.

    ``unseen``: cards that nobody saw; by seat, how many ``missing`` and which it ``may`` hold.
    ``sights``: those of the deal where the hands depend on each other in more than their number.
    """

    options: Options
    trump: Suit
    moment: ArrastreMoment
    before: PointsBefore
    unseen: Mask
    missing: tuple[int, ...]
    may: tuple[Mask, ...]
    sights: tuple[Sight, ...]

    def hands_of_unseen_cards(self) -> HiddenHands:
        """The unseen cards, and where each of them may lie."""
        return HiddenHands(self.unseen, self.missing, self.may)


def require_cost_of_unlawful_card(
    table: Table, line: Line, most_ways: int | None = None
) -> CardCost:
    """Points that the card of a line cost, if it broke a duty; the answer is cached.

    ``most_ways``: with more ways of the unseen cards nothing is worked out.

    :raises NothingToSay: the reason
    :raises NoAnalysis: this platform has no ``wasmtime``
    """
    found = next((deal for deal in table.all_deals if line in _lines_of_plays(deal)), None)
    if found is None:
        raise NothingToSay("no_card")
    if line in _lines_of_plays(found)[: tricks_before_arrastre(table) * table.players]:
        raise NothingToSay("before_arrastre")
    try:
        asked = _cost_question(table, found, line)
        if most_ways is not None and asked.hands_of_unseen_cards().way_count() > most_ways:
            raise NothingToSay("on_request")
        return _compute_cost(asked)
    except CannotAnalyse as cannot:
        raise NothingToSay(cannot.reason) from None


def _lines_of_plays(deal: Deal) -> list[Line]:
    return [play.line for play in deal.all_plays]


def _cost_question(table: Table, deal: Deal, line: Line) -> _Question:
    evidence = evidence_of(deal)
    if evidence.broken:
        raise NothingToSay("contradicted")
    known = evidence.knowledge()
    held = tuple(one.certain | had for one, had in zip(known, deal.held, strict=True))
    moment = next(one for one in arrastre_moments(table, deal, held) if one.line == line)
    unseen, missing, may = limits_of_unseen_cards(deal, held, known)
    if min(missing) < 0 or sum(missing) != unseen.bit_count():
        raise NothingToSay("irregular")
    return _Question(
        table.options,
        deal.trump,
        moment,
        points_before(table, deal, moment),
        unseen,
        missing,
        may,
        deal.sights if unseen and evidence.has_limits_beyond_knowledge else (),
    )


@lru_cache(maxsize=64)
def _compute_cost(asked: _Question) -> CardCost:
    """Cost of a card, from every distribution of the unseen cards that is examined."""
    hidden = asked.hands_of_unseen_cards()
    seed = None
    if hidden.way_count() > MOST_WAYS:
        seed = _seed_of(asked)
    nodes, tried = MOST_NODES, 0
    costs: list[int] = []
    turned: set[OtherWay] = set()
    for hands in _ways_to_look_at(asked, hidden, seed):
        known = asked.moment.position_with_unseen_cards(asked.options, asked.trump, hands)
        found = card_prices_or_none(known, most_nodes=nodes)
        if found is None:
            raise NothingToSay("beyond_nodes")
        nodes, tried = nodes - found.nodes, tried + 1
        if not found.is_lawful(asked.moment.card):
            costs.append(found.cost(asked.moment.card))
            if len(turned) < 2 and "cannot_tell" not in turned:  # noqa: PLR2004 - yes and no
                turned.add(_compare_winners(asked, known, found))
    if not costs:
        raise NothingToSay("no_breach" if tried else "contradicted")
    return CardCost(
        min(costs),
        max(costs),
        sum(cost < 0 for cost in costs),
        sum(cost > 0 for cost in costs),
        len(costs),
        tried,
        turned.pop() if len(turned) == 1 else "cannot_tell",
        seed,
    )


def _ways_to_look_at(asked: _Question, hidden: HiddenHands, seed: int | None) -> _Ways:
    """Distributions of the unseen cards to examine: all of them, or a random sample."""
    ways = hidden.all_ways() if seed is None else _draw_ways(hidden, seed)
    if not asked.sights:
        return ways if seed is None else islice(ways, DRAWN)
    evidence = Evidence().see_all(asked.sights)
    allowed = (one for one in ways if evidence.allows_hands(one))
    return allowed if seed is None else islice(allowed, DRAWN)


def _draw_ways(hidden: HiddenHands, seed: int) -> _Ways:
    chance = random.Random(seed)  # noqa: S311 - a draw of ways that anybody can repeat
    for _ in range(DRAWN * _TRIES):
        yield hidden.draw_way(chance)


def _seed_of(asked: _Question) -> int:
    """Seed of the random sample: equal questions have equal seeds everywhere."""
    text = repr((asked.moment.hands, asked.moment.laid, asked.missing, asked.may))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def _compare_winners(asked: _Question, known: KnownPosition, found: CardPrices) -> OtherWay:
    """Whether the best lawful card would give another winner: yes, no or cannot_tell."""

    def winner_after_cards(*cards: int) -> str:
        winners = {
            winner
            for card in cards
            for winner in possible_winners_after_card(asked.before, known, card, found.values[card])
        }
        return winners.pop() if len(winners) == 1 else ""

    one, other = winner_after_cards(asked.moment.card), winner_after_cards(*found.best_cards)
    if not (one and other):
        return "cannot_tell"
    return "no" if one == other else "yes"
