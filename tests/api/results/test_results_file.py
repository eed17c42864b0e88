"""Results from a file: looked at, written once, and the same season in another house."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, expect

from api.http.languages import LANGUAGES, say
from api.http.spreadsheets import print_csv
from api.results.files.results_csv import ResultLine, read_results
from tests.support.browser.kept_pages import kept_page
from tests.support.browser.pages import LOOKED_AT, PHONE, no_violations_in_any_language
from tests.support.demonstrated import demonstrated
from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import Served

FILE = "/api/v1/sessions/file"
OURS = {"Sec-Fetch-Site": "same-origin"}
SHEET = """Fecha;Mesa;Pareja 1;Pareja 2;Resultado;Camarero
19/11/2026;1;Los Reyes: Ana Gil y Luis Pardo;Eva Sanz / Blas Mur;2-1;Paco
19/11/2026;2;Rosa Maza - Inés Oto;Pilar Laín · Julián Gay;0-2;
19/11/2026;1;Los Reyes;Rosa Maza - Inés Oto;2-0;
26/11/2026;;Ana Gil · Luis Pardo;Pilar Laín & Julián Gay;1 a 2;
26/11/2026;;Eva Sanz · Blas Mur;;;
"""
COUNTED = (
    "place",
    "name",
    "points",
    "played",
    "won",
    "level",
    "lost",
    "cotos",
    "cotos_lost",
    "attended",
)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpTable]:
    """A club with the content of the demonstration."""
    table = demonstrated(tmp_path_factory.mktemp("shown"))
    yield table
    table.close()


@pytest.fixture(scope="module")
def other(shared_table: HttpTable) -> HttpTable:
    """An empty club."""
    return shared_table


def season(table: HttpTable, of: str = "persons", **more: Any) -> str:
    """A new season by the club's usual rules."""
    scoring = {"encuentro_won": 3, "coto_won": 1, "attendance": 1}
    body = {"name": "Liga", "of": of, "scoring": scoring, "rules": "club", **more}
    return str(table.post("/api/v1/seasons", body).headers["Location"].rpartition("/")[2])


def standings(table: HttpTable, of: str) -> list[tuple[Any, ...]]:
    rows = table.get(f"/api/v1/seasons/{of}").json["standings"]
    return sorted(tuple(row[one] for one in COUNTED) for row in rows)


def exported(table: HttpTable, of: str) -> str:
    answer = table.app.test_client().get(f"/temporadas/{of}/resultados.csv?lang=fr")
    return str(answer.data.decode("utf-8-sig"))


def position(table: HttpTable) -> int:
    return int(table.app.extensions["guinote"]().referee.position())


def counts(table: HttpTable, text: str, of: str) -> dict[str, int]:
    """How many results of each state a preview has, without those of which it has none."""
    before = position(table)
    answer = table.post(f"{FILE}/preview", {"text": text, "season": of})
    assert answer.status_code == 200, answer.text
    assert position(table) == before, "a preview wrote something"
    return {state: n for state, n in answer.json["counts"].items() if n}


def written(table: HttpTable, text: str, of: str) -> None:
    answer = table.post(FILE, {"text": text, "season": of})
    assert answer.status_code == 200, answer.text


def faults(table: HttpTable, text: str, of: str) -> dict[str, Any]:
    answer = table.post(f"{FILE}/preview", {"text": text, "season": of})
    assert answer.status_code == 422, answer.text
    return dict(answer.json["codes"]["json"]["text"])


# --- a whole season ------------------------------------------------------------------------------


def test_a_season_that_is_exported_counts_the_same_in_another_house(
    shown: HttpTable, other: HttpTable
) -> None:
    there = shown.get("/api/v1/seasons").json["items"][0]
    here = season(other, scoring=there["scoring"])
    text = exported(shown, there["id"])
    assert counts(other, text, here) == {"new": 24}
    written(other, text, here)
    totals = [
        sorted(row[1:] for row in standings(*one)) for one in ((shown, there["id"]), (other, here))
    ]
    assert totals[0] == totals[1]  # equal in all but partidas, which say who of them is first
    assert exported(other, here) == text
    view = other.get(f"/api/v1/seasons/{here}").json
    assert all(one["closed"] for one in view["sessions"])


