"""The tour of the table: walked to its end, left and begun again; nothing of it leaves the page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser

from api.encuentros.acts import parse_received_act
from api.http.languages import texts_of_language
from referee.aggregates.partida import Partida, fold
from referee.rules.profile.profile import profile
from referee.table.readings import TableReading, empty_table
from tests.support.browser.keying import expect
from tests.support.browser.pages import (
    LOOKED_AT,
    PHONE,
    TABLET,
    address,
    connect,
    cut_off,
    kept_offline,
    no_violations,
    no_violations_in_any_language,
    visiting,
)
from tests.support.browser.tablets import ENCUENTROS, Club
from tests.support.page_in_node import PageInNode
from tests.support.servers.served import Served

TOUR = "/arbitro/#/prueba"
STEPS = 15
IN_SHEETS, READ = (5, 6), 12
STILL = {"reduced_motion": "reduce"}
_RECORD = """async () => {
  const load = globalThis.modules ?? ((address) => import(address));
  const { practice } = await load("/static/tablet/tour/practice.js");
  const { standing } = await load("/static/tablet/rules/index.js");
  return standing(practice().table.state().partidas[0].entries).map(({ act }) => act);
}"""
_KEPT = """async () => {
  const { read } = await import("/static/tablet/outbox/store.js");
  return read(["queue", "tables", "entries"], async (tx) =>
    (await Promise.all(["queue", "tables", "entries"].map((name) => tx.objectStore(name).getAll()))).flat());
}"""


class TourWalk:
    """The page of the tour, in a browser or in node."""

    def __init__(self, page: Any, lang: str = "es") -> None:
        self.page, self.words = page, texts_of_language(lang)

    @property
    def strip(self) -> Any:
        """The strip over the table."""
        return self.page.locator("main > .tour")

    @property
    def marked(self) -> Any:
        """What is to be tapped."""
        return self.page.locator("[data-tour]")

    def at(self, step: int) -> None:
        """Wait for a step."""
        said = self.words["tablet.tour.at"].format(n=step, of=STEPS)
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


@contextmanager
def touring(
    browser: Browser, served: Served, lang: str = "es", **settings: Any
) -> Iterator[TourWalk]:
    """The tour in a browser, from its beginning; nothing is written, asked about or kept of it."""
    asked: list[tuple[str, str]] = []
    with visiting(browser, served, "/entrar", signed_in=True, **STILL, **settings) as page:
        page.on("request", lambda one: asked.append((one.method, urlsplit(one.url).path)))
        walk = TourWalk(page, lang)
        page.goto(address(served, TOUR))
        expect(walk.marked).to_be_visible()
        yield walk
        assert {method for method, _ in asked} <= {"GET", "HEAD"}
        assert not [path for _, path in asked if "/encuentros/" in path]
        assert page.evaluate(_KEPT) == []


@contextmanager
def touring_in_node(tablet: PageInNode) -> Iterator[TourWalk]:
    """The tour in node, from its beginning; nothing is kept of it."""
    with tablet.at("#/prueba"):
        walk = TourWalk(tablet)
        expect(walk.marked).to_be_visible()
        yield walk
        assert tablet.evaluate(_KEPT) == []


def as_read_by_the_service(acts: list[dict[str, Any]]) -> Partida:
    """The table that the rules of the service make of these acts."""
    start = empty_table(profile("club").options(4, 40), "")
    return fold((parse_received_act(act).act for act in acts), Partida(reading=TableReading(start)))


def test_the_tour_is_walked_by_keys_and_taps_to_its_end_on_a_phone_without_network(
    browser: Browser, served: Served
) -> None:
    dark_phone = {**PHONE, "color_scheme": "dark", "locale": "ca-ES"}
    before = Club(served).ask("GET", ENCUENTROS)["items"]
    with touring(browser, served, "ca", **dark_phone) as walk:
        page, words = walk.page, walk.words
        no_violations(page)
        kept_offline(page)
        cut_off(page)
        page.reload()
        first_steps_by_keys(walk)
        for step in range(5, 12):
            walk.tap(step)
        sheet = page.locator("dialog.sheet")
        expect(sheet.locator(".findings li")).to_contain_text(words["rule.follow"])
        expect(sheet.locator(".tour .step")).to_have_text(words["tablet.tour.step.read"])
        no_violations(page)
        for step in range(12, 14):
            walk.tap(step)
        expect(page.locator("button.sync")).to_have_attribute("data-status", "offline")
        expect(page.locator("button.sync")).to_contain_text("(1)")
        for target in (page.locator("header.top a.help"), page.locator(".bar .undo")):
            box: Any = target.bounding_box()
            assert min(box["width"], box["height"]) >= 44
        for step in range(14, 16):
            walk.tap(step)
        expect(walk.strip.locator(".step")).to_have_text(words["tablet.tour.end"])
        expect(page.locator("#decided")).to_contain_text("Ana")
        read = as_read_by_the_service(walk.record()).table
        assert [(one.rule, one.seat) for one in read.findings] == [("follow", "B2")]
        assert read.decided is not None
        assert read.decided.winner == "A"
        connect(page)
        looks_alike_on_a_tablet(walk, served)
    assert Club(served).ask("GET", ENCUENTROS)["items"] == before


def first_steps_by_keys(walk: TourWalk) -> None:
    """What is marked can be reached and pressed by keys."""
    for step in (1, 2, 3, 4):
        walk.at(step)
        walk.marked.focus()
        walk.page.keyboard.press("Enter")
    walk.at(5)
    expect(walk.strip.locator("[role=status]")).to_contain_text("Alicia")
    assert len(walk.record()) == 6


def looks_alike_on_a_tablet(walk: TourWalk, served: Served) -> None:
    """The beginning of the tour, in light colours and each language that is looked at."""
    walk.page.emulate_media(color_scheme="light")
    walk.page.set_viewport_size(TABLET["viewport"])
    for lang in LOOKED_AT:
        walk.page.goto(address(served, f"/arbitro/?lang={lang}#/prueba"))
        expect(walk.marked).to_be_visible()
        no_violations_in_any_language(walk.page)


def test_a_tap_elsewhere_does_nothing_but_say_where(tablet: PageInNode) -> None:
    with touring_in_node(tablet) as walk:
        walk.tap(1)
        walk.at(2)
        walk.page.locator('.table > .pad [data-card="AO"]').tap()
        walk.page.locator(".bar [data-sheet], .bar button").last.tap()
        expect(walk.strip.locator(".done")).to_have_text(walk.words["tablet.tour.elsewhere"])
        expect(walk.page.locator("dialog.sheet")).to_have_count(0)
        assert walk.record() == []
        walk.tap(2)
        walk.at(3)
        assert [act["kind"] for act in walk.record()] == ["deal", "pinta"]


def test_it_can_be_left_and_begun_again_and_each_step_skipped(tablet: PageInNode) -> None:
    with touring_in_node(tablet) as walk:
        words = walk.words
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
