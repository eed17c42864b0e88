"""Results of an evening where the tables are: taps of the secretary, phones of the players."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page
from playwright.sync_api import expect as expect_in_browser

from tests.support.browser.evenings import evening
from tests.support.browser.kept_pages import kept_page, no_violations_in_any_scheme
from tests.support.browser.pages import PHONE, TABLET, no_violations, visiting
from tests.support.page_in_node import Found, PageInNode, expect, page_in_node
from tests.support.read_pages import Reader
from tests.support.servers.served import Served

TABLES = 8
UNDO_MS = 15_000
_HEIGHT = "one => one.getBoundingClientRect().height"


class Taps:
    """Counts what somebody taps."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self, what: Found) -> None:
        what.tap()
        self.made += 1


@pytest.fixture(scope="module")
def page(served: Served) -> Iterator[PageInNode]:
    """The page of the secretary."""
    with page_in_node(served) as found:
        yield found


@pytest.fixture(scope="module")
def phones(served: Served) -> Iterator[list[PageInNode]]:
    """Phones of two players of a table."""
    with page_in_node(served) as one, page_in_node(served) as other:
        yield [one, other]


def addresses(served: Served, path: str) -> list[str]:
    """Private addresses of the tables, as their cards say them."""
    cards = Reader(served, signed_in=True).page(f"{path.partition('?')[0]}/tarjetas")
    return [at[at.index("/m/") :] for at in cards.texts(".address")]


def score_of(card: Found, score: str) -> Found:
    """The button of a table that notes a score."""
    return card.get_by_role("button").filter(has_text=score)


def test_a_secretary_enters_eight_tables_with_eight_taps(page: PageInNode, served: Served) -> None:
    taps = Taps()
    page.visit(evening(served, TABLES), signed_in=True)
    cards = page.locator(".playing > li")
    expect(cards).to_have_count(TABLES)
    for place in range(TABLES):
        score = ("2–0", "2–1", "1–2", "0–2")[place % 4]
        taps(score_of(cards.nth(place), score))
        expect(page.locator(".tag.official")).to_have_count(place + 1)
    assert taps.made == TABLES
    expect(page.locator("form.undo").last).to_be_visible()


def test_an_evening_closed_too_early_opens_again_for_its_last_result(
    page: PageInNode, served: Served
) -> None:
    taps = Taps()
    page.visit(evening(served, 2), signed_in=True)
    cards, closing = page.locator(".playing > li"), page.locator(".closing")
    taps(score_of(cards.first, "2–0"))
    expect(page.locator(".tag.official")).to_have_count(1)
    taps(closing.locator("summary"))
    expect(closing).to_contain_text("Sin resultado: Mesa 2.")
    taps(closing.get_by_role("button", name="Cerrar de todos modos"))
    expect(page.locator(".lead").first).to_contain_text("cerrada")
    expect(closing).to_have_count(0)
    taps(page.get_by_role("button", name="Volver a abrir la jornada"))
    expect(closing).to_have_count(1)
    taps(score_of(cards.last, "1–2"))
    expect(page.locator(".tag.official")).to_have_count(2)
    taps(closing.locator("summary"))
    expect(closing).to_contain_text("Todas las mesas tienen resultado.")
    taps(closing.get_by_role("button", name="Sí, cerrar"))
    expect(page.locator(".lead").first).to_contain_text("cerrada")
    expect(page.locator(".tag.official")).to_have_count(2)
    assert taps.made == 7


def test_players_tell_and_confirm_and_the_secretary_taps_nothing(
    page: PageInNode, phones: list[PageInNode], served: Served
) -> None:
    path = evening(served, 2)
    page.visit(path, signed_in=True)
    expect(page.locator(".tag.open")).to_have_count(2)
    one, other = phones
    for at in addresses(served, path):
        one.visit(at)
        one.locator(".pick").first.tap()
        one.get_by_role("button", name="Hemos ganado 2–1").tap()
        expect(one.locator("h2").first).to_contain_text("Falta la confirmación de")
        expect(page.locator(".tag.provisional")).to_have_count(1)
        other.visit(at)
        other.locator(".pick").last.tap()
        expect(other.locator(".said")).to_contain_text("Hemos perdido 1–2")
        other.get_by_role("button", name="Estamos de acuerdo").tap()
        expect(other.locator(".done")).to_contain_text("Confirmado")
        expect(page.locator(".tag.provisional")).to_have_count(0)
    expect(page.locator(".tag.confirmed")).to_have_count(2)


def test_one_that_does_not_agree_is_heard_of_by_everybody_at_once(
    page: PageInNode, phones: list[PageInNode], served: Served
) -> None:
    path = evening(served, 1)
    page.visit(path, signed_in=True)
    (at,) = addresses(served, path)
    one, other = (phone.visit(at) for phone in phones)
    one.locator(".pick").first.tap()
    one.get_by_role("button", name="Hemos ganado 2–0").tap()
    expect(one.locator("h2")).to_contain_text("Falta la confirmación de")
    other.locator(".pick").last.tap()
    other.get_by_role("button", name="No estamos de acuerdo").tap()
    expect(other.locator("h2")).to_contain_text("no estáis de acuerdo")
    expect(page.locator(".tag.disputed")).to_have_text("✗ no hay acuerdo")
    expect(one.locator("h2")).to_contain_text("No hay acuerdo")
    other.get_by_role("button", name="Hemos perdido 1–2").tap()
    expect(one.locator(".said")).to_contain_text("Hemos ganado 2–1")
    one.get_by_role("button", name="Estamos de acuerdo").tap()
    expect(other.locator(".done")).to_be_visible()
    expect(page.locator(".tag.confirmed")).to_be_visible()


