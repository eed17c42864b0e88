"""The page on which an admin chooses name, logo and colour, and what it gives to all pages."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.accounts.settings import record_settings_acts
from api.brand import colours
from api.brand.brand import (
    LONGEST_CLUB_NAME,
    brand,
    clean_logo,
    draft_brand_acts,
    is_valid_brand_colour,
    is_valid_club_name,
)
from api.brand.png import NoPicture
from api.html import forms
from api.html.forms import FieldErrors, attempt_write, new_form_key
from api.html.pages import page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.languages import language, say
from api.http.problems import Problem
from api.http.services import PendingTexts, current_services, pending_texts
from referee.events import SettingsAct
from referee.log.streams import Answer
from referee.people.persons import LARGEST_PICTURE

blp = Blueprint("brand", __name__)
USUAL = "#1f5c43"
"""The colour of the program, which the form offers."""
_FOR_EVER = "public, max-age=31536000, immutable"


@blp.get("/casa/marca")
@guard.requires("access:manage")
def show() -> Response:
    """Name, logo and colour of the club, and the form that changes them."""
    return _brand_page()


@blp.post("/casa/marca")
@guard.requires("access:manage")
def choose() -> AnyResponse:
    """Change the name, logo or colour of the club."""
    try:
        picture = _logo_in_form()
    except NoPicture:
        return _brand_page([("logo", say("brand.no_picture", language()))], 422)

    def write() -> Answer | None:
        with pending_texts() as put:
            acts = _draft_brand_acts_in_form(put, picture)
            if not acts:
                return None
            meta, version = forms.meta_of_form(), forms.version_of_form("version")
            return put.erase_if_replayed(record_settings_acts(acts, meta, version))

    _, wrong, status = attempt_write(write)
    return _brand_page(wrong, status) if wrong else redirect(f"{prefix()}/casa/marca", 303)


@blp.get("/marca/<string(length=6):colour>.css")
@guard.open_to_all
def sheet(colour: str) -> Response:
    """Style sheet with the colours of pages that follow from the club's colour"""
    if not colours.is_colour(f"#{colour}"):
        raise Problem("not_found")
    day, night = (
        _css_variables(made(f"#{colour}")) for made in (colours.day_palette, colours.night_palette)
    )
    text = (
        f":root {{ {day} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {night} }} }}\n"
        f'html:root[data-theme="light"] {{ {day} }}\nhtml:root[data-theme="dark"] {{ {night} }}\n'
    )
    return _cache_for_ever(Response(text, content_type="text/css; charset=utf-8"))


@blp.get("/marca/<string(length=32):logo>.png")
@guard.open_to_all
def logo(logo: str) -> Response:
    """The logo of the club"""
    here = current_services()
    is_shown = logo == here.referee.settings.settings().logo
    picture = here.persons.picture(logo) if is_shown else None
    if picture is None:
        raise Problem("not_found")
    return _cache_for_ever(Response(picture, content_type="image/png"))


def _cache_for_ever(response: Response) -> Response:
    """Let a response be cached for ever, since its content never changes at its address."""
    response.headers["Cache-Control"] = _FOR_EVER
    return response


def _css_variables(palette: colours.Palette) -> str:
    return f"--felt: {palette.felt}; --accent: {palette.accent};"


def _logo_in_form() -> bytes:
    """The logo that the form brings; empty if it brings none.

    :raises NoPicture: it is none that pages can show
    """
    file = request.files.get("logo")
    return clean_logo(file.read(LARGEST_PICTURE + 1) if file is not None and file.filename else b"")


def _draft_brand_acts_in_form(put: PendingTexts, picture: bytes) -> list[SettingsAct]:
    """Store the name and logo that the form changes; the acts for all that it changes.

    :raises Problem: a value is none
    """
    held, shown = current_services().referee.settings.settings(), brand()
    name = " ".join(forms.form_value("name").split())
    colour = forms.form_value("colour").lower() if request.form.get("own_colour") else ""
    if not (is_valid_club_name(name) and is_valid_brand_colour(colour)):
        raise Problem("bad_request")
    is_taken_away = bool(held.logo and request.form.get("no_logo"))
    return draft_brand_acts(
        put,
        name if name != shown.name else None,
        colour if colour != held.colour else None,
        picture if picture or is_taken_away else None,
    )


def _brand_page(wrong: FieldErrors | None = None, status: int = 200) -> Response:
    held = current_services().referee.settings.settings()
    return page(
        "brand/brand.html",
        shown=brand(),
        colour=held.colour or USUAL,
        has_colour=bool(held.colour),
        version=held.version,
        longest=LONGEST_CLUB_NAME,
        wrong=wrong or [],
        key=new_form_key(),
        status=status,
    )
