"""Where a list is empty: what will be there, and the button of whoever may begin it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from api.http.languages import LANGUAGES, texts_of_language
from tests.support.browser.pages import PHONE, no_violations, visiting
from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import Served

BEGUN_AT = {
    "/temporadas/": "#new",
    "/jugadores/": "#add",
    "/torneos/": "/torneos/nuevo",
    "/mesas/": None,
    "/casa": None,
    "/jornadas/": None,
    "/buscar?q=xyzzy": None,
}
"""Pages that are empty in a new club, and where what they show is begun."""
EMPTY = '<div class="empty-list">'


@pytest.fixture(scope="module")
def table(shared_table: HttpTable) -> HttpTable:
    shared_table.client.post("/entrar", data={"token": shared_table.token})
    return shared_table


@pytest.mark.parametrize(("path", "begun_at"), BEGUN_AT.items())
def test_an_empty_list_says_how_it_begins(
    table: HttpTable, path: str, begun_at: str | None
) -> None:
    shown = table.client.get(path).text.partition(EMPTY)[2]
    offered = f'<a class="take" href="{begun_at}">'
    assert "html/empty.svg#" in shown
    assert (offered in shown) == (begun_at is not None)


def test_who_may_not_begin_it_gets_no_button(table: HttpTable) -> None:
    visitor = table.app.test_client()
    shown = visitor.get("/torneos/").text
    assert EMPTY in shown
    assert "/torneos/nuevo" not in shown


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_words_fit_beside_a_picture(lang: str) -> None:
    words = [text for key, text in texts_of_language(lang).items() if key.startswith("empty.")]
    assert len(words) > 10
    assert max(map(len, words)) < 130


def test_an_empty_club_fits_on_a_phone_in_the_dark(browser: Browser, tmp_path: Path) -> None:
    served = Served(tmp_path, is_forked=True)
    served.start()
    try:
        looks = {**PHONE, "color_scheme": "dark"}
        with visiting(browser, served, "/torneos/", signed_in=True, **looks) as page:
            no_violations(page)
            assert page.locator(".empty-list use").evaluate("one => one.getBBox().width") > 50
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    finally:
        served.kill_all()
