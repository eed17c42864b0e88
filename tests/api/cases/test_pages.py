"""Pages of cases: content of a case, and forms that do the same as the API."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from api.http.languages import say
from tests.api.cases.test_cases import dispute, of
from tests.api.encuentros.test_pages import Outline
from tests.support.browser.kept_pages import kept_page
from tests.support.browser.pages import (
    PHONE,
    READ,
    TABLET,
    no_violations,
    no_violations_in_any_language,
)
from tests.support.outbox import ENCUENTROS, OPENED, Club, played
from tests.support.page_in_node import page_in_node
from tests.support.servers.http_table import HttpTable, card, deal, pinta
from tests.support.servers.kept_apps import kept_table
from tests.support.servers.served import Served

REASON = "No asistió, y lo vimos todos."


class Desk:
    """The pages of the cases of one encuentro, in a browser that signed in."""

    def __init__(self, table: HttpTable) -> None:
        self.table = table
        self.partida = table.partida()
        table.record(self.partida, 0, deal(), pinta(), card("A1", "AC"), card("B1", "3C"))
        self.api = of(self.partida)
        self.cases = f"/e/{self.api.rpartition('/')[2]}/c"
        self.case = f"{self.cases}/1"
        table.get(self.partida)
        table.client.post("/entrar", data={"token": table.token})

    def text(self, path: str, lang: str = "es") -> str:
        """A page, which must be valid and have no script."""
        answer = self.table.client.get(path, headers={"Accept-Language": lang})
        assert answer.status_code == 200, answer.text
        assert Outline(answer.text).wrong == []
        return str(answer.text)

    def form(self, page: str, action: str) -> dict[str, str]:
        """Initial values of a form of a page."""
        form = re.search(rf'<form method="post" action="{action}">(.*?)</form>', page, re.DOTALL)
        assert form, action
        hidden = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form[1])
        return dict(hidden)

    def send(self, action: str, page: str = "", **typed: Any) -> Any:
        """A form of a page, filled in and sent; the answer, or the page that it leads to."""
        path = page or (self.cases if action == self.cases else self.case)
        data = {**self.form(self.text(path), action), **typed}
        return self.follow(self.post(action, data))

    def post(self, action: str, data: dict[str, Any]) -> Any:
        """Send a form as a browser does from a page of this site."""
        ours = {"Sec-Fetch-Site": "same-origin", "Accept-Language": "es"}
        return self.table.client.post(action, data=data, headers=ours)

    def follow(self, answer: Any) -> Any:
        if answer.status_code != 303:
            return answer
        return self.table.client.get(answer.headers["Location"], headers={"Accept-Language": "es"})

    def confirm(self, preview: Any, action: str) -> Any:
        """The preview is confirmed as its page says."""
        form = re.search(r'<form method="post">(.*?)</form>', preview.text, re.DOTALL)
        assert form
        data = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form[1]))
        return self.follow(self.post(action, data))

    def open(self, **more: str) -> Any:
        asked = {"by": "Ana", "side": "A", "partida": "1", "lines": "4, 3", "because": REASON}
        return self.send(self.cases, **{**asked, **more})

    def view(self) -> dict[str, Any]:
        return dict(self.table.get(f"{self.api}/cases/1").json)


RULING = {
    "by": "Julia Juez",
    "effect": "partida",
    "side": "A",
    "ground": "article",
    "option": "overtrump",
    "because": "Está visto.",
    "appeal_minutes": "30",
}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with kept_table(tmp_path) as table:
        yield Desk(table)


def test_a_case_from_its_opening_to_its_last_word(desk: Desk) -> None:
    page = desk.open(suspends="yes").text
    assert REASON in page
    assert page.count('class="card C"') == 2  # both acts are there as cards
    assert desk.view()["lines"] == [4, 3]
    assert desk.table.get(desk.partida).json["suspended"]
    page = desk.send(f"{desk.case}/pruebas", by="Mirón", side="", lines="3", note="Lo vi.").text
    assert "Lo vi." in page
    seen = desk.send(f"{desk.case}/resolucion", **RULING)
    assert "Partida: sin decidir → ganan Ana y Celia, por decisión del árbitro" in seen.text
    assert desk.view()["stage"] == "open"  # it was only a preview
    page = desk.confirm(seen, f"{desk.case}/resolucion").text
    view = desk.view()
    assert (view["stage"], view["ruled"]["verdict"]["effect"]) == ("ruled", "partida")
    assert say("option.overtrump", "es") in page
    assert "Se puede apelar hasta el" in page
    assert desk.table.get(desk.partida).json["decided"]["winner"] == "A"
    page = desk.send(f"{desk.case}/apelacion", by="Blas", side="B", because="No es cierto.").text
    assert "No es cierto." in page
    decision = {"by": "Óscar", "because": "No está probado.", "upheld": "no", "effect": "warning"}
    more = {"side": "B", "ground": "sovereign"}
    seen = desk.send(f"{desk.case}/decision", **decision, **more)
    assert "por decisión del árbitro → sin decidir" in seen.text
    page = desk.confirm(seen, f"{desk.case}/decision").text
    assert "Aviso para Blas y Diego." in page
    assert desk.table.get(desk.partida).json["decided"] is None
    page = desk.send(f"{desk.case}/cierre", by="Óscar").text
    assert desk.view()["stage"] == "closed"
    assert "<form method=" not in page.partition('<main id="main">')[2]
    assert "Avisos" in page


def test_an_appeal_is_upheld_from_its_page(desk: Desk) -> None:
    desk.open()
    desk.confirm(desk.send(f"{desk.case}/resolucion", **RULING), f"{desk.case}/resolucion")
    desk.send(f"{desk.case}/apelacion", by="Blas", side="B", because="No es cierto.")
    asked = {"by": "Óscar", "because": "Sí.", "upheld": "yes", "effect": "none"}
    seen = desk.send(f"{desk.case}/decision", **asked, ground="sovereign")
    assert "No cambia nada." in seen.text
    page = desk.confirm(seen, f"{desk.case}/decision").text
    assert say("acta.upheld", "es") in page
    assert desk.view()["decided"]["verdict"] is None


def test_who_ruled_cannot_decide_the_appeal(desk: Desk) -> None:
    desk.open()
    desk.confirm(desk.send(f"{desk.case}/resolucion", **RULING), f"{desk.case}/resolucion")
    desk.send(f"{desk.case}/apelacion", by="Blas", side="B", because="No es cierto.")
    asked = {"by": "julia juez", "because": "Sí.", "upheld": "yes"}
    wrong = desk.send(f"{desk.case}/decision", **asked)
    assert wrong.status_code == 409
    assert "Tiene que hacerlo otra persona." in wrong.text
    assert 'value="julia juez"' in wrong.text  # what was typed is still there
    assert desk.view()["stage"] == "appealed"


def test_a_form_sent_twice_is_done_once(desk: Desk) -> None:
    data = {**desk.form(desk.text(desk.cases), desk.cases), "by": "Ana", "side": "A"}
    data |= {"partida": "1", "lines": "3", "because": REASON}
    answers = [desk.post(desk.cases, data) for _ in range(2)]
    assert [one.headers["Location"].partition("?")[0] for one in answers] == [desk.case] * 2
    desk.follow(answers[1])
    assert len(desk.table.get(f"{desk.api}/cases").json["items"]) == 1


def test_what_was_previewed_at_another_version_is_not_recorded(desk: Desk) -> None:
    desk.open()
    seen = desk.send(f"{desk.case}/resolucion", **RULING)
    desk.table.record(desk.partida, 4, card("A2", "5C"))
    stale = desk.confirm(seen, f"{desk.case}/resolucion")
    assert stale.status_code == 412
    assert say("problem.stale.detail", "es") in stale.text
    assert desk.view()["stage"] == "open"


BAD = [
    ({"because": ""}, 422, "Motivo"),
    ({"partida": "x"}, 422, "Partida"),
    ({"lines": "3, z"}, 422, "Cartas"),
    ({"lines": "99"}, 409, "No hay nada apuntado con el n.º 99."),
    ({"by": ""}, 422, "Quién"),
    ({"side": "Z"}, 422, "Quiénes"),
]


@pytest.mark.parametrize(("more", "status", "words"), BAD)
def test_an_invalid_case_is_reported_beside_what_was_typed(
    desk: Desk, more: dict[str, str], status: int, words: str
) -> None:
    answer = desk.open(**more)
    assert answer.status_code == status
    wrong = re.search(r'<div class="wrong".*?</div>', answer.text, re.DOTALL)
    assert wrong
    assert words in wrong[0]
    assert desk.table.get(f"{desk.api}/cases").json["items"] == []
    assert more.get("because", REASON) in answer.text


def test_a_stranger_sees_nothing_and_does_nothing(desk: Desk) -> None:
    desk.open()
    stranger = desk.table.app.test_client()
    for path in (desk.cases, desk.case):
        answer = stranger.get(path)
        assert (answer.status_code, REASON in answer.text) == (302, False)
        assert "/entrar?next=" in answer.headers["Location"]
    for path in (desk.cases, f"{desk.case}/resolucion", f"{desk.case}/cierre"):
        assert stranger.post(path, data={"by": "Ana"}).status_code == 401
    other = desk.table.client.post(
        f"{desk.case}/cierre", data={"by": "Ana"}, headers={"Sec-Fetch-Site": "cross-site"}
    )
    assert other.status_code == 403
    assert desk.view()["stage"] == "open"


def test_it_is_reached_from_the_encuentro(desk: Desk) -> None:
    desk.open()
    text = desk.text(desk.cases.removesuffix("/c"))
    assert f'href="{desk.case}"' in text
    assert f'href="{desk.cases}"' in text
    assert f'href="{desk.case}/acta"' in desk.text(desk.case)
    assert desk.table.client.get(f"{desk.cases}/2").status_code == 404


def begun(club: Club) -> str:
    """Id of an encuentro with some acts, once the views have them."""
    encuentro = club.encuentro()
    path, acts = f"{ENCUENTROS}/{encuentro}", [*OPENED, *played("A1 2C", "B1 2E")]
    position = club.ask("POST", f"{path}/partidas/1/acts", {"acts": acts}, 0)["position"]
    club.ask("GET", f"{path}?wait={position}")
    return encuentro


@pytest.mark.parametrize("lang", READ)
def test_a_case_that_is_read_and_ruled_has_contrast_and_can_be_printed(
    browser: Browser, served: Served, lang: str
) -> None:
    club = Club(served)
    encuentro = begun(club)
    look_at = no_violations_in_any_language if lang == "fr" else no_violations
    page_of = {"ca": {**TABLET, "color_scheme": "dark"}, "en": PHONE}.get(lang, TABLET)
    where = f"/e/{encuentro}/c?lang={lang}&partida=1&lineas=3,4"
    with kept_page(browser, served, where, signed_in=True, **page_of) as page:
        look_at(page)
        page.fill("#open-because", REASON)
        page.locator("form[action$='/c'] button[value=A1]").click()
        expect(page.locator(".acts li")).to_have_count(2)
        look_at(page)
        page.fill("#rule-by", "Julia")
        page.select_option("#rule-ground", "sovereign")
        page.fill("#rule-because", "Visto.")
        page.locator("form[action$='/resolucion'] button[value='partida:A']").click()
        expect(page.locator("#preview")).to_be_visible()
        look_at(page)
        page.locator("section[aria-labelledby=preview] button").click()
        expect(page.locator(".deadline")).to_be_visible()
        look_at(page)
        assert not re.search(
            r"\b(case|acta|page|replay)\.[a-z_]+", page.locator("main").inner_text()
        )
        page.emulate_media(media="print")
        expect(page.locator("form[action$='/apelacion']")).to_be_hidden()
        expect(page.locator(".said").first).to_be_visible()
    found = club.ask("GET", f"{ENCUENTROS}/{encuentro}/cases/1")
    assert (found["stage"], found["verdict"]["side"]) == ("ruled", "A")


def test_the_replay_leads_to_the_case(served: Served) -> None:
    club = Club(served)
    encuentro = begun(club)
    body = {"by": {"name": "Ana"}, "partida": 1, "lines": [4], "because": REASON}
    version = club.ask("GET", f"{ENCUENTROS}/{encuentro}/entries")["version"]
    club.ask("POST", f"{ENCUENTROS}/{encuentro}/cases", body, version)
    club.ask("GET", f"{ENCUENTROS}/{encuentro}/cases/1")  # the replay finds the case in the views
    with page_in_node(served, f"/repeticion/{encuentro}/1?linea=4", signed_in=True) as page:
        page.locator(".beside .ruled a").click()
        assert "Caso 1" in page.locator("h1").inner_text()


def test_the_api_and_the_page_tell_the_same_case(desk: Desk) -> None:
    address = dispute(desk.table, desk.partida)
    desk.table.get(address)
    page = desk.text(desk.case)
    assert "No asistió." in page
