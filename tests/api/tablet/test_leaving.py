"""What stays on a device after somebody left, lost the access, or a table was over."""

from __future__ import annotations

import json
import os
import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from playwright.sync_api import expect as expect_in_browser

from api.http.languages import texts_of_language
from tests.api.tablet.outbox.test_panels import Shown
from tests.support.browser.pages import no_violations, sign_in
from tests.support.browser.tablets import Tablet, tablet
from tests.support.javascript import HERE
from tests.support.outbox import ENCUENTROS, OPENED, Club, played
from tests.support.page_in_node import PageInNode, expect, page_in_node
from tests.support.servers.accounts import CookieJar
from tests.support.servers.cookies import cookie_given
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

NAMES = {seat: f"Imborrable{seat}" for seat in ("A1", "B1", "A2", "B2")}
PLACE = "Casino de Uncastillo"
WORDS = texts_of_language("es")
TRICK = played("A1 3O", "B1 4O", "A2 5O", "B2 6O")
_KEPT = """async () => {
  const databases = await indexedDB.databases();
  const found = [JSON.stringify({...localStorage}), JSON.stringify({...sessionStorage})];
  const files = [];
  for (const { name } of databases) {
    const db = await new Promise((done) => { indexedDB.open(name).onsuccess = ({ target }) => done(target.result); });
    for (const store of db.objectStoreNames) {
      const all = db.transaction(store).objectStore(store).getAll();
      found.push(JSON.stringify(await new Promise((done) => { all.onsuccess = () => done(all.result); })));
    }
    db.close();
  }
  for (const name of globalThis.caches ? await caches.keys() : []) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) files.push(request.url, await (await cache.match(request)).text());
  }
  return [found.join("\\n"), files.join("\\n")];
}"""
_PLANNED = """async () => {
  const { write } = await import("/static/tablet/outbox/store.js");
  await write(["about"], async (tx) => tx.objectStore("about").put({ names: "Otra Persona", steps: ["open"] }, "opening"));
}"""
"""A table that is not open yet."""


@pytest.fixture
def club(served: Served) -> Club:
    return Club(served)


def opened(club: Club) -> str:
    """Id of a table with unusual names, and a partida begun."""
    seats = {seat: {"name": name} for seat, name in NAMES.items()}
    body = {"profile": {"id": "club"}, "players": 4, "seats": seats, "place": PLACE}
    found = str(club.ask("POST", ENCUENTROS, body)["id"])
    club.ask("POST", f"{ENCUENTROS}/{found}/partidas", {}, 2)
    return found


def kept(page: Page | PageInNode) -> str:
    """Everything that the browser keeps for scripts: stores, databases and caches."""
    return "\n".join(page.evaluate(_KEPT))


def traces(page: Page | PageInNode, where: str) -> list[str]:
    """What the browser keeps of a table: names, place and id anywhere; cards and scores as data.

    The files of the program, which are kept for later, have cards and words of their own.
    """
    data, files = page.evaluate(_KEPT)
    named = [one for one in (*NAMES.values(), PLACE, where) if one in data + files]
    return named + [one for one in ('"3O"', '"totals"', '"standing"') if one in data]


@contextmanager
def keyed(browser: Browser, served: Served) -> Iterator[tuple[Tablet, str]]:
    """A tablet with a table on which everything is sent, kept for use without network; its id."""
    where = opened(Club(served))
    with tablet(browser, served, where) as one:
        one.keep_offline().record(*OPENED, *TRICK)
        one.sent()
        assert len(traces(one.page, where)) == 9
        yield one, where


def leave(page: Page) -> None:
    """Press the button for signing out on a page of the service."""
    page.locator("details.menu > summary").click()
    page.locator("form.leave button").click()


def test_after_signing_out_no_tab_shows_a_table_and_none_is_kept_by_database_or_worker(
    browser: Browser, served: Served
) -> None:
    with keyed(browser, served) as (one, where):
        other = one.context.new_page()
        other.goto(f"{one.base}/arbitro/#/mesa/{where}")
        other.wait_for_selector("main section.table")
        one.page.goto(f"{one.base}/")
        leave(one.page)
        one.page.wait_for_url("**/entrar")
        assert traces(one.page, where) == []
        expect_in_browser(other.locator("main")).to_contain_text(WORDS["leaving.left_about"])
        assert NAMES["A1"] not in other.content()
        one.page.goto(f"{one.base}/arbitro/")
        assert one.page.url.endswith("/entrar?next=/arbitro/")
        one.context.set_offline(True)
        one.page.goto(f"{one.base}/arbitro/#/mesa/{where}")
        expect_in_browser(one.page.locator("main")).to_contain_text(WORDS["leaving.left_about"])
        assert not any(name in one.page.content() for name in (*NAMES.values(), PLACE))
        assert traces(one.page, where) == []
        no_violations(one.page)
        one.context.set_offline(False)
        sign_in(one.context, served)
        one.page.goto(f"{one.base}/")
        one.open().record(*played("A1 SO"))  # signed in again, it is a tablet as before
        one.sent()
        one.context.set_offline(True)
        one.reload()
        assert one.shown()[-1] == "A1 SO"


