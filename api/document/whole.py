"""The whole document of the API.

What schemas and routes say, and descriptions, errors and examples added to it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeAlias

from flask import Flask, request
from werkzeug.wrappers import Response

from api.document import errors
from api.http import operations
from api.http.access.prefix import prefix

Meaning: TypeAlias = str | Mapping[str, str]
OTHERS: Final = "*"
_FORM: Final = re.compile(r"Fact(Body|Fields)?$")


@cache
def meanings() -> Mapping[str, Meaning]:
    """The meaning of each key, or its meanings by component, as the files of keys have them."""
    found: dict[str, Meaning] = {}
    for path in sorted(Path(__file__).parent.glob("keys/*.json")):
        found.update(json.loads(path.read_text("utf-8")))
    return found


def meaning_of(key: str, component: str) -> str:
    """What a key means in a component of the document; empty if nothing says it.

    >>> meaning_of("hash", "Moment") == meaning_of("hash", "FrozenProfile")
    False
    >>> meaning_of("card", "CardPlayedFactBody") == meaning_of("card", "CardPlayed")
    True
    """
    found = meanings().get(key, "")
    if isinstance(found, str):
        return found
    name = _FORM.sub("", component)
    texts = (text for names, text in found.items() if name in names.split())
    return next(texts, found.get(OTHERS, ""))


def describe_keys(schemas: dict[str, Any]) -> None:
    """Add its description to every key of the components of the document."""
    for name, schema in schemas.items():
        schemas[name] = _schema_with_meanings(schema, name)


def _schema_with_meanings(schema: Any, component: str) -> Any:
    """The schema with its keys described, those of objects within it too."""
    if isinstance(schema, list):
        return [_schema_with_meanings(one, component) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: _properties_with_meanings(one, component)
        if name == "properties"
        else _schema_with_meanings(one, component)
        for name, one in schema.items()
    }


def _properties_with_meanings(properties: Mapping[str, Any], component: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, schema in properties.items():
        meaning = {"description": text} if (text := meaning_of(key, component)) else {}
        found[key] = {**meaning, **_schema_with_meanings(schema, component)}
    return found


FILE: Final = Path(__file__).with_name("examples.json")


def add_examples(spec: Any) -> None:
    """Add the recorded example to the request and the answer of every operation."""
    kept: dict[str, dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
    for item in spec._paths.values():  # noqa: SLF001 - the library has no way to read it
        for operation in item.values():
            if "responses" in operation:
                _add_example(operation, kept.get(operation["operationId"], {}))


def _add_example(operation: dict[str, Any], example: dict[str, Any]) -> None:
    if "request" in example:
        _json_content(operation["requestBody"])["example"] = example["request"]
    if "answer" in example:
        status = next(one for one in operation["responses"] if one.startswith("2"))
        _json_content(operation["responses"][status])["example"] = example["answer"]


def _json_content(described: dict[str, Any]) -> dict[str, Any]:
    """The JSON content of a request or an answer of the document."""
    content: dict[str, Any] = described["content"]["application/json"]
    return content


ENDPOINT: Final = "api-docs.openapi_json"
"""The route of the library, which makes the document at each request."""


class WholeDocument:
    """The document of an application, made when somebody first asks for it.

    Its text is kept: a process makes it once.
    """

    def __init__(self, app: Flask, spec: Any) -> None:
        self._app, self._spec, self._lock = app, spec, Lock()
        app.view_functions[ENDPOINT] = self.send

    @cached_property
    def content(self) -> dict[str, Any]:
        """The document as JSON values."""
        describe_keys(self._spec.components.schemas)
        operations.describe_operations(self._app, self._spec)
        errors.describe_errors(self._spec)
        add_examples(self._spec)
        operations.share_components(self._spec)
        content: dict[str, Any] = self._spec.to_dict()
        return content

    @cached_property
    def _text(self) -> str:
        return json.dumps(self.content, ensure_ascii=False, separators=(",", ":"))

    def send(self) -> Response:
        """Response with the document, or 304 if the client has it."""
        with self._lock:
            text = self._text
        if prefix():
            servers = json.dumps([{"url": prefix()}])
            text = f'{{"servers":{servers},{text[1:]}'
        response = Response(text, content_type="application/json")
        response.add_etag()
        return response.make_conditional(request)
