"""The home page: the one next thing, the season, the tournament, the latest results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple
from uuid import UUID

from flask import Blueprint, Response, current_app, g, request
from msgspec.structs import asdict

from api.board import boards
from api.board import display as board_display
from api.club import views as club_views
from api.encuentros import views as encuentro_views
from api.encuentros.views import table_names_of_view
from api.home.cup import home_tournament
from api.home.next_steps import next_steps
from api.html.pages import may, page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.access.roles import Actor
from api.http.languages import language, player_names_of_side
from api.http.names import words_of_folded_name
from api.http.rows import await_row_or_not_found
from api.http.services import are_seasons_public, await_position_in_request, current_services
from api.http.table_names import use_table_names
from api.monitoring.readiness import Readiness
from api.profiles.own.views import club_rules_by_id
from api.seasons import views
from api.seasons.charts.points_lines import (
    MARKS,
    SMALL,
    PointsPicture,
    points_by_evening,
    points_picture_data,
)
from api.seasons.points import (
    StandingLineData,
    scoring_of_season,
    standings_of_season_or_session,
    standings_view,
)
from api.seasons.views import SeasonPlayerData
from api.tournaments.bracket import LINE
from api.tournaments.bracket import WIDTH as BRACKET_WIDTH
from projections.seasons import projection as seasons
from referee.errors import NotFound
from referee.rules.seats import SIDES

blp = Blueprint("home", __name__)
_LIST: Final = 50
_RESULTS: Final = 6
ENOUGH: Final = 4
"""People for one table."""
_FIRST: Final = len(MARKS)


@blp.get("/")
@guard.open_to_all
def show_home() -> Response:
    """The home page: what to do next, and how the club stands"""
    await_position_in_request()
    actor: Actor | None = g.actor
    is_bound = actor is not None and bool(actor.encuentro)
    sees_tables = may("read") and not is_bound
    is_public = are_seasons_public()
    sees_league = is_public or sees_tables
    season = home_season() if sees_league else None
    tournament = None if is_bound else home_tournament()
    latest = boards.recent_results(current_services(), _RESULTS) if sees_league else []
    return page(
        "home/home.html",
        steps=next_steps(actor, tournament),
        first=first_steps() if may("club:manage") and not is_bound else [],
        own=own_player_in_season(actor, season) if actor and season and not may("read") else None,
        season=season,
        cup=tournament,
        width=BRACKET_WIDTH,
        line=LINE,
        results=[board_display.table_display(one, language()) for one in latest],
        of_table=f"{prefix()}/e/" if may("read") else f"{prefix()}/mesa/",
        sees_tables=sees_tables,
        is_league_public=is_public,
        asks_for_settings=_asks_for_settings(),
        faults=_house_fault_keys(),
    )


@blp.get("/mesas/")
@guard.requires("read")
@guard.admits_bound_users
def show_tables() -> Response:
    """The page with every encuentro that the reader may see, the latest first"""
    actor: Actor = g.actor
    found = encuentro_views.encuentro_list_page(
        request.args.get("cursor", ""), _LIST, actor.encuentro
    )
    return page(
        "home/tables.html", encuentros=[_encuentro_row(one) for one in found.items], next=found.next
    )


def _encuentro_row(one: encuentro_views.ListedEncuentroData) -> dict[str, object]:
    """An encuentro of the list, with its sides: name, cotos made, and whether it won."""
    table, winner = table_names_of_view(one), one.decided and one.decided.winner
    made = one.standing.cotos
    with use_table_names(table):
        sides = [
            {
                "name": player_names_of_side(side, language()),
                "made": made.get(side, 0),
                "has_won": side == winner,
            }
            for side in (SIDES[table.players] if table.names else ())
        ]
    return {**asdict(one), "sides": sides, "is_drawn": bool(one.decided) and not winner}


def _house_fault_keys() -> list[str]:
    """Keys of texts about what is wrong with the data; empty for who cannot have it repaired."""
    readiness: Readiness | None = current_app.extensions.get("readiness")
    if readiness is None or not may("access:manage"):
        return []
    report = readiness.report()
    found = {
        "home.house.damaged": report.is_log_damaged,
        "home.house.unsigned": report.is_notary_late_or_failed,
    }
    return [key for key, is_so in found.items() if is_so]


def _asks_for_settings() -> bool:
    """Whether the reader may choose the settings of the club, and none were chosen yet."""
    settings = current_services().referee.settings.settings()
    return may("access:manage") and settings.four_eyes is None


class FirstStep(NamedTuple):
    """A step: the key of its texts, where it is done, and whether it is."""

    key: str
    path: str
    is_done: bool


def first_steps() -> list[FirstStep]:
    """The three steps of a new club, until its first evening is over; then none."""
    evenings = views.latest_sessions()
    if len(evenings) > 1 or any(one.closed for one in evenings):
        return []
    club = current_services().referee.players.club()
    people = len(club.players.keys() - club.merged.keys())
    return [
        FirstStep("people", f"{prefix()}/jugadores/", people >= ENOUGH),
        FirstStep("rules", f"{prefix()}/reglas", bool(club_rules_by_id() or evenings)),
        FirstStep("evening", f"{prefix()}/jornadas/nueva", bool(evenings)),
    ]


def own_player_in_season(actor: Actor, league: League) -> SeasonPlayerData | None:
    """What a season has of the player whose name is that of the account.

    None unless exactly one player has it.

    An account is not tied to a player: only what everybody sees is shown by it.
    """
    name = current_services().keys.account_names().get(actor.by, "")
    named = [
        one
        for one in club_views.players(name)
        if words_of_folded_name(one.name) == words_of_folded_name(name)
    ]
    if not name or len(named) != 1:
        return None
    try:
        return views.player_results_in_season(UUID(league.id), named[0].player)
    except NotFound:
        return None


@dataclass(frozen=True, slots=True)
class League:
    """A season on the home page.

    Its first rows, each with its mark, and the picture if an evening was played.
    """

    id: str
    name: str | None
    closed: bool
    of: str
    rows: tuple[tuple[str, StandingLineData], ...]
    competitors: int
    evenings: int
    picture: PointsPicture | None

    @property
    def path(self) -> str:
        """Address of its page."""
        return f"{prefix()}/temporadas/{self.id}"

    def path_of_player_or_pair(self, row: StandingLineData) -> str:
        """Address of the page of a player, or of a pair in the season."""
        return f"{self.path}/pareja/{row.pair}" if row.pair else f"{prefix()}/jugador/{row.person}"


def home_season() -> League | None:
    """The season for the home page: the latest that is open, else the latest of all.

    None if there is none.
    """
    every = views.every_season()
    one = next((season for season in every if not season.closed), next(iter(every), None))
    if one is None:
        return None
    key = UUID(one.id)
    view = await_row_or_not_found(lambda rows: seasons.find_season_view(rows, key), key)
    with current_services().reads.reading() as rows:
        table = standings_of_season_or_session(
            rows, "season", one.id, scoring_of_season(view), view.of
        )
        sessions = seasons.sessions_of_season(rows, one.id, seasons.ALL_EVENINGS)[::-1]
        first = [row.person for row in table[:_FIRST]]
        points = points_by_evening(rows, view, [each.id for each in sessions], first)
    days = [each.date for each in sessions]
    shown = standings_view(table[:_FIRST], view.of)
    return League(
        *(one.id, one.name, one.closed, view.of),
        tuple(zip(MARKS, shown, strict=False)),
        *(len(table), len(sessions)),
        points_picture_data(points, days, MARKS, SMALL) if days and any(map(any, points)) else None,
    )
