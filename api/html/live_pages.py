"""Pages that update themselves: their content has a tag, and so has the program."""

from __future__ import annotations

import hashlib
from functools import cache
from itertools import chain
from typing import Any

from flask import Response, request

from api.html.addresses import is_only_here
from api.html.pages import page
from api.http.folders import static_file, template_folders

_TEMPLATES = (
    *("board/*.html", "tournaments/tournament*.html", "tournaments/bracket.html"),
    *("tournaments/desk*.html", "tournaments/wall*.html", "html/live_state.html", "embed/*.html"),
    "puzzles/parts.html",
)
_STATIC = (
    *("html/guinote.css", "html/live.css", "board/board.css", "tournaments/tournament.css"),
    *("board/wall.css", "board/board.js", "board/follow.js", "board/clock.js", "board/wall.js"),
    *("board/stream.js", "board/stream_worker.js", "board/views_stream.js", "puzzles/diagram.css"),
    *("embed/embedded.css", "embed/broadcast.css", "embed/size.js"),
)
_THEMES = {"claro": "light", "oscuro": "dark"}


def live_page(template: str, tag: str, view: str, **values: Any) -> Response:
    """A page that its module updates when the tag of the content at address ``view`` changes."""
    return page(
        template,
        tag=tag,
        view=view,
        program=_program(),
        has_code=not is_only_here(),
        **values,
    )


def board_page(template: str, tag: str, view: str, **values: Any) -> Response:
    """A live page for a wall, by day or by night as its address says."""
    asked = request.args.get("fondo", "")
    kept = f"&fondo={asked}" if asked in _THEMES else ""
    return live_page(template, tag, view, theme=theme(), kept=kept, **values)


def theme() -> str | None:
    """By day or by night, as the address says; None: as the reader's device does."""
    return _THEMES.get(request.args.get("fondo", ""))


@cache
def _program() -> str:
    """Hash of the files of such pages: if it changes, an open page reloads."""
    found = (folder.glob(pattern) for folder in template_folders() for pattern in _TEMPLATES)
    files = [*sorted(chain.from_iterable(found)), *(static_file(name) for name in _STATIC)]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]
