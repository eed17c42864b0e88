"""Many live pages in one browser: one stream of events, and connections left for what is clicked."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser.pages import address, site
from tests.support.servers.club_tables import Club, board_of, deal

PAGES = 20
TABLES = 3


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with site(tmp_path) as served:
        yield Club(served)


def opened(club: Club, page: Page, path: str) -> float:
    """Seconds until a page is shown."""
    began = time.monotonic()
    page.goto(address(club.served, path), wait_until="domcontentloaded", timeout=30_000)
    return time.monotonic() - began


def streams(club: Club) -> int:
    """How many streams the house has open, as its metrics say."""
    who = {"Authorization": f"Bearer {club.served.token}"}
    with closing(club.served.connection()) as asked:
        asked.request("GET", "/metrics", headers=who)
        lines = asked.getresponse().read().decode().splitlines()
    return sum(
        int(float(one.split()[-1])) for one in lines if one.startswith("guinote_streams_open")
    )


def test_twenty_live_pages_share_one_stream_and_another_is_shown_at_once(
    browser: Browser, club: Club
) -> None:
    tables = [club.table("Ana", "Blas", "Celia", "Diego") for _ in range(TABLES)]
    partida = club.partida(tables[0])
    club.read(partida)
    paths = ["/sala/", *map(board_of, tables)]
    context = browser.new_context(locale="es-ES")
    pages = [context.new_page() for _ in range(PAGES)]
    for number, page in enumerate(pages):
        opened(club, page, paths[number % len(paths)])
    for page in pages:
        expect(page.locator("#state")).to_have_attribute("data-state", "live")
    last = context.new_page()
    assert opened(club, last, "/reglas") < 5
    club.act(partida, *deal("B2"))
    for page in pages[1 :: len(paths)]:
        expect(page.locator(".moment")).to_contain_text("Con mazo")
    assert streams(club) == 1
    context.close()