def leaving_button(page: Any) -> Any:
    return page.get_by_role("button", name=WORDS["leaving.leave"], exact=True)


def downloaded(page: Page) -> dict[str, Any]:
    """The file with what was not sent."""
    with page.expect_download() as found:
        page.locator("a[download]").click()
    return dict(json.loads(found.value.path().read_text("utf-8")))


def test_what_waits_stays_without_a_session_and_is_a_download_of_requests_without_a_network(
    browser: Browser, served: Served, club: Club
) -> None:
    where = opened(club)
    with tablet(browser, served, where) as one:
        one.keep_offline().record(*OPENED)
        one.sent()
        one.context.clear_cookies()
        one.record(*TRICK[:1])
        assert one.wait("signed_out") == "signed_out"
        one.reload()  # of the worker, which shows no page of the service to somebody without account
        assert one.shown() == ["deal", "pinta", "A1 3O?"]
        sign_in(one.context, served)
        one.reload().sent().network(is_on=False)
        one.record(*TRICK[1:])
        one.page.evaluate("location.hash = '#/salir'")
        expect_in_browser(one.page.locator("a[download]")).to_be_visible()
        no_violations(one.page)
        file = downloaded(one.page)
        expect_in_browser(one.page.locator("main")).to_contain_text(WORDS["leaving.downloaded"])
        leaving_button(one.page).click()
        expect_in_browser(one.page.locator("main")).to_contain_text(WORDS["leaving.left_later"])
        assert traces(one.page, where) == []
        one.page.reload()
        expect_in_browser(one.page.locator("main")).to_contain_text(WORDS["leaving.left_about"])
        one.network(is_on=True)
        one.page.goto(f"{one.base}/arbitro/")  # the session ends now
        assert "/entrar" in one.page.url
        assert "guinote" not in {cookie["name"] for cookie in one.context.cookies()}
    assert [one["headers"]["If-Match"] for one in file["requests"]] == ['"3"', '"4"', '"5"']
    owner = {"Authorization": f"Bearer {served.token}"}
    for request in (*file["requests"], file["requests"][-1]):
        headers = {**request["headers"], **owner}
        status, _ = served.ask(request["method"], request["path"], request["body"], headers)
        assert status == 200
    assert club.log(where)[2:] == ["A1 3O", "B1 4O", "A2 5O", "B2 6O"]


_CACHED = """async ([path, cache]) => {
  const answer = await fetch(path, { cache, mode: "same-origin" }).catch(() => null);
  return answer ? answer.status : 0;
}"""


def test_a_browser_stores_no_official_answer_and_the_answer_to_signing_out_clears_all_that_is_kept(
    browser: Browser, served: Served
) -> None:
    """Its cache has public files only. Where our script did not run, the header takes everything, the worker too."""
    with keyed(browser, served) as (one, where):
        one.page.goto(f"{one.base}/reglas")
        view = f"{ENCUENTROS}/{where}"
        for path, known in ((view, 0), ("/reglas", 0), ("/static/html/guinote.css", 200)):
            assert one.do(_CACHED, [path, "default"]) == 200
            assert one.do(_CACHED, [path, "only-if-cached"]) == known, path
        one.page.evaluate(
            """() => {
              const form = Object.assign(document.createElement("form"), { method: "post", action: "/salir" });
              document.body.append(form);
              form.submit();
            }"""
        )
        one.page.wait_for_url("**/entrar")
        assert traces(one.page, where) == []
        registered = "navigator.serviceWorker.getRegistrations().then((found) => found.length)"
        assert one.do(registered) == 0


# --- revocation ----------------------------------------------------------------------------------


class Owner(CookieJar):
    """The browser of the owner, who pairs a scorer of a table and revokes the device."""

    def __init__(self, served: Served, encuentro: str) -> None:
        super().__init__()
        self.served = served
        self.ask(served, "/entrar", token=served.token)
        self.code = self.offered(served, "codigos", role="scorer", encuentro=encuentro)

    def revoke(self) -> None:
        """Revoke the only device, as its page does."""
        found = re.search(r"/casa/(\w{16})/baja", self.ask(self.served, "/casa")[1])
        assert found
        status, text = self.ask(self.served, f"/casa/{found[1]}/baja", sure="yes")
        assert status == 303, text


