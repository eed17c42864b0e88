"""The first page of a tournament: how it is played, whom to ask, what came of the round before."""

from __future__ import annotations

import pkgutil
import re
from typing import Any

import pytest

from api.http.languages import LANGUAGES
from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import Desk, HttpTournament

FORMATS: list[dict[str, Any]] = [
    {"format": "swiss", "rounds": 3, "absence": "not_paired", "minutes": 50},
    {"format": "round_robin"},
    {"format": "groups", "groups": 2, "qualify": 1, "has_third_place": False},
    {"format": "knock_out", "has_consolation": True, "has_third_place": True},
    {"format": "knock_out", "repechage": "lots"},
]


def shown(run: HttpTournament, lang: str = "es") -> str:
    home = run.path.replace("/api/v1/tournaments", "/torneos")
    run.view()
    visitor = run.table.app.test_client()
    page = visitor.get(f"{home}?lang={lang}").text.partition("<main")[2]
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


@pytest.mark.parametrize("plan", FORMATS, ids=[" ".join(map(str, one.values())) for one in FORMATS])
def test_every_format_says_in_every_language_how_it_is_played(
    table: HttpTable, plan: dict[str, Any]
) -> None:
    run = HttpTournament(table, 4, **plan)
    for lang in LANGUAGES:
        found = shown(run, lang)
        assert not re.search(r"\b(tournament_page|standings)\.[a-z_.]+|\{\w+\}", found), found


def test_a_visitor_reads_rules_contact_and_the_round_before(table: HttpTable) -> None:
    desk = Desk(table, 0)
    form = {"key": "k" * 32, "name": "Copa", "format": "swiss", "rounds": "3", "minutes": "50"}
    form |= {"profile": "club", "contact": "Marta, 600 000 000", "points_won": "3"}
    opened = table.client.post("/torneos/nuevo", data=form, headers=table.owner())
    assert opened.status_code == 303, opened.text
    run = desk.run
    run.path = f"/api/v1/tournaments/{opened.headers['Location'].split('/')[2]}"
    run.view()
    run.do("pairs", {"pairs": [{"players": [{"name": one}, {"name": one * 2}]} for one in "ABCD"]})
    run.draw()
    run.rounds(1)
    found = shown(run)
    assert "Suizo, 3 rondas" in found
    assert "Puntos: ganar 3, empatar 1, perder 0" in found
    assert "Cada ronda dura 50 minutos." in found
    assert "Contacto Marta, 600 000 000" in found
    assert "Ronda anterior" not in found
    run.do("rounds")
    assert "Ronda anterior: Ronda 1" in shown(run)


@pytest.mark.parametrize(
    ("more", "while_made"),
    [
        ("", "api.tournaments.standings.tournament_standings_rows"),
        ("/direccion", "api.tournaments.desk.pages.new_form_key"),
    ],
)
def test_what_is_recorded_while_a_page_is_made_is_still_news_for_it(
    table: HttpTable, monkeypatch: pytest.MonkeyPatch, more: str, while_made: str
) -> None:
    run = HttpTournament(table, 4, format="swiss", rounds=2)
    run.draw()
    run.view()
    asked = pkgutil.resolve_name(while_made)

    def recording(*values: Any) -> Any:
        monkeypatch.undo()
        run.do("rounds")
        return asked(*values)

    monkeypatch.setattr(while_made, recording)
    page = table.get(run.path.replace("/api/v1/tournaments", "/torneos") + more).text
    shown_tag = re.search(r'data-tag="(\w+)"', page)
    assert shown_tag is not None
    assert len(run.view()["rounds"]) == 1, "it was recorded"
    moment = table.get(run.path.replace("/api/v1/", "/api/v1/public/")).json
    assert moment["hash"] != shown_tag[1]
