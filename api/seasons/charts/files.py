"""A season as tables for a spreadsheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from api.board.display import TableDisplay
from api.http.languages import say
from api.http.spreadsheets import Cell, print_table
from api.seasons.charts.reading import SeasonResults
from api.seasons.points import TallyData
from api.seasons.views import WholeSeasonData

_COUNTS: Final = (
    *("played", "won", "level", "lost", "cotos", "cotos_lost", "attended"),
    *("twenties", "forties", "tutes"),
)


def points(view: WholeSeasonData, lang: str) -> str:
    """The table of points with its counts."""
    of = "pair" if view["of"] == "pairs" else "player"
    head = [say(f"season.{one}", lang) for one in ("place", of, "points")]
    head += [say(f"season_files.{one}", lang) for one in _COUNTS]
    rows = (
        [row["place"], row["name"] or "", row["points"], *_counts(row)] for row in view["standings"]
    )
    return print_table(head, rows, lang)


def _counts(row: TallyData) -> list[Cell]:
    counts = cast("Mapping[str, int]", row)
    return [counts[one] for one in _COUNTS]


def results(played: SeasonResults, lang: str) -> str:
    """Every encuentro: day, table, sides with what they made, who won; a draw has no winner.

    Whoever came to an evening and played no encuentro of it has a row without a score.
    """
    most = max((len(one.sides) for one in played.tables), default=2)
    head = [say(f"season_files.{one}", lang) for one in ("day", "table")]
    for number in range(1, most + 1):
        head += [say(f"season_files.{one}", lang, n=number) for one in ("side_n", "made_n")]
    head.append(say("season_files.winner", lang))
    rows = [_result(one, most) for one in played.tables]
    rows += [[day, "", who, *[""] * (2 * most)] for day, who in played.visits]
    return print_table(head, sorted(rows, key=lambda row: str(row[0])), lang)


def _result(one: TableDisplay, most: int) -> list[Cell]:
    row: list[Cell] = [one.date, one.at or ""]
    for side in one.sides:
        row += [side.written, side.marks[-1].made]
    row += [""] * (2 * (most - len(one.sides)))
    return [*row, one.winner.written if one.winner else ""]
