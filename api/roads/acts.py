"""Acts of a road in requests: their kinds, and the events that they become."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, cast
from uuid import UUID

import marshmallow as ma
import msgspec
from marshmallow import validate

from api.http import people
from api.http.acts.kinds import ActKinds, AskedAct, OneOfKindsField, values_of
from api.http.fields import RequestSchema
from api.http.services import PendingTexts
from api.roads import schemas
from api.roads.names import ListNames
from referee.aggregates.road import Road, RoadRule
from referee.audit.checkpoint import is_key
from referee.audit.house_files import BrokenFile
from referee.audit.lists import CheckedList, read_signed_list
from referee.errors import Refused
from referee.events import Act
from referee.events import road as ev
from referee.events.tournament import ListedPair

_SHAPES: Final[dict[type[Act], type[RequestSchema]]] = {
    ev.QualifierAdded: schemas.QualifierAddIn,
    ev.QualifierChanged: schemas.QualifierChangeIn,
    ev.KeyTrusted: schemas.KeyTrustIn,
    ev.ListTaken: schemas.ListTakeIn,
    ev.PairInvited: schemas.PairInviteIn,
    ev.PlaceRenounced: schemas.PlaceRenounceIn,
    ev.PlaceReclaimed: schemas.PlaceReclaimIn,
    ev.FinalEntered: schemas.FinalEnterIn,
}
KINDS: Final = ActKinds("RoadAct", _SHAPES)


class RoadActsIn(RequestSchema):
    """Acts of a road; all are recorded, or none."""

    acts = ma.fields.List(
        OneOfKindsField(KINDS), required=True, validate=validate.Length(1, schemas.MOST_ACTS)
    )


def event_of(state: Road, asked: AskedAct, put: PendingTexts) -> ev.RoadAct:
    """The event that an act becomes, with its texts and persons stored.

    :raises Refused: the file of a list is not as it was signed
    :raises Problem: a person is unknown
    """
    values = values_of(asked, put)
    if asked.struct is ev.ListTaken and "file" in values:
        checked, qualifier = read_file(values["file"]), values["qualifier"]
        names = names_of_list(state, qualifier, checked, values.get("same", ()))
        return _read_list(names, qualifier, checked, put)
    if asked.struct is ev.PairInvited:
        found = people.persons("players", dict(enumerate(values["players"])), put)
        values["players"] = tuple(found.values())
    if asked.struct is ev.KeyTrusted and not is_key(values["key"]):
        raise Refused(RoadRule.FIELD_BROKEN, field="key")
    values.pop("same", None)
    if isinstance(values.get("tournament"), UUID):
        values["tournament"] = str(values["tournament"])
    return cast("ev.RoadAct", msgspec.convert(values, asked.struct))


def read_file(text: str) -> CheckedList:
    """The list in a file of another house.

    :raises Refused: it is not as it was signed; the field is named
    """
    try:
        return read_signed_list(text.encode("utf-8", "replace"))
    except BrokenFile as broken:
        if broken.line:
            facts = {"field": broken.field, "line": broken.line}
            raise Refused(RoadRule.LINE_BROKEN, **facts) from None
        raise Refused(RoadRule.FIELD_BROKEN, field=broken.field) from None


def _read_list(
    names: ListNames, qualifier: str, checked: CheckedList, put: PendingTexts
) -> ev.ListTaken:
    signed = checked.signed
    listed = tuple(
        ListedPair(one.place, one.pair, players)
        for one, players in zip(signed.pairs, names.persons(put), strict=True)
    )
    return ev.ListTaken(qualifier, listed, checked.key.text, signed.tournament, signed.event.index)


def names_of_list(
    state: Road, qualifier: str, checked: CheckedList, same: Iterable[str]
) -> ListNames:
    """The names of a signed list. ``same``: those that mean who has them on the road already."""
    return ListNames(state, qualifier, [one.players for one in checked.signed.pairs], same)
