"""Publications of clubs as a ranking takes them: read from a file or by address, checked, recorded.

Who was erased in this house stays so, whatever their club publishes later.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Final, TypeAlias
from uuid import UUID

import msgspec

from api.http.services import PendingTexts, Services
from projections.rankings.tables import UNREADABLE
from referee.aggregates.ranking.decider import find_club
from referee.aggregates.ranking.rules import RankingRule
from referee.aggregates.ranking.state import RankedClub, Ranking
from referee.audit.house_files import BrokenFile
from referee.audit.result_files import CheckedResults, read_signed_results
from referee.errors import Refused
from referee.events import TextId
from referee.events.publication import PublicId
from referee.events.ranking import ClubDropped, PublicationTaken, RankingAct, TakenPerson
from referee.log.streams import Answer, WriteMetadata

LARGEST: Final = 4 * 1024 * 1024
"""Bytes of a publication: some 15,000 results of four people."""
_AHEAD: Final = timedelta(days=1)
"""How far ahead the clock of a club may be."""
Fetch: TypeAlias = Callable[[str], bytes]
"""What is at an address; refused if it cannot be had."""


def state_of(here: Services, ranking_id: UUID) -> Ranking:
    """A ranking as it stands now.

    :raises NotFound: there is none
    :raises Refused: its events cannot be read
    """
    try:
        return here.referee.rankings.ranking(ranking_id)
    except UNREADABLE:
        raise Refused(RankingRule.RANKING_NOT_COMPUTED) from None


def read_file(here: Services, text: bytes, key: str = "") -> CheckedResults:
    """The publication in a file, of the club with a key if one is given.

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


def read_at(here: Services, ranking_id: UUID, club_id: str, fetch: Fetch) -> CheckedResults | None:
    """What a club publishes at its address; None if it was taken already.

    :raises NotFound: there is no such ranking
    :raises Refused: it cannot be had, or is not as that club signed it
    """
    club = find_club(club_id, state_of(here, ranking_id))
    address = club.address and here.persons.text(club.address)
    if not address:
        raise Refused(RankingRule.ADDRESS_NONE)
    checked = read_file(here, fetch(address), club.key)
    if club.taken is not None and club.taken.index == checked.signed.event.index:
        return None
    return checked


def take(
    here: Services, ranking_id: UUID, club_id: str, checked: CheckedResults, asked: WriteMetadata
) -> Answer | None:
    """Record a publication of a club; None if another request has taken the same meanwhile.

    :raises Refused: it is older than the one that is there
    """

    def publication(state: Ranking, put: PendingTexts) -> Sequence[RankingAct]:
        return [publication_of(here, state, find_club(club_id, state), checked, put)]

    try:
        return record_acts(here, ranking_id, publication, asked)
    except Refused as refused:
        if refused.rule is not RankingRule.PUBLICATION_SAME:
            raise
        return None


def record_acts(
    here: Services,
    ranking_id: UUID,
    acts: Callable[[Ranking, PendingTexts], Sequence[RankingAct]],
    asked: WriteMetadata,
    version: int | None = None,
) -> Answer:
    """Record acts on a ranking; names that no publication has any more are erased.

    :raises Refused: one of them is impossible
    """
    before = state_of(here, ranking_id)
    with PendingTexts(here.persons) as put:
        events = acts(before, put)
        answer = put.settle(here.referee.rankings.record(ranking_id, events, asked, version))
    _erase_unused(here, before, state_of(here, ranking_id))
    return answer


def publication_of(
    here: Services, state: Ranking, club: RankedClub, checked: CheckedResults, put: PendingTexts
) -> PublicationTaken:
    """A publication as it is recorded: names that are as before keep their texts."""
    signed, issued = checked.signed, checked.issued
    texts = _Texts(here, state, club, put)
    months = {
        month: tuple(results)
        for month, results in signed.months.items()
        if club.taken is None or issued.months[month] != club.taken.digests.get(month)
    }
    people = tuple(
        TakenPerson(one.person, texts.of_person(one.person, one.name), one.joints)
        for one in signed.people
    )
    return PublicationTaken(
        club=club.id,
        index=signed.event.index,
        house=put.text(signed.house),
        nonce=put.text(signed.nonce),
        people=people,
        months=months,
        digests=issued.months,
        checkpoint=signed.checkpoint,
        event=msgspec.json.encode(signed.event).decode(),
        erased=_erasures_of(here, club, {one.person for one in people}),
    )


def drop_of(here: Services, club: RankedClub) -> ClubDropped:
    """The act by which a club takes part no more."""
    return ClubDropped(club.id, _erasures_of(here, club))


def _erasures_of(
    here: Services, club: RankedClub, left_out: Collection[PublicId] = ()
) -> tuple[TakenPerson, ...]:
    """Persons of a club who were erased in this house, since what was taken of it."""
    people = () if club.taken is None else club.taken.people
    texts = here.persons.texts_of(one.name for one in people)
    return tuple(
        TakenPerson(one.person, one.name)
        for one in people
        if texts[one.name] is None and one.person not in left_out
    )


class _Texts:
    """Texts of names of a club: those that it has, and new ones."""

    def __init__(self, here: Services, state: Ranking, club: RankedClub, put: PendingTexts) -> None:
        taken = () if club.taken is None else club.taken.people
        ids = {**state.erased.get(club.key, {}), **{one.person: one.name for one in taken}}
        texts = here.persons.texts_of(ids.values())
        self._put = put
        self._known = {person: (texts[text], text) for person, text in ids.items()}

    def of_person(self, person: PublicId, name: str) -> TextId:
        """The text of the name of a person."""
        known, text = self._known.get(person, ("", ""))
        return text if known in (name, None) else self._put.text(name)


def _erase_unused(here: Services, before: Ranking, after: Ranking) -> None:
    """Erase names and nonces that no publication of now has."""
    unused = {*_texts_of(before)} - {*_texts_of(after)}
    there = [one for one, text in here.persons.texts_of(unused).items() if text is not None]
    if there:
        with suppress(TimeoutError):  # erased; a reader still holds the old bytes
            here.persons.erase(*there)


def _texts_of(state: Ranking) -> Iterable[TextId]:
    taken = [one.taken for one in state.clubs.values() if one.taken is not None]
    for one in taken:
        yield from filter(None, (one.nonce, one.house, *(person.name for person in one.people)))
