"""Schemas of acts over HTTP: one for each kind, generated from the structs of the log."""

from __future__ import annotations

import functools
import typing
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import marshmallow as ma
import msgspec
from marshmallow import validate

from api.encuentros.citations import public_ruling_and_reason
from api.http.fields import (
    MAX_NAME,
    MAX_NUMBER,
    Bool,
    FieldFault,
    Int,
    RequestSchema,
    Text,
    choice_field,
    error_with_fault_code,
)
from referee import events
from referee.rules.cards import TOKENS

SEAT_NAMES = ("A1", "B1", "A2", "B2", "C1")
SIDE_NAMES = ("A", "B", "C")
SUIT_NAMES = ("O", "C", "E", "B")
_MOST_CARDS = 48
_MOST_DEALS = 99
_MOST_POINTS = 1000


@dataclass(frozen=True, slots=True)
class ReceivedAct:
    """An act of a request: its free text is not yet in the erasable store."""

    act: Any
    text: str = ""


def _numbers_by_key_field_maker(keys: tuple[str, ...], most: int) -> Any:
    def make_field(**more: Any) -> ma.fields.Field[Any]:
        one = {"type": "integer", "minimum": 0, "maximum": most}
        about = {"additionalProperties": False, "properties": dict.fromkeys(keys, one)}
        return ma.fields.Dict(keys=choice_field(*keys), values=Int(0, most), metadata=about, **more)

    return make_field


def _list_field_maker(name: str, values: tuple[str, ...], most: int) -> Any:
    return lambda **more: ma.fields.List(
        ListedString(name, values), validate=validate.Length(0, most), **more
    )


def _number_field_maker(least: int, most: int) -> Any:
    """A maker of fields for a number within bounds.

    A default below them may be sent, and means no number.
    """

    def make_field(**more: Any) -> ma.fields.Field[Any]:
        default = more.get("load_default")
        return Int(least if default is None else min(least, default), most, **more)

    return make_field


class ListedString(ma.fields.String):
    """A string of an enumeration that has a name in the OpenAPI document."""

    def __init__(self, name: str, values: tuple[str, ...], **more: Any) -> None:
        super().__init__(**more)
        self.list_name = name
        self.values = values
        self._allowed = frozenset(values)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        text = super()._deserialize(value, attr, data, **more)
        if text not in self._allowed:
            raise error_with_fault_code(f"not_a_{self.list_name.removesuffix('OrNone').lower()}")
        return text


def _enum_schema_field_maker(name: str, values: tuple[str, ...]) -> Any:
    def make_field(**more: Any) -> ma.fields.Field[Any]:
        if more.get("load_default") == "":
            return ListedString(f"{name}OrNone", ("", *values), **more)
        return ListedString(name, values, **more)

    return make_field


_MAKERS: dict[object, Any] = {
    events.SeatName: _enum_schema_field_maker("Seat", SEAT_NAMES),
    events.SideName: _enum_schema_field_maker("Side", SIDE_NAMES),
    events.CardToken: _enum_schema_field_maker("Card", TOKENS),
    events.SuitName: _enum_schema_field_maker("Suit", SUIT_NAMES),
    events.TextId: functools.partial(Text, lines=True),
    str: functools.partial(Text, MAX_NAME),
    bool: Bool,
    int: _number_field_maker(0, MAX_NUMBER),
    events.CardCount: _number_field_maker(0, _MOST_CARDS),
    events.TrickNumber: _number_field_maker(1, _MOST_CARDS),
    events.DealNumber: _number_field_maker(1, _MOST_DEALS),
    events.Points: _number_field_maker(0, _MOST_POINTS),
    events.PointAdjustment: _number_field_maker(-_MOST_POINTS, _MOST_POINTS),
    tuple[events.CardToken, ...]: _list_field_maker("Card", TOKENS, _MOST_CARDS),
    tuple[events.SuitName, ...]: _list_field_maker("Suit", SUIT_NAMES, len(SUIT_NAMES)),
    dict[events.SeatName, events.CardCount]: _numbers_by_key_field_maker(SEAT_NAMES, _MOST_CARDS),
    dict[events.SideName, int]: _numbers_by_key_field_maker(SIDE_NAMES, MAX_NUMBER),
}


def _schema_field(one: msgspec.structs.FieldInfo) -> ma.fields.Field[Any]:
    """Field of a schema for one field of a struct, by its type."""
    more: dict[str, Any] = {"required": True}
    if one.default is not msgspec.NODEFAULT:
        more = {"load_default": one.default}
    elif one.default_factory is not msgspec.NODEFAULT:
        more = {"load_default": one.default_factory()}
    kind, may_be_none = events.split_optional_type(one.type)
    if may_be_none:
        more["allow_none"] = True
    if kind in (events.TextId, str):
        more.pop("load_default", None)
    if maker := _MAKERS.get(kind):
        return typing.cast("ma.fields.Field[Any]", maker(**more))
    return choice_field(*typing.get_args(kind), **more)


