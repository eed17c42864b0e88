"""Actas: they have the recorded data, in four languages, on one sheet without scripts."""

from __future__ import annotations

import html
import re
import threading
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Page
from werkzeug.serving import make_server

from api.cli.main import main
from api.html.pages import group_hex_digits
from api.http.languages import LANGUAGES, texts_of_language
from referee.audit.resguardo import read_resguardo
from tests.api.cases.test_cases import (
    ANA,
    BLAS,
    JUEZ,
    OTRO,
    PHOTO,
    confirmed,
    dispute,
    of,
    ruling,
    verdict,
)
from tests.api.encuentros.test_pages import Outline
from tests.support.places import ROOT
from tests.support.servers.http_table import HttpTable, card, deal, pinta

API = ROOT / "api"


@pytest.fixture(scope="module")
def table(shared_table: HttpTable) -> HttpTable:
    shared_table.client.post("/entrar", data={"token": shared_table.token})
    return shared_table


@pytest.fixture(scope="module")
def partida(table: HttpTable) -> str:
    return disputed_partida(table)


def disputed_partida(table: HttpTable) -> str:
    """A corrected partida, and a case about it with ruling and appeal."""
    where = table.partida(table.encuentro("guinyot"))
    table.record(where, 0, deal(), pinta(), card("A1", "AC"), card("B1", "3C"))
    slip = {"line": 4, "how": "replace", "act": card("B1", "4C")}
    table.post(f"{where}/amendments", {"changes": [slip], "because": "<i>Mal</i> visto."}, 4)
    case = dispute(table, where, suspends=True, lines=[3, 4])
    proof = {"by": {"name": "Mirón"}, "lines": [3], "note": "Lo vi.", "photo": PHOTO}
    table.post(f"{case}/evidence", proof, 1)
    silent = {"kind": "article", "option": "overtrump", "basis": "silent"}
    confirmed(table, f"{case}/ruling", ruling(verdict=verdict(side="A", ground=silent)))
    table.post(f"{case}/appeal", {"by": BLAS, "side": "B", "because": "No es cierto."}, 3)
    word = verdict("warning", side="B")
    confirmed(
        table, f"{case}/decision", {"by": OTRO, "because": "No está probado.", "verdict": word}
    )
    table.post(f"{case}/closing", {"by": OTRO}, 5)
    end = {"winner": "A", "because": "Se fueron."}
    match = of(where)
    taken = {"seat": "B2", "name": "Elena", "partida": 1, "line": 4, "because": "Diego se fue."}
    table.post(f"{match}/substitutions", taken, table.get(match).json["version"])
    table.post(f"{match}/rulings", end, table.get(match).json["version"])
    for path, body, device in (
        ("reports", {"by": ANA, "side": "A"}, "a"),
        ("confirmations", {"by": BLAS, "side": "B"}, "b"),
        ("signature", {"by": JUEZ}, "a"),
    ):
        version = table.get(match).json["version"]
        answer = table.post(f"{match}/result/{path}", body, version, **{"Guinote-Device": device})
        assert answer.status_code == 200, answer.text
    table.get(match)
    return where


def page(table: HttpTable, partida: str, name: str, lang: str = "es") -> str:
    encuentro = of(partida).split("/")[-1]
    path = {"acta": f"/e/{encuentro}/acta", "case": f"/e/{encuentro}/c/1/acta"}[name]
    answer = table.client.get(path, headers={"Accept-Language": lang, "Accept": "text/html"})
    assert answer.status_code == 200
    return str(answer.text)


