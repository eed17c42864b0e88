"""The button that fills an empty data folder with the demonstration."""

from __future__ import annotations

from flask import Blueprint, redirect
from werkzeug.wrappers import Response as AnyResponse

from api.demo.filling import Demo
from api.http.access import guard
from api.http.languages import language
from api.http.services import VIEWS_TIMEOUT_S, current_services

blp = Blueprint("demo", __name__)


@blp.post("/demostracion")
@guard.requires("access:manage")
def fill() -> AnyResponse:
    """Fill this installation, if it was not filled before"""
    here = current_services()
    Demo(here.referee, here.persons, here.clock(), language()).fill()
    here.reads.wait(here.referee.log.position(), VIEWS_TIMEOUT_S)
    return redirect("/", 303)
