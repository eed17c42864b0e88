"""Import of a text record: its faults with line and column, or its replay; by page and command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser

from api.cli.main import main
from api.http.languages import LANGUAGES, texts_of_language
from referee.record import Code
from tests.support.browser.pages import PHONE, address, no_violations, site, visiting
from tests.support.places import ROOT
from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import Served

FRENCH = ROOT / "tests" / "records" / "francesa.guinote"
GOOD = """[Guinote "1"]
[Profile "sin-mazo"]
[A1 "Pilar"]
[B1 "Andrés"]

partida 1
reparto B2
pinta 4O
A1 2C  B1 6E  A2 4C  B2 7C
B2 4E  A1 2E  B1 5C
resuelve partida A linea 4 "renuncio probado"

partida 2
resultado B idas A 61 B 109
"""
WRONG = """[Guinote "1"]
[Profile "club"]

partida 1
reparto B2
pinta 4O
A1 2C  B1 2C
canta A1
zumba A2
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with site(tmp_path_factory.mktemp("import")) as one:
        yield one


def paste(table: HttpTable, text: str, where: str = "/repeticion/importar", **more: str):
    return table.client.post(where, data={"text": text, **more}, headers=table.owner())


def kept(table: HttpTable, text: str, new: str = "") -> Any:
    """What was pasted is kept as an encuentro of this id."""
    return paste(table, text, "/repeticion/importar/anotar", new=new or str(uuid4()))


def test_faults_of_every_kind_have_line_and_column():
    from api.encuentros.record_import import read_valid_record
    from api.replay.texts import record_errors_with_words
    from referee.record import BadRecord

    found = []
    for text in (WRONG, WRONG.replace("canta A1\nzumba A2\n", "")):
        with pytest.raises(BadRecord) as bad:
            read_valid_record(text.encode())
        found += record_errors_with_words(bad.value, text.encode(), "es")
    expected = {(one.kind, one.code, one.line, one.column, one.wrong) for one in found}
    assert expected == {
        ("ambiguous", "suit-left-out", 8, 9, " "),
        ("malformed", "word-unknown", 9, 1, "zumba"),
        ("impossible", "card-played-before", 7, 8, "B1"),
    }


def test_what_is_wrong_is_shown_in_the_text(table):
    answer = paste(table, WRONG)
    assert answer.status_code == 422
    assert "Línea 9, columna 1" in answer.text
    assert "<mark>zumba</mark> A2" in answer.text
    assert "A1 2C  B1 2C" in answer.text, "the text can be corrected"


def test_a_line_of_the_text_is_one_of_the_record(table):
    answer = paste(table, WRONG.replace("[Profile", '[Place "Casa\u2028Pepe"]\n[Profile'))
    assert "Línea 10, columna 1" in answer.text
    assert "<mark>zumba</mark> A2" in answer.text


def test_it_is_replayed_at_once_and_nothing_is_kept(table):
    answer = paste(table, GOOD)
    assert answer.status_code == 200, answer.text
    assert 'id="replay-data"' in answer.text
    assert "Pilar" in answer.text
    assert table.get("/api/v1/encuentros").json["items"] == []
    second = paste(table, GOOD, partida="2")
    assert '"partida":2' in second.text.replace(": ", ":")
    assert paste(table, GOOD, partida="9").status_code == 422
    assert paste(table, GOOD, partida="9" * 5000).status_code == 404


def test_a_record_with_a_french_pack_is_described_with_its_cards(table):
    answer = paste(table, FRENCH.read_text("utf-8"))
    assert answer.status_code == 200, answer.text
    assert 'data-pack="french_queen_sota"' in answer.text
    assert "dama de" in answer.text
    again = FRENCH.read_text("utf-8").replace("B1 4H", "B1 4C")
    assert "cuatro de tréboles ya se ha jugado" in paste(table, again).text
    assert not re.search(" de (oros|copas|espadas|bastos)", answer.text)


def test_it_can_be_kept_as_an_encuentro(table):
    new = str(uuid4())
    for _ in range(2):  # the button was pressed twice
        answer = kept(table, GOOD, new)
        assert answer.status_code == 303, answer.text
        page = table.get(answer.headers["Location"])
        assert "Andrés" in page.text
        assert [one["id"] for one in table.get("/api/v1/encuentros").json["items"]] == [new]
    assert kept(table, WRONG).status_code == 422
    assert paste(table, GOOD, "/repeticion/importar/anotar").status_code == 400


