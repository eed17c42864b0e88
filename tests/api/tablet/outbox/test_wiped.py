"""The browser's storage goes under an open table: it is cleared, it is full, it is refused."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, expect

from tests.support.browser.pages import sign_in
from tests.support.browser.tablets import OPENED, Club, Tablet, played, tablet
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

OPENING = ["deal", "pinta"]
PLAYS = ["A1 3O", "B1 4O", "A2 5O", "B2 6O", "A1 2C", "B1 4C"]
ACTS = played(*PLAYS)
_ON_DISK = """() => new Promise((done) => {
  const opening = indexedDB.open("guinote");
  opening.onupgradeneeded = () => opening.transaction.abort(); // only the page may make it
  opening.onerror = () => done({});
  opening.onsuccess = () => {
    const db = opening.result;
    const all = [...db.objectStoreNames];
    const tx = db.transaction(all);
    const found = {};
    for (const name of all) {
      tx.objectStore(name).count().onsuccess = ({ target }) => (found[name] = target.result);
    }
    tx.oncomplete = () => {
      db.close();
      done(found);
    };
  };
})"""
_BLOCKED = """(() => {
  const refuse = () => { throw new DOMException("blocked", "SecurityError"); };
  for (const name of ["localStorage", "sessionStorage", "indexedDB"]) {
    Object.defineProperty(globalThis, name, { get: refuse });
  }
  for (const name of ["match", "open", "delete"]) {
    CacheStorage.prototype[name] = () => Promise.reject(new DOMException("blocked", "SecurityError"));
  }
})()"""
EVERYTHING_BUT_COOKIES = "indexeddb,local_storage,cache_storage,service_workers"


def clear(one: Tablet, what: str = EVERYTHING_BUT_COOKIES) -> None:
    """Clear the data of the origin, as the settings of a browser do."""
    devtools = one.context.new_cdp_session(one.page)
    devtools.send("Storage.clearDataForOrigin", {"origin": one.base, "storageTypes": what})
    devtools.detach()


def is_on_disk(one: Tablet, queued: int, sent: int) -> bool:
    """Whether the database comes to have so many acts that wait, and that the service has too."""

    def has_all() -> bool:
        found: dict[str, Any] = one.do(_ON_DISK)
        return (found.get("queue"), found.get("entries")) == (queued, sent)

    wait_for(has_all, "what the page knows is written again")
    return True


def test_a_table_whose_storage_is_cleared_online_and_offline_is_written_anew_and_loses_no_act(
    browser: Browser, served: Served, club: Club
) -> None:
    where = club.encuentro()
    with tablet(browser, served, where) as one:
        one.keep_offline().record(*OPENED, ACTS[0])
        one.sent()
        clear(one)
        one.record(ACTS[1])
        one.sent()
        assert club.log(where) == [*OPENING, *PLAYS[:2]] == one.shown()
        one.network(is_on=False)
        one.record(ACTS[2])
        clear(one)
        assert is_on_disk(one, queued=1, sent=4)
        one.record(ACTS[3])
        assert is_on_disk(one, queued=2, sent=4)
        bar = one.page.locator("button.sync")
        expect(bar).to_contain_text("Guardado aquí (2)")
        assert one.shown() == [*OPENING, *PLAYS[:2], *(f"{play}?" for play in PLAYS[2:4])]
        one.network(is_on=True)
        one.sent()
        assert club.log(where) == [*OPENING, *PLAYS[:4]]
        clear(one, "all")  # who is signed in is forgotten too
        one.record(ACTS[4])
        assert one.wait("signed_out") == "signed_out"
        expect(bar).to_contain_text("Guardado aquí (1)")
        sign_in(one.context, served)
        one.reload().sent()
        assert club.log(where) == [*OPENING, *PLAYS[:5]] == one.shown()
        clear(one)
        one.do(
            "([n, act]) => Promise.all([table.record(n, [act]), indexedDB.deleteDatabase('guinote')])",
            [1, ACTS[5]],
        )
        one.sent()
        assert club.log(where) == [*OPENING, *PLAYS] == one.shown()


def test_a_full_or_blocked_storage_is_told_before_the_first_card_and_no_act_is_lost(
    browser: Browser, served: Served, club: Club
) -> None:
    for is_full in (True, False):
        where = club.encuentro()
        club.record(where, *OPENED)
        with tablet(browser, served, where) as one:
            if is_full:
                devtools = one.context.new_cdp_session(one.page)
                quota = {"origin": one.base, "quotaSize": 1}
                devtools.send("Storage.overrideQuotaForOrigin", quota)
            else:
                one.context.add_init_script(_BLOCKED)
            one.reload()
            told = one.page.locator(".unkept")
            expect(told).to_contain_text("Si se cierra, aquí no queda nada")
            one.network(is_on=False)
            one.record(ACTS[0])
            expect(one.page.locator("button.sync")).to_contain_text("Solo en esta página (1)")
            assert one.shown() == [*OPENING, "A1 3O?"]
            one.network(is_on=True)
            one.sent()
            assert club.log(where) == [*OPENING, "A1 3O"]
