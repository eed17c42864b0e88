"""Choices for a result that was corrected too late, and what each would change.

A choice is the act that would settle it. Its effect is the difference between the tournament now
and after that act, so the preview is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, TypeAlias

import msgspec
from msgspec.structs import replace

from referee.aggregates.tournament.evolution import evolve
from referee.aggregates.tournament.field import NOBODY, Pair
from referee.aggregates.tournament.formats.knock_out import KnockOut, TieId, Won, ties_of_knock_out
from referee.aggregates.tournament.formats.outlook import next_round_by_method
from referee.aggregates.tournament.formats.places import (
    all_ties,
    group_tables,
    knock_out_table,
    require_knock_out_order,
    rows_of_only_group,
)
from referee.aggregates.tournament.formats.standings import standings
from referee.aggregates.tournament.formats.swiss import next_swiss_round
from referee.aggregates.tournament.history import (
    History,
    Pairing,
    PlayedPairing,
    Round,
    check_history,
    sum_points,
)
from referee.aggregates.tournament.rules import TournamentRule
from referee.aggregates.tournament.state import (
    Meeting,
    Tournament,
    history_of_rounds,
    pairing_with_outcome,
)
from referee.errors import Refused
from referee.events.tournament import (
    USUAL,
    CorrectionSettled,
    Criterion,
    MeetingId,
    PairingMethod,
    Settlement,
)

DrawAgain: TypeAlias = Callable[[History, frozenset[Pair]], Round]
AS_NOW: Final[PairingMethod] = "ahead"
"""How rounds are paired from now on."""
WHATS: tuple[Settlement, ...] = ("leave", "replay", "re_pair")


class CorrectionChoice(msgspec.Struct, frozen=True):
    """A choice: its act, and its effect.

    ``gone``, ``new``, ``void``, ``to_play``: ids of meetings that are removed, that are added,
    whose result no longer counts, and that must be played. ``changed``: ties with other pairs, with
    the pairs before and after. ``problem``: why it cannot be chosen.
    """

    act: CorrectionSettled
    moved: tuple[Moved, ...] = ()
    gone: tuple[MeetingId, ...] = ()
    new: tuple[MeetingId, ...] = ()
    void: tuple[MeetingId, ...] = ()
    to_play: tuple[MeetingId, ...] = ()
    changed: tuple[tuple[TieId, tuple[Pair | None, ...], tuple[Pair | None, ...]], ...] = ()
    problem: str = ""


def ways_to_settle_correction(
    state: Tournament, meeting_id: MeetingId
) -> tuple[CorrectionChoice, ...]:
    """Choices for the pending correction of a meeting.

    :raises Refused: there is none
    """
    meeting = state.meetings.get(meeting_id)
    if meeting is None or not meeting.is_correction_pending:
        raise Refused(TournamentRule.NOTHING_TO_CORRECT, meeting=meeting_id)
    return tuple(_correction_choice(state, meeting, what) for what in WHATS)


def settle_correction(state: Tournament, asked: CorrectionSettled) -> CorrectionSettled:
    """The act that settles a correction, with the draws that its choice repeats.

    :raises Refused: nothing is pending, or the choice is not possible
    """
    meeting = state.meetings.get(asked.meeting)
    if meeting is None or not meeting.is_correction_pending:
        raise Refused(TournamentRule.NOTHING_TO_CORRECT, meeting=asked.meeting)
    if asked.winner not in (None, meeting.reported_outcome.winner):
        raise Refused(TournamentRule.CORRECTION_CHANGED, meeting=asked.meeting)
    act = _settlement_act(state, meeting, asked.what, asked.method)
    return replace(act, winner=asked.winner)


def _settlement_act(
    state: Tournament, meeting: Meeting, what: Settlement, method: PairingMethod = AS_NOW
) -> CorrectionSettled:
    act = CorrectionSettled(meeting.id, what)
    if what != "re_pair" or meeting.tie is not None:
        return act
    if not meeting.reported_outcome.is_decided:
        raise Refused(TournamentRule.ROUND_OPEN, meetings=[meeting.id])
    if meeting.phase == "groups":
        counted = replace(meeting, counts=meeting.reported_outcome)
        return replace(act, order=require_knock_out_order(_with_meeting(state, counted)))
    found = next(
        one
        for one in correction_choices_of_pairing(
            history_of_rounds(state),
            pairing_with_outcome(meeting, meeting.reported_outcome),
            draw=lambda before, absent: next_round_by_method(
                method, before, absent, state.plan.rounds
            ),
        )
        if one.what == "re_pair"
    )
    if found.problem:
        raise Refused(TournamentRule(found.problem), round=meeting.round + 1)
    again = found.after.rounds[meeting.round]
    byes = (again.bye,) if again.bye != NOBODY else ()
    return replace(act, pairings=again.pairings, byes=byes, method=method)


def _with_meeting(state: Tournament, meeting: Meeting) -> Tournament:
    return replace(state, meetings={**state.meetings, meeting.id: meeting})


def _correction_choice(state: Tournament, meeting: Meeting, what: Settlement) -> CorrectionChoice:
    try:
        act = _settlement_act(state, meeting, what)
    except Refused as wrong:
        return CorrectionChoice(CorrectionSettled(meeting.id, what), problem=wrong.rule.value)
    after = evolve(state, act)
    was, now = state.meetings, after.meetings
    lost = (at for at, one in was.items() if not one.is_open and at in now and now[at].is_open)
    gone = tuple(at for at in was if at not in now)
    void = (*lost, *(at for at in gone if not was[at].is_open))
    new = tuple(at for at in now if at not in was)
    to_play = tuple(at for at, one in now.items() if one.is_open and (at in new or at in void))
    return CorrectionChoice(
        act,
        tuple(_place_changes(state, after)),
        gone,
        new,
        void,
        to_play,
        _ties_that_change(state, after),
    )


def _ties_that_change(
    state: Tournament, after: Tournament
) -> tuple[tuple[TieId, tuple[Pair | None, ...], tuple[Pair | None, ...]], ...]:
    """Ties that have other pairs after a choice, with the pairs before and after.

    A tie that is no more has nobody.
    """
    now = {tie.id: tie.pairs for tie in all_ties(after)}
    compared = ((tie.id, tie.pairs, now.get(tie.id, (NOBODY, NOBODY))) for tie in all_ties(state))
    return tuple(one for one in compared if one[1] != one[2])


def _place_changes(state: Tournament, after: Tournament) -> Iterator[Moved]:
    was = _places_and_points(state)
    for pair, (place, points) in _places_and_points(after).items():
        if was[pair] != (place, points):
            yield Moved(pair, (was[pair][0], place), (was[pair][1], points))


def _places_and_points(state: Tournament) -> Mapping[Pair, tuple[int, int]]:
    """Place and points of each pair: in the knock-out if there is one, else in its table."""
    if state.order:
        return {row.pair: (row.place, 0) for row in knock_out_table(state, all_ties(state))}
    tables = group_tables(state) if state.plan.format == "groups" else (rows_of_only_group(state),)
    return {row.pair: (row.place, sum_points(row.points)) for rows in tables for row in rows}


class Moved(msgspec.Struct, frozen=True):
    """A pair that a choice moves in the table: places and points before and after."""

    pair: Pair
    places: tuple[int, int]
    points: tuple[int, int]


class Choice(msgspec.Struct, frozen=True):
    """A choice for a corrected result, and its effect.

    ``gone``, ``new``: pairings of later rounds, with their round. ``void``: results that would no
    longer count. ``to_play``: what must be played. ``problem``: why it cannot be
    chosen, a code, or ``""``. ``after``: the tournament as it would be.
    """

    what: Settlement
    moved: tuple[Moved, ...]
    gone: tuple[tuple[int, Pairing], ...]
    new: tuple[tuple[int, Pairing], ...]
    void: tuple[PlayedPairing, ...]
    to_play: tuple[tuple[int, Pairing], ...]
    after: History
    problem: str = ""


def correction_choices_of_pairing(
    history: History,
    correct: PlayedPairing,
    criteria: Sequence[Criterion] = USUAL,
    lot_seed: str = "",
    draw: DrawAgain = next_swiss_round,
) -> tuple[Choice, ...]:
    """Choices for a wrongly reported result of a pairing.

    ``leave``: the result counts as corrected, later rounds stay as drawn. ``replay``: it is played
    again, later rounds stay. ``re_pair``: it counts as corrected, and the rounds after it are
    drawn again; offered only if there are any.

    :raises Refused: the pairing is not of that round, or has no result
    """
    if correct.round_and_pairs not in {met.round_and_pairs for met in history.met}:
        raise Refused(TournamentRule.NOTHING_TO_CORRECT, round=correct.round, pairs=correct.pairs)
    corrected = _replace_result(history, correct)
    check_history(corrected)
    others = tuple(met for met in history.met if met.round_and_pairs != correct.round_and_pairs)
    after: dict[Settlement, History] = {"leave": corrected, "replay": replace(history, met=others)}
    problem = ""
    if len(history.rounds) > correct.round:
        try:
            after["re_pair"] = _redraw_next_round(corrected, correct.round, draw)
        except Refused as wrong:
            after["re_pair"], problem = history, wrong.rule.value
    return tuple(
        _correction_choice_of_pairing(
            what, history, found, (criteria, lot_seed), problem if what == "re_pair" else ""
        )
        for what, found in after.items()
    )


def _replace_result(history: History, correct: PlayedPairing) -> History:
    met = tuple(
        correct if met.round_and_pairs == correct.round_and_pairs else met for met in history.met
    )
    return replace(history, met=met)


def _redraw_next_round(corrected: History, number: int, draw: DrawAgain) -> History:
    """The history with the round after this one drawn again, and later rounds removed.

    Absences remain; a result of a pairing that is drawn again still counts.
    """
    drawn = corrected.rounds[number]
    named = {pair for pairing in drawn.pairings for pair in pairing} | {drawn.bye}
    until = tuple(met for met in corrected.met if met.round <= number)
    before = replace(corrected, rounds=corrected.rounds[:number], met=until)
    absent = frozenset(before.pairs_in_next_round()) - named
    again = draw(before, absent)
    pairings = {frozenset(pairing) for pairing in again.pairings}
    kept = (
        met for met in corrected.met if met.round == number + 1 and frozenset(met.pairs) in pairings
    )
    return replace(before, rounds=(*before.rounds, again), met=(*until, *kept))


def _correction_choice_of_pairing(
    what: Settlement,
    before: History,
    after: History,
    table: tuple[Sequence[Criterion], str],
    problem: str,
) -> Choice:
    was, now = _pairings_by_key(before), _pairings_by_key(after)
    remaining = {met.round_and_pairs for met in after.met}
    void = tuple(met for met in before.met if met.round_and_pairs not in remaining)
    is_open = {(met.round, frozenset(met.pairs)) for met in void} | (now.keys() - was.keys())
    return Choice(
        what,
        _standings_changes(before, after, table),
        tuple(pairing for key, pairing in was.items() if key not in now),
        tuple(pairing for key, pairing in now.items() if key not in was),
        void,
        tuple(pairing for key, pairing in now.items() if key in is_open),
        after,
        problem,
    )


def _pairings_by_key(history: History) -> Mapping[tuple[int, frozenset[Pair]], tuple[int, Pairing]]:
    """Every pairing by its round and its pairs, in no order."""
    return {
        (number, frozenset(pairing)): (number, pairing)
        for number, one in enumerate(history.rounds, 1)
        for pairing in one.pairings
    }


def _standings_changes(
    before: History, after: History, table: tuple[Sequence[Criterion], str]
) -> tuple[Moved, ...]:
    was = {row.pair: row for row in standings(before, *table)}
    found = []
    for row in standings(after, *table):
        old = was[row.pair]
        points = (
            sum(item.points for item in old.points),
            sum(item.points for item in row.points),
        )
        if old.place != row.place or points[0] != points[1]:
            found.append(Moved(row.pair, (old.place, row.place), points))
    return tuple(found)


class TieChoice(msgspec.Struct, frozen=True):
    """A choice for a tie with another winner.

    ``changed``: ties with other pairs, with the pairs before and after.
    ``void``: ties whose result would no longer count. ``after``: the ties won, as they would be.
    """

    what: Settlement
    changed: tuple[tuple[TieId, tuple[Pair | None, ...], tuple[Pair | None, ...]], ...]
    void: tuple[TieId, ...]
    after: Mapping[TieId, Pair]


def correction_choices_of_tie(
    knock_out: KnockOut, won: Won, tie: TieId, winner: Pair
) -> tuple[TieChoice, ...]:
    """Choices for a wrongly reported tie.

    ``leave``: the pair that advanced stays in; ``replay``: it is open until it is played again, and
    so is what follows from it; ``re_pair``: the right winner takes the place.

    :raises Refused: it has no result, or the winner is not one of its pairs
    """
    if tie not in won:
        raise Refused(TournamentRule.NOTHING_TO_CORRECT, tie=tie)
    without = {at: who for at, who in won.items() if at != tie}
    return (
        TieChoice("leave", (), (), dict(won)),
        _correction_choice_of_tie("replay", knock_out, won, without),
        _correction_choice_of_tie("re_pair", knock_out, won, {**without, tie: winner}),
    )


def _correction_choice_of_tie(
    what: Settlement, knock_out: KnockOut, won: Won, changed: Mapping[TieId, Pair]
) -> TieChoice:
    before = ties_of_knock_out(knock_out, won)
    pairs = {tie.id: tie.pairs for tie in before}
    kept: dict[TieId, Pair] = {}
    for _, ties in groupby(before, key=lambda tie: tie.id[:2]):
        now = {tie.id: tie.pairs for tie in ties_of_knock_out(knock_out, kept)}
        for tie in ties:
            if tie.id in changed and now[tie.id] == tie.pairs:
                kept[tie.id] = changed[tie.id]
    after = ties_of_knock_out(knock_out, kept)
    return TieChoice(
        what,
        tuple((tie.id, pairs[tie.id], tie.pairs) for tie in after if tie.pairs != pairs[tie.id]),
        tuple(at for at in won if at not in kept),
        kept,
    )
