"""Rules of the club at their pages: made with few taps, chosen for an evening, a season, a tournament."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Browser
from playwright.sync_api import expect as expect_in_browser

from tests.support.browser.kept_pages import kept_page, no_violations_in_any_scheme
from tests.support.browser.pages import PHONE, TABLET, address, no_violations_in_any_language
from tests.support.outbox import Club
from tests.support.page_in_node import Found, PageInNode, expect, page_in_node
from tests.support.read_pages import HEAVIEST_PAGE, Reader
from tests.support.servers.served import Served

NAMES = "Ana\nBlas\nCelia\nDiego"
MOST_TAPS = 6
"""To make rules: the button, how long an encuentro is, the malas, who sings the 101, the name, save."""


class Taps:
    """Taps on a page, counted."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, found: Found) -> None:
        self.count += 1
        found.click()


def press(page: PageInNode, name: str) -> None:
    page.get_by_role("button", name=name).click()


def answer(page: PageInNode, question: str, said: str) -> Found:
    """An answer to a question; the one of the rulebook says so after its words."""
    labels = page.locator("fieldset").filter(has_text=question).locator("label")
    texts = labels.all_inner_texts()
    found = [at for at, text in enumerate(texts) if re.match(rf"{said}(?: como |$)", text)]
    assert len(found) == 1, (said, texts)
    return labels.nth(found[0])


def made(page: PageInNode, name: str) -> Taps:
    """Rules of the club, made from the list of all rules."""
    page.goto("/reglas")
    tap = Taps()
    tap(page.get_by_role("link", name="Hacer normas propias"))
    tap(answer(page, "¿Cuánto dura un encuentro?", "1 coto de 3 partidas"))
    tap(answer(page, "¿Hay un mínimo de malas?", "30 malas"))
    tap(answer(page, "¿Quién puede cantar las 101?", "el que gana la baza"))
    tap(page.get_by_label("¿Cómo se llaman?"))
    page.get_by_label("¿Cómo se llaman?").press_sequentially(name)
    tap(page.get_by_role("button", name="Guardar las normas"))
    expect(page.locator("h1")).to_have_text(name)
    return tap


def chosen(page: PageInNode, field: str) -> str:
    """What a choice of rules has selected, as it is read."""
    return str(page.evaluate("(css) => document.querySelector(css).selectedOptions[0].text", field))


def profile_of_first_table(served: Served, page: PageInNode) -> tuple[str, Any]:
    """The encuentro of the only table of the evening that a page shows, and its frozen profile."""
    club, session = Club(served), page.url.partition("?")[0].rpartition("/")[2]
    encuentro = club.ask("GET", f"/api/v1/sessions/{session}")["encuentros"][0]["id"]
    return encuentro, club.ask("GET", f"/api/v1/encuentros/{encuentro}")["profile"]


def test_rules_are_made_with_few_taps_chosen_everywhere_and_frozen(served: Served) -> None:
    with page_in_node(served, "/reglas", signed_in=True) as page:
        tap = made(page, "Normas de la Peña")
        assert tap.count <= MOST_TAPS
        rules = page.url.partition("?")[0]
        expect(page.locator("main")).to_contain_text("1 coto de 3 partidas")
        changed = page.locator("main > .options strong").all_inner_texts()
        assert changed == ["30", "el que gana la baza", "1 coto de 3 partidas"]
        expect(page.locator("ul.beside li")).to_have_count(6)

        page.goto("/temporadas/")
        assert chosen(page, "#rules") == "Normas de la Peña"
        page.fill("#name", "Liga")
        press(page, "Abrir la temporada")
        expect(page.locator("h1")).to_have_text("Liga")

        page.goto("/jornadas/nueva")
        assert chosen(page, "#profile") == "Las de la temporada"
        page.fill("#names-persons", NAMES)
        press(page, "Sortear mesas")
        press(page, "Empezar a jugar")
        expect(page.locator(".lead").first).to_contain_text("Normas de la Peña")
        encuentro, before = profile_of_first_table(served, page)
        assert before["options"]["min_malas"] == 30
        assert before["options"]["cotos_to_win"] == 1

        page.goto("/torneos/nuevo")
        assert chosen(page, "#profile") == "Normas de la Peña"
        page.goto(f"{rules}/cambiar")
        answer(page, "¿Hay un mínimo de malas?", "no, sin mínimo").click()
        press(page, "Guardar las normas")
        expect(page.locator(".lead").first).to_contain_text("Versión 2")
        assert Club(served).ask("GET", f"/api/v1/encuentros/{encuentro}")["profile"] == before
        page.goto(f"/e/{encuentro}/reglas")
        expect(page.locator(".lead")).to_contain_text("Normas de la Peña · versión 1")


def test_contradictions_are_shown_at_their_questions_without_a_script(served: Served) -> None:
    form = Reader(served, signed_in=True).page("/reglas/nuevas")
    assert form.values("script", "src") == ["/static/html/menu.js"]
    with page_in_node(served, "/reglas/nuevas", signed_in=True) as page:
        page.get_by_label("¿Cómo se llaman?").fill("Imposibles")
        answer(page, "¿Se cambia el siete por la pinta?", "no").click()
        answer(page, "¿Se cambia el dos por el siete?", "sí").click()
        press(page, "Guardar las normas")
        expect(page.locator("#q-two_for_seven .wrong")).to_contain_text("tampoco el dos")
        expect(page.get_by_label("¿Cómo se llaman?")).to_have_value("Imposibles")
        assert page.status == 422


def test_a_number_is_visible_only_beside_the_answer_that_needs_it(
    browser: Browser, served: Served
) -> None:
    with kept_page(browser, served, "/reglas/nuevas", signed_in=True, **PHONE) as page:

        def choose(question: str, said: str) -> None:
            asked = page.get_by_role("group", name=question)
            asked.get_by_role("radio", name=re.compile(rf"^{said}(?: como |$)")).click()

        expect_in_browser(page.locator("#length-cotos")).to_be_hidden()
        choose("¿Cuánto dura un encuentro?", "otros cotos")
        expect_in_browser(page.locator("#length-cotos")).to_be_visible()
        expect_in_browser(page.locator("#length-fixed")).to_be_hidden()
        choose("¿Hay un mínimo de malas?", "otro número")
        expect_in_browser(page.get_by_label("¿Cuántas?")).to_be_visible()


def test_the_pages_of_the_clubs_rules_fit_with_contrast(browser: Browser, served: Served) -> None:
    body = {"name": "Otras", "base": "sin-mazo", "base_edition": "2026-1"}
    rules = Club(served).ask("POST", "/api/v1/club/rules", body)["rules"]
    paths = ("/reglas", f"/reglas/{rules}", f"/reglas/nuevas?de={rules}", "/reglas/escuela")
    with kept_page(browser, served, "/reglas", signed_in=True, **PHONE) as page:
        for path in paths:
            page.goto(address(served, path))
            for more in page.locator("details").all():
                more.evaluate("one => { one.open = true }")
            for screen, are_sound in (
                (TABLET, no_violations_in_any_language),
                (PHONE, no_violations_in_any_scheme),
            ):
                page.set_viewport_size(screen["viewport"])
                are_sound(page)
                width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                assert width <= 0, (path, screen)


def test_the_form_is_light(served: Served) -> None:
    assert Reader(served, signed_in=True).weight("/reglas/nuevas") < HEAVIEST_PAGE
