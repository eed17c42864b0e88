"""Limits of the outbox: a restored server, changed line numbers, a browser without storage."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser.pages import (
    READ,
    no_violations,
    no_violations_in_any_language,
    site,
)
from tests.support.browser.tablets import OPENED, Club, Tablet, played, tablet
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

OPENING = ["deal", "pinta"]
TRICK = played("A1 3O", "B1 4O", "A2 5O", "B2 6O")
IN_SHORT = ["A1 3O", "B1 4O", "A2 5O", "B2 6O"]
NO_DISK = """Object.defineProperty(IDBFactory.prototype, "open", {
  value: () => { throw new DOMException("a private window", "InvalidStateError"); },
});"""

LEFT_IN_A_WRITE = """async () => {
  const { write } = await import("/static/tablet/outbox/store.js");
  const left = write(["about"], async (tx) => {
    await tx.objectStore("about").put("half", "left");
    dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
    await tx.objectStore("about").put("whole", "left");
  });
  const end = await left.then(() => "kept", (error) => error.name);
  return [end, (await write(["about"], (tx) => tx.objectStore("about").get("left"))) ?? null];
}"""


# --- the server was restored from an older copy ----------------------------------------------------


class Restored:
    """A server with a copy of its data that can be restored."""

    def __init__(self, served: Served, copy: Path) -> None:
        self.served, self.copy = served, copy
        self.club = Club(served)

    def keep(self) -> None:
        """Copy the data folder."""
        self.served.kill_all()
        shutil.copytree(self.served.folder, self.copy)
        self.served.start()

    def put_back(self) -> None:
        """Restore the copy and start the server."""
        self.served.kill_all()
        shutil.rmtree(self.served.folder)
        shutil.copytree(self.copy, self.served.folder)
        self.served.start()


@pytest.fixture
def restored(tmp_path: Path) -> Iterator[Restored]:
    with site(tmp_path / "site") as served:
        yield Restored(served, tmp_path / "copy")


def divided(one: Tablet) -> str:
    """The panel that opens when the server has less than the tablet has seen."""
    one.wait("conflict")
    panel = one.page.locator("dialog[role=alertdialog]")
    panel.locator("[data-choice=both]").wait_for()
    return str(panel.inner_text())


def test_what_a_restored_server_lost_is_noticed_and_sent_again(
    browser: Browser, restored: Restored
) -> None:
    club = restored.club
    where = club.encuentro()
    with tablet(browser, restored.served, where) as one:
        one.record(*OPENED, TRICK[0])
        one.sent()
        restored.keep()
        one.record(*TRICK[1:])
        change = {"line": 4, "how": "replace", "act": played("B1 2O")[0]}
        one.do("(change) => table.amend(1, [change], 'era el dos')", change)
        one.sent()
        restored.put_back()
        panel = divided(one)
        assert "Al ordenador del club le falta algo apuntado" in panel
        assert "le falta algo que ya tenía (4)" in panel
        assert club.log(where) == [*OPENING, "A1 3O"]
        lost = [f"{act}?" for act in [*IN_SHORT[1:], "era el dos"]]
        assert one.shown() == [*OPENING, "A1 3O", *lost]
        no_violations(one.page)
        one.reload()
        divided(one)
        one.choose("both")
        one.sent()
        assert club.log(where) == [*OPENING, *IN_SHORT, "era el dos"] == one.shown()
        (change_now,) = club.partidas(where)[0]["entries"][-1]["act"]["changes"]
        assert change_now["line"] == 4
        assert one.aside() == []


def test_what_waits_follows_what_a_restored_server_lost(
    browser: Browser, restored: Restored
) -> None:
    club = restored.club
    where = club.encuentro()
    with tablet(browser, restored.served, where) as one:
        one.record(*OPENED)
        one.sent()
        restored.keep()
        one.record(*TRICK[:2])
        one.sent()
        one.network(is_on=False)
        restored.put_back()
        one.record(*TRICK[2:])
        one.network(is_on=True)
        divided(one)
        one.choose("both")
        one.sent()
        assert club.log(where) == [*OPENING, *IN_SHORT] == one.shown()


def test_a_partida_that_a_restored_server_lost_is_begun_again(
    browser: Browser, restored: Restored
) -> None:
    club = restored.club
    where = club.encuentro()
    with tablet(browser, restored.served, where) as one:
        one.record({"kind": "concede", "side": "B"})
        one.sent()
        restored.keep()
        one.do("table.start('A1')")
        one.record(*OPENED, TRICK[0], number=2)
        one.sent()
        restored.put_back()
        divided(one)
        assert len(club.partidas(where)) == 1
        one.choose("both")
        one.sent()
        assert club.log(where, 2) == [*OPENING, "A1 3O"] == one.shown(2)


def test_what_others_recorded_since_and_what_was_lost_are_both_kept(
    browser: Browser, restored: Restored
) -> None:
    club = restored.club
    where = club.encuentro()
    with tablet(browser, restored.served, where) as one:
        one.record(*OPENED)
        one.sent()
        restored.keep()
        one.record(TRICK[0], TRICK[1])
        one.sent()
        one.network(is_on=False)
        restored.put_back()
        club.record(where, TRICK[0], *played("B1 7O"))  # as many lines, one of them another
        one.network(is_on=True)
        one.reload()
        assert "siete de oros" in divided(one)
        one.choose("theirs")
        one.sent()
        assert club.log(where) == [*OPENING, "A1 3O", "B1 7O"] == one.shown()
        assert one.aside() == ["B1 4O"]


def test_a_server_that_lost_nothing_raises_no_alarm(browser: Browser, restored: Restored) -> None:
    club = restored.club
    where = club.encuentro()
    with tablet(browser, restored.served, where) as one:
        one.record(*OPENED, *TRICK, {"kind": "incident", "incident": "talk", "seat": "B1"})
        one.do("table.undo(1)")
        one.sent()
        restored.keep()
        restored.put_back()
        one.reload()
        club.record(where, *played("B2 7O"))
        one.page.wait_for_function("() => table.state().partidas[0].version === 9")
        assert (one.wait("sent"), one.aside()) == ("sent", [])


# --- numbers of lines and tricks -------------------------------------------------------------------


def test_a_denunciation_means_the_same_trick_after_a_conflict(
    browser: Browser, served: Served
) -> None:
    club = Club(served)
    where = club.encuentro()
    club.record(where, *OPENED)
    second = played("A1 AC", "B1 2C", "A2 4C", "B2 5C")
    denounced = {"kind": "denounce", "by": "A1", "against": "B1", "trick": 1}
    with tablet(browser, served, where) as one:
        one.sent()
        one.network(is_on=False)
        one.record(*second, denounced, {"kind": "review", "seat": "A1", "trick": 1})
        other = {"line": 7, "how": "replace", "act": {**denounced, "by": "A2"}}
        one.do("(change) => table.amend(1, [change], '')", other)
        club.record(where, *TRICK)
        one.network(is_on=True)
        one.wait("conflict")
        one.choose("both")
        one.sent()
        acts = [entry["act"] for entry in club.partidas(where)[0]["entries"]]
        assert [act["trick"] for act in acts if "trick" in act] == [2, 2]
        (change,) = acts[-1]["changes"]
        assert (change["line"], change["act"]["trick"], change["act"]["by"]) == (11, 2, "A2")
        assert one.aside() == []


def test_a_denunciation_of_what_both_keyed_keeps_its_number(
    browser: Browser, served: Served
) -> None:
    club = Club(served)
    where = club.encuentro()
    club.record(where, *OPENED)
    with tablet(browser, served, where) as one:
        one.sent()
        one.network(is_on=False)
        one.record(*TRICK, {"kind": "denounce", "by": "A1", "against": "B1", "trick": 1})
        club.record(where, *TRICK)
        one.network(is_on=True)
        one.wait("conflict")
        one.choose("both")
        one.sent()
        assert club.log(where) == [*OPENING, *IN_SHORT, "denounce"]
        assert club.partidas(where)[0]["entries"][-1]["act"]["trick"] == 1


# --- a browser without storage ------------------------------------------------------------------


def private(one: Tablet) -> Tablet:
    """The same page in a window without storage."""
    one.context.add_init_script(NO_DISK)
    one.page.reload()
    return one.look()


def asks_before_closing(one: Tablet) -> bool:
    """Whether the page asks before it is closed; it begins and ends to ask after it was drawn."""
    return bool(one.do("!dispatchEvent(new Event('beforeunload', { cancelable: true }))"))


def test_a_browser_that_keeps_nothing_says_so_and_sends_all_the_same(
    browser: Browser, served: Served
) -> None:
    club = Club(served)
    where = club.encuentro()
    with tablet(browser, served, where) as one:
        private(one)
        warning = one.page.locator(".unkept")
        expect(warning).to_contain_text("Si se cierra, aquí no queda nada")
        one.record(*OPENED, TRICK[0])
        one.sent()
        assert club.log(where) == [*OPENING, "A1 3O"] == one.shown()
        one.network(is_on=False)
        one.record(*TRICK[1:])
        assert one.shown() == [*OPENING, "A1 3O", "B1 4O?", "A2 5O?", "B2 6O?"]
        expect(one.page.locator("button.sync")).to_contain_text("Solo en esta página (3)")
        wait_for(lambda: asks_before_closing(one), "the page asks before it is closed")
        one.network(is_on=True)
        one.sent()
        assert club.log(where) == [*OPENING, *IN_SHORT] == one.shown()
        wait_for(lambda: not asks_before_closing(one), "the page can be closed")


def test_a_rival_is_met_where_nothing_is_kept(browser: Browser, served: Served) -> None:
    club = Club(served)
    where = club.encuentro()
    club.record(where, *OPENED)
    with tablet(browser, served, where) as one:
        private(one).sent()
        one.network(is_on=False)
        one.record(*TRICK[:2])
        assert one.do("table.undo(1)")
        club.record(where, {"kind": "incident", "incident": "other", "text": "theirs"})
        one.network(is_on=True)
        one.wait("conflict")
        one.choose("both")
        one.sent()
        assert club.log(where) == [*OPENING, "theirs", "A1 3O", "B1 4O", "-5"] == one.shown()


@pytest.mark.parametrize("lang", READ)
def test_everybody_reads_that_nothing_is_kept(browser: Browser, served: Served, lang: str) -> None:
    where = Club(served).encuentro()
    look_at = no_violations if lang == "ca" else no_violations_in_any_language
    settings: dict[str, Any] = {"locale": lang, "color_scheme": "dark" if lang == "ca" else "light"}
    with tablet(browser, served, where, **settings) as one:
        private(one).page.click("button.sync")
        expect(one.page.locator("dialog.panel .wrong")).to_be_visible()
        look_at(one.page)
        assert "tablet." not in one.page.locator("body").inner_text()


def test_a_page_that_is_left_and_kept_holds_no_store(browser: Browser, served: Served) -> None:
    with tablet(browser, served, Club(served).encuentro()) as arbiter:
        end, found = arbiter.do(LEFT_IN_A_WRITE)
        assert (end != "kept", found) == (True, None)
