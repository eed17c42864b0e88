"""Answers of the test run compared with the OpenAPI document, in which no unknown key is allowed."""

from __future__ import annotations

import re
from functools import cache
from typing import Any
from urllib.parse import quote

import jsonschema_rs
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.exceptions import HTTPException

_PARAMETER = re.compile(r"<(?:[^:<>]*:)?(\w+)>")
PROBLEM = "application/problem+json"
_DOCUMENT = "urn:guinote:document"
_kept: dict[str, Any] = {}


def document_of(app: Flask) -> dict[str, Any]:
    """The OpenAPI document; all applications of a process have the same."""
    if not _kept:
        _kept.update(app.extensions["document"].content)
    return _kept


class CheckedClient(FlaskClient):
    """A client that refuses JSON answers which the document does not describe wholly.

    It asks for Spanish, as the browsers of a club do, unless a test says otherwise.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.environ_base["HTTP_ACCEPT_LANGUAGE"] = "es"

    def open(self, *args: Any, **more: Any) -> Any:
        """The answer, which was checked."""
        response = super().open(*args, **more)
        faults = faults_of(self.application, response)
        assert not faults, (response.request.method, response.request.path, *faults)
        return response


def faults_of(app: Flask, response: Any) -> list[str]:
    """Differences between a JSON answer of the API and the document."""
    path = response.request.path
    is_json = response.mimetype in ("application/json", PROBLEM)
    if not is_json or response.request.method == "HEAD" or not path.startswith("/api/v1"):
        return []
    place = _operation(app, path, response.request.method)
    if place is None:
        pointer = "/components/responses/DEFAULT_ERROR"
    else:
        pointer = _response(app, *place, response.status_code)
    if not pointer:
        return [f"status {response.status_code} is not documented"]
    if response.mimetype not in _at(app, pointer)["content"]:
        return [f"{response.mimetype} is not documented"]
    checked = _validator(f"{pointer}/content/{_escaped(response.mimetype)}/schema")
    faults = [
        f"{one.instance_path}: {one.message[:300]}" for one in checked.iter_errors(response.json)
    ]
    code = response.json.get("code") if response.mimetype == PROBLEM else None
    if place and code and code not in _at(app, pointer).get("x-codes", ()):
        faults.append(f"{code} is no code of {pointer}: api/document/errors.py names it")
    return faults


def faults_of_value(
    document: dict[str, Any], method: str, path: str, example: dict[str, Any]
) -> list[str]:
    """Differences between an example of an operation and the schemas of its document."""
    place = f"/paths/{_escaped(path)}/{method}"
    operation, faults = document["paths"][path][method], []
    pointers = {"request": f"{place}/requestBody"}
    for status, one in operation["responses"].items():
        if status.startswith("2"):
            pointers["answer"] = one.get("$ref", f"#{place}/responses/{status}").removeprefix("#")
    for name, value in example.items():
        checked = _validator(f"{pointers[name]}/content/application~1json/schema")
        faults += [
            f"{name}{one.instance_path}: {one.message}" for one in checked.iter_errors(value)
        ]
    return faults


def operation_of(app: Flask, path: str, method: str) -> str:
    """Id of the operation of a request; empty where none is documented."""
    place = _operation(app, path.partition("?")[0], method)
    return (
        "" if place is None else str(document_of(app)["paths"][place[0]][place[1]]["operationId"])
    )


def _operation(app: Flask, path: str, method: str) -> tuple[str, str] | None:
    """Path template and method of a request in the document; None where no route is."""
    try:
        rule, _ = app.url_map.bind("localhost").match(path, method, return_rule=True)
    except HTTPException:
        return None
    template = _PARAMETER.sub(r"{\1}", rule.rule)
    method = "get" if method == "HEAD" else method.lower()
    return (template, method) if method in document_of(app)["paths"].get(template, {}) else None


def _response(app: Flask, path: str, method: str, status: int) -> str:
    """Pointer to the description of an answer; empty if there is none."""
    responses = document_of(app)["paths"][path][method]["responses"]
    name = str(status) if str(status) in responses else "default" if status >= 400 else ""
    if not name:
        return ""
    reference = responses[name].get("$ref", "").removeprefix("#")
    return reference or f"/paths/{_escaped(path)}/{method}/responses/{name}"


def _at(app: Flask, pointer: str) -> Any:
    found: Any = document_of(app)
    for name in pointer.split("/")[1:]:
        found = found[name.replace("~1", "/").replace("~0", "~")]
    return found


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


@cache
def _registry() -> jsonschema_rs.Registry:
    return jsonschema_rs.Registry([(_DOCUMENT, _kept)], draft=jsonschema_rs.Draft202012)


@cache
def _validator(pointer: str) -> Any:
    schema = {"$ref": f"{_DOCUMENT}#{quote(pointer)}"}
    return jsonschema_rs.Draft202012Validator(schema, registry=_registry())
