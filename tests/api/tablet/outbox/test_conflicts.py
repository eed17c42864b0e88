"""Two tablets on one table, and refused acts: nothing is lost, the arbiter chooses."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.support.browser.overlaps import SCREENS, overlaps
from tests.support.browser.pages import LOOKED_AT, no_violations, no_violations_in_any_language
from tests.support.browser.tablets import OPENED, Club, Tablet, played, tablet
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

OPENING = ["deal", "pinta"]
LED = played("A1 3O")


def said(text: str) -> dict[str, Any]:
    """An incident that is always possible."""
    return {"kind": "incident", "incident": "other", "text": text}


@pytest.fixture
def club(served: Served) -> Club:
    return Club(served)


@pytest.fixture
def where(club: Club) -> str:
    """An encuentro whose first deal is opened."""
    found = club.encuentro()
    club.record(found, *OPENED)
    return found


def apart(
    one: Tablet, club: Club, mine: list[dict[str, Any]], theirs: list[dict[str, Any]]
) -> None:
    """The tablet records offline while another device records; then they synchronise."""
    one.network(is_on=False)
    one.record(*mine)
    club.record(one.encuentro, *theirs)
    one.network(is_on=True)
    one.wait("conflict")
    one.page.wait_for_selector("dialog[role=alertdialog] [data-choice=both]")


def test_theirs_and_then_mine_with_corrections_that_still_mean_the_same_lines(
    browser: Browser, served: Served, club: Club, where: str
) -> None:
    with tablet(browser, served, where) as one:
        one.sent()
        one.network(is_on=False)
        one.record(said("mine 1"), said("mine 2"))
        one.do("table.undo(1)")
        change = {"line": 3, "how": "replace", "act": said("mine 1 corrected")}
        one.do("(change) => table.amend(1, [change], '')", change)
        club.record(where, said("theirs 1"), said("theirs 2"))
        one.network(is_on=True)
        one.wait("conflict")
        assert club.log(where) == [*OPENING, "theirs 1", "theirs 2"]
        one.page.wait_for_timeout(2_500)  # it must not update while acts wait
        one.choose("both")
        one.sent()
        log = [*OPENING, "theirs 1", "theirs 2", "mine 1", "mine 2", "-6", "amend"]
        assert club.log(where) == log == one.shown()
        (last,) = club.partidas(where)[0]["entries"][-1]["act"]["changes"]
        assert last == {**change, "line": 5}


def test_only_theirs_and_mine_in_the_drawer_from_which_it_is_sent_after_all(
    browser: Browser, served: Served, club: Club, where: str
) -> None:
    with tablet(browser, served, where) as one:
        apart(one, club, [said("mine 1"), said("mine 2")], [said("theirs")])
        one.choose("theirs")
        one.sent()
        assert (club.log(where), one.aside()) == ([*OPENING, "theirs"], ["mine 1", "mine 2"])
        one.reload()
        one.page.click("button.sync")
        no_violations(one.page)
        one.page.locator("dialog ul.record li", has_text="mine 2").get_by_role("button").click()
        wait_for(lambda: club.log(where)[-1] == "mine 2", "it was sent")
        one.sent()
        assert (club.log(where), one.aside()) == ([*OPENING, "theirs", "mine 2"], ["mine 1"])


def test_only_mine_takes_back_what_the_other_recorded_and_keeps_my_order(
    browser: Browser, served: Served, club: Club, where: str
) -> None:
    club.record(where, *LED)
    with tablet(browser, served, where) as one:
        one.sent()
        one.network(is_on=False)
        one.record(*played("B1 4O"), said("mine"))
        club.record(where, *played("B1 5O"), said("theirs"))
        version = club.partidas(where)[0]["version"]
        corrected = [{"line": 3, "how": "replace", "act": played("A1 AO")[0]}]
        path = f"/api/v1/encuentros/{where}/partidas/1/amendments"
        club.ask("POST", path, {"changes": corrected}, version)
        one.network(is_on=True)
        one.wait("conflict")
        one.page.wait_for_selector("dialog [data-choice=mine]")
        no_violations(one.page)
        one.choose("mine")
        one.sent()
        why = "Otra tableta apuntó lo mismo de otra manera; vale lo de esta."
        log = [*OPENING, "A1 3O", "B1 5O", "theirs", "amend", why, "B1 4O", "mine"]
        assert (club.log(where), one.aside()) == (log, [])
        assert one.shown() == log

        def on_table() -> list[tuple[str, str]]:
            view = club.ask("GET", f"/api/v1/encuentros/{where}/partidas/1")
            return [(play["seat"], play["card"]) for play in view["deals"][0]["on_table"]]

        wait_for(lambda: on_table() == [("A1", "3O"), ("B1", "4O")], "mine are on the table")
        taken_back = club.partidas(where)[0]["entries"][6]["act"]
        assert [change["line"] for change in taken_back["changes"]] == [4, 5, 6]


_TAKING_BACK = """async ([log, upTo]) => {
  const { takingBack } = await import("/static/tablet/outbox/taking_back.js");
  return takingBack(log, upTo).map((changes) => changes.map(({ line }) => line));
}"""


def test_what_the_other_withdrew_with_a_correction_of_mine_does_not_stand_again(
    browser: Browser, served: Served, where: str
) -> None:
    amended = {"kind": "amend", "changes": [{"line": line, "how": "withdraw"} for line in (1, 3)]}
    acts = [*OPENED, said("theirs"), amended]
    log = [{"line": line, "act": act} for line, act in enumerate(acts, 1)]
    with tablet(browser, served, where) as one:
        assert one.do(_TAKING_BACK, [log, 2]) == [[4], [3]]
        assert one.do(_TAKING_BACK, [log[:2], 2]) == []


def test_what_both_keyed_alike_is_asked_once_and_recorded_once(
    browser: Browser, served: Served, club: Club, where: str
) -> None:
    with tablet(browser, served, where) as one:
        mine = played("A1 3O", "B1 4O", "A2 5O")
        apart(one, club, mine, [*mine[:1], said("theirs"), *mine[1:2]])
        assert one.page.locator("dialog input[type=checkbox]:checked").count() == 2
        one.choose("both")
        one.sent()
        assert club.log(where) == [*OPENING, "A1 3O", "theirs", "B1 4O", "A2 5O"] == one.shown()
        assert one.aside() == []


def test_what_looks_alike_may_have_happened_twice(
    browser: Browser, served: Served, club: Club, where: str
) -> None:
    with tablet(browser, served, where) as one:
        apart(one, club, [said("they talk")], [said("they talk")])
        one.page.locator("dialog input[type=checkbox]").uncheck()
        one.choose("both")
        one.sent()
        assert club.log(where) == [*OPENING, "they talk", "they talk"]


def test_two_tablets_that_begin_the_same_partida_begin_it_once(
    browser: Browser, served: Served, club: Club
) -> None:
    where = club.encuentro(partidas=0)
    with tablet(browser, served, where) as one:
        one.network(is_on=False)
        one.do("table.start()")
        one.record(*OPENED, said("mine"))
        club.ask("POST", f"/api/v1/encuentros/{where}/partidas", {}, 2)
        club.record(where, OPENED[0], said("theirs"))
        one.network(is_on=True)
        one.wait("conflict")
        one.choose("both")
        one.sent()
        assert len(club.partidas(where)) == 1
        assert club.log(where) == ["deal", "theirs", "pinta", "mine"] == one.shown()


def test_a_conflict_is_still_there_after_a_reload_without_network(
    browser: Browser, served: Served, club: Club, where: str
) -> None:
    with tablet(browser, served, where) as one:
        one.keep_offline()
        apart(one, club, [said("mine")], [said("theirs")])
        one.network(is_on=False)
        one.reload()
        records = one.page.locator("dialog .records section")
        assert "theirs" in records.nth(0).inner_text()
        assert "mine" in records.nth(1).inner_text()
        one.choose("both")
        one.network(is_on=True)
        one.sent()
        assert club.log(where) == [*OPENING, "theirs", "mine"]


def test_a_tablet_with_nothing_to_send_follows_the_other(
    browser: Browser, served: Served, club: Club, where: str
) -> None:
    with (
        tablet(browser, served, where) as one,
        tablet(browser, served, where) as other,
    ):
        one.sent()
        other.record(*LED)
        other.sent()
        wait_for(lambda: one.shown() == [*OPENING, "A1 3O"], "the act of the other")
        one.record(*played("B1 4O"))
        wait_for(lambda: other.shown()[-1] == "B1 4O", "the act of the one")
        club.ask("POST", f"/api/v1/encuentros/{where}/partidas/1/acts", {"acts": [said("x")]}, 4)
        wait_for(lambda: one.shown()[-1] == "x" == other.shown()[-1], "the act of a program")


def test_a_refused_act_is_corrected_and_what_waits_behind_it_follows(
    browser: Browser, served: Served, club: Club, where: str
) -> None:
    with tablet(browser, served, where) as one:
        one.record(*LED)
        one.sent()
        one.network(is_on=False)
        one.record(*played("B1 3O", "A2 5O"))
        one.network(is_on=True)
        one.wait("refused")
        assert club.log(where) == [*OPENING, "A1 3O"]
        assert "tres de oros" in one.page.inner_text("dialog .wrong")
        one.page.locator('dialog .pad [data-card="4O"]').click()
        one.page.locator("dialog form .main").click()
        one.sent()
        assert club.log(where) == [*OPENING, "A1 3O", "B1 4O", "A2 5O"] == one.shown()


def test_a_refused_act_is_set_aside_with_the_corrections_of_it(
    browser: Browser, served: Served, club: Club, where: str
) -> None:
    with tablet(browser, served, where) as one:
        one.record(*LED)
        one.sent()
        one.network(is_on=False)
        one.record(*played("B1 3O"))
        change = {"line": 4, "how": "replace", "act": played("B1 AO")[0]}
        one.do("(change) => table.amend(1, [change], '')", change)
        one.record(said("talk"))
        one.do("table.undo(1)")
        one.network(is_on=True)
        one.wait("refused")
        one.choose("aside")
        one.sent()
        assert club.log(where) == [*OPENING, "A1 3O", "talk", "-4"] == one.shown()
        assert one.aside() == ["B1 3O", "amend"]


@pytest.mark.parametrize("lang", LOOKED_AT)
def test_everybody_can_use_the_panels(
    browser: Browser, served: Served, club: Club, where: str, lang: str
) -> None:
    with tablet(browser, served, where, locale=lang) as one:
        one.network(is_on=False)
        one.record(*LED)
        one.wait("offline")
        no_violations_in_any_language(one.page)
        club.record(where, *LED, said("theirs"))
        one.network(is_on=True)
        one.page.wait_for_selector("dialog [data-choice=both]")
        no_violations_in_any_language(one.page)
        assert [found for screen in SCREENS for found in overlaps(one.page, *screen)] == []
        targets = one.page.locator("dialog button, button.sync, header nav a, dialog label")
        assert min(target.bounding_box()["height"] for target in targets.all()) >= 48
        one.choose("both")
        one.sent()
        one.record(*LED)
        one.page.wait_for_selector("dialog [data-choice=aside]")
        no_violations_in_any_language(one.page)
        one.choose("aside")
        one.sent()
        one.page.click("button.sync")
        no_violations_in_any_language(one.page)
        assert "tablet." not in one.page.inner_text("body")
