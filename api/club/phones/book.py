"""Telephones of players: kept with the consent of the player, and erased when their time is over.

Each is a text of the names store: it is sealed, in no event and in no answer of the interface.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from api.club.phones.numbers import chat_address, readable_number
from api.http import moments
from api.http.services import (
    PendingTexts,
    Services,
    await_end_of_log,
    current_services,
    pending_texts,
)
from projections.seasons.projection import season_rows
from projections.tournaments.projection import phone_ids_to_forget
from referee.aggregates.club import Club, NotedPhone
from referee.aggregates.season import Season
from referee.application import Referee
from referee.errors import NotFound
from referee.events import ClubAct, HolderId, PersonId, PhoneNoted, PlayerListed, TextId
from referee.events.tournament import PairApplied
from referee.log.faults import repeat_in_thread
from referee.log.streams import Answer, WriteMetadata

WITHOUT_A_SEASON: Final = timedelta(days=30)
AT_MOST: Final = timedelta(days=366)
"""How long a number is kept for a season that nobody closes."""
LOOKED_EVERY_S: Final = 3_600.0
_FIRST_LOOK_S: Final = 300.0
"""After a start, which has enough to do."""
_log = logging.getLogger(__name__)


class KeptPhone(NamedTuple):
    """A telephone of a player, for the organisers.

    ``name``: of the season after which it is forgotten; ``until``: the last day on which it is kept
    in any case.
    """

    person: PersonId
    number: str
    shown: str
    chat: str
    noted: str
    name: str
    until: str


class PhoneTerms(NamedTuple):
    """How long a telephone noted today is kept.

    The running season, if there is one, its name, and the last day.
    """

    date: str
    season: str
    name: str
    until: str


def current_retention_terms() -> PhoneTerms:
    """How long a telephone noted today is kept.

    For the running season that began last, if there is one.
    """
    here = current_services()
    day = _today(here)
    with here.reads.reading() as rows:
        running = [
            one
            for one in season_rows(rows)
            if not _is_season_over(here, one.id, day) and one.since <= day.isoformat()
        ]
    if not running:
        return PhoneTerms(day.isoformat(), "", "", (day + WITHOUT_A_SEASON).isoformat())
    season = running[0]
    name = here.persons.text_by_id(season.name) or ""
    noted = NotedPhone("", day.isoformat(), season.id)
    return PhoneTerms(day.isoformat(), season.id, name, _retention_end(here, noted).isoformat())


def phones_of(persons: Iterable[PersonId]) -> dict[PersonId, KeptPhone]:
    """The telephones of some players, without those that are to be forgotten by now."""
    here = current_services()
    club = here.referee.players.club()
    latest, day = club.latest_phones(), _today(here)
    noted = {
        one: latest[kept]
        for one in persons
        if (kept := club.id_after_merges(one)) in latest and not _is_over(here, latest[kept], day)
    }
    texts = here.persons.texts_by_id(one.phone for one in noted.values()) if noted else {}
    return {
        one: _phone_view(here, one, phone, text)
        for one, phone in noted.items()
        if (text := texts[phone.phone])
    }


def _phone_view(here: Services, person: PersonId, noted: NotedPhone, number: str) -> KeptPhone:
    season = _find_season(here, noted.season)
    name = (season and season.opened and here.persons.text_by_id(season.opened.name)) or ""
    until = _retention_end(here, noted).isoformat()
    return KeptPhone(
        person, number, readable_number(number), chat_address(number), noted.date, name, until
    )


# --- noting --------------------------------------------------------------------------------------


def note_phone(person: PersonId, number: str, meta: WriteMetadata) -> Answer:
    """Keep the telephone of a player who agrees; the one of before is erased."""
    if answer := current_services().referee.answer_to(meta):
        return answer
    await_end_of_log()
    club = current_services().referee.players.club()
    with pending_texts() as put:
        acts = phone_acts({person: number}, put, club)
        answer = put.erase_if_replayed(current_services().referee.players.record(acts, meta))
    erase_earlier_phones(club, [person], meta.by)
    return answer


def phone_acts(
    phones: Mapping[PersonId, str],
    put: PendingTexts,
    club: Club,
    listed: Sequence[PersonId] = (),
) -> list[ClubAct]:
    """The acts that note telephones of persons, who become players with them.

    ``listed``: who becomes one by the acts before these.
    """
    terms = current_retention_terms() if phones else None
    if terms is None:
        return []
    texts = put.add_texts(list(phones.values()))
    are_players = {*club.players, *listed}
    new = [PlayerListed(one) for one in phones if one not in are_players]
    noted = (
        PhoneNoted(club.id_after_merges(person), text, terms.date, terms.season)
        for person, text in zip(phones, texts, strict=True)
    )
    return [*new, *noted]


def erase_earlier_phones(before: Club, persons: Sequence[PersonId], by: HolderId) -> None:
    """Erase the earlier telephones of players who have new ones.

    ``before``: The club without the new ones.
    """
    same = {before.id_after_merges(one) for one in persons}
    phones = [noted.phone for who, noted in before.phones if before.id_after_merges(who) in same]
    _erase_phones(current_services(), phones, by)


# --- forgetting ----------------------------------------------------------------------------------


def erase_phones_of_player(person: PersonId, by: HolderId) -> None:
    """Erase every telephone of a player."""
    erase_earlier_phones(current_services().referee.players.club(), [person], by)


def forget_expired_phones(here: Services) -> int:
    """Erase the telephones whose season, tournament or time is over; returns how many."""
    is_in_doubt = here.clock_fault() is not None
    day = date.min if is_in_doubt else _today(here)
    over = [one.phone for _, one in here.referee.players.club().phones if _is_over(here, one, day)]
    with here.reads.reading() as rows:
        left = phone_ids_to_forget(rows, "" if is_in_doubt else (day - AT_MOST).isoformat())
    return _erase_phones(here, [*over, *left])


def phone_ids_left_at_entry(referee: Referee, persons: Collection[PersonId]) -> list[TextId]:
    """Ids of the telephones that pairs with these persons left when they entered tournaments."""
    found = referee.events_of_wanted_rows(lambda name, _: name.startswith("PairApplied."))
    applied = (one.event for one in found if isinstance(one.event, PairApplied))
    return [one.phone for one in applied if one.phone and not set(persons).isdisjoint(one.players)]


def forget_phones_in_thread(services: Callable[[], Services]) -> None:
    """Start a thread that erases telephones when their time is over: days end without a request."""
    repeat_in_thread(
        "telephones that are over",
        lambda: forget_expired_phones(services()),
        LOOKED_EVERY_S,
        _log,
        wait_s=_FIRST_LOOK_S,
    )


def _erase_phones(here: Services, phones: Sequence[TextId], by: HolderId = "") -> int:
    """Erase those that are there; noted, so that a restored copy does not bring them back."""
    there = [one for one, text in here.persons.texts_by_id(phones).items() if text is not None]
    for one in there:
        here.security.note("erased", by=by, about=one)
    if there:
        with suppress(TimeoutError):  # erased; a reader still holds the old bytes
            here.persons.erase(*there)
    return len(there)


def _today(here: Services) -> date:
    """The day in the club; also without a request."""
    return moments.day_in_zone(
        moments.time_zone_or_utc(here.referee.settings.time_zone_name()), here.clock()
    )


def _is_over(here: Services, noted: NotedPhone, day: date) -> bool:
    is_late = day > _retention_end(here, noted)
    return is_late or bool(noted.season and _is_season_over(here, noted.season, day))


def _retention_end(here: Services, noted: NotedPhone) -> date:
    """The last day on which a telephone is kept if nobody closes its season before."""
    noted_on = date.fromisoformat(noted.date)
    if not noted.season:
        return noted_on + WITHOUT_A_SEASON
    latest = noted_on + AT_MOST
    season = _find_season(here, noted.season)
    until = season.opened.until if season and season.opened else ""
    return min(latest, date.fromisoformat(until)) if until else latest


def _find_season(here: Services, season: str) -> Season | None:
    """The season of an id; None if there is none, or no season was meant."""
    try:
        return here.referee.seasons.season(UUID(season))
    except (NotFound, ValueError):
        return None


def _is_season_over(here: Services, season: str, day: date) -> bool:
    """Whether a season is closed, or its last day is over."""
    state = _find_season(here, season)
    if state is None:
        return False
    until = state.opened.until if state.opened else ""
    return state.is_closed or bool(until and day.isoformat() > until)
