"""Tables for spreadsheets: one form for all, no cell is a formula, everything is read back as it was."""

from __future__ import annotations

import csv
import io
import re
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from api.http.languages import LANGUAGES
from api.http.spreadsheets import (
    MARK,
    BadTable,
    decode_text_file,
    guard_formula,
    parse_numbered_rows,
    print_csv,
    remove_formula_guard,
)
from tests.support.html import Html
from tests.support.servers.http_league import HttpLeague
from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import HttpTournament

SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"
TRICKY = st.text(st.sampled_from([*SIGNS, *"\t\r\n ;,|'\"a\u00a0\u200b\ufeff"]), max_size=12)
TEXTS = st.one_of(st.text(max_size=20), TRICKY)
DANGEROUS = re.compile(rf"(?:\A|[;,|\t\n\r\"])[\s\u200b\u2060\ufeff]*[{re.escape(SIGNS)}]")


def cells(text: str) -> list[list[str]]:
    """Cells as another program has them."""
    assert text.startswith(MARK)
    return list(csv.reader(io.StringIO(text[1:], newline=""), delimiter=";", strict=True))


@given(TEXTS)
@example("\t=1")
@example("'=1")
@example("a;\u00a0'\uff1d1")
def test_any_text_is_read_back_as_it_was_and_is_no_formula(text: str) -> None:
    assert remove_formula_guard(guard_formula(text)) == text
    assert not DANGEROUS.search(guard_formula(text))
    assert not guard_formula(text).startswith(("\t", "\r"))


@given(st.lists(st.lists(TEXTS, min_size=3, max_size=3), max_size=5), st.sampled_from(LANGUAGES))
def test_any_table_is_read_back_as_it_was(rows: list[list[str]], lang: str) -> None:
    head = ["nombre", "apodo; mote", "=club"]
    text = print_csv(head, rows, lang)
    assert [row.cells for row in parse_numbered_rows(text)] == [head, *rows]
    assert [row.cells for row in parse_numbered_rows(decode_text_file(text.encode()))] == [
        head,
        *rows,
    ]


@given(st.lists(st.lists(TEXTS, min_size=3, max_size=3), max_size=5))
def test_every_cell_is_quoted_and_every_line_ends_in_crlf(rows: list[list[str]]) -> None:
    text = print_csv(["a", "b", "c"], rows, "es")
    assert text == MARK + "".join(
        ";".join('"' + guard_formula(one).replace('"', '""') + '"' for one in row) + "\r\n"
        for row in [["a", "b", "c"], *rows]
    )


@pytest.mark.parametrize(("lang", "comma"), [("es", ","), ("ca", ","), ("fr", ","), ("en", ".")])
def test_a_number_stays_a_number_with_the_decimal_sign_of_the_language(
    lang: str, comma: str
) -> None:
    row = cells(print_csv(["n"] * 4, [(-3, 1.5, Decimal("-0.25"), "-3")], lang))[1]
    assert row == ["-3", f"1{comma}5", f"-0{comma}25", "'-3"]


WHOLE = re.compile(r"-?[0-9]+")
SAVED = [["jugador", "club"], ["Íñigo", "La Peña; y más"], ["-x", ""]]


@pytest.mark.parametrize("separator", [";", ",", "\t"])
@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_what_spreadsheets_save_is_read(separator: str, coding: str) -> None:
    """An exported table, opened and saved again: the apostrophe is a part of the cell."""
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=separator).writerows(
        [[guard_formula(cell) for cell in row] for row in SAVED]
    )
    found = parse_numbered_rows(decode_text_file(out.getvalue().encode(coding)))
    assert [row.cells for row in found] == SAVED


def test_a_quotation_that_does_not_end_is_reported_with_its_line() -> None:
    with pytest.raises(BadTable) as caught:
        list(parse_numbered_rows('a;b\n"c\nd'))
    assert caught.value.line == 2


