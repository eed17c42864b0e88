"""Schemas of answers in the OpenAPI document, made from the types of the views.

The types that the type checker compares with the code are those that the document gives: a key that
a view gets is in the document as well. A fact of the log is plain values in a view; its mark in
``projections.facts`` says which fact it is, in which form.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from inspect import cleandoc
from typing import Any, Final, TypeAlias

import marshmallow as ma
import msgspec

from api.http.fields import ResponseSchema
from projections.facts import FACTS, MARK, ConclusionData, FactForm, PartidaWonData
from projections.legality.findings import WordedFindingData
from referee.events import OptionValue, RuleValue

JsonSchema: TypeAlias = dict[str, Any]
_PREFIX: Final = "#/components/schemas/"
_SUFFIX: Final = {"stored": "Fact", "untagged": "FactBody", "whole": "FactFields"}
_OPEN: Final = "x-open"
_DROPPED: Final = ("title", "default", "discriminator", _OPEN)
NAMES: Final = {
    "CaseData": "Case",
    "DrawFileData": "DrawFile",
    "EvidenceOfPartidaData": "EvidenceView",
    "FindingData": "PlainFinding",
    "KnowledgeData": "KnowledgeView",
    "ListedEncuentroData": "EncuentroRow",
    "ListedSeasonData": "SeasonRow",
    "ListedSessionData": "SessionRow",
    "ListedTournamentData": "TournamentRow",
    "LinkedTournamentData": "TournamentView",
    "OfficialEncuentroData": "EncuentroView",
    "PartidaData": "PartidaView",
    "RecordedLineData": "Entry",
    "ComparisonData": "ComparisonView",
    "ReplayData": "Reel",
    "SeasonListData": "Seasons",
    "SeasonPlayerData": "SeasonPlayerView",
    "SessionListData": "Sessions",
    "StandingLineData": "StandingRow",
    "TrailEntryData": "AuditEntry",
    "TrailPageData": "AuditPage",
    "VerdictData": "ActVerdict",
    "WholeSeasonData": "SeasonView",
    "WholeSessionData": "SessionView",
    "WordedCaseData": "CaseView",
    "WordedFindingData": "Finding",
}
"""Names in the document of types whose shape had another name before."""
UNIONS: Final[Mapping[str, object]] = {
    "PlainOption": OptionValue,
    "OptionByPlayers": OptionValue | dict[str, OptionValue],
    "RuleValue": RuleValue,
    "RuleByPlayers": RuleValue | dict[str, RuleValue],
}
"""Unions of plain values that many types hold, by their names in the document."""
_asked: dict[str, object] = {}


def register_answer_schema(kind: type) -> JsonSchema:
    """Note that this type is answered, and return a reference to its schema, for a route."""
    _asked[kind.__name__] = kind
    return {"$ref": _PREFIX + _component_name(kind.__name__)}


class TypedField(ma.fields.Field[Any]):
    """A field of an answer, with the schema of a type."""

    def __init__(self, kind: object, about: str = "", **more: Any) -> None:
        super().__init__(metadata={"description": about} if about else {}, **more)
        self.place = f"field {len(_asked)}"
        _asked[self.place] = kind


def describe_answers(api: Any) -> None:
    """Add the types of the views to the OpenAPI document, and teach it what a ``TypedField`` is."""
    schemas, found = _schemas_and_components(len(_asked))

    def schema_of_field(_converter: Any, field: Any, **_more: Any) -> JsonSchema:
        return dict(schemas[field.place]) if isinstance(field, TypedField) else {}

    api.ma_plugin.converter.add_attribute_function(schema_of_field)
    for name, schema in found.items():
        api.spec.components.schema(name, dict(schema))


@lru_cache(1)
def _schemas_and_components(asked: int) -> tuple[dict[str, JsonSchema], dict[str, JsonSchema]]:
    """Schemas of all that was asked for, and the components that they refer to, by name."""
    kinds = [*_asked.values(), *UNIONS.values(), *FACTS.values()]
    roots, found = msgspec.json.schema_components(
        kinds, schema_hook=lambda _: {_OPEN: True}, ref_template=f"{_PREFIX}{{name}}"
    )
    components = _Components(found)
    for name, union in zip(UNIONS, list(roots)[asked:], strict=False):
        components.add_named_union(name, union)
    schemas = [components.refer_to_components(one) for one in list(roots)[:asked]]
    return dict(zip(_asked, schemas, strict=True)), components.made


class _Components:
    """Components of the document, made from the schemas of types when something refers to them."""

    def __init__(self, of_types: Mapping[str, JsonSchema]) -> None:
        self._of_types = of_types
        self.made: dict[str, JsonSchema] = {}
        self._unions: list[tuple[list[JsonSchema], str]] = []

    def add_named_union(self, name: str, union: JsonSchema) -> None:
        """Add a union of plain values as a named component; later schemas refer to it."""
        self.made[name] = self.refer_to_components(union)
        self._unions.append((self.made[name]["anyOf"], name))

    def refer_to_components(self, schema: JsonSchema, form: FactForm = "stored") -> JsonSchema:
        """A schema with references to components in place of nested types.

        ``form``: Form of its facts.
        """
        if MARK in schema:
            return self._fact_reference(*schema[MARK])
        if "$ref" in schema:
            return self._component_reference(schema["$ref"].removeprefix(_PREFIX), form)
        kept = {name: one for name, one in schema.items() if name not in _DROPPED}
        if kept.get("items") is False:
            del kept["items"]  # of a tuple; its length is said as well
        if "items" in kept and form == "whole":
            form = "stored"  # a list in a fact is not taken apart
        found = {name: self._schema_member(name, one, form) for name, one in kept.items()}
        for union, named in self._unions:
            if found.get("anyOf") == union:
                del found["anyOf"]
                found["$ref"] = _PREFIX + named
        return found

    def _schema_member(self, name: str, value: Any, form: FactForm) -> Any:
        """A value inside a schema, resolved; names of properties are left alone."""
        match value:
            case str() if name == "description":
                return cleandoc(value)
            case dict() if name == "properties":
                return {key: self.refer_to_components(one, form) for key, one in value.items()}
            case dict():
                return self.refer_to_components(value, form)
            case list() if name in ("anyOf", "prefixItems"):
                return [self.refer_to_components(one, form) for one in value]
        return value

    def _fact_reference(self, form: FactForm, name: str, *kinds: str) -> JsonSchema:
        """Reference to a fact, or to a union of facts."""
        if len(kinds) == 1:
            return self._component_reference(kinds[0], form)
        named = name + _SUFFIX[form]
        if named not in self.made:
            self.made[named] = {"anyOf": [self._component_reference(one, form) for one in kinds]}
        return {"$ref": _PREFIX + named}

    def _component_reference(self, name: str, form: FactForm) -> JsonSchema:
        """Reference to the component of a type, which is made if it is not there yet."""
        is_view = name.endswith("Data")
        named = _component_name(name) if is_view else name + _SUFFIX[form]
        if named not in self.made:
            self.made[named] = {}  # a type may refer to itself
            within: FactForm = "stored" if form == "untagged" else form
            schema = self.refer_to_components(self._of_types[name], within)
            self.made[named] = schema if is_view else _reshape_fact_schema(schema, form)
            self.made[named].setdefault("additionalProperties", False)
        return {"$ref": _PREFIX + named}


def _reshape_fact_schema(schema: JsonSchema, form: FactForm) -> JsonSchema:
    """Schema of a fact in a form: without its kind, or with every field required."""
    if form == "stored":
        return schema
    properties = {name: one for name, one in schema["properties"].items() if name != "kind"}
    required = [name for name in schema.get("required", ()) if name != "kind"]
    return {
        **schema,
        "properties": properties,
        "required": list(properties) if form == "whole" else required,
    }


def _component_name(name: str) -> str:
    """Name of a type in the document."""
    return NAMES.get(name, name.removesuffix("Data"))


class Written(ResponseSchema):
    """What a write recorded."""

    id = ma.fields.UUID(required=True)
    version = ma.fields.Integer(required=True, metadata={"description": "count of acts now"})
    position = ma.fields.Integer(required=True, metadata={"description": "to wait for in a read"})
    lines = ma.fields.List(ma.fields.Integer(), required=True)
    conclusions = TypedField(
        list[ConclusionData], "official conclusions that followed", required=True
    )
    findings = TypedField(list[WordedFindingData], "what was noticed by these acts", required=True)
    decided = TypedField(PartidaWonData | None, "how the partida was decided", required=True)
