"""A tournament as files for spreadsheets."""

from __future__ import annotations

import re

import pytest

from api.http.languages import LANGUAGES
from api.http.spreadsheets import parse_numbered_rows
from api.tournaments import files as tournament_files
from api.tournaments.desk.pairs import read_pairs_and_faults
from api.tournaments.display import TournamentDisplay
from tests.api.tournaments import tournament_views

SWISS = tournament_views.swiss(8, 3)
GROUPS = tournament_views.groups(12, 3, done=2)
KNOCK_OUT = tournament_views.knock_out(8, 2)


def table(text: str) -> list[list[str]]:
    assert text.startswith("\ufeff")
    return [row.cells for row in parse_numbered_rows(text)]


def display(view: tournament_views.View, lang: str = "es") -> TournamentDisplay:
    return TournamentDisplay(view, lang)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("view", [SWISS, GROUPS, KNOCK_OUT], ids=["swiss", "groups", "cup"])
def test_no_table_has_the_key_of_a_text(view: tournament_views.View, lang: str) -> None:
    for made in (
        tournament_files.standings_csv_text,
        tournament_files.meetings_csv_text,
        tournament_files.pairs_csv_text,
    ):
        text = made(display(view, lang))
        assert not re.search(r'(^|[";])[a-z_]+\.[a-z_]', text, re.MULTILINE), text


def test_the_standings_of_a_knock_out_say_how_far_each_pair_came_and_no_points() -> None:
    head, *rows = table(tournament_files.standings_csv_text(display(KNOCK_OUT)))
    assert head == ["Grupo", "Puesto", "Pareja", "Jugadores", "Llegó a"]
    assert [row[-1] for row in rows[:3]] == ["Final", "Final", "Semifinales"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_standings_hold_every_value_that_was_looked_at(lang: str) -> None:
    view = tournament_views.swiss(24, 4)
    head, *rows = table(tournament_files.standings_csv_text(display(view, lang)))
    assert len(set(head)) == len(head)
    assert [row[2] for row in rows] == [row.pair for row in view.standings]
    assert [int(row[4]) for row in rows] == [row.points for row in view.standings]
    for row, cells in zip(view.standings, rows, strict=True):
        values = dict(zip(view.plan["criteria"][1:], cells[5:], strict=False))
        looked_at = {i.criterion: str(i.value) for i in row.items}
        looked_at.pop("points")
        assert {name: value for name, value in values.items() if value} == looked_at


def test_standings_of_groups_say_which_group() -> None:
    rows = table(
        tournament_files.standings_csv_text(display(tournament_views.groups(24, 6, done=3)))
    )[1:]
    assert [row[0] for row in rows] == [str(n) for n in range(1, 7) for _ in range(4)]


def test_cruces_are_all_there_with_their_results() -> None:
    view = tournament_views.swiss(512, 2)
    rows = table(tournament_files.meetings_csv_text(display(view)))[1:]
    every = [one for each in view.rounds for one in each.meetings]
    assert len(rows) == len(every) == 3 * 256
    for row, one in zip(rows, every, strict=True):
        assert [row[2], row[4]] == one.pairs
        assert row[10] == (one.winner or "")
        assert row[6:8] == (["", ""] if one.winner is None else [str(n) for n in one.cotos])


@pytest.mark.parametrize("name", ["=1+1", "+34", "-x", "@SUM(A1)"])
def test_no_name_is_taken_for_a_formula(name: str) -> None:
    view = tournament_views.swiss(8, 0)
    view.pairs[0].players[:] = [name, 'Luis "Gil", el de Épila']
    text = tournament_files.pairs_csv_text(display(view))
    assert f'"\'{name}"' in text
    assert table(text)[1] == ["1", name, 'Luis "Gil", el de Épila']


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_table_of_pairs_is_read_back_by_the_desk(lang: str) -> None:
    view = tournament_views.swiss(8, 0)
    view.pairs[0].players[:] = ["=Ana, la del 4", "Luis / Gil"]
    pairs, faults = read_pairs_and_faults(
        tournament_files.pairs_csv_text(display(view, lang)), 2, ()
    )
    assert faults == []
    assert [[one.name for one in pair.players] for pair in pairs] == [
        one.players for one in view.pairs
    ]
