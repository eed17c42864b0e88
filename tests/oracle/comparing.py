"""Comparison of the oracle with the program, and the smallest record that still shows a difference."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from tests.oracle.counting import against, counted
from tests.oracle.habits import Habits
from tests.oracle.partidas import Written, partida
from tests.oracle.reading import Deal, read
from tests.oracle.renuncios import Accusations
from tests.oracle.verdicts import Verdict, verdicts_of
from tests.oracle.worlds import Worlds, worlds_of

Hand = tuple[int, tuple[str, ...], tuple[str, ...]]
"""Number of cards, those certainly among them, and those that may be."""


class Answers(Protocol):
    """What the program says of a record."""

    @property
    def verdicts(self) -> Mapping[int, Verdict]:
        """Verdicts by line."""

    @property
    def totals(self) -> Mapping[str, int]:
        """Points of each side so far."""

    @property
    def claim(self) -> Mapping[str, Any] | None:
        """The claim: line, answer and bounds."""

    @property
    def winner(self) -> str:
        """Who won the partida; empty if nobody did yet."""

    @property
    def renuncios(self) -> Sequence[int]:
        """Lines of the renuncios that the arbiter is asked about."""

    @property
    def refused(self) -> tuple[int, str] | None:
        """Line and rule of an act that was not recorded."""


Ask = Callable[[str], Answers]
"""The program, asked for a record."""
Difference = Callable[[str], str]
"""What differs in a record: its kind, a colon and both answers; empty if nothing does."""


def verdicts_differ(ask: Ask) -> Difference:
    """Difference of the verdicts on cards, cantes and swaps, and of the lines since which they hold."""

    def difference(text: str) -> str:
        said = {}
        for deal in read(text).deals:
            said |= verdicts_of(deal)
        answers = ask(text)
        if answers.refused:
            return f"refused by {answers.refused[1]}: line {answers.refused[0]}"
        lines = []
        for line, verdict in said.items():
            other = answers.verdicts.get(line, ("no verdict", 0))
            if other != verdict:
                lines.append(f"line {line}: the oracle says {verdict}, the program {other}")
        return "verdicts:\n" + "\n".join(lines) if lines else ""

    return difference


def hands_differ(ask: Callable[[str], Mapping[str, Hand] | None]) -> Difference:
    """Difference of what is known of the hands after the last line."""

    def difference(text: str) -> str:
        deal = read(text).deals[-1]
        deal.assert_orderly()
        if len(deal.acts) == 1:
            return ""
        said, other = hands_of(deal), ask(text)
        if other is None:
            return "refused: a record that can be true"
        wrong = [seat for seat in said if said[seat] != other[seat]]
        lines = [f"{s}: the oracle says {said[s]}, the program {other[s]}" for s in wrong]
        return "hands:\n" + "\n".join(lines) if lines else ""

    return difference


def wrongly_refused(ask: Ask) -> Difference:
    """An act that was refused although it can be true in some way."""

    def difference(text: str) -> str:
        record = read(text)
        refused = ask(text).refused
        if refused is None:
            return ""
        line, rule = refused
        deal = next(deal for deal in reversed(record.deals) if deal.acts[0].line <= line).cut(line)
        deal.assert_orderly()
        if not worlds_of(deal):
            return ""
        return f"refused by {rule}: line {line} of a record that can be true"

    return difference


def counts_differ(ask: Ask) -> Difference:
    """Difference of the totals, of the claim and of the winner."""

    def difference(text: str) -> str:
        count = counted(read(text))
        answers = ask(text)
        if answers.refused:
            return f"refused by {answers.refused[1]}: line {answers.refused[0]}"
        claim = None
        if count.claim is not None:
            answer = "true" if count.claim.is_true else "false"
            bounds = (count.claim.total, count.claim.total)
            claim = {"line": count.claim.line, "answer": answer, "bounds": bounds}
        own = {"totals": count.totals, "winner": count.winner, "claim": claim}
        other = {"totals": answers.totals, "winner": answers.winner, "claim": answers.claim}
        wrong = [name for name in own if own[name] != other[name]]
        lines = [f"the oracle says {own[name]}, the program {other[name]}" for name in wrong]
        return ", ".join(wrong) + ":\n" + "\n".join(lines) if wrong else ""

    return difference


def renuncios_differ(ask: Ask) -> Difference:
    """Difference of the winner by renuncios, and of those about which the arbiter is asked."""

    def difference(text: str) -> str:
        record = read(text)
        accused, answers = Accusations(record), ask(text)
        if answers.refused:
            return f"refused by {answers.refused[1]}: line {answers.refused[0]}"
        count, lost = counted(record), accused.lost_by()
        winner = against(lost.seat[0], count, record) if lost else count.winner
        if answers.winner != winner:
            return f"winner: the oracle says {winner}, the program {answers.winner}"
        asked, others = set(accused.asked()), set(answers.renuncios)
        if asked - others:
            return f"not asked about: {sorted(asked - others)}"
        return f"asked about without need: {sorted(others - asked)}" if others - asked else ""

    return difference


def assert_alike(
    seeds: Iterable[int],
    habits: Habits,
    difference: Difference,
    make: Callable[[int, Habits], Written] = partida,
) -> None:
    """Assert that nothing differs in these partidas; show the smallest record if something does."""
    for seed in seeds:
        written = make(seed, habits)
        if difference(written.text):
            small = shrunk(written, difference)
            raise AssertionError(f"seed {seed}: {difference(small.text)}\n\n{small.text}")


def shrunk(written: Written, difference: Difference) -> Written:
    """The record with as few lines as still show a difference of the same kind."""
    found, kind = written, _kind(difference(written.text))
    step = max(len(found.lines) // 2, 1)
    while step:
        at, has_shrunk = len(found.lines), False
        while at > 0:
            at -= step
            shorter = found.lines[: max(at, 0)] + found.lines[max(at + step, 0) :]
            candidate = Written(found.header, shorter)
            if shorter and _still(candidate, difference, kind):
                found, has_shrunk = candidate, True
        if not has_shrunk:
            step //= 2
    return found


def _kind(words: str) -> str:
    """What comes before the first colon: records that differ otherwise are another matter."""
    return words.partition(":")[0]


def _still(candidate: Written, difference: Difference, kind: str) -> bool:
    try:
        words = difference(candidate.text)
    except (AssertionError, LookupError, StopIteration, TypeError, ValueError):
        return False  # lines that are no record any more
    return bool(words) and _kind(words) == kind


def hands_of(deal: Deal) -> dict[str, Hand]:
    """The hand of each seat after the last line, as far as the record tells it (section 6).

    A draw that nobody noted counts only if it must have happened.
    """
    now = deal.acts[-1].line
    worlds = worlds_of(deal)
    assert worlds, "the record contradicts itself"
    for seat in deal.rules.seats:
        waiting = tuple(one for one in worlds if one.times.get((seat, _gap(deal)), 0) > now)
        worlds = waiting or worlds
    return {seat: _hand(deal, worlds, seat, now) for seat in deal.rules.seats}


def _gap(deal: Deal) -> int:
    """Number of the trick closed last."""
    return len(deal.takers)


def _hand(deal: Deal, worlds: tuple[Worlds, ...], seat: str, last: int) -> Hand:
    now, deck = last + 1, (*worlds[0].known.cards, deal.pinta)
    may = {card for card in deck if any(one.may_hold(seat, (card,), now) for one in worlds)}
    lacked = {card for card in may if any(one.may_lack(seat, (card,), now) for one in worlds)}
    assert worlds[0].is_possible
    size = len(worlds[0].hand(worlds[0].found, seat, now))
    return size, tuple(sorted(may - lacked)), tuple(sorted(may))
