"""A season of pairs, from an empty house to its table."""

from __future__ import annotations

import itertools
from typing import Any

from playwright.sync_api import Browser
from playwright.sync_api import expect as expect_in_browser

from tests.api.club.test_pairs_named import EIGHT
from tests.support.browser.kept_pages import kept_page, no_violations_in_any_scheme
from tests.support.browser.pages import LOOKED_AT, PHONE, address
from tests.support.outbox import Club
from tests.support.page_in_node import expect, page_in_node
from tests.support.servers.served import Served

SEASONS, SESSIONS, ENCUENTROS = "/api/v1/seasons", "/api/v1/sessions", "/api/v1/encuentros"


def league_of_pairs(club: Club, names: tuple[str, ...], days: tuple[str, ...]) -> tuple[str, int]:
    """Id of a season in which new pairs met on some days, and the position to wait for."""
    made = club.ask("POST", SEASONS, {"name": "Liga de parejas", "of": "pairs"})
    here: list[dict[str, Any]] = [
        {"players": [{"name": f"Uno {name}"}, {"name": f"Otro {name}"}], "name": name}
        for name in names
    ]
    position = 0
    for day in days:
        body = {"date": day, "profile": {"id": "club"}, "of": "pairs", "season": made["id"]}
        evening = club.ask("POST", SESSIONS, {**body, "pairs": here})
        position = play(club, evening)
        view = club.ask("GET", f"{SESSIONS}/{evening['id']}?wait={position}")
        here = [{"pair": one} for one in view["pairs"]]
    return made["id"], position


def play(club: Club, evening: Any) -> int:
    """Draw and open the tables of an evening; A wins at each. Returns the last position."""
    where, seed = f"{SESSIONS}/{evening['id']}", {"method": "seed", "seed": "Calamocha"}
    drawn = club.ask("POST", f"{where}/draws", seed, evening["version"])
    tables = club.ask("POST", f"{where}/tables", {}, drawn["version"])
    position = int(tables["position"])
    for one in tables["encuentros"]:
        at = f"{ENCUENTROS}/{one}"
        version = club.ask("GET", f"{at}?wait={position}")["version"]
        body = {"winner": "A", "because": "así quedó"}
        position = int(club.ask("POST", f"{at}/rulings", body, version)["position"])
    return position


def test_a_season_of_pairs_from_an_empty_house_to_its_table(served: Served) -> None:
    club = Club(served)
    with page_in_node(served, "/jugadores/parejas", signed_in=True) as page:
        page.fill("#text", EIGHT)
        page.get_by_role("button", name="Apuntar las parejas").click()
        expect(page.locator(".said")).to_have_text("Hecho. Parejas: 8.")
        page.goto("/temporadas/")
        page.fill("#name", "Liga del Rabal")
        page.get_by_label("Parejas fijas").check()
        page.get_by_role("button", name="Abrir la temporada").click()
        expect(page.locator("h1")).to_have_text("Liga del Rabal")
        season = page.url.partition("?")[0].rpartition("/")[2]
        pairs = [{"pair": one["pair"]} for one in club.ask("GET", "/api/v1/pairs")["items"]]
        position = 0
        for day in ("2026-11-05", "2026-11-12"):
            body = {"date": day, "profile": {"id": "club"}, "of": "pairs", "season": season}
            position = play(club, club.ask("POST", SESSIONS, {**body, "pairs": pairs}))
        page.goto(f"/temporadas/{season}?wait={position}")
        rows = page.locator("tbody tr")
        expect(rows).to_have_count(8)
        expect(rows.first.locator(".both")).to_contain_text(" · ")
        name = rows.first.locator("a").inner_text()
        rows.first.locator("a").click()
        page.wait_for_url("**/pareja/*")
        expect(page.locator("h1")).to_have_text(name)
        expect(page.locator(".form a")).to_have_count(2)
        expect(page.locator("svg.rating")).to_be_visible()
        page.locator('main a[href*="/jugador/"]').first.click()
        page.wait_for_url("**/jugador/*")
        expect(page.get_by_role("link", name=name)).to_be_visible()


def test_a_season_of_pairs_fits_a_phone_with_contrast(browser: Browser, served: Served) -> None:
    club = Club(served)
    season, position = league_of_pairs(club, ("Gavilanes", "Reyes"), ("2026-11-05",))
    view = club.ask("GET", f"{SEASONS}/{season}?wait={position}")
    pair, evening = view["standings"][0]["pair"], view["sessions"][0]["id"]
    player = club.ask("GET", f"/api/v1/players?q=gavilanes&wait={position}")["items"][0]["player"]
    paths = (
        f"/temporadas/{season}",
        f"/temporadas/{season}/pareja/{pair}",
        f"/temporadas/{season}/jugador/{player}",
        f"/jornadas/{evening}",
        f"/jornadas/{evening}/hoja",
        f"/jornadas/{evening}/sala",
    )
    with kept_page(browser, served, paths[0], **PHONE) as page:
        for lang, path in itertools.product(LOOKED_AT, paths):
            page.goto(address(served, f"{path}?lang={lang}"))
            expect_in_browser(page.locator("body")).to_contain_text("Gavilanes")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (path, lang)
            no_violations_in_any_scheme(page)
    with kept_page(browser, served, "/temporadas/", signed_in=True, **PHONE) as page:
        page.get_by_label("Parejas fijas").check()
        no_violations_in_any_scheme(page)
