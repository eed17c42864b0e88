"""Rules of the club in a browser: made with few taps, chosen for an evening, a season, a tournament."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser.kept_pages import kept_page, no_violations_in_any_scheme
from tests.support.browser.pages import HEAVIEST_PAGE, PHONE, TABLET, address, weight
from tests.support.browser.tablets import Club
from tests.support.servers.served import Served

NAMES = "Ana\nBlas\nCelia\nDiego"
MOST_TAPS = 6
"""To make rules: the button, how long an encuentro is, the malas, who sings the 101, the name, save."""


class Taps:
    """Taps on a page, counted."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def __call__(self, found: Any) -> None:
        self.count += 1
        found.click()


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def answer(page: Page, question: str, said: str) -> Any:
    """An answer to a question; the one of the rulebook says so after its words."""
    asked = page.get_by_role("group", name=question)
    return asked.get_by_role("radio", name=re.compile(rf"^{said}(?: como |$)"))


def made(page: Page, served: Served, name: str) -> Taps:
    """Rules of the club, made from the list of all rules."""
    page.goto(address(served, "/reglas"))
    tap = Taps(page)
    tap(page.get_by_role("link", name="Hacer normas propias"))
    tap(answer(page, "¿Cuánto dura un encuentro?", "1 coto de 3 partidas"))
    tap(answer(page, "¿Hay un mínimo de malas?", "30 malas"))
    tap(answer(page, "¿Quién puede cantar las 101?", "el que gana la baza"))
    tap(page.get_by_label("¿Cómo se llaman?"))
    page.keyboard.type(name)
    tap(page.get_by_role("button", name="Guardar las normas"))
    expect(page.locator("h1")).to_have_text(name)
    return tap


def chosen(page: Page, field: str) -> str:
    """What a choice of rules has selected, as it is read."""
    return str(page.locator(f"{field} option:checked").inner_text())


def profile_of_first_table(served: Served, page: Page) -> tuple[str, Any]:
    """The encuentro of the only table of the evening that a page shows, and its frozen profile."""
    club, session = Club(served), page.url.partition("?")[0].rpartition("/")[2]
    encuentro = club.ask("GET", f"/api/v1/sessions/{session}")["encuentros"][0]["id"]
    return encuentro, club.ask("GET", f"/api/v1/encuentros/{encuentro}")["profile"]


def test_rules_are_made_with_few_taps_chosen_everywhere_and_frozen(
    browser: Browser, served: Served
) -> None:
    with kept_page(browser, served, "/reglas", signed_in=True, **PHONE) as page:
        tap = made(page, served, "Normas de la Peña")
        assert tap.count <= MOST_TAPS
        rules = page.url.partition("?")[0]
        expect(page.locator("main")).to_contain_text("1 coto de 3 partidas")
        expect(page.locator("main > .options strong")).to_have_text(
            ["30", "el que gana la baza", "1 coto de 3 partidas"]
        )
        expect(page.locator("ul.beside li")).to_have_count(6)

        page.goto(address(served, "/temporadas/"))
        assert chosen(page, "#rules") == "Normas de la Peña"
        page.fill("#name", "Liga")
        press(page, "Abrir la temporada")
        expect(page.locator("h1")).to_have_text("Liga")

        page.goto(address(served, "/jornadas/nueva"))
        assert chosen(page, "#profile") == "Normas de la Peña"
        page.locator("#names-persons").fill(NAMES)
        press(page, "Sortear mesas")
        press(page, "Empezar a jugar")
        expect(page.locator(".lead").first).to_contain_text("Normas de la Peña")
        encuentro, before = profile_of_first_table(served, page)
        assert before["options"]["min_malas"] == 30
        assert before["options"]["cotos_to_win"] == 1

        page.goto(address(served, "/torneos/nuevo"))
        assert chosen(page, "#profile") == "Normas de la Peña"
        page.goto(f"{rules}/cambiar")
        answer(page, "¿Hay un mínimo de malas?", "no, sin mínimo").click()
        press(page, "Guardar las normas")
        expect(page.locator(".lead").first).to_contain_text("Versión 2")
        assert Club(served).ask("GET", f"/api/v1/encuentros/{encuentro}")["profile"] == before
        page.goto(address(served, f"/e/{encuentro}/reglas"))
        expect(page.locator(".lead")).to_contain_text("Normas de la Peña · versión 1")


def test_a_number_is_asked_only_beside_the_answer_that_needs_it(
    browser: Browser, served: Served
) -> None:
    with kept_page(browser, served, "/reglas/nuevas", signed_in=True, **PHONE) as page:
        expect(page.locator("#length-cotos")).to_be_hidden()
        answer(page, "¿Cuánto dura un encuentro?", "otros cotos").click()
        expect(page.locator("#length-cotos")).to_be_visible()
        expect(page.locator("#length-fixed")).to_be_hidden()
        answer(page, "¿Hay un mínimo de malas?", "otro número").click()
        expect(page.get_by_label("¿Cuántas?")).to_be_visible()


def test_contradictions_are_shown_at_their_questions_without_a_script(
    browser: Browser, served: Served
) -> None:
    settings = {**TABLET, "java_script_enabled": False}
    with kept_page(
        browser, served, "/reglas/nuevas", signed_in=True, refusals=1, **settings
    ) as page:
        page.get_by_label("¿Cómo se llaman?").fill("Imposibles")
        answer(page, "¿Se cambia el siete por la pinta?", "no").check()
        answer(page, "¿Se cambia el dos por el siete?", "sí").check()
        press(page, "Guardar las normas")
        expect(page.locator("#q-two_for_seven .wrong")).to_contain_text("tampoco el dos")
        expect(page.get_by_label("¿Cómo se llaman?")).to_have_value("Imposibles")


@pytest.mark.parametrize("screen", [PHONE, TABLET], ids=["phone", "tablet"])
def test_the_pages_of_the_clubs_rules_are_for_everybody(
    browser: Browser, served: Served, screen: dict[str, Any]
) -> None:
    body = {
        "name": f"Otras {screen['viewport']['width']}",
        "base": "sin-mazo",
        "base_edition": "2026-1",
    }
    rules = Club(served).ask("POST", "/api/v1/club/rules", body)["rules"]
    with kept_page(browser, served, "/reglas", signed_in=True, **screen) as page:
        for path in (
            "/reglas",
            f"/reglas/{rules}",
            f"/reglas/nuevas?de={rules}",
            "/reglas/escuela",
        ):
            page.goto(address(served, path))
            for more in page.locator("details").all():
                more.evaluate("one => { one.open = true }")
            no_violations_in_any_scheme(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_the_form_is_light(browser: Browser, served: Served) -> None:
    assert weight(browser, served, "/reglas/nuevas", signed_in=True) < HEAVIEST_PAGE
