"""Acts of a league in requests: their kinds, their schemas, and the events that they become."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

import marshmallow as ma
import msgspec
from marshmallow import validate

from api.http import people
from api.http.bodies import Body
from api.http.faults import FieldFault, wrong
from api.http.fields import RequestSchema
from api.http.services import NOT_STORED, PendingTexts
from api.leagues import schemas
from referee.events import PersonId, TextId
from referee.events import league as ev

ONE_OF_ALL: Final = "LeagueAct"
"""Name in the OpenAPI document of an act of any kind."""
_SHAPES: Final[dict[type[ev.LeagueAct], type[RequestSchema]]] = {
    ev.TeamEntered: schemas.TeamEnterIn,
    ev.TeamChanged: schemas.TeamChangeIn,
    ev.PlayerRegistered: schemas.PlayerListIn,
    ev.PlayerReleased: schemas.PlayerListIn,
    ev.MatchesScheduled: schemas.LeagueCalendarIn,
    ev.MatchMoved: schemas.MatchMoveIn,
    ev.MatchPostponed: schemas.MatchReasonIn,
    ev.LineupNamed: schemas.LineupIn,
    ev.MatchReported: schemas.MatchReportIn,
    ev.MatchSigned: schemas.MatchAnswerIn,
    ev.MatchDenied: schemas.MatchAnswerIn,
    ev.MatchForfeited: schemas.MatchForfeitIn,
    ev.MatchAnnulled: schemas.MatchReasonIn,
    ev.MatchReopened: schemas.MatchReasonIn,
    ev.TeamSanctioned: schemas.TeamSanctionIn,
    ev.SanctionLifted: schemas.SanctionLiftIn,
    ev.TeamWithdrawn: schemas.TeamWithdrawIn,
    ev.TeamReturned: schemas.OneTeamIn,
    ev.TeamAddressRenewed: schemas.OneTeamIn,
    ev.LeagueClosed: schemas.NothingMoreIn,
    ev.LeagueReopened: schemas.NothingMoreIn,
}
KINDS: Final = {str(struct.__struct_config__.tag): struct for struct in _SHAPES}


class AskedAct(NamedTuple):
    """An act of a request: what becomes of it, and its values, of which texts are not stored."""

    struct: type[ev.LeagueAct]
    values: Body


class UnstoredTexts(PendingTexts):
    """Names and texts of a preview, which stores nothing."""

    def __init__(self) -> None:
        """Nothing is kept, so nothing is needed."""

    def texts(self, texts: Any) -> list[str]:
        """A placeholder for each text."""
        return [NOT_STORED if text else "" for text in texts]

    def persons(self, names: Any) -> list[str]:
        """A placeholder for each new person."""
        return [f"{NOT_STORED}{at}" for at, _ in enumerate(names)]


@cache
def _shape(kind: str) -> type[RequestSchema]:
    """Schema of one kind of act, with the kind."""
    shape = _SHAPES[KINDS[kind]]
    of_kind = ma.fields.String(required=True, validate=validate.OneOf([kind]))
    name = f"{KINDS[kind].__name__}In"
    return type(name, (shape,), {"kind": of_kind, "__doc__": KINDS[kind].__doc__})


class LeagueActField(ma.fields.Field[AskedAct]):
    """An act of any kind."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> AskedAct:
        if not isinstance(value, dict):
            raise wrong("not_an_act")
        kind = value.get("kind")
        if not isinstance(kind, str) or kind not in KINDS:
            raise ma.ValidationError({"kind": [FieldFault("not_a_kind")]})
        return AskedAct(KINDS[kind], _shape(kind)().load(value))


class LeagueActsIn(RequestSchema):
    """Acts of a league; all are recorded, or none."""

    acts = ma.fields.List(
        LeagueActField(), required=True, validate=validate.Length(1, schemas.MOST_ACTS)
    )


def act_of_form(kind: str, values: Body) -> AskedAct:
    """An act of a form.

    :raises ma.ValidationError: a field is wrong
    """
    given = {name: value for name, value in values.items() if value not in ("", [])}
    return AskedAct(KINDS[kind], _shape(kind)().load({"kind": kind, **given}))


def event_of(asked: AskedAct, put: PendingTexts) -> ev.LeagueAct:
    """The event that an act becomes, with its texts and persons stored.

    :raises Problem: a person is unknown
    """
    values = {name: value for name, value in asked.values.items() if name != "kind"}
    for field in msgspec.structs.fields(asked.struct):
        if field.type == TextId and field.name in values:
            values[field.name] = put.text(values[field.name])
        elif field.type == PersonId:
            values[field.name] = people.persons(field.name, {0: values[field.name]}, put)[0]
    if asked.struct is ev.LineupNamed:
        named = {_identity(who): who for pair in values["pairs"] for who in pair}
        found = people.persons("pairs", named, put)
        values["pairs"] = [tuple(found[_identity(who)] for who in pair) for pair in values["pairs"]]
    made: ev.LeagueAct = msgspec.convert(values, asked.struct)
    return made


def _identity(who: Body) -> tuple[tuple[str, str], ...]:
    """How a person is given: two that are given alike are one."""
    return tuple(sorted(who.items()))


def document(plugin: Any) -> None:
    """Add the kinds of acts to the OpenAPI document."""

    def one_of(converter: Any, field: Any, **_more: Any) -> dict[str, Any]:
        if not isinstance(field, LeagueActField):
            return {}
        components = converter.spec.components
        if ONE_OF_ALL not in components.schemas:
            refs = {kind: plugin.resolver.resolve_schema_dict(_shape(kind)) for kind in KINDS}
            mapping = {kind: ref["$ref"] for kind, ref in refs.items()}
            about = {"propertyName": "kind", "mapping": mapping}
            components.schema(ONE_OF_ALL, {"oneOf": [*refs.values()], "discriminator": about})
        return {"$ref": f"#/components/schemas/{ONE_OF_ALL}"}

    plugin.converter.add_attribute_function(one_of)