def schema_of_act(struct: type[msgspec.Struct]) -> type[RequestSchema]:
    """Schema of one kind of act, from its struct on the log."""
    kind = str(struct.__struct_config__.tag)
    made: dict[str, Any] = {
        "kind": ma.fields.String(required=True, validate=validate.OneOf([kind])),
        **{one.name: _schema_field(one) for one in msgspec.structs.fields(struct)},
    }
    made["__doc__"] = struct.__doc__
    return type(struct.__name__, (RequestSchema,), made)


KINDS: dict[str, type[msgspec.Struct]] = {
    str(struct.__struct_config__.tag): struct for struct in typing.get_args(events.TableAct)
}
SHAPES: dict[str, type[RequestSchema]] = {
    kind: schema_of_act(struct) for kind, struct in KINDS.items()
}
ONE_OF_ALL: Final = "Act"
"""Name in the OpenAPI document of an act of any kind."""


@cache
def _schema_of_kind(kind: str) -> RequestSchema:
    return SHAPES[kind]()


def parse_received_act(value: Any) -> ReceivedAct:
    """The act in a value of a request, and its free text; ``ValidationError`` names the field."""
    if not isinstance(value, dict):
        raise error_with_fault_code("not_an_act")
    kind = value.get("kind")
    if not isinstance(kind, str) or kind not in SHAPES:
        raise ma.ValidationError({"kind": [FieldFault("not_a_kind")]})
    fields = _schema_of_kind(kind).load(value)
    has_text = "text" in KINDS[kind].__struct_fields__
    text = fields.pop("text", "") if has_text else ""
    if has_text:
        fields["text"] = ""
    act = msgspec.convert(fields, KINDS[kind])
    if isinstance(act, events.RulingGiven):
        act, text = public_ruling_and_reason(act, text)
    return ReceivedAct(act, text)


class ActField(ma.fields.Field[ReceivedAct]):
    """An act of any kind."""

    def _deserialize(
        self,
        value: Any,
        attr: str | None,
        data: Any,
        **more: Any,
    ) -> ReceivedAct:
        return parse_received_act(value)


class Acts(RequestSchema):
    """Acts in the order they happened; all are recorded, or none."""

    acts = ma.fields.List(ActField(), required=True, validate=validate.Length(1, 100))


class ChangeIn(RequestSchema):
    """One correction: another act in the place of a line, before it, or nothing in its place."""

    line = Int(1, MAX_NUMBER, required=True)
    how = choice_field("replace", "insert", "withdraw", required=True)
    act = ActField()

    @ma.validates_schema
    def _refuse_missing_or_needless_act(self, data: dict[str, Any], **_more: Any) -> None:
        if ("act" in data) == (data["how"] == "withdraw"):
            raise ma.ValidationError({"act": [FieldFault("act_or_none")]})


class Amendment(RequestSchema):
    """Corrections made together, and why."""

    changes = ma.fields.List(
        ma.fields.Nested(ChangeIn), required=True, validate=validate.Length(1, 100)
    )
    because = Text(lines=True)


def document_acts(plugin: Any) -> None:
    """Add the kinds of acts and the named enumerations to the OpenAPI document."""

    def describe_listed_string(converter: Any, field: Any, **_more: Any) -> dict[str, Any]:
        if not isinstance(field, ListedString):
            return {}
        known = converter.spec.components.schemas
        if field.list_name not in known:
            about = {"type": "string", "enum": list(field.values)}
            converter.spec.components.schema(field.list_name, about)
        return {"$ref": f"#/components/schemas/{field.list_name}"}

    def describe_act(converter: Any, field: Any, **_more: Any) -> dict[str, Any]:
        if not isinstance(field, ActField):
            return {}
        components = converter.spec.components
        if ONE_OF_ALL not in components.schemas:
            refs = {k: plugin.resolver.resolve_schema_dict(shape) for k, shape in SHAPES.items()}
            mapping = {kind: ref["$ref"] for kind, ref in refs.items()}
            discriminator = {"propertyName": "kind", "mapping": mapping}
            components.schema(
                ONE_OF_ALL, {"oneOf": list(refs.values()), "discriminator": discriminator}
            )
        return {"$ref": f"#/components/schemas/{ONE_OF_ALL}"}

    plugin.converter.add_attribute_function(describe_listed_string)
    plugin.converter.add_attribute_function(describe_act)
