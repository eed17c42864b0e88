"""Evenings from the opened house to the closed evening, counted in taps."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser.pages import PHONE, TABLET, no_violations, site, visiting
from tests.support.browser.taps import CountedPage
from tests.support.servers.served import Served

PAIRS = (
    "Los Reyes: Ana Gil y Luis Pardo",
    "Eva Sanz y Raúl Mur",
    "Marta Bel y Íñigo Ros",
    "Pilar Abad y Juan Laín",
    "Carmen Oto y Félix Gay",
    "Sara Royo y Tomás Vera",
    "Nuria Clos y Hugo Saz",
    "Irene Pina y Óscar Til",
)
MOST_FIRST, MOST_LATER = 40, 26
"""Most taps of a first evening with eight pairs, and of a later one."""
NAMES = "¿Falta alguna pareja?"


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with site(tmp_path_factory.mktemp("empty house")) as served:
        yield served


def results(hand: CountedPage) -> None:
    """A final score for each table, by its button."""
    for number in range(4):
        card = hand.page.locator(".playing li").nth(number)
        hand.tap(card.get_by_role("button").first)
        expect(card.locator(".tag.official")).to_be_visible()


def closed(hand: CountedPage) -> None:
    hand.tap(hand.page.locator("summary", has_text="Cerrar la jornada"))
    expect(hand.page.locator(".closing")).to_contain_text("Todas las mesas tienen resultado.")
    hand.press("Sí, cerrar")
    expect(hand.page.locator(".lead").first).to_contain_text("cerrada")


def played(hand: CountedPage) -> None:
    """Tables that were drawn play, have their results, and the evening is closed."""
    expect(hand.page.locator(".drawn .playing li")).to_have_count(4)
    hand.press("Empezar a jugar")
    expect(hand.page.locator(".playing li")).to_have_count(4)
    results(hand)
    closed(hand)


def test_a_first_evening_of_eight_pairs_and_the_next_one_take_few_taps(
    browser: Browser, empty: Served
) -> None:
    with visiting(browser, empty, "/", signed_in=True, **TABLET) as page:
        hand = CountedPage(page)
        hand.follow("Jornadas")
        hand.follow("Abrir la primera jornada")
        hand.tap(page.get_by_label("Parejas fijas"))
        hand.write("Lugar", "Casa Joan")
        hand.write(NAMES, "\n".join(PAIRS))
        expect(page.locator(".of-pairs .count")).to_have_text("8 parejas · 4 mesas")
        no_violations(page)
        hand.press("Sortear mesas")
        no_violations(page)
        played(hand)
        no_violations(page)
        assert hand.taps <= MOST_FIRST, hand.taps
        page.goto(page.url.partition("/jornadas")[0])
        again = CountedPage(page)
        again.follow("Jornadas")
        no_violations(page)
        again.tap(page.locator("a.main"))
        expect(page.locator(".of-pairs .count")).to_have_text("8 parejas · 4 mesas")
        expect(page.locator("summary", has_text="Casa Joan")).to_be_visible()
        again.press("Sortear mesas")
        played(again)
        assert (again.taps <= MOST_LATER, again.signs) == (True, 0), again.taps


def test_pairs_are_seated_by_two_taps_each_by_the_keyboard_and_by_dragging(
    browser: Browser, empty: Served
) -> None:
    with visiting(browser, empty, "/jornadas/nueva", signed_in=True, **TABLET) as page:
        hand = CountedPage(page)
        page.get_by_label("Parejas fijas").check()
        page.locator("#names-pairs").fill("\n".join(PAIRS[:4]))
        for box in page.locator(".of-pairs .chip input:checked").all():
            box.uncheck()
        hand.press("Abrir sin sortear")
        page.locator("summary", has_text="Otras formas").click()
        board = page.locator("[data-board]")
        hand.taps = 0
        hand.tap(board.locator(".name").first)
        hand.tap(board.get_by_label("Mesa 1, pareja A: sitio libre"))
        assert hand.taps == 2
        board.locator(".name").first.press("Enter")
        expect(board.get_by_label("Mesa 1, pareja B: sitio libre")).to_be_focused()
        page.keyboard.press("Enter")
        no_violations(page)
        board.locator(".name").first.drag_to(board.get_by_label("Mesa 2, pareja B: sitio libre"))
        expect(board.locator(".seat.full")).to_have_count(3)
        board.get_by_label("Mesa 2, pareja B").click()
        expect(board.locator(".seat.full")).to_have_count(2)
        hand.press("Poner estas mesas")
        expect(page.locator(".drawn .playing li")).to_have_count(1)
        expect(page.locator(".resting")).to_contain_text("Descansa esta vez:")
        page.locator("summary", has_text="Quién ha venido").click()
        page.locator(".chip input:checked").first.uncheck()
        hand.press("Guardar quién está")
        expect(page.locator(".notice")).to_contain_text("se ha ido.")
        no_violations(page)
        hand.press("Deshacer")
        expect(page.locator(".notice")).to_have_count(0)


def test_a_season_gets_every_thursday_but_two_and_one_wednesday_on_a_phone_in_the_dark(
    browser: Browser, empty: Served
) -> None:
    dark = {"color_scheme": "dark", **PHONE}
    with visiting(browser, empty, "/temporadas/", signed_in=True, **dark) as page:
        hand = CountedPage(page)
        page.fill("#name", "Liga de los jueves")
        page.fill("#since", "2026-10-01")
        page.fill("#until", "2027-06-30")
        hand.press("Abrir la temporada")
        hand.tap(page.locator("summary", has_text="Calendario"))
        no_violations(page)
        page.select_option("#weekday", label="Todos los jueves")
        hand.press("Ver los días")
        expect(page.get_by_role("checkbox", checked=True)).to_have_count(39)
        for day in ("2026-12-24", "2026-12-31"):
            hand.tap(page.locator(f'[name="day"][value="{day}"]'))
        page.fill("#more", "2026-12-23")
        no_violations(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        hand.press("Guardar calendario")
        expect(page.locator("summary", has_text="Todos los días (38)")).to_be_visible()
        no_violations(page)
        hand.follow("Cambiar el calendario")
        expect(page.get_by_label("mié 23")).to_be_checked()
        expect(page.get_by_label("jue 24").first).not_to_be_checked()
        assert hand.taps == 7


def test_the_pages_of_an_evening_fit_a_phone_in_the_dark(browser: Browser, empty: Served) -> None:
    with visiting(
        browser, empty, "/jornadas/nueva", signed_in=True, color_scheme="dark", **PHONE
    ) as page:
        for _ in range(2):
            no_violations(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            page.goto(page.url.partition("/nueva")[0])
