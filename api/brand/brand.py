"""What every page shows of the club: a function for templates, cheap enough for each page."""

from __future__ import annotations

from typing import NamedTuple

from flask import Flask, url_for

from api.http.services import current_services
from referee.events import TextId


class Brand(NamedTuple):
    """The club on a page. ``name``: its own name; ``logo``: address of its picture.

    ``sheet``: address of the sheet with its colours, to stand behind all others. Each is empty
    where the club chose nothing.
    """

    name: str = ""
    logo: str = ""
    sheet: str = ""


def register(app: Flask) -> None:
    """Let templates ask for ``brand()``."""
    app.add_template_global(brand, "brand")


def brand() -> Brand:
    """The name, logo and colours of the club; nothing where a store cannot be read.

    A page that says what failed has a heading too.
    """
    try:
        return _chosen()
    except Exception:  # noqa: BLE001 - whatever failed, the page is about that
        return Brand()


def _chosen() -> Brand:
    held = current_services().referee.settings.settings()
    return Brand(
        (current_services().persons.text(held.name) or "") if held.name else "",
        logo_address(held.logo),
        url_for("pages.brand.sheet", colour=held.colour[1:]) if held.colour else "",
    )


def logo_address(logo: TextId) -> str:
    """Address of a logo, which has the id of its content in it; empty if there is none."""
    return url_for("pages.brand.logo", logo=logo) if logo else ""