def test_what_waits_on_a_revoked_device_is_kept_over_a_reload_until_it_is_a_download(
    browser: Browser, served: Served, club: Club
) -> None:
    where = opened(club)
    owner = Owner(served, where)
    with tablet(browser, served, where, code=owner.code) as one:
        one.keep_offline().record(*OPENED)
        one.sent().network(is_on=False)
        one.record(*TRICK[:2])
        one.do(_PLANNED)
        owner.revoke()
        one.network(is_on=True)
        waiting = WORDS["leaving.revoked_waiting"].format(n=3)
        shown = expect_in_browser(one.page.locator("main"))
        shown.to_contain_text(waiting)
        one.page.reload()
        shown.to_contain_text(waiting)
        assert not any(name in kept(one.page) for name in (*NAMES.values(), PLACE))
        no_violations(one.page)
        *acts, plan = downloaded(one.page)["requests"]
        assert [one["body"]["acts"][0]["card"] for one in acts] == ["3O", "4O"]
        assert plan["opening"]["names"] == "Otra Persona"
        one.page.get_by_role("button", name=WORDS["leaving.clear"]).click()
        expect_in_browser(one.page.locator("a[download]")).to_have_count(0)
        assert "Otra Persona" not in kept(one.page)
        assert traces(one.page, where) == []
        assert club.log(where) == ["deal", "pinta"]
        one.context.set_offline(True)
        one.page.reload()
        shown.to_contain_text(WORDS["leaving.revoked_about"])
        no_violations(one.page)


# --- without a browser: what waits, other refusals, what is over, and who was erased ----------------


@pytest.fixture(scope="module")
def page(served: Served) -> Iterator[PageInNode]:
    with page_in_node(served) as found:
        yield found


@pytest.fixture
def where(club: Club) -> str:
    return opened(club)


@pytest.fixture
def one(page: PageInNode, where: str) -> Shown:
    """A table on a tablet that has kept nothing before."""
    page.visit(f"/arbitro/#/mesa/{where}", signed_in=True)
    return Shown(page, where)


def test_what_waits_is_sent_before_it_is_cleared(one: Shown, club: Club, where: str) -> None:
    page = one.page
    one.record(*OPENED)
    one.sent().network(is_on=False)
    one.record(*TRICK)
    page.goto("#/salir")
    for _ in range(2):
        expect(page.locator("main h2")).to_have_text(WORDS["leaving.waiting"].format(n=4))
        expect(leaving_button(page)).to_be_disabled()
        page.get_by_role("button", name=WORDS["leaving.again"]).click()
    page.network(is_on=True)
    expect(leaving_button(page)).to_be_enabled()
    assert len(club.log(where)) == 6
    assert len(traces(page, where)) == 9
    leaving_button(page).click()
    page.wait_for_url("*/entrar")
    assert traces(page, where) == []


def test_what_is_being_sent_is_not_said_to_be_stuck(
    one: Shown, served: Served, club: Club, where: str
) -> None:
    one.record(*OPENED)
    one.sent()
    with stopped(served):
        one.record(*TRICK)
        one.page.goto("#/salir")
        expect(one.page.locator("main [role=status]")).to_have_text(
            WORDS["leaving.sending"].format(n=4)
        )
        expect(leaving_button(one.page)).to_be_disabled()
        expect(one.page.locator("main .unsent")).to_have_count(0)
    expect(leaving_button(one.page)).to_be_enabled()
    assert len(club.log(where)) == 6


