"""Many live pages in one browser: one stream of events, and connections left for what is clicked."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.support.browser.pages import address, site
from tests.support.servers.club_tables import Club, board_of, cante, deal, trick

PAGES = 20
MORE_THAN_CONNECTIONS = 8
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


@contextmanager
def live_pages(
    context: BrowserContext, club: Club, paths: Sequence[str], number_of_pages: int
) -> Iterator[list[Page]]:
    """Pages of one browser, all of which hear of changes; another page is shown at once."""
    pages = [context.new_page() for _ in range(number_of_pages)]
    for number, page in enumerate(pages):
        opened(club, page, paths[number % len(paths)])
    for page in pages:
        expect(page.locator("#state")).to_have_attribute("data-state", "live")
    assert opened(club, context.new_page(), "/reglas") < 5
    yield pages
    assert streams(club) == 1
    context.close()


def test_twenty_live_pages_share_one_stream_and_another_is_shown_at_once(
    browser: Browser, club: Club
) -> None:
    """With the worker that pages share; where there is none, as in Chrome on Android, one page leads."""
    tables = [club.table("Ana", "Blas", "Celia", "Diego") for _ in range(TABLES)]
    partida = club.partida(tables[0])
    club.read(partida)
    desk, phone = (browser.new_context(locale="es-ES") for _ in range(2))
    paths = ["/sala/", *map(board_of, tables)]
    with live_pages(desk, club, paths, MORE_THAN_CONNECTIONS) as pages:
        club.act(partida, *deal("B2"))
        for page in pages[1 :: len(paths)]:
            expect(page.locator(".moment")).to_contain_text("Con mazo")
    leaders: list[Page] = []
    phone.add_init_script("delete globalThis.SharedWorker")
    phone.on("request", lambda one: "/changes?" in one.url and leaders.append(one.frame.page))
    with live_pages(phone, club, paths, PAGES) as pages:
        assert set(leaders) == {pages[0]}
        pages[0].close()  # another page leads
        club.act(partida, trick("A1", 4), cante("A2", "C"))
        for page in pages[1 :: len(paths)]:
            expect(page.locator(".cantes li")).not_to_have_count(0)
        assert leaders[-1] is not pages[0]
