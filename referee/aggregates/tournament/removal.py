"""What a director takes back: an absence, a withdrawal, a result, an encuentro, the closing."""

from __future__ import annotations

from typing import TypeAlias

from referee.aggregates.tournament.entries import check_players
from referee.aggregates.tournament.evolution import evolve
from referee.aggregates.tournament.field import FEWEST, MOST, Pair
from referee.aggregates.tournament.rules import TournamentRule
from referee.aggregates.tournament.state import Meeting, Tournament
from referee.errors import Refused
from referee.events import tournament as ev

UndoingAct: TypeAlias = (
    ev.AbsenceWithdrawn
    | ev.PairReturned
    | ev.MeetingReleased
    | ev.ResultTakenBack
    | ev.RoundTakenBack
    | ev.DrawTakenBack
    | ev.TournamentReopened
)


def refuse_impossible_undo(act: UndoingAct, state: Tournament) -> None:
    """Refuse to take back what was not recorded, and what a later draw or result depends on.

    :raises Refused: it was not noted, or the next round is drawn, or the next tie begun
    """
    match act:
        case ev.AbsenceWithdrawn(pair, number):
            if (number, pair) not in state.absences:
                raise Refused(TournamentRule.NOT_NOTED, pair=pair, round=number)
            if number <= len(state.rounds) and not _is_pair_in_round(state, pair, number):
                raise Refused(TournamentRule.LATER_DRAWN, pair=pair, round=number)
            refuse_later_dependence(act, state)
        case ev.PairReturned(pair):
            _refuse_pair_return(state, pair)
            refuse_later_dependence(act, state)
        case ev.DrawTakenBack():
            _refuse_draw_back(state)
        case ev.MeetingReleased() | ev.ResultTakenBack() | ev.RoundTakenBack():
            _refuse_impossible_meeting_undo(act, state)
        case ev.TournamentReopened():
            if not state.is_closed:
                raise Refused(TournamentRule.NOT_NOTED)


def _refuse_impossible_meeting_undo(
    act: ev.MeetingReleased | ev.ResultTakenBack | ev.RoundTakenBack, state: Tournament
) -> None:
    match act:
        case ev.MeetingReleased(meeting):
            found = state.meetings.get(meeting)
            if found is None or not found.encuentro:
                raise Refused(TournamentRule.NOT_NOTED, meeting=meeting)
            if found.followed.is_decided:
                raise Refused(TournamentRule.MEETING_OVER, meeting=meeting)
        case ev.ResultTakenBack(meeting):
            _refuse_result_back(state, meeting)
            refuse_later_dependence(act, state)
        case ev.RoundTakenBack(number):
            _refuse_round_back(state, number)


def _refuse_result_back(state: Tournament, meeting: ev.MeetingId) -> None:
    """Refuse to take back a result that was not told or whose correction is still pending."""
    found = state.meetings.get(meeting)
    if found is None or found.is_walked_over or found.now == found.followed:
        raise Refused(TournamentRule.NOT_NOTED, meeting=meeting)
    if found.is_correction_pending:
        raise Refused(TournamentRule.LATER_DRAWN, meeting=meeting)


def _refuse_round_back(state: Tournament, number: int) -> None:
    """Refuse to take back a round that is not the last one drawn, or has a meeting begun."""
    if not state.rounds or number != len(state.rounds):
        raise Refused(TournamentRule.NOT_NOTED, round=number)
    held = (one for one in state.meetings.values() if one.round == number)
    if state.order or any(map(is_meeting_begun, held)):
        raise Refused(TournamentRule.LATER_DRAWN, round=number)


def _refuse_draw_back(state: Tournament) -> None:
    """Refuse to take back the draw once a round was drawn by it, or a meeting has begun."""
    if state.drawn is None:
        raise Refused(TournamentRule.NOT_DRAWN)
    begun = [one.id for one in state.meetings.values() if is_meeting_begun(one)]
    if state.rounds or begun:
        raise Refused(TournamentRule.LATER_DRAWN, meetings=begun)


def _is_pair_in_round(state: Tournament, pair: Pair, number: int) -> bool:
    drawn = state.rounds[number - 1]
    return any(pair in pairing for pairing in (*drawn.pairings, drawn.byes))


def _refuse_pair_return(state: Tournament, pair: Pair) -> None:
    entry = state.withdrawn.get(pair) or state.entries.get(pair)
    if entry is None or (pair in state.entries and entry.until is None):
        raise Refused(TournamentRule.NOT_NOTED, pair=pair)
    is_taken = bool(state.order) and pair in {one.place_of for one in state.moved_up}
    is_late = is_taken or (state.drawn is not None and pair in state.withdrawn)
    if is_late or entry.until not in (None, len(state.rounds)):
        raise Refused(TournamentRule.LATER_DRAWN, pair=pair)
    if pair in state.withdrawn and len(state.entries) == MOST:
        raise Refused(TournamentRule.PAIRS_NUMBER, found=MOST + 1, least=FEWEST, most=MOST)
    check_players(entry.players, state, pair)


def refuse_later_dependence(act: ev.TournamentAct, state: Tournament) -> None:
    """Refuse an act that changes a walkover or bye on which a draw or a begun meeting rests.

    :raises Refused: so it does
    """
    after = evolve(state, act)
    for one in state.meetings.values():
        now = after.meetings.get(one.id)
        if (now is None and is_meeting_begun(one)) or (
            now is not None and now.counts != one.counts and _has_later_draw(one, state)
        ):
            raise Refused(TournamentRule.LATER_DRAWN, meeting=one.id)


def is_meeting_begun(one: Meeting) -> bool:
    """Whether something was recorded at a meeting: an encuentro, or a result that is no absence."""
    return bool(one.encuentro) or (one.now.is_decided and not one.is_walked_over)


def refuse_impossible_move_up(act: ev.PairMovedUp, state: Tournament) -> None:
    """Refuse a pair that does not wait, and the place of one that is in or has played.

    :raises Refused: so it is, or the format takes no pairs after the draw, or somebody plays twice
    """
    gone = state.entries.get(act.place_of)
    if act.pair not in state.waiting or gone is None or gone.until is None:
        raise Refused(TournamentRule.PAIR_UNKNOWN, pair=act.pair)
    if state.plan.format not in ("knock_out", "swiss"):
        raise Refused(TournamentRule.TOO_LATE, format=state.plan.format)
    if state.plan.format == "swiss" and len(state.rounds) >= state.plan.rounds:
        raise Refused(TournamentRule.ROUNDS_OVER, rounds=state.plan.rounds)
    is_taken = act.place_of in {one.place_of for one in state.moved_up}
    held = [one for one in state.meetings.values() if act.place_of in one.pairs]
    begun = [m.id for m in held if is_meeting_begun(m) or m.counts.winner == act.place_of]
    if is_taken or (begun and state.order):
        raise Refused(TournamentRule.LATER_DRAWN, meetings=begun)
    check_players(state.waiting[act.pair].players, state)
    refuse_later_dependence(act, state)


def _has_later_draw(one: Meeting, state: Tournament) -> bool:
    """Whether something was drawn after the round of a meeting."""
    return one.tie is None and (one.round < len(state.rounds) or bool(state.order))
