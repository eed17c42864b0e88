"""The brand of the club: what every page shows of it, and the acts by which it is chosen."""

from __future__ import annotations

from typing import Final, NamedTuple

from flask import Flask, url_for

from api.brand import colours
from api.brand.png import NoPicture, plain_png
from api.http.services import PendingTexts, current_services
from referee.events import ClubColourChosen, ClubLogoChosen, ClubNamed, SettingsAct, TextId
from referee.people.persons import LARGEST_PICTURE

LONGEST_CLUB_NAME: Final = 40


class Brand(NamedTuple):
    """The club on a page. ``name``: its own name; ``logo``: address of its picture.

    ``sheet``: address of the sheet with its colours, to stand behind all others. Each is empty
    where the club chose nothing.
    """

    name: str = ""
    logo: str = ""
    sheet: str = ""


def add_brand_to_templates(app: Flask) -> None:
    """Let templates ask for ``brand()``."""
    app.add_template_global(brand, "brand")


def brand() -> Brand:
    """The name, logo and colours of the club; all empty where a store cannot be read.

    A page that says what failed has a heading too.
    """
    try:
        return _current_brand()
    except Exception:  # noqa: BLE001 - whatever failed, the page is about that
        return Brand()


def _current_brand() -> Brand:
    held = current_services().referee.settings.settings()
    return Brand(
        (current_services().persons.text_by_id(held.name) or "") if held.name else "",
        logo_address(held.logo),
        url_for("pages.brand.sheet", colour=held.colour[1:]) if held.colour else "",
    )


def logo_address(logo: TextId) -> str:
    """Address of a logo, which has the id of its content in it; empty if there is none."""
    return url_for("pages.brand.logo", logo=logo) if logo else ""


def is_valid_club_name(text: str) -> bool:
    """Whether pages can show a text as the club's name; an empty one means that it has none.

    >>> [is_valid_club_name(one) for one in ("Peña La Sota", "", "a" * 41)]
    [True, True, False]
    """
    return len(text) <= LONGEST_CLUB_NAME and (not text or text.isprintable())


def is_valid_brand_colour(text: str) -> bool:
    """Whether a text is a colour, or empty for the colour of the program."""
    return not text or colours.is_colour(text)


def clean_logo(content: bytes) -> bytes:
    """An uploaded picture as pages can show it; empty if nothing was uploaded.

    :raises NoPicture: it is none that they can show
    """
    if len(content) > LARGEST_PICTURE:
        raise NoPicture("too large")
    return plain_png(content) if content else b""


def draft_brand_acts(
    put: PendingTexts,
    name: str | None = None,
    colour: str | None = None,
    logo: bytes | None = None,
) -> list[SettingsAct]:
    """Store a new name and logo; the acts for them. None: it stays; empty: it is removed."""
    acts: list[SettingsAct] = []
    if name is not None:
        acts.append(ClubNamed(put.add_text(name)))
    if colour is not None:
        acts.append(ClubColourChosen(colour))
    if logo is not None:
        acts.append(ClubLogoChosen(put.add_picture(logo)) if logo else ClubLogoChosen())
    return acts
