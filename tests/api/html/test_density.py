"""Density: pages use the room of a desktop, and stay large enough for fingers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator

from tests.support.browser.kept_pages import kept_page
from tests.support.browser.pages import PHONE, TABLET, site
from tests.support.demonstrated import demonstrated
from tests.support.servers.http_table import ENCUENTROS, HttpTable
from tests.support.servers.served import Served

FITS = "document.documentElement.scrollWidth <= innerWidth"
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
TOUCHED, POINTED = 44, 48
"""Pixels: least height of what a finger taps, most height of a row for a mouse."""


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, str, str]]:
    """The made-up club, its season, and an encuentro with cards."""
    folder: Path = tmp_path_factory.mktemp("density")
    table = demonstrated(folder)
    season = table.get("/api/v1/seasons").json["items"][0]["id"]
    listed = [one["id"] for one in table.get(ENCUENTROS).json["items"]]
    carded = next(one for one in listed if tricks_of(table, one))
    table.close()
    with site(folder) as served:
        yield served, f"/temporadas/{season}", f"/e/{carded}/p/1"


def tricks_of(table: HttpTable, encuentro: str) -> list[Any]:
    """Tricks of the first partida of an encuentro."""
    found = table.get(f"{ENCUENTROS}/{encuentro}/partidas/1")
    return [trick for deal in found.json.get("deals", []) for trick in deal["tricks"]]


def places(found: Locator, side: str) -> list[float]:
    """Distance of each element from a side of the page, or its size."""
    return [one.bounding_box()[side] for one in found.all()]


def test_rows_of_standings_are_low_for_a_mouse_and_high_for_fingers(
    browser: Browser, shown: tuple[Served, str, str]
) -> None:
    served, season, _ = shown
    with kept_page(browser, served, season, signed_in=True, **DESKTOP) as page:
        assert max(places(page.locator(".standings tbody tr"), "height")) <= POINTED
    for screen in (TABLET, PHONE):
        with kept_page(browser, served, season, signed_in=True, **screen) as page:
            assert min(places(page.locator(".standings a.row"), "height")) >= TOUCHED


def test_cards_of_a_trick_and_settings_use_the_width_of_the_screen(
    browser: Browser, shown: tuple[Served, str, str]
) -> None:
    served, _, partida = shown
    with kept_page(browser, served, partida, signed_in=True) as page:
        first = page.locator(".tricks .plays").first.locator(".card")
        assert first.count() == 4
        for width in (320, 390, 1024, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            assert len(set(places(first, "y"))) == 1, width
            assert page.evaluate(FITS), width
    with kept_page(browser, served, "/casa/ajustes", signed_in=True) as page:
        for width, columns in ((390, 1), (959, 1), (1024, 2), (1280, 2)):
            page.set_viewport_size({"width": width, "height": 800})
            assert len(set(places(page.locator("form.login > fieldset"), "x"))) == columns, width
            assert page.evaluate(FITS), width
