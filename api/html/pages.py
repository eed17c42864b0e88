"""Pages: rendering of templates, with the permissions of the reader."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from functools import cache, partial
from itertools import chain
from typing import Any, Final, TypeVar
from zlib import crc32

from flask import (
    Blueprint,
    Flask,
    Response,
    g,
    make_response,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from api.html import ways
from api.html.addresses import is_only_here, origin_for_others, root_for_others
from api.html.assets import card_sheet_name
from api.html.topics import help_path_of_finding_rule
from api.http import moments
from api.http.access import guard, records
from api.http.access.prefix import cookie_path, prefix
from api.http.access.roles import Actor
from api.http.folders import static_file_path, template_folders
from api.http.languages import (
    COOKIE,
    LANGUAGES,
    language,
    template_functions,
    texts_of_families,
    texts_of_language,
)
from api.http.names import brief_name, initials
from api.http.problems import Problem
from api.http.services import current_services

ResponseT = TypeVar("ResponseT", bound=AnyResponse)
blp = Blueprint("pages", __name__)
_YEAR_S = 365 * 86_400
_KEPT = 9
"""Characters of a name that no page shortens."""
_SAID = {
    "day": moments.day_words,
    "weekday": moments.day_words_with_weekday,
    "short_day": moments.short_day,
    "moment": moments.moment_words,
    "short_moment": moments.short_moment,
}
"""Filters of templates that put a day or a moment into words of the reader's language."""
_DIGITS: Final = 4
_OF_A_LINE: Final = 16


def register_pages(app: Flask) -> None:
    """Register the pages, their template filters and functions with an application."""
    app.register_blueprint(blp)
    app.context_processor(_template_context)
    for name, said in _SAID.items():
        app.add_template_filter(_language_filter(said), name)
    app.add_template_filter(moments.time_of)
    app.add_template_filter(group_hex_digits)
    app.add_template_filter(partial(brief_name, kept=_KEPT), "brief")
    app.add_template_filter(initials)
    app.add_template_filter(_avatar_suit, "suit_of")
    app.add_template_global(_are_names_lost, "names_are_lost")
    app.add_template_global(_clock_notice_key, "clock_notice")
    app.add_template_global(_shows_luck, "shows_luck")
    app.add_template_global(records.are_records_for_everybody, "records_for_everybody")
    app.add_template_global(help_path_of_finding_rule)
    app.add_template_global(is_only_here)
    app.add_template_global(root_for_others)
    app.add_template_global(origin_for_others)
    app.add_template_filter(moments.place_of_time_zone, "place_words")
    app.add_template_global(moments.time_zones_by_region, "time_zones")
    app.add_template_global(lambda: moments.club_zone().key, "time_zone")
    app.add_template_global(
        lambda: moments.zone_sentence(texts_of_language(language())), "zone_words"
    )


def _avatar_suit(person: str) -> str:
    """The suit that colours the avatar of a person, always the same."""
    return "OCEB"[crc32(person.encode()) % 4]


def _language_filter(said: Callable[[Any, moments.Words], str]) -> Callable[[Any], str]:
    """A template filter that puts a value into words of the reader's language."""
    return lambda when: said(when, texts_of_language(language()))


def _template_context() -> dict[str, Any]:
    """Functions and values that every template can use."""
    lang = language()
    return {
        "lang": lang,
        "languages": [(code, texts_of_language(code)["language.name"]) for code in LANGUAGES],
        "read_in": {code: texts_of_language(code)["page.read_in"] for code in LANGUAGES},
        **template_functions(lang),
        "sheet_of": lambda cards: url_for("static", filename=card_sheet_name(cards)),
        "words": lambda *families: texts_of_families(lang, *families),
        "signed_in": getattr(g, "actor", None) is not None,
        "bar": ways.navigation_bar,
        "help_here": ways.help_here,
        "may": may,
    }


def _are_names_lost() -> bool:
    """Whether the stored names cannot be read, and this reader may have that repaired."""
    return may("devices:pair") and current_services().persons.is_lost