def a_season_with_a_result(table: HttpTable) -> str:
    """Address of a season in which one encuentro is decided."""
    scoring = {"encuentro_won": 3, "encuentro_level": 1, "coto_won": 1, "attendance": 1}
    rest = dict.fromkeys(("encuentro_lost", "partida_won"), 0)
    season = table.post("/api/v1/seasons", {"name": "Liga", "scoring": {**scoring, **rest}})
    names = [{"name": name} for name in ("=Zoe", "Blas", "Celia", "Diego")]
    body = {"date": "2026-11-19", "profile": {"id": "club"}, "season": season.json["id"]}
    opened = table.post("/api/v1/sessions", {**body, "present": names})
    where = str(opened.headers["Location"])
    drawn = table.post(
        f"{where}/draws", {"method": "seed", "seed": "12345678"}, opened.json["version"]
    )
    playing = table.post(f"{where}/tables", version=drawn.json["version"])
    encuentro = f"/api/v1/encuentros/{playing.json['encuentros'][0]}"
    ruled = {"winner": "A", "because": "se acabó la hora"}
    version = table.get(encuentro).json["version"]
    assert table.post(f"{encuentro}/rulings", ruled, version).status_code == 200
    table.get(f"/api/v1/seasons/{season.json['id']}")
    return f"/temporadas/{season.json['id']}"


def test_the_standings_of_a_tournament_are_those_of_its_page(table: HttpTable) -> None:
    run = HttpTournament(table, 4, format="swiss", rounds=2)
    run.draw()
    run.rounds(2)
    path = run.path.replace("/api/v1/tournaments", "/torneos")
    titles, *rows = cells(table.get(f"{path}/clasificacion.csv").text)
    assert titles[:5] == ["Grupo", "Puesto", "Pareja", "Jugadores", "Puntos"]
    page = Html(table.get(f"{path}/clasificacion").text)
    shown = zip(
        page.texts(".standings tbody .place"), page.texts(".standings tbody .points"), strict=True
    )
    assert [(row[1], row[4]) for row in rows] == list(shown)
    assert [row[2] for row in rows] == [one["pair"] for one in run.view()["standings"]]
    assert len(rows) == 4
    assert rows[0][4] > rows[-1][4]


def test_every_table_that_the_program_sends_has_this_form(table: HttpTable) -> None:
    table.post("/api/v1/players", {"name": "=Ana", "club": "Norte, sur"})
    played = HttpTournament(table, 4, format="swiss", rounds=2)
    played.draw()
    played.rounds(1)
    tournament = played.path.replace("/api/v1/tournaments", "/torneos")
    paths = ["/jugadores/fichero", "/api/v1/players/file"]
    paths += [f"{tournament}/{one}.csv" for one in ("parejas", "cruces", "clasificacion")]
    season = a_season_with_a_result(table)
    paths += [f"{season}/{one}.csv" for one in ("puntos", "resultados", "cuotas")]
    paths.append(f"/jornadas/{table.get('/api/v1/sessions').json['items'][0]['id']}/cuotas.csv")
    league = HttpLeague(table, "Bar Ana", "Bar Blas")
    league.schedule()
    paths.append(f"{league.path.replace('/api/v1/leagues', '/ligas')}/clasificacion.csv")
    sending = {
        rule.rule
        for rule in table.app.url_map.iter_rules()
        if rule.rule.endswith((".csv", "/fichero", "/players/file"))
        and "GET" in (rule.methods or ())
    }
    assert len(sending) == len(paths) - 2 + 2  # one route has three tables, two others are no table
    for path in paths:
        answer = table.get(path)
        assert answer.mimetype == "text/csv", path
        text = answer.data.decode()
        assert len(cells(text)) > 1
        head, *rows = (row.cells for row in parse_numbered_rows(text))
        again = [[int(one) if WHOLE.fullmatch(one) else one for one in row] for row in rows]
        assert text == print_csv(head, again, "es"), path
