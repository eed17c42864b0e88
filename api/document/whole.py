"""The whole document: what the schemas and routes say, and all that is said beside them."""

from __future__ import annotations

import json
from functools import cached_property
from threading import Lock
from typing import Any, Final

from flask import Flask, request
from werkzeug.wrappers import Response

from api.document import errors, examples, glossary
from api.http import operations
from api.http.access.prefix import prefix

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
        glossary.describe(self._spec.components.schemas)
        operations.describe_operations(self._app, self._spec)
        errors.describe_errors(self._spec)
        examples.add_examples(self._spec)
        operations.share_repeated(self._spec)
        content: dict[str, Any] = self._spec.to_dict()
        return content

    @cached_property
    def _text(self) -> str:
        return json.dumps(self.content, ensure_ascii=False, separators=(",", ":"))

    def send(self) -> Response:
        """The document, or 304 if the client has it."""
        with self._lock:
            text = self._text
        if prefix():
            servers = json.dumps([{"url": prefix()}])
            text = f'{{"servers":{servers},{text[1:]}'
        response = Response(text, content_type="application/json")
        response.add_etag()
        return response.make_conditional(request)
