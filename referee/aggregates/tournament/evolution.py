"""The tournament after each event of its log. It never refuses: only deciders check rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from referee.aggregates.tournament.field import MOST
from referee.aggregates.tournament.formats.places import (
    all_ties,
    knock_out_order_or_empty,
    round_number_of_tie,
    tie_meeting_id,
)
from referee.aggregates.tournament.state import (
    INITIAL,
    UNDECIDED,
    Clock,
    FormerDraw,
    Meeting,
    MeetingOutcome,
    TableHours,
    Tournament,
    TournamentEntry,
    pairing_id,
)
from referee.events import tournament as ev


def fold(events: Iterable[ev.TournamentEvent], state: Tournament = INITIAL) -> Tournament:
    """The tournament after these events."""
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: Tournament, event: ev.TournamentEvent) -> Tournament:
    """The tournament after one event."""
    if isinstance(event, ev.MeetingFollowed):
        return _follow_encuentro(state, event)
    return _evolve_act(replace(state, version=state.version + 1), event)


def _evolve_act(state: Tournament, act: ev.TournamentAct) -> Tournament:  # noqa: C901, PLR0911, PLR0912 - a case an act
    match act:
        case ev.TournamentOpened():
            return replace(state, opened=act)
        case ev.TournamentDated(day):
            assert state.opened is not None
            return replace(state, opened=replace(state.opened, date=day))
        case ev.TournamentPriced():
            return replace(state, price=act)
        case ev.PairEntered() | ev.PairSubstituted() | ev.PairWithdrawn() | ev.PairReturned():
            return _evolve_entry(state, act)
        case ev.PairMovedUp():
            return _with_moved_up(state, act)
        case ev.EntryFeeNoted(pair, is_paid):
            return replace(state, paid=state.paid | {pair} if is_paid else state.paid - {pair})
        case ev.EntriesOpened() | ev.EntriesClosed() | ev.PairApplied():
            return _evolve_own_entries(state, act)
        case ev.AbsenceNoted(pair, number):
            return _give_walkovers(replace(state, absences=state.absences | {(number, pair)}))
        case ev.AbsenceWithdrawn(pair, number):
            return _take_back_walkovers(
                replace(state, absences=state.absences - {(number, pair)}), pair
            )
        case ev.DrawCommitted():
            return replace(state, committed=act)
        case ev.LotsDrawn():
            order = act.order if state.plan.format == "knock_out" else ()
            return _refresh_ties(replace(state, drawn=act, order=order))
        case ev.DrawTakenBack(reason):
            return _without_draw(state, reason)
        case ev.RepechageCommitted():
            return replace(state, repechage=act)
        case ev.RepechageDrawn():
            return _with_second_chances(state, act)
        case ev.RoundDrawn():
            return _with_round(state, act)
        case ev.RoundTakenBack(number):
            return _without_round(state, number)
        case ev.PhaseBegun():
            return _refresh_ties(replace(state, order=act.order))
        case ev.TablesAssigned(tables):
            return _change_meetings(
                state, {at: {"table": n, "is_called": False} for at, n in tables}
            )
        case ev.TablesNamed(names):
            return replace(state, table_names=names)
        case ev.HoursGiven(hours):
            return _with_meeting_hours(state, dict(hours))
        case ev.TableCalled(meeting):
            return _change_meetings(state, {meeting: {"is_called": True}})
        case ev.ClockStarted(number):
            return replace(state, clocks={**state.clocks, number: Clock(act)})
        case ev.ClockStopped(number, at):
            stopped = replace(state.clocks[number], stopped=at)
            return replace(state, clocks={**state.clocks, number: stopped})
        case ev.MeetingHeld(meeting, encuentro):
            fresh = {"encuentro": encuentro, "stage": "open", "followed": UNDECIDED}
            return _change_meetings(state, {meeting: fresh})
        case ev.MeetingReleased(meeting):
            bare = {"encuentro": "", "stage": "open", "followed": UNDECIDED}
            return _change_meetings(state, {meeting: bare})
        case ev.ResultTold():
            now = MeetingOutcome(act.winner, act.cotos, act.partidas, act.is_walkover)
            ended = replace(state.meetings[act.meeting], now=now, is_walked_over=False)
            return _with_outcome_unless_draw_depends(state, ended)
        case ev.ResultTakenBack(meeting):
            return _take_back_result(state, state.meetings[meeting])
        case ev.CorrectionSettled():
            return _with_settled_correction(state, act)
        case ev.TournamentClosed():
            return replace(state, is_closed=True)
        case ev.ListIssued():
            return replace(state, issued=act)
        case ev.TournamentCancelled():
            return replace(state, is_closed=True, is_cancelled=True)
        case ev.TournamentReopened():
            return replace(state, is_closed=False, is_cancelled=False)


# --- who takes part ------------------------------------------------------------------------------


def _evolve_entry(
    state: Tournament, act: ev.PairEntered | ev.PairSubstituted | ev.PairWithdrawn | ev.PairReturned
) -> Tournament:
    """The tournament after an act about an entry.

    Before the draw, a commitment to it becomes void.
    """
    entries, withdrawn = dict(state.entries), dict(state.withdrawn)
    match act:
        case ev.PairEntered(pair, players, strength):
            entries[pair] = TournamentEntry(pair, players, strength, len(state.rounds) + 1)
            state = replace(state, entered=state.entered + 1, entries=entries)
            if state.drawn is not None:
                return _with_late_pair(state, pair)
        case ev.PairSubstituted(pair, players):
            entries[pair] = replace(entries[pair], players=players)
            return replace(state, entries=entries)
        case ev.PairWithdrawn(pair) if state.drawn is None or pair in state.waiting:
            return _without_pair(state, pair)
        case ev.PairWithdrawn(pair):
            entries[pair] = replace(entries[pair], until=len(state.rounds))
            again = [tie.pairs for tie in all_ties(state) if tie.id[0] == "repechage"]
            gone = {pair}.difference(*again)
            left = replace(state, entries=entries, not_drawn=state.not_drawn | gone)
            return _give_walkovers(_refresh_ties(left))
        case ev.PairReturned(pair) if pair in withdrawn:
            entries[pair] = withdrawn.pop(pair)
        case ev.PairReturned(pair):
            entries[pair] = replace(entries[pair], until=None)
            back = replace(state, entries=entries, not_drawn=state.not_drawn - {pair})
            return _take_back_walkovers(_refresh_ties(back), pair)
    committed = state.committed if state.drawn is not None else None
    return replace(state, entries=entries, withdrawn=withdrawn, committed=committed)


def _without_pair(state: Tournament, pair: str) -> Tournament:
    """The tournament less a pair that withdrew before the draw; a waiting pair gets its place."""
    gone = state.waiting.get(pair) or state.entries[pair]
    left = replace(
        state,
        entries={at: one for at, one in state.entries.items() if at != pair},
        waiting={at: one for at, one in state.waiting.items() if at != pair},
        withdrawn={**state.withdrawn, pair: gone},
        committed=state.committed if pair in state.waiting else None,
    )
    return _admit_waiting_pairs(left)


def _without_draw(state: Tournament, reason: str) -> Tournament:
    """The tournament before its draw: late pairs stay entered, and who withdrew is out of it."""
    assert state.committed is not None
    assert state.drawn is not None
    gone = {
        at: replace(one, until=None) for at, one in state.entries.items() if one.until is not None
    }
    former = FormerDraw(state.committed, state.drawn, reason)
    back = replace(
        state,
        entries={at: one for at, one in state.entries.items() if at not in gone},
        withdrawn={**state.withdrawn, **gone},
        former_draws=(*state.former_draws, former),
        absences=frozenset(),
        moved_up=(),
        committed=None,
        drawn=None,
        order=(),
        meetings={},
        clocks={},
        repechage=None,
        repechage_drawn=None,
        second_chances=None,
        not_drawn=frozenset(),
    )
    return _admit_waiting_pairs(back)


def _evolve_own_entries(
    state: Tournament, act: ev.EntriesOpened | ev.EntriesClosed | ev.PairApplied
) -> Tournament:
    match act:
        case ev.EntriesOpened():
            return _admit_waiting_pairs(replace(state, terms=act, are_entries_open=True))
        case ev.EntriesClosed():
            return replace(state, are_entries_open=False, closings=state.closings + 1)
        case ev.PairApplied(pair, players):
            entry = TournamentEntry(
                pair, players, 0, bar=act.bar, phone=act.phone, phone_since=act.date
            )
            waiting = {**state.waiting, pair: entry}
            return _admit_waiting_pairs(replace(state, entered=state.entered + 1, waiting=waiting))


def _admit_waiting_pairs(state: Tournament) -> Tournament:
    """Pairs that wait get the places that are free, in their order; that voids a commitment."""
    if state.terms is None:
        return state
    free = max(0, (state.terms.most or MOST) - len(state.entries))
    placed = dict(list(state.waiting.items())[:free])
    if not placed:
        return state
    waiting = {pair: one for pair, one in state.waiting.items() if pair not in placed}
    entries = {**state.entries, **placed}
    return replace(state, entries=entries, waiting=waiting, committed=None)


def _with_moved_up(state: Tournament, act: ev.PairMovedUp) -> Tournament:
    """The tournament with a waiting pair in, after the draw; in a knock-out in another's place."""
    entry = replace(state.waiting[act.pair], since=len(state.rounds) + 1)
    there = replace(
        state,
        entries={**state.entries, act.pair: entry},
        waiting={at: one for at, one in state.waiting.items() if at != act.pair},
        order=tuple(act.pair if one == act.place_of else one for one in state.order),
        moved_up=(*state.moved_up, act),
    )
    return _refresh_ties(there)


