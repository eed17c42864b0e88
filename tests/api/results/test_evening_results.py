"""Results of an evening where the tables are: taps of the secretary, phones of the players."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.browser.evenings import evening
from tests.support.browser.kept_pages import kept_page
from tests.support.browser.pages import (
    PHONE,
    TABLET,
    address,
    no_violations,
    no_violations_in_any_language,
    visiting,
)
from tests.support.servers.served import Served

TABLES = 8


class Taps:
    """Counts what somebody taps."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self, what: Locator) -> None:
        what.tap()
        self.made += 1


def addresses(page: Page, served: Served, path: str) -> list[str]:
    """Private addresses of the tables, as their cards say them."""
    page.goto(address(served, f"{path.partition('?')[0]}/tarjetas"))
    return page.locator(".address").all_inner_texts()


@contextmanager
def phone(browser: Browser, served: Served, at: str, **settings: Any) -> Iterator[Page]:
    """A phone that scanned the card of a table."""
    with visiting(browser, served, at[at.index("/m/") :], **PHONE, **settings) as page:
        yield page


def test_a_secretary_enters_eight_tables_with_eight_taps(browser: Browser, served: Served) -> None:
    taps, path = Taps(), evening(served, TABLES)
    with kept_page(browser, served, path, signed_in=True, **PHONE) as page:
        cards = page.locator(".playing > li")
        expect(cards).to_have_count(TABLES)
        no_violations(page)
        for place in range(TABLES):
            score = ("2–0", "2–1", "1–2", "0–2")[place % 4]
            taps(cards.nth(place).get_by_role("button", name=score))
            expect(page.locator(".tag.official")).to_have_count(place + 1)
        assert taps.made <= 2 * TABLES
        assert taps.made == TABLES
        expect(page.locator("form.undo").last).to_be_visible()
        no_violations(page)


def test_an_undo_counts_down_and_goes_away(browser: Browser, served: Served) -> None:
    path = evening(served, 2)
    with kept_page(browser, served, path, signed_in=True, **TABLET) as page:
        first = page.locator(".playing > li").first
        first.get_by_role("button", name="2–0").tap()
        expect(first.locator(".tag.official")).to_be_visible()
        first.get_by_role("button", name="Deshacer").tap()
        expect(first.locator(".tag.open")).to_be_visible()
        first.get_by_role("button", name="2–1").tap()
        expect(first.locator("form.undo")).to_contain_text("(")
        height = "one => one.getBoundingClientRect().height"
        before = first.evaluate(height)
        expect(first.locator("form.undo")).to_be_hidden()
        assert first.evaluate(height) == before, "what is below would move under a finger"
        first.locator("summary").tap()
        first.get_by_role("button", name="0–2").tap()
        expect(page.get_by_role("alert")).to_contain_text("Seguro")
        no_violations(page)
        page.get_by_role("button", name="Cambiarlo a 0–2").tap()
        expect(page.locator(".playing > li").first.locator(".made").last).to_have_text("2")


def test_an_evening_closed_too_early_opens_again_for_its_last_result(
    browser: Browser, served: Served
) -> None:
    taps, path = Taps(), evening(served, 2)
    with kept_page(browser, served, path, signed_in=True, **TABLET) as page:
        cards, closing = page.locator(".playing > li"), page.locator(".closing")
        taps(cards.first.get_by_role("button", name="2–0"))
        expect(page.locator(".tag.official")).to_have_count(1)
        taps(closing.locator("summary"))
        expect(closing).to_contain_text("Sin resultado: Mesa 2.")
        taps(closing.get_by_role("button", name="Cerrar de todos modos"))
        expect(page.locator(".lead").first).to_contain_text("cerrada")
        expect(closing).to_have_count(0)
        no_violations(page)
        taps(page.get_by_role("button", name="Volver a abrir la jornada"))
        expect(closing).to_have_count(1)
        taps(cards.last.get_by_role("button", name="1–2"))
        expect(page.locator(".tag.official")).to_have_count(2)
        no_violations(page)
        taps(closing.locator("summary"))
        expect(closing).to_contain_text("Todas las mesas tienen resultado.")
        taps(closing.get_by_role("button", name="Sí, cerrar"))
        expect(page.locator(".lead").first).to_contain_text("cerrada")
        expect(page.locator(".tag.official")).to_have_count(2)
        assert taps.made == 7


def test_players_tell_and_confirm_and_the_secretary_taps_nothing(
    browser: Browser, served: Served
) -> None:
    path = evening(served, 2)
    with kept_page(browser, served, path, signed_in=True, **TABLET) as page:
        cards = addresses(page, served, path)
        no_violations_in_any_language(page)
        page.goto(address(served, path))
        expect(page.locator(".tag.open")).to_have_count(2)
        for at in cards:
            with phone(browser, served, at) as one:
                no_violations(one)
                one.locator(".pick").first.tap()
                no_violations(one)
                one.get_by_role("button", name="Hemos ganado 2–1").tap()
                expect(one.locator("h2")).to_contain_text("Falta la confirmación de")
                no_violations(one)
            expect(page.locator(".tag.provisional")).to_have_count(1)
            with phone(browser, served, at) as other:
                other.locator(".pick").last.tap()
                expect(other.locator(".said")).to_contain_text("Hemos perdido 1–2")
                no_violations_in_any_language(other)
                other.get_by_role("button", name="Estamos de acuerdo", exact=True).tap()
                expect(other.locator(".done")).to_contain_text("Confirmado")
            expect(page.locator(".tag.provisional")).to_have_count(0)
        expect(page.locator(".tag.confirmed")).to_have_count(2)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_one_that_does_not_agree_is_seen_by_everybody_at_once(
    browser: Browser, served: Served, scheme: str
) -> None:
    path = evening(served, 1)
    with kept_page(browser, served, path, signed_in=True, color_scheme=scheme, **TABLET) as page:
        (at,) = addresses(page, served, path)
        page.goto(address(served, path))
        both = {"color_scheme": scheme}
        with phone(browser, served, at, **both) as one, phone(browser, served, at, **both) as other:
            one.locator(".pick").first.tap()
            one.get_by_role("button", name="Hemos ganado 2–0").tap()
            expect(one.locator("h2")).to_contain_text("Falta la confirmación de")
            other.locator(".pick").last.tap()
            other.get_by_role("button", name="No estamos de acuerdo").tap()
            expect(other.locator("h2")).to_contain_text("no estáis de acuerdo")
            no_violations_in_any_language(other)
            expect(page.locator(".tag.disputed")).to_have_text("✗ no hay acuerdo")
            no_violations(page)
            expect(one.locator("h2")).to_contain_text("No hay acuerdo")
            no_violations(one)
            other.get_by_role("button", name="Hemos perdido 1–2").tap()
            expect(one.locator(".said")).to_contain_text("Hemos ganado 2–1")
            one.get_by_role("button", name="Estamos de acuerdo", exact=True).tap()
            expect(other.locator(".done")).to_be_visible()
        expect(page.locator(".tag.confirmed")).to_be_visible()
