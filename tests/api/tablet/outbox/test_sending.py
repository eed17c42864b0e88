"""The outbox in a real browser: no tapped act is lost, repeated or reordered."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.support.browser.in_browser import FLAGS, program, running
from tests.support.browser.pages import TABLET, no_violations, sign_in, site
from tests.support.browser.tablets import (
    BY_NAME,
    INSECURE,
    OPENED,
    Club,
    Tablet,
    played,
    tablet,
)
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

TRICK = played("A1 3O", "B1 4O", "A2 5O", "B2 6O")
OPENING = ["deal", "pinta"]
IN_SHORT = ["A1 3O", "B1 4O", "A2 5O", "B2 6O"]


@pytest.fixture
def club(served: Served) -> Club:
    return Club(served)


def test_what_is_tapped_offline_stays_over_a_reload_in_mid_deal_and_is_sent_in_order(
    browser: Browser, served: Served, club: Club
) -> None:
    where = club.encuentro()
    with tablet(browser, served, where) as one:
        one.keep_offline().record(*OPENED, TRICK[0])
        one.sent()
        one.network(is_on=False)
        one.record(TRICK[1])
        one.reload().record(TRICK[2])
        one.reload()
        assert one.shown() == [*OPENING, "A1 3O", "B1 4O?", "A2 5O?"]
        assert (one.wait("offline"), club.log(where)) == ("offline", [*OPENING, "A1 3O"])
        one.record(TRICK[3])
        one.network(is_on=True)
        one.sent()
        assert club.log(where) == [*OPENING, *IN_SHORT] == one.shown()


def test_a_whole_partida_may_be_begun_undone_and_corrected_offline(
    browser: Browser, served: Served, club: Club
) -> None:
    where = club.encuentro(partidas=0)
    with tablet(browser, served, where) as one:
        one.network(is_on=False)
        assert one.do("table.start('B2')")
        one.record(*OPENED, *TRICK[:2])
        change = {"line": 3, "how": "replace", "act": played("A1 AO")[0]}
        one.do("(change) => table.amend(1, [change], 'era el as')", change)
        assert one.do("table.undo(1)")
        assert one.do("table.undo(1)")
        one.record({"kind": "concede", "side": "B"})
        one.do("table.start('A1')")
        one.record(OPENED[0], number=2)
        one.network(is_on=True)
        one.sent()
        partidas = club.partidas(where)
        assert [one["version"] for one in partidas] == [8, 1]
        texts = ["era el as", "-5", "-4", "concede"]
        assert club.log(where) == [*OPENING, "A1 3O", "B1 4O", *texts]
        assert one.shown(2) == ["deal"]


def test_an_answer_that_is_lost_after_the_server_recorded_it_does_no_harm(
    browser: Browser, served: Served, club: Club
) -> None:
    where = club.encuentro()
    with tablet(browser, served, where) as one:
        one.do("window.lost = 2")
        one.record(*OPENED)
        wait_for(lambda: club.log(where), "the first was recorded")
        one.record(*TRICK)
        one.sent()
        assert club.log(where) == [*OPENING, *IN_SHORT]
        first, second, third, *_ = one.do("sent")
        assert first == second == third  # the same key, version and body each time


def test_a_tablet_whose_browser_is_killed_comes_back_with_all_of_it(
    browser: Browser, served: Served, club: Club, tmp_path: Path
) -> None:
    where = club.encuentro()

    def start() -> Tablet:
        context = browser.browser_type.launch_persistent_context(
            str(tmp_path), executable_path=program(), args=FLAGS, locale="es-ES", **TABLET
        )
        return Tablet(context, f"http://127.0.0.1:{served.port}", where)

    one = start()
    sign_in(one.context, served)
    one.open().keep_offline().record(*OPENED)
    one.sent()
    one.network(is_on=False)
    one.record(*TRICK)
    kill_browser(tmp_path)
    again = start()
    again.network(is_on=False)
    again.open()
    assert again.shown() == [*OPENING, *(f"{play}?" for play in IN_SHORT)]
    again.network(is_on=True)
    if again.wait("sent", "signed_out") == "signed_out":  # a cookie is not yet on the disk at once
        sign_in(again.context, served)
        again.reload()
    again.sent()
    assert club.log(where) == [*OPENING, *IN_SHORT]
    again.context.close()


def kill_browser(folder: Path) -> None:
    """Kill every process of the browser of this folder, as an empty battery does."""
    for entry in Path("/proc").iterdir():
        try:
            line = (entry / "cmdline").read_bytes() if entry.name.isdigit() else b""
        except OSError:
            continue
        if f"--user-data-dir={folder}".encode() in line:
            os.kill(int(entry.name), signal.SIGKILL)


def test_a_server_that_is_killed_and_started_again_gets_each_act_once(
    browser: Browser, club: Club, tmp_path: Path
) -> None:
    with site(tmp_path) as own:
        club = Club(own)
        where = club.encuentro()
        with tablet(browser, own, where) as one:
            one.record(*OPENED)
            one.sent()
            one.do("table.record(1, [{kind: 'card', seat: 'A1', card: '3O'}])")
            own.kill_all()
            one.record(*TRICK[1:])
            assert one.wait("offline") == "offline"
            own.start()
            one.sent()
            assert club.log(where) == [*OPENING, *IN_SHORT]


def test_two_tabs_of_one_browser_send_nothing_twice(
    browser: Browser, served: Served, club: Club
) -> None:
    where = club.encuentro()
    with tablet(browser, served, where) as one:
        other = Tablet(one.context, one.base, where).open()
        one.network(is_on=False)
        one.record(*OPENED)
        other.record(*TRICK[:2])
        one.record(*TRICK[2:])
        one.network(is_on=True)
        one.sent()
        other.sent()
        assert club.log(where) == [*OPENING, *IN_SHORT] == one.shown() == other.shown()
        keys = [key for key, _, _ in [*one.do("sent"), *other.do("sent")]]
        assert len(set(keys)) == 6


def test_who_is_signed_out_loses_nothing_and_goes_on_once_they_signed_in(
    browser: Browser, served: Served, club: Club
) -> None:
    where = club.encuentro()
    with tablet(browser, served, where) as one:
        one.keep_offline().record(*OPENED)
        one.sent()
        one.context.clear_cookies()
        one.record(*TRICK)
        assert one.wait("signed_out") == "signed_out"
        assert club.log(where) == OPENING
        one.page.click("button.sync")
        no_violations(one.page)
        one.page.click("dialog a.button")
        one.page.wait_for_selector("form.login")
        one.page.fill("[name=token]", served.token)
        one.page.locator("form.token button").click()
        one.page.wait_for_url(f"**/arbitro/#/mesa/{where}")
        one.look().sent()
        assert club.log(where) == [*OPENING, *IN_SHORT]


def test_without_https_on_the_network_of_the_club_nothing_is_lost_and_the_page_says_so(
    served: Served, club: Club
) -> None:
    where = club.encuentro()
    with running(BY_NAME) as started, tablet(started, served, where, host=INSECURE) as one:
        lacking = "[isSecureContext, 'locks' in navigator, 'serviceWorker' in navigator]"
        assert one.do(lacking) == [False, False, False]
        one.record(*OPENED)
        assert one.sent().status() == "insecure"
        one.page.click("button.sync")
        assert "https" in one.page.inner_text(".unsafe-about")
        no_violations(one.page)
        one.page.keyboard.press("Escape")
        other = Tablet(one.context, one.base, where).open()
        one.network(is_on=False)
        one.record(*TRICK[:2])
        other.record(*TRICK[2:])
        assert one.wait("offline") == "offline"
        assert one.page.locator(".sync.unsafe").is_visible()
        one.network(is_on=True)
        other.sent()
        one.reload().sent()
        assert club.log(where) == [*OPENING, *IN_SHORT] == one.shown()
