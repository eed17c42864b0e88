"""Publications of clubs as a ranking takes them: read from a file or an address, checked, recorded.

Who was erased in this house stays so, whatever their club publishes later.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Final, TypeAlias
from uuid import UUID

import msgspec

from api.http.services import PendingTexts, Services, house_component_or_none
from api.outgoing.transport import BadAddress, NotRead, OutgoingAddress, get_content
from projections.rankings.tables import UNREADABLE
from referee.aggregates.ranking import RankedClub, Ranking, RankingRule, require_club
from referee.audit.house_files import BrokenFile
from referee.audit.result_files import CheckedResults, read_signed_results
from referee.errors import Refused
from referee.events import TextId
from referee.events.rankings import ClubDropped, PublicationTaken, PublicId, RankingAct, TakenPerson
from referee.log.streams import Answer, WriteMetadata

LARGEST: Final = 4 * 1024 * 1024
"""Bytes of a publication: some 15,000 results of four people."""
_AHEAD: Final = timedelta(days=1)
"""How far ahead the clock of a club may be."""
Fetch: TypeAlias = Callable[[str], bytes]
"""What is at an address; refused if it cannot be had."""


def ranking_state(here: Services, ranking_id: UUID) -> Ranking:
    """A ranking as it stands now.

    :raises NotFound: there is none
    :raises Refused: its events cannot be read
    """
    try:
        return here.referee.rankings.ranking_between_clubs(ranking_id)
    except UNREADABLE:
        raise Refused(RankingRule.RANKING_NOT_COMPUTED) from None


def check_signed_publication(here: Services, text: bytes, key: str = "") -> CheckedResults:
    """Read and check the file of a publication; it must be signed with the key, if one is given.

    :raises Refused: it is not as it was signed, or signed by another key; the field is named
    """
    if len(text) > LARGEST:
        raise Refused(RankingRule.PUBLICATION_LARGE, most=LARGEST // 1024**2)
    try:
        found = read_signed_results(text)
    except BrokenFile as broken:
        raise Refused(RankingRule.PUBLICATION_BROKEN, field=broken.field) from None
    if found.at > here.clock() + _AHEAD:
        raise Refused(RankingRule.PUBLICATION_BROKEN, field="event.state.at")
    if key and found.key.text != key:
        raise Refused(RankingRule.RANKED_KEY_OTHER)
    return found


def fetch_publication_if_new(
    here: Services, ranking_id: UUID, club_id: str, fetch: Fetch
) -> CheckedResults | None:
    """Fetch and check what a club publishes at its address; None if that was recorded already.

    :raises NotFound: there is no such ranking
    :raises Refused: it cannot be had, or is not as that club signed it
    """
    club = require_club(club_id, ranking_state(here, ranking_id))
    address = club.address and here.persons.text_by_id(club.address)
    if not address:
        raise Refused(RankingRule.ADDRESS_NONE)
    checked = check_signed_publication(here, fetch(address), club.key)
    if club.taken is not None and club.taken.index == checked.signed.event.index:
        return None
    return checked


def record_publication(
    here: Services, ranking_id: UUID, club_id: str, checked: CheckedResults, asked: WriteMetadata
) -> Answer | None:
    """Record a publication of a club; None if another request has recorded the same meanwhile.

    :raises Refused: it is older than the one that is there
    """

    def publication_events(state: Ranking, put: PendingTexts) -> Sequence[RankingAct]:
        return [publication_event(here, state, require_club(club_id, state), checked, put)]

    try:
        return record_acts_and_erase_unused(here, ranking_id, publication_events, asked)
    except Refused as refused:
        if refused.rule is not RankingRule.PUBLICATION_SAME:
            raise
        return None


def record_acts_and_erase_unused(
    here: Services,
    ranking_id: UUID,
    acts: Callable[[Ranking, PendingTexts], Sequence[RankingAct]],
    asked: WriteMetadata,
    version: int | None = None,
) -> Answer:
    """Record acts on a ranking, and erase names that no current publication has.

    :raises Refused: one of them is impossible
    """
    before = ranking_state(here, ranking_id)
    with PendingTexts(here.persons) as put:
        events = acts(before, put)
        answer = put.erase_if_replayed(
            here.referee.rankings.record(ranking_id, events, asked, version)
        )
    _erase_unused(here, before, ranking_state(here, ranking_id))
    return answer


def publication_event(
    here: Services, state: Ranking, club: RankedClub, checked: CheckedResults, put: PendingTexts
) -> PublicationTaken:
    """The event by which a publication is recorded: only changed months; new names are stored.

    Names that have not changed keep their text ids.
    """
    signed, issued = checked.signed, checked.issued
    texts = _Texts(here, state, club, put)
    months = {
        month: tuple(results)
        for month, results in signed.months.items()
        if club.taken is None or issued.months[month] != club.taken.digests.get(month)
    }
    people = tuple(
        TakenPerson(one.person, texts.name_text_id(one.person, one.name), one.joints)
        for one in signed.people
    )
    return PublicationTaken(
        club=club.id,
        index=signed.event.index,
        house=put.add_text(signed.house),
        nonce=put.add_text(signed.nonce),
        people=people,
        months=months,
        digests=issued.months,
        checkpoint=signed.checkpoint,
        event=msgspec.json.encode(signed.event).decode(),
        erased=_people_without_name(here, club, {one.person for one in people}),
    )


def club_drop_event(here: Services, club: RankedClub) -> ClubDropped:
    """The event by which a club no longer takes part."""
    return ClubDropped(club.id, _people_without_name(here, club))


def _people_without_name(
    here: Services, club: RankedClub, left_out: Collection[PublicId] = ()
) -> tuple[TakenPerson, ...]:
    """Persons of a club whose names were erased here after its last publication was recorded."""
    people = () if club.taken is None else club.taken.people
    texts = here.persons.texts_by_id(one.name for one in people)
    return tuple(
        TakenPerson(one.person, one.name)
        for one in people
        if texts[one.name] is None and one.person not in left_out
    )


class _Texts:
    """Text ids of the names of a club's persons: those that exist, and new ones."""

    def __init__(self, here: Services, state: Ranking, club: RankedClub, put: PendingTexts) -> None:
        taken = () if club.taken is None else club.taken.people
        ids = {**state.erased.get(club.key, {}), **{one.person: one.name for one in taken}}
        texts = here.persons.texts_by_id(ids.values())
        self._put = put
        self._known = {person: (texts[text], text) for person, text in ids.items()}

    def name_text_id(self, person: PublicId, name: str) -> TextId:
        """Text id of the name of a person; a new one if the name has changed."""
        known, text = self._known.get(person, ("", ""))
        return text if known in (name, None) else self._put.add_text(name)