def test_a_result_told_while_the_secretary_corrects_its_table_is_shown_after_that(
    page: PageInNode, phones: list[PageInNode], served: Served
) -> None:
    path = evening(served, 1)
    page.visit(path, signed_in=True)
    nobody_came = page.locator(".playing details").first
    nobody_came.locator("summary").tap()
    (at,) = addresses(served, path)
    phone = phones[0].visit(at)
    phone.locator(".pick").first.tap()
    phone.get_by_role("button", name="Hemos ganado 2–0").tap()
    expect(phone.locator("h2")).to_contain_text("Falta la confirmación de")
    expect(page.locator("#points td.points").first).to_have_text("1")
    expect(page.locator(".tag.provisional")).to_have_count(0)
    nobody_came.locator("summary").tap()
    expect(page.locator(".tag.provisional")).to_have_count(1)


# --- in a browser --------------------------------------------------------------------------------


def test_an_undo_counts_down_and_moves_nothing_under_a_finger_on_readable_screens(
    browser: Browser, served: Served
) -> None:
    path = evening(served, 2)
    with visiting(browser, served, path, signed_in=True, **TABLET) as page:
        page.clock.install()
        page.reload()
        no_violations(page)
        first = page.locator(".playing > li").first
        first.get_by_role("button", name="2–0").tap()
        expect_in_browser(first.locator(".tag.official")).to_be_visible()
        first.get_by_role("button", name="Deshacer").tap()
        expect_in_browser(first.locator(".tag.open")).to_be_visible()
        first.get_by_role("button", name="2–1").tap()
        undo = first.locator("form.undo")
        expect_in_browser(undo).to_contain_text("(")
        no_violations(page)
        before = first.evaluate(_HEIGHT)
        left = int(undo.inner_text().rpartition("(")[2].rstrip(") "))
        assert 2_000 < 1_000 * left <= UNDO_MS
        page.clock.run_for(1_000 * (left - 1))
        expect_in_browser(undo).to_be_visible()
        page.clock.run_for(2_000)
        expect_in_browser(undo).to_be_hidden()
        assert first.evaluate(_HEIGHT) == before, "what is below would move under a finger"
        first.locator("summary").tap()
        first.get_by_role("button", name="0–2").tap()
        expect_in_browser(page.get_by_role("alert")).to_contain_text("Seguro")
        no_violations(page)
        page.get_by_role("button", name="Cambiarlo a 0–2").tap()
        made = page.locator(".playing > li").first.locator(".made").last
        expect_in_browser(made).to_have_text("2")
        closed_and_opened_again(page)


def closed_and_opened_again(page: Page) -> None:
    """An evening whose last table has no result yet is closed, then goes on."""
    closing = page.locator(".closing")
    closing.locator("summary").tap()
    closing.get_by_role("button", name="Cerrar de todos modos").tap()
    expect_in_browser(closing).to_have_count(0)
    no_violations(page)
    page.get_by_role("button", name="Volver a abrir la jornada").tap()
    expect_in_browser(closing).to_have_count(1)
    page.locator(".playing > li").last.get_by_role("button", name="1–2").tap()
    expect_in_browser(page.locator(".tag.official")).to_have_count(2)
    no_violations(page)


def test_what_players_tell_on_their_phones_has_contrast_in_all_colours(
    browser: Browser, served: Served
) -> None:
    path = evening(served, 1)
    (at,) = addresses(served, path)
    with (
        kept_page(browser, served, path, signed_in=True, **TABLET) as page,
        visiting(browser, served, at, **PHONE) as one,
        visiting(browser, served, at, **PHONE) as other,
    ):
        no_violations_in_any_scheme(one)
        one.locator(".pick").first.tap()
        no_violations_in_any_scheme(one)
        one.get_by_role("button", name="Hemos ganado 2–0").tap()
        expect_in_browser(one.locator("h2")).to_contain_text("Falta la confirmación de")
        no_violations_in_any_scheme(one)
        other.locator(".pick").last.tap()
        expect_in_browser(other.locator(".said")).to_be_visible()
        no_violations_in_any_scheme(other)
        other.get_by_role("button", name="No estamos de acuerdo").tap()
        expect_in_browser(other.locator("h2")).to_contain_text("no estáis de acuerdo")
        expect_in_browser(one.locator("h2")).to_contain_text("No hay acuerdo")
        expect_in_browser(page.locator(".tag.disputed")).to_be_visible()
        for disputed in (one, other, page):
            no_violations_in_any_scheme(disputed)
        page.goto(f"{page.url.partition('?')[0]}/tarjetas")
        no_violations_in_any_scheme(page)
