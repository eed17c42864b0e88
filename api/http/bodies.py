"""Request bodies: complete, small, and unambiguous JSON."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any, NoReturn, TypeAlias

from flask import Request
from werkzeug.exceptions import ClientDisconnected, RequestEntityTooLarge

from api.http.problems import Problem

MAX_BYTES = 256 * 1024
MAX_DEPTH = 20
_KNOWN = "guinote.body"
_BAD_CHARACTER = re.compile(r"[\x00\ud800-\udfff]")


def body(request: Request) -> bytes:
    """The whole body. A body shorter than its stated length is refused, since it may be cut."""
    length = request.content_length
    if length is None:
        if request.headers.get("Transfer-Encoding"):
            raise Problem("length_required")
        return b""
    if length > MAX_BYTES:
        raise Problem("too_large", limit=MAX_BYTES, headers={"Connection": "close"})
    try:
        data = request.get_data(cache=True)
    except RequestEntityTooLarge:
        raise Problem("too_large", limit=MAX_BYTES) from None
    except (OSError, ClientDisconnected):  # the connection broke while it was sent
        raise Problem("body_cut") from None
    if len(data) != length:
        raise Problem("body_cut")
    return data


Body: TypeAlias = dict[str, Any]
"""Data of a request (JSON, query or form), as its schema loads it."""


def read(request: Request) -> Body:
    """The JSON object in a request; an empty body is an empty object."""
    known: Body | None = request.environ.get(_KNOWN)
    if known is None:
        known = request.environ[_KNOWN] = _read(request)
    return known


def _read(request: Request) -> Body:
    data = body(request)
    if not data:
        return {}
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    if request.mimetype != "application/json" or charset not in ("utf-8", "utf8"):
        raise Problem("media_type")
    return parse(data)


def parse(data: bytes) -> Body:
    """The JSON object in some bytes."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Problem("not_utf8") from None
    if text.startswith("\ufeff"):
        raise Problem("not_utf8")
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_not_json,
            parse_float=_number,
        )
    except RecursionError:
        raise Problem("too_deep", limit=MAX_DEPTH) from None
    except ValueError:
        raise Problem("malformed_json") from None
    if not isinstance(value, dict):
        raise Problem("malformed_json")
    _check(value)
    return value


def digest(request: Request) -> str:
    """Digest of a request: method, path and body, without regard to white space in the body."""
    canonical = json.dumps(read(request), sort_keys=True, separators=(",", ":"))
    asked = f"{request.method} {request.path}\n{canonical}"
    return hashlib.sha256(asked.encode()).hexdigest()


def _object(pairs: list[tuple[str, Any]]) -> Body:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Problem("duplicate_key")
    return found


def _not_json(name: str) -> NoReturn:
    raise ValueError(name)


def _number(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(text)
    return number


def _check(root: Any) -> None:
    """Check a value level by level, without recursion, so that no depth can exhaust the stack."""
    level: list[Any] = [root]
    for _ in range(MAX_DEPTH):
        below: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                below.extend(value)
                below.extend(value.values())
            elif isinstance(value, list):
                below.extend(value)
            elif isinstance(value, str) and _BAD_CHARACTER.search(value):
                raise Problem("bad_text")
        if not below:
            return
        level = below
    raise Problem("too_deep", limit=MAX_DEPTH)
