"""The arbiter's tablet: one page for every view, and what makes it an application without network.

The page holds nothing of any encuentro, so a browser may keep it; what it shows comes from the API.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, g, request, url_for

from api.html.assets import FOLDER, packed
from api.html.folders import template_file
from api.html.pages import page
from api.http import guard as access
from api.http.languages import LANGUAGES, language, text_file, texts

blp = Blueprint("tablet", __name__, url_prefix="/arbitro")
_KEPT = (
    *("*.css", "cards*.svg", "icon*", "vendor/*.js"),
    *("js/*.js", "js/outbox/*.js", "js/rules/*.js", "js/tablet/*.js"),
)
_NOT_KEPT = frozenset({"acta.css", "board.css", "replay.css"})
_WORKER = "js/tablet/worker.js"
_TEMPLATES = ("html/base.html", "tablet/tablet.html")
_ICONS = (("icon-192.png", 192, "any"), ("icon-512.png", 512, "any"))
_MASKABLE = ("icon-maskable-512.png", 512, "maskable")


@blp.get("/")
@access.needs("read")
@access.at_any_table
def shell() -> Response:
    """The page of the tablet, in the reader's language."""
    return packed(page("tablet/tablet.html"))


@blp.get(f"/<any({','.join(LANGUAGES)}):lang>")
@access.needs("read")
@access.at_any_table
def shell_in(lang: str) -> Response:
    """The same in one language, to be kept; what the reader chose stays as it is."""
    g.lang = lang
    return packed(page("tablet/tablet.html"))


@blp.get("/sw.js")
@access.open_to_all
def worker() -> Response:
    """The service worker: what to keep, under a name that changes with it."""
    assets = [url_for("static", filename=name) for name in _assets(FOLDER)]
    kept = {"version": _version(FOLDER), "languages": LANGUAGES, "assets": assets}
    script = f"self.kept = {json.dumps(kept)};\n{(FOLDER / _WORKER).read_text('utf-8')}"
    response = Response(script, content_type="text/javascript; charset=utf-8")
    response.headers["Cache-Control"] = "no-cache"
    response.set_etag(sha256(script.encode()).hexdigest())
    response.make_conditional(request)
    return response


@blp.get("/manifest.webmanifest")
@access.open_to_all
def manifest() -> Response:
    """What a browser needs to install the tablet as an application."""
    lang = language()
    words = texts(lang)
    icons: list[dict[str, Any]] = [
        {
            "src": url_for("static", filename=name),
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": purpose,
        }
        for name, size, purpose in (*_ICONS, _MASKABLE)
    ]
    drawn = {"src": url_for("static", filename="icon.svg"), "sizes": "any", "type": "image/svg+xml"}
    about = {
        "id": "/arbitro/",
        "start_url": "/arbitro/",
        "scope": "/arbitro/",
        "name": f"{words['page.title']} · {words['tablet.title']}",
        "short_name": words["page.title"],
        "description": words["tablet.about"],
        "lang": lang,
        "dir": "ltr",
        "display": "standalone",
        "background_color": "#1f5c43",
        "theme_color": "#1f5c43",
        "icons": [*icons, drawn],
    }
    response = Response(
        json.dumps(about, ensure_ascii=False), content_type="application/manifest+json"
    )
    response.headers["Cache-Control"] = "no-cache"
    return response


@cache
def _assets(folder: Path) -> tuple[str, ...]:
    """Files that the tablet needs, by their names in the static folder."""
    found = {one for pattern in _KEPT for one in folder.glob(pattern)}
    names = {one.relative_to(folder).as_posix() for one in found}
    return tuple(sorted(names - _NOT_KEPT))


@cache
def _version(folder: Path) -> str:
    """Hash of everything that is kept: files, templates and words."""
    files = [folder / name for name in _assets(folder)]
    files += [template_file(name) for name in _TEMPLATES]
    files += [text_file(lang) for lang in LANGUAGES]
    digest = sha256()
    for file in files:
        digest.update(sha256(f"{file.name}\n".encode() + file.read_bytes()).digest())
    return digest.hexdigest()[:16]
