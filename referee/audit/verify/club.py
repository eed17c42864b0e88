"""Verification of the streams of the club, from its access to its tournaments.

Each act is decided again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import UnionType
from typing import Any, Generic, NamedTuple, TypeVar, get_args
from uuid import UUID

from msgspec.structs import replace

from referee import events as ev
from referee.aggregates import access, club, encuentro, road, season, session
from referee.aggregates import club_rules as rules
from referee.aggregates.league import state as league
from referee.aggregates.league.decider import decide as decide_league
from referee.aggregates.publication import INITIAL as PUBLICATION_BEGINNING
from referee.aggregates.publication import decide as decide_publication
from referee.aggregates.publication import evolve as evolve_publication
from referee.aggregates.ranking import INITIAL as RANKING_BEGINNING
from referee.aggregates.ranking import decide as decide_ranking
from referee.aggregates.ranking import evolve as evolve_ranking
from referee.aggregates.session_tables import persons_by_seat
from referee.aggregates.tournament.decider import decide as decide_tournament
from referee.aggregates.tournament.decider import (
    last_outcome_event_of_meeting,
    outcome_event_if_changed,
)
from referee.aggregates.tournament.evolution import evolve as evolve_tournament
from referee.aggregates.tournament.state import INITIAL, Meeting, Tournament
from referee.audit.checkpoint import is_public_key
from referee.audit.verify.streams import (
    Histories,
    StreamDifference,
    difference_at_event,
    sequence_differences,
)
from referee.errors import Refused
from referee.events.tournament import MeetingFollowed, MeetingHeld, MeetingId
from referee.log.mapper import RecordedEvent

DecidedT = TypeVar("DecidedT")
_ACTS, _OF_ENCUENTRO = get_args(ev.TournamentAct), get_args(ev.EncuentroEvent)
_WHOLE = 2**62
_OPENING = 2
"""Events with which an encuentro of a session begins: opened, seated."""


class _Decider(NamedTuple, Generic[DecidedT]):
    initial: DecidedT
    decide: Callable[[Any, DecidedT], tuple[Any, ...]]
    evolve: Callable[[DecidedT, Any], DecidedT]


def differences_in_access(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """Differences in the stream of access: impossible acts, and events of another kind.

    An act that names another author than its envelope was impossible too.
    """
    for at in history:
        if isinstance(at.event, ev.AccessAct) and at.event.by not in ("", at.by):
            yield difference_at_event(at, "impossible_act", at.event)
            return
    yield from _differences_when_decided_again(
        history, ev.AccessAct, _Decider(access.INITIAL, access.decide, access.evolve)
    )


def differences_in_club(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """Differences in the stream of the club: impossible acts, and events of another kind."""
    yield from _differences_when_decided_again(
        history, ev.ClubAct, _Decider(club.INITIAL, club.decide, club.evolve)
    )


def differences_in_rules(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """Differences in the stream of the club's rules: impossible acts, events of another kind."""
    yield from _differences_when_decided_again(
        history, ev.RulesAct, _Decider(rules.INITIAL, rules.decide, rules.evolve)
    )


