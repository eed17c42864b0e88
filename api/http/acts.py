"""Acts of any kind in one request: their kinds, their schemas, their place in the document."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

import marshmallow as ma
import msgspec
from marshmallow import validate

from api.http import people
from api.http.bodies import Body
from api.http.fields import FieldFault, RequestSchema, error_with_fault_code
from api.http.services import NOT_STORED, PendingTexts
from referee.events import Act, PersonId, TextId


class AskedAct(NamedTuple):
    """An act in a request: its type, and its values, whose texts are not stored yet."""

    struct: type[Act]
    values: Body


class ActKinds:
    """The kinds of acts of one aggregate. ``name``: in the document, of an act of any kind."""

    def __init__(self, name: str, shapes: Mapping[type[Act], type[RequestSchema]]) -> None:
        self.name = name
        self._given = shapes
        self._structs = {str(struct.__struct_config__.tag): struct for struct in shapes}

    @cached_property
    def schemas_by_kind(self) -> Mapping[str, type[RequestSchema]]:
        """Schema of each kind of act, by its name."""
        return {kind: self._kind_schema(kind, struct) for kind, struct in self._structs.items()}

    def _kind_schema(self, kind: str, struct: type[Act]) -> type[RequestSchema]:
        of_kind = ma.fields.String(required=True, validate=validate.OneOf([kind]))
        about = {"kind": of_kind, "__doc__": struct.__doc__}
        return type(f"{struct.__name__}In", (self._given[struct],), about)

    def load_asked_act(self, kind: str, values: Body) -> AskedAct:
        """An act of a kind, validated by its schema.

        :raises ma.ValidationError: a field is wrong
        """
        return AskedAct(self._structs[kind], self.schemas_by_kind[kind]().load(values))

    def act_of_form_values(self, kind: str, values: Body) -> AskedAct:
        """An act of the values of a form, whose empty fields are left out.

        :raises ma.ValidationError: a field is wrong
        """
        given = {name: value for name, value in values.items() if value not in ("", [])}
        return self.load_asked_act(kind, {"kind": kind, **given})

    def add_kinds_to_plugin(self, plugin: Any) -> None:
        """Have a plugin of the OpenAPI document describe the fields for these kinds of acts."""

        def reference_of_kinds_or_empty(converter: Any, field: Any, **_more: Any) -> dict[str, Any]:
            if not isinstance(field, OneOfKindsField) or field.kinds is not self:
                return {}
            components = converter.spec.components
            if self.name not in components.schemas:
                resolve = plugin.resolver.resolve_schema_dict
                refs = {kind: resolve(shape) for kind, shape in self.schemas_by_kind.items()}
                mapping = {kind: ref["$ref"] for kind, ref in refs.items()}
                about = {"propertyName": "kind", "mapping": mapping}
                components.schema(self.name, {"oneOf": [*refs.values()], "discriminator": about})
            return {"$ref": f"#/components/schemas/{self.name}"}

        plugin.converter.add_attribute_function(reference_of_kinds_or_empty)


class OneOfKindsField(ma.fields.Field[AskedAct]):
    """Field for an act of any of several kinds."""

    def __init__(self, kinds: ActKinds) -> None:
        super().__init__()
        self.kinds = kinds

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> AskedAct:
        if not isinstance(value, dict):
            raise error_with_fault_code("not_an_act")
        kind = value.get("kind")
        if not isinstance(kind, str) or kind not in self.kinds.schemas_by_kind:
            raise ma.ValidationError({"kind": [FieldFault("not_a_kind")]})
        return self.kinds.load_asked_act(kind, value)


class UnstoredTexts(PendingTexts):
    """Names and texts of a preview, which stores nothing."""

    def __init__(self) -> None:
        """Nothing is kept, so nothing is needed. ``names``: of the persons that would be new."""
        self.names: dict[PersonId, str | None] = {}

    def add_texts(self, texts: Any) -> list[str]:
        """A placeholder for each text."""
        return [NOT_STORED if text else "" for text in texts]

    def add_persons(self, names: Any) -> list[str]:
        """A placeholder for each new person."""
        found = {f"{NOT_STORED}{len(self.names) + at}": name for at, name in enumerate(names)}
        self.names |= found
        return [*found]


def store_act_texts(asked: AskedAct, put: PendingTexts) -> Body:
    """The values of an act, with ids in place of its texts and persons, which are stored.

    :raises Problem: a person is unknown
    """
    values = {name: value for name, value in asked.values.items() if name != "kind"}
    for field in msgspec.structs.fields(asked.struct):
        if field.name not in values:
            continue
        if field.type == TextId:
            values[field.name] = put.add_text(values[field.name])
        elif field.type == PersonId:
            values[field.name] = people.ids_of_persons(field.name, {0: values[field.name]}, put)[0]
    return values