def _erase_unused(here: Services, before: Ranking, after: Ranking) -> None:
    """Erase names and nonces that no current publication has."""
    unused = {*_text_ids_of_ranking(before)} - {*_text_ids_of_ranking(after)}
    there = [one for one, text in here.persons.texts_by_id(unused).items() if text is not None]
    if there:
        with suppress(TimeoutError):  # erased; a reader still holds the old bytes
            here.persons.erase(*there)


def _text_ids_of_ranking(state: Ranking) -> Iterable[TextId]:
    taken = [one.taken for one in state.clubs.values() if one.taken is not None]
    for one in taken:
        yield from filter(None, (one.nonce, one.house, *(person.name for person in one.people)))


_AT_ONCE: Final = 2
"""Publications that a process reads at one time: another house may take ten seconds to answer."""
_HEADERS: Final = {
    "accept": "application/json",
    "accept-encoding": "identity",
    "user-agent": "guinote-rankings/1",
}
_WHY: Final[Mapping[str, RankingRule]] = {
    "address": RankingRule.ADDRESS_BAD,
    "not_found": RankingRule.ADDRESS_UNKNOWN,
    "inside": RankingRule.ADDRESS_INSIDE,
    "refused": RankingRule.ADDRESS_CLOSED,
    "certificate": RankingRule.ADDRESS_CERTIFICATE,
    "timeout": RankingRule.ADDRESS_SLOW,
    "broken": RankingRule.ADDRESS_BROKEN,
}
_turns = threading.BoundedSemaphore(_AT_ONCE)


def address_fetcher() -> Fetch:
    """A function that fetches what is at an address, as the settings of this service allow."""
    return fetcher_for_setting(str(house_component_or_none("webhook_setting") or "on"))


def fetcher_for_setting(setting: str) -> Fetch:
    """A function that fetches what is at an address, as a value of ``GUINOTE_WEBHOOKS`` allows."""
    return partial(_fetch, setting)


def refuse_insecure_address(address: str, setting: str) -> None:
    """Refuse an address without HTTPS, unless the setting allows addresses of the own network.

    :raises Refused: it is one
    """
    try:
        is_secure = OutgoingAddress(address).is_secure
    except BadAddress:
        is_secure = False
    if not is_secure and setting != "local":
        raise Refused(RankingRule.ADDRESS_BAD)


def _fetch(setting: str, address: str) -> bytes:
    """Fetch what is at an address.

    :raises Refused: it cannot be had, or nothing is read at all
    """
    if setting == "off":
        raise Refused(RankingRule.READING_OFF)
    refuse_insecure_address(address, setting)
    if not _turns.acquire(blocking=False):
        raise Refused(RankingRule.READING_BUSY)
    try:
        return get_content(address, LARGEST, _HEADERS, is_inside_allowed=setting == "local")
    except NotRead as error:
        raise _refusal(error.why) from None
    finally:
        _turns.release()


def _refusal(why: str) -> Refused:
    if why == "too_large":
        return Refused(RankingRule.PUBLICATION_LARGE, most=LARGEST // 1024**2)
    if why.isdigit():
        return Refused(RankingRule.ADDRESS_STATUS, status=why)
    return Refused(_WHY.get(why, RankingRule.ADDRESS_BROKEN))