@contextmanager
def stopped(served: Served) -> Iterator[None]:
    """No process of the service answers during the block."""
    assert served.process
    os.killpg(served.process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.killpg(served.process.pid, signal.SIGCONT)


class Portal(BaseHTTPRequestHandler):
    """A network that wants its own form first."""

    def do_GET(self) -> None:
        self.send_response(401)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<h1>Wi-Fi</h1>")

    do_POST = do_GET

    def log_message(self, *_args: object) -> None:
        """Nothing is printed."""


@contextmanager
def in_portal(one: Shown) -> Iterator[None]:
    """Each request of the tablet comes to the portal during the block."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Portal)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    before = one.do(_TO_SITE, f"http://127.0.0.1:{server.server_port}")
    yield
    one.do(_TO_SITE, before)
    server.shutdown()


_TO_SITE = f"""async (address) => {{
  const {{ site }} = await import("{(HERE / "node" / "site.mjs").as_uri()}");
  const before = site.address;
  site.address = address;
  return before;
}}"""


@pytest.mark.parametrize("who", ["a proxy", "a server without the account"])
def test_no_other_refusal_clears_anything(one: Shown, served: Served, where: str, who: str) -> None:
    one.record(*OPENED)
    one.sent()
    if who == "a proxy":
        with in_portal(one):
            one.record(*TRICK[:1])
            assert one.wait("offline", "signed_out") == "offline"
            assert one.shown() == ["deal", "pinta", "A1 3O?"]
            assert NAMES["A1"] in kept(one.page)
        one.reload()
    else:
        one.page.ask("signIn", "")
        one.record(*TRICK[:1])
        assert one.wait("offline", "signed_out") == "signed_out"
        assert one.shown() == ["deal", "pinta", "A1 3O?"]
        assert len(traces(one.page, where)) == 9
        one.page.goto(f"/entrar?next=/arbitro/%23/mesa/{where}")
        one.page.fill("[name=token]", served.token)
        one.page.locator("form.token button").tap()
        one = Shown(one.page, where)
    one.sent()
    assert one.shown() == ["deal", "pinta", "A1 3O"]


def test_a_device_that_sees_its_revocation_keeps_nothing_and_says_what_happened(
    page: PageInNode, served: Served, where: str
) -> None:
    owner = Owner(served, where)
    page.visit("/reglas")
    page.ask("signIn", cookie_given(served, "/p", {"code": owner.code}))
    page.goto(f"/arbitro/#/mesa/{where}")
    one = Shown(page, where)
    one.record(*OPENED, *TRICK)
    one.sent()
    assert len(traces(page, where)) == 9
    owner.revoke()
    shown = page.locator("main")
    expect(shown).to_contain_text(WORDS["leaving.revoked_about"])
    assert traces(page, where) == []
    assert not any(name in shown.inner_text() for name in NAMES.values())


def rows(page: PageInNode, store: str) -> list[Any]:
    """Rows of a store of the tablet."""
    return list(
        page.evaluate(
            """async (store) => {
              const { read } = await modules("/static/tablet/outbox/store.js");
              return read([store], (tx) => tx.objectStore(store).getAll());
            }""",
            store,
        )
    )


_LATER = """(hours) => {
  const { now } = Date;
  Date.now = () => now() + hours * 3_600_000;
}"""
"""The clock of the tablet is so much ahead of what it was."""


def test_a_table_that_is_over_is_dropped_a_day_later(one: Shown, club: Club, where: str) -> None:
    page, running = one.page, opened(club)
    one.record(*OPENED)
    one.sent()
    version = club.ask("GET", f"{ENCUENTROS}/{where}")["version"]
    ruling = {"winner": "A", "because": "Se fueron."}
    club.ask("POST", f"{ENCUENTROS}/{where}/rulings", ruling, version)
    page.goto(f"#/mesa/{running}")
    expect(page.locator("main section.table")).to_be_visible()
    page.reload()

    def are_kept() -> dict[str, bool]:
        return {row["id"]: bool(row.get("over")) for row in rows(page, "tables")}

    wait_for(lambda: are_kept() == {where: True, running: False}, "it is over")
    page.evaluate(_LATER, 25)
    page.reload()
    wait_for(lambda: len(rows(page, "tables")) == 1, "a day later it is dropped")
    page.evaluate(_LATER, -25)
    assert {row["encuentro"] for row in rows(page, "entries")} <= {running}
    assert rows(page, "tables")[0]["id"] == running


def test_the_name_of_a_person_who_was_erased_goes_at_the_next_start(
    one: Shown, club: Club, where: str
) -> None:
    page, other = one.page, opened(club)
    talk = {"kind": "incident", "incident": "talk", "seat": "A1", "text": "Habló Imborrable."}
    one.record(*OPENED, talk)
    one.sent()
    assert "Habló Imborrable." in kept(page)
    page.goto(f"#/mesa/{other}")
    expect(page.locator("main section.table")).to_be_visible()
    view = club.ask("GET", f"{ENCUENTROS}/{where}")

    def text_id() -> Any:
        audit = club.ask("GET", f"{ENCUENTROS}/{where}/partidas/1/audit")["items"][-1]
        return audit["fact"].get("text")

    for erased in (view["seats"]["A1"], wait_for(text_id, "the incident is in the audit")):
        status, _ = club.answer("DELETE", f"/api/v1/persons/{erased}")
        assert status in (202, 204)
    page.reload()
    wait_for(lambda: "Habló Imborrable." not in kept(page), "the text is gone")
    kept_rows = [row for row in rows(page, "tables") if row["id"] == where]
    assert NAMES["A1"] not in json.dumps(kept_rows)
    assert NAMES["B1"] in json.dumps(kept_rows)
