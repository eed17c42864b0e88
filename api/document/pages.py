"""Pages of the document of the API, for people who write programs with it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from flask import Blueprint, Response, current_app

from api.html.pages import page
from api.http.access import guard
from api.http.problems import Problem

Schema: TypeAlias = Mapping[str, Any]
METHODS: Final = ("get", "post", "put", "patch", "delete")
_LIMITS: Final = (
    ("minimum", "≥ {}"),
    ("maximum", "≤ {}"),
    ("minLength", "length ≥ {}"),
    ("maxLength", "length ≤ {}"),
    ("minItems", "items ≥ {}"),
    ("maxItems", "items ≤ {}"),
    ("pattern", "{}"),
)


class TypePart(NamedTuple):
    """A piece of a type; ``of_type``: it is the name of a type that the page describes too."""

    text: str
    of_type: bool = False


class KeyDisplay(NamedTuple):
    """A key or a parameter. ``place``: of a parameter, where it is sent."""

    name: str
    kind: tuple[TypePart, ...]
    limits: str
    is_required: bool
    meaning: str
    place: str = ""


class TypeDisplay(NamedTuple):
    """A type with its keys; ``kind`` if it has none."""

    name: str
    about: str
    keys: tuple[KeyDisplay, ...]
    kind: tuple[TypePart, ...]


class AnswerDisplay(NamedTuple):
    """An answer by its status; ``codes`` of an error."""

    status: str
    about: str
    kind: tuple[TypePart, ...] = ()
    codes: tuple[str, ...] = ()


class OperationDisplay(NamedTuple):
    """An operation in the list. ``is_open``: anybody may ask; ``scopes``: of tokens of apps."""

    id: str
    method: str
    path: str
    summary: str
    is_open: bool
    is_deprecated: bool
    scopes: tuple[str, ...]


class WholeOperation(NamedTuple):
    """All about an operation. ``sent``, ``answered``: its example as text."""

    head: OperationDisplay
    about: str
    parameters: tuple[KeyDisplay, ...]
    body: tuple[TypePart, ...]
    answers: tuple[AnswerDisplay, ...]
    errors: tuple[AnswerDisplay, ...]
    sent: str
    answered: str
    types: tuple[TypeDisplay, ...]


class DocumentDisplay:
    """The document of the API as its pages show it."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document

    def by_subject(self) -> dict[str, list[OperationDisplay]]:
        """Every operation, grouped by subject."""
        found: dict[str, list[OperationDisplay]] = {}
        for path, method, one, _ in self._operations():
            found.setdefault(one.get("tags", ["service"])[0], []).append(
                _operation_display(path, method, one)
            )
        return dict(sorted(found.items()))

    def operation(self, name: str) -> WholeOperation | None:
        """All about the operation of an id; None if there is none."""
        for path, method, one, shared in self._operations():
            if one["operationId"] == name:
                return self._operation_for_page(_operation_display(path, method, one), one, shared)
        return None

    def _operations(self) -> Iterator[tuple[str, str, Schema, list[Schema]]]:
        for path, item in self._document["paths"].items():
            for method in METHODS:
                if method in item:
                    yield path, method, item[method], item.get("parameters", [])

    def _operation_for_page(
        self, head: OperationDisplay, one: Schema, shared: list[Schema]
    ) -> WholeOperation:
        parameters = [self._resolve(of) for of in (*shared, *one.get("parameters", ()))]
        responses = {status: self._resolve(of) for status, of in sorted(one["responses"].items())}
        good = {status: of for status, of in responses.items() if status < "4"}
        bad = {status: of for status, of in responses.items() if "4" <= status < "6"}
        body = _first_content(one.get("requestBody", {}))
        contents = [body, *(_first_content(of) for of in good.values())]
        answered = next((of["example"] for of in contents[1:] if "example" in of), None)
        return WholeOperation(
            head,
            one.get("description", ""),
            tuple(_parameter_display(of) for of in parameters),
            tuple(type_parts(body.get("schema", {}))) if body else (),
            tuple(_answer_display(status, of) for status, of in good.items()),
            tuple(_answer_display(status, of) for status, of in bad.items()),
            _example_text(body.get("example")),
            _example_text(answered),
            tuple(self._displays_of_named_types(of.get("schema", {}) for of in contents)),
        )

    def _resolve(self, one: Schema) -> Schema:
        """The component that a reference names; what is no reference stays."""
        if "$ref" not in one:
            return one
        _, _, kind, name = one["$ref"].split("/")
        found: Schema = self._document["components"][kind][name]
        return found

    def _displays_of_named_types(self, schemas: Iterator[Schema]) -> Iterator[TypeDisplay]:
        """Every type that some schemas name, and those that these name, in that order."""
        waiting = [name for schema in schemas for name in _names_in(schema)]
        known = set[str]()
        while waiting:
            name = waiting.pop(0)
            if name not in known:
                known.add(name)
                schema = self._document["components"]["schemas"][name]
                waiting += _names_in(schema)
                yield _type_display(name, schema)