def _clock_notice_key() -> str:
    """Key of the text that warns of a wrong clock.

    Empty if it may be right, or nobody is signed in.
    """
    if getattr(g, "actor", None) is None:
        return ""
    fault = current_services().clock_fault()
    if fault is None:
        return ""
    if fault.witness == "browsers":
        which = "behind_browsers" if fault.behind_s > 0 else "ahead"
        return f"problem.clock_{which}.notice"
    return "problem.clock_behind.notice"


def _shows_luck() -> bool:
    """Whether seasons have a page about the luck of the deals."""
    return current_services().referee.settings.is_deal_luck_shown()


def may(permission: str) -> bool:
    """Whether the reader has a permission."""
    actor: Actor | None = getattr(g, "actor", None)
    return actor is not None and permission in actor.permissions


@blp.after_request
def _keep_language(response: Response) -> Response:
    """Set the cookie of the language on the response, if the address asks for one."""
    asked = request.args.get("lang", "")
    if asked in LANGUAGES:
        response.set_cookie(
            COOKIE,
            asked,
            max_age=_YEAR_S,
            httponly=True,
            samesite="Lax",
            secure=request.is_secure,
            path=cookie_path(),
        )
    return response


def page(template: str, *, status: int = 200, **values: Any) -> Response:
    """Response with a template in the reader's language, which may not be cached."""
    response = make_response(render_template(template, **values), status)
    response.headers["Content-Language"] = language()
    response.headers["Cache-Control"] = "no-store"
    response.vary.update(["Accept-Language", "Cookie"])
    return response


def make_private(response: ResponseT, status: int = 0) -> ResponseT:
    """Have a response at a secret address be stored nowhere and its address be sent nowhere."""
    response.status_code = status or response.status_code
    response.headers["Cache-Control"] = "no-store"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response


def confirmation_page(title: str, says: Iterable[str], button: str, back: str) -> Response:
    """A page that explains an act and asks for confirmation; its form goes to the same address."""
    return page(
        "html/ask.html",
        title=title,
        says=says,
        button=button,
        back=back,
        action=f"{prefix()}{request.path}",
    )


def group_hex_digits(value: bytes | str) -> str:
    r"""Bytes, or their hexadecimal digits, in groups of four digits, four groups in a line.

    >>> group_hex_digits(bytes(range(10)))
    '0001 0203 0405 0607\n0809'
    """
    digits = value if isinstance(value, str) else value.hex()
    lines = (digits[at : at + _OF_A_LINE] for at in range(0, len(digits), _OF_A_LINE))
    return "\n".join(
        " ".join(line[at : at + _DIGITS] for at in range(0, len(line), _DIGITS)) for line in lines
    )


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
    """A page that a script updates when the tag of the content at address ``view`` changes."""
    return page(
        template,
        tag=tag,
        view=view,
        program=_live_pages_hash(),
        has_code=not is_only_here(),
        **values,
    )


def board_page(template: str, tag: str, view: str, **values: Any) -> Response:
    """A page for a wall that updates itself, light or dark as its address says."""
    asked = request.args.get("fondo", "")
    kept = f"&fondo={asked}" if asked in _THEMES else ""
    return live_page(template, tag, view, theme=theme_of_address(), kept=kept, **values)


def theme_of_address() -> str | None:
    """Light or dark, as the address says; None: as the reader's device does."""
    return _THEMES.get(request.args.get("fondo", ""))


@cache
def _live_pages_hash() -> str:
    """Hash of the files of pages that update themselves: if it changes, an open page reloads."""
    found = (folder.glob(pattern) for folder in template_folders() for pattern in _TEMPLATES)
    files = [*sorted(chain.from_iterable(found)), *(static_file_path(name) for name in _STATIC)]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


VARIABLE: Final = "GUINOTE_DEVELOPMENT"
"""Environment variable that shows the page; ``python3 dev.py run`` sets it."""


def register_style_guide_page(app: Flask) -> None:
    """Register ``/estilo``."""
    app.add_url_rule("/estilo", "style", show_style_page)


@guard.open_to_all
@guard.shows_more_to_users
def show_style_page() -> Response:
    """The style page: type, spacing, colours, buttons, cards, tables, forms and empty states.

    :raises Problem: nobody develops here
    """
    if os.environ.get(VARIABLE) != "1":
        raise Problem("not_found")
    return page("html/style.html")
