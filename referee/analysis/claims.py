"""Claims and concessions of a partida, judged as the cards stood when they were made.

A claim of the target, and a concession: what could still be reached, or since when it was. A claim
of the rest: whether it held. It decides nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal, TypeAlias

import msgspec

from referee.analysis.deals import (
    HiddenHands,
    deal_in_reading_or_none,
    hand_at_moment,
    limits_of_unseen_cards,
)
from referee.analysis.engine import NoAnalysis, is_analysis_available
from referee.analysis.position import BadPosition, KnownPosition
from referee.analysis.questions import can_make_points, points_left, strength_of_rest_claim_or_none
from referee.events import ClaimMade, Conceded, RestClaimed
from referee.rules.cards import CANTE_PAIR, Card, Mask, Suit, points_of
from referee.rules.counts import (
    CANTE_OF_ANOTHER,
    CANTE_OF_TRUMP,
    Score,
    cante_points,
    scores_from_items,
)
from referee.rules.profile.options import Options
from referee.rules.seats import Seat, Side, side_of
from referee.table.counts import deals_with_unknown_points, score_items, scores_with_called_totals
from referee.table.readings import TableReading, table_after_act
from referee.table.state import HIDDEN, Deal, Line, Table
from referee.table.verdicts import evidence_of

StillReach: TypeAlias = Literal["yes", "no", "cannot_tell"]
_MOST_NODES: Final = 2_000_000


@dataclass(frozen=True, slots=True)
class Reach:
    """Whether a side could still reach the target, and with how many points at most.

    ``most``: with best play of all from there if ``is_exact``, else with all that was left; None if
    the tricks were not counted. ``since``: of a side that had the target already, the line that
    made it; ``cards`` were laid after that line and before the act. ``lacks_engine``: only a sum is
    told, and this platform has no ``wasmtime``.
    """

    side: Side
    answer: StillReach
    total: int | None
    most: int | None
    is_exact: bool = False
    since: Line | None = None
    cards: int = 0
    lacks_engine: bool = False


def judge_target_reach(then: Table, now: Table, side: Side) -> Reach:
    """Whether a side could still reach the target at an act, and with how many points.

    ``then``: the partida at that act. ``now``: as it stands, which may tell more of the hands.
    Where there is no analysis what is left is added up.
    """
    found = _assess_target_reach(then, now, side)
    since = None if found.total is None else line_reaching_target_or_none(then, side)
    if since is None:
        return found
    cards = _count_cards_since(then, since)
    return replace(found, since=since, cards=cards, lacks_engine=False)


def line_reaching_target_or_none(table: Table, side: Side) -> Line | None:
    """The line with which a side made the target that it has; None: it has not.

    A ruling can take points off again: the line is the latest one that made it.
    """
    points, since = table.options.last_trick_points, None
    so_far: list[tuple[Side, str, int]] = []
    for deal in table.all_deals:
        for item in score_items(deal, points, table.ruled_out):
            so_far.append((item.side, item.reason, item.points))
            has = (
                scores_from_items(so_far, table.players)[side].total(table.options)
                >= table.options.target
            )
            since = (since or item.line) if has else None
    return since


def _count_cards_since(table: Table, since: Line) -> int:
    """Number of cards laid after a line; a trick entered without cards counts one of each seat."""
    deals = table.all_deals
    laid = [play.line for deal in deals for play in deal.all_plays]
    entered = [trick.line for deal in deals for trick in deal.tricks if not trick.plays]
    return sum(table.came_before(since, line) for line in laid + entered * table.players)


def _assess_target_reach(then: Table, now: Table, side: Side) -> Reach:
    deal, options = then.deal, then.options
    if deal is None or deals_with_unknown_points(then):
        return Reach(side, "cannot_tell", None, None)
    made = scores_with_called_totals(then, then.all_deals)[side]
    if deal.is_played_out:
        return _build_target_reach(options, side, made, 0, is_exact=True)
    known = position_at_act_or_none(then, deal, now) if is_analysis_available() else None
    if known is not None and not options.cantes_need_min_malas:
        exact = _most_points_or_none(known, side)
        if exact is not None:
            return _build_target_reach(options, side, made, exact, is_exact=True)
    cards = points_of(deal.deck & ~deal.played) + options.last_trick_points
    more = made._replace(cantes=made.cantes + _points_of_cantes_left(options, deal))
    return replace(
        _build_target_reach(options, side, made, cards, at_most=more),
        lacks_engine=not is_analysis_available(),
    )


def _build_target_reach(
    options: Options,
    side: Side,
    made: Score,
    cards: int,
    *,
    is_exact: bool = False,
    at_most: Score | None = None,
) -> Reach:
    """Answer whether a side can reach the target with these points and those still to be made."""
    total, most = made.total(options), at_most or made
    reached = most._replace(cards=most.cards + cards).total(options)
    answer: StillReach = "no"
    if reached >= options.target:
        answer = "yes" if is_exact or total >= options.target else "cannot_tell"
    return Reach(side, answer, total, reached, is_exact)


def position_at_act_or_none(then: Table, deal: Deal, now: Table) -> KnownPosition | None:
    """The position at the act; None unless it is in arrastre and every hand is known by now."""
    later = deal_in_reading_or_none(deal, now)
    if deal.stock or later is None or HIDDEN in {cante.suit for cante in deal.cantes}:
        return None
    hands = tuple(hand_at_moment(deal, later, seat) for seat in deal.seats)
    valid = [one for one in deal.cantes if not one.void and one.line not in then.ruled_out]
    closed = len(deal.tricks)
    sung_now = tuple(sum(c.seat == s and c.trick == closed for c in valid) for s in deal.seats)
    try:
        return KnownPosition(
            then.options,
            deal.trump,
            deal.leader,
            hands,
            tuple(play.card for play in deal.laid),
            sung=frozenset(cante.suit for cante in valid),
            winners=frozenset(side_of(trick.taker) for trick in deal.tricks),
            sung_now=sung_now if deal.tricks and not deal.laid else None,
        )
    except BadPosition:
        return None


@lru_cache(maxsize=256)
def _most_points_or_none(known: KnownPosition, side: Side) -> int | None:
    """Points that a side can make from here, its cantes whole; None: too long a question.

    Cached, since every reader of a replay asks it: an arrastre takes 1 to 4 ms of processor time,
    and a tenth of one from the cache.
    """
    low, high = 0, points_left(known) + CANTE_OF_TRUMP + 3 * CANTE_OF_ANOTHER
    while low < high:
        middle = (low + high + 1) // 2
        found = can_make_points(known, side, middle, most_nodes=_MOST_NODES)
        if found is None:
            return None
        low, high = (middle, high) if found else (low, middle - 1)
    return low


def _points_of_cantes_left(options: Options, deal: Deal) -> int:
    """Points of the cantes that nobody has sung, and somebody still may."""
    if not (deal.stock or options.cante_in_arrastre):
        return 0
    sung = {cante.suit for cante in deal.cantes}
    return sum(
        cante_points(suit, deal.trump)
        for suit, pair in enumerate(CANTE_PAIR)
        if suit not in sung and not deal.played & pair
    )


RestAnswer: TypeAlias = Literal["proved", "best_play", "fails", "cannot_tell", "on_request"]
"""In whatever order and however the cards lie; with best play of both partners; not even then; it
depends on cards that nobody saw, or is too long a question; longer than the caller waits for."""
MOST_WAYS_OF_CLAIM: Final = 12_000


@dataclass(frozen=True, slots=True)
class RestJudged:
    """A claim of all remaining tricks, judged; ``ways``: in how many ways the cards could lie."""

    seat: Seat
    answer: RestAnswer
    ways: int = 0


def judge_rest_claim(
    then: Table, now: Table, seat: Seat, most_ways: int = MOST_WAYS_OF_CLAIM
) -> RestJudged:
    """How strong a claim of all remaining tricks was when it was made.

    ``then``: the partida when it was made. ``now``: as it stands, which may tell more of the hands:
    that of the claimer counts, those of the others only for what best play would have made.

    :raises NoAnalysis: this platform has no ``wasmtime``
    """
    deal = then.deal
    if deal is None or deal.stock or deal.is_played_out or deal.is_entered:
        return RestJudged(seat, "cannot_tell")
    asked = _rest_question(then, deal, now, seat)
    ways = asked.hands_of_unseen_cards().way_count()
    if not 0 < ways <= most_ways:
        is_limit = MOST_WAYS_OF_CLAIM >= ways > most_ways
        return RestJudged(seat, "on_request" if is_limit else "cannot_tell", ways)
    return RestJudged(seat, _answer_rest_question(asked), ways)


@dataclass(frozen=True, slots=True)
class _RestQuestion:
    """A claim of all remaining tricks. ``held``: the cards that each seat certainly held.

    The others lie ``unseen``, so many ``missing`` of each hand, where they ``may``. ``known``:
    every card.
    """

    options: Options
    trump: Suit
    leader: Seat
    laid: tuple[Card, ...]
    seat: Seat
    held: tuple[Mask, ...]
    unseen: Mask
    missing: tuple[int, ...]
    may: tuple[Mask, ...]
    known: KnownPosition | None

    def hands_of_unseen_cards(self) -> HiddenHands:
        """The unseen cards of the other hands, and where each of them may lie."""
        return HiddenHands(self.unseen, self.missing, self.may)

    def positions(self) -> Iterator[KnownPosition]:
        """Every position that the unseen cards allow.

        :raises BadPosition: the hands have not the cards that they must have
        """
        for way in self.hands_of_unseen_cards().all_ways():
            hands = tuple(known | more for known, more in zip(self.held, way, strict=True))
            yield KnownPosition(self.options, self.trump, self.leader, hands, self.laid)


@lru_cache(maxsize=64)
def _answer_rest_question(asked: _RestQuestion) -> RestAnswer:
    """The answer to a question, cached: every reader of a replay asks it.

    Of 11,550 ways it takes some 95 ms of processor time, and 1 ms from the cache.
    """
    try:
        positions = list(asked.positions())
    except BadPosition:
        return "cannot_tell"
    if all(strength_of_rest_claim_or_none(one, asked.seat) == "any_order" for one in positions):
        return "proved"
    known = [asked.known] if asked.known else positions
    found = {strength_of_rest_claim_or_none(one, asked.seat) for one in known}
    if None in found or {"fails"} < found:
        return "cannot_tell"
    return "fails" if "fails" in found else "best_play"


def _rest_question(then: Table, deal: Deal, now: Table, seat: Seat) -> _RestQuestion:
    known = evidence_of(deal).knowledge()
    own = _claimer_hand(deal, now, seat)
    held = tuple(
        own if at == seat else (one.certain | had) & ~own
        for at, one, had in zip(deal.seats, known, deal.held, strict=True)
    )
    unseen, missing, may = limits_of_unseen_cards(deal, held, known)
    return _RestQuestion(
        then.options,
        deal.trump,
        deal.leader,
        tuple(play.card for play in deal.laid),
        seat,
        held,
        unseen,
        tuple(max(one, 0) for one in missing),
        may,
        position_at_act_or_none(then, deal, now),
    )


def _claimer_hand(deal: Deal, now: Table, seat: Seat) -> Mask:
    """The hand of the claimer, as far as it is known by now."""
    return (
        hand_at_moment(deal, deal_in_reading_or_none(deal, now) or deal, seat)
        | deal.held[deal.place_of_seat(seat)]
    )


_Claim: TypeAlias = ClaimMade | Conceded | RestClaimed


class ReachData(msgspec.Struct, frozen=True):
    """A claim or a concession, and whether its side could still reach the target then.

    ``total``: what it had. ``most``: with best play of all from there if ``is_exact``, else with
    all that was left; None if it is not known. ``since``: if it had the target already, the line
    that made it, with the ``cards`` laid after that. ``not_known``: nothing but a sum is said
    where this platform has no engine.
    """

    line: Line
    side: Side
    answer: StillReach
    total: int | None
    most: int | None
    is_exact: bool
    since: Line | None
    cards: int
    not_known: Literal["no_analysis"] | None


class RestData(msgspec.Struct, frozen=True):
    """A claim of all remaining tricks, judged; ``ways``: in how many ways the cards could lie."""

    line: Line
    seat: Seat
    answer: RestAnswer | Literal["no_analysis"]
    ways: int


class ClaimsData(msgspec.Struct, frozen=True):
    """Claims of the target, concessions, and claims of all remaining tricks, in order of play."""

    reaches: list[ReachData]
    rests: list[RestData]


def judge_claims(
    reading: TableReading,
    lines: Collection[Line] | None = None,
    most_ways: int = MOST_WAYS_OF_CLAIM,
    most_in_all: int = sys.maxsize,
) -> ClaimsData:
    """The claims and concessions of a partida, or those of some lines, judged.

    ``most_ways`` that unseen cards can lie: for a claim of the rest; ``most_in_all``: for all of
    them together. With more it waits to be asked for.
    """
    found = ClaimsData(reaches=[], rests=[])
    now, left_over = reading.table(), most_in_all
    for then, line, act in _tables_at_claims(reading, lines):
        if isinstance(act, RestClaimed):
            most = min(most_ways, left_over)
            row = _rest_data(then, now, line, act.seat, most)
            left_over -= row.ways if row.ways <= most else 0
            found.rests.append(row)
        else:
            side = act.side if isinstance(act, Conceded) else side_of(act.seat)
            found.reaches.append(_target_reach_data(then, now, line, side))
    return found


def _tables_at_claims(
    reading: TableReading, lines: Collection[Line] | None
) -> Iterator[tuple[Table, Line, _Claim]]:
    """The table after each claim and concession, in order of play, with its line and the act."""
    wanted = {
        one.line: one.act
        for one in reading.acts
        if isinstance(one.act, _Claim) and (lines is None or one.line in lines)
    }
    table = reading.start
    for one in reading.acts if wanted else ():
        table = table_after_act(table, one.line, one.act)
        if act := wanted.get(one.line):
            yield table, one.line, act


def _target_reach_data(then: Table, now: Table, line: Line, side: Side) -> ReachData:
    one = judge_target_reach(then, now, side)
    return ReachData(
        line=line,
        side=side,
        answer=one.answer,
        total=one.total,
        most=one.most,
        is_exact=one.is_exact,
        since=one.since,
        cards=one.cards,
        not_known="no_analysis" if one.lacks_engine else None,
    )


def _rest_data(then: Table, now: Table, line: Line, seat: Seat, most_ways: int) -> RestData:
    try:
        judged = judge_rest_claim(then, now, seat, most_ways)
    except NoAnalysis:
        return RestData(line=line, seat=seat, answer="no_analysis", ways=0)
    return RestData(line=line, seat=seat, answer=judged.answer, ways=judged.ways)
