"""The web application: its nouns, its errors, its guard."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from eventsourcing.persistence import PersistenceError
from flask import Flask, Response, request

from api import access, base, encuentros, health, pages, partidas, problems, profiles, public
from api.house import House
from api.problems import Problem
from referee.errors import KeyReused, NotFound, Refused, Stale
from referee.events import FrozenProfile
from referee.rules.articles import Rule

NOUNS = (profiles, encuentros, partidas, public, health)


def create_app(house: Callable[[], House], owner: access.Owner) -> Flask:
    """The application of one house; ``house`` is called when it is first needed."""
    app = Flask("api", static_folder="static", template_folder="templates")
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the default provider has it
    app.extensions["guinote"] = house
    access.guard(app, owner)
    pages.register(app, owner)
    api = base.configure(app)
    for noun in NOUNS:
        api.register_blueprint(noun.blp)
    api.spec.options["security"] = [{"token": []}]
    _register_refusals(app)
    return app


def _register_refusals(app: Flask) -> None:
    """What the write side says, as problems."""

    @app.errorhandler(Refused)
    def _refused(refused: Refused) -> Response:
        return problems.of_refused(Rule(refused.rule), refused.facts, _frozen(app))

    @app.errorhandler(Stale)
    def _stale(stale: Stale) -> Response:
        return problems.of_http(Problem("stale", version=stale.version))

    @app.errorhandler(KeyReused)
    def _key_reused(_: KeyReused) -> Response:
        return problems.of_http(Problem("key_reused"))

    @app.errorhandler(NotFound)
    def _not_found(_: NotFound) -> Response:
        return problems.of_http(Problem("not_found"))

    @app.errorhandler(sqlite3.OperationalError)
    @app.errorhandler(PersistenceError)
    def _unavailable(error: Exception) -> Response:
        app.logger.error("the log cannot be used", exc_info=error)
        return problems.of_http(Problem("unavailable", headers={"Retry-After": "1"}))


def _frozen(app: Flask) -> FrozenProfile | None:
    """Profile of the encuentro that the request is about, if it is about one."""
    about = (request.view_args or {}).get("encuentro_id")
    if about is None:
        return None
    try:
        opened = app.extensions["guinote"]().referee.encuentro(about).opened
    except NotFound:
        return None
    return None if opened is None else opened.profile
