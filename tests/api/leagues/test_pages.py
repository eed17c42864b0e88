"""The public pages of a league: one page with all of it, a team, a match, files to take along."""

from __future__ import annotations

import re
from typing import Any

import pytest
from icalendar import Calendar

from api.http.languages import LANGUAGES
from api.http.spreadsheets import parse_numbered_rows
from tests.support.servers.http_league import HttpLeague, report
from tests.support.servers.http_table import HttpTable


@pytest.fixture
def league(table: HttpTable) -> HttpLeague:
    rules = {"tie_breaks": ["direct", "difference", "quotient"]}
    made = HttpLeague(table, "Bar Ana", "Bar Blas", "Peña Celia", rules=rules, contact="Marta")
    made.schedule(time="21:30")
    made.do(
        report(made.match("1", "2"), 4, 2),
        report(made.match("2", "3"), 6, 0),
        {
            "kind": "team_sanction",
            "team": "2",
            "points": 1,
            "reason": "Tarde",
            "article": "art. 9",
        },
        {"kind": "match_postpone", "match": made.match("3", "1"), "reason": "Nieve"},
    )
    made.view()
    return made


def public(league: HttpLeague, more: str = "", lang: str = "es") -> Any:
    """What somebody reads who is not signed in."""
    address = f"/ligas/{league.id}{more}{'&' if '?' in more else '?'}lang={lang}"
    answer = league.table.app.test_client().get(address)
    assert answer.status_code == 200, answer.text
    return answer


def text_of(answer: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.text).split())


def test_one_page_has_the_table_the_calendar_the_sanctions_the_rules_and_the_contact(
    league: HttpLeague,
) -> None:
    found = text_of(public(league))
    assert "1 Bar Ana 1 ganado: 3 puntos" in found
    assert "1 ganado: 3 puntos · 1 perdido · sanción: 1 punto menos" in found
    assert "Bar Blas : pierde 1 punto · art. 9 Tarde" in found
    assert "Descansa: Peña Celia" in found
    assert "sin fecha" in found
    assert "Cada encuentro es a 6 partidas" in found
    assert "por este orden: enfrentamiento directo, diferencia de partidas, cociente" in found
    assert "Contacto Marta" in found


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("more", ["", "/equipos/2", "/encuentros/1-1-1", "/encuentros/1-1-1/hoja"])
def test_no_page_shows_the_key_of_a_text(league: HttpLeague, more: str, lang: str) -> None:
    found = text_of(public(league, more, lang))
    assert not re.search(r"\b(league|season|subscribe)\.[a-z_.]+", found), found


def test_what_a_team_alone_has_named_is_shown_once_both_did_or_the_match_begins(
    league: HttpLeague,
) -> None:
    match = league.match("1", "3")
    pairs = {"1": [{"name": "Ana Ruiz"}, {"name": "Eva Gil"}], "3": [{"name": "Luis Mur"}] * 2}
    pairs["3"][1] = {"name": "Juan Sanz"}
    league.do({"kind": "match_move", "match": match, "date": "2099-01-04", "time": "21:30"})
    league.do({"kind": "lineup", "match": match, "team": "1", "pairs": [pairs["1"]]})
    paths = [
        f"/ligas/{league.id}/encuentros/{match}",
        f"/ligas/{league.id}/encuentros/{match}/hoja",
    ]
    visitor = league.table.app.test_client()

    def is_shown() -> set[bool]:
        league.view()
        return {"Ana Ruiz" in visitor.get(path).text for path in (*paths, league.path)}

    assert is_shown() == {False}
    assert "Ana Ruiz" in league.table.get(paths[1]).text, "the organiser prints it"
    assert (
        "Ana Ruiz"
        in league.table.get(paths[0].replace("/encuentros", "/direccion/encuentros")).text
    )
    league.do({"kind": "lineup", "match": match, "team": "3", "pairs": [pairs["3"]]})
    assert is_shown() == {True}
    league.do({"kind": "lineup", "match": match, "team": "3", "pairs": []})
    assert is_shown() == {True}, "a team that names nobody has said so"


def test_pairs_of_one_team_are_shown_when_the_match_begins(league: HttpLeague) -> None:
    match = league.match("1", "3")
    pairs = [[{"name": "Ana Ruiz"}, {"name": "Eva Gil"}]]
    league.do({"kind": "lineup", "match": match, "team": "1", "pairs": pairs})
    for moved, shown in (({"date": "2099-01-04"}, False), ({"date": "2026-01-04"}, True)):
        league.do({"kind": "match_move", "match": match, **moved})
        league.view()
        assert ("Ana Ruiz" in public(league, f"/encuentros/{match}").text) is shown


def test_a_team_that_came_after_the_calendar_says_that_it_has_no_matches(
    table: HttpTable,
) -> None:
    late = HttpLeague(table, "Bar Ana", "Bar Blas")
    late.schedule()
    late.do({"kind": "team_enter", "name": "Casino"})
    late.view()
    assert "Casino sin encuentros" in text_of(public(late))
    desk = text_of(table.get(f"/ligas/{late.id}/direccion?lang=es"))
    assert "Sin encuentros: Casino." in desk
    late.schedule()
    late.view()
    assert "sin encuentros" not in text_of(public(late)).lower()


