"""The tournament as a decider: which acts are possible, and the values that it computes for them.

A request has the type of the recorded act. Values that follow from the record (the number of a
pair, an order, a round, a repeated draw) are computed here and replace those of the request.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from referee.aggregates.encuentro import Encuentro, encuentro_outcome
from referee.aggregates.tournament.entries import (
    all_entries,
    check_opening,
    decide_entry,
    decide_own_entries,
    pairs_by_strength,
    refuse_before_draw,
)
from referee.aggregates.tournament.evolution import evolve, fold
from referee.aggregates.tournament.field import MOST, NOBODY, Pair
from referee.aggregates.tournament.formats.knock_out import is_main_bracket_over
from referee.aggregates.tournament.formats.outlook import next_round_by_method
from referee.aggregates.tournament.formats.places import (
    NAMED,
    all_ties,
    is_over_and_settled,
    list_pairs_by_place,
    require_knock_out_order,
)
from referee.aggregates.tournament.lots import LotsCommitment, refuse_impossible_lots, reveal_lots
from referee.aggregates.tournament.removal import (
    is_meeting_begun,
    refuse_impossible_move_up,
    refuse_impossible_undo,
    refuse_later_dependence,
)
from referee.aggregates.tournament.repechage import decide_repechage
from referee.aggregates.tournament.rules import TournamentRule
from referee.aggregates.tournament.settlement import settle_correction
from referee.aggregates.tournament.state import (
    Meeting,
    TableHours,
    Tournament,
    history_of_rounds,
    lots_to_draw,
    round_robin_rounds,
)
from referee.errors import Refused
from referee.events import tournament as ev
from referee.events.tournament import MeetingFollowed

AFTER_THE_END = (
    *(ev.ResultTold, ev.ResultTakenBack, ev.CorrectionSettled),
    *(ev.MeetingHeld, ev.MeetingReleased, ev.TournamentReopened, ev.TournamentDated),
    *(ev.TournamentPriced, ev.EntryFeeNoted, ev.ListIssued),
)
"""Acts that are possible after the end: those of a late correction, and what is beside results."""


def decide(act: ev.TournamentAct, state: Tournament) -> tuple[ev.TournamentAct, ...]:
    """The act as it is recorded, with the values that are computed for it.

    :raises Refused: it is impossible: a code, and the facts against it
    """
    if isinstance(act, ev.TournamentOpened):
        check_opening(act, state)
        return (act,)
    if state.is_closed and not isinstance(act, AFTER_THE_END):
        raise Refused(TournamentRule.TOURNAMENT_OVER)
    return (_decide_act(act, state),)


def is_possible(act: ev.TournamentAct, state: Tournament) -> bool:
    """Whether an act would be recorded, and not refused."""
    try:
        decide(act, state)
    except Refused:
        return False
    return True


def promotion_acts_after_withdrawal(
    state: Tournament, act: ev.TournamentAct
) -> tuple[ev.PairMovedUp, ...]:
    """Act by which the first pair that waits and can play gets the place of one that withdrew.

    Else none.
    """
    if not isinstance(act, ev.PairWithdrawn) or state.drawn is None:
        return ()
    moves = (ev.PairMovedUp(pair, act.pair) for pair in state.waiting)
    found = next((one for one in moves if is_possible(one, state)), None)
    return () if found is None else (found,)


def result_acts_after_absence(
    state: Tournament, act: ev.TournamentAct
) -> tuple[ev.TournamentAct, ...]:
    """Results that follow when, after an act, neither pair of a meeting is there, or one is again.

    Both lose it. A pair that withdraws after a walkover in a round of points was there for it, as
    far as is known; in a knock-out it goes on to nothing.
    """
    match act:
        case ev.AbsenceNoted(pair, number):
            found = [one for one in _meetings_of(state, pair) if one.round == number]
        case ev.PairWithdrawn(pair):
            found = [one for one in _meetings_of(state, pair) if one.tie is not None]
        case ev.AbsenceWithdrawn(pair) | ev.PairReturned(pair):
            back = (one for one in _meetings_of(state, pair) if one.now.is_lost_by_both)
            again = [one for one in back if not state.is_out_of_round(pair, one.round)]
            return tuple(
                taken
                for taken in (ev.ResultTakenBack(one.id) for one in again)
                if is_possible(taken, state)
            )
        case _:
            return ()
    lost: list[ev.TournamentAct] = []
    for one in found:
        is_lost = all(state.is_out_of_round(pair, one.round) for pair in one.pairs)
        if is_lost and (one.is_open or one.is_walked_over) and one.id in state.meetings:
            more = _double_loss_acts(state, one)
            state = fold(more, state)
            lost += more
    return tuple(lost)


def _double_loss_acts(state: Tournament, meeting: Meeting) -> tuple[ev.TournamentAct, ...]:
    """Acts by which both pairs lose a meeting.

    None if something was begun at a tie that would change.
    """
    told = ev.ResultTold(meeting.id, is_walkover=True)
    after = evolve(state, told)
    if not after.meetings[meeting.id].is_correction_pending:
        return (told,)
    if meeting.tie is None:
        return ()
    settled = ev.CorrectionSettled(meeting.id, "re_pair", winner=NOBODY)
    kept = evolve(after, settled).meetings
    begun = any(is_meeting_begun(one) for at, one in state.meetings.items() if at not in kept)
    return () if begun else (told, settled)


def _meetings_of(state: Tournament, pair: Pair) -> list[Meeting]:
    return [one for one in state.meetings.values() if pair in one.pairs]


def table_acts_after_settlement(
    state: Tournament, settled: Tournament
) -> tuple[ev.TablesAssigned, ...]:
    """The act that gives waiting meetings the tables that a settled correction freed, if any.

    The director's own choice, to give no tables at all, is kept.
    """
    now = settled.meetings
    is_freed = any(
        one.table and (at not in now or now[at].table != one.table)
        for at, one in state.meetings.items()
    )
    act = ev.TablesAssigned()
    return (act,) if is_freed and is_possible(act, settled) else ()


def _decide_act(act: ev.TournamentAct, state: Tournament) -> ev.TournamentAct:  # noqa: C901, PLR0911, PLR0912 - a case an act
    match act:
        case ev.PairEntered():
            entered = decide_entry(act, state)
            refuse_later_dependence(entered, state)
            return entered
        case ev.PairSubstituted() | ev.PairWithdrawn() | ev.AbsenceNoted():
            return decide_entry(act, state)
        case ev.PairMovedUp():
            refuse_impossible_move_up(act, state)
            return act
        case ev.EntryFeeNoted(pair):
            if pair not in all_entries(state):
                raise Refused(TournamentRule.PAIR_UNKNOWN, pair=pair)
            return act
        case ev.EntriesOpened() | ev.EntriesClosed() | ev.PairApplied():
            return decide_own_entries(act, state)
        case (
            ev.AbsenceWithdrawn()
            | ev.PairReturned()
            | ev.MeetingReleased()
            | ev.ResultTakenBack()
            | ev.RoundTakenBack()
            | ev.DrawTakenBack()
            | ev.TournamentReopened()
        ):
            refuse_impossible_undo(act, state)
            return act
        case ev.DrawCommitted():
            return _decide_commitment(act, state)
        case ev.LotsDrawn():
            return _decide_lots(act, state)
        case ev.RepechageCommitted() | ev.RepechageDrawn():
            return decide_repechage(act, state)
        case ev.RoundDrawn():
            return _decide_round(act, state)
        case ev.PhaseBegun():
            return _decide_knock_out_phase(state)
        case ev.TablesAssigned():
            return _decide_tables(act, state)
        case ev.HoursGiven(()):
            raise Refused(TournamentRule.MEETING_OVER)
        case ev.HoursGiven(hours):
            for meeting, _ in hours:
                _require_open_meeting(state, meeting)
            return act
        case ev.TableCalled(meeting):
            if not _require_open_meeting(state, meeting).table:
                raise Refused(TournamentRule.TABLE_MISSING, meeting=meeting)
            return act
        case ev.ClockStarted() | ev.ClockStopped():
            return _decide_clock(act, state)
        case ev.MeetingHeld():
            return _decide_encuentro_of_meeting(act, state)
        case ev.ResultTold():
            return _decide_result(act, state)
        case ev.CorrectionSettled():
            return settle_correction(state, act)
        case ev.TournamentClosed():
            _refuse_unfinished(state)
            return act
        case ev.ListIssued():
            return _decide_standings_list(act, state)
        case (
            ev.TournamentDated()
            | ev.TournamentPriced()
            | ev.TablesNamed()
            | ev.TournamentCancelled()
        ):
            return act
        case _:
            raise AssertionError(act)


# --- the draw ------------------------------------------------------------------------------------


def _decide_commitment(act: ev.DrawCommitted, state: Tournament) -> ev.DrawCommitted:
    if state.drawn is not None:
        raise Refused(TournamentRule.ALREADY_DRAWN)
    act = replace(act, pairs=pairs_by_strength(state))
    refuse_impossible_lots(lots_to_draw(state, act))
    return act


def _decide_lots(act: ev.LotsDrawn, state: Tournament) -> ev.LotsDrawn:
    if state.drawn is not None:
        raise Refused(TournamentRule.ALREADY_DRAWN)
    if state.committed is None:
        raise Refused(TournamentRule.NOT_COMMITTED)
    lots = lots_to_draw(state, state.committed)
    before = LotsCommitment(lots.draw_version, lots, state.committed.commitment)
    return replace(act, order=reveal_lots(before, act.seed, act.word).outcome.order)


def _refuse_unsettled(state: Tournament) -> None:
    """Refuse a new draw while a meeting is open or a correction pending."""
    refuse_before_draw(state)
    pending = [one.id for one in state.meetings_with_pending_correction()]
    if pending:
        raise Refused(TournamentRule.CORRECTION_PENDING, meetings=pending)
    left = [one.id for one in state.meetings.values() if one.is_open]
    if left:
        raise Refused(TournamentRule.ROUND_OPEN, meetings=left)


def _decide_round(act: ev.RoundDrawn, state: Tournament) -> ev.RoundDrawn:
    plan, number = state.plan, len(state.rounds) + 1
    if plan.format == "knock_out" or state.order:
        raise Refused(TournamentRule.NOT_IN_THIS_FORMAT, format="knock_out")
    _refuse_unsettled(state)
    if plan.format != "swiss":
        circle = round_robin_rounds(state)
        if number > len(circle):
            raise Refused(TournamentRule.ROUNDS_OVER, rounds=len(circle))
        return circle[number - 1]
    if number > plan.rounds:
        raise Refused(TournamentRule.ROUNDS_OVER, rounds=plan.rounds)
    absent = frozenset(pair for at, pair in state.absences if at == number)
    away = absent if plan.absence == "not_paired" else frozenset()
    found = next_round_by_method(act.method, history_of_rounds(state), away, plan.rounds)
    if found.bye in absent:  # an absent pair gets no bye
        found = next_round_by_method(
            act.method, history_of_rounds(state), frozenset({found.bye}), plan.rounds
        )
    byes = (found.bye,) if found.bye != NOBODY else ()
    return ev.RoundDrawn(number, found.pairings, byes, act.method)


def _decide_knock_out_phase(state: Tournament) -> ev.PhaseBegun:
    if state.plan.format != "groups":
        raise Refused(TournamentRule.NOT_IN_THIS_FORMAT, format=state.plan.format)
    if state.order:
        raise Refused(TournamentRule.ALREADY_DRAWN)
    _refuse_unsettled(state)
    _refuse_undrawn_rounds(state)
    return ev.PhaseBegun(require_knock_out_order(state))


def _refuse_undrawn_rounds(state: Tournament) -> None:
    left = len(round_robin_rounds(state)) - len(state.rounds)
    if left:
        raise Refused(TournamentRule.ROUNDS_LEFT, rounds=left)


# --- meetings ------------------------------------------------------------------------------------


def _require_meeting(state: Tournament, meeting: str) -> Meeting:
    if meeting not in state.meetings:
        raise Refused(TournamentRule.MEETING_UNKNOWN, meeting=meeting)
    return state.meetings[meeting]


def _require_open_meeting(state: Tournament, meeting: str) -> Meeting:
    found = _require_meeting(state, meeting)
    if not found.is_open:
        raise Refused(TournamentRule.MEETING_OVER, meeting=meeting)
    return found


def _decide_tables(act: ev.TablesAssigned, state: Tournament) -> ev.TablesAssigned:
    """Tables as given; if none are given, the lowest free ones for meetings without a table.

    A table is free for a meeting if no other has it at the same hour.
    """
    refuse_before_draw(state)
    waiting = [one for one in state.meetings.values() if one.is_open]
    moved = {meeting for meeting, _ in act.tables}
    tables = TableHours(one for one in waiting if one.id not in moved)
    most = state.plan.tables or MOST
    if not act.tables:
        found = tuple(_assign_lowest_tables(waiting, tables, most))
        if not found:
            raise Refused(TournamentRule.TABLE_MISSING)
        return ev.TablesAssigned(found)
    for meeting, number in act.tables:
        hour = _require_open_meeting(state, meeting).hour
        if not 1 <= number <= most or not tables.is_free(hour, number):
            raise Refused(TournamentRule.TABLE_TAKEN, table=number)
        tables.take(hour, number)
    return act


def _assign_lowest_tables(
    waiting: Sequence[Meeting], tables: TableHours, most: int
) -> Iterator[tuple[str, int]]:
    """Ids of waiting meetings with the lowest table free at their hour, which is then taken."""
    for one in waiting:
        if not one.table:
            number = next((n for n in range(1, most + 1) if tables.is_free(one.hour, n)), 0)
            if number:
                tables.take(one.hour, number)
                yield one.id, number


def _decide_clock(
    act: ev.ClockStarted | ev.ClockStopped, state: Tournament
) -> ev.ClockStarted | ev.ClockStopped:
    if not 1 <= act.round <= state.last_round_number:
        raise Refused(TournamentRule.ROUND_UNKNOWN, round=act.round)
    if isinstance(act, ev.ClockStopped):
        clock = state.clocks.get(act.round)
        if clock is None or clock.stopped:
            raise Refused(TournamentRule.CLOCK_STOPPED, round=act.round)
        return act
    minutes = act.minutes or state.plan.minutes
    if not minutes:
        raise Refused(TournamentRule.MINUTES_MISSING, round=act.round)
    return replace(act, minutes=minutes)


def _decide_encuentro_of_meeting(act: ev.MeetingHeld, state: Tournament) -> ev.MeetingHeld:
    found = _require_open_meeting(state, act.meeting)
    if found.encuentro:
        raise Refused(TournamentRule.MEETING_HELD, meeting=act.meeting)
    return act


def _decide_result(act: ev.ResultTold, state: Tournament) -> ev.ResultTold:
    found = _require_meeting(state, act.meeting)
    if act.winner not in (*found.pairs, NOBODY):
        raise Refused(TournamentRule.WINNER_UNKNOWN, meeting=act.meeting, winner=act.winner)
    if act.winner == NOBODY and found.tie is not None and not act.is_walkover:
        raise Refused(TournamentRule.WINNER_MISSING, meeting=act.meeting)
    return act


def _refuse_unfinished(state: Tournament) -> None:
    _refuse_unsettled(state)
    plan = state.plan
    if not state.meetings:
        raise Refused(TournamentRule.NOT_OVER)
    if plan.format == "round_robin":
        _refuse_undrawn_rounds(state)
    if plan.format in ("knock_out", "groups") and not is_main_bracket_over(all_ties(state)):
        raise Refused(TournamentRule.NOT_OVER)


def _decide_standings_list(act: ev.ListIssued, state: Tournament) -> ev.ListIssued:
    """The act that issues the standings as a list, with the standings as they are now."""
    if not is_over_and_settled(state):
        raise Refused(TournamentRule.NOT_OVER)
    pairs = list_pairs_by_place(state)
    if len(act.digests) != len(NAMED) + len(pairs):
        raise Refused(TournamentRule.LIST_OTHERWISE)
    return replace(act, pairs=pairs)


def outcome_event_if_changed(meeting: Meeting, match: Encuentro) -> MeetingFollowed | None:
    """Event by which a tournament takes over how an encuentro stands.

    None if it has that already.
    """
    outcome = encuentro_outcome(match)
    winner = dict(zip("AB", meeting.pairs, strict=True)).get(outcome.winner, "")
    event = MeetingFollowed(
        meeting.encuentro, meeting.id, winner, outcome.cotos, outcome.partidas, outcome.stage
    )
    return None if event == last_outcome_event_of_meeting(meeting) else event


def last_outcome_event_of_meeting(meeting: Meeting) -> MeetingFollowed:
    """Outcome of the encuentro of a meeting that the tournament recorded last, as an event."""
    o = meeting.followed
    return MeetingFollowed(
        meeting.encuentro, meeting.id, o.winner or "", o.cotos, o.partidas, meeting.stage
    )
