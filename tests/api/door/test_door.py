"""The players' door: from one address what was decided, why, and the proof, checked by the page itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, expect

from api.html.qr_codes import qr_inline
from api.http.languages import LANGUAGES, texts_of_language
from referee.audit.resguardo import read_resguardo
from tests.api.audit.test_verifier import _OPEN_AT, _SEEN
from tests.api.cases.test_actas import disputed_partida
from tests.api.cases.test_cases import confirmed, dispute, of, ruling, verdict
from tests.api.cli.test_cli import guinote
from tests.api.replay.test_rest import disputed
from tests.support.browser import in_browser
from tests.support.html import Html
from tests.support.javascript import NodePage, node_page
from tests.support.servers.http_table import HttpTable

ES = texts_of_language("es")
RENUNCIO = {"kind": "ruling", "effect": "renuncio", "line": 4, "text": "Lo vieron todos"}


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[HttpTable, str]]:
    """A table whose encuentro is official and signed by the notary."""
    folder: Path = tmp_path_factory.mktemp("door")
    table = HttpTable(folder / "data")
    encuentro = of(disputed_partida(table)).rpartition("/")[2]
    keys = ("notary", "--once", "--keys", str(folder / "keys"))
    assert guinote(*keys, data=folder / "data")[0] == 0
    yield table, encuentro
    table.close()


@pytest.fixture(scope="module")
def node() -> Iterator[NodePage]:
    with node_page() as page:
        yield page


def door_of(table: HttpTable, encuentro: str, **headers: str) -> str:
    """The page as a phone without an account gets it."""
    answer = table.app.test_client().get(f"/encuentro/{encuentro}", headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.text


def checked(node: NodePage, page: str, address: str = "https://club.test/encuentro/1") -> Any:
    """What the page says of the proof that it brings, with no server to ask."""
    return node.evaluate(_OPEN_AT, [page, address, "fr-FR"]) or node.evaluate(_SEEN)


def test_the_door_opens_when_a_partida_is_decided_and_says_why(table: HttpTable) -> None:
    partida = disputed(table)
    encuentro = partida.split("/")[4]
    nobody = table.app.test_client()
    assert nobody.get(f"/encuentro/{encuentro}").status_code in (302, 303, 401)
    assert table.record(partida, 10, RENUNCIO).status_code == 200
    page = Html(door_of(table, encuentro))
    text, links = page.text(), page.values("a", "href")
    assert "Ganan Ana y Celia, por renuncio" in text
    assert "El seis de espadas de Blas: Debía asistir al palo de salida." in text
    assert "Lo vieron todos" in text
    assert "pide una copa" not in text, "what else the arbiter noted is for the arbiter"
    assert f"/repeticion/{encuentro}/1?linea=4" in links
    assert ES["door.proof_later"] in text
    shared = dict(zip(page.values("meta", "property"), page.values("meta", "content"), strict=True))
    assert (shared["og:title"], shared["og:description"]) == (
        "Ana y Celia – Blas y Diego",
        ES["door.link"],
    )
    for there in (f"/repeticion/{encuentro}/1", f"/mesa/{encuentro}"):
        assert there in links
        assert nobody.get(there).status_code == 200
    assert nobody.get(f"/encuentro/{encuentro}/qr.svg").status_code == 200


def test_a_confirmed_renuncio_is_told_with_card_trick_article_and_proof(table: HttpTable) -> None:
    partida = disputed(table)
    encuentro = partida.split("/")[4]
    assert table.record(partida, 10, RENUNCIO).status_code == 200
    table.get(f"{partida}/reel")
    told = (
        "Renuncio de Blas con el seis de espadas, en la baza 1 del reparto 1."
        " Debía asistir al palo de salida. Lo prueba el cinco de copas."
    )
    nobody = table.app.test_client()
    shown = {
        "board": Html(nobody.get(f"/mesa/{encuentro}?wait=60").text).text(".renuncio"),
        "replay": Html(nobody.get(f"/repeticion/{encuentro}/1").text).text("p.renuncio"),
        "acta": Html(table.get(f"/e/{encuentro}/acta").text).text(".acta"),
    }
    for where, text in shown.items():
        assert told in text, where
        assert "«Le pli»" in text, (where, "the article")
    settings = table.get("/api/v1/settings").json["version"]
    kept = table.post("/api/v1/settings", {"record_audience": "club"}, settings)
    assert kept.status_code == 200
    table.get(f"{partida}/reel")
    board = nobody.get(f"/mesa/{encuentro}?wait=60")
    assert "seis de espadas" not in board.text, "the club keeps its records"


def saved(table: HttpTable, encuentro: str, **headers: str) -> str:
    client = table.app.test_client()
    return client.get(f"/encuentro/{encuentro}/fichero", headers=headers).text


def test_the_saved_page_plays_each_partida_in_a_frame_without_the_network(
    browser: Browser, table: HttpTable, tmp_path: Path
) -> None:
    partida = disputed(table)
    encuentro = partida.split("/")[4]
    assert table.record(partida, 10, RENUNCIO).status_code == 200
    path = tmp_path / "encuentro.html"
    path.write_text(saved(table, encuentro), "utf-8")
    with in_browser.opened(browser, path.as_uri(), offline=True) as page:
        page.locator("details.film summary").click()
        frame = page.frame_locator("details.film iframe")
        expect(frame.locator(".seat")).to_have_count(4)
        assert "Renuncio de Blas" in frame.locator("p.renuncio").inner_text()
        for name, line in (("last", "11"), ("back", "10")):
            frame.locator(f".bar .{name}").click()
            shown = frame.locator(".acts [aria-current]")
            expect(shown).to_have_attribute("data-line", line)
        assert frame.locator(".trick use").first.evaluate("use => use.getBBox().width") > 10


def test_a_saved_page_has_in_it_what_everybody_may_see_whoever_saved_it(table: HttpTable) -> None:
    partida = disputed(table)
    encuentro = partida.split("/")[4]
    assert table.record(partida, 10, RENUNCIO).status_code == 200
    case = dispute(table, partida, lines=[4])
    table.get(case)
    for page in (saved(table, encuentro), saved(table, encuentro, **table.owner())):
        assert "film-1" in page
        assert "pide una copa" not in page
        assert table.get(case).json["texts"][table.get(case).json["text"]] not in page
        assert len(page) < 600_000


def test_a_phone_checks_the_proof_from_the_one_address_and_a_forged_one_is_told(
    signed: tuple[HttpTable, str], node: NodePage
) -> None:
    page = door_of(*signed)
    seen = checked(node, page)
    assert (seen["verdict"], seen["heading"]) == ("unaltered", ES["verifier.verdict_own"])
    assert seen["lang"] == "es", "in the language of the page, whatever the browser speaks"
    assert seen["acts"]
    forged = page.replace('"card":"AC"', '"card":"3C"', 1)
    assert forged != page
    told = checked(node, forged)
    assert told["verdict"] == "altered"
    assert "entry_differs" in {one["what"] for one in told["differences"]}


def test_the_saved_page_checks_the_proof_and_leads_back_to_the_club(
    signed: tuple[HttpTable, str], node: NodePage
) -> None:
    table, encuentro = signed
    answer = table.app.test_client().get(f"/encuentro/{encuentro}/fichero")
    assert "attachment" in answer.headers["Content-Disposition"]
    assert checked(node, answer.text, "file:///tmp/p.html")["verdict"] == "unaltered"
    links = Html(answer.text).values("a", "href")
    assert f"http://localhost/mesa/{encuentro}" in links
    assert not [one for one in links if one and one.startswith("/encuentro/")]


def test_the_code_of_an_acta_opens_the_door_and_is_compared_there(
    signed: tuple[HttpTable, str], node: NodePage
) -> None:
    table, encuentro = signed
    text = table.get(f"/api/v1/encuentros/{encuentro}/acta").json["proof"]["text"]
    address = f"http://localhost/encuentro/{encuentro}#resguardo={quote(text)}"
    assert str(qr_inline(address, omitsize=True)) in table.get(f"/e/{encuentro}/acta").text
    assert read_resguardo(address) == read_resguardo(text)
    page = door_of(table, encuentro)
    assert ES["verifier.papers"] in checked(node, page, address)["steps"]
    count = text.split(" ")[6]
    other = text.replace(f" {count} ", f" {int(count) - 1} ")
    wrong = checked(node, page, f"http://localhost/encuentro/{encuentro}#resguardo={quote(other)}")
    assert wrong["verdict"] == "altered"


def test_a_ruling_is_told_with_its_ground_and_how_long_it_can_be_appealed(table: HttpTable) -> None:
    partida = disputed(table)
    encuentro = partida.split("/")[4]
    case = dispute(table, partida, lines=[4])
    confirmed(table, f"{case}/ruling", ruling(verdict=verdict(side="A")))
    table.get(case)
    for lang in LANGUAGES:
        words = texts_of_language(lang)
        page = Html(door_of(table, encuentro, **{"Accept-Language": lang}))
        assert page.values("html", "lang") == [lang]
        assert words["door.replay"] in page.text("section[id=p1]")
        (told,) = page.texts(".case")
        assert words["acta.until"].split("{")[0] in told
        assert "Está visto." in page.text("section[id=p1]"), "the reason that the arbiter gave"
