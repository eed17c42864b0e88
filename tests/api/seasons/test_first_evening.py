"""The first evening from an empty folder: a computer and phones in a Wi-Fi of the test's own, taps counted."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Locator
from playwright.sync_api import expect as expect_in_browser

from tests.api.seasons.test_evening import NAMES, PAIRS, Hand
from tests.support.browser.in_browser import described, program, running
from tests.support.browser.pages import PHONE
from tests.support.javascript import HERE, NodePage
from tests.support.kit import own_network
from tests.support.kit.own_network import OwnNetwork
from tests.support.page_in_node import PageInNode, expect
from tests.support.servers.long_runs import IS_LONG
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

pytestmark = pytest.mark.skipif(not own_network.may_have(), reason=own_network.NO_NETWORK)
MOST = 45
"""Most taps on computer and phones, with a code that is scanned as one more, from the first page to
the table of standings."""
LEAGUE = "Liga del bar"
PORT = 8000
"""As usual: in a network of its own it is free."""
PLAYERS = [name for pair in PAIRS for name in pair.rpartition(": ")[2].split(" y ")]
READER = HERE / "node_modules" / "jsqr" / "dist" / "jsQR.js"
_READ = """async (drawn) => {
  const picture = new Image();
  picture.src = `data:image/svg+xml;base64,${btoa(drawn)}`;
  await picture.decode();
  const painted = Object.assign(document.createElement("canvas"), { width: 400, height: 400 }).getContext("2d");
  painted.drawImage(picture, 0, 0, 400, 400);
  return jsQR(painted.getImageData(0, 0, 400, 400).data, 400, 400)?.data;
}"""


class Phones:
    """Phones in the Wi-Fi: one browser, which reads codes and counts its taps."""

    def __init__(self, browser: Browser, house: str) -> None:
        self.context = browser.new_context(locale="es-ES", **PHONE)
        self._house, self._camera = house, self.context.new_page()
        self._camera.set_content("")
        self._camera.add_script_tag(path=READER)
        self.page = self.context.new_page()
        self.page.on("request", lambda one: self._asked.add(one.url))
        self.taps, self.scans, self._asked = 0, 0, set[str]()

    def scan(self, drawn: str) -> None:
        """Read a code from its picture, and open what it says."""
        self.page.goto(self._camera.evaluate(_READ, drawn))
        self.scans += 1

    def tap(self, target: Locator) -> None:
        target.tap()
        self.taps += 1

    def are_well(self) -> None:
        """Whatever they asked for is of the house at its address in the Wi-Fi."""
        assert {url for url in self._asked if not url.startswith(self._house)} == set()


@contextmanager
def guinote(folder: Path, network: OwnNetwork, **settings: str) -> Iterator[tuple[Served, str]]:
    """``guinote`` as two clicks start it; and the address that it opens in the browser."""
    shown, browser = folder / "shown", folder / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {shlex.quote(str(shown))}\n')
    browser.chmod(0o700)
    served = Served(folder / "data", BROWSER=str(browser), **settings)
    served.port, served.inside, served.command = PORT, network.computer, ("api.cli",)
    served.spawn()
    try:
        wait_for(lambda: shown.exists() and shown.read_text(), "the browser")
        yield served, shown.read_text().strip()
    finally:
        served.kill_all()


def browser_of_phones(folder: Path, network: OwnNetwork) -> str:
    """A program that starts the browser of this machine in the phones' place."""
    started = folder / "chromium"
    started.write_text(f'#!/bin/sh\nexec {shlex.join([*network.phone, program()])} "$@"\n')
    started.chmod(0o700)
    return str(started)


class Cotos(NamedTuple):
    """Of a pair in its encuentro, in which two decide."""

    won: int
    lost: int

    @property
    def points(self) -> int:
        """For having come, for each coto, and for winning, as the form of a season proposes."""
        return 1 + self.won + 3 * (self.won > self.lost)

    @property
    def rank(self) -> tuple[int, int]:
        return self.points, self.won - self.lost


