"""Pages of evenings and seasons in a browser: for the organiser and for readers."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from api.http.languages import say
from tests.support.browser.kept_pages import kept_page
from tests.support.browser.pages import (
    HEAVIEST_PAGE,
    LOOKED_AT,
    PHONE,
    TABLET,
    TELEVISION,
    address,
    no_violations,
    no_violations_in_any_language,
    weight,
)
from tests.support.browser.tablets import Club
from tests.support.servers.served import Served

NAMES = "Ana\nBlas\nCelia\nDiego\nEva\nFermín\nGloria\nHugo"


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def season(page: Page, served: Served, name: str) -> str:
    """Address of a new season, opened by its form."""
    page.goto(address(served, "/temporadas/"))
    page.fill("#name", name)
    press(page, "Abrir la temporada")
    expect(page.locator("h1")).to_have_text(name)
    return page.url.partition("?")[0].removeprefix(address(served, ""))


def play(page: Page) -> None:
    """The drawn tables begin, also if some of them sit together at a table of an earlier test."""
    again = page.get_by_role("button", name="Abrir otra vez de todos modos", exact=True)
    expect(
        page.get_by_role("button", name="Empezar a jugar", exact=True).or_(again)
    ).to_be_visible()
    if again.count():
        no_violations(page)
    press(page, "Abrir otra vez de todos modos" if again.count() else "Empezar a jugar")


def evening(page: Page, served: Served, of: str = "") -> str:
    """Address of an evening whose two tables play."""
    page.goto(address(served, "/jornadas/nueva"))
    if of:
        page.select_option("#season-persons", label=of)
    page.get_by_label("Jugadores:").check()
    page.locator("#names-persons").fill(NAMES)
    for box in page.locator(".of-persons .chip input:checked").all():
        box.uncheck()
    press(page, "Sortear mesas")
    play(page)
    expect(page.locator(".playing li")).to_have_count(2)
    return page.url.partition("?")[0].removeprefix(address(served, ""))


def rule(served: Served, path: str) -> int:
    """The first table of an evening is won by A; the position to wait for."""
    club = Club(served)
    session = path.rpartition("/")[2]
    encuentro = club.ask("GET", f"/api/v1/sessions/{session}")["encuentros"][0]["id"]
    where = f"/api/v1/encuentros/{encuentro}"
    version = club.ask("GET", where)["version"]
    body = {"winner": "A", "because": "se acabó la hora"}
    return int(club.ask("POST", f"{where}/rulings", body, version)["position"])


def test_an_evening_is_opened_drawn_and_counted_for_its_season(
    browser: Browser, served: Served
) -> None:
    with kept_page(browser, served, "/temporadas/", signed_in=True, **TABLET) as page:
        no_violations(page)
        league = season(page, served, "Liga de invierno")
        page.goto(address(served, "/jornadas/"))
        no_violations(page)
        path = evening(page, served, "Liga de invierno")
        no_violations(page)
        expect(page.locator(".playing a", has_text="Partida a partida").first).to_have_attribute(
            "href",
            "/arbitro/#/mesa/" + page.locator(".playing li").first.get_attribute("id")[-36:],
        )
        position = rule(served, path)
        page.goto(address(served, f"{league}?wait={position}"))
        expect(page.locator("tbody tr")).to_have_count(8)
        expect(page.locator("tbody tr").first.locator(".points")).to_have_text("4")
        expect(page.locator("tbody tr").first).to_contain_text("ganados (1): 3 · jornadas (1): 1")
        no_violations(page)
        page.locator("tbody a").first.click()
        page.wait_for_url("**/jugador/*")
        expect(page.locator("svg.rating")).to_be_visible()
        expect(page.locator(".form .won")).to_have_count(1)
        no_violations(page)
        page.locator('a[href*="/pareja/"]').first.click()
        page.wait_for_url("**/pareja/*/*")
        expect(page.locator("svg.rating")).to_be_visible()
        expect(page.locator(".figures dd").first).to_have_text("1")
        no_violations(page)


@pytest.mark.parametrize("lang", LOOKED_AT)
def test_anybody_reads_an_evening_and_a_season(browser: Browser, served: Served, lang: str) -> None:
    with kept_page(browser, served, "/temporadas/", signed_in=True, **TABLET) as page:
        league = season(page, served, f"Liga {lang}")
        path = evening(page, served, f"Liga {lang}")
    position = rule(served, path)
    of_league = f"/api/v1/seasons/{league[-36:]}"
    player = Club(served).ask("GET", f"{of_league}?wait={position}")["standings"][0]["person"]
    in_season = Club(served).ask("GET", f"{of_league}/players/{player}")
    partner = in_season["partners"][0]["person"]
    of_player = (f"{league}/jugador/{player}", f"{league}/pareja/{player}/{partner}")
    pages = (path, f"{path}/hoja", f"{path}/sala", league, *of_player)
    for device in (PHONE, TELEVISION):
        with kept_page(browser, served, "/", **device) as page:
            for one in pages:
                page.goto(address(served, f"{one}?lang={lang}"))
                no_violations_in_any_language(page)
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for form in ("/temporadas/", "/jornadas/", "/jornadas/nueva", path):
        with kept_page(browser, served, f"{form}?lang={lang}", signed_in=True, **PHONE) as page:
            for one in page.locator("main details").all():
                one.evaluate("one => { one.open = true }")
            no_violations_in_any_language(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with kept_page(browser, served, f"{league}?lang={lang}", **PHONE) as page:
        expect(page.locator("h2").first).to_have_text(say("season.table_of_points", lang))
        for box in (one.bounding_box() for one in page.locator("tbody a").all()):
            assert box is not None
            assert box["height"] >= 44


def test_the_hall_of_an_evening_is_updated_with_a_result(browser: Browser, served: Served) -> None:
    with kept_page(browser, served, "/jornadas/", signed_in=True, **TABLET) as page:
        path = evening(page, served)
    with kept_page(browser, served, f"{path}/sala", **TELEVISION) as page:
        expect(page.locator("article.table")).to_have_count(2)
        rule(served, path)
        expect(page.locator("article.over")).to_have_count(1)


def test_pages_are_light(browser: Browser, served: Served) -> None:
    with kept_page(browser, served, "/jornadas/", signed_in=True, **TABLET) as page:
        path = evening(page, served)
    for one in (path, f"{path}/sala"):
        assert weight(browser, served, one, **PHONE) < HEAVIEST_PAGE
