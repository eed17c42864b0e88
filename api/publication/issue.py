"""Issues of the club's publication.

What has changed is recorded as an event, with digests of names and months.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import reduce
from typing import Final

from api.http import moments
from api.http.problems import Problem
from api.http.services import VIEWS_TIMEOUT_S, PendingTexts, Services
from projections.publication import ConfirmedResult, results_from_day_on
from referee.aggregates.club import Club
from referee.aggregates.publication import Publication, evolve
from referee.audit.result_files import digests_of_names
from referee.errors import Refused, Stale
from referee.events import PersonId
from referee.events.rankings import (
    Month,
    MonthStated,
    NameWithdrawn,
    PublicationAct,
    PublicId,
    ResultsIssued,
    StatedResult,
)
from referee.log.faults import repeat_in_thread
from referee.log.streams import Answer, WriteMetadata

MONTHS: Final = 12
"""Months that a publication has, the running one among them."""
_NONCE_BYTES: Final = 16
_TRIES: Final = 3
_LOOKED_EVERY_S: Final = 3_600.0
_log = logging.getLogger(__name__)


def record_and_issue(
    here: Services,
    acts: Sequence[PublicationAct],
    meta: WriteMetadata,
) -> Answer:
    """Record acts, and issue what follows from them if the club publishes.

    Names that are published no more are erased.

    :raises Refused: one of them cannot be so
    """
    answer = here.referee.publication.record(acts, meta)
    issue_changes(here)
    return answer


def issue_changes(here: Services) -> None:
    """Issue what has changed since the last issue, if the club publishes, and erase unused names.

    It is a write of its own without an author: the event goes out with its envelope, and nobody is
    to be known by that.
    """
    for _ in range(_TRIES):
        state, put = here.referee.publication.publication(), PendingTexts(here.persons)
        acts = issue_acts(here, state, put)
        if not acts:
            break
        try:
            meta = WriteMetadata("", "program", here.clock())
            here.referee.publication.record(acts, meta, state.version)
        except (Stale, Refused):  # somebody agreed or took it back meanwhile
            put.erase_stored_texts()
            continue
        break
    erase_unused_names(here)


def issue_acts(here: Services, state: Publication, put: PendingTexts) -> list[PublicationAct]:
    """The acts that bring the publication up to date.

    None if it is, or the club does not publish.
    """
    if not state.is_club_publishing:
        return []
    last = here.referee.position()
    if here.reads.position() < last and not here.reads.wait(last, VIEWS_TIMEOUT_S):
        raise Problem("not_yet", headers={"Retry-After": "1"})
    names = here.persons.texts_by_id(one.name for one in state.agreed.values())
    twice = superfluous_ids(here.referee.players.club(), state)
    acts: list[PublicationAct] = [
        NameWithdrawn(person)
        for person, one in state.agreed.items()
        if names[one.name] is None or person in twice
    ]
    withdrawn = reduce(evolve, acts, state)
    months = results_by_month(here, withdrawn)
    acts += [
        MonthStated(month, months.get(month, ()))
        for month in sorted({*months, *state.months})
        if months.get(month, ()) != state.months.get(month, ())
    ]
    state = reduce(evolve, acts, state)
    if not acts and state.is_unchanged_since_issue() and has_names_of_last_issue(here, state):
        return []
    nonce = secrets.token_hex(_NONCE_BYTES)
    digests = digests_of_names(house_name(here), public_ids_with_names(here, state), nonce)
    issued = ResultsIssued(
        state.people_who_agreed(), digests, state.month_digests(), put.add_text(nonce)
    )
    return [*acts, issued]


def ids_under_which_player_agreed(
    club: Club, state: Publication, person: PersonId
) -> list[PersonId]:
    """The ids of one player under which they agreed to be published, the current one first."""
    return [one for one in club.ids_of_player(club.id_after_merges(person)) if one in state.agreed]


def superfluous_ids(club: Club, state: Publication) -> set[PersonId]:
    """Ids that are too many: of players who agreed under several that were merged later."""
    return {
        one
        for one in state.agreed
        if one not in ids_under_which_player_agreed(club, state, one)[:1]
    }


def results_by_month(here: Services, state: Publication) -> dict[Month, tuple[StatedResult, ...]]:
    """Confirmed results of the last months by month, with public ids.

    Only those with somebody who agreed.
    """
    club = here.referee.players.club()
    public = {club.id_after_merges(person): one.public for person, one in state.agreed.items()}
    today = moments.day_in_zone(
        moments.time_zone_or_utc(here.referee.settings.time_zone_name()), here.clock()
    )
    with here.reads.reading() as rows:
        confirmed = results_from_day_on(rows, _first_day_to_publish(today))
    months: dict[Month, list[StatedResult]] = {}
    for one in confirmed:
        stated = _public_result(one, public, club)
        if one.day <= today.isoformat() and any(who for side in stated.sides for who in side):
            months.setdefault(stated.date[:7], []).append(stated)
    return {month: tuple(sorted(found, key=_sort_key)) for month, found in months.items()}


def _sort_key(one: StatedResult) -> tuple[str, str, tuple[tuple[str, ...], ...], int]:
    """Sort key of results that does not reveal when each was reported."""
    return one.date, one.profile, one.sides, one.winner


def _public_result(
    one: ConfirmedResult, public: Mapping[PersonId, PublicId], club: Club
) -> StatedResult:
    """A result with public ids; who did not agree has an empty id, and stands last in the side."""
    sides = (
        sorted(
            (public.get(club.id_after_merges(who), "") for who in side), key=lambda w: (not w, w)
        )
        for side in one.sides
    )
    return StatedResult(one.day, one.profile, tuple(map(tuple, sides)), one.winner)


def _first_day_to_publish(today: date) -> str:
    """First day of the months that are published, as ISO text."""
    months = today.year * 12 + today.month - MONTHS
    return date(months // 12, months % 12 + 1, 1).isoformat()


def public_ids_with_names(here: Services, state: Publication) -> list[tuple[PublicId, str]]:
    """Public id and name of each person who is published, in the order of the ids."""
    names = here.persons.texts_by_id(one.name for one in state.agreed.values())
    found = ((one.public, names[one.name] or "") for one in state.agreed.values())
    return sorted(found)


def house_name(here: Services) -> str:
    """The name of the club; empty if it has none."""
    name = here.referee.settings.settings().name
    return (here.persons.text_by_id(name) or "") if name else ""


def has_names_of_last_issue(here: Services, state: Publication) -> bool:
    """Whether the names in the last issue are still the current ones."""
    issued = state.issued
    nonce = issued and here.persons.text_by_id(issued.nonce)
    if issued is None or not nonce:
        return False
    return (
        digests_of_names(house_name(here), public_ids_with_names(here, state), nonce)
        == issued.digests
    )


def erase_unused_names(here: Services) -> None:
    """Erase names and nonces that nothing published needs any more."""
    now = here.referee.publication.publication()
    used = {one.name for one in now.agreed.values()} | {now.issued.nonce if now.issued else ""}
    unused = {text for texts in now.texts.values() for text in texts} | {*now.nonces}
    texts = here.persons.texts_by_id(unused - used)
    if there := [one for one, text in texts.items() if text is not None]:
        for one in {*there} - {*now.nonces}:
            here.security.note("erased", about=one)
        with suppress(TimeoutError):  # erased; a reader still holds the old bytes
            here.persons.erase(*there)


def withdraw_persons(here: Services, persons: Iterable[PersonId]) -> None:
    """Withdraw erased persons from the publication, and erase their names."""
    state = here.referee.publication.publication()
    if acts := [NameWithdrawn(one) for one in persons if one in state.agreed]:
        record_and_issue(here, acts, WriteMetadata("", "program", here.clock()))


def start_issue_thread(services: Callable[[], Services]) -> None:
    """Start a thread that issues changes of the publication from time to time."""
    repeat_in_thread("the publication", lambda: issue_changes(services()), _LOOKED_EVERY_S, _log)
