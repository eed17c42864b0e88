"""An example of each operation: a request that the tests sent, and its answer with short lists.

``examples.json`` is written by the tests (``tests/api/document/test_examples.py``).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).with_name("examples.json")


def add_examples(spec: Any) -> None:
    """Add its example to the request and to the answer of every operation."""
    kept: dict[str, dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
    for item in spec._paths.values():  # noqa: SLF001 - the library has no way to read it
        for operation in item.values():
            if "responses" in operation:
                _add(operation, kept.get(operation["operationId"], {}))


def _add(operation: dict[str, Any], example: dict[str, Any]) -> None:
    if "request" in example:
        _content(operation["requestBody"])["example"] = example["request"]
    if "answer" in example:
        status = next(one for one in operation["responses"] if one.startswith("2"))
        _content(operation["responses"][status])["example"] = example["answer"]


def _content(described: dict[str, Any]) -> dict[str, Any]:
    """The JSON of a request or an answer."""
    content: dict[str, Any] = described["content"]["application/json"]
    return content
