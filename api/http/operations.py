"""Operations of the OpenAPI document: their ids, and who may call them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from flask import Flask

from api.http import links
from api.http.roles import OPEN

_PARAMETER: Final = re.compile(r"<(?:[^:<>]*:)?(\w+)>")
_PREFIX: Final = re.compile(r"^/(api/v1/)?")
_PUBLIC_LATER: Final = "Open to everybody once it is public; before that, with a permission."


def document(app: Flask, spec: Any) -> None:
    """Give every operation of the document its id, the security of its route, and its links."""
    spec.options["security"] = [{"token": []}]
    named: dict[str, tuple[str, dict[str, Any]]] = {}
    for path, method, operation, view in _operations(app, spec):
        operation["operationId"] = operation_id(method, path)
        named[operation["operationId"]] = path, operation
        if getattr(view, "permission", None) == OPEN:
            operation["security"] = []
        elif getattr(view, "is_open", None) is not None:
            operation["security"] = [{}, {"token": []}]
            operation["description"] = _PUBLIC_LATER
    links.document(named)


def operation_id(method: str, path: str) -> str:
    """Id of an operation, from its method and its path: one of several things is singular.

    >>> operation_id("post", "/api/v1/encuentros/{encuentro_id}/partidas/{n}/acts")
    'post_encuentro_partida_acts'
    >>> operation_id("get", "/api/v1/players"), operation_id("get", "/api/v1/players/{person_id}")
    ('get_players', 'get_player')
    """
    words: list[str] = []
    for part in _PREFIX.sub("", path).split("/"):
        if part.startswith("{"):
            words[-1] = words[-1].removesuffix("s")
        else:
            words.append(part.replace("-", "_"))
    return "_".join((method, *words))


def _operations(app: Flask, spec: Any) -> Iterator[tuple[str, str, dict[str, Any], object]]:
    """Every documented operation: its path, its method, what the document says, its view."""
    for rule in app.url_map.iter_rules():
        path = _PARAMETER.sub(r"{\1}", rule.rule)
        documented = spec._paths.get(path, {})  # noqa: SLF001 - the library has no way to read it
        for method in sorted(rule.methods or ()):
            if method.lower() in documented:
                view = app.view_functions[rule.endpoint]
                yield path, method.lower(), documented[method.lower()], view
