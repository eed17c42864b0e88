"""Request bodies: read completely, limited in size, and parsed as unambiguous JSON."""

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


def raw_body(request: Request) -> bytes:
    """Raw bytes of the whole body; a body that is too large or incomplete is refused."""
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


def read_json_body(request: Request) -> Body:
    """The JSON object in a request; an empty body is an empty object."""
    known: Body | None = request.environ.get(_KNOWN)
    if known is None:
        known = request.environ[_KNOWN] = _parse_body(request)
    return known


def _parse_body(request: Request) -> Body:
    data = raw_body(request)
    if not data:
        return {}
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    if request.mimetype != "application/json" or charset not in ("utf-8", "utf8"):
        raise Problem("media_type")
    return parse_json_object(data)


def parse_json_object(data: bytes) -> Body:
    """JSON object in these bytes; ambiguous JSON is refused."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Problem("not_utf8") from None
    if text.startswith("\ufeff"):
        raise Problem("not_utf8")
    try:
        value = json.loads(
            text,
            object_pairs_hook=_unique_object,
            parse_constant=_refuse_constant,
            parse_float=_finite_number,
        )
    except RecursionError:
        raise Problem("too_deep", limit=MAX_DEPTH) from None
    except ValueError:
        raise Problem("malformed_json") from None
    if not isinstance(value, dict):
        raise Problem("malformed_json")
    _refuse_deep_or_bad_text(value)
    return value


def request_digest(request: Request) -> str:
    """Digest of a request: method, path and body, without regard to white space in the body."""
    canonical = json.dumps(read_json_body(request), sort_keys=True, separators=(",", ":"))
    asked = f"{request.method} {request.path}\n{canonical}"
    return hashlib.sha256(asked.encode()).hexdigest()


def _unique_object(pairs: list[tuple[str, Any]]) -> Body:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Problem("duplicate_key")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _finite_number(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(text)
    return number


def _refuse_deep_or_bad_text(root: Any) -> None:
    """Refuse a value that is nested too deeply or has a bad character; without recursion."""
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
