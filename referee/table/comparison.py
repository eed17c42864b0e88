"""Comparison of a record under two profiles: what changes, and by which option."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from referee.events import PartidaWon
from referee.rules.articles import Rule
from referee.rules.evidence.questions import ActAnswer
from referee.rules.profile.options import EDITIONS, OPTION_NAMES, Options
from referee.rules.profile.profile import Profile
from referee.rules.seats import Seat, Side
from referee.table.counts import partida_totals
from referee.table.readings import StandingAct, table_after_acts
from referee.table.state import Line, Table
from referee.table.verdicts import judge_acts

_OF_THE_DEAL = ("players", "deck", "three_deck", "hand_size", "pinta_from")
"""Options of the deal itself; records with different values cannot be compared."""


EDITION = "edition"
"""What stands for the law of the editions among the options that differ."""


class NotComparable(Exception):  # noqa: N818 - it says what the profiles are
    """The cards would have been dealt in another way; ``options`` are those that differ."""

    def __init__(self, options: tuple[str, ...]) -> None:
        super().__init__(", ".join(options))
        self.options = options


class OtherValue(msgspec.Struct, frozen=True):
    """An option with its value, and the value under the other profile.

    Where their law differs, ``edition`` is one too.
    """

    option: str
    value: Any
    other: Any


class PartidaOutcome(msgspec.Struct, frozen=True):
    """How a record ends: ``winner`` and ``how`` are None while it is undecided."""

    winner: Side | None
    how: str | None
    totals: dict[Side, int]


class OtherVerdict(msgspec.Struct, frozen=True):
    """An act with another verdict, and the options that alone cause it.

    ``by`` is empty if only several options together cause it.
    """

    line: Line
    seat: Seat
    answer: ActAnswer
    rule: Rule | None
    other_answer: ActAnswer
    other_rule: Rule | None
    by: tuple[str, ...]


class Comparison(msgspec.Struct, frozen=True):
    """One record under two profiles."""

    options: tuple[OtherValue, ...]
    outcome: PartidaOutcome
    other_outcome: PartidaOutcome
    outcome_by: tuple[str, ...]
    acts: tuple[OtherVerdict, ...]


_Answers = dict[Line, tuple[Seat, ActAnswer, Rule | None]]


def option_differences(one: Options, other: Options) -> tuple[OtherValue, ...]:
    """Options in which two profiles differ."""
    pairs = ((name, getattr(one, name), getattr(other, name)) for name in OPTION_NAMES)
    laws = [(EDITION, EDITIONS[one.law - 1], EDITIONS[other.law - 1])]
    return tuple(OtherValue(*pair) for pair in (*pairs, *laws) if pair[1] != pair[2])


def comparable_options_of_profile(table: Options, other: Profile) -> Options:
    """Options of another profile for the players and the cards of a table.

    :raises NotComparable: the cards are dealt in another way
    """
    if table.players not in other.players:
        raise NotComparable(("players",))
    found = other.options(table.players, table.deck if table.deck in other.decks else None)
    _differences_if_comparable(table, found)
    return found


def _differences_if_comparable(one: Options, other: Options) -> tuple[OtherValue, ...]:
    found = option_differences(one, other)
    if dealt := tuple(each.option for each in found if each.option in _OF_THE_DEAL):
        raise NotComparable(dealt)
    return found


def compare_record_under_options(
    start: Table, entries: Sequence[StandingAct], other: Options
) -> Comparison:
    """Compare a record under its own and under other options.

    ``start`` is its table before the first deal.

    :raises NotComparable: the cards are dealt in another way
    """
    options = _differences_if_comparable(start.options, other)
    outcome, answers = _outcome_and_verdicts(start, start.options, entries)
    other_outcome, other_answers = _outcome_and_verdicts(start, other, entries)
    alone = {
        each.option: _outcome_and_verdicts(
            start, _replace_option(start.options, each.option, other), entries
        )
        for each in options
    }
    acts = []
    for line, (seat, answer, rule) in answers.items():
        now = other_answers.get(line, (seat, answer, rule))
        if now != (seat, answer, rule):
            by = tuple(name for name, (_, found) in alone.items() if found.get(line) == now)
            acts.append(OtherVerdict(line, seat, answer, rule, now[1], now[2], by))
    by = ()
    if outcome != other_outcome:
        by = tuple(name for name, (found, _) in alone.items() if found == other_outcome)
    return Comparison(options, outcome, other_outcome, by, tuple(acts))


def _replace_option(options: Options, name: str, other: Options) -> Options:
    """Options with one value, or the law, of other options."""
    field = "law" if name == EDITION else name
    return replace(options, **{field: getattr(other, field)})


def _outcome_and_verdicts(
    start: Table, options: Options, entries: Sequence[StandingAct]
) -> tuple[PartidaOutcome, _Answers]:
    table = table_after_acts(msgspec.structs.replace(start, options=options), entries)
    won: PartidaWon | None = table.decided
    rows = judge_acts(table, entries, with_slips=False)
    answers = {row.line: (row.seat, row.answer, row.rule) for row in rows}
    totals = partida_totals(table) if won is None else dict(won.totals)
    if won is None:
        return PartidaOutcome(None, None, totals), answers
    return PartidaOutcome(won.winner, won.how, totals), answers
