"""Points, claims and winners as the oracle counts them (sections 1 and 5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.oracle.cantes import wins_by_tute
from tests.oracle.law import WORTH
from tests.oracle.reading import Act, Deal, Record
from tests.oracle.verdicts import cante_disproved, verdicts_of

ULTIMAS = 10


@dataclass(frozen=True)
class Claim:
    """A claim that stopped play: its line, whether it was true, and the total of its side."""

    line: int
    is_true: bool
    total: int


@dataclass
class Count:
    """Points of a partida, and who won it if anybody did."""

    base: dict[str, int]
    ultimas: dict[str, int]
    cantes: dict[str, int]
    totals: dict[str, int] = field(default_factory=dict)
    claim: Claim | None = None
    winner: str = ""


def counted(record: Record) -> Count:
    """Count a partida as far as it was recorded."""
    sides = list(dict.fromkeys(seat[0] for seat in record.rules.seats))
    count = Count(*(dict.fromkeys(sides, 0) for _ in range(3)))
    takers: list[str] = []
    assert all(map(_is_over, record.deals[:-1])), "a deal is dealt before the last one is over"
    for number, deal in enumerate(record.deals):
        claim = next(
            (a for a in deal.acts if a.word == "101" and _may_claim(deal, a, takers)), None
        )
        end = _line_of_end(count, deal, record) if number else 0
        if end:
            deal = deal.cut(end)
        tute = next((a for a in deal.acts if a.word == "tute" and wins_by_tute(deal, a)), None)
        if tute is not None and (claim is None or tute.line < claim.line):
            _add(count, deal.cut(tute.line), number)
            count.totals, count.winner = _totals(count, record), tute.seat[0]
            break
        if claim is not None:
            deal = deal.cut(claim.line)
        _add(count, deal, number)
        count.totals = _totals(count, record)
        takers += deal.takers
        if claim is not None:
            total = count.totals[claim.seat[0]]
            count.claim = Claim(claim.line, total >= record.rules.target, total)
            count.winner = _after_claim(count, claim, record)
        elif end:
            count.winner = _latest(_at_target(count, record), takers)
        elif _is_over(deal):
            has_count = any(act.word == "cuenta" for act in deal.acts)
            if not number:
                count.winner = _after_first(count, takers, record)
            elif has_count:
                count.winner = _after_vueltas(count, takers, record)
        if count.winner:
            break
    return count


def _is_over(deal: Deal) -> bool:
    return len(deal.takers) == deal.many_tricks


def _line_of_end(before: Count, deal: Deal, record: Record) -> int:
    """Line of the trick or cante that ends the vueltas; 0 if none does."""
    if record.rules.vueltas_end != "at_target":
        return 0
    closing = [deal.closes(number) for number in range(1, len(deal.takers) + 1)]
    sung = [act.line for act in deal.acts if act.word == "canta"]
    for line in sorted([*closing, *sung]):
        count = Count(dict(before.base), dict(before.ultimas), dict(before.cantes))
        _add(count, deal.cut(line), 1)
        count.totals = _totals(count, record)
        if _at_target(count, record):
            return line
    return 0


def _may_claim(deal: Deal, claim: Act, earlier: list[str]) -> bool:
    """Whether a claim is not barred; ``earlier`` took the tricks of the deals before."""
    rules = deal.rules
    if earlier and rules.vueltas_end == "at_target":
        return False
    if rules.claim_in == "vueltas" and not earlier:
        return False
    taker = [*earlier, *deal.takers[: deal.tricks_before(claim.line)]][-1:]
    match rules.claim_by:
        case "trick_winner":
            return [claim.seat] == taker
        case "trick_winner_side":
            return bool(taker) and claim.seat[0] == taker[0][0]
        case _:
            return True


def _add(count: Count, deal: Deal, number: int) -> None:
    """Add the closed tricks and the cantes of a deal that are not void when it is counted."""
    for taker, trick in zip(deal.takers, deal.tricks, strict=False):
        count.base[taker[0]] += sum(WORTH.get(play.cards[0][0], 0) for play in trick)
    last = deal.acts[-1].line
    if _is_over(deal):
        last_side = deal.takers[-1][0]
        count.base[last_side] += ULTIMAS
        count.ultimas[last_side] += ULTIMAS
        if deal.rules.pinta_from == "leftover_card":
            count.base[last_side] += WORTH.get(deal.pinta[0], 0)
        if not number:  # the first deal is counted when it is played out
            last = deal.closes(deal.many_tricks)
        last = next((act.line for act in deal.acts if act.word == "cuenta"), last)
    verdicts_of(deal.cut(last), ["canta"])  # asserts that the oracle can judge these acts
    is_void = cante_disproved(deal)
    for act in deal.acts:
        is_ruled_out = any(one.word == "anula" and one.about == act.line for one in deal.acts)
        if is_ruled_out or act.word != "canta" or act.line > last:
            continue
        if not is_void(act, last):
            count.cantes[act.seat[0]] += 40 if act.suits == deal.trump else 20


def _totals(count: Count, record: Record) -> dict[str, int]:
    rules, found = record.rules, {}
    for side, base in count.base.items():
        is_enough = _measured(count, side, record) >= rules.min_malas
        counts = is_enough or not rules.cantes_need_min_malas
        found[side] = base + (count.cantes[side] if counts else 0)
    return found


def _measured(count: Count, side: str, record: Record) -> int:
    """Points of a side that must reach ``min_malas``."""
    has_ultimas = record.rules.min_malas_of == "cards_and_ultimas"
    return count.base[side] - (0 if has_ultimas else count.ultimas[side])


def _at_target(count: Count, record: Record) -> list[str]:
    return [side for side, total in count.totals.items() if total >= record.rules.target]


def _latest(sides: Iterable[str], takers: list[str]) -> str:
    """Of these sides, the one that took the latest trick."""
    among = list(sides)
    return next((taker[0] for taker in reversed(takers) if taker[0] in among), "")


def _after_first(count: Count, takers: list[str], record: Record) -> str:
    """Winner at the end of the first deal; empty for vueltas."""
    rules, there = record.rules, _at_target(count, record)
    short = [side for side in count.base if _measured(count, side, record) < rules.min_malas]
    applies = rules.min_malas_applies == "always" and rules.players != 3
    if short and (applies or len(there) > 1):
        standing = [side for side in count.base if side not in short]
        if len(standing) == 1:
            return standing[0]
        there = [side for side in there if side not in short]
    return _of_several(there, count, takers, record)


def _of_several(there: list[str], count: Count, takers: list[str], record: Record) -> str:
    """Of the sides at the target the one that wins."""
    if there and record.rules.both_reach_target == "highest_total":
        most = max(count.totals[side] for side in there)
        there = [side for side in there if count.totals[side] == most]
    return _latest(there, takers)


def _after_vueltas(count: Count, takers: list[str], record: Record) -> str:
    """Winner of vueltas played out without a claim; with three sides as at the end of any deal."""
    there = _at_target(count, record)
    if record.rules.players == 3:
        return _of_several(there, count, takers, record)
    return _latest(there, takers)


def _after_claim(count: Count, claim: Act, record: Record) -> str:
    """Who wins by a claim: its side if it is true, else one of the others."""
    assert count.claim is not None
    side = claim.seat[0]
    return side if count.claim.is_true else against(side, count, record)


def against(side: str, count: Count, record: Record) -> str:
    """Who wins if this side loses: of the others the one with the higher total."""
    takers = [taker for deal in record.deals for taker in deal.takers]
    others = {other: total for other, total in count.totals.items() if other != side}
    most = [other for other, total in others.items() if total == max(others.values())]
    order = record.rules.order_from(record.deals[-1].dealer)[1:]
    first = next(seat[0] for seat in (*order, record.deals[-1].dealer) if seat[0] in most)
    return _latest(most, takers) or first
