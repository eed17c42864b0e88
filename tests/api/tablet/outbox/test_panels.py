"""The panel of the bar: what it says, what its choices do, and how it looks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser
from playwright.sync_api import expect as expect_in_browser

from tests.api.tablet.outbox.conftest import Restored
from tests.api.tablet.test_agreement import won_by_a
from tests.support.browser.overlaps import SCREENS, overlaps
from tests.support.browser.pages import (
    LOOKED_AT,
    READ,
    no_violations,
    no_violations_in_any_language,
)
from tests.support.browser.tablets import Tablet, tablet
from tests.support.javascript import HERE
from tests.support.outbox import OPENED, Club, Outbox, played, short
from tests.support.page_in_node import Found, PageInNode, expect
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

OPENING = ["deal", "pinta"]
LED = played("A1 3O")
TRICK = played("A1 3O", "B1 4O", "A2 5O", "B2 6O")
IN_SHORT = ["A1 3O", "B1 4O", "A2 5O", "B2 6O"]
NO_DISK = """Object.defineProperty(IDBFactory.prototype, "open", {
  value: () => { throw new DOMException("a private window", "InvalidStateError"); },
});"""
_OPEN = """async (encuentro) => {
  const { openTable } = await modules("/static/tablet/outbox/table.js");
  globalThis.table = await openTable(encuentro);
}"""
_WITHDRAW = """async (encuentro) => {
  const { openTable } = await import("/static/tablet/outbox/table.js");
  await (await openTable(encuentro)).amend(6, [{ line: 1, how: "withdraw" }]);
}"""
_AHEAD = """(ms) => {
  const real = Date.now;
  Date.now = () => real() + ms;
}"""
_SITE = f"""import("{(HERE / "node" / "site.mjs").as_uri()}")"""


def said(text: str) -> dict[str, Any]:
    """An incident that is always possible."""
    return {"kind": "incident", "incident": "other", "text": text}


class Shown(Outbox):
    """A table on the tablet in node, with its panel."""

    def __init__(self, page: PageInNode, encuentro: str) -> None:
        self.page, self.encuentro = page, encuentro
        self._look()

    def _look(self) -> None:
        expect(self.page.locator("main section.table")).to_be_visible()
        self.do(_OPEN, self.encuentro)

    def do(self, script: str, given: Any = None) -> Any:
        return self.page.evaluate(script, given)

    def wait_for(self, script: str, given: Any = None) -> None:
        self.page.wait_for_function(script, arg=given)

    def network(self, *, is_on: bool) -> None:
        self.page.network(is_on=is_on)

    def reload(self) -> Shown:
        self.page.reload()
        self._look()
        return self

    def panel(self, css: str) -> Found:
        """Something in the panel."""
        return self.page.locator("dialog.panel[open]").locator(css)

    def choose(self, choice: str) -> None:
        """A choice in the panel."""
        self.panel(f"[data-choice={choice}]").tap()

    def apart(self, club: Club, mine: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> None:
        """The tablet records offline while another device records; the panel opens by itself."""
        self.network(is_on=False)
        self.record(*mine)
        club.record(self.encuentro, *theirs)
        self.network(is_on=True)
        expect(self.page.locator("dialog[role=alertdialog] [data-choice=both]")).to_be_visible()


@contextmanager
def shown(tablet: PageInNode, encuentro: str) -> Iterator[Shown]:
    """The page of a table that there is."""
    with tablet.at(f"#/mesa/{encuentro}"):
        yield Shown(tablet, encuentro)


@pytest.fixture
def one(tablet: PageInNode, where: str) -> Iterator[Shown]:
    """The page of this table, on which nothing waits."""
    with shown(tablet, where) as found:
        yield found.sent()


BECAUSE = "Otra tableta apuntó lo mismo de otra manera; vale lo de esta."
CHOICES = {
    "both": (["A1 3O", "theirs", "B1 4O"], []),
    "theirs": (["A1 3O", "theirs"], ["A1 3O", "B1 4O"]),
    "mine": (["A1 3O", "theirs", BECAUSE, "A1 3O", "B1 4O"], []),
}


@pytest.mark.parametrize("choice", CHOICES)
def test_records_stand_side_by_side_and_a_choice_does_what_it_says(
    one: Shown, club: Club, where: str, choice: str
) -> None:
    one.apart(club, TRICK[:2], [*LED, said("theirs")])
    theirs, mine = one.panel(".records section").all_inner_texts()
    assert [("tres de oros" in text, "theirs" in text) for text in (theirs, mine)] == [
        (True, True),
        (True, False),
    ]
    assert "cuatro de oros" in mine
    assert one.panel("input[type=checkbox]:checked").count() == 1
    one.choose(choice)
    one.sent()
    expect(one.page.locator("dialog.panel")).to_have_count(0)
    log, aside = CHOICES[choice]
    assert (club.log(where), one.aside()) == ([*OPENING, *log], aside)
    assert one.shown() == club.log(where)


def test_what_both_keyed_alike_is_ticked_and_is_two_acts_if_that_is_taken_away(
    one: Shown, club: Club, where: str
) -> None:
    one.apart(club, [said("they talk")], [said("they talk")])
    box = one.panel("input[type=checkbox]")
    expect(box).to_be_checked()
    box.uncheck()
    one.choose("both")
    one.sent()
    assert club.log(where) == [*OPENING, "they talk", "they talk"]


def test_the_drawer_has_what_was_set_aside_and_sends_one_of_it(
    one: Shown, club: Club, where: str
) -> None:
    one.apart(club, [said("mine 1"), said("mine 2")], [said("theirs")])
    one.choose("theirs")
    one.sent()
    one.reload()
    one.page.locator("button.sync").tap()
    row = one.panel("ul.record li").filter(has_text="mine 2")
    row.get_by_role("button", name="Enviarlo ahora").tap()
    wait_for(lambda: club.log(where)[-1] == "mine 2", "it was sent")
    wait_for(lambda: one.aside() == ["mine 1"], "what was sent is set aside no more")
    one.sent()
    assert (club.log(where), one.aside()) == ([*OPENING, "theirs", "mine 2"], ["mine 1"])


def test_a_refused_act_is_sent_again_as_it_was_and_corrected_in_its_form(
    one: Shown, club: Club, where: str
) -> None:
    one.record(*LED)
    one.sent()
    one.network(is_on=False)
    one.record(*played("B1 3O", "A2 5O"))
    one.network(is_on=True)
    expect(one.panel(".wrong")).to_contain_text("tres de oros")
    expect(one.panel(".waiting li")).to_have_text("Celia juega el cinco de oros")
    assert club.log(where) == [*OPENING, "A1 3O"]
    address = one.panel("a[download]").get_attribute("href")
    kept = one.do("async (address) => (await fetch(address)).json()", address)
    plays = [[short(act) for act in one["body"]["acts"]] for one in kept["requests"]]
    assert plays == [["B1 3O"], ["A2 5O"]]

    def sent() -> list[Any]:
        return list(one.do(f"{_SITE}.then(({{ site }}) => site.sent)"))

    before = sent()
    one.choose("again")
    wait_for(lambda: sent()[len(before) :] == before[-1:], "the same request is sent again")
    one.wait("refused")
    expect(one.panel(".wrong")).to_contain_text("tres de oros")
    one.panel('.pad [data-card="4O"]').tap()
    one.panel("form .main").tap()
    one.sent()
    assert club.log(where) == [*OPENING, "A1 3O", "B1 4O", "A2 5O"] == one.shown()


def test_what_a_restored_server_lost_is_told_and_sent_again(
    tablet: PageInNode, restored: Restored
) -> None:
    club = restored.club
    where = club.encuentro()
    with shown(tablet, where) as one:
        one.record(*OPENED, LED[0])
        one.sent()
        restored.keep()
        one.record(*TRICK[1:])
        one.amend({"line": 4, "how": "replace", "act": played("B1 2O")[0]}, because="era el dos")
        one.sent()
        restored.put_back()
        for is_new in (False, True):
            one = one.reload() if is_new else one
            expect(one.panel("h2")).to_have_text("Al ordenador del club le falta algo apuntado")
            expect(one.panel("[data-choice=both]")).to_be_visible()
            told = one.page.locator("dialog[role=alertdialog]")
            expect(told).to_contain_text("le falta algo que ya tenía (4)")
            expect(one.panel("[data-choice=mine]")).to_have_count(0)
        one.choose("both")
        one.sent()
        assert club.log(where) == [*OPENING, *IN_SHORT, "era el dos"] == one.shown()


def test_who_is_signed_out_loses_nothing_and_goes_on_once_they_signed_in(
    one: Shown, served: Served, club: Club, where: str
) -> None:
    one.page.ask("signIn", "")
    one.record(*TRICK)
    assert one.wait("signed_out") == "signed_out"
    assert club.log(where) == OPENING
    one.page.locator("button.sync").tap()
    expect(one.panel(".waiting li")).to_have_count(4)
    one.panel("a.button[href^='/entrar']").tap()
    one.page.fill("[name=token]", served.token)
    one.page.locator("form.token button").tap()
    one.page.wait_for_url(f"*/arbitro/#/mesa/{where}")
    Shown(one.page, where).sent()
    assert club.log(where) == [*OPENING, *IN_SHORT]


# --- how the panels look ----------------------------------------------------------------------------


def test_every_panel_fits_has_contrast_and_large_targets(
    browser: Browser, restored: Restored
) -> None:
    club = restored.club
    for lang in LOOKED_AT:
        where = club.encuentro()
        club.record(where, *OPENED)
        with tablet(browser, restored.served, where, locale=lang) as one:
            look_at_each(one, club)
            if lang == LOOKED_AT[0]:
                look_at_rare_ones(one, restored)


def look_at_each(one: Tablet, club: Club) -> None:
    """Panels that a table may show on any evening."""
    page = one.page
    one.network(is_on=False)
    one.record(*LED)
    one.wait("offline")
    no_violations_in_any_language(page)
    club.record(one.encuentro, *LED, said("theirs"))
    one.network(is_on=True)
    page.wait_for_selector("dialog [data-choice=both]")
    no_violations_in_any_language(page)
    assert [found for screen in SCREENS for found in overlaps(page, *screen)] == []
    targets = page.locator("dialog button, button.sync, header nav a, dialog label")
    heights = "(all) => all.map((one) => one.getBoundingClientRect().height)"
    assert min(targets.evaluate_all(heights)) >= 48
    one.choose("both")
    one.sent()
    one.record(*LED)
    page.wait_for_selector("dialog [data-choice=aside]")
    no_violations_in_any_language(page)
    one.choose("aside")
    one.sent()
    page.click("button.sync")
    no_violations_in_any_language(page)
    page.keyboard.press("Escape")
    assert "tablet." not in page.inner_text("body")


def look_at_rare_ones(one: Tablet, restored: Restored) -> None:
    """Panels that a club may see once in a year."""
    page, club = one.page, restored.club
    one.record(*TRICK[1:])
    several = [{"kind": "review", "seat": "B2", "trick": trick} for trick in (9, 8)]
    one.do("(acts) => table.record(1, acts)", several)
    page.locator("dialog.panel .choice .option").first.click()
    page.wait_for_selector('dialog.panel [data-trick="1"]')
    no_violations(page)
    one.choose("aside")
    one.sent()
    restored.keep()
    one.record(said("lost"))
    one.sent()
    restored.put_back()
    page.wait_for_selector("dialog[role=alertdialog] [data-choice=both]")
    no_violations(page)
    one.choose("both")
    one.sent()
    page.goto(f"{one.base}/arbitro/#/mesa/{won_by_a(club)}")
    page.locator("[data-report=A1]").tap()
    expect_in_browser(page.locator("[data-confirm=B2]")).to_be_visible()
    one.do(_WITHDRAW, page.url.rpartition("/")[2])
    page.wait_for_selector("dialog.panel form input")
    no_violations(page)
    page.locator("dialog [data-choice=aside]").click()
    one.context.clear_cookies()
    page.wait_for_selector("button.sync[data-status=signed_out]")
    page.click("button.sync")
    no_violations(page)


def asks_before_closing(one: Tablet) -> bool:
    """Whether the page asks before it is closed; it begins and ends to ask after it was drawn."""
    return bool(one.do("!dispatchEvent(new Event('beforeunload', { cancelable: true }))"))


def test_a_private_window_says_in_readable_colours_that_nothing_is_kept_and_sends_all_the_same(
    browser: Browser, served: Served, club: Club
) -> None:
    for lang in READ:
        where = club.encuentro()
        look_at = no_violations if lang == "ca" else no_violations_in_any_language
        colours = "dark" if lang == "ca" else "light"
        with tablet(browser, served, where, locale=lang, color_scheme=colours) as one:
            one.context.add_init_script(NO_DISK)
            one.reload()
            one.page.click("button.sync")
            expect_in_browser(one.page.locator("dialog.panel .wrong")).to_be_visible()
            look_at(one.page)
            assert "tablet." not in one.page.locator("body").inner_text()
            one.page.keyboard.press("Escape")
            if lang == READ[0]:
                keeps_nothing(one, club)


def keeps_nothing(one: Tablet, club: Club) -> None:
    """It warns, and sends what it has as soon as it can."""
    where = one.encuentro
    warning = one.page.locator(".unkept")
    expect_in_browser(warning).to_contain_text("Si se cierra, aquí no queda nada")
    one.record(*OPENED, TRICK[0])
    one.sent()
    assert club.log(where) == [*OPENING, "A1 3O"] == one.shown()
    one.network(is_on=False)
    one.record(*TRICK[1:])
    assert one.shown() == [*OPENING, "A1 3O", "B1 4O?", "A2 5O?", "B2 6O?"]
    expect_in_browser(one.page.locator("button.sync")).to_contain_text("Solo en esta página (3)")
    wait_for(lambda: asks_before_closing(one), "the page asks before it is closed")
    one.network(is_on=True)
    one.sent()
    assert club.log(where) == [*OPENING, *IN_SHORT] == one.shown()
    wait_for(lambda: not asks_before_closing(one), "the page can be closed")


def test_a_tablet_whose_clock_is_not_that_of_the_club_says_so(
    one: Shown, club: Club, where: str
) -> None:
    apart = one.page.locator(".sync.unsafe").filter(has_text="no marcan la misma hora")
    expect(apart).to_have_count(0)
    one.do(_AHEAD, 4 * 60_000)
    one.record(TRICK[0])
    expect(apart).to_have_count(1)
    one.sent()
    one.do(_AHEAD, -4 * 60_000)
    one.record(TRICK[1])
    expect(apart).to_have_count(0)
    one.sent()
    assert club.log(where) == [*OPENING, *IN_SHORT[:2]]
