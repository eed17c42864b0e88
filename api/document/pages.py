"""Pages of the document, for who makes something with the API."""

from __future__ import annotations

from flask import Blueprint, Response, current_app

from api.document.display import DocumentDisplay
from api.html.pages import page
from api.http.access import guard
from api.http.problems import Problem

blp = Blueprint("document", __name__)


def _display() -> DocumentDisplay:
    return DocumentDisplay(current_app.extensions["document"].content)


@blp.get("/api/docs")
@guard.open_to_all
def operations() -> Response:
    """Every operation of the API, by subject"""
    return page("document/operations.html", subjects=_display().by_subject())


@blp.get("/api/docs/<string(maxlength=100):name>")
@guard.open_to_all
def operation(name: str) -> Response:
    """An operation: what it takes, what it answers, an example"""
    if (found := _display().operation(name)) is None:
        raise Problem("not_found")
    return page("document/operation.html", one=found)