def test_the_acta_says_what_was_recorded(table: HttpTable, partida: str) -> None:
    acta = table.get(f"{of(partida)}/acta").json
    assert acta["profile"]["id"] == "guinyot"
    assert len(acta["profile"]["hash"]) == 64
    assert acta["sides"] == {"A": ["Ana", "Celia"], "B": ["Blas", "Elena"]}
    (taken,) = acta["substitutions"]
    assert (taken["seat"], taken["name"], taken["because"]) == ("B2", "Elena", "Diego se fue.")
    assert acta["rulings"][0]["because"] == "Se fueron."
    (one,) = acta["partidas"]
    assert (one["first"]["winner"], one["first"]["how"], one["how"]) == ("A", "ruling", "undecided")
    assert one["amendments"][0]["changes"][0]["was"] == "Blas juega el tres de copas"
    assert one["amendments"][0]["changes"][0]["is"] == "Blas juega el cuatro de copas"
    assert [(made["case"], made["effect"]) for made in one["rulings"]] == [
        (1, "La partida es para Ana y Celia.")
    ]
    assert acta["warnings"] == {"B": 1}
    (case,) = acta["cases"]
    assert (case["stage"], case["appeal"]) == ("closed", "changed")
    assert (case["by"], case["decided_by"]) == ("Julia Juez", "Óscar")
    result = acta["result"]
    assert (result["stage"], result["reported"]["by"], result["official"]["by"]) == (
        "official",
        "Ana",
        "Julia Juez",
    )
    assert [(said["by"], said["with"]) for said in result["confirmed"]] == [("Blas", "device")]
    assert acta["proof"] is None


def test_who_speaks_for_a_side_is_named_once(table: HttpTable, partida: str) -> None:
    acta, case = page(table, partida, "acta"), page(table, partida, "case")
    assert "Dice el resultado: <b>Ana</b>, <time" in acta
    assert "por Ana y Celia" not in acta + case
    assert (
        '<span class="was">Antes de corregir: Ana y Celia, por decisión del árbitro</span>' in acta
    )


def test_the_acta_of_a_case_shows_original_and_corrected_side_by_side(
    table: HttpTable, partida: str
) -> None:
    acta = table.get(f"{of(partida)}/cases/1/acta").json
    assert [one["moment"] for one in acta["stood"]] == ["before", "ruled", "settled"]
    winners = [(one["decided"] or {}).get("winner") for one in acta["stood"]]
    assert winners == [None, "A", None]
    assert [one["line"] for one in acta["lines"]] == [3, 4]
    assert acta["lines"][1]["amended_by"] == [5]
    assert len(acta["moments"]) == acta["case"]["version"] == 6
    ground = acta["case"]["words"]["ruled"]["ground"]
    assert "el reglamento no lo dice" in ground
    assert ground.startswith(texts_of_language("es")["option.overtrump"])


def test_an_acta_says_which_case_of_a_renuncio_is_only_inferred(table: HttpTable) -> None:
    where = table.partida(table.encuentro("escuela"))
    table.record(where, 0, deal(), pinta(), card("A1", "AC"), card("B1", "3C"))
    case = dispute(table, where, lines=[3, 4])
    ground = {"kind": "article", "option": "renuncio_cases"}
    confirmed(table, f"{case}/ruling", ruling(verdict=verdict(side="A", ground=ground)))
    said = table.get(f"{of(where)}/cases/1/acta").json["case"]["words"]["ruled"]["ground"]
    assert "no fallar o no pisar: se saca del reglamento" in said
    assert "hablar de la jugada: lo dice el reglamento" in said


def test_the_page_of_an_encuentro_leads_to_its_actas(table: HttpTable, partida: str) -> None:
    encuentro = of(partida).split("/")[-1]
    text = table.client.get(f"/e/{encuentro}", headers={"Accept-Language": "es"}).text
    for words in (f"/e/{encuentro}/acta", f'/e/{encuentro}/c/1"', "Avisos: Blas y Elena 1"):
        assert words in text
    assert "oficial" in text


