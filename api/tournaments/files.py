"""A tournament as files: tables for a spreadsheet."""

from __future__ import annotations

from api.http.languages import say
from api.http.spreadsheets import Cell, print_table
from api.tournaments import standings as standings_display
from api.tournaments.display import TournamentDisplay
from api.tournaments.rounds import PairDisplay


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
    """The standings, then those of each group, with the criterion that decided each place."""
    view, lang = display.view, display.lang
    criteria = view["plan"]["criteria"]
    head = [
        *_column_titles(display, "group", "place_n", "pair", "players", "points"),
        *(say(f"standings.{one}", lang) for one in criteria if one != "points"),
        *_column_titles(display, "tie_break"),
    ]
    found: list[list[Cell]] = []
    for number, rows in (
        ("", view["standings"]),
        *((str(group["number"]), group["standings"]) for group in view["groups"]),
    ):
        for row, worded in zip(rows, standings_display.rows(rows, lang), strict=True):
            values = {item["criterion"]: item["value"] for item in row["items"]}
            breaks = [values.get(one, "") for one in criteria if one != "points"]
            cells = _cells(display.pairs[row["pair"]])
            found.append([number, row["place"], *cells, row["points"], *breaks, worded.why])
    return print_table(head, found, lang)


def _column_titles(display: TournamentDisplay, *texts: str) -> list[str]:
    return [say(f"tournament_page.{text}", display.lang) for text in texts]


def _cells(pair: PairDisplay) -> tuple[str, str]:
    return pair.number, pair.name