def _with_late_pair(state: Tournament, pair: str) -> Tournament:
    """The tournament with a late pair in its draw; in a knock-out it gets the last bye's place."""
    if state.plan.format != "knock_out":
        return state
    return _refresh_ties(replace(state, order=(*state.order, pair)))


# --- meetings ------------------------------------------------------------------------------------


def _put_meetings(state: Tournament, *meetings: Meeting) -> Tournament:
    new = {one.id: one for one in meetings}
    return replace(state, meetings={**state.meetings, **new})


def _change_meetings(
    state: Tournament, changes: Mapping[ev.MeetingId, Mapping[str, Any]]
) -> Tournament:
    return _put_meetings(
        state, *(replace(state.meetings[at], **new) for at, new in changes.items())
    )


def _with_meeting_hours(state: Tournament, hours: Mapping[ev.MeetingId, str]) -> Tournament:
    """The tournament with meetings at other hours.

    A meeting whose table is taken at its new hour loses the table.
    """
    tables = TableHours(m for m in state.meetings.values() if m.is_open and m.id not in hours)
    changes: dict[ev.MeetingId, Mapping[str, Any]] = {}
    for at, hour in hours.items():
        table = state.meetings[at].table
        changes[at] = {"hour": hour}
        if table and not tables.is_free(hour, table):
            changes[at] = {"hour": hour, "table": 0, "is_called": False}
        elif table:
            tables.take(hour, table)
    return _change_meetings(state, changes)


