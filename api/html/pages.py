"""Pages: rendering of templates, with the permissions of the reader."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
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
from api.html.assets import sheet_name
from api.html.topics import help_of_rule
from api.http import moments
from api.http.access import records
from api.http.access.prefix import cookie_path, prefix
from api.http.access.roles import Actor
from api.http.languages import COOKIE, LANGUAGES, language, template_functions, texts, texts_of
from api.http.names import brief, initials
from api.http.services import current_services

ResponseT = TypeVar("ResponseT", bound=AnyResponse)
blp = Blueprint("pages", __name__)
_YEAR_S = 365 * 86_400
_KEPT = 9
"""Characters of a name that no page shortens."""
_SAID = {
    "day": moments.day_words,
    "weekday": moments.weekday_words,
    "short_day": moments.short_day,
    "moment": moments.moment_words,
    "short_moment": moments.short_moment,
}
"""Filters of templates that put a day or a moment into words of the reader's language."""
_DIGITS: Final = 4
_OF_A_LINE: Final = 16


def register(app: Flask) -> None:
    """Register the pages with an application."""
    app.register_blueprint(blp)
    app.context_processor(_words)
    for name, said in _SAID.items():
        app.add_template_filter(_in_language(said), name)
    app.add_template_filter(moments.time_of)
    app.add_template_filter(group_digits)
    app.add_template_filter(partial(brief, kept=_KEPT), "brief")
    app.add_template_filter(initials)
    app.add_template_filter(_suit_of, "suit_of")
    app.add_template_global(_are_names_lost, "names_are_lost")
    app.add_template_global(_clock_notice, "clock_notice")
    app.add_template_global(_shows_luck, "shows_luck")
    app.add_template_global(records.are_for_everybody, "records_for_everybody")
    app.add_template_global(help_of_rule)
    app.add_template_global(is_only_here)
    app.add_template_global(root_for_others)
    app.add_template_global(origin_for_others)
    app.add_template_global(origin_for_others)
    app.add_template_global(origin_for_others)
    app.add_template_filter(moments.place_words, "place_words")
    app.add_template_global(moments.zones, "time_zones")
    app.add_template_global(lambda: moments.club_zone().key, "time_zone")
    app.add_template_global(lambda: moments.zone_words(texts(language())), "zone_words")


def _suit_of(person: str) -> str:
    """The suit that colours the avatar of a person, always the same."""
    return "OCEB"[crc32(person.encode()) % 4]


def _in_language(said: Callable[[Any, moments.Words], str]) -> Callable[[Any], str]:
    return lambda when: said(when, texts(language()))


def _words() -> dict[str, Any]:
    """Functions and values for every template."""
    lang = language()
    return {
        "lang": lang,
        "languages": [(code, texts(code)["language.name"]) for code in LANGUAGES],
        "read_in": {code: texts(code)["page.read_in"] for code in LANGUAGES},
        **template_functions(lang),
        "sheet_of": lambda cards: url_for("static", filename=sheet_name(cards)),
        "words": lambda *families: texts_of(lang, *families),
        "signed_in": getattr(g, "actor", None) is not None,
        "bar": ways.bar,
        "help_here": ways.help_here,
        "may": may,
    }


def _are_names_lost() -> bool:
    """Whether the names of the house cannot be read, and the reader can have that mended."""
    return may("devices:pair") and current_services().persons.is_lost


def _clock_notice() -> str:
    """Key of what is said of the clock of the house; empty if it may be right, or to strangers."""
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
    """The answer with the language that was asked for in the address, for the next pages."""
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
    """A page in the reader's language, which may not be cached."""
    response = make_response(render_template(template, **values), status)
    response.headers["Content-Language"] = language()
    response.headers["Cache-Control"] = "no-store"
    response.vary.update(["Accept-Language", "Cookie"])
    return response


def private_page(response: ResponseT, status: int = 0) -> ResponseT:
    """An answer at an address that is a secret: kept nowhere, and its address sent nowhere."""
    response.status_code = status or response.status_code
    response.headers["Cache-Control"] = "no-store"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response


def ask_page(title: str, says: Iterable[str], button: str, back: str) -> Response:
    """A page that says what an act costs before it is done; its form goes to the same address."""
    return page(
        "html/ask.html",
        title=title,
        says=says,
        button=button,
        back=back,
        action=f"{prefix()}{request.path}",
    )


def group_digits(value: bytes | str) -> str:
    r"""Bytes, or their hexadecimal digits, in groups of four digits, four groups in a line.

    >>> group_digits(bytes(range(10)))
    '0001 0203 0405 0607\n0809'
    """
    digits = value if isinstance(value, str) else value.hex()
    lines = (digits[at : at + _OF_A_LINE] for at in range(0, len(digits), _OF_A_LINE))
    return "\n".join(
        " ".join(line[at : at + _DIGITS] for at in range(0, len(line), _DIGITS)) for line in lines
    )