def differences_in_settings(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """Differences in the stream of settings: events of another kind, wrong lines or versions."""
    yield from _sequence_and_kind_differences(history, ev.SettingsAct)


def differences_in_webhooks(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """Differences in the stream of webhooks: events of another kind, wrong lines or versions."""
    yield from _sequence_and_kind_differences(history, ev.WebhookAct)


def differences_in_house(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """Differences in the stream of the house.

    Events of another kind, wrong lines, and impossible acts.

    These are a founding that is not the first act, a notary without a public key, and an older copy
    that was not shorter than what was signed.
    """
    yield from _sequence_and_kind_differences(history, ev.HouseAct)
    for at in history:
        if not _is_possible_house_act(at):
            yield difference_at_event(at, "impossible_act", at.event)


def _is_possible_house_act(at: RecordedEvent) -> bool:
    match at.event:
        case ev.HouseFounded():
            return at.line == 1
        case ev.HouseRestored(signed, kept):
            return kept < signed
        case ev.NotaryNamed(key):
            return is_public_key(key)
    return True


def _sequence_and_kind_differences(
    history: Sequence[RecordedEvent], acts: type[Any] | UnionType
) -> Iterator[StreamDifference]:
    """Differences in a stream whose acts are always possible.

    Events of another kind, and wrong lines or versions.
    """
    yield from sequence_differences(history, acts)
    yield from (
        difference_at_event(one, "foreign_event", one.event)
        for one in history
        if not isinstance(one.event, acts)
    )


def _differences_when_decided_again(
    history: Sequence[RecordedEvent],
    acts: type[Any] | UnionType,
    decider: _Decider[DecidedT],
    *,
    first: type[Any] | None = None,
    also: Callable[[RecordedEvent, DecidedT], Iterable[StreamDifference]] = lambda *_: (),
) -> Iterator[StreamDifference]:
    """Differences found by deciding each act of a stream again; it ends at the first one refused.

    ``first``: The event with which the stream begins.

    ``also``: differences of an act besides, from the state before it.
    """
    yield from sequence_differences(history, first or acts)
    state = decider.initial
    for at in history:
        if not isinstance(at.event, acts):
            yield difference_at_event(at, "foreign_event", at.event)
            return
        try:
            (event,) = decider.decide(at.event, state)
        except Refused:
            yield difference_at_event(at, "impossible_act", at.event)
            return
        if event != at.event:
            yield difference_at_event(at, "impossible_act", at.event)
            return
        yield from also(at, state)
        state = decider.evolve(state, event)


def differences_in_season(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """Differences in the stream of a season: impossible acts, and events of another kind."""
    seasons = _Decider(season.INITIAL, season.decide, season.evolve)
    yield from _differences_when_decided_again(
        history, ev.SeasonAct, seasons, first=ev.SeasonOpened
    )


def differences_in_league(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """Differences in the stream of a league.

    Impossible acts, and a calendar or numbers of teams that do not come out again.
    """
    yield from _differences_when_decided_again(
        history, ev.LeagueAct, _Decider(league.INITIAL, decide_league, league.evolve)
    )


def differences_in_road_to_final(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """Differences in the stream of a road to a final: impossible acts, events of another kind."""
    yield from _differences_when_decided_again(
        history, ev.RoadAct, _Decider(road.INITIAL, road.decide, road.evolve)
    )


def differences_in_publication(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """Differences in the stream of what a club publishes.

    The digests of its months are computed again.
    """
    publication = _Decider(PUBLICATION_BEGINNING, decide_publication, evolve_publication)
    yield from _differences_when_decided_again(history, ev.PublicationAct, publication)


def differences_in_ranking(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """Differences in the stream of a ranking between clubs.

    Impossible acts, and events of another kind.
    """
    rankings = _Decider(RANKING_BEGINNING, decide_ranking, evolve_ranking)
    yield from _differences_when_decided_again(history, ev.RankingAct, rankings)


def differences_in_session(
    history: Sequence[RecordedEvent], log: Histories
) -> Iterator[StreamDifference]:
    """Differences in the stream of an evening.

    Its draws are repeated, and its opened tables compared with them.
    """
    sessions = _Decider(session.INITIAL, session.decide, session.evolve)

    def table_differences(at: RecordedEvent, state: session.Session) -> Iterable[StreamDifference]:
        event = at.event
        return (
            _table_opening_differences(at, event, state, log)
            if isinstance(event, ev.TablesOpened)
            else ()
        )

    yield from _differences_when_decided_again(
        history, ev.SessionAct, sessions, first=ev.SessionOpened, also=table_differences
    )


def _table_opening_differences(
    at: RecordedEvent, event: ev.TablesOpened, state: session.Session, log: Histories
) -> Iterator[StreamDifference]:
    """A difference if the encuentros of opened tables are missing or began otherwise than drawn.

    Old ones have no table number.
    """
    drawn, opened = state.unopened_draw, state.opened
    assert drawn is not None, "refused before"
    assert opened is not None, "a session begins with it"
    begun = ev.EncuentroOpened(opened.profile, opened.place, opened.date, str(at.originator_id))
    players = session.players_per_table(state)
    there = [_opening_events_of_encuentro(one, log) for one in event.encuentros]
    has_numbers = all(
        isinstance(one, ev.EncuentroOpened) and one.table for one, *_ in filter(None, there)
    )
    due = [
        [
            replace(begun, table=table.number if has_numbers else 0),
            ev.PlayersSeated(persons_by_seat(table, players)),
        ]
        for table in drawn.tables
    ]
    if there != due:
        yield difference_at_event(at, "tables_wrong", there, due)


def _opening_events_of_encuentro(encuentro: str, log: Histories) -> list[object]:
    """First events of an encuentro, those that open it and seat its players."""
    return [one.event for one in log.history(UUID(encuentro), _OPENING)]


def differences_in_tournament(
    history: Sequence[RecordedEvent], log: Histories
) -> Iterator[StreamDifference]:
    """Differences of a tournament from its acts: rounds, orders, walkovers, followed results.

    It ends at an impossible act: nothing can follow from it.
    """
    yield from sequence_differences(history, ev.TournamentOpened)
    state = INITIAL
    still: dict[str, list[MeetingFollowed]] = {}
    for at in history:
        event = at.event
        if isinstance(event, MeetingFollowed):
            yield from _take_outcome_or_difference(at, event, state, still)
            if event.meeting not in state.meetings:
                return
            state = evolve_tournament(state, event)
            continue
        if not isinstance(event, _ACTS):
            yield difference_at_event(at, "foreign_event", event)
            return
        try:
            (computed,) = decide_tournament(event, state)
        except Refused as wrong:
            why = {"reason": wrong.rule.value, "facts": dict(wrong.facts)}
            yield difference_at_event(at, "impossible_act", event, why)
            return
        if computed != event:
            yield difference_at_event(at, "changed_conclusion", event, computed)
        state = evolve_tournament(state, event)
        if isinstance(event, MeetingHeld):
            still[event.encuentro] = _outcome_history_of_meeting(state.meetings[event.meeting], log)
    yield from _last_outcome_differences(history, state, still)


def _outcome_history_of_meeting(meeting: Meeting, log: Histories) -> list[MeetingFollowed]:
    """Outcomes that an encuentro had for a meeting of a tournament, one for each change."""
    found = [last_outcome_event_of_meeting(meeting)]
    state = encuentro.INITIAL
    for one in log.history(UUID(meeting.encuentro), _WHOLE):
        event: Any = one.event
        if isinstance(event, _OF_ENCUENTRO):
            state = encuentro.evolve(state, event)
            if state.opened is not None:
                outcome = outcome_event_if_changed(meeting, state) or last_outcome_event_of_meeting(
                    meeting
                )
                found += [outcome] if outcome != found[-1] else []
    return found


def _take_outcome_or_difference(
    at: RecordedEvent,
    event: MeetingFollowed,
    state: Tournament,
    still: Mapping[str, list[MeetingFollowed]],
) -> Iterator[StreamDifference]:
    """A difference if a followed outcome is not due; else those up to it are removed."""
    came_to = still.get(event.encuentro, [])
    meeting = state.meetings.get(event.meeting)
    if meeting is None or meeting.encuentro != event.encuentro or event not in came_to:
        yield difference_at_event(at, "outcome_wrong", event, came_to[-1] if came_to else None)
        return
    del came_to[: came_to.index(event)]


def _last_outcome_differences(
    history: Sequence[RecordedEvent],
    state: Tournament,
    still: Mapping[MeetingId, list[MeetingFollowed]],
) -> Iterator[StreamDifference]:
    """Differences between the meetings that are held and the outcomes of their encuentros."""
    for one in state.meetings.values():
        if one.encuentro and last_outcome_event_of_meeting(one) != still[one.encuentro][-1]:
            yield difference_at_event(
                history[-1],
                "outcome_wrong",
                last_outcome_event_of_meeting(one),
                still[one.encuentro][-1],
            )
