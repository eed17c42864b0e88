"""Examples of the API: of each operation a request that the tests sent, and its answer, made short."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from tests.support.document.reads import operations
from tests.support.servers.documented import document_of, operation_of
from tests.support.servers.http_table import HttpTable

Example: TypeAlias = dict[str, Any]
"""What was sent (left out if nothing was) and what was answered (left out if that is no JSON)."""
MOST_ITEMS = 2
MOST_BYTES = 2_500
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)?")
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{32}\b")
_CODE = re.compile(r"\b[2-9A-HJ-NP-Z]{4}-?[2-9A-HJ-NP-Z]{4}\b")
_HASH = re.compile(r"\b[0-9a-f]{64}\b")


class Examples:
    """What a client of a club sent with success, and of each operation the example that shows most."""

    def __init__(self, table: HttpTable) -> None:
        self._app, self._open = table.app, table.client.open
        every = operations(document_of(table.app))
        self._with_body = {one["operationId"] for _, _, one in every if "requestBody" in one}
        self.found: dict[str, Example] = {}
        self.sent: dict[str, list[Any]] = defaultdict(list)
        table.client.open = self._record

    def _record(self, *args: Any, **sent: Any) -> Any:
        answer = self._open(*args, **sent)
        operation = operation_of(self._app, answer.request.path, answer.request.method)
        if operation and answer.status_code in range(200, 300) and answer.request.method != "HEAD":
            one: Example = {}
            if operation in self._with_body:
                one["request"] = sent.get("json") or {}
            if answer.mimetype == "application/json" and answer.data:
                one["answer"] = shortened(answer.json)
            self._keep(operation, plain(one))
        return answer

    def _keep(self, operation: str, one: Example) -> None:
        self.sent[operation].append(one.get("request"))
        known = self.found.get(operation)
        if known is None or worth(one) > worth(known):
            self.found[operation] = one


def worth(one: Example) -> tuple[bool, int, int]:
    """How much an example shows: what fits, then many keys, then few bytes."""
    size = len(json.dumps(one))
    return size < MOST_BYTES, len(set(keys(one))) if size < MOST_BYTES else 0, -size


def keys(value: Any, place: str = "") -> Iterator[str]:
    """Places of all keys of a value that say something."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from keys(one, f"{place}.{name}")
    elif isinstance(value, list):
        for one in value:
            yield from keys(one, f"{place}[]")
    elif value not in (None, "", 0):
        yield place


def plain(one: Example) -> Example:
    """The example with ids, hashes and moments that no chance gave."""
    text = _MOMENT.sub("2026-11-21T20:30:00Z", json.dumps(one, ensure_ascii=False))
    text = _ID.sub(numbered("{:032x}"), _HASH.sub(numbered("{:064x}"), text))
    return dict(json.loads(_CODE.sub("ABCD-2345", text)))  # last: digits of an id look like a code


def numbered(form: str) -> Callable[[re.Match[str]], str]:
    """Numbers in the place of what was drawn by chance; the same one for the same."""
    known: dict[str, str] = {}

    def number(found: re.Match[str]) -> str:
        digits = known.setdefault(found[0].replace("-", ""), form.format(len(known) + 1))
        parts = (digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])
        return "-".join(parts) if "-" in found[0] else digits

    return number


def shortened(value: Any) -> Any:
    """The value with the first items of each list of objects alone."""
    if isinstance(value, dict):
        return {name: shortened(one) for name, one in value.items()}
    if isinstance(value, list):
        is_long = bool(value) and isinstance(value[0], dict | list)
        return [shortened(one) for one in (value[:MOST_ITEMS] if is_long else value)]
    return value
