"""Pages of a season to look at and to take along: the chart, crossed results, files, paper."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from flask import Blueprint, Response

from api.html import assets
from api.html.pages import page
from api.http.access import guard
from api.http.languages import language
from api.http.services import await_position
from api.seasons import views
from api.seasons.charts import files, reading
from api.seasons.charts.luck import season_luck
from api.seasons.charts.points_lines import MARKS_OF_EIGHT
from referee.analysis.engine import is_there

blp = Blueprint("season_charts", __name__)
_ONE: Final = "/temporadas/<uuid:season_id>"


@blp.get(f"{_ONE}/grafico")
@guard.open_to_all
def chart(season_id: UUID) -> Response:
    """Points of everybody by evening, as lines"""
    await_position()
    found = reading.season_picture(season_id)
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
def crossed(season_id: UUID) -> Response:
    """Each against each: won, level, lost"""
    await_position()
    view = views.season(season_id)
    return page("seasons/charts/crossed.html", view=view, rows=reading.crossed(view))


@blp.get(f"{_ONE}/suerte")
@guard.open_to_all
def luck(season_id: UUID) -> Response:
    """What each pair was dealt in arrastre beside what it made, by name"""
    await_position()
    found = season_luck(season_id)
    view = views.season(season_id)
    return page("seasons/charts/luck.html", view=view, luck=found, has_engine=is_there())


@blp.get(f"{_ONE}/hoja")
@guard.open_to_all
def sheet(season_id: UUID) -> Response:
    """The season on paper: table of points, evenings, crossed results"""
    view = views.season(season_id)
    made = page("seasons/charts/sheet.html", view=view, rows=reading.crossed(view))
    return assets.packed(made)


@blp.get(f"{_ONE}/puntos.csv")
@guard.open_to_all
def points_file(season_id: UUID) -> Response:
    """The table of points for a spreadsheet"""
    return _file(files.points(views.season(season_id), language()), "puntos.csv")


@blp.get(f"{_ONE}/resultados.csv")
@guard.open_to_all
def results_file(season_id: UUID) -> Response:
    """Every result of a season for a spreadsheet"""
    views.season(season_id)
    return _file(files.results(reading.results(season_id), language()), "resultados.csv")


def _file(text: str, name: str) -> Response:
    response = Response(text.encode(), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-store"
    return assets.packed(response)