def test_a_season_of_pairs_that_a_secretary_kept_in_a_sheet(
    shown: HttpTable, other: HttpTable
) -> None:
    """Pairs with and without names, two rounds on one evening, a pair that came and sat out."""
    first, second = season(shown, "pairs"), season(other, "pairs")
    written(shown, SHEET, first)
    assert standings(shown, first) == [
        (1, "Los Reyes", 13, 3, 2, 0, 1, 5, 3, 2),
        (2, "Julián Gay · Pilar Laín", 12, 2, 2, 0, 0, 4, 1, 2),
        (3, "Blas Mur · Eva Sanz", 3, 1, 0, 0, 1, 1, 2, 2),
        (4, "Inés Oto · Rosa Maza", 1, 2, 0, 0, 2, 0, 4, 1),
    ]
    written(other, exported(shown, first), second)
    assert standings(other, second) == standings(shown, first)
    assert exported(other, second) == exported(shown, first)
    assert counts(other, exported(shown, first), second) == {"known": 4}


def test_three_players_each_for_themselves(other: HttpTable) -> None:
    here = season(other)
    rules = {"profile": {"id": "guinyot"}, "players": 3}
    opened = other.post("/api/v1/sessions", {"date": "2026-12-01", "season": here, **rules})
    assert opened.status_code == 201, opened.text
    text = "2026-12-01;1;Gala;0;Hugo;2;Iris;1;Hugo\n2026-12-01;1;Gala;2;Iris;0;Hugo;1;\n"
    written(other, text, here)
    assert [row[1:6] for row in standings(other, here)] == [
        ("Hugo", 7, 2, 1, 0),
        ("Gala", 6, 2, 1, 0),
        ("Iris", 2, 2, 0, 0),
    ]
    assert counts(other, exported(other, here), here) == {"known": 2}


def test_partidas_of_a_fixed_number_add_up_and_may_end_level(other: HttpTable) -> None:
    changes = {"match_format": {"4": "fixed_partidas"}, "fixed_partidas": {"4": 8}}
    rules = {"id": "club", "changes": changes, "as": {"id": "ocho", "edition": "1"}}
    here, line = season(other), "2026-12-02;1;Noa · Ona;{};Pau · Quim;{}\n"
    body = {"text": line.format(5, 2), "season": here, "profile": rules}
    answer = other.post(f"{FILE}/preview", body)
    assert answer.json["codes"]["json"]["text"] == {"1": {"0": ["score_impossible"]}}
    assert other.post(FILE, {**body, "text": line.format(4, 4)}).status_code == 200
    assert [row[1:6] for row in standings(other, here)] == [
        (name, 1, 1, 0, 1) for name in ("Noa", "Ona", "Pau", "Quim")
    ]


# --- once, and with what is there ----------------------------------------------------------------


def test_the_same_file_twice_writes_nothing_twice(other: HttpTable) -> None:
    here = season(other)
    text = "2026-12-03;4;Ada · Bea;2;Cira · Dora;0\n2026-12-03;5;Ada · Bea;2;Cira · Dora;0\n"
    written(other, text, here)
    before = position(other), standings(other, here)
    assert counts(other, text, here) == {"known": 2}
    written(other, text, here)
    assert (position(other), standings(other, here)) == before
    more = text + "2026-12-03;4;Cira · Ada;1;Bea · Dora;2\n"
    assert counts(other, more, here) == {"known": 2, "new": 1}
    written(other, more, here)
    view = other.get(f"/api/v1/seasons/{here}").json
    assert [(one["encuentros"], one["closed"]) for one in view["sessions"]] == [(3, True)]