class FirstEvening(NamedTuple):
    """Who plays it: a secretary at the computer, and the pairs with their phones."""

    desk: Hand
    phones: Phones

    @property
    def page(self) -> PageInNode:
        return self.desk.page

    @property
    def taps(self) -> int:
        return self.desk.taps + self.phones.taps + self.phones.scans

    def picture(self, css: str, place: int = 0) -> str:
        """A code on the page of the computer."""
        return str(
            self.page.evaluate(
                "([css, n]) => document.querySelectorAll(css)[n].outerHTML", [css, place]
            )
        )

    def open_house(self) -> None:
        """The account of the first admin, and the Wi-Fi, whose page turns green when a phone has come."""
        self.desk.write("Nombre", "Pilar")
        self.desk.write("Contraseña", "una frase bien larga")
        self.desk.tap(self.page.get_by_label("La Wi-Fi de aquí"))
        self.desk.press("Abrir la cuenta")
        expect(self.page.locator("#visit.notice")).to_have_text("Esperando al primer móvil…")
        self.phones.scan(self.picture(".offer svg"))
        expect_in_browser(self.phones.page.locator("a.brand")).to_be_visible()
        expect(self.page.locator("#visit.came")).to_have_text("Ya ha entrado un móvil.")

    def open_league(self) -> None:
        """A league of pairs with a day each week, from today on."""
        self.desk.follow("Temporadas")
        self.desk.write("Nombre", LEAGUE)
        self.desk.tap(self.page.get_by_label("Parejas fijas"))
        self.desk.press("Abrir la temporada")
        self.desk.unfold("Calendario")
        self.desk.press("Ver los días")
        self.desk.press("Guardar calendario")

    def draw(self) -> None:
        """The first evening: pairs as they were pasted, and their tables."""
        self.desk.follow("Abrir la primera jornada")
        self.desk.write(NAMES, "\n".join(PAIRS))
        self.desk.press("Sortear mesas")
        self.desk.press("Empezar a jugar")
        expect(self.page.locator(".playing li")).to_have_count(4)

    def play(self) -> dict[frozenset[str], Cotos]:
        """Each pair says on its phone how it went; what came of it, by the players of a pair."""
        self.desk.follow("Tarjetas con QR")
        expect(self.page.locator(".tables-cards svg")).to_have_count(len(PAIRS))
        made: dict[frozenset[str], Cotos] = {}
        phone, scores = self.phones.page, iter(("2–0", "2–1", "1–2", "0–2"))
        for place in range(len(PAIRS)):
            self.phones.scan(self.picture(".tables-cards svg", place))
            if (
                agree := phone.get_by_role("button", name="Estamos de acuerdo", exact=True)
            ).count():
                self.phones.tap(agree)
                expect_in_browser(phone.locator(".done")).to_contain_text("Confirmado por todos")
            else:
                self.phones.tap(phone.locator(".scores button", has_text=next(scores)))
                expect_in_browser(phone.locator(".told")).to_contain_text("Falta la confirmación")
            own, other = (int(one) for one in phone.locator(".sides b").all_inner_texts())
            for side, cotos in zip(
                phone.locator(".sides li").all_inner_texts(),
                ((own, other), (other, own)),
                strict=True,
            ):
                made[players_in(side)] = Cotos(*cotos)
        self.desk.follow(self.page.locator(".crumbs a").last.inner_text())
        expect(self.page.locator(".playing .tag.confirmed")).to_have_count(4)
        return made

    def close(self) -> list[tuple[frozenset[str], int, int]]:
        """The end of the evening; players, place and points of each row of the league."""
        self.desk.unfold("Cerrar la jornada")
        self.desk.press("Sí, cerrar")
        self.desk.follow("Temporada")
        expect(self.page.locator("h1")).to_have_text(LEAGUE)
        pairs, places, points = (
            self.page.locator(f".standings tbody {cell}").all_inner_texts()
            for cell in ("th", ".place", ".points")
        )
        rows = zip(pairs, map(int, places), map(int, points), strict=True)
        return [(players_in(pair), place, point) for pair, place, point in rows]


def players_in(text: str) -> frozenset[str]:
    return frozenset(name for name in PLAYERS if name in text)


def play_first_evening(
    folder: Path, network: OwnNetwork, served: Served, link: str
) -> FirstEvening:
    """Play it at a house that has opened this link in the browser of its computer.

    ``folder``: for a program that starts the browser of the phones.
    """
    with (
        running(path=browser_of_phones(folder, network)) as browser,
        closing(NodePage(*network.computer)) as node,
    ):
        phones = Phones(browser, f"http://{network.address}:{PORT}/")
        page = PageInNode(node, served).visit(link[link.index("/alta") :])
        evening = FirstEvening(Hand(page), phones)
        with described(phones.context):
            evening.open_house()
            evening.open_league()
            evening.draw()
            made = evening.play()
            rows = evening.close()
        best = sorted({one.rank for one in made.values()}, reverse=True)
        assert [len(made), len(best)] == [8, 4]
        assert {pair: (place, points) for pair, place, points in rows} == {
            pair: (1 + 2 * best.index(one.rank), one.points) for pair, one in made.items()
        }
        assert [place for _, place, _ in rows] == [1, 1, 3, 3, 5, 5, 7, 7]
        assert evening.taps <= MOST, evening.taps
        phones.are_well()
        page.is_well()
    return evening


@pytest.mark.parametrize("one_process", ["", "1"] if IS_LONG else [""])
def test_a_first_evening_over_a_wifi_takes_few_taps_of_desk_and_phones(
    tmp_path: Path, one_process: str
) -> None:
    with (
        closing(OwnNetwork()) as network,
        guinote(tmp_path, network, GUINOTE_ONE_PROCESS=one_process) as (served, link),
    ):
        play_first_evening(tmp_path, network, served, link)
