"""The result of a partida as players report it, and doubts whether it can be so.

Also finds the points of the other side. Nothing is refused here: each doubt names its rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import NamedTuple

from referee.rules.articles import Rule
from referee.rules.cards import DECK_POINTS
from referee.rules.counts import (
    CANTE_OF_ANOTHER,
    CANTE_OF_TRUMP,
    TWO_SIDES,
    Score,
    nearest_numbers_text,
    winner_after_first_deal,
)
from referee.rules.profile.options import Options
from referee.rules.seats import SIDES, Side

SUITS_BUT_TRUMP = 3
MOST_CANTES = CANTE_OF_TRUMP + SUITS_BUT_TRUMP * CANTE_OF_ANOTHER
LEAST_POINTS = 2
"""The least that a card of value is worth, the caballo: nobody has one point."""
_MOST_DEALS = 5
PLAYED_OUT = frozenset({"first_deal", "unclaimed"})
_REACHING = frozenset({"claim", "unclaimed", "target"})
_CLAIMS = frozenset({"claim", "false_claim"})
_AFTER_VUELTAS = frozenset({*_CLAIMS, "unclaimed", "target"})


class ReportedResult(NamedTuple):
    """Who won, how, and the reported totals: of all sides, of some, or of none."""

    winner: Side
    how: str
    totals: Mapping[Side, int]


class Doubt(NamedTuple):
    """A reason against an outcome: a rule and its facts."""

    rule: Rule
    facts: dict[str, str]


class RecordSoFar(NamedTuple):
    """What the record of the partida says already: totals so far, and deals that are counted."""

    totals: Mapping[Side, int]
    deals: int = 0


NOTHING = RecordSoFar({})


def deal_points(options: Options) -> int:
    """Points of a deal without cantes, the last trick included.

    >>> deal_points(Options())
    130
    """
    return DECK_POINTS + options.last_trick_points


def doubts_about_result(
    reported: ReportedResult, options: Options, record: RecordSoFar = NOTHING
) -> tuple[Doubt, ...]:
    """Doubts that make an outcome impossible; if there are none, that it is unlikely."""
    found = [
        *_doubts_of_ending(reported, options, record),
        *_doubts_of_points(reported, record),
        *_doubts_of_sum(reported, options),
    ]
    if not found:
        found = [*_doubts_of_target(reported, options), *_doubts_of_vueltas(reported, options)]
    if not found and reported.how == "first_deal":
        found = [*_doubts_of_first_deal(reported, options)]
    return tuple(found) or tuple(_doubts_of_rarity(reported, options))


def has_only_rarity_doubts(found: Iterable[Doubt]) -> bool:
    """Whether none of these doubts says that the result is impossible."""
    return all(doubt.rule is Rule.RESULT_RARE for doubt in found)


def possible_missing_totals(
    reported: ReportedResult, options: Options, record: RecordSoFar = NOTHING
) -> tuple[int, ...]:
    """Possible totals of the one side whose total was not reported, those with fewest cantes first.

    Empty if the total of more than one side is missing, or the last deal was not played out.

    >>> possible_missing_totals(ReportedResult("A", "first_deal", {"B": 35}), Options())
    (115, 135, 155, 175, 195)
    """
    missing_sides = [side for side in SIDES[options.players] if side not in reported.totals]
    if len(missing_sides) != 1 or reported.how not in PLAYED_OUT:
        return ()
    others = sum(reported.totals.values())
    return tuple(
        total - others
        for total in possible_result_sums(reported.how, options)
        if total >= others
        and has_only_rarity_doubts(
            doubts_about_result(
                reported._replace(totals={**reported.totals, missing_sides[0]: total - others}),
                options,
                record,
            )
        )
    )


def possible_result_sums(how: str, options: Options) -> tuple[int, ...]:
    """Possible sums of the totals of all sides, where the last deal was played out.

    >>> possible_result_sums("first_deal", Options())
    (130, 150, 170, 190, 210, 230)
    """
    return _possible_sums_after_deals(_possible_numbers_of_deals(how, options), options)


def _possible_sums_after_deals(deals: range, options: Options) -> tuple[int, ...]:
    found = {
        many * deal_points(options) + cantes
        for many in deals
        for cantes in range(0, many * MOST_CANTES + 1, CANTE_OF_ANOTHER)
    }
    return tuple(sorted(found))


def doubts_of_totals_after_deals(
    totals: Mapping[Side, int], options: Options, deals: int
) -> tuple[Doubt, ...]:
    """Doubts about totals called after this many deals were played out.

    >>> [doubt.facts for doubt in doubts_of_totals_after_deals({"A": 30, "B": 101}, Options(), 1)]
    [{'sum': '131', 'nearest': '130, 150'}]
    """
    total = sum(totals.values())
    may_be = _possible_sums_after_deals(range(deals, deals + 1), options)
    is_whole = len(totals) == len(SIDES[options.players])
    wrong = total not in may_be if is_whole else total > may_be[-1]
    return (*_doubts_of_single_point(totals), *([_sum_doubt(total, may_be)] if wrong else []))


def _possible_numbers_of_deals(how: str, options: Options) -> range:
    """Possible numbers of deals of a partida that ended in this way."""
    if how == "first_deal":
        return range(1, 2)
    is_sure = len(SIDES[options.players]) == TWO_SIDES and options.target <= deal_points(options)
    return range(2, 3 if is_sure else _MOST_DEALS + 1)


def _doubts_of_ending(
    reported: ReportedResult, options: Options, record: RecordSoFar
) -> Iterator[Doubt]:
    may_claim = options.vueltas_end == "claim" or options.claim_in == "any_deal"
    is_known = {
        **dict.fromkeys(_CLAIMS, may_claim),
        "target": options.vueltas_end == "at_target",
        "tute": options.tute,
        "unclaimed": options.unclaimed_at_end == "latest_trick",
        "first_deal": record.deals == 0,
    }
    if not is_known.get(reported.how, True):
        yield Doubt(Rule.RESULT_HOW, {"how": reported.how})


def _doubts_of_points(reported: ReportedResult, record: RecordSoFar) -> Iterator[Doubt]:
    yield from _doubts_of_single_point(reported.totals)
    for side, points in reported.totals.items():
        counted = record.totals.get(side, 0)
        if points < counted:
            facts = {"side": side, "points": str(points), "counted": str(counted)}
            yield Doubt(Rule.RESULT_RECORD, facts)


def _doubts_of_single_point(totals: Mapping[Side, int]) -> Iterator[Doubt]:
    for side, points in totals.items():
        if 0 < points < LEAST_POINTS:
            yield Doubt(Rule.RESULT_POINTS, {"side": side, "points": str(points)})


def _has_every_side(reported: ReportedResult, options: Options) -> bool:
    return len(reported.totals) == len(SIDES[options.players])


def _doubts_of_sum(reported: ReportedResult, options: Options) -> Iterator[Doubt]:
    total, may_be = sum(reported.totals.values()), possible_result_sums(reported.how, options)
    if reported.how in PLAYED_OUT:
        is_wrong = total not in may_be if _has_every_side(reported, options) else total > may_be[-1]
        if is_wrong:
            yield _sum_doubt(total, may_be)
    elif total > may_be[-1]:
        yield _sum_doubt(total, may_be[-1:])


def _sum_doubt(total: int, may_be: tuple[int, ...]) -> Doubt:
    """Doubt about a sum of totals, with the nearest possible sums."""
    return Doubt(
        Rule.RESULT_SUM, {"sum": str(total), "nearest": nearest_numbers_text(total, may_be)}
    )


def _doubts_of_target(reported: ReportedResult, options: Options) -> Iterator[Doubt]:
    target = options.target
    has = reported.totals.get(reported.winner, target)
    if reported.how in _REACHING and has < target:
        yield _too_few_points_doubt(reported, options)
    if reported.how != "false_claim":
        return
    others = [side for side in SIDES[options.players] if side != reported.winner]
    if all(reported.totals.get(side, 0) >= target for side in others):
        points = str(reported.totals[others[0]])
        yield Doubt(
            Rule.RESULT_REACHED, {"side": others[0], "points": points, "target": str(target)}
        )


def least_points_in_vueltas(options: Options) -> int:
    """Least points that each of two sides has if nobody won the first deal; 0 for three sides.

    >>> least_points_in_vueltas(Options())
    30
    """
    if len(SIDES[options.players]) != TWO_SIDES:
        return 0
    least = max(0, deal_points(options) - (options.target - 1))
    return max(least, options.min_malas) if options.min_malas_applies == "always" else least


def _doubts_of_vueltas(reported: ReportedResult, options: Options) -> Iterator[Doubt]:
    if reported.how not in _AFTER_VUELTAS:
        return
    if reported.how in _CLAIMS and options.claim_in == "any_deal":
        return
    least = least_points_in_vueltas(options)
    for side, points in reported.totals.items():
        if points < least:
            facts = {"side": side, "points": str(points), "least": str(least)}
            yield Doubt(Rule.RESULT_VUELTAS, facts)


def _doubts_of_first_deal(reported: ReportedResult, options: Options) -> Iterator[Doubt]:
    """A doubt if no first deal with these totals gives the partida to the reported winner."""
    if not _has_every_side(reported, options):
        missing = [side for side in SIDES[options.players] if side not in reported.totals]
        if len(missing) == 1 and not possible_missing_totals(reported, options):
            yield _winner_doubt(reported, options)
        return
    winners = {
        winner_after_first_deal(found, options, latest)
        for found, latest in _possible_scores_and_latest(reported.totals, options)
    }
    if not winners:
        yield _sum_doubt(sum(reported.totals.values()), possible_result_sums(reported.how, options))
    elif reported.winner not in winners:
        yield _winner_doubt(reported, options)


def _winner_doubt(reported: ReportedResult, options: Options) -> Doubt:
    if reported.totals.get(reported.winner, options.target) < options.target:
        return _too_few_points_doubt(reported, options)
    return Doubt(Rule.RESULT_OTHER_WINS, {"side": reported.winner})


def _too_few_points_doubt(reported: ReportedResult, options: Options) -> Doubt:
    has, target = reported.totals[reported.winner], options.target
    facts = {"side": reported.winner, "points": str(has), "target": str(target)}
    return Doubt(Rule.RESULT_SHORT, facts)


def _possible_scores_and_latest(
    totals: Mapping[Side, int], options: Options
) -> Iterator[tuple[dict[Side, Score], tuple[Side, ...]]]:
    """Possible scores of a played-out deal with these totals, and the sides by latest trick."""
    sides = tuple(totals)
    cantes = range(0, MOST_CANTES + 1, CANTE_OF_ANOTHER)
    for sung in product(cantes, repeat=len(sides)):
        if sum(sung) > MOST_CANTES:
            continue
        for latest in permutations(sides):
            bases = [
                _base_points_or_negative(totals[side], own, options, is_last=side == latest[0])
                for side, own in zip(sides, sung, strict=True)
            ]
            if min(bases) < 0 or sum(bases) != deal_points(options):
                continue
            scores = _scores_with_last_trick(sides, bases, sung, latest[0], options)
            if all(one.cards == 0 or one.cards >= LEAST_POINTS for one in scores.values()):
                yield scores, latest


def _base_points_or_negative(total: int, cantes: int, options: Options, *, is_last: bool) -> int:
    """Points without cantes of a side with this total and these cantes; below 0 if impossible.

    ``is_last``: it took the last trick, whose points the minimum may leave out.
    """
    least = options.min_malas if options.cantes_need_min_malas else 0
    if options.min_malas_of == "cards" and is_last:
        least += options.last_trick_points if least else 0
    if total < least:
        return total
    return total - cantes if total - cantes >= least else -1


def _scores_with_last_trick(
    sides: Sequence[Side], bases: Sequence[int], sung: Sequence[int], last: Side, options: Options
) -> dict[Side, Score]:
    """Scores of all sides, the last trick taken by one of them."""
    ten = options.last_trick_points
    return {
        side: Score(base - ten, ten, cantes) if side == last else Score(base, 0, cantes)
        for side, base, cantes in zip(sides, bases, sung, strict=True)
    }


def _doubts_of_rarity(reported: ReportedResult, options: Options) -> Iterator[Doubt]:
    """A doubt about an unlikely result: a side without points, or every cante sung."""
    if reported.how != "first_deal" or not _has_every_side(reported, options):
        return
    total = sum(reported.totals.values())
    if total - deal_points(options) >= MOST_CANTES or 0 in reported.totals.values():
        shown = "-".join(str(points) for _, points in sorted(reported.totals.items()))
        yield Doubt(Rule.RESULT_RARE, {"totals": shown})
