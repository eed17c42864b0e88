"""A board that is left open: it recovers from every fault of network and server by itself.

In node what its scripts do; in a browser a network that fails, the keyboard, and what is drawn again.
"""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support import page_in_node as in_node
from tests.support.browser.pages import address, site, visiting
from tests.support.page_in_node import PageInNode, page_in_node
from tests.support.servers.club_tables import Club, board_of, cante, deal, trick
from tests.support.servers.served import Served, free_port

TIMEOUT_BY_THE_CLOCK = """AbortSignal.timeout = (after) => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), after);
  return controller.signal;
};"""
"""A request times out by the clock of the page, which a test can put forward."""
CLOCK_LATER = """(ms) => {
  const real = Date.now;
  Date.now = () => real() + ms;
}"""
ASKED = """() => {
  const real = fetch;
  globalThis.asked = [];
  globalThis.fetch = (address, settings) => {
    asked.push(String(address));
    return real(address, settings);
  };
}"""
SOONER = """() => {
  const real = setTimeout;
  globalThis.due = [];
  globalThis.setTimeout = (then, after) => (after === 7000 ? due.push(then) : real(then, after));
}"""
"""Timers of the moment of a cante, which a test lets pass."""
HOUR_MS = 3_600_000
MOTIONS: dict[Any, str] = {"no-preference": "fresh", "reduce": "none"}


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with site(tmp_path) as served:
        yield Club(served)


def a_table(club: Club) -> tuple[str, str]:
    """A partida that has begun, and the board of its table."""
    encuentro = club.table("Ana", "Blas", "Celia", "Diego")
    partida = club.partida(encuentro)
    club.read(partida)
    return partida, f"/mesa/{encuentro.split('/')[4]}"


def state_is(page: Page, state: str) -> None:
    expect(page.locator("#state")).to_have_attribute("data-state", state)


def moment_is(page: Page, text: str) -> None:
    expect(page.locator(".moment")).to_contain_text(text)


class Board:
    """A board whose scripts run in node."""

    def __init__(self, page: PageInNode) -> None:
        self.page = page

    def state_is(self, state: str) -> None:
        seen = self.page.locator("#state")
        in_node.expect(seen).to_have_attribute("data-state", state)
        shown = self.page.locator(f"#state [data-when={state}]")
        in_node.expect(shown).to_be_visible()
        in_node.expect(self.page.locator("#state [data-when]:not([hidden])")).to_have_count(1)

    def moment_is(self, text: str) -> None:
        in_node.expect(self.page.locator(".moment").first).to_contain_text(text)


@contextmanager
def board_at(club: Club, path: str) -> Iterator[Board]:
    with page_in_node(club.served, path) as page:
        yield Board(page)


@pytest.mark.parametrize("path", ["board", "/sala/"])
def test_a_board_comes_back_by_itself_after_the_server_was_killed(club: Club, path: str) -> None:
    partida, board = a_table(club)
    with board_at(club, board if path == "board" else path) as seen:
        seen.state_is("live")
        club.served.kill_all()
        heard = datetime.now(UTC)
        seen.page.evaluate(CLOCK_LATER, 3 * HOUR_MS)
        seen.state_is("lost")
        since = seen.page.locator("#state time")
        in_node.expect(since).to_have_text(re.compile(r"^\d\d:\d\d$"))
        told = datetime.fromisoformat(str(since.get_attribute("datetime")))
        assert abs(told - heard).total_seconds() < HOUR_MS / 1000
        seen.moment_is("Entre repartos")
        club.served.start()
        club.act(partida, *deal("B2"))
        seen.moment_is("Con mazo")
        seen.state_is("live")


def test_where_no_stream_is_free_a_board_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUINOTE_STREAMS", "0")
    with site(tmp_path) as served:
        club = Club(served)
        partida, board = a_table(club)
        with board_at(club, board) as seen:
            seen.state_is("polling")
            club.act(partida, *deal("B2"))
            seen.moment_is("Con mazo")
            seen.state_is("polling")


def test_a_change_is_shown_because_the_stream_announced_it(club: Club) -> None:
    partida, board = a_table(club)
    with board_at(club, board) as seen:
        seen.state_is("live")
        seen.page.evaluate(ASKED)
        club.act(partida, *deal("B2"))
        seen.moment_is("Con mazo")
        seen.state_is("live")
        asked = seen.page.evaluate("asked")
        assert [url.endswith(board) for url in asked].count(True) == 1


def test_a_cante_is_large_for_a_moment_and_none_that_was_there_before(club: Club) -> None:
    partida, board = a_table(club)
    club.act(partida, *deal("B2", "7C"), trick("A1", 4), cante("A1", "E"))
    club.read(partida)
    for path, none_yet in ((board, 1), (f"{board}/emision", 2)):
        with board_at(club, path) as seen:
            seen.state_is("live")
            assert seen.page.locator(".cantes li").count() == none_yet
            assert seen.page.locator(".cantes .now").count() == 0
            seen.page.evaluate(SOONER)
            club.act(partida, trick("B1", 4), cante("B1", "O" if none_yet == 1 else "B"))
            now = seen.page.locator(".cantes .now")
            in_node.expect(now).to_have_count(1)
            in_node.expect(now).to_contain_text("oros" if none_yet == 1 else "bastos")
            seen.page.evaluate("due.forEach((then) => then())")
            assert now.count() == 0