def test_a_case_that_is_not_ruled_yet_has_a_sheet_too(table: HttpTable) -> None:
    where = table.partida()
    table.record(where, 0, deal())
    dispute(table, where, lines=[1])
    acta = table.get(f"{of(where)}/cases/1/acta").json
    assert (acta["stood"], acta["case"]["stage"]) == ([], "open")
    assert "Sin apelación" not in page(table, where, "case")
    assert texts_of_language("es")["acta.nobody"] in page(table, where, "acta")
    assert table.get(f"{of(where)}/cases/2/acta").status_code == 404


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", ["acta", "case"])
def test_a_sheet_is_whole_and_in_its_language(
    table: HttpTable, partida: str, name: str, lang: str
) -> None:
    text = page(table, partida, name, lang)
    outline = Outline(text)
    assert outline.wrong == []
    assert outline.all("html")[0]["lang"] == lang
    assert [one for one in outline.all("script") if "src" not in one] == []
    assert [one for _, one in outline.elements if "style" in one] == []
    assert len(outline.all("h1")) == 1
    families = "acta|page|rule|act|how|problem|effect|ground|stage|result|basis|option|value"
    bare = re.sub(r"<[^>]*>", " ", text)
    assert not re.search(rf"(?<![\w/])(?:{families})\.[a-z_]+", bare)
    assert "{{" not in text
    assert "None" not in bare
    assert "&lt;time" not in text
    assert "<i>Mal" not in text
    assert texts_of_language(lang)["acta.no_proof"] in html.unescape(text)
    ids = re.findall(r'\sid="([^"]+)"', text)
    assert len(ids) == len(set(ids))


def test_a_sheet_names_who_decided_and_who_agreed(table: HttpTable, partida: str) -> None:
    acta, case = page(table, partida, "acta"), page(table, partida, "case")
    for name in ("Ana", "Blas", "Celia", "Elena", "Diego se fue.", "Julia Juez", "Óscar"):
        assert name in acta
    for words in (
        "Mirón",
        "Lo vi.",
        PHOTO["sha256"],
        "No es cierto.",
        "No está probado.",
        "Blas y Elena 1",
    ):
        assert words in case, words


def test_a_signed_log_gives_the_acta_its_seal_and_code(
    tmp_path: Path, partida: str, table: HttpTable
) -> None:
    folder = table.app.extensions["guinote"].files.folder
    done = CliRunner().invoke(
        main, ["--data", str(folder), "notary", "--keys", str(tmp_path / "keys"), "--once"]
    )
    assert done.exit_code == 0, done.output
    acta = table.get(f"{of(partida)}/acta").json
    proof = acta["proof"]
    held = read_resguardo(proof["text"])
    assert (str(held.encuentro), held.count) == (acta["encuentro"], proof["events"])
    assert (proof["unsigned"], len(proof["root"])) == (0, 64)
    text = page(table, partida, "acta")
    assert "<svg" in text
    assert group_hex_digits(proof["root"]) in text
    for path in (f"{of(partida)}/proof", f"{of(partida)}/cases"):
        assert table.get(path).status_code == 200
    (folder / "log.checkpoint").unlink()


def test_every_text_of_an_acta_is_asked_for_and_there() -> None:
    sources = [
        *API.glob("cases/templates/cases/acta*.html"),
        *API.glob("encuentros/templates/encuentros/encuentro.html"),
    ]
    source = "".join(one.read_text("utf-8") for one in sources)
    asked = set(re.findall(r"""["'](acta\.[a-z_]+)["']""", source))
    made: set[str] = {f"acta.{end}" for end in ("replace", "insert", "withdraw", "code", "device")}
    made |= {f"acta.{end}" for end in ("upheld", "changed", "before", "ruled", "settled")}
    known: Any = {key for key in texts_of_language("es") if key.startswith("acta.")}
    assert asked - known == set()
    assert known - asked - made == set()


def is_one_sheet_of_paper(page: Page) -> None:
    """One page of A4 when a browser prints it."""
    printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) == 1, page.url
    assert re.search(rb"/MediaBox\s*\[0 0 59[45]\.?\d* 84[12]\.?\d*\]", printed)


def test_a_sheet_is_one_paper_of_a4(browser: Browser, table: HttpTable, partida: str) -> None:
    server = make_server("127.0.0.1", 0, table.app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    encuentro = of(partida).split("/")[-1]
    context = browser.new_context(extra_http_headers=table.owner(), locale="es-ES")
    sheet = context.new_page()
    for path in (f"/e/{encuentro}/acta", f"/e/{encuentro}/c/1/acta"):
        sheet.goto(f"http://127.0.0.1:{server.server_port}{path}")
        is_one_sheet_of_paper(sheet)
    context.close()
    server.shutdown()
    thread.join()
