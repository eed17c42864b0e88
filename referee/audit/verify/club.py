"""Streams of the club, from its access to its tournaments, decided again."""

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
from referee.aggregates.publication.decider import decide as decide_publication
from referee.aggregates.publication.evolution import evolve as evolve_publication
from referee.aggregates.publication.state import INITIAL as PUBLICATION_BEGINNING
from referee.aggregates.ranking.decider import decide as decide_ranking
from referee.aggregates.ranking.evolution import evolve as evolve_ranking
from referee.aggregates.ranking.state import INITIAL as RANKING_BEGINNING
from referee.aggregates.session_tables import seats_of
from referee.aggregates.tournament.decider import change_of, outcome_event
from referee.aggregates.tournament.decider import decide as decide_tournament
from referee.aggregates.tournament.evolution import evolve as evolve_tournament
from referee.aggregates.tournament.state import INITIAL, Meeting, Tournament
from referee.audit.checkpoint import is_key
from referee.audit.verify.streams import Histories, StreamDifference, difference, find_misplaced
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


def verify_access(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """Acts that were impossible when they were recorded, and events not about access.

    An act that names another author than its envelope was impossible too.
    """
    for at in history:
        if isinstance(at.event, ev.AccessAct) and at.event.by not in ("", at.by):
            yield difference(at, "impossible_act", at.event)
            return
    yield from _decide_again(
        history, ev.AccessAct, _Decider(access.INITIAL, access.decide, access.evolve)
    )


def verify_club(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """Acts that were impossible when they were recorded, and events not about the club."""
    yield from _decide_again(history, ev.ClubAct, _Decider(club.INITIAL, club.decide, club.evolve))


def verify_rules(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """Acts that were impossible when they were recorded, and events not about rules."""
    yield from _decide_again(
        history, ev.RulesAct, _Decider(rules.INITIAL, rules.decide, rules.evolve)
    )


def verify_settings(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """Events not about the settings of the club, and what is wrong with their lines."""
    yield from _all_of(history, ev.SettingsAct)


def verify_webhooks(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """Events not about webhooks, and what is wrong with their lines."""
    yield from _all_of(history, ev.WebhookAct)


def verify_house(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """Events not about the house, what is wrong with their lines, and acts that nobody can make.

    These are a founding that is not the first act, a notary without a public key, and an older copy
    that was not shorter than what was signed.
    """
    yield from _all_of(history, ev.HouseAct)
    for at in history:
        if not _may_be(at):
            yield difference(at, "impossible_act", at.event)


def _may_be(at: RecordedEvent) -> bool:
    match at.event:
        case ev.HouseFounded():
            return at.line == 1
        case ev.HouseRestored(signed, kept):
            return kept < signed
        case ev.NotaryNamed(key):
            return is_key(key)
    return True


def _all_of(
    history: Sequence[RecordedEvent], acts: type[Any] | UnionType
) -> Iterator[StreamDifference]:
    """For a stream whose acts can always be made."""
    yield from find_misplaced(history, acts)
    yield from (
        difference(one, "foreign_event", one.event)
        for one in history
        if not isinstance(one.event, acts)
    )


def _decide_again(
    history: Sequence[RecordedEvent],
    acts: type[Any] | UnionType,
    decider: _Decider[DecidedT],
    *,
    first: type[Any] | None = None,
    also: Callable[[RecordedEvent, DecidedT], Iterable[StreamDifference]] = lambda *_: (),
) -> Iterator[StreamDifference]:
    """Acts of one kind decided again. ``first``: the one with which the stream begins.

    ``also``: differences of an act besides, from the state before it.
    """
    yield from find_misplaced(history, first or acts)
    state = decider.initial
    for at in history:
        if not isinstance(at.event, acts):
            yield difference(at, "foreign_event", at.event)
            return
        try:
            (event,) = decider.decide(at.event, state)
        except Refused:
            yield difference(at, "impossible_act", at.event)
            return
        if event != at.event:
            yield difference(at, "impossible_act", at.event)
            return
        yield from also(at, state)
        state = decider.evolve(state, event)


def verify_season(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """Acts that were impossible when they were recorded, and events not about a season."""
    seasons = _Decider(season.INITIAL, season.decide, season.evolve)
    yield from _decide_again(history, ev.SeasonAct, seasons, first=ev.SeasonOpened)


def verify_league(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """The same for a league; its calendar is made again, and its teams are numbered again."""
    yield from _decide_again(
        history, ev.LeagueAct, _Decider(league.INITIAL, decide_league, league.evolve)
    )


def verify_road(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """The same for a road to a final."""
    yield from _decide_again(history, ev.RoadAct, _Decider(road.INITIAL, road.decide, road.evolve))


def verify_publication(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """The same for what a club publishes; the digests of its months are computed again."""
    publication = _Decider(PUBLICATION_BEGINNING, decide_publication, evolve_publication)
    yield from _decide_again(history, ev.PublicationAct, publication)


def verify_ranking(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """The same for a ranking between clubs."""
    rankings = _Decider(RANKING_BEGINNING, decide_ranking, evolve_ranking)
    yield from _decide_again(history, ev.RankingAct, rankings)


def verify_session(history: Sequence[RecordedEvent], log: Histories) -> Iterator[StreamDifference]:
    """The same for a session; its draws are repeated, and its tables compared with the draws."""
    sessions = _Decider(session.INITIAL, session.decide, session.evolve)

    def tables(at: RecordedEvent, state: session.Session) -> Iterable[StreamDifference]:
        event = at.event
        return _badly_opened(at, event, state, log) if isinstance(event, ev.TablesOpened) else ()

    yield from _decide_again(history, ev.SessionAct, sessions, first=ev.SessionOpened, also=tables)


def _badly_opened(
    at: RecordedEvent, event: ev.TablesOpened, state: session.Session, log: Histories
) -> Iterator[StreamDifference]:
    """Tables whose encuentro is not there, or began otherwise. Those of before have no number."""
    drawn, opened = state.waiting, state.opened
    assert drawn is not None, "refused before"
    assert opened is not None, "a session begins with it"
    begun = ev.EncuentroOpened(opened.profile, opened.place, opened.date, str(at.originator_id))
    players = session.players_of(state)
    there = [_first_events(one, log) for one in event.encuentros]
    has_numbers = all(
        isinstance(one, ev.EncuentroOpened) and one.table for one, *_ in filter(None, there)
    )
    due = [
        [
            replace(begun, table=table.number if has_numbers else 0),
            ev.PlayersSeated(seats_of(table, players)),
        ]
        for table in drawn.tables
    ]
    if there != due:
        yield difference(at, "tables_wrong", there, due)


def _first_events(encuentro: str, log: Histories) -> list[object]:
    """First events of an encuentro."""
    return [one.event for one in log.history(UUID(encuentro), _OPENING)]


def verify_tournament(
    history: Sequence[RecordedEvent], log: Histories
) -> Iterator[StreamDifference]:
    """Differences of a tournament from its acts: rounds, orders, walkovers, followed results.

    It ends at an impossible act: nothing can follow from it.
    """
    yield from find_misplaced(history, ev.TournamentOpened)
    state = INITIAL
    still: dict[str, list[MeetingFollowed]] = {}
    for at in history:
        event = at.event
        if isinstance(event, MeetingFollowed):
            yield from _badly_followed(at, event, state, still)
            if event.meeting not in state.meetings:
                return
            state = evolve_tournament(state, event)
            continue
        if not isinstance(event, _ACTS):
            yield difference(at, "foreign_event", event)
            return
        try:
            (computed,) = decide_tournament(event, state)
        except Refused as wrong:
            why = {"reason": wrong.rule.value, "facts": dict(wrong.facts)}
            yield difference(at, "impossible_act", event, why)
            return
        if computed != event:
            yield difference(at, "changed_conclusion", event, computed)
        state = evolve_tournament(state, event)
        if isinstance(event, MeetingHeld):
            still[event.encuentro] = _came_to(state.meetings[event.meeting], log)
    yield from _ends(history, state, still)


def _came_to(meeting: Meeting, log: Histories) -> list[MeetingFollowed]:
    """Outcomes of the encuentro of a meeting, one for each change."""
    found = [outcome_event(meeting)]
    state = encuentro.INITIAL
    for one in log.history(UUID(meeting.encuentro), _WHOLE):
        event: Any = one.event
        if isinstance(event, _OF_ENCUENTRO):
            state = encuentro.evolve(state, event)
            if state.opened is not None:
                outcome = change_of(meeting, state) or outcome_event(meeting)
                found += [outcome] if outcome != found[-1] else []
    return found


def _badly_followed(
    at: RecordedEvent,
    event: MeetingFollowed,
    state: Tournament,
    still: Mapping[str, list[MeetingFollowed]],
) -> Iterator[StreamDifference]:
    """What was followed has to be what the encuentro came to, in that order."""
    came_to = still.get(event.encuentro, [])
    meeting = state.meetings.get(event.meeting)
    if meeting is None or meeting.encuentro != event.encuentro or event not in came_to:
        yield difference(at, "outcome_wrong", event, came_to[-1] if came_to else None)
        return
    del came_to[: came_to.index(event)]


def _ends(
    history: Sequence[RecordedEvent],
    state: Tournament,
    still: Mapping[MeetingId, list[MeetingFollowed]],
) -> Iterator[StreamDifference]:
    """Differences between the meetings that are held and the outcomes of their encuentros."""
    for one in state.meetings.values():
        if one.encuentro and outcome_event(one) != still[one.encuentro][-1]:
            yield difference(
                history[-1], "outcome_wrong", outcome_event(one), still[one.encuentro][-1]
            )
