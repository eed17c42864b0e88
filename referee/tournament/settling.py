"""What can be done about a result that changed too late, and what each choice would change.

A choice is the act that would settle it; what it would change is the difference between the
tournament now and after that act, so that a preview is what comes of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
from msgspec.structs import replace

from referee.errors import Refused
from referee.events.tournament import CorrectionSettled, MeetingId, Settlement
from referee.tournament.corrections import Moved, choices
from referee.tournament.field import NOBODY, Pair
from referee.tournament.folding import evolve
from referee.tournament.formats.bracket import ties_now
from referee.tournament.formats.knock_out import TieId
from referee.tournament.formats.placing import crossing_of, group_tables, knock_out_table, table_of
from referee.tournament.history import points_of
from referee.tournament.rules import TournamentRule
from referee.tournament.state import Meeting, Tournament, history_of, met_of

WHATS: tuple[Settlement, ...] = ("leave", "replay", "re_pair")


class CorrectionChoice(msgspec.Struct, frozen=True):
    """A choice: the act that takes it, and what would be otherwise.

    ``gone``, ``new``, ``void``, ``to_play``: ids of meetings that go, that come, whose result
    would no longer count, and that must be played because of it. ``changed``: ties in which others
    would stand, with who stands there now and then. ``problem``: why it cannot be chosen.
    """

    act: CorrectionSettled
    moved: tuple[Moved, ...] = ()
    gone: tuple[MeetingId, ...] = ()
    new: tuple[MeetingId, ...] = ()
    void: tuple[MeetingId, ...] = ()
    to_play: tuple[MeetingId, ...] = ()
    changed: tuple[tuple[TieId, tuple[Pair | None, ...], tuple[Pair | None, ...]], ...] = ()
    problem: str = ""


def options_of(state: Tournament, meeting_id: MeetingId) -> tuple[CorrectionChoice, ...]:
    """What can be done about the correction of a meeting that is pending.

    :raises Refused: there is none
    """
    meeting = state.meetings.get(meeting_id)
    if meeting is None or not meeting.is_pending:
        raise Refused(TournamentRule.NOTHING_TO_CORRECT, meeting=meeting_id)
    return tuple(_option(state, meeting, what) for what in WHATS)


def settling(state: Tournament, asked: CorrectionSettled) -> CorrectionSettled:
    """The act that takes a choice, with what is drawn again because of it.

    :raises Refused: there is nothing to settle, or it cannot be settled like this
    """
    meeting = state.meetings.get(asked.meeting)
    if meeting is None or not meeting.is_pending:
        raise Refused(TournamentRule.NOTHING_TO_CORRECT, meeting=asked.meeting)
    if asked.winner not in (None, meeting.told.winner):
        raise Refused(TournamentRule.CORRECTION_CHANGED, meeting=asked.meeting)
    return replace(_act(state, meeting, asked.what), winner=asked.winner)


def _act(state: Tournament, meeting: Meeting, what: Settlement) -> CorrectionSettled:
    act = CorrectionSettled(meeting.id, what)
    if what != "re_pair" or meeting.tie is not None:
        return act
    if not meeting.told.is_decided:
        raise Refused(TournamentRule.ROUND_OPEN, meetings=[meeting.id])
    if meeting.phase == "groups":
        counted = replace(meeting, counts=meeting.told)
        return replace(act, order=crossing_of(_with(state, counted)))
    found = next(
        one
        for one in choices(history_of(state), met_of(meeting, meeting.told))
        if one.what == "re_pair"
    )
    if found.problem:
        raise Refused(TournamentRule(found.problem), round=meeting.round + 1)
    again = found.after.rounds[meeting.round]
    return replace(act, pairings=again.pairings, byes=(again.bye,) if again.bye != NOBODY else ())


def _with(state: Tournament, meeting: Meeting) -> Tournament:
    return replace(state, meetings={**state.meetings, meeting.id: meeting})


def _option(state: Tournament, meeting: Meeting, what: Settlement) -> CorrectionChoice:
    try:
        act = _act(state, meeting, what)
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
        act, tuple(_moved(state, after)), gone, new, void, to_play, _ties(state, after)
    )


def _ties(
    state: Tournament, after: Tournament
) -> tuple[tuple[TieId, tuple[Pair | None, ...], tuple[Pair | None, ...]], ...]:
    was = {tie.id: tie.pairs for tie in ties_now(state)}
    return tuple(
        (tie.id, was[tie.id], tie.pairs)
        for tie in ties_now(after)
        if tie.id in was and was[tie.id] != tie.pairs
    )


def _moved(state: Tournament, after: Tournament) -> Iterator[Moved]:
    was = _places(state)
    for pair, (place, points) in _places(after).items():
        if was[pair] != (place, points):
            yield Moved(pair, (was[pair][0], place), (was[pair][1], points))


def _places(state: Tournament) -> Mapping[Pair, tuple[int, int]]:
    """Place and points of each pair: in the knock-out if there is one, else in its table."""
    if state.order:
        return {row.pair: (row.place, 0) for row in knock_out_table(state, ties_now(state))}
    tables = group_tables(state) if state.plan.format == "groups" else (table_of(state),)
    return {row.pair: (row.place, points_of(row.points)) for rows in tables for row in rows}
