"""Acts of a road in requests: their kinds, and the events that they become."""

from __future__ import annotations

from typing import Final, cast
from uuid import UUID

import marshmallow as ma
import msgspec
from marshmallow import validate

from api.club.name_matches import KnownNames
from api.club.views import players
from api.http import people
from api.http.acts.kinds import ActKinds, AskedAct, OneOfKindsField, values_of
from api.http.fields import RequestSchema
from api.http.names import fold_name
from api.http.services import PendingTexts, current_services
from api.roads import schemas
from referee.aggregates.road.rules import RoadRule
from referee.aggregates.road.state import Road
from referee.audit.checkpoint import is_key
from referee.audit.lists import BrokenList, CheckedList, read_signed_list
from referee.errors import Refused
from referee.events import Act, PersonId
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
        return _read_list(state, values["qualifier"], values["file"], put)
    if asked.struct is ev.PairInvited:
        found = people.persons("players", dict(enumerate(values["players"])), put)
        values["players"] = tuple(found.values())
    if asked.struct is ev.KeyTrusted and not is_key(values["key"]):
        raise Refused(RoadRule.FIELD_BROKEN, field="key")
    if isinstance(values.get("tournament"), UUID):
        values["tournament"] = str(values["tournament"])
    return cast("ev.RoadAct", msgspec.convert(values, asked.struct))


def read_file(text: str) -> CheckedList:
    """The list in a file of another house.

    :raises Refused: it is not as it was signed; the field is named
    """
    try:
        return read_signed_list(text.encode("utf-8", "replace"))
    except BrokenList as broken:
        if broken.line:
            facts = {"field": broken.field, "line": broken.line}
            raise Refused(RoadRule.LINE_BROKEN, **facts) from None
        raise Refused(RoadRule.FIELD_BROKEN, field=broken.field) from None


def _read_list(state: Road, qualifier: str, text: str, put: PendingTexts) -> ev.ListTaken:
    checked = read_file(text)
    signed = checked.signed
    persons = _persons_of(state, [one.players for one in signed.pairs], put)
    listed = tuple(
        ListedPair(one.place, one.pair, players)
        for one, players in zip(signed.pairs, persons, strict=True)
    )
    return ev.ListTaken(qualifier, listed, checked.key.text, signed.tournament, signed.event.index)


def _persons_of(
    state: Road, pairs: list[tuple[str, ...]], put: PendingTexts
) -> list[tuple[PersonId, ...]]:
    """Who is meant by the names of a list.

    A pair with both names of one on the road is that pair; a name that one player of the house has
    means that player; anybody else is new.
    """
    there = _pairs_by_name(state)
    known = KnownNames(players())
    new = [
        name
        for names in pairs
        if _fold_names(names) not in there
        for name in names
        if len(known.same(name)) != 1
    ]
    made = iter(put.persons(new))
    found: list[tuple[PersonId, ...]] = []
    for names in pairs:
        if (same := there.get(_fold_names(names))) is not None:
            found.append(same)
            continue
        meant = (known.same(name) for name in names)
        found.append(tuple(one[0].player if len(one) == 1 else next(made) for one in meant))
    return found


def _fold_names(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(map(fold_name, names)))


def _pairs_by_name(state: Road) -> dict[tuple[str, ...], tuple[PersonId, ...]]:
    """Pairs that are on the road, by the names of their players."""
    lists = [one.taken.pairs for one in state.qualifiers.values() if one.taken is not None]
    pairs = [listed.players for taken in lists for listed in taken]
    pairs += [one.players for one in state.invitations.values()]
    names = current_services().persons.names_of({one: None for pair in pairs for one in pair})
    return {_fold_names(tuple(names[one] or one for one in pair)): pair for pair in pairs}
