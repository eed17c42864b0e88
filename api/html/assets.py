"""Static files: style sheets, drawings and modules, compressed if the client accepts it."""

from __future__ import annotations

import gzip
import mimetypes
import re
from collections.abc import Collection
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from stat import S_ISREG
from typing import NamedTuple

from flask import Flask, Response, request
from werkzeug.security import safe_join
from werkzeug.wrappers import Response as AnyResponse

from api.http import folders
from api.http.access import guard, security_headers
from referee.errors import NotFound
from referee.rules.cards import SUITS

_KINDS = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
}
"""Media types of compressible files, independent of the table of the system."""
mimetypes.add_type("image/webp", ".webp")
_COMMENTS = re.compile(
    r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/[ \t]*)\n|/\*\* @\w(?:(?!\*/).)*\*/ ?",
    re.MULTILINE | re.DOTALL,
)
_INDENTS = re.compile(r"^\s+", re.MULTILINE)
"""With the empty lines above."""
_OF_AN_ENGINE = "_worker.js"
"""How the script of a Worker that compiles WebAssembly ends; its policy is that of its script."""
_SMALLEST_PACKED = 500
_SYMBOL = re.compile(r'<symbol id="([^"]+)".*?</symbol>', re.DOTALL)
_MOST = 256


class Asset(NamedTuple):
    """A file as it is sent."""

    content: bytes
    packed: bytes | None
    """The gzip form, if it is smaller."""
    kind: str
    tag: str


def card_sheet_name(pack: str) -> str:
    """Name of the static SVG file with the drawings of a pack of cards."""
    return "html/cards.svg" if pack == "spanish" else f"html/cards-{pack}.svg"


def card_symbols(cards: Collection[str], pack: str) -> str:
    """SVG symbols of some cards of a pack, of the suits and of the back, to stand in a page."""
    wanted = {"back", *SUITS, *cards}
    whole = read_asset_as_sent(folders.static_file_path(card_sheet_name(pack))).decode()
    return _SYMBOL.sub(lambda found: found[0] if found[1] in wanted else "", whole)


def register_static_route(app: Flask) -> None:
    """Register the static route of an application, under the name of ``url_for("static")``."""
    app.add_url_rule("/static/<path:filename>", "static", send_static_file)


@guard.open_to_all
def send_static_file(filename: str) -> AnyResponse:
    """Response with a static file, by a name whose first part is its room.

    :raises NotFound: there is none
    """
    found = safe_join(str(folders.API), filename.partition("/")[0], "static", filename)
    try:
        about = None if found is None else Path(found).stat()
    except (OSError, ValueError):  # no file, or an impossible name
        about = None
    if found is None or about is None or not S_ISREG(about.st_mode):
        raise NotFound(filename)
    response = asset_response(_load_asset(found, about.st_mtime_ns))
    if filename.endswith(_OF_AN_ENGINE):
        response.headers["Content-Security-Policy"] = security_headers.POLICY_OF_AN_ENGINE
    return response.make_conditional(request)


def asset_from_content(content: bytes, kind: str) -> Asset:
    """Content that never changes while the program runs, with its gzip form; not for secrets."""
    packed = gzip.compress(content, mtime=0) if len(content) >= _SMALLEST_PACKED else None
    return Asset(content, packed, kind, sha256(content).hexdigest())


def asset_response(asset: Asset) -> Response:
    """Response with a file, compressed if the client accepts it; each form has its own ETag."""
    is_packed = asset.packed is not None and _takes_gzip()
    response = Response(asset.packed if is_packed else asset.content, content_type=asset.kind)
    if is_packed:
        response.headers["Content-Encoding"] = "gzip"
    if asset.packed is not None:
        response.vary.add("Accept-Encoding")
    response.headers["Cache-Control"] = "no-cache"
    response.set_etag(asset.tag + ("-gzip" if is_packed else ""))
    return response


def compress_if_accepted(response: Response) -> Response:
    """Compress a response if the client accepts it; not for secrets, which sizes reveal."""
    response.vary.add("Accept-Encoding")
    if _takes_gzip():
        response.set_data(gzip.compress(response.get_data(), mtime=0))
        response.headers["Content-Encoding"] = "gzip"
    return response


def _takes_gzip() -> bool:
    return request.accept_encodings.quality("gzip") > 0


def read_asset_as_sent(path: Path) -> bytes:
    """Content of a static file as it is sent.

    Our own JavaScript modules without comments and indents.

    No template of ours means anything by an indent: htm drops those of its lines.
    """
    content = path.read_bytes()
    is_module = path.suffix == ".js" and "vendor" not in path.parts
    return _INDENTS.sub("", without_comments(content.decode())).encode() if is_module else content


def without_comments(source: str) -> str:
    r"""A module or a sheet without the comments that fill whole lines, and types within lines.

    >>> without_comments("// one\n/* two\n   lines */\na(/** @type {B} */ (b)); // stays\n")
    'a((b)); // stays\n'
    """
    return _COMMENTS.sub("", source)


@lru_cache(_MOST)
def _load_asset(path: str, _changed_ns: int) -> Asset:
    content = read_asset_as_sent(Path(path))
    text = _KINDS.get(Path(path).suffix)
    if text is not None:
        return asset_from_content(content, f"{text}; charset=utf-8")
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    return Asset(content, None, kind, sha256(content).hexdigest())
