"""Acts of a ranking in requests: their kinds, and the events that they become."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast
from uuid import UUID

import marshmallow as ma
import msgspec
from marshmallow import validate

from api.http.acts.kinds import ActKinds, AskedAct, OneOfKindsField, values_of
from api.http.fields import RequestSchema
from api.http.services import PendingTexts, current_services
from api.rankings import schemas, uploads
from api.rankings.publications import drop_of, publication_of, read_file
from referee.aggregates.ranking.decider import find_club
from referee.aggregates.ranking.rules import RankingRule
from referee.aggregates.ranking.state import Ranking
from referee.audit.checkpoint import is_key
from referee.errors import Refused
from referee.events import Act
from referee.events import ranking as ev

_SHAPES: Final[dict[type[Act], type[RequestSchema]]] = {
    ev.ClubAdmitted: schemas.ClubAdmitIn,
    ev.ClubAddressGiven: schemas.ClubAddressIn,
    ev.ClubDropped: schemas.ClubDropIn,
    ev.PublicationTaken: schemas.PublicationTakeIn,
}
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
        state = current_services().referee.rankings.state_after(ranking_id, found)
        found.append(_event_of(state, one, put))
    return found


def _file_of(asked: AskedAct) -> bytes:
    """The file of a publication: of the act itself, or one that was uploaded."""
    if upload := asked.values.get("upload"):
        return uploads.content_of(upload)
    text: str = asked.values["file"]
    return text.encode("utf-8", "replace")


def _event_of(state: Ranking, asked: AskedAct, put: PendingTexts) -> ev.RankingAct:
    """The event that an act becomes, with its texts stored.

    :raises Refused: the file of a publication is not as it was signed, or of another club
    """
    here = current_services()
    if asked.struct is ev.PublicationTaken:
        club = find_club(asked.values["club"], state)
        checked = read_file(here, _file_of(asked), club.key)
        return publication_of(here, state, club, checked, put)
    if asked.struct is ev.ClubDropped:
        return drop_of(here, find_club(asked.values["club"], state))
    values = values_of(asked, put)
    if asked.struct is ev.ClubAdmitted and not is_key(values["key"]):
        raise Refused(RankingRule.PUBLICATION_BROKEN, field="key")
    return cast("ev.RankingAct", msgspec.convert(values, asked.struct))
