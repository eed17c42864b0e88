"""Evenings from the opened house to the closed evening, counted in taps; names are dragged in a browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page
from playwright.sync_api import expect as expect_in_browser

from tests.support.browser.pages import PHONE, TABLET, address, no_violations, site, visiting
from tests.support.page_in_node import Found, PageInNode, expect, page_in_node
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


class Hand:
    """A person at a page who counts: taps (presses, choices, fields that are touched) and typed signs."""

    def __init__(self, page: PageInNode) -> None:
        self.page = page
        self.taps = self.signs = 0

    def tap(self, target: Found) -> None:
        """One tap on something that can be seen."""
        target.click()
        self.taps += 1

    def press(self, name: str) -> None:
        """A tap on the button of this name."""
        self.tap(self.page.get_by_role("button", name=name))

    def follow(self, name: str) -> None:
        """A tap on the link of this name."""
        self.tap(self.page.get_by_role("link", name=name))

    def unfold(self, text: str) -> None:
        """A tap on the line that a part is folded under."""
        self.tap(self.page.locator("summary").filter(has_text=text))

    def write(self, label: str, text: str) -> None:
        """A field touched, and a text in it: typed or pasted."""
        self.tap(self.page.get_by_label(label))
        self.page.get_by_label(label).fill(text)
        self.signs += len(text)


def results(hand: Hand) -> None:
    """A final score for each table, by its button."""
    for number in range(4):
        card = hand.page.locator(".playing li").nth(number)
        hand.tap(card.get_by_role("button").first)
        expect(hand.page.locator(".playing li .tag.official")).to_have_count(number + 1)


def closed(hand: Hand) -> None:
    hand.unfold("Cerrar la jornada")
    expect(hand.page.locator(".closing")).to_contain_text("Todas las mesas tienen resultado.")
    hand.press("Sí, cerrar")
    expect(hand.page.locator(".lead").first).to_contain_text("cerrada")


def played(hand: Hand) -> None:
    """Tables that were drawn play, have their results, and the evening is closed."""
    expect(hand.page.locator(".drawn .playing li")).to_have_count(4)
    hand.press("Empezar a jugar")
    expect(hand.page.locator(".playing li")).to_have_count(4)
    results(hand)
    closed(hand)


def named(page: PageInNode | Page, pairs: tuple[str, ...]) -> None:
    """Only these pairs are here."""
    page.get_by_label("Parejas fijas").check()
    page.locator("#names-pairs").fill("\n".join(pairs))
    for box in page.locator(".of-pairs .chip input:checked").all()[::-1]:
        box.uncheck()


def test_a_first_evening_of_eight_pairs_and_the_next_one_take_few_taps(empty: Served) -> None:
    with page_in_node(empty, "/", signed_in=True) as page:
        hand = Hand(page)
        hand.follow("Jornadas")
        hand.follow("Abrir la primera jornada")
        hand.tap(page.get_by_label("Parejas fijas"))
        hand.write("Lugar", "Casa Joan")
        hand.write(NAMES, "\n".join(PAIRS))
        expect(page.locator(".of-pairs .count")).to_have_text("8 parejas · 4 mesas")
        hand.press("Sortear mesas")
        played(hand)
        assert hand.taps <= MOST_FIRST, hand.taps
        page.goto("/")
        again = Hand(page)
        again.follow("Jornadas")
        again.tap(page.locator("a.main"))
        expect(page.locator(".of-pairs .count")).to_have_text("8 parejas · 4 mesas")
        expect(page.locator("summary").filter(has_text="Casa Joan")).to_be_visible()
        again.press("Sortear mesas")
        played(again)
        assert (again.taps <= MOST_LATER, again.signs) == (True, 0), again.taps


def test_who_is_here_is_sought_and_counted(empty: Served) -> None:
    """Who is ticked stays to be seen; tables can be drawn once there is a table."""
    with page_in_node(empty, "/jornadas/nueva", signed_in=True) as page:
        named(page, PAIRS[:1])
        draw = page.get_by_role("button", name="Sortear mesas")
        expect(page.locator(".of-pairs .count")).to_have_text("1 pareja · falta 1 para una mesa")
        expect(draw).to_be_disabled()
        page.fill("#names-pairs", "\n".join(PAIRS[:3]))
        expect(page.locator(".of-pairs .count")).to_have_text("3 parejas · 1 mesa · descansa 1")
        expect(draw).to_be_enabled()
        page.fill("#names-pairs", "\n".join(PAIRS))
        assert page.locator("#names-pairs").get_attribute("rows") == "9"
        draw.click()
        page.goto("/jornadas/nueva")
        page.get_by_label("Jugadores:").check()
        chips = page.locator(".of-persons label.chip")
        chips.filter(has_text="Raúl Mur").locator("input").check()
        page.fill("#q-persons", "inigo")
        seen = [one.inner_text() for one in chips.all() if one.is_visible()]
        assert seen == ["Íñigo Ros", "Raúl Mur"]


def test_pairs_are_seated_by_two_taps_each_by_the_keyboard_and_by_dragging(
    browser: Browser, empty: Served
) -> None:
    with visiting(browser, empty, "/jornadas/nueva", signed_in=True, **TABLET) as page:
        named(page, PAIRS[:4])
        page.get_by_role("button", name="Abrir sin sortear", exact=True).click()
        page.locator("summary", has_text="Otras formas").click()
        board = page.locator("[data-board]")
        board.locator(".name").first.click()
        board.get_by_label("Mesa 1, pareja A: sitio libre").click()
        board.locator(".name").first.press("Enter")
        expect_in_browser(board.get_by_label("Mesa 1, pareja B: sitio libre")).to_be_focused()
        page.keyboard.press("Enter")
        no_violations(page)
        is_dropped_beside_the_tables(page)
        board.locator(".name").first.drag_to(board.get_by_label("Mesa 2, pareja B: sitio libre"))
        expect_in_browser(board.locator(".seat.full")).to_have_count(3)
        board.get_by_label("Mesa 2, pareja B").click()
        expect_in_browser(board.locator(".seat.full")).to_have_count(2)
        page.get_by_role("button", name="Poner estas mesas", exact=True).click()
        expect_in_browser(page.locator(".drawn .playing li")).to_have_count(1)
        expect_in_browser(page.locator(".resting")).to_contain_text("Descansa esta vez:")
        page.locator("summary", has_text="Quién ha venido").click()
        page.locator(".chip input:checked").first.uncheck()
        page.get_by_role("button", name="Guardar quién está", exact=True).click()
        expect_in_browser(page.locator(".notice")).to_contain_text("se ha ido.")
        no_violations(page)
        page.get_by_role("button", name="Deshacer", exact=True).click()
        expect_in_browser(page.locator(".notice")).to_have_count(0)


def is_dropped_beside_the_tables(page: Page) -> None:
    """A name that is dropped beside the tables is where it was, and follows the pointer no longer."""
    name = page.locator("[data-board] .name").first
    box = name.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 30, steps=3)
    expect_in_browser(name).to_have_class("name dragged")
    page.mouse.up()
    page.mouse.move(x + 40, y - 60, steps=3)
    expect_in_browser(name).to_have_class("name")
    assert name.evaluate("(one) => one.style.transform") == ""
    expect_in_browser(page.locator("[data-board] .seat.full")).to_have_count(2)
    if name.get_attribute("aria-pressed") == "true":
        name.click()


def test_a_season_gets_every_thursday_but_two_and_one_wednesday(empty: Served) -> None:
    with page_in_node(empty, "/temporadas/", signed_in=True) as page:
        hand = Hand(page)
        page.fill("#name", "Liga de los jueves")
        page.fill("#since", "2026-10-01")
        page.fill("#until", "2027-06-30")
        hand.press("Abrir la temporada")
        hand.unfold("Calendario")
        page.select_option("#weekday", "Todos los jueves")
        hand.press("Ver los días")
        expect(page.locator("[type=checkbox]:checked")).to_have_count(39)
        for day in ("2026-12-24", "2026-12-31"):
            hand.tap(page.locator(f'[name="day"][value="{day}"]'))
        page.fill("#more", "2026-12-23")
        hand.press("Guardar calendario")
        expect(page.locator("summary").filter(has_text="Todos los días (38)")).to_be_visible()
        hand.follow("Cambiar el calendario")
        expect(page.get_by_label("mié 23")).to_be_checked()
        expect(page.get_by_label("jue 24").first).not_to_be_checked()
        assert hand.taps == 7


def is_for_a_phone(page: Page, what: str) -> None:
    no_violations(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), what


def test_evenings_and_calendars_fit_a_phone_with_contrast_in_the_dark(
    browser: Browser, empty: Served
) -> None:
    with page_in_node(empty, "/jornadas/nueva", signed_in=True) as at_table:
        named(at_table, PAIRS)
        at_table.get_by_role("button", name="Sortear mesas").click()
        played(Hand(at_table))
        over = at_table.url.partition(f":{empty.port}")[2]
    dark = {"color_scheme": "dark", **PHONE}
    with visiting(browser, empty, "/jornadas/nueva", signed_in=True, **dark) as page:
        is_for_a_phone(page, "a new evening")
        named(page, PAIRS)
        is_for_a_phone(page, "a new evening with its pairs")
        page.get_by_role("button", name="Sortear mesas", exact=True).click()
        expect_in_browser(page.locator(".drawn .playing li")).to_have_count(4)
        is_for_a_phone(page, "an evening whose tables are drawn")
        for path in (over, "/jornadas/"):
            page.goto(address(empty, path))
            is_for_a_phone(page, path)
        page.goto(address(empty, "/temporadas/"))
        page.fill("#name", "Liga de los miércoles")
        page.fill("#since", "2026-10-01")
        page.fill("#until", "2027-06-30")
        page.get_by_role("button", name="Abrir la temporada", exact=True).click()
        page.locator("summary", has_text="Calendario").click()
        is_for_a_phone(page, "a season without a calendar")
        page.select_option("#weekday", label="Todos los miércoles")
        page.get_by_role("button", name="Ver los días", exact=True).click()
        expect_in_browser(page.get_by_role("checkbox", checked=True).first).to_be_visible()
        is_for_a_phone(page, "the days of a calendar")
        page.get_by_role("button", name="Guardar calendario", exact=True).click()
        expect_in_browser(page.locator("summary", has_text="Todos los días")).to_be_visible()
        is_for_a_phone(page, "a season with a calendar")
