"""Pages: plain HTML for those who look. The arbiter's need a login, the public one does not."""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from importlib import resources
from typing import Any
from uuid import UUID

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

from api import access, case_views, reading
from api.assets import sheet_name
from api.i18n import COOKIE, LANGUAGES, day_words, language, say, spoken, texts, texts_of
from api.roles import PERMISSIONS, Actor
from referee import events
from referee.application import partida_id
from referee.rules.seats import SEATS, side_of

blp = Blueprint("pages", __name__)
_YEAR_S = 365 * 86_400


def register(app: Flask) -> None:
    """Put the pages into an application."""
    app.register_blueprint(blp)
    app.context_processor(_words)
    app.add_template_filter(lambda day: day_words(day, language()), "day")
    app.after_request(_keep_language)


def _words() -> dict[str, Any]:
    """What every template may say."""
    lang = language()
    return {
        "lang": lang,
        "languages": [(code, texts(code)["language.name"]) for code in LANGUAGES],
        **spoken(lang),
        "sheet_of": lambda cards: url_for("static", filename=sheet_name(cards)),
        "words": lambda *families: texts_of(lang, *families),
        "signed_in": getattr(g, "actor", None) is not None,
        "may": lambda permission: permission in _permissions(),
    }


def _permissions() -> frozenset[str]:
    """What the reader may do, at the tables that he is let to."""
    actor: Actor | None = getattr(g, "actor", None)
    return frozenset() if actor is None else PERMISSIONS[actor.role]


def _keep_language(response: Response) -> Response:
    asked = request.args.get("lang", "")
    if "pages" in request.blueprints and asked in LANGUAGES:
        response.set_cookie(
            COOKIE, asked, max_age=_YEAR_S, httponly=True, samesite="Lax", secure=request.is_secure
        )
    return response


def page(template: str, **values: Any) -> Response:
    """A page in the reader's language, which nobody keeps."""
    response = make_response(render_template(template, **values))
    response.headers["Content-Language"] = language()
    response.headers["Cache-Control"] = "no-store"
    response.vary.update(["Accept-Language", "Cookie"])
    return response


# --- the arbiter's pages -------------------------------------------------------------------------


@blp.get("/e/<uuid:encuentro_id>")
@access.needs("read")
def encuentro(encuentro_id: UUID) -> Response:
    """An encuentro: who sits where, how it stands, its partidas."""
    view = reading.encuentro(encuentro_id)
    seats = seats_of(view)
    return page(
        "encuentro.html",
        view=view,
        seats=seats,
        sides=sides_of(seats, view["players"]),
        warnings=case_views.warnings(encuentro_id),
    )


@blp.get("/e/<uuid:encuentro_id>/p/<int(min=1,max=9999):n>")
@access.needs("read")
def partida(encuentro_id: UUID, n: int) -> Response:
    """A partida: its score, its tricks, what was noticed, what was recorded."""
    view, match = reading.partida(encuentro_id, n), reading.encuentro(encuentro_id)
    return page(
        "partida.html",
        view=view,
        match=match,
        sides=sides_of(seats_of(match), view["players"]),
        findings=reading.worded(view["findings"], encuentro_id),
        conclusions=[_said("conclusion", one["kind"], one) for one in view["conclusions"]],
        log=[_entry(one) for one in reading.log(partida_id(encuentro_id, n))],
    )


@blp.get("/verificador")
@access.open_to_all
def verifier() -> AnyResponse:
    """The verifier of proofs: one file that works by itself, also when it is saved."""
    page, policy = _verifier()
    response = Response(page, content_type="text/html; charset=utf-8")
    response.headers["Content-Security-Policy"] = f"{policy}; frame-ancestors 'none'"
    response.headers["Cache-Control"] = "no-cache"
    response.set_etag(sha256(page).hexdigest())
    return response.make_conditional(request)


@cache
def _verifier() -> tuple[bytes, str]:
    """The page, and what it allows itself."""
    page = resources.files("api").joinpath("verifier", "verificador.html").read_bytes()
    found = re.search(rb'Content-Security-Policy" content="([^"]+)"', page)
    assert found, "the verifier is not built"
    return page, found[1].decode()


def seats_of(view: dict[str, Any]) -> dict[str, str]:
    """Name at each seat, in order of play."""
    seated = view["seats"]
    places = [seat for seat in SEATS[view["players"]] if seat in seated]
    return {seat: view["names"].get(seated[seat], "") for seat in places}


def sides_of(seats: dict[str, str], players: int) -> dict[str, list[str]]:
    """Names of each side."""
    found: dict[str, list[str]] = {}
    for seat in SEATS[players]:
        found.setdefault(side_of(seat), []).append(seats.get(seat) or seat)
    return found


def _said(family: str, kind: str, fact: dict[str, Any]) -> str:
    return say(f"{family}.{kind}", language(), **{k: v for k, v in fact.items() if k != "kind"})


def _entry(one: dict[str, Any]) -> dict[str, Any]:
    """A line of the log in words."""
    struct = getattr(events, one["event"].partition(".")[0], None)
    if struct is None:
        return {**one, "words": one["event"], "is_act": False}
    is_act = issubclass(struct, events.Act)
    fact = {**one["fact"], "text": one["texts"].get(one["fact"].get("text")) or ""}
    words = _said("act" if is_act else "conclusion", struct.__struct_config__.tag, fact)
    return {**one, "words": words, "is_act": is_act}