def test_a_match_says_who_played_and_who_was_on_no_list(league: HttpLeague) -> None:
    match = league.match("1", "2")
    pairs = [[{"name": "Ana Ruiz"}, {"name": "Eva Gil"}]]
    league.do({"kind": "lineup", "match": match, "team": "1", "pairs": pairs})
    league.view()
    found = text_of(public(league, f"/encuentros/{match}"))
    assert "Bar Ana 4 · Bar Blas 2" in found
    assert "Ana Ruiz sin inscribir ese día · Eva Gil sin inscribir ese día" in found


def test_the_table_for_a_spreadsheet_has_columns_in_words_and_no_keys(league: HttpLeague) -> None:
    answer = public(league, "/clasificacion.csv")
    head, *rows = (one.cells for one in parse_numbered_rows(answer.text))
    assert head[:3] == ["Puesto", "Equipo", "Puntos"]
    assert head[-1] == "cociente de partidas"
    assert rows[0][:3] == ["1", "Bar Ana", "3"]
    assert rows[0][-1] == "2,0"
    assert not re.search(r"league|[0-9a-f]{32}", answer.text)


def test_a_phone_gets_the_days_of_the_league_and_of_a_team(league: HttpLeague) -> None:
    whole = Calendar.from_ical(public(league, "/calendario.ics").data)
    team = Calendar.from_ical(public(league, "/equipos/1/calendario.ics").data)
    assert len(whole.walk("VEVENT")) == 5, "one has no day"
    summaries = [str(one["SUMMARY"]) for one in team.walk("VEVENT")]
    assert len(summaries) == 3
    assert all("Bar Ana" in one for one in summaries)
    league.do({"kind": "team_withdraw", "team": "2", "reason": "x", "results": "kept"})
    league.view()
    left = Calendar.from_ical(public(league, "/calendario.ics").data).walk("VEVENT")
    unplayed = [
        one for one in league.view()["divisions"][0]["matches"] if one["stage"] == "planned"
    ]
    gone = [one for one in unplayed if "2" in (one["home"], one["away"])]
    assert gone
    assert len(left) == 5 - len(gone), "what a withdrawn team does not play any more is not in it"


def test_a_venue_has_the_matches_that_are_played_there(league: HttpLeague) -> None:
    moved = {"match": league.match("3", "2"), "date": "2026-02-01", "venue": "BAR ANA"}
    league.do({"kind": "match_move", **moved})
    league.view()
    page = public(league, "/equipos/1").text
    assert f'href="/ligas/{league.id}/calendario.ics?sede=Bar%20Ana" download' in page
    found = Calendar.from_ical(public(league, "/calendario.ics?sede=bar%20ana").data)
    summaries = sorted(str(one["SUMMARY"]) for one in found.walk("VEVENT"))
    assert summaries == [
        "Bar Ana \u2013 Bar Blas",
        "Bar Ana \u2013 Peña Celia",
        "Peña Celia \u2013 Bar Blas",
    ]
    client = league.table.app.test_client()
    assert client.get(f"/ligas/{league.id}/calendario.ics?sede=Casino").status_code == 404


def test_the_page_of_a_division_names_it_and_says_who_moves_without_zeros(
    table: HttpTable,
) -> None:
    divisions = [
        {"name": "Primera", "promoted": 0, "relegated": 2},
        {"name": "Segunda", "promoted": 2, "relegated": 0},
    ]
    league = HttpLeague(table, "Bar Ana", "Bar Blas", divisions=divisions)
    league.view()
    found = text_of(public(league, "?division=2"))
    for heading in ("Lo próximo", "Clasificación", "Resultados", "Calendario"):
        assert f"{heading}: Segunda" in found
    assert "Primera: bajan 2." in found
    assert "Segunda: suben 2." in found


def test_a_match_whose_day_is_over_waits_until_somebody_tells_its_result(
    league: HttpLeague,
) -> None:
    match = league.match("1", "3")
    league.do({"kind": "match_move", "match": match, "date": "2020-01-04"})
    league.view()
    waiting = text_of(public(league)).partition("Pendientes")[2].partition("Clasificación")[0]
    assert "04/01/2020 21:30" not in waiting, "it has no hour any more"
    assert "04/01/2020" in waiting
    assert "sin resultado" in waiting
    league.do(report(match, 3, 3))
    league.view()
    assert "04/01/2020" not in text_of(public(league)).partition("Clasificación")[0]


def test_what_is_not_there_is_not_found(league: HttpLeague) -> None:
    client = league.table.app.test_client()
    for more in ("/equipos/9", "/encuentros/9-9-9", "/equipos/9/calendario.ics"):
        assert client.get(f"/ligas/{league.id}{more}").status_code == 404
    assert "Liga de bares" in client.get("/ligas/").text


def test_another_site_shows_the_table_and_the_search_finds_the_league(league: HttpLeague) -> None:
    client = league.table.app.test_client()
    piece = client.get(f"/incrustar/ligas/{league.id}?lang=es")
    assert "frame-ancestors" in piece.headers["Content-Security-Policy"]
    assert "1 Bar Ana" in text_of(piece)
    code = league.table.get(f"/ligas/{league.id}/compartir?lang=es").text
    assert f"/incrustar/ligas/{league.id}" in code
    for asked in ("2", "0", "99999999999999999999", "x"):
        status = client.get(f"/incrustar/ligas/{league.id}?division={asked}").status_code
        assert status == (200 if asked == "x" else 404), asked
    assert f'href="/ligas/{league.id}"' in client.get("/buscar?q=bares").text