def test_a_newer_program_is_loaded_whole(club: Club) -> None:
    table = club.table("Elena", "Pablo", players=2)
    club.read(table)
    with board_at(club, board_of(table)) as seen:
        seen.state_is("live")
        seen.page.evaluate("document.getElementById('main').dataset.program = 'old'")
        club.partida(table)
        seen.moment_is("Entre repartos")
        program = seen.page.locator("#main")
        in_node.expect(program).not_to_have_attribute("data-program", "old")
        seen.state_is("live")


# --- over a network that fails -------------------------------------------------------------------


class Wire:
    """A TCP proxy to the server that can stop forwarding without closing, as a network may."""

    def __init__(self, served: Served) -> None:
        self._to, self.port = served.port, free_port()
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self._ends: list[socket.socket] = []
        self.is_dead = False
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                here, _ = self._listener.accept()
                there = socket.create_connection(("127.0.0.1", self._to))
                self._ends += [here, there]
                for pair in ((here, there), (there, here)):
                    threading.Thread(target=self._carry, args=pair, daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while sent := one.recv(65536):
                if not self.is_dead:
                    other.sendall(sent)
            if not self.is_dead:
                other.shutdown(socket.SHUT_WR)

    def cut(self) -> None:
        """End every connection."""
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._listener.close()
        self.cut()


@pytest.fixture
def wire(club: Club) -> Iterator[Wire]:
    made = Wire(club.served)
    yield made
    made.close()


def test_a_network_that_goes_dead_without_a_word_is_noticed_and_survived(
    browser: Browser, club: Club, wire: Wire
) -> None:
    partida, board = a_table(club)
    context = browser.new_context(locale="es-ES")
    page = context.new_page()
    page.clock.install()
    page.add_init_script(TIMEOUT_BY_THE_CLOCK)
    page.goto(f"http://127.0.0.1:{wire.port}{board}")
    state_is(page, "live")
    wire.is_dead = True
    club.act(partida, *deal("B2"))
    page.clock.fast_forward(51_000)  # the stream is silent
    page.clock.fast_forward(6_000)  # the board asks
    page.clock.fast_forward(11_000)  # and has no answer
    state_is(page, "lost")
    moment_is(page, "Entre repartos")
    wire.is_dead = False
    wire.cut()
    page.clock.fast_forward(61_000)
    moment_is(page, "Con mazo")
    page.clock.fast_forward(61_000)
    state_is(page, "live")
    context.close()


def test_a_proxy_that_cuts_the_live_stream_now_and_then_is_not_noticed(
    browser: Browser, club: Club, wire: Wire
) -> None:
    partida, board = a_table(club)
    context = browser.new_context(locale="es-ES")
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{wire.port}{board}")
    state_is(page, "live")
    view = str(page.locator("main").get_attribute("data-view"))
    for _ in range(3):
        # it opens another stream, and asks what it has missed
        with page.expect_response(lambda one: one.url.endswith(view)):
            wire.cut()
        state_is(page, "live")
    club.act(partida, *deal("B2"))
    moment_is(page, "Con mazo")
    state_is(page, "live")
    context.close()


# --- by the keyboard, and at rest ----------------------------------------------------------------


def test_the_hall_is_walked_by_the_keyboard_and_keeps_the_focus(
    browser: Browser, club: Club
) -> None:
    table = club.table("Elena", "Pablo", players=2)
    partida = club.partida(table)
    club.read(partida)
    with visiting(browser, club.served, "/sala/") as page:
        state_is(page, "live")
        link = page.locator(f"a[href='{board_of(table)}']")
        for _ in range(40):
            page.keyboard.press("Tab")
            if link.evaluate("one => one === document.activeElement"):
                break
        expect(link).to_be_focused()
        club.act(partida, *deal("B1", "2E"))
        expect(page.locator(f"article:has(a[href='{board_of(table)}']) .card")).to_be_visible()
        expect(link).to_be_focused()
        page.keyboard.press("Enter")
        page.wait_for_url(f"**{board_of(table)}")
    club.rule(table, "A")


def test_only_what_changed_is_drawn_again(browser: Browser, club: Club) -> None:
    table = club.table("Elena", "Pablo", "Rosa", "Luis")
    partida = club.partida(table, *deal("B2", "2E"), trick("A1", 4))
    club.read(partida)
    with visiting(browser, club.served, board_of(table)) as page:
        state_is(page, "live")
        page.evaluate("document.querySelectorAll('[data-part]').forEach(one => { one.old = true })")
        club.act(partida, cante("A2", "C"))
        fresh = page.locator("[data-part=side-A].fresh")
        expect(fresh.locator(".cantes li")).not_to_have_count(0)
        old = page.evaluate(
            "Array.from(document.querySelectorAll('[data-part]'), one => !!one.old && one.dataset.part)"
        )
        assert old == ["head", False, "side-B", "middle", "past"]
        sung = fresh.locator(".cantes .now")
        expect(sung).to_contain_text("copas")
        for motion, drawn in MOTIONS.items():
            page.emulate_media(reduced_motion=motion)
            for one, name in ((fresh, drawn), (sung, drawn.replace("fresh", "sung"))):
                seen = one.evaluate("one => getComputedStyle(one).animationName")
                assert seen == name, motion
        assert page.locator("#main").get_attribute("data-tag")


def test_a_browser_without_modules_reloads_the_page(browser: Browser, club: Club) -> None:
    table = club.table("Elena", "Pablo", players=2)
    club.read(table)
    context = browser.new_context()
    page = context.new_page()
    page.route("**/board.js", lambda route: route.abort())
    page.clock.install()
    page.goto(address(club.served, board_of(table)))
    club.partida(table)
    club.read(table)  # what is loaded now has it
    page.clock.fast_forward(31_000)
    expect(page.locator(".moment")).to_have_text(re.compile("Between|Entre"))
    context.close()
