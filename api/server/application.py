"""The web application: its blueprints, error handlers and guard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import msgspec
from flask import Flask, Response, request
from flask.json.provider import DefaultJSONProvider

from api.accounts import (
    certificate_pages,
    entry,
    forgotten,
    pairing_rest,
    phones,
    second_factor,
    settings,
    settings_rest,
)
from api.accounts import pages as access_pages
from api.accounts import security as security_pages
from api.accounts.apps import pages as app_pages
from api.accounts.apps import rest as app_tokens
from api.accounts.apps import sign_ins
from api.audit import pages as audit_pages
from api.audit import rest as proofs
from api.backups import pages as backup_pages
from api.board import pages as board_pages
from api.board import rest as public_views
from api.brand import address as club_address
from api.brand import brand as club_brand
from api.brand import pages as brand_pages
from api.brand import rest as brand_rest
from api.cases import actas
from api.cases import pages as case_pages
from api.cases import rest as cases
from api.club import erasure as erasure_pages
from api.club import import_pages as player_import
from api.club import pages as player_pages
from api.club import persons
from api.club import rest as players
from api.club.pairs import pages as pair_pages
from api.demo import pages as demo_pages
from api.document import pages as document_pages
from api.document.whole import WholeDocument
from api.door import pages as door_pages
from api.embed import pages as embed_pages
from api.encuentros import acts, drawing, entries, evidence, partidas
from api.encuentros import pages as encuentro_pages
from api.encuentros import pages as encuentros_pages
from api.encuentros import rest as encuentros
from api.encuentros.views import table_names_of_encuentro
from api.examples import pages as example_pages
from api.help import pages as help_pages
from api.home import pages as home_pages
from api.html import assets, pages
from api.http import answers, problems, rest
from api.http.access import guard, prefix
from api.http.access.tokens import Owner
from api.http.clock import header
from api.http.folders import use_templates
from api.http.problems import Problem
from api.http.rest import GuinoteApi
from api.http.services import Services
from api.http.table_names import TableNames
from api.leagues import acts as league_acts
from api.leagues import captains
from api.leagues import desk as league_desk
from api.leagues import pages as league_pages
from api.leagues import rest as leagues
from api.monitoring import health, requests, security_contact
from api.profiles import pages as rules_pages
from api.profiles import rest as profiles
from api.profiles.own import pages as club_rules_pages
from api.profiles.own import rest as club_rules
from api.profiles.schemas import OPTION_VALUE
from api.publication import mine as own_address
from api.publication import pages as publication_pages
from api.publication import rest as publication
from api.puzzles import pages as puzzle_pages
from api.puzzles import rest as puzzles
from api.rankings import acts as ranking_acts
from api.rankings import desk as ranking_desk
from api.rankings import erasure as ranking_erasure
from api.rankings import pages as ranking_pages
from api.rankings import rest as rankings
from api.replay import import_pages as replay_import
from api.replay import pages as replay_pages
from api.replay import rest as replays
from api.results import addresses, cards, scores, signatures, table_cards
from api.results import pages as result_pages
from api.results import rest as results
from api.results.files import pages as results_import
from api.results.files import rest as results_file
from api.roads import acts as road_acts
from api.roads import desk as road_desk
from api.roads import lists as signed_lists
from api.roads import pages as road_pages
from api.roads import rest as roads
from api.search import pages as search_pages
from api.seasons import (
    calendar_pages,
    opening_pages,
    season_pages,
    seasons,
    session_pages,
    sessions,
)
from api.seasons.career import pages as career_pages
from api.seasons.charts import pages as chart_pages
from api.seasons.day import pages as day_pages
from api.seasons.day import rest as days
from api.seasons.fees import pages as fees_pages
from api.seasons.fees import rest as fees
from api.seasons.membership import pages as membership_pages
from api.seasons.membership import rest as session_seasons
from api.server.faults import answers as answers_to_faults
from api.tablet import pages as tablet_pages
from api.tournaments import (
    acts as tournament_acts,
)
from api.tournaments import (
    meetings as tournament_meetings,
)
from api.tournaments import (
    pages as tournament_pages,
)
from api.tournaments import (
    rest as tournaments,
)
from api.tournaments import (
    sheets as tournament_sheets,
)
from api.tournaments import (
    wall as tournament_walls,
)
from api.tournaments.desk import own_entries
from api.tournaments.desk import pages as tournament_desk
from api.tournaments.desk import pairs as tournament_pairs
from api.webhooks import pages as webhook_pages
from api.webhooks import rest as webhooks
from api.webhooks.messages import describe_webhooks
from projections.runner.views import OutdatedViews
from referee.audit.auditor import NotSigned
from referee.errors import KeyReused, NotFound, Refused, Stale
from referee.events import FrozenProfile
from referee.people.missing_names import NamesLost

NOUNS = (
    profiles,
    club_rules,
    encuentros,
    entries,
    drawing,
    partidas,
    evidence,
    cases,
    replays,
    results,
    results_file,
    actas,
    persons,
    players,
    proofs,
    tournament_acts,
    tournament_meetings,
    tournaments,
    signed_lists,
    leagues,
    roads,
    publication,
    rankings,
    sessions,
    session_seasons,
    fees,
    days,
    seasons,
    public_views,
    puzzles,
    pairing_rest,
    sign_ins,
    app_tokens,
    settings_rest,
    brand_rest,
    webhooks,
    health,
)
pages.blp.register_blueprint(encuentro_pages.blp)
pages.blp.register_blueprint(audit_pages.blp)
pages.blp.register_blueprint(home_pages.blp)
pages.blp.register_blueprint(search_pages.blp)
pages.blp.register_blueprint(help_pages.blp)
pages.blp.register_blueprint(document_pages.blp)
pages.blp.register_blueprint(demo_pages.blp)
pages.blp.register_blueprint(rules_pages.blp)
pages.blp.register_blueprint(club_rules_pages.blp)
pages.blp.register_blueprint(example_pages.blp)
pages.blp.register_blueprint(replay_pages.blp)
pages.blp.register_blueprint(door_pages.blp)
pages.blp.register_blueprint(replay_import.blp)
pages.blp.register_blueprint(puzzle_pages.blp)
pages.blp.register_blueprint(board_pages.blp)
pages.blp.register_blueprint(tournament_pages.blp)
pages.blp.register_blueprint(tournament_sheets.blp)
pages.blp.register_blueprint(signed_lists.pages_blp)
pages.blp.register_blueprint(tournament_walls.blp)
pages.blp.register_blueprint(own_entries.blp)
pages.blp.register_blueprint(league_pages.blp)
pages.blp.register_blueprint(league_desk.blp)
pages.blp.register_blueprint(captains.blp)
pages.blp.register_blueprint(road_pages.blp)
pages.blp.register_blueprint(road_desk.blp)
pages.blp.register_blueprint(publication_pages.blp)
pages.blp.register_blueprint(own_address.blp)
pages.blp.register_blueprint(ranking_pages.blp)
pages.blp.register_blueprint(ranking_desk.blp)
pages.blp.register_blueprint(ranking_erasure.blp)
pages.blp.register_blueprint(embed_pages.blp)
pages.blp.register_blueprint(tablet_pages.blp)
pages.blp.register_blueprint(result_pages.blp)
pages.blp.register_blueprint(cards.blp)
pages.blp.register_blueprint(signatures.blp)
pages.blp.register_blueprint(scores.blp)
pages.blp.register_blueprint(addresses.blp)
pages.blp.register_blueprint(table_cards.blp)
pages.blp.register_blueprint(results_import.blp)
pages.blp.register_blueprint(case_pages.blp)
pages.blp.register_blueprint(entry.blp)
pages.blp.register_blueprint(second_factor.blp)
pages.blp.register_blueprint(forgotten.blp)
pages.blp.register_blueprint(access_pages.blp)
pages.blp.register_blueprint(app_pages.blp)
pages.blp.register_blueprint(phones.blp)
pages.blp.register_blueprint(certificate_pages.blp)
pages.blp.register_blueprint(backup_pages.blp)
pages.blp.register_blueprint(settings.blp)
pages.blp.register_blueprint(brand_pages.blp)
pages.blp.register_blueprint(security_pages.blp)
pages.blp.register_blueprint(webhook_pages.blp)
pages.blp.register_blueprint(opening_pages.blp)
pages.blp.register_blueprint(calendar_pages.blp)
pages.blp.register_blueprint(session_pages.blp)
pages.blp.register_blueprint(membership_pages.blp)
pages.blp.register_blueprint(fees_pages.blp)
pages.blp.register_blueprint(day_pages.blp)
pages.blp.register_blueprint(season_pages.blp)
pages.blp.register_blueprint(career_pages.blp)
pages.blp.register_blueprint(chart_pages.blp)
pages.blp.register_blueprint(player_pages.blp)
pages.blp.register_blueprint(erasure_pages.blp)
pages.blp.register_blueprint(player_import.blp)
pages.blp.register_blueprint(pair_pages.blp)
pages.blp.register_blueprint(tournament_desk.blp)
pages.blp.register_blueprint(tournament_pairs.blp)


class _ViewsAsJson(DefaultJSONProvider):
    """JSON in a page, with views as they are sent, in the order of their fields."""

    sort_keys = False
    default = staticmethod(msgspec.to_builtins)


def create_app(
    services: Callable[[], Services], owner: Owner | None, unusable: Sequence[type[Exception]] = ()
) -> Flask:
    """The web application; ``services`` is called when services are first needed.

    ``owner``: of the only house; None where the request says which house it is of.
    ``unusable``: errors that always mean that a store cannot be used.
    """
    app = Flask("api", static_folder=None, template_folder=None)
    use_templates(app)
    app.json = _ViewsAsJson(app)
    app.extensions["guinote"] = services
    app.extensions["pack"] = partial(_card_pack_of_request, app)
    app.extensions["time_zone"] = partial(_time_zone, app)
    app.extensions["seated"] = partial(_table_names_of_request, app)
    app.extensions["owner"] = owner
    prefix.add_prefix_to_templates(app)
    guard.register_guard(app)
    header.register_clock_header(app)
    assets.register_static_route(app)
    entry.register_sign_in_globals(app)
    club_brand.add_brand_to_templates(app)
    club_address.serve_club_addresses(app)
    pages.register_pages(app)
    pages.register_style_guide_page(app)
    encuentros_pages.add_crumbs_to_templates(app)
    requests.add_route_and_actor_hook(app)
    api = rest.configure_api(app, (_add_types_to_openapi,))
    for noun in NOUNS:
        api.register_blueprint(noun.blp)
    app.register_blueprint(health.plain)
    app.register_blueprint(security_contact.blp)
    app.extensions["document"] = WholeDocument(app, api.spec)
    _register_error_handlers(app)
    answers_to_faults.register_store_faults(app, unusable)
    return app


def _add_types_to_openapi(api: GuinoteApi) -> None:
    """Add types of views, acts and values of options to the OpenAPI document."""
    answers.describe_answers(api)
    acts.document_acts(api.ma_plugin)
    league_acts.KINDS.add_kinds_to_plugin(api.ma_plugin)
    road_acts.KINDS.add_kinds_to_plugin(api.ma_plugin)
    ranking_acts.KINDS.add_kinds_to_plugin(api.ma_plugin)
    api.spec.components.schema("OptionValue", OPTION_VALUE)
    describe_webhooks(api.spec)


def _register_error_handlers(app: Flask) -> None:
    """Register error handlers that answer refusals of the write side as problems."""

    @app.errorhandler(Refused)
    def _reply_refusal(refused: Refused) -> Response:
        return problems.refusal_response(refused, _profile_of_request(app))

    @app.errorhandler(Stale)
    def _stale(stale: Stale) -> Response:
        if not stale.of:
            return problems.answer_http_error(Problem("stale", version=stale.version))
        return problems.answer_http_error(Problem("stale", version=stale.version, of=stale.of))

    @app.errorhandler(KeyReused)
    def _key_reused(_: KeyReused) -> Response:
        return problems.answer_http_error(Problem("key_reused"))

    @app.errorhandler(NotSigned)
    def _not_signed(_: NotSigned) -> Response:
        return problems.answer_http_error(Problem("not_signed"))

    @app.errorhandler(OutdatedViews)
    def _reply_outdated_views(_: OutdatedViews) -> Response:
        return problems.answer_http_error(Problem("not_yet", headers={"Retry-After": "1"}))

    @app.errorhandler(NamesLost)
    def _names_lost(_: NamesLost) -> Response:
        return problems.answer_http_error(Problem("names_lost"))

    @app.errorhandler(NotFound)
    def _not_found(_: NotFound) -> Response:
        return problems.answer_http_error(Problem("not_found"))


def _card_pack_of_request(app: Flask) -> str:
    """Name of the pack of cards that is used in the encuentro of the request."""
    frozen = _profile_of_request(app)
    return "spanish" if frozen is None else str(frozen.options["pack"])


def _time_zone(app: Flask) -> str:
    """Name of the time zone of the club."""
    name: str = app.extensions["guinote"]().referee.settings.time_zone_name()
    return name


def _table_names_of_request(app: Flask) -> TableNames:
    """Names of the pairs and players at the table of the request.

    Unknown players if the request is about no table.
    """
    about = (request.view_args or {}).get("encuentro_id")
    try:
        return (
            TableNames()
            if about is None
            else table_names_of_encuentro(app.extensions["guinote"](), about)
        )
    except NotFound:
        return TableNames()


def _profile_of_request(app: Flask) -> FrozenProfile | None:
    """Frozen profile of the encuentro of the request; None if the request is about no encuentro."""
    about = (request.view_args or {}).get("encuentro_id")
    if about is None:
        return None
    try:
        opened = app.extensions["guinote"]().referee.encuentros.encuentro(about).opened
    except NotFound:
        return None
    return None if opened is None else opened.profile
