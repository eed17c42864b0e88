"""Pages of evenings and seasons: for the organiser and for readers."""

from __future__ import annotations

import itertools
from urllib.parse import urlsplit

from playwright.sync_api import Browser
from playwright.sync_api import expect as expect_in_browser

from api.http.languages import say
from tests.support.browser.kept_pages import kept_page
from tests.support.browser.pages import (
    LOOKED_AT,
    PHONE,
    TELEVISION,
    address,
    no_violations_in_any_language,
)
from tests.support.outbox import Club
from tests.support.page_in_node import PageInNode, expect, page_in_node
from tests.support.read_pages import HEAVIEST_PAGE, Reader
from tests.support.servers.served import Served

NAMES = "Ana\nBlas\nCelia\nDiego\nEva\nFermín\nGloria\nHugo"
WIDER = "document.documentElement.scrollWidth - innerWidth"


def press(page: PageInNode, name: str) -> None:
    page.get_by_role("button", name=name).click()


def path_of(page: PageInNode) -> str:
    """Path of the page, without what it was asked."""
    return urlsplit(page.url).path


def season(page: PageInNode, name: str) -> str:
    """Path of a new season, opened by its form."""
    page.goto("/temporadas/")
    page.fill("#name", name)
    press(page, "Abrir la temporada")
    expect(page.locator("h1")).to_have_text(name)
    return path_of(page)


def drawn(page: PageInNode, of: str = "") -> str:
    """Path of an evening whose two tables are drawn."""
    page.goto("/jornadas/nueva")
    if of:
        page.select_option("#season-persons", of)
    page.get_by_label("Jugadores:").check()
    page.fill("#names-persons", NAMES)
    for box in page.locator(".of-persons .chip input:checked").all()[::-1]:
        box.uncheck()
    press(page, "Sortear mesas")
    expect(page.locator(".drawn .playing li")).to_have_count(2)
    return path_of(page)


def evening(page: PageInNode, of: str = "") -> str:
    """Path of an evening whose two tables play, also if some sit at a table of an earlier test."""
    path = drawn(page, of)
    again = page.get_by_role("button", name="Abrir otra vez de todos modos")
    press(page, "Abrir otra vez de todos modos" if again.count() else "Empezar a jugar")
    expect(page.locator(".playing li")).to_have_count(2)
    expect(page.locator(".drawn")).to_have_count(0)
    return path


def rule(served: Served, path: str) -> int:
    """The first table of an evening is won by A; the position to wait for."""
    club = Club(served)
    session = path.rpartition("/")[2]
    encuentro = club.ask("GET", f"/api/v1/sessions/{session}")["encuentros"][0]["id"]
    where = f"/api/v1/encuentros/{encuentro}"
    version = club.ask("GET", where)["version"]
    body = {"winner": "A", "because": "se acabó la hora"}
    return int(club.ask("POST", f"{where}/rulings", body, version)["position"])


def test_an_evening_is_opened_drawn_and_counted_for_its_season(served: Served) -> None:
    with page_in_node(served, "/temporadas/", signed_in=True) as page:
        league = season(page, "Liga de invierno")
        path = evening(page, "Liga de invierno")
        encuentro = str(page.locator(".playing li").first.get_attribute("id"))[-36:]
        by_card = page.locator(".playing a").filter(has_text="Partida a partida").first
        expect(by_card).to_have_attribute("href", f"/arbitro/#/mesa/{encuentro}")
        position = rule(served, path)
        page.goto(f"{league}?wait={position}")
        expect(page.locator("tbody tr")).to_have_count(8)
        expect(page.locator("tbody tr").first.locator(".points")).to_have_text("4")
        expect(page.locator("tbody tr").first).to_contain_text("ganados (1): 3 · jornadas (1): 1")
        page.locator("tbody a").first.click()
        page.wait_for_url("**/jugador/*")
        expect(page.locator("svg.rating")).to_be_visible()
        expect(page.locator(".form .won")).to_have_count(1)
        page.locator('a[href*="/pareja/"]').first.click()
        page.wait_for_url("**/pareja/*/*")
        expect(page.locator("svg.rating")).to_be_visible()
        expect(page.locator(".figures dd").first).to_have_text("1")


def test_evenings_and_seasons_fit_every_screen_with_contrast(
    browser: Browser, served: Served
) -> None:
    with page_in_node(served, "/temporadas/", signed_in=True) as page:
        league = season(page, "Liga")
        path = evening(page, "Liga")
        waiting = drawn(page, "Liga")
    position = rule(served, path)
    of_league = f"/api/v1/seasons/{league[-36:]}"
    player = Club(served).ask("GET", f"{of_league}?wait={position}")["standings"][0]["person"]
    in_season = Club(served).ask("GET", f"{of_league}/players/{player}")
    partner = in_season["partners"][0]["person"]
    of_player = (f"{league}/jugador/{player}", f"{league}/pareja/{player}/{partner}")
    pages = (path, f"{path}/hoja", f"{path}/sala", league, *of_player)
    forms = ("/temporadas/", "/jornadas/", "/jornadas/nueva", path, waiting)
    for device, is_owner, paths in (
        (PHONE, False, pages),
        (TELEVISION, False, pages),
        (PHONE, True, forms),
    ):
        with kept_page(browser, served, "/", signed_in=is_owner, **device) as seen:
            for lang, one in itertools.product(LOOKED_AT, paths):
                seen.goto(address(served, f"{one}?lang={lang}"))
                for more in seen.locator("main details").all() if is_owner else ():
                    more.evaluate("one => { one.open = true }")
                no_violations_in_any_language(seen)
                assert seen.evaluate(WIDER) <= 0, (one, lang, device)
                if one == league and device is PHONE:
                    title = seen.locator("h2").first
                    expect_in_browser(title).to_have_text(say("season.table_of_points", lang))
                    low = "(all) => all.filter((one) => one.getBoundingClientRect().height < 44).length"
                    assert seen.locator("tbody a").evaluate_all(low) == 0, lang


def test_the_hall_of_an_evening_is_updated_with_a_result(served: Served) -> None:
    with page_in_node(served, "/jornadas/", signed_in=True) as page:
        path = evening(page)
        page.goto(f"{path}/sala")
        expect(page.locator("#state")).to_have_attribute("data-state", "live")
        expect(page.locator("article.table")).to_have_count(2)
        rule(served, path)
        expect(page.locator("article.over")).to_have_count(1)


def test_pages_are_light(served: Served) -> None:
    with page_in_node(served, "/jornadas/", signed_in=True) as page:
        path = evening(page)
    for one in (path, f"{path}/sala"):
        assert Reader(served).weight(one) < HEAVIEST_PAGE
