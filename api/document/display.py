"""The document as its pages show it: operations by subject, and all about one of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

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
    """A document, to be shown."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document

    def by_subject(self) -> dict[str, list[OperationDisplay]]:
        """Every operation, by the subject that its room names."""
        found: dict[str, list[OperationDisplay]] = {}
        for path, method, one, _ in self._operations():
            found.setdefault(one.get("tags", ["service"])[0], []).append(_head(path, method, one))
        return dict(sorted(found.items()))

    def operation(self, name: str) -> WholeOperation | None:
        """All about the operation of an id; None if there is none."""
        for path, method, one, shared in self._operations():
            if one["operationId"] == name:
                return self._with_content(_head(path, method, one), one, shared)
        return None

    def _operations(self) -> Iterator[tuple[str, str, Schema, list[Schema]]]:
        for path, item in self._document["paths"].items():
            for method in METHODS:
                if method in item:
                    yield path, method, item[method], item.get("parameters", [])

    def _with_content(
        self, head: OperationDisplay, one: Schema, shared: list[Schema]
    ) -> WholeOperation:
        parameters = [self._resolve(of) for of in (*shared, *one.get("parameters", ()))]
        responses = {status: self._resolve(of) for status, of in sorted(one["responses"].items())}
        good = {status: of for status, of in responses.items() if status < "4"}
        bad = {status: of for status, of in responses.items() if "4" <= status < "6"}
        body = _content(one.get("requestBody", {}))
        contents = [body, *(_content(of) for of in good.values())]
        answered = next((of["example"] for of in contents[1:] if "example" in of), None)
        return WholeOperation(
            head,
            one.get("description", ""),
            tuple(_parameter(of) for of in parameters),
            tuple(kind_of(body.get("schema", {}))) if body else (),
            tuple(_answer(status, of) for status, of in good.items()),
            tuple(_answer(status, of) for status, of in bad.items()),
            _text(body.get("example")),
            _text(answered),
            tuple(self._types(of.get("schema", {}) for of in contents)),
        )

    def _resolve(self, one: Schema) -> Schema:
        """What a reference stands for, or the thing itself."""
        if "$ref" not in one:
            return one
        _, _, kind, name = one["$ref"].split("/")
        found: Schema = self._document["components"][kind][name]
        return found

    def _types(self, schemas: Iterator[Schema]) -> Iterator[TypeDisplay]:
        """Every type that some schemas name, and those that these name, in that order."""
        waiting = [name for schema in schemas for name in _names_in(schema)]
        known = set[str]()
        while waiting:
            name = waiting.pop(0)
            if name not in known:
                known.add(name)
                schema = self._document["components"]["schemas"][name]
                waiting += _names_in(schema)
                yield _type(name, schema)


def _head(path: str, method: str, one: Schema) -> OperationDisplay:
    security = one.get("security", [{}])
    is_open = security == []
    scopes = tuple(scope for ways in security for scope in ways.get("app", ()))
    is_deprecated = bool(one.get("deprecated"))
    summary = one.get("summary", "")
    return OperationDisplay(
        one["operationId"], method.upper(), path, summary, is_open, is_deprecated, scopes
    )


def _content(one: Schema) -> Schema:
    """The first content of a request or an answer; empty if it has none."""
    return next(iter(one.get("content", {}).values()), {})


def _text(example: Any) -> str:
    return "" if example is None else json.dumps(example, indent=2, ensure_ascii=False)


def _parameter(one: Schema) -> KeyDisplay:
    schema = one["schema"]
    return KeyDisplay(
        one["name"],
        tuple(kind_of(schema)),
        _limits(schema),
        bool(one.get("required")),
        one.get("description", ""),
        one["in"],
    )


def _answer(status: str, one: Schema) -> AnswerDisplay:
    schema = _content(one).get("schema", {})
    return AnswerDisplay(
        status, one.get("description", ""), tuple(kind_of(schema)), tuple(one.get("x-codes", ()))
    )


def _type(name: str, schema: Schema) -> TypeDisplay:
    required = schema.get("required", ())
    keys = tuple(
        KeyDisplay(
            key, tuple(kind_of(one)), _limits(one), key in required, one.get("description", "")
        )
        for key, one in schema.get("properties", {}).items()
    )
    kind = () if keys else tuple(kind_of(schema))
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


def kind_of(schema: Schema) -> Iterator[TypePart]:
    """The type of a value in words and names of types.

    >>> "".join(text for text, _ in kind_of({"type": "array", "items": {"type": "string"}}))
    'list of string'
    """
    within = schema.get("additionalProperties")
    unions = [one for union in ("anyOf", "oneOf", "allOf") for one in schema.get(union, ())]
    if "$ref" in schema:
        yield TypePart(schema["$ref"].rpartition("/")[2], of_type=True)
    elif unions:
        yield from _join(unions, " | ")
    elif "enum" in schema:
        yield TypePart(" | ".join(json.dumps(one, ensure_ascii=False) for one in schema["enum"]))
    elif items := schema.get("prefixItems") or ([schema["items"]] if "items" in schema else []):
        yield TypePart("list of ")
        yield from _join(items, ", ")
    elif isinstance(within, dict) and within:
        yield TypePart("object of ")
        yield from kind_of(within)
    else:
        yield TypePart(_plain(schema))


def _join(schemas: Iterable[Schema], between: str) -> Iterator[TypePart]:
    for index, one in enumerate(schemas):
        yield TypePart(between if index else "")
        yield from kind_of(one)


def _plain(schema: Schema) -> str:
    kinds = schema.get("type", "")
    text = " | ".join(kinds) if isinstance(kinds, list) else str(kinds)
    return f"{text} ({schema['format']})" if "format" in schema else text