def test_an_unknown_profile_is_reported(table):
    answer = paste(table, GOOD.replace("sin-mazo", "otra"))
    assert answer.status_code == 422
    assert "No hay normas con el nombre «otra»." in answer.text
    assert paste(table, "x" * 300_000).status_code == 413


def test_strangers_paste_nothing(table):
    assert table.client.get("/repeticion/importar").status_code == 302
    assert table.client.post("/repeticion/importar", data={"text": GOOD}).status_code == 401


def test_every_fault_has_its_words():
    for lang in LANGUAGES:
        assert not {f"notation.{code}" for code in Code} - set(texts_of_language(lang))


@pytest.mark.parametrize(
    ("record", "number", "expected"),
    [
        (GOOD.replace("[A1", '[Hash "00"]\n[A1'), "", "Es de otra versión de esas normas."),
        (GOOD.replace("[A1", '[Ruled "Z"]\n[A1'), "", "Ruled: «Z» no vale."),
        (GOOD, "7", "No tiene ninguna partida con ese número."),
    ],
)
def test_a_record_that_cannot_be_imported_is_explained_in_words(table, record, number, expected):
    where = "/repeticion/importar" + ("/anotar" if "Ruled" in record else "")
    answer = paste(table, record, where, partida=number, new=str(uuid4()))
    assert (answer.status_code, expected in answer.text) == (422, True), answer.text


def test_a_file_of_the_phone_and_its_faults_are_readable_in_both_schemes(
    browser: Browser, served: Served, tmp_path: Path
) -> None:
    file = tmp_path / "partida.txt"
    file.write_text(GOOD, "utf-8")
    with visiting(
        browser, served, "/repeticion/importar", signed_in=True, refusals=1, **PHONE
    ) as page:
        no_violations(page)
        page.fill("#text", GOOD.replace("B1 5C", "B1 2C"))
        page.locator("form.import button").click()
        page.wait_for_selector(".faults")
        assert "Línea 10, columna 15" in page.locator(".faults").inner_text()
        page.emulate_media(color_scheme="dark")
        no_violations(page)
        page.emulate_media(color_scheme="light")
        page.goto(address(served, "/repeticion/importar"))
        page.set_input_files("#file", file)
        page.locator("form.import button").click()
        page.wait_for_selector(".felt")
        page.locator(".beside .verdict summary").click()
        assert "cinco de copas" in page.locator(".beside .verdict").inner_text()
        no_violations(page)
        page.locator("form[action$='anotar'] button").click()
        page.wait_for_url("**/repeticion/*-*/1*")
        assert page.locator("h1").inner_text() == "Repetición de la partida 1"


def test_a_file_is_made_on_the_command_line(tmp_path):
    file = tmp_path / "partida.txt"
    file.write_text(GOOD, "utf-8")
    made = CliRunner().invoke(main, ["replay", str(file), "1", "--lang", "en"])
    assert made.exit_code == 0, made.output
    assert '<html lang="en"' in made.stdout
    assert " held the five of copas" in made.stdout
    file.write_text(WRONG, "utf-8")
    wrong = CliRunner().invoke(main, ["replay", str(file)])
    assert wrong.exit_code == 1
    assert f"{file}:9:1: No se entiende: «zumba»" in wrong.output
    assert CliRunner().invoke(main, ["replay", str(tmp_path / "none")]).exit_code == 1


def test_an_encuentro_is_made_a_file_on_the_command_line(tmp_path, table):
    encuentro = kept(table, GOOD).headers["Location"].split("/")[2]
    made = CliRunner().invoke(main, ["--data", str(tmp_path), "replay", encuentro, "1"])
    assert made.exit_code == 0, made.output
    assert "renuncio probado" in made.stdout
    assert "Pilar" in made.stdout
    none = CliRunner().invoke(main, ["--data", str(tmp_path), "replay", encuentro, "7"])
    assert none.exit_code == 1
    assert "no partida 7" in none.output
