"""The arbiter's tablet: one page for every view, its manual, and its service worker.

The page has no data of an encuentro, so a browser may cache it; its data come from the API.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from typing import Any

from flask import Blueprint, Response, g, request, url_for

from api.brand.brand import brand
from api.help.pages import task_page
from api.help.tasks import TASKS, task_names_of_reader
from api.html.assets import compress_if_accepted
from api.html.pages import page
from api.html.topics import TASKS_OF_RULES
from api.http import moments
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.folders import static_file_path, static_folders, template_file, text_files
from api.http.languages import LANGUAGES, language, texts_of_families, texts_of_language
from referee.rules.profile.options import option_values
from referee.rules.profile.profile import profile

blp = Blueprint("tablet", __name__, url_prefix="/arbitro")
_KEPT = (
    *("html/guinote.css", "html/unopened.css", "html/cards*.svg", "html/icon*", "html/*.woff2"),
    *("html/words.js", "html/cards.js", "html/grammar.js", "html/prefix.js"),
    *("html/own_language.js", "html/old_browser.js"),
    *("tablet/**/*.css", "tablet/**/*.js", "help/help.css"),
    *(
        f"help/pictures/{one}.webp"
        for task in task_names_of_reader("arbitro")
        for one in TASKS[task].pictures
    ),
)
_WORDS = (
    *("tablet", "leaving", "grammar", "card", "suit", "rank", "french", "act", "incident", "how"),
    *("rule", "basis", "authority", "rulebook", "result"),
)
"""Families of texts that the tablet shows."""
_NOT_AT_A_TABLE = ("rule.holder", "rule.role", "rule.may-not-grant", "rule.last-admin")
"""Rules that no act at a table meets: texts of them would only be weight."""
_WORKER = "tablet/worker.js"
_TEMPLATES = (
    *("html/base.html", "html/bar.html", "html/unopened.html", "tablet/tablet.html"),
    *("help/parts.html", "tablet/help.html"),
)
_ICONS = (("html/icon-192.png", 192, "any"), ("html/icon-512.png", 512, "any"))
_MASKABLE = ("html/icon-maskable-512.png", 512, "maskable")
_DRAWN = "html/icon.svg"


@blp.get("/")
@guard.requires("read")
@guard.admits_bound_users
def shell() -> Response:
    """The page of the tablet, in the reader's language; a header names what the reader may do.

    The tablet asks for the header alone, since it may show a page that was cached for another user.
    """
    is_asked_alone = request.method == "HEAD"  # nothing is drawn for it
    response = Response() if is_asked_alone else _shell()
    response.headers["Guinote-Permissions"] = " ".join(sorted(g.actor.permissions))
    return response


@blp.get(f"/<any({','.join(LANGUAGES)}):lang>")
@guard.requires("read")
@guard.admits_bound_users
def shell_in_language(lang: str) -> Response:
    """The page of the tablet in a given language, for the offline cache.

    The reader's own choice of language stays.
    """
    g.lang = lang
    return _shell()


def _shell() -> Response:
    found = texts_of_families(language(), *_WORDS)
    shown = {key: text for key, text in found.items() if not key.startswith(_NOT_AT_A_TABLE)}
    return compress_if_accepted(
        page(
            "tablet/tablet.html",
            tablet_words=shown,
            common_rules=_id_and_options_of_tour_rules(),
            tasks_of_rules=TASKS_OF_RULES,
        )
    )


@cache
def _id_and_options_of_tour_rules() -> dict[str, Any]:
    """Id and options of the profile by which the example table of the guided tour plays."""
    common = profile("club")
    return {"id": common.id, "options": option_values(common.options(4, 40))}


@blp.get("/ayuda/")
@guard.open_to_all
def manual() -> Response:
    """The arbiter's part of the manual, a sheet for each task"""
    pages = [task_page(name, language()) for name in task_names_of_reader("arbitro")]
    return compress_if_accepted(page("tablet/help.html", pages=pages))


@blp.get(f"/ayuda/<any({','.join(LANGUAGES)}):lang>")
@guard.open_to_all
def manual_in_language(lang: str) -> Response:
    """The arbiter's part of the manual in a given language, for the offline cache"""
    g.lang = lang
    return manual()


@blp.get("/sw.js")
@guard.open_to_all
def service_worker() -> Response:
    """The service worker, with the files to cache and a cache name that is their hash."""
    assets = [url_for("static", filename=name) for name in _asset_names()]
    kept = {
        "version": _cache_version(moments.club_zone().key, brand().name),
        "languages": LANGUAGES,
        "assets": assets,
    }
    script = f"self.kept = {json.dumps(kept)};\n{static_file_path(_WORKER).read_text('utf-8')}"
    response = Response(script, content_type="text/javascript; charset=utf-8")
    response.headers["Cache-Control"] = "no-cache"
    response.set_etag(sha256(script.encode()).hexdigest())
    response.make_conditional(request)
    return response


@blp.get("/manifest.webmanifest")
@guard.open_to_all
def manifest() -> Response:
    """The manifest with which a browser installs the tablet as an application."""
    lang = language()
    words = texts_of_language(lang)
    icons: list[dict[str, str]] = [
        {
            "src": url_for("static", filename=name),
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": purpose,
        }
        for name, size, purpose in (*_ICONS, _MASKABLE)
    ]
    drawn = {"src": url_for("static", filename=_DRAWN), "sizes": "any", "type": "image/svg+xml"}
    about = {
        "id": f"{prefix()}/arbitro/",
        "start_url": f"{prefix()}/arbitro/",
        "scope": f"{prefix()}/arbitro/",
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
def _asset_names() -> tuple[str, ...]:
    """Files that the tablet needs, by their names."""
    return tuple(
        sorted(
            one.relative_to(folder).as_posix()
            for folder in static_folders()
            for pattern in _KEPT
            for one in folder.glob(pattern)
        )
    )


@cache
def _cache_version(zone: str, club: str) -> str:
    """Hash of what is cached: files, templates, texts, rules, zone and name of the club."""
    files = [static_file_path(name) for name in _asset_names()]
    files += [template_file(name) for name in _TEMPLATES]
    files += [file for lang in LANGUAGES for file in text_files(lang)]
    digest = sha256(f"{zone}\n{club}\n{_id_and_options_of_tour_rules()}".encode())
    for file in files:
        digest.update(sha256(f"{file.name}\n".encode() + file.read_bytes()).digest())
    return digest.hexdigest()[:16]
