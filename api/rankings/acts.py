"""Acts of a ranking in requests: their kinds, and the events that they become."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final, cast
from uuid import UUID

import marshmallow as ma
import msgspec
from marshmallow import validate

from api.http.acts.kinds import ActKinds, AskedAct, OneOfKindsField, values_of
from api.http.fields import RequestSchema
from api.http.services import PendingTexts, current_services
from api.rankings import schemas
from referee.aggregates.ranking.decider import find_club
from referee.aggregates.ranking.rules import RankingRule
from referee.aggregates.ranking.state import RankedClub, Ranking
from referee.audit.checkpoint import is_key
from referee.audit.house_files import BrokenFile
from referee.audit.result_files import CheckedResults, read_signed_results
from referee.errors import Refused
from referee.events import Act, TextId
from referee.events import ranking as ev

_SHAPES: Final[dict[type[Act], type[RequestSchema]]] = {
    ev.ClubAdmitted: schemas.ClubAdmitIn,
    ev.ClubDropped: schemas.ClubDropIn,
    ev.PublicationTaken: schemas.PublicationTakeIn,
}
_AHEAD: Final = timedelta(days=1)
"""How far ahead the clock of a club may be."""
KINDS: Final = ActKinds("RankingAct", _SHAPES)


class RankingActsIn(RequestSchema):
    """Acts of a ranking; all are recorded, or none."""

    acts = ma.fields.List(
        OneOfKindsField(KINDS), required=True, validate=validate.Length(1, schemas.MOST_ACTS)
    )


def events_of(ranking_id: UUID, acts: Sequence[AskedAct], put: PendingTexts) -> list[ev.RankingAct]:
    """The events that acts become, each on what those before it left.

    :raises Refused: one of them is impossible
    """
    found: list[ev.RankingAct] = []
    for one in acts:
        state = current_services().referee.rankings.after(ranking_id, found)
        found.append(_event_of(state, one, put))
    return found


def _event_of(state: Ranking, asked: AskedAct, put: PendingTexts) -> ev.RankingAct:
    """The event that an act becomes, with its texts stored.

    :raises Refused: the file of a publication is not as it was signed, or of another club
    """
    if asked.struct is ev.PublicationTaken:
        club = find_club(asked.values["club"], state)
        return publication_of(club, read_file(asked.values["file"], club), put)
    values = values_of(asked, put)
    if asked.struct is ev.ClubAdmitted and not is_key(values["key"]):
        raise Refused(RankingRule.PUBLICATION_BROKEN, field="key")
    return cast("ev.RankingAct", msgspec.convert(values, asked.struct))


def read_file(text: str, club: RankedClub | None = None) -> CheckedResults:
    """The publication in a file, of a club if one is given.

    :raises Refused: it is not as it was signed, or signed by another key; the field is named
    """
    try:
        found = read_signed_results(text.encode("utf-8", "replace"))
    except BrokenFile as broken:
        raise Refused(RankingRule.PUBLICATION_BROKEN, field=broken.field) from None
    if found.at > current_services().clock() + _AHEAD:
        raise Refused(RankingRule.PUBLICATION_BROKEN, field="event.state.at")
    if club is not None and found.key.text != club.key:
        raise Refused(RankingRule.RANKED_KEY_OTHER)
    return found


def publication_of(
    club: RankedClub, checked: CheckedResults, put: PendingTexts
) -> ev.PublicationTaken:
    """A publication as it is recorded: names that are as before keep their texts."""
    signed, issued = checked.signed, checked.issued
    texts = _Texts(club, put)
    months = {
        month: tuple(results)
        for month, results in signed.months.items()
        if club.taken is None or issued.months[month] != club.taken.digests.get(month)
    }
    people = tuple(
        ev.TakenPerson(one.person, texts.of_person(one.person, one.name), one.joints)
        for one in signed.people
    )
    return ev.PublicationTaken(
        club.id,
        signed.event.index,
        put.text(signed.house),
        put.text(signed.nonce),
        people,
        months,
        issued.months,
        signed.checkpoint,
        msgspec.json.encode(signed.event).decode(),
    )


class _Texts:
    """Texts of names of a club: those that it has, and new ones.

    Who was erased here stays erased, whatever their club publishes later.
    """

    def __init__(self, club: RankedClub, put: PendingTexts) -> None:
        taken = () if club.taken is None else club.taken.people
        ids = {one.person: one.name for one in taken}
        texts = current_services().persons.texts_of(ids.values())
        self._put = put
        self._known = {person: (texts[text], text) for person, text in ids.items()}

    def of_person(self, person: str, name: str) -> TextId:
        """The text of the name of a person."""
        known, text = self._known.get(person, ("", ""))
        return text if known in (name, None) else self._put.text(name)