def _with_round(state: Tournament, drawn: ev.RoundDrawn) -> Tournament:
    """Add a round; its meetings that exist already stay."""
    phase, number = state.plan.format, drawn.number
    state = replace(state, rounds=(*state.rounds[: number - 1], drawn))
    new = [_create_meeting(phase, number, pairing) for pairing in drawn.pairings]
    return _give_walkovers(
        _put_meetings(state, *(one for one in new if one.id not in state.meetings))
    )


def _without_round(state: Tournament, number: int) -> Tournament:
    """The tournament before its last round was drawn."""
    return replace(
        state,
        rounds=state.rounds[: number - 1],
        meetings={at: one for at, one in state.meetings.items() if one.round < number},
        clocks={at: clock for at, clock in state.clocks.items() if at < number},
    )


def _create_meeting(phase: ev.Format, number: int, pairing: tuple[str, str]) -> Meeting:
    return Meeting(pairing_id(phase, number, pairing), phase, number, pairing)


def _refresh_ties(state: Tournament) -> Tournament:
    """Update the ties from the results: new ties are added, obsolete ones removed."""
    if not state.order:
        return state
    ties = all_ties(state)
    final = max(tie.id[1] for tie in ties if tie.id[0] == "main")
    meetings = {at: one for at, one in state.meetings.items() if one.tie is None}
    for tie in ties:
        one, other = tie.pairs
        if one and other:
            number = round_number_of_tie(state, tie.id, final)
            at = tie_meeting_id(number, tie)
            known = state.meetings.get(at)
            meetings[at] = known or Meeting(at, "knock_out", number, (one, other), tie.id)
    return _give_walkovers(replace(state, meetings=meetings))


def _with_second_chances(state: Tournament, drawn: ev.RepechageDrawn) -> Tournament:
    """The tournament with the drawn losers of the first round in the repechage.

    After a correction, the other pair of the tie.
    """
    ties = {
        pair: tie.id for tie in all_ties(state) if tie.id[:2] == ("main", 1) for pair in tie.pairs
    }
    chances = tuple(ties[pair] for pair in drawn.order if pair in ties)
    return _refresh_ties(replace(state, repechage_drawn=drawn, second_chances=chances))


def _give_walkovers(state: Tournament) -> Tournament:
    """The tournament with undecided meetings won by the pair that is there, if the other is not."""
    if not state.absences and all(one.until is None for one in state.entries.values()):
        return state
    won = []
    for one in state.meetings.values():
        if one.now == one.counts == UNDECIDED:
            there = [pair for pair in one.pairs if not state.is_out_of_round(pair, one.round)]
            if len(there) == 1:
                outcome = MeetingOutcome(there[0], is_walkover=True)
                won.append(replace(one, now=outcome, is_walked_over=True))
    for one in won:
        state = _put_meetings(state, replace(one, counts=one.now))
    return _refresh_ties(state) if won else state


