"""A tournament as files: tables for a spreadsheet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from api.http.languages import say
from api.http.spreadsheets import Cell, print_table
from api.tournaments import standings as standings_display
from api.tournaments.display import TournamentDisplay
from api.tournaments.rounds import PairDisplay
from api.tournaments.standings import RowDisplay
from projections.tournaments.view import PlaceData


def pairs(display: TournamentDisplay) -> str:
    """Every pair with its players."""
    most = max((len(pair.players) for pair in display.pairs.values()), default=0)
    head = _column_titles(display, "pair")
    head += [say("tournament_page.player_n", display.lang, n=n + 1) for n in range(most)]
    rows = ([pair.number, *pair.players] for pair in display.pairs.values())
    return print_table(head, rows, display.lang)


def meetings(display: TournamentDisplay) -> str:
    """Every cruce as drawn, with its result."""
    head = [
        *(
            say(f"tournament_page.{one}", display.lang)
            for one in ("round", "table", "pair", "players")
        ),
        *(say(f"tournament_page.{one}", display.lang) for one in ("pair", "players")),
        *(say(f"tournament_page.{one}", display.lang) for one in ("cotos", "cotos_against")),
        *(say(f"tournament_page.{one}", display.lang) for one in ("partidas", "partidas_against")),
        say("tournament_page.winner", display.lang),
        say("tournament_page.result", display.lang),
    ]
    return print_table(
        head,
        (
            [
                one.title,
                one.table or "",
                *_cells(one.pairs[0]),
                *_cells(one.pairs[1]),
                *(one.cotos or ("", "")),
                *(one.partidas or ("", "")),
                one.winner or "",
                say(
                    f"tournament_page.mark_{one.label}",
                    display.lang,
                ),
            ]
            for one in display.meetings.values()
        ),
        display.lang,
    )


def standings(display: TournamentDisplay) -> str:
    """The standings, then those of each group, with what decided each place."""
    view, lang = display.view, display.lang
    tables = [_StandingsTable("", view.standings, by_points=display.is_by_points)]
    tables += [_StandingsTable(str(one.number), one.standings) for one in view.groups]
    criteria = [one for one in view.plan["criteria"] if one != "points"]
    has_points = any(one.by_points for one in tables)
    head = _column_titles(display, "group", "place_n", "pair", "players")
    if has_points:
        head += _column_titles(display, "points")
        head += [*(say(f"standings.{one}", lang) for one in criteria)]
        head += _column_titles(display, "tie_break")
    if not display.is_by_points:
        head += _column_titles(display, "reached")
    found: list[list[Cell]] = []
    for table in tables:
        for row, worded in zip(table.rows, _in_words(display, table), strict=True):
            values = {item.criterion: item.value for item in row.items}
            points = [row.points, *(values.get(one, "") for one in criteria), worded.why]
            of_points = points if table.by_points else [""] * len(points)
            reached = [] if display.is_by_points else ["" if table.by_points else worded.why]
            cells = table.group, row.place, *_cells(display.pairs[row.pair])
            found.append([*cells, *(of_points if has_points else []), *reached])
    return print_table(head, found, lang)


class _StandingsTable(NamedTuple):
    """The standings of a group, or of all (no group); of a knock-out without points."""

    group: str
    rows: Sequence[PlaceData]
    by_points: bool = True


def _in_words(display: TournamentDisplay, table: _StandingsTable) -> Sequence[RowDisplay]:
    if table.by_points:
        return standings_display.rows(table.rows, display.lang)
    return standings_display.places(display)


def _column_titles(display: TournamentDisplay, *texts: str) -> list[str]:
    return [say(f"tournament_page.{text}", display.lang) for text in texts]


def _cells(pair: PairDisplay) -> tuple[str, str]:
    return pair.number, pair.name