def _operation_display(path: str, method: str, one: Schema) -> OperationDisplay:
    security = one.get("security", [{}])
    is_open = security == []
    scopes = tuple(scope for ways in security for scope in ways.get("app", ()))
    is_deprecated = bool(one.get("deprecated"))
    summary = one.get("summary", "")
    return OperationDisplay(
        one["operationId"], method.upper(), path, summary, is_open, is_deprecated, scopes
    )


def _first_content(one: Schema) -> Schema:
    """The first content of a request or an answer; empty if it has none."""
    return next(iter(one.get("content", {}).values()), {})


def _example_text(example: Any) -> str:
    return "" if example is None else json.dumps(example, indent=2, ensure_ascii=False)


def _parameter_display(one: Schema) -> KeyDisplay:
    schema = one["schema"]
    return KeyDisplay(
        one["name"],
        tuple(type_parts(schema)),
        _limits(schema),
        bool(one.get("required")),
        one.get("description", ""),
        one["in"],
    )


def _answer_display(status: str, one: Schema) -> AnswerDisplay:
    schema = _first_content(one).get("schema", {})
    return AnswerDisplay(
        status, one.get("description", ""), tuple(type_parts(schema)), tuple(one.get("x-codes", ()))
    )


def _type_display(name: str, schema: Schema) -> TypeDisplay:
    required = schema.get("required", ())
    keys = tuple(
        KeyDisplay(
            key, tuple(type_parts(one)), _limits(one), key in required, one.get("description", "")
        )
        for key, one in schema.get("properties", {}).items()
    )
    kind = () if keys else tuple(type_parts(schema))
    return TypeDisplay(name, schema.get("description", ""), keys, kind)


def _limits(schema: Schema) -> str:
    return ", ".join(text.format(schema[name]) for name, text in _LIMITS if name in schema)


def _names_in(schema: Any) -> Iterator[str]:
    """Names of the types that a schema refers to, in order."""
    if isinstance(schema, list):
        for one in schema:
            yield from _names_in(one)
    elif isinstance(schema, dict):
        if isinstance(reference := schema.get("$ref"), str):
            yield reference.rpartition("/")[2]
        for name, one in schema.items():
            if name not in ("example", "discriminator"):
                yield from _names_in(one)


def type_parts(schema: Schema) -> Iterator[TypePart]:
    """Parts of a text that says which type a value has; names of types are parts of their own.

    >>> "".join(text for text, _ in type_parts({"type": "array", "items": {"type": "string"}}))
    'list of string'
    """
    within = schema.get("additionalProperties")
    unions = [one for union in ("anyOf", "oneOf", "allOf") for one in schema.get(union, ())]
    if "$ref" in schema:
        yield TypePart(schema["$ref"].rpartition("/")[2], of_type=True)
    elif unions:
        yield from _join_type_parts(unions, " | ")
    elif "enum" in schema:
        yield TypePart(" | ".join(json.dumps(one, ensure_ascii=False) for one in schema["enum"]))
    elif items := schema.get("prefixItems") or ([schema["items"]] if "items" in schema else []):
        yield TypePart("list of ")
        yield from _join_type_parts(items, ", ")
    elif isinstance(within, dict) and within:
        yield TypePart("object of ")
        yield from type_parts(within)
    else:
        yield TypePart(_plain_type(schema))


def _join_type_parts(schemas: Iterable[Schema], between: str) -> Iterator[TypePart]:
    for index, one in enumerate(schemas):
        yield TypePart(between if index else "")
        yield from type_parts(one)


def _plain_type(schema: Schema) -> str:
    kinds = schema.get("type", "")
    text = " | ".join(kinds) if isinstance(kinds, list) else str(kinds)
    return f"{text} ({schema['format']})" if "format" in schema else text


blp = Blueprint("document", __name__)


def _document_display() -> DocumentDisplay:
    return DocumentDisplay(current_app.extensions["document"].content)


@blp.get("/api/docs")
@guard.open_to_all
def operations_page() -> Response:
    """Every operation of the API, by subject"""
    return page("document/operations.html", subjects=_document_display().by_subject())


@blp.get("/api/docs/<string(maxlength=100):name>")
@guard.open_to_all
def operation_page(name: str) -> Response:
    """An operation: what it takes, what it answers, an example"""
    if (found := _document_display().operation(name)) is None:
        raise Problem("not_found")
    return page("document/operation.html", one=found)
