"""Verification: the official conclusions on a log, recomputed from its acts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol
from uuid import UUID

import msgspec

from referee import events as ev
from referee.aggregates import encuentro, partida
from referee.aggregates.commands import Follow
from referee.audit.differences import AuditProgress
from referee.audit.verify.cases import differences_in_cases
from referee.audit.verify.club import (
    differences_in_access,
    differences_in_club,
    differences_in_house,
    differences_in_league,
    differences_in_publication,
    differences_in_ranking,
    differences_in_road_to_final,
    differences_in_rules,
    differences_in_season,
    differences_in_session,
    differences_in_settings,
    differences_in_tournament,
    differences_in_webhooks,
)
from referee.audit.verify.streams import (
    Histories,
    RecomputedPartida,
    StreamDifference,
    What,
    difference_at_event,
    encuentro_conclusion_differences,
    follow_command_of,
    replay_partida,
    sequence_differences,
)
from referee.log.mapper import LoggedEvent, RecordedEvent
from referee.rules.profile.profile import is_intact

__all__ = [
    "ReadableLog",
    "StreamDifference",
    "What",
    "differences_in_all_streams",
    "differences_in_encuentro",
    "differences_in_partida",
]

_PAGE = 1_000
_EVERY_VERSION = 2**62


class ReadableLog(Histories, Protocol):
    """A log that can be read."""

    def read_from(self, position: int, limit: int) -> Sequence[LoggedEvent]:
        """At most ``limit`` events from a position on, inclusive."""
        ...


# --- the whole log -------------------------------------------------------------------------------


def differences_in_all_streams(
    log: ReadableLog, progress: AuditProgress | None = None
) -> Iterator[StreamDifference]:
    """Differences of every stream of a log, encuentro by encuentro."""
    firsts, total = _first_event_by_stream(log)
    done = 0
    partidas, cases = (
        _streams_by_encuentro_and_number(firsts, ev.PartidaOpened),
        _streams_by_encuentro_and_number(firsts, ev.CaseOpened),
    )
    for stream, first in firsts.items():
        if isinstance(first.event, ev.PartidaOpened):
            yield from _stray_stream_difference(first, firsts, partidas)
            continue
        if isinstance(first.event, ev.CaseOpened):
            yield from _stray_stream_difference(first, firsts, cases)
            continue
        history = log.history(stream, _EVERY_VERSION)
        if not isinstance(first.event, ev.EncuentroOpened):
            yield from _differences_in_other_stream(first, history, log)
            done += len(history)
            continue
        held = {n: log.history(p, _EVERY_VERSION) for n, p in partidas.get(stream, {}).items()}
        files = {n: log.history(p, _EVERY_VERSION) for n, p in cases.get(stream, {}).items()}
        replays = {n: replay_partida(one) for n, one in held.items()}
        for n, one in held.items():
            yield from sequence_differences(one, ev.PartidaOpened)
            yield from replays[n].differences
            yield from replays[n].newest_law_differences(one[-1])
        yield from differences_in_encuentro(history, held, replays)
        yield from differences_in_cases(history, files, held)
        done += len(history) + sum(map(len, [*held.values(), *files.values()]))
        if progress:
            progress(done, total)


def _differences_in_other_stream(  # noqa: C901, PLR0912 - a case a kind of stream
    first: RecordedEvent, history: Sequence[RecordedEvent], log: ReadableLog
) -> Iterator[StreamDifference]:
    """Differences of a stream that belongs to no encuentro."""
    event: object = first.event  # mypy takes a minute to narrow the union of all events
    match event:
        case ev.SeasonOpened():
            yield from differences_in_season(history)
        case ev.SessionOpened():
            yield from differences_in_session(history, log)
        case ev.TournamentOpened():
            yield from differences_in_tournament(history, log)
        case ev.LeagueOpened():
            yield from differences_in_league(history)
        case ev.RoadOpened():
            yield from differences_in_road_to_final(history)
        case ev.RankingOpened():
            yield from differences_in_ranking(history)
        case _ if isinstance(event, ev.PublicationAct):
            yield from differences_in_publication(history)
        case _ if isinstance(event, ev.AccessAct):
            yield from differences_in_access(history)
        case _ if isinstance(event, ev.ClubAct):
            yield from differences_in_club(history)
        case _ if isinstance(event, ev.RulesAct):
            yield from differences_in_rules(history)
        case _ if isinstance(event, ev.SettingsAct):
            yield from differences_in_settings(history)
        case _ if isinstance(event, ev.WebhookAct):
            yield from differences_in_webhooks(history)
        case _ if isinstance(event, ev.HouseAct):
            yield from differences_in_house(history)
        case _:
            yield from differences_in_encuentro(history, {})


def _first_event_by_stream(log: ReadableLog) -> tuple[dict[UUID, RecordedEvent], int]:
    """First event of every stream, in the order in which they began, and the count of events."""
    firsts: dict[UUID, RecordedEvent] = {}
    total, position = 0, 0
    while page := log.read_from(position + 1, _PAGE):
        for one in page:
            firsts.setdefault(one.recorded.originator_id, one.recorded)
        total, position = total + len(page), page[-1].position
    return firsts, total


def _streams_by_encuentro_and_number(
    firsts: Mapping[UUID, RecordedEvent], kind: type[ev.PartidaOpened | ev.CaseOpened]
) -> dict[UUID, dict[int, UUID]]:
    """Ids of streams of a kind by encuentro and number; of two with one number the older."""
    found: dict[UUID, dict[int, UUID]] = {}
    for stream, first in firsts.items():
        if isinstance(first.event, kind):
            match = UUID(first.event.encuentro)
            found.setdefault(match, {}).setdefault(first.event.number, stream)
    return found


def _stray_stream_difference(
    first: RecordedEvent,
    firsts: Mapping[UUID, RecordedEvent],
    known: Mapping[UUID, Mapping[int, UUID]],
) -> Iterator[StreamDifference]:
    """A difference if a partida or a case is of no encuentro, or has a number that is taken."""
    assert isinstance(first.event, ev.PartidaOpened | ev.CaseOpened)
    match = UUID(first.event.encuentro)
    if match not in firsts or known[match][first.event.number] != first.originator_id:
        is_case = isinstance(first.event, ev.CaseOpened)
        yield difference_at_event(
            first, "case_astray" if is_case else "partida_astray", first.event
        )


# --- one stream ----------------------------------------------------------------------------------


def differences_in_partida(history: Sequence[RecordedEvent]) -> list[StreamDifference]:
    """Differences between a stored partida and the one that follows from its acts."""
    return [*sequence_differences(history, ev.PartidaOpened), *replay_partida(history).differences]


def differences_in_encuentro(
    history: Sequence[RecordedEvent],
    partidas: Mapping[int, Sequence[RecordedEvent]],
    replays: Mapping[int, RecomputedPartida] | None = None,
) -> list[StreamDifference]:
    """Differences between a stored encuentro and the one that follows from its partidas.

    ``partidas``: whole streams by number. They are not verified here.
    ``replays``: of each, where they were replayed already.
    """
    if replays is None:
        replays = {number: replay_partida(stream) for number, stream in partidas.items()}
    found = [*sequence_differences(history, ev.EncuentroOpened)]
    if history and isinstance(history[0].event, ev.EncuentroOpened):
        found += encuentro_conclusion_differences(history)
        found += _profile_hash_difference(history[0], history[0].event)
        found += _partida_differences(history, partidas, replays)
    return found


# --- an encuentro and its partidas ---------------------------------------------------------------


def _profile_hash_difference(
    first: RecordedEvent, opened: ev.EncuentroOpened
) -> Iterator[StreamDifference]:
    """A difference if the profile of an encuentro does not fit its hash."""
    frozen = msgspec.to_builtins(opened.profile)
    if not is_intact(frozen):
        yield difference_at_event(first, "profile_changed", frozen["hash"])


def _partida_differences(
    history: Sequence[RecordedEvent],
    partidas: Mapping[int, Sequence[RecordedEvent]],
    replays: Mapping[int, RecomputedPartida],
) -> Iterator[StreamDifference]:
    """Differences of the partidas of an encuentro.

    Missing, opened wrongly, or their outcomes not recorded.
    """
    opened = history[0].event
    assert isinstance(opened, ev.EncuentroOpened)
    due = ""
    for at in history:
        if not isinstance(at.event, ev.PartidaStarted):
            continue
        number = at.event.number
        stream = partidas.get(number, ())
        first = stream[0].event if stream else None
        if not isinstance(first, ev.PartidaOpened):
            yield difference_at_event(at, "partida_missing", None, number)
            continue
        frozen = (str(at.originator_id), opened.profile.options, opened.profile.hash)
        if (first.encuentro, first.options, first.profile_hash) != frozen:
            yield difference_at_event(stream[0], "options_changed", first, opened.profile)
        state = replays[number].state
        if state is None:
            continue
        if number > 1 and state.dealer_due != due:
            yield difference_at_event(stream[-1], "dealer_wrong", state.dealer_due, due)
        due = partida.dealer_due_next_partida(state)
        yield from _outcome_differences(number, history, replays[number].came_to)


def _outcome_differences(
    number: int, history: Sequence[RecordedEvent], stood: Sequence[Follow]
) -> Iterator[StreamDifference]:
    """Differences between the outcomes that the encuentro followed and those of the partida."""
    begun = Follow(number, "", encuentro.UNDECIDED, {})
    came_to = [*stood]
    held, last = begun, history[0]
    for at in history:
        if isinstance(at.event, ev.OutcomeFollowed) and at.event.partida == number:
            held, last = follow_command_of(at.event), at
            if held not in came_to:
                yield difference_at_event(at, "outcome_wrong", held, came_to[-1])
                return
            del came_to[: came_to.index(held)]
    if held != came_to[-1]:
        yield difference_at_event(last, "outcome_wrong", held, came_to[-1])
