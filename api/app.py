"""The web application: its nouns, its errors, its guard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from flask import Flask, Response, current_app, request

from api import (
    access,
    actas,
    admission_pages,
    assets,
    base,
    board_pages,
    case_pages,
    cases,
    confirming,
    draws,
    encuentros,
    entering,
    entries,
    evidence,
    health,
    home,
    pages,
    partidas,
    persons,
    player_import,
    player_pages,
    players,
    problems,
    profiles,
    proofs,
    public,
    reels,
    replay_import,
    replay_pages,
    results,
    rules_pages,
    season_pages,
    seasons,
    session_pages,
    sessions,
    tablet,
    tournament_acts,
    tournament_desk,
    tournament_meetings,
    tournament_pages,
    tournament_pairs,
    tournament_sheets,
    tournaments,
)
from api.auditing import NotSigned
from api.demo import pages as demo_pages
from api.house import House
from api.owner import Owner
from api.problems import Problem
from referee.errors import KeyReused, NotFound, Refused, Stale
from referee.events import FrozenProfile
from referee.rules.articles import Rule
from referee.tournament.errors import TournamentError

NOUNS = (
    profiles,
    encuentros,
    entries,
    draws,
    partidas,
    evidence,
    cases,
    reels,
    results,
    actas,
    persons,
    players,
    proofs,
    tournament_acts,
    tournament_meetings,
    tournaments,
    sessions,
    seasons,
    public,
    health,
)
pages.blp.register_blueprint(home.blp)
pages.blp.register_blueprint(demo_pages.blp)
pages.blp.register_blueprint(rules_pages.blp)
pages.blp.register_blueprint(replay_pages.blp)
pages.blp.register_blueprint(replay_import.blp)
pages.blp.register_blueprint(board_pages.blp)
pages.blp.register_blueprint(tournament_pages.blp)
pages.blp.register_blueprint(tournament_sheets.blp)
pages.blp.register_blueprint(tablet.blp)
pages.blp.register_blueprint(confirming.blp)
pages.blp.register_blueprint(case_pages.blp)
pages.blp.register_blueprint(entering.blp)
pages.blp.register_blueprint(admission_pages.blp)
pages.blp.register_blueprint(session_pages.blp)
pages.blp.register_blueprint(season_pages.blp)
pages.blp.register_blueprint(player_pages.blp)
pages.blp.register_blueprint(player_import.blp)
pages.blp.register_blueprint(tournament_desk.blp)
pages.blp.register_blueprint(tournament_pairs.blp)


def create_app(
    house: Callable[[], House], owner: Owner, unusable: Sequence[type[Exception]] = ()
) -> Flask:
    """The application of one house; ``house`` is called when it is first needed.

    ``unusable``: errors that say that the store cannot be used now.
    """
    app = Flask("api", static_folder=None, template_folder="templates")
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the default provider has it
    app.extensions["guinote"] = house
    app.extensions["pack"] = partial(_pack, app)
    access.guard(app, owner)
    assets.register(app)
    entering.register(app, owner)
    pages.register(app)
    api = base.configure(app)
    for noun in NOUNS:
        api.register_blueprint(noun.blp)
    api.spec.options["security"] = [{"token": []}]
    _register_refusals(app)
    for error in unusable:
        app.register_error_handler(error, _unavailable)
    return app


def _register_refusals(app: Flask) -> None:
    """What the write side says, as problems."""

    @app.errorhandler(Refused)
    def _refused(refused: Refused) -> Response:
        return problems.of_refused(Rule(refused.rule), refused.facts, _frozen(app))

    @app.errorhandler(TournamentError)
    def _bad_tournament(wrong: TournamentError) -> Response:
        return problems.of_tournament(wrong.code, wrong.facts)

    @app.errorhandler(Stale)
    def _stale(stale: Stale) -> Response:
        of: dict[str, Any] = {"of": stale.of} if stale.of else {}
        return problems.of_http(Problem("stale", version=stale.version, **of))

    @app.errorhandler(KeyReused)
    def _key_reused(_: KeyReused) -> Response:
        return problems.of_http(Problem("key_reused"))

    @app.errorhandler(NotSigned)
    def _not_signed(_: NotSigned) -> Response:
        return problems.of_http(Problem("not_signed"))

    @app.errorhandler(NotFound)
    def _not_found(_: NotFound) -> Response:
        return problems.of_http(Problem("not_found"))


def _unavailable(error: Exception) -> Response:
    current_app.logger.error("the store cannot be used", exc_info=error)
    return problems.of_http(Problem("unavailable", headers={"Retry-After": "1"}))


def _pack(app: Flask) -> str:
    """Pack of the encuentro that the request is about."""
    frozen = _frozen(app)
    return "spanish" if frozen is None else str(frozen.options["pack"])


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