def test_a_result_goes_to_the_table_that_waits_for_it_and_never_over_another(
    other: HttpTable,
) -> None:
    here = season(other)
    came = [{"name": name} for name in ("Nuria", "Olga", "Petra", "Quique")]
    opening = {"date": "2026-12-10", "season": here, "present": came}
    evening = str(other.post("/api/v1/sessions", opening).headers["Location"])
    version = other.get(evening).json["version"]
    other.post(f"{evening}/draws", {"method": "seed", "seed": "12345678"}, version)
    pending = other.get(evening).json
    sides = pending["draws"][0]["tables"][0]["sides"]
    a, b = ([pending["names"][who] for who in side] for side in sides)
    lines = [f"10/12/2026;;{' · '.join(b)};{made};{' · '.join(a)};{2 - made}\n" for made in (0, 2)]
    assert faults(other, lines[0], here) == {"1": {"0": ["evening_waits"]}}
    other.post(f"{evening}/tables", version=version + 1)
    assert counts(other, lines[0], here) == {"open": 1}
    written(other, lines[0], here)
    (table,) = other.get(evening).json["encuentros"]
    assert (table["decided"]["winner"], table["result"]) == ("A", "official")
    assert not other.get(evening).json["closed"]
    before = position(other)
    assert counts(other, lines[1], here) == {"differs": 1}
    written(other, lines[1], here)
    assert position(other) == before


def test_a_closed_season_takes_no_evening(other: HttpTable) -> None:
    here = season(other)
    other.post(f"/api/v1/seasons/{here}/closing", version=1)
    answer = other.post(FILE, {"text": "2026-12-17;;A · B;2;C · D;0", "season": here})
    assert (answer.status_code, answer.json["code"]) == (409, "season-closed")


# --- what cannot be read -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "where"),
    [
        ("31/11/2026;1;A · B;2;C · D;0", {"2": {"1": ["not_a_day"]}}),
        ("2026-12-24;x;A · B;2;C · D;0", {"2": {"2": ["not_whole"]}}),
        ("2026-12-24;1;A · B;2;C · D;", {"2": {"4": ["score_wanted"]}}),
        ("2026-12-24;1;A · B;dos;C · D;0", {"2": {"4": ["score_wanted"]}}),
        ("2026-12-24;1;A · B;2;C · D;2", {"2": {"0": ["score_impossible"]}}),
        ("2026-12-24;1;A · B · E;2;C · D;0", {"2": {"0": ["players_wanted"]}}),
        ("2026-12-24;1;A · B;2;A · D;0", {"2": {"0": ["person_twice"]}}),
        ("2026-12-24;1;A · A;2;C · D;0", {"2": {"0": ["pair_of_one"]}}),
        ("2026-12-24;1;A · B;2;C · D;0;E;F;G;H", {"2": {"8": ["cells_beyond"]}}),
    ],
)
def test_a_line_that_cannot_be_read_is_named(
    other: HttpTable, line: str, where: dict[str, Any]
) -> None:
    here, head = season(other), "fecha;mesa;pareja 1;tanteo 1;pareja 2;tanteo 2;ganador\n"
    before = position(other)
    assert faults(other, head + line, here) == where
    assert other.post(FILE, {"text": head + line, "season": here}).status_code == 422
    assert position(other) == before


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Ana;Eva\n", "no_day_heading"),
        ("fecha;fecha\n", "heading_twice"),
        ("fecha;pareja 1\n", "no_results"),
        ('2026-12-24;1;"A', "not_csv"),
    ],
)
def test_a_file_without_results_is_refused(text: str, code: str) -> None:
    assert [str(one.fault) for one in read_results(text).faults] == [code]


NAMES = st.text(st.characters(categories=["L", "Nd"], include_characters=" .,'=+-"), min_size=1)
LINES = st.lists(
    st.builds(
        ResultLine,
        st.just(0),
        st.dates().map(str),
        st.integers(0, 200),
        st.tuples(NAMES, NAMES).filter(lambda both: all(one.strip() for one in both)),
        st.tuples(st.integers(0, 99), st.integers(0, 99)),
    ),
    min_size=1,
    max_size=5,
)


