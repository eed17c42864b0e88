"""Pages: plain HTML for those who look."""

from __future__ import annotations

from flask import Blueprint, Flask

from api.access import Owner

blp = Blueprint("pages", __name__)


def register(app: Flask, owner: Owner) -> None:
    app.register_blueprint(blp)
