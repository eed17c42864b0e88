"""The page of parts: every part of a page once, to look at while one is changed."""

from __future__ import annotations

import os
from typing import Final

from flask import Flask, Response

from api.html.pages import page
from api.http.access import guard
from api.http.problems import Problem

VARIABLE: Final = "GUINOTE_DEVELOPMENT"
"""Environment variable that shows the page; ``python3 dev.py run`` sets it."""


def register(app: Flask) -> None:
    """Register ``/estilo``."""
    app.add_url_rule("/estilo", "style", show)


@guard.open_to_all
@guard.identifies_everybody
def show() -> Response:
    """Type, spacing, colours, buttons, cards, tables, forms and empty states.

    :raises Problem: nobody develops here
    """
    if os.environ.get(VARIABLE) != "1":
        raise Problem("not_found")
    return page("html/style.html")
