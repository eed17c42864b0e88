"""Pages of a season to look at and to take along: the chart, crossed results, files, paper."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from flask import Blueprint, Response

from api.board.display import TableDisplay
from api.html import assets
from api.html.pages import page
from api.http.access import guard
from api.http.languages import language, say
from api.http.services import await_position_in_request
from api.http.spreadsheets import Cell, print_csv
from api.seasons import views
from api.seasons.charts import views as chart_views
from api.seasons.charts.points_lines import MARKS_OF_EIGHT
from api.seasons.charts.views import SeasonResults, season_luck
from api.seasons.points import TallyData
from api.seasons.views import WholeSeasonData
from referee.analysis.engine import is_analysis_available

blp = Blueprint("season_charts", __name__)
_ONE: Final = "/temporadas/<uuid:season_id>"
_COUNTS: Final = (
    *("played", "won", "level", "lost", "cotos", "cotos_lost", "attended"),
    *("twenties", "forties", "tutes"),
)


@blp.get(f"{_ONE}/grafico")
@guard.open_to_all
def chart(season_id: UUID) -> Response:
    """Points of everybody by evening, as lines"""
    await_position_in_request()
    found = chart_views.season_picture_data(season_id)
    return page(
        "seasons/charts/chart.html",
        view=found.view,
        picture=found.picture,
        evenings=found.evenings,
        marks=MARKS_OF_EIGHT,
        most_lines=found.first,
        most_evenings=found.latest,
    )


@blp.get(f"{_ONE}/enfrentamientos")
@guard.open_to_all
def cross_table(season_id: UUID) -> Response:
    """Each against each: won, level, lost"""
    await_position_in_request()
    view = views.complete_season_view(season_id)
    return page("seasons/charts/crossed.html", view=view, rows=chart_views.cross_rows(view))


@blp.get(f"{_ONE}/suerte")
@guard.open_to_all
def luck(season_id: UUID) -> Response:
    """What each pair was dealt in arrastre beside what it made, by name"""
    await_position_in_request()
    found = season_luck(season_id)
    view = views.complete_season_view(season_id)
    return page(
        "seasons/charts/luck.html", view=view, luck=found, has_engine=is_analysis_available()
    )


@blp.get(f"{_ONE}/hoja")
@guard.open_to_all
def sheet(season_id: UUID) -> Response:
    """The season on paper: table of points, evenings, crossed results"""
    view = views.complete_season_view(season_id)
    made = page("seasons/charts/sheet.html", view=view, rows=chart_views.cross_rows(view))
    return assets.compress_if_accepted(made)


@blp.get(f"{_ONE}/puntos.csv")
@guard.open_to_all
def points_file(season_id: UUID) -> Response:
    """The table of points for a spreadsheet"""
    return _csv_response(
        points_csv_text(views.complete_season_view(season_id), language()), "puntos.csv"
    )


@blp.get(f"{_ONE}/resultados.csv")
@guard.open_to_all
def results_file(season_id: UUID) -> Response:
    """Every result of a season for a spreadsheet"""
    views.complete_season_view(season_id)
    return _csv_response(
        results_csv_text(chart_views.season_results(season_id), language()), "resultados.csv"
    )


def _csv_response(text: str, name: str) -> Response:
    response = Response(text.encode(), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-store"
    return assets.compress_if_accepted(response)


def points_csv_text(view: WholeSeasonData, lang: str) -> str:
    """The table of points with its counts."""
    of = "pair" if view.of == "pairs" else "player"
    head = [say(f"season.{one}", lang) for one in ("place", of, "points")]
    head += [say(f"season_files.{one}", lang) for one in _COUNTS]
    nobody = say("grammar.nameless", lang)
    rows = ([row.place, row.name or nobody, row.points, *_counts(row)] for row in view.standings)
    return print_csv(head, rows, lang)


def _counts(row: TallyData) -> list[Cell]:
    return [getattr(row, one) for one in _COUNTS]


def results_csv_text(played: SeasonResults, lang: str) -> str:
    """Every encuentro: day, table, sides with what they made, who won; a draw has no winner.

    Whoever came to an evening and played no encuentro of it has a row without a score.
    """
    most = max((len(one.sides) for one in played.tables), default=2)
    head = [say(f"season_files.{one}", lang) for one in ("day", "table")]
    for number in range(1, most + 1):
        head += [say(f"season_files.{one}", lang, n=number) for one in ("side_n", "made_n")]
    head.append(say("season_files.winner", lang))
    rows = [_result_row(one, most) for one in played.tables]
    rows += [[day, "", who, *[""] * (2 * most)] for day, who in played.visits]
    return print_csv(head, sorted(rows, key=lambda row: str(row[0])), lang)


def _result_row(one: TableDisplay, most: int) -> list[Cell]:
    row: list[Cell] = [one.date, one.at or ""]
    for side in one.sides:
        row += [side.pair_and_players_text, side.marks[-1].made]
    row += [""] * (2 * (most - len(one.sides)))
    return [*row, one.winner.pair_and_players_text if one.winner else ""]
