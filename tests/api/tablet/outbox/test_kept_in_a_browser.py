"""The outbox in a real browser: its database, its worker, its tabs, and a browser that is killed."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.api.tablet.test_leaving import leave, opened, traces
from tests.support.browser.in_browser import FLAGS, described, program, running
from tests.support.browser.pages import TABLET, no_violations, sign_in
from tests.support.browser.tablets import BY_NAME, INSECURE, OPENED, Club, Tablet, played, tablet
from tests.support.servers.served import Served

TRICK = played("A1 3O", "B1 4O", "A2 5O", "B2 6O")
OPENING = ["deal", "pinta"]
IN_SHORT = ["A1 3O", "B1 4O", "A2 5O", "B2 6O"]
THEIRS = {"kind": "incident", "incident": "other", "text": "theirs"}
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


def test_acts_are_kept_offline_over_reloads_and_the_kill_of_the_browser_and_so_is_a_conflict(
    browser: Browser, served: Served, club: Club, tmp_path: Path
) -> None:
    where = club.encuentro()

    def start() -> Tablet:
        context = browser.browser_type.launch_persistent_context(
            str(tmp_path), executable_path=program(), args=FLAGS, locale="es-ES", **TABLET
        )
        return Tablet(context, f"http://127.0.0.1:{served.port}", where)

    one = start()
    with described(one.context):
        sign_in(one.context, served)
        one.open().keep_offline().record(*OPENED)
        one.sent()
        one.network(is_on=False)
        one.record(*TRICK[:2])
        one.reload().record(TRICK[2])
        one.reload()
        assert one.shown() == [*OPENING, "A1 3O?", "B1 4O?", "A2 5O?"]
        assert (one.wait("offline"), club.log(where)) == ("offline", OPENING)
        one.record(TRICK[3])
    kill_browser(tmp_path)
    club.record(where, THEIRS)
    again = start()
    with described(again.context):
        again.network(is_on=False)
        again.open()
        assert again.shown() == [*OPENING, *(f"{play}?" for play in IN_SHORT)]
        again.network(is_on=True)
        if again.wait("conflict", "signed_out") == "signed_out":
            sign_in(again.context, served)  # a cookie is not yet on the disk at once
            again.reload()
        solved_after_a_reload(again)
        assert club.log(where) == [*OPENING, "theirs", *IN_SHORT] == again.shown()
        assert one.faults == again.faults == []
    again.context.close()


def solved_after_a_reload(one: Tablet) -> None:
    """A conflict is there again after a reload without a network, and is solved by keeping both."""
    one.page.wait_for_selector("dialog[role=alertdialog] [data-choice=both]")
    one.network(is_on=False)
    one.reload()
    records = one.page.locator("dialog .records section")
    assert "theirs" in records.nth(0).inner_text()
    assert "seis de oros" in records.nth(1).inner_text()
    one.choose("both")
    one.network(is_on=True)
    one.sent()


def kill_browser(folder: Path) -> None:
    """Kill every process of the browser of this folder, as an empty battery does."""
    for entry in Path("/proc").iterdir():
        try:
            line = (entry / "cmdline").read_bytes() if entry.name.isdigit() else b""
        except OSError:
            continue
        if f"--user-data-dir={folder}".encode() in line:
            os.kill(int(entry.name), signal.SIGKILL)


WAITING = [
    "Empieza la partida 2",
    "Diego reparte",
    "se retira lo apuntado (n.º 1)",
    "Blas y Diego se rinden",
]


def tap_twice(one: Tablet, css: str) -> None:
    """Two taps in one place, as of an impatient finger."""
    box = one.page.locator(css).bounding_box()
    assert box
    for _ in range(2):
        one.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_offline_two_taps_on_undo_reopen_neither_what_was_ruled_nor_what_has_ended(
    browser: Browser, served: Served, club: Club
) -> None:
    where = club.encuentro()
    ruling = {"kind": "ruling", "effect": "partida", "side": "A", "text": "Lo vieron todos"}
    club.record(where, *OPENED, ruling)
    with tablet(browser, served, where) as one:
        one.keep_offline().network(is_on=False)
        expect(one.page.locator(".bar .undo")).to_contain_text("Eso se corrige desde la página")
        tap_twice(one, ".bar .undo")
        one.do("table.start('A1')")
        one.record(OPENED[0], number=2)
        expect(one.page.locator(".bar .undo")).to_contain_text("Diego reparte")
        tap_twice(one, ".bar .undo")
        expect(one.page.locator(".bar .undo")).to_contain_text("Eso se corrige desde la página")
        one.record({"kind": "concede", "side": "B"}, number=2)
        expect(one.page.locator(".bar .undo")).to_contain_text("Blas y Diego se rinden")
        tap_twice(one, ".bar .undo")
        one.page.keyboard.press("Escape")
        one.page.click("button.sync")
        expect(one.page.locator("dialog.panel .waiting li")).to_have_text(WAITING)
        with one.page.expect_download() as saved:
            one.page.click("dialog.panel a[download]")
        assert saved.value.suggested_filename == "guinote-sin-enviar.json"
        one.page.keyboard.press("Escape")
        one.network(is_on=True)
        one.sent()
        assert club.log(where) == [*OPENING, "Lo vieron todos"]
        assert club.log(where, 2) == ["deal", "-1", "concede"]


def test_two_tabs_of_one_browser_send_nothing_twice_and_a_page_that_is_left_blocks_no_storage(
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
        end, found = one.do(LEFT_IN_A_WRITE)
        assert (end != "kept", found) == (True, None)


def test_a_browser_without_https_says_so_in_its_tabs_and_keeps_all_until_its_user_leaves(
    served: Served, club: Club
) -> None:
    where = opened(club)
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
        assert len(traces(one.page, where)) == 9
        one.page.goto(f"{one.base}/")
        leave(one.page)
        one.page.wait_for_url("**/entrar")
        assert traces(one.page, where) == []
        one.page.goto(f"{one.base}/arbitro/")
        assert "/entrar" in one.page.url
