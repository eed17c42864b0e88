"""The outcome of a partida as players report it, without cards, and doubts about it.

Also finds the points of the other side. Nothing is refused here: each doubt names its rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import NamedTuple

from referee.rules.articles import Rule
from referee.rules.cards import DECK_POINTS
from referee.rules.counting import CANTE_OF_ANOTHER, CANTE_OF_TRUMP, Score
from referee.rules.partida import TWO_SIDES, first_deal
from referee.rules.profile.options import Options
from referee.rules.seats import SIDES, Side

SUITS_BUT_TRUMP = 3
MOST_CANTES = CANTE_OF_TRUMP + SUITS_BUT_TRUMP * CANTE_OF_ANOTHER
LEAST_POINTS = 2
"""The least that a card of value is worth, the caballo: nobody has one point."""
_MOST_DEALS = 5
PLAYED_OUT = frozenset({"first_deal", "unclaimed"})
_REACHING = frozenset({"claim", "unclaimed"})
_AFTER_VUELTAS = frozenset({"claim", "false_claim", "unclaimed"})


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


def doubts(
    told: ReportedResult, options: Options, record: RecordSoFar = NOTHING
) -> tuple[Doubt, ...]:
    """All doubts about an outcome, the impossible before the unlikely."""
    found = [*_how(told, options, record), *_points(told, record), *_sums(told, options)]
    if not found:
        found = [*_target(told, options), *_vueltas(told, options)]
    if not found and told.how == "first_deal":
        found = [*_first_deal(told, options)]
    return tuple(found) or tuple(_rare(told, options))


def is_possible(found: Iterable[Doubt]) -> bool:
    """Whether nothing of this is impossible."""
    return all(doubt.rule is Rule.RESULT_RARE for doubt in found)


def completions(
    told: ReportedResult, options: Options, record: RecordSoFar = NOTHING
) -> tuple[int, ...]:
    """Possible totals of the only side without one, those with the fewest cantes first.

    Empty if the total of more than one side is missing, or the last deal was not played out.

    >>> completions(ReportedResult("A", "first_deal", {"B": 35}), Options())
    (115, 135, 155, 175, 195)
    """
    untold = [side for side in SIDES[options.players] if side not in told.totals]
    if len(untold) != 1 or told.how not in PLAYED_OUT:
        return ()
    others = sum(told.totals.values())
    return tuple(
        total - others
        for total in sums(told.how, options)
        if total >= others
        and is_possible(
            doubts(
                told._replace(totals={**told.totals, untold[0]: total - others}), options, record
            )
        )
    )


def sums(how: str, options: Options) -> tuple[int, ...]:
    """What the totals of all sides can add up to, where the last deal was played out.

    >>> sums("first_deal", Options())
    (130, 150, 170, 190, 210, 230)
    """
    return _sums_after(_deals(how, options), options)


def _sums_after(deals: range, options: Options) -> tuple[int, ...]:
    found = {
        many * deal_points(options) + cantes
        for many in deals
        for cantes in range(0, many * MOST_CANTES + 1, CANTE_OF_ANOTHER)
    }
    return tuple(sorted(found))


def doubts_of_count(totals: Mapping[Side, int], options: Options, deals: int) -> tuple[Doubt, ...]:
    """Doubts about totals called after this many deals were played out.

    >>> [doubt.facts for doubt in doubts_of_count({"A": 30, "B": 101}, Options(), 1)]
    [{'sum': '131', 'nearest': '130, 150'}]
    """
    total, may_be = sum(totals.values()), _sums_after(range(deals, deals + 1), options)
    is_whole = len(totals) == len(SIDES[options.players])
    wrong = total not in may_be if is_whole else total > may_be[-1]
    return (*_no_points(totals), *([_wrong_sum(total, may_be)] if wrong else []))


def _deals(how: str, options: Options) -> range:
    """How many deals a partida that ended so may have; of two sides one is there after two."""
    if how == "first_deal":
        return range(1, 2)
    is_sure = len(SIDES[options.players]) == TWO_SIDES and options.target <= deal_points(options)
    return range(2, 3 if is_sure else _MOST_DEALS + 1)


def _how(told: ReportedResult, options: Options, record: RecordSoFar) -> Iterator[Doubt]:
    is_known = {
        "tute": options.tute,
        "unclaimed": options.unclaimed_at_end == "latest_trick",
        "first_deal": record.deals == 0,
    }
    if not is_known.get(told.how, True):
        yield Doubt(Rule.RESULT_HOW, {"how": told.how})


def _points(told: ReportedResult, record: RecordSoFar) -> Iterator[Doubt]:
    yield from _no_points(told.totals)
    for side, points in told.totals.items():
        counted = record.totals.get(side, 0)
        if points < counted:
            facts = {"side": side, "points": str(points), "counted": str(counted)}
            yield Doubt(Rule.RESULT_RECORD, facts)


def _no_points(totals: Mapping[Side, int]) -> Iterator[Doubt]:
    for side, points in totals.items():
        if 0 < points < LEAST_POINTS:
            yield Doubt(Rule.RESULT_POINTS, {"side": side, "points": str(points)})


def _is_whole(told: ReportedResult, options: Options) -> bool:
    return len(told.totals) == len(SIDES[options.players])


def _sums(told: ReportedResult, options: Options) -> Iterator[Doubt]:
    total, may_be = sum(told.totals.values()), sums(told.how, options)
    if told.how in PLAYED_OUT:
        is_wrong = total not in may_be if _is_whole(told, options) else total > may_be[-1]
        if is_wrong:
            yield _wrong_sum(total, may_be)
    elif total > may_be[-1]:
        yield _wrong_sum(total, may_be[-1:])


def _wrong_sum(total: int, may_be: tuple[int, ...]) -> Doubt:
    """A sum, with those beside it that can be."""
    below = [one for one in may_be if one < total][-1:]
    above = [one for one in may_be if one > total][:1]
    return Doubt(
        Rule.RESULT_SUM, {"sum": str(total), "nearest": ", ".join(map(str, (*below, *above)))}
    )


def _target(told: ReportedResult, options: Options) -> Iterator[Doubt]:
    target = options.target
    has = told.totals.get(told.winner, target)
    if told.how in _REACHING and has < target:
        yield _short(told, options)
    if told.how != "false_claim":
        return
    others = [side for side in SIDES[options.players] if side != told.winner]
    if all(told.totals.get(side, 0) >= target for side in others):
        points = str(told.totals[others[0]])
        yield Doubt(
            Rule.RESULT_REACHED, {"side": others[0], "points": points, "target": str(target)}
        )


def least_in_vueltas(options: Options) -> int:
    """Points that each of two sides has for certain when nobody won the first deal.

    >>> least_in_vueltas(Options())
    30
    """
    if len(SIDES[options.players]) != TWO_SIDES:
        return 0
    least = max(0, deal_points(options) - (options.target - 1))
    return max(least, options.min_malas) if options.min_malas_applies == "always" else least


def _vueltas(told: ReportedResult, options: Options) -> Iterator[Doubt]:
    if told.how not in _AFTER_VUELTAS:
        return
    if told.how != "unclaimed" and options.claim_in == "any_deal":
        return
    least = least_in_vueltas(options)
    for side, points in told.totals.items():
        if points < least:
            facts = {"side": side, "points": str(points), "least": str(least)}
            yield Doubt(Rule.RESULT_VUELTAS, facts)


def _first_deal(told: ReportedResult, options: Options) -> Iterator[Doubt]:
    """Whether some deal of these totals gives the partida to this winner."""
    if not _is_whole(told, options):
        missing = [side for side in SIDES[options.players] if side not in told.totals]
        if len(missing) == 1 and not completions(told, options):
            yield _not_won(told, options)
        return
    winners = {first_deal(found, options, latest) for found, latest in _ways(told.totals, options)}
    if not winners:
        yield _wrong_sum(sum(told.totals.values()), sums(told.how, options))
    elif told.winner not in winners:
        yield _not_won(told, options)


def _not_won(told: ReportedResult, options: Options) -> Doubt:
    if told.totals.get(told.winner, options.target) < options.target:
        return _short(told, options)
    return Doubt(Rule.RESULT_OTHER_WINS, {"side": told.winner})


def _short(told: ReportedResult, options: Options) -> Doubt:
    has, target = told.totals[told.winner], options.target
    facts = {"side": told.winner, "points": str(has), "target": str(target)}
    return Doubt(Rule.RESULT_SHORT, facts)


def _ways(
    totals: Mapping[Side, int], options: Options
) -> Iterator[tuple[dict[Side, Score], tuple[Side, ...]]]:
    """Scores of a played-out deal that come to these totals, and who took the later tricks."""
    sides = tuple(totals)
    cantes = range(0, MOST_CANTES + 1, CANTE_OF_ANOTHER)
    for sung in product(cantes, repeat=len(sides)):
        if sum(sung) > MOST_CANTES:
            continue
        bases = [_base(totals[side], own, options) for side, own in zip(sides, sung, strict=True)]
        if min(bases) < 0 or sum(bases) != deal_points(options):
            continue
        for latest in permutations(sides):
            scores = _scores(sides, bases, sung, latest[0], options)
            if all(one.cards == 0 or one.cards >= LEAST_POINTS for one in scores.values()):
                yield scores, latest


def _base(total: int, cantes: int, options: Options) -> int:
    """Points without cantes of a side with this total that has sung so much; below 0: never."""
    least = options.min_malas if options.cantes_need_min_malas else 0
    if total < least:
        return total
    return total - cantes if total - cantes >= least else -1


def _scores(
    sides: Sequence[Side], bases: Sequence[int], sung: Sequence[int], last: Side, options: Options
) -> dict[Side, Score]:
    """Scores of all sides, the last trick taken by one of them."""
    ten = options.last_trick_points
    return {
        side: Score(base - ten, ten, cantes) if side == last else Score(base, 0, cantes)
        for side, base, cantes in zip(sides, bases, sung, strict=True)
    }


def _rare(told: ReportedResult, options: Options) -> Iterator[Doubt]:
    if told.how != "first_deal" or not _is_whole(told, options):
        return
    total = sum(told.totals.values())
    if total - deal_points(options) >= MOST_CANTES or 0 in told.totals.values():
        shown = "-".join(str(points) for _, points in sorted(told.totals.items()))
        yield Doubt(Rule.RESULT_RARE, {"totals": shown})
