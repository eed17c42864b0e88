"""The tour of the table: walked to its end, left and begun again; nothing of it leaves the page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from api.encuentros.acts import read_act
from api.http.languages import texts
from referee.encuentro.partida import Partida, fold
from referee.rules.profile.profile import profile
from referee.table.reading import TableReading, empty_table
from tests.support.browser.pages import (
    HEAVIEST_PAGE,
    PHONE,
    TABLET,
    address,
    cut_off,
    kept_offline,
    no_violations,
    no_violations_in_any_language,
    visiting,
    weight_of,
)
from tests.support.browser.tablets import ENCUENTROS, Club
from tests.support.servers.served import Served

TOUR = "/arbitro/#/prueba"
STEPS = 15
IN_SHEETS, READ = (5, 6), 12
STILL = {"reduced_motion": "reduce"}
_RECORD = """async () => {
  const { practice } = await import("/static/tablet/tour/practice.js");
  const { standing } = await import("/static/tablet/rules/index.js");
  return standing(practice().table.state().partidas[0].entries).map(({ act }) => act);
}"""
_KEPT = """async () => {
  const { read } = await import("/static/tablet/outbox/store.js");
  return read(["queue", "tables", "entries"], async (tx) =>
    (await Promise.all(["queue", "tables", "entries"].map((name) => tx.objectStore(name).getAll()))).flat());
}"""


class TourWalk:
    """The page of the tour, and every request that it made."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.asked: list[tuple[str, str]] = []
        page.on("request", lambda one: self.asked.append((one.method, urlsplit(one.url).path)))

    @property
    def strip(self) -> Locator:
        """The strip over the table."""
        return self.page.locator("main > .tour")

    @property
    def marked(self) -> Locator:
        """What is to be tapped."""
        return self.page.locator("[data-tour]")

    def at(self, step: int) -> None:
        """Wait for a step."""
        words = texts(str(self.page.get_attribute("html", "lang")))["tablet.tour.at"]
        said = words.format(n=step, of=STEPS)
        expect(self.strip.locator(".at")).to_have_text(said)

    def tap(self, step: int) -> None:
        """Tap what is marked; in some steps it opens a sheet, where something is marked again."""
        self.at(step)
        self.marked.tap()
        if step in IN_SHEETS:
            self.page.locator("dialog.sheet [data-tour]").tap()

    def record(self) -> list[dict[str, Any]]:
        """Acts that stand at the table of the tour."""
        return list(self.page.evaluate(_RECORD))

    def sent_nothing(self) -> None:
        """Nothing was written, nor was the table of the tour asked about; nothing of it is kept."""
        assert {method for method, _ in self.asked} <= {"GET", "HEAD"}
        assert not [path for _, path in self.asked if "/encuentros/" in path]
        assert self.page.evaluate(_KEPT) == []


@contextmanager
def touring(browser: Browser, served: Served, **settings: Any) -> Iterator[TourWalk]:
    """The tour, from its beginning."""
    with visiting(browser, served, "/entrar", signed_in=True, **STILL, **settings) as page:
        walk = TourWalk(page)
        page.goto(address(served, TOUR))
        expect(walk.marked).to_be_visible()
        yield walk
        walk.sent_nothing()


def as_read_by_the_service(acts: list[dict[str, Any]]) -> Partida:
    """The table that the rules of the service make of these acts."""
    start = empty_table(profile("club").options(4, 40), "")
    return fold((read_act(act).act for act in acts), Partida(reading=TableReading(start)))


def test_the_tour_is_walked_to_its_end_on_a_phone_without_network(
    browser: Browser, served: Served
) -> None:
    words, before = texts("ca"), Club(served).ask("GET", ENCUENTROS)["items"]
    with touring(browser, served, **PHONE, locale="ca-ES") as walk:
        kept_offline(walk.page)
        cut_off(walk.page)
        walk.page.reload()
        for step in range(1, 12):
            walk.tap(step)
        sheet = walk.page.locator("dialog.sheet")
        expect(sheet.locator(".findings li")).to_contain_text(words["rule.follow"])
        expect(sheet.locator(".tour .step")).to_have_text(words["tablet.tour.step.read"])
        no_violations(walk.page)
        for step in range(12, 14):
            walk.tap(step)
        expect(walk.page.locator("button.sync")).to_have_attribute("data-status", "offline")
        expect(walk.page.locator("button.sync")).to_contain_text("(1)")
        for step in range(14, 16):
            walk.tap(step)
        expect(walk.strip.locator(".step")).to_have_text(words["tablet.tour.end"])
        expect(walk.page.locator("#decided")).to_contain_text("Ana")
        read = as_read_by_the_service(walk.record()).table
        assert [(one.rule, one.seat) for one in read.findings] == [("follow", "B2")]
        assert read.decided is not None
        assert read.decided.winner == "A"
    assert Club(served).ask("GET", ENCUENTROS)["items"] == before


def test_a_tap_elsewhere_does_nothing_but_say_where(browser: Browser, served: Served) -> None:
    with touring(browser, served, **TABLET) as walk:
        walk.tap(1)
        walk.at(2)
        walk.page.locator('.table > .pad [data-card="AO"]').tap()
        walk.page.locator(".bar [data-sheet], .bar button").last.tap()
        hint = walk.strip.locator(".done")
        expect(hint).to_have_text(texts("es")["tablet.tour.elsewhere"])
        expect(walk.page.locator("dialog.sheet")).to_have_count(0)
        assert walk.record() == []
        walk.tap(2)
        walk.at(3)
        assert [act["kind"] for act in walk.record()] == ["deal", "pinta"]


def test_it_can_be_left_and_begun_again_and_each_step_skipped(
    browser: Browser, served: Served
) -> None:
    words = texts("es")
    with touring(browser, served, **TABLET) as walk:
        for step in (1, 2, 3):
            walk.tap(step)
        walk.at(4)
        walk.strip.get_by_role("link", name=words["tablet.tour.leave"]).tap()
        walk.page.get_by_role("link", name=words["tablet.tour.offer"]).tap()
        walk.at(1)
        assert walk.record() == []
        for step in range(1, STEPS + 1):
            walk.at(step)
            strip = walk.page.locator("dialog.sheet .tour") if step == READ else walk.strip
            strip.get_by_role("button", name=words["tablet.tour.skip"]).tap()
        expect(walk.strip.locator(".step")).to_have_text(words["tablet.tour.end"])
        assert as_read_by_the_service(walk.record()).table.decided is not None
        walk.strip.get_by_role("button", name=words["tablet.tour.again"]).tap()
        walk.at(1)
        assert walk.record() == []


def test_the_tour_is_walked_by_keyboard(browser: Browser, served: Served) -> None:
    with touring(browser, served, **TABLET) as walk:
        for step in (1, 2, 3, 4):
            walk.at(step)
            walk.marked.focus()
            walk.page.keyboard.press("Enter")
        walk.at(5)
        expect(walk.strip.locator("[role=status]")).to_contain_text("Alicia")
        assert len(walk.record()) == 6


@pytest.mark.parametrize(
    "settings", [{}, {**PHONE, "color_scheme": "dark"}, {**TABLET, "locale": "fr-FR"}]
)
def test_everybody_can_use_the_tour_and_it_is_not_heavy(
    browser: Browser, served: Served, settings: dict[str, Any]
) -> None:
    with touring(browser, served, **settings) as walk:
        no_violations_in_any_language(walk.page)
        walk.page.wait_for_load_state("networkidle")
        assert 20_000 < weight_of(walk.page) < HEAVIEST_PAGE
