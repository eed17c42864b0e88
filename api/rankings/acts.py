"""Acts of a ranking in requests: their kinds, their schemas, and the events that they become."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast
from uuid import UUID

import marshmallow as ma
import msgspec
from marshmallow import validate

from api.http.acts import ActKinds, AskedAct, OneOfKindsField, store_act_texts
from api.http.bodies import MAX_BYTES, Body
from api.http.fields import MAX_NAME, FieldFault, Int, RequestSchema, Text
from api.http.services import PendingTexts, current_services
from api.outgoing.transport import LONGEST_ADDRESS, OutgoingAddressField
from api.rankings import uploads
from api.rankings.publications import (
    LARGEST,
    check_signed_publication,
    club_drop_event,
    publication_event,
)
from referee.aggregates.ranking import Ranking, RankingRule, require_club
from referee.audit.checkpoint import is_public_key
from referee.errors import Refused
from referee.events import Act
from referee.events import rankings as ev

MOST_ACTS: Final = 100
_LONGEST_KEY: Final = 400


def _club_id_field() -> ma.fields.String:
    return ma.fields.String(required=True, validate=validate.Regexp(r"\A[0-9]{1,4}\Z"))


def _upload_id_field(**more: Any) -> ma.fields.String:
    return ma.fields.String(validate=validate.Regexp(r"\A[0-9a-f]{16}\Z"), **more)


def _address_field() -> OutgoingAddressField:
    return OutgoingAddressField(validate=validate.Length(1, LONGEST_ADDRESS))


class RankingIn(RequestSchema):
    """A new ranking between clubs."""

    name = Text(MAX_NAME, required=True)
    contact = Text(lines=True)


class ClubAdmitIn(RequestSchema):
    """A club that takes part, by its key, which was compared with the one that it shows."""

    name = Text(MAX_NAME, required=True)
    key = ma.fields.String(required=True, validate=validate.Length(1, _LONGEST_KEY))
    address = _address_field()


class ClubAddressIn(RequestSchema):
    """Where the publication of a club is from now on; none if it comes as a file."""

    club = _club_id_field()
    address = _address_field()


class ClubDropIn(RequestSchema):
    """A club that takes part no more."""

    club = _club_id_field()


class PublicationTakeIn(RequestSchema):
    """What a club publishes: the file that it signed, as text or as an upload that is whole."""

    club = _club_id_field()
    file = ma.fields.String(validate=validate.Length(1, MAX_BYTES))
    upload = _upload_id_field()

    @ma.validates_schema
    def refuse_none_or_both(self, data: Body, **_: object) -> None:
        """Refuse a body with neither a file nor an upload, or with both."""
        if ("file" in data) == ("upload" in data):
            raise ma.ValidationError({"file": [FieldFault("required")]})


class RankingFileIn(RequestSchema):
    """A piece of a file of signed results that is larger than a request.

    ``upload``: an id that the sender chose; ``at``: bytes before it; ``size``: bytes in all.
    """

    upload = _upload_id_field(required=True)
    at = Int(0, LARGEST, required=True)
    size = Int(1, LARGEST, required=True)
    piece = ma.fields.String(required=True, validate=validate.Length(1, MAX_BYTES))


_SHAPES: Final[dict[type[Act], type[RequestSchema]]] = {
    ev.ClubAdmitted: ClubAdmitIn,
    ev.ClubAddressGiven: ClubAddressIn,
    ev.ClubDropped: ClubDropIn,
    ev.PublicationTaken: PublicationTakeIn,
}
KINDS: Final = ActKinds("RankingAct", _SHAPES)


class RankingActsIn(RequestSchema):
    """Acts of a ranking; all are recorded, or none."""

    acts = ma.fields.List(
        OneOfKindsField(KINDS), required=True, validate=validate.Length(1, MOST_ACTS)
    )


def events_of_acts(
    ranking_id: UUID, acts: Sequence[AskedAct], put: PendingTexts
) -> list[ev.RankingAct]:
    """Events of the acts of a request, each on the state after those before; texts are stored.

    :raises Refused: one of them is impossible
    """
    found: list[ev.RankingAct] = []
    for one in acts:
        state = current_services().referee.rankings.state_after_acts(ranking_id, found)
        found.append(_event_of(state, one, put))
    return found


def _publication_bytes(asked: AskedAct) -> bytes:
    """Bytes of the signed file of a publication: sent with the act, or uploaded before."""
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
        club = require_club(asked.values["club"], state)
        checked = check_signed_publication(here, _publication_bytes(asked), club.key)
        return publication_event(here, state, club, checked, put)
    if asked.struct is ev.ClubDropped:
        return club_drop_event(here, require_club(asked.values["club"], state))
    values = store_act_texts(asked, put)
    if asked.struct is ev.ClubAdmitted and not is_public_key(values["key"]):
        raise Refused(RankingRule.PUBLICATION_BROKEN, field="key")
    return cast("ev.RankingAct", msgspec.convert(values, asked.struct))
