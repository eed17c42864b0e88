"""A problem solved by taps on a phone: the right card, a wrong one with its price, the solution."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from referee.aggregates.partida import fold
from referee.analysis.puzzles import Puzzle, best_puzzle_of_partida
from referee.analysis.questions import card_prices_or_none
from referee.events import PuzzleAudienceChosen
from referee.rules.cards import TOKENS
from referee.rules.profile.options import Options
from tests.support.analysis.club_deals import META, played_out
from tests.support.analysis.marks import NEEDS_ENGINE
from tests.support.browser.kept_pages import kept_page, no_violations_in_any_scheme
from tests.support.browser.pages import PHONE, TELEVISION, address, connect, cut_off, site
from tests.support.days import friday_of_last_week
from tests.support.page_in_node import PageInNode, expect, page_in_node
from tests.support.records.dealt_out import Player, opened
from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import Served

pytestmark = NEEDS_ENGINE
SEED = 137
"""Of a partida in whose vueltas one card of four tricks gets there first."""
STILL = {**PHONE, "reduced_motion": "reduce"}
_OVER = "[data-told=won], [data-told=lost]"
_TURN = f".lay:not([disabled]), .said:is({_OVER})"
_OPEN = "[...document.querySelectorAll('.lay:not([disabled])')].map((one) => one.dataset.card)"
_WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("solved")
    table = HttpTable(folder)
    services = table.app.extensions["guinote"]()
    services.referee.settings.record_settings_acts([PuzzleAudienceChosen("everybody")], META)
    played_out(services, [SEED], friday_of_last_week())
    table.close()
    with site(folder) as one:
        yield one


@pytest.fixture(scope="module")
def page(served: Served) -> Iterator[PageInNode]:
    with page_in_node(served) as one:
        yield one


def problem() -> Puzzle:
    player = Player(Options(), SEED)
    found = best_puzzle_of_partida(fold([opened(Options()), *player.partida()]).table)
    assert found is not None
    return found


def wrong_card() -> tuple[str, int]:
    """A lawful card that does not do it, and how many points fewer it takes."""
    one = problem()
    priced = card_prices_or_none(one.known)
    assert priced is not None
    card = next(c for c in priced.values if priced.is_lawful(c) and c != one.card)
    return TOKENS[card], priced.values[one.card] - priced.values[card]


def lay(page: Page | PageInNode, card: str) -> None:
    page.locator(f".lay[data-card='{card}']:not([disabled])").tap()


def wait_for(page: Page | PageInNode, css: str) -> None:
    page.wait_for_function(f"""() => document.querySelector("{css}") !== null""")


def told(page: Page | PageInNode) -> str:
    """What kind of thing the page says."""
    return str(page.locator(".said").get_attribute("data-told"))


def to_the_end(page: Page | PageInNode) -> str:
    """Lay cards as the engine would lay them, until all is settled; what the page says then."""
    line = [TOKENS[card] for seat, card in problem().line if seat == "A1"]
    while True:
        wait_for(page, _TURN)
        if page.locator(f".said:is({_OVER})").count():
            return told(page)
        open_now = page.evaluate(_OPEN)
        lay(page, next((card for card in line if card in open_now), open_now[0]))


def again(page: Page) -> None:
    page.get_by_role("button", name="Volver a probar").tap()


def test_on_a_phone_it_is_solved_to_the_end_when_the_network_is_gone_and_can_be_read(
    browser: Browser, served: Served
) -> None:
    one = problem()
    with kept_page(browser, served, "/problema", **STILL) as page:
        wait_for(page, ".lay:not([disabled])")
        assert not page.evaluate(_WIDER)
        no_violations_in_any_scheme(page)
        cut_off(page)
        lay(page, TOKENS[one.card])
        wait_for(page, f".said[data-told=good], .said:is({_OVER})")
        assert to_the_end(page) == "won"
        again(page)
        lay(page, wrong_card()[0])
        wait_for(page, f".said[data-told=slip], .said:is({_OVER})")
        assert to_the_end(page) == "lost"
        connect(page)
        page.goto(page.locator("a[href$='/hoja']").evaluate("(one) => one.href"))
        assert not page.evaluate(_WIDER)
        no_violations_in_any_scheme(page)


def test_a_part_that_did_not_arrive_over_the_network_is_fetched_again(
    browser: Browser, served: Served
) -> None:
    worker = "**/puzzle_worker.js"
    context = browser.new_context(locale="es-ES", service_workers="block", **STILL)
    context.route(worker, lambda route: route.abort())
    page = context.new_page()
    page.goto(address(served, "/problema"))
    page.wait_for_selector(".said[data-told=none] :text('No ha llegado una parte')")
    context.unroute(worker)
    again(page)
    lay(page, TOKENS[problem().card])
    assert to_the_end(page) == "won"
    context.close()


def test_a_wrong_card_says_what_it_costs_and_can_be_tried_again(page: PageInNode) -> None:
    card, cost = wrong_card()
    page.visit("/problema")
    lay(page, card)
    wait_for(page, f".said[data-told=slip], .said:is({_OVER})")
    assert f" {cost} tantos menos" in page.locator(".said").inner_text()
    assert to_the_end(page) == "lost"
    assert f" {cost} tantos menos" in page.locator(".said").inner_text()
    page.get_by_role("button", name="Volver a probar").tap()
    wait_for(page, f".lay[data-card='{card}']:not([disabled])")
    assert told(page) == "ready"


def test_the_solution_is_the_line_on_the_felt_with_its_words(page: PageInNode) -> None:
    one = problem()
    page.visit("/problema")
    wait_for(page, ".lay:not([disabled])")
    page.get_by_role("button", name="Ver la solución").tap()
    said = page.locator(".said").inner_text()
    assert "Con las cartas como estaban y jugando todos lo mejor posible." in said
    held = [href[1:] for href in page.locator(".south .hand use").values("href")]
    assert TOKENS[one.card] in held
    forth = page.get_by_role("button", name="Adelante")
    for _ in one.line:
        forth.tap()
    expect(forth).to_be_disabled()
    left = page.locator(".felt .hand li").count()
    assert left == sum(hand.bit_count() for hand in one.known.hands) - len(one.line)


def test_the_wall_shows_it_whole(browser: Browser, served: Served) -> None:
    with kept_page(browser, served, "/sala/", **TELEVISION) as page:
        page.wait_for_selector(".problem .diagram")
        box = page.locator(".problem").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= TELEVISION["viewport"]["height"]
        assert box["x"] + box["width"] <= TELEVISION["viewport"]["width"]
        no_violations_in_any_scheme(page)