@settings(max_examples=50, deadline=None)
@given(lines=LINES, lang=st.sampled_from(sorted(LANGUAGES)))
def test_what_a_house_exports_is_read_as_it_was(lines: list[ResultLine], lang: str) -> None:
    head = [say(f"season_files.{one}", lang) for one in ("day", "table")]
    for n in (1, 2):
        head += [say(f"season_files.{one}", lang, n=n) for one in ("side_n", "made_n")]
    rows = [
        (one.day, one.table, one.sides[0], one.score[0], one.sides[1], one.score[1])
        for one in lines
    ]
    read = read_results(print_csv(head, rows, lang))
    assert not read.faults
    blank = re.compile(r"[ \t\u00a0]+")
    assert [one[1:] for one in read.lines] == [
        (one.day, one.table, tuple(blank.sub(" ", side).strip() for side in one.sides), one.score)
        for one in lines
    ]


def test_a_column_for_each_player(other: HttpTable) -> None:
    text = "Jugador 1,Jugador 2,Jugador 3,Jugador 4,Fecha,Resultado\nA,B,C,D,1.2.26,2-0\n"
    (line,) = read_results(text).lines
    assert line == ResultLine(2, "2026-02-01", 0, ("A · B", "C · D"), (2, 0))


# --- the page ------------------------------------------------------------------------------------


class Secretary:
    """Somebody who brings results on the page."""

    def __init__(self, table: HttpTable) -> None:
        self.table, self.client = table, table.app.test_client()
        self.client.post("/entrar", data={"token": table.token})

    def sends(self, text: str, of: str, **more: Any) -> Any:
        key = re.search(r'name="key" value="(\w+)"', self.client.get("/jornadas/traer").text)
        assert key
        form = {"key": key[1], "text": text, "season": of, **more}
        return self.client.post("/jornadas/traer", data=form, headers=OURS)


def test_the_page_asks_who_is_meant_and_then_writes_the_lines_that_can_be_read(
    other: HttpTable,
) -> None:
    here, secretary = season(other), Secretary(other)
    for nickname in ("La Rubia", "La Morena"):
        other.post("/api/v1/players", {"name": "Marta Bel", "nickname": nickname})
    text = "2026-12-31;1;Marta Bel · Tomás Lis;2;Ugo Fe · Vera Paz;1\n"
    text += "2026-12-31;2;x;;;\n30/2/26;1;;;;\n"
    before = position(other)
    seen = secretary.sends(text, here, take="yes").text
    assert "¿Quién es “Marta Bel”?" in seen
    assert "Tomás Lis, Ugo Fe, Vera Paz" in seen
    assert "Línea 3, columna 1" in seen
    assert position(other) == before
    (who, _) = re.findall(r'name="is marta bel" value="(\w{32})"', seen)
    seen = secretary.sends(text, here, take="yes", **{"is marta bel": who}).text
    assert "Resultados apuntados: 1" in seen
    rows = other.get(f"/api/v1/seasons/{here}").json["standings"]
    assert who in {row["person"] for row in rows}
    assert len(rows) == 5  # x came, and played nothing


def test_a_file_of_another_coding_is_read(other: HttpTable) -> None:
    text = "fecha;pareja 1;pareja 2;resultado\n1/1/27;Íñigo Peña y Eva;Zoé y Ñuño;2-1\n"
    file = (BytesIO(text.encode("cp1252")), "liga.csv")
    seen = Secretary(other).sends("", season(other), file=file).text
    assert "Íñigo Peña · Eva<br>Zoé · Ñuño" in seen


def test_results_brought_from_a_file_are_readable_and_fit_a_phone(
    browser: Browser, served: Served
) -> None:
    for lang in LOOKED_AT:
        path = f"/jornadas/traer?lang={lang}"
        with kept_page(browser, served, path, signed_in=True, **PHONE) as page:
            page.fill("#text", f"{SHEET}31/11/2026;;;;\n")
            page.locator("form.act button").last.click()
            expect(page.locator("main table").first).to_be_visible()
            no_violations_in_any_language(page)
            assert "results_file." not in page.locator("main").inner_text(), lang
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), lang