def _take_back_walkovers(state: Tournament, pair: str) -> Tournament:
    """The tournament with meetings open again that a pair lost by absence, once it is there."""
    back = [
        replace(one, now=UNDECIDED, counts=UNDECIDED, is_walked_over=False)
        for one in state.meetings.values()
        if one.is_walked_over
        and pair in one.pairs
        and one.now.winner != pair
        and not state.is_out_of_round(pair, one.round)
    ]
    return _give_walkovers(_refresh_ties(_put_meetings(state, *back))) if back else state


# --- results -------------------------------------------------------------------------------------


def _follow_encuentro(state: Tournament, event: ev.MeetingFollowed) -> Tournament:
    """Follow the encuentro of a meeting. Only a changed outcome replaces a later report."""
    meeting = state.meetings[event.meeting]
    outcome = UNDECIDED
    if event.stage != "open":
        outcome = MeetingOutcome(event.winner, event.cotos, event.partidas)
    is_new = outcome != meeting.followed
    meeting = replace(meeting, stage=event.stage, followed=outcome)
    if not is_new:
        return _put_meetings(state, meeting)
    return _with_outcome_unless_draw_depends(
        state, replace(meeting, now=outcome, is_walked_over=False)
    )


def _take_back_result(state: Tournament, meeting: Meeting) -> Tournament:
    """The tournament less the result told of a meeting: what its encuentro says stands again."""
    back = replace(meeting, now=meeting.followed, settled=None, is_walked_over=False)
    return _give_walkovers(
        _refresh_ties(_put_meetings(state, replace(back, counts=back.reported_outcome)))
    )


def _with_outcome_unless_draw_depends(state: Tournament, meeting: Meeting) -> Tournament:
    """The tournament with a meeting's new outcome; it counts unless a draw depends on the old."""
    if meeting.reported_outcome == meeting.counts:
        return _put_meetings(state, replace(meeting, settled=None))
    counted = _put_meetings(state, replace(meeting, counts=meeting.reported_outcome, settled=None))
    if _would_change_later_draw(state, meeting, counted):
        return _put_meetings(state, meeting)
    return _refresh_ties(counted)


def _would_change_later_draw(state: Tournament, meeting: Meeting, counted: Tournament) -> bool:
    """Whether something drawn later would change if the new result of a meeting counted."""
    is_dealt = state.repechage_drawn is not None and meeting.round == 1
    if meeting.is_open and not is_dealt:
        return False
    if meeting.tie is not None:
        after = {tie.id: tie.pairs for tie in all_ties(counted)}
        before = (tie for tie in all_ties(state) if all(tie.pairs))
        return any(after.get(tie.id) != tie.pairs for tie in before)
    if meeting.phase == "swiss":
        is_last = len(state.rounds) == meeting.round
        was, now = meeting.counts, meeting.reported_outcome
        is_another = (was.winner, was.is_lost_by_both) != (now.winner, now.is_lost_by_both)
        return not is_last and is_another
    return bool(state.order) and knock_out_order_or_empty(state) != knock_out_order_or_empty(
        counted
    )


def _with_settled_correction(state: Tournament, act: ev.CorrectionSettled) -> Tournament:
    meeting = state.meetings[act.meeting]
    is_tie = meeting.tie is not None
    if act.what == "replay":
        bare = Meeting(
            *(getattr(meeting, name) for name in ("id", "phase", "round", "pairs", "tie"))
        )
        return _refresh_ties(_put_meetings(state, bare))
    if act.what == "leave" and is_tie:
        return _put_meetings(state, replace(meeting, settled=meeting.reported_outcome))
    state = _put_meetings(state, replace(meeting, counts=meeting.reported_outcome, settled=None))
    if act.what == "leave" or is_tie:
        return _refresh_ties(state)
    if meeting.phase == "groups":
        return _refresh_ties(replace(state, order=act.order))
    drawn = ev.RoundDrawn(meeting.round + 1, act.pairings, act.byes)
    stay = {pairing_id("swiss", drawn.number, pairing) for pairing in drawn.pairings}
    meetings = {
        at: one for at, one in state.meetings.items() if one.round <= meeting.round or at in stay
    }
    clocks = {n: clock for n, clock in state.clocks.items() if n <= drawn.number}
    return _with_round(replace(state, meetings=meetings, clocks=clocks), drawn)
