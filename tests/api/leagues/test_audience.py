"""Who sees a league of teams: those whom the club has chosen, at every address of it."""

from __future__ import annotations

import pytest

from tests.support.servers.http_league import HttpLeague, report, show_leagues_to
from tests.support.servers.http_table import HttpTable

PAGES = (
    "/ligas/",
    *("/ligas/{id}", "/ligas/{id}/equipos/1", "/ligas/{id}/encuentros/1-1-1"),
    *("/ligas/{id}/encuentros/1-1-1/hoja", "/ligas/{id}/clasificacion.csv"),
    *("/ligas/{id}/calendario.ics", "/ligas/{id}/calendario.ics?sede=Bar%20Ana"),
    "/ligas/{id}/equipos/1/calendario.ics",
    "/ligas/{id}/jornadas/1/hojas",
)
DATA = ("/api/v1/leagues", "/api/v1/leagues/{id}")
PIECE = "/incrustar/ligas/{id}"


@pytest.fixture
def league(table: HttpTable) -> HttpLeague:
    made = HttpLeague(table, "Bar Ana", "Bar Blas")
    made.do({"kind": "player_register", "team": "1", "person": {"name": "Ana Ruiz"}, **SINCE})
    made.schedule()
    made.do(report("1-1-1", 6, 0))
    made.view()
    return made


SINCE = {"since": "2026-01-01"}


def asked(league: HttpLeague, *paths: str) -> list[str]:
    return [path.format(id=league.id) for path in paths]


def test_a_league_that_the_club_keeps_is_shown_to_nobody_without_an_account(
    league: HttpLeague,
) -> None:
    show_leagues_to(league.table, "club")
    visitor = league.table.app.test_client()
    for path in asked(league, *PAGES):
        answer = visitor.get(path)
        assert answer.status_code == 302, path
        assert answer.headers["Location"].startswith("/entrar"), path
    for path in asked(league, *DATA):
        assert visitor.get(path).status_code == 401, path
    assert visitor.get(*asked(league, PIECE)).status_code == 404
    for path in ("/buscar?q=bares", "/"):
        found = visitor.get(path).text
        assert league.id not in found, path
        assert "/ligas/" not in found, path


def test_who_may_read_sees_it_all_the_same(league: HttpLeague) -> None:
    show_leagues_to(league.table, "club")
    arbiter = league.table.signed_in("arbiter")
    for path in asked(league, *PAGES, *DATA):
        assert league.table.app.test_client().get(path, headers=arbiter).status_code == 200, path
    page = league.table.get(f"/ligas/{league.id}").text
    assert "webcal://" not in page, "a phone that subscribes has no account"
    assert f'href="/ligas/{league.id}/calendario.ics" download' in page
    code = league.table.get(f"/ligas/{league.id}/compartir?lang=es").text
    assert 'href="/casa/ajustes"' in code, "the club does not publish it"


@pytest.mark.parametrize("chosen", ["", "everybody"])
def test_everybody_sees_it_unless_the_club_keeps_it(league: HttpLeague, chosen: str) -> None:
    if chosen:
        show_leagues_to(league.table, chosen)
    visitor = league.table.app.test_client()
    for path in asked(league, *PAGES, *DATA, PIECE):
        assert visitor.get(path).status_code == 200, path
    assert league.id in visitor.get("/buscar?q=bares").text
    assert "webcal://" in visitor.get(f"/ligas/{league.id}").text
