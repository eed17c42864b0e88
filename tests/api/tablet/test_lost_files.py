"""Files of the tablet that are lost on the way, and browsers that are too old for them: it opens, or it says why not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, Route, expect

from api.http.languages import LANGUAGES, texts_of_language
from tests.support.browser.pages import (
    READ,
    TABLET,
    WORKER_WAITS,
    address,
    no_violations,
    sign_in,
)
from tests.support.browser.tablets import tablet
from tests.support.html import Html
from tests.support.outbox import OPENED, Club
from tests.support.servers.cookies import cookie_of
from tests.support.servers.served import Served
from tests.support.waiting import LONGEST_S

DEPTHS = {"tablet/main.js", "outbox/store.js", "table/felt.js"}
"""A file that the first one imports, one that is imported by others, one of the view."""
NOTICE = "#unopened"
_END_WAITING = f"document.querySelector('{NOTICE}').getAnimations().forEach((one) => one.finish())"
_HURRY = """(() => {
  const wait = setTimeout;
  window.setTimeout = (run, ms = 0, ...given) => wait(run, ms > 1_000 ? ms : ms / 10, ...given);
})()"""
"""The page waits for a tenth of the second before it asks again."""


class Lossy:
    """A network that loses each of these files once; in the same page it then ``stays`` lost, as in some browsers."""

    def __init__(self, page: Page, lost: set[str], stays: str = "fails") -> None:
        self.lost, self.stays, self.pages = set(lost), stays, 0
        self._gone: set[str] = set()
        page.route("**/arbitro/", self._page)
        for name in lost:
            page.route(f"**/static/**/{name.rpartition('/')[2]}", self._file)

    def _page(self, route: Route) -> None:
        if route.request.resource_type == "document":
            self._gone.clear()
            self.pages += 1
        route.continue_()

    def _file(self, route: Route) -> None:
        name = "/".join(urlsplit(route.request.url).path.split("/")[-2:])
        if name in self.lost:
            self.lost.remove(name)
            self._gone.add(name)
            route.abort("connectionreset")
        elif name not in self._gone:
            route.continue_()
        elif self.stays == "fails":
            route.abort("connectionreset")


@contextmanager
def new_page(browser: Browser, served: Served) -> Iterator[Page]:
    """A page of a tablet that has nothing yet, nor gets it from a worker."""
    context = browser.new_context(locale="es-ES", **TABLET)
    context.add_init_script(WORKER_WAITS)
    context.add_init_script(_HURRY)
    sign_in(context, served)
    yield context.new_page()
    context.close()


def test_a_file_that_stays_lost_is_asked_for_in_a_new_page_by_reload_and_acts_wait_until_it_is_there(
    browser: Browser, served: Served
) -> None:
    club = Club(served)
    where = club.encuentro()
    for stays in ("fails", "is never answered"):
        with new_page(browser, served) as page:
            network = Lossy(page, DEPTHS, stays)
            page.goto(address(served, f"/arbitro/#/mesa/{where}"))
            expect(page.locator("main section.table")).to_be_visible()
            expect(page.locator("button.sync")).to_be_visible()
            expect(page.locator(NOTICE)).to_be_hidden()
            assert (network.lost, network.pages) == (set(), 1 + len(DEPTHS)), stays
    with tablet(browser, served, where) as one:
        one.page.route("**/partidas/1/acts*", lambda route: route.abort("connectionreset"))
        one.record(*OPENED)
        network = Lossy(one.page, {"outbox/store.js"})
        one.reload()
        assert one.shown() == ["deal?", "pinta?"]
        assert network.lost == set()
        one.page.unroute("**/partidas/1/acts*")
        one.do("dispatchEvent(new Event('online'))")
        one.sent()
        assert club.log(where) == ["deal", "pinta"]


def test_a_file_that_never_arrives_is_told_after_a_few_reloads_and_loaded_when_asked(
    browser: Browser, served: Served
) -> None:
    where = Club(served).encuentro()
    with new_page(browser, served) as page:
        network = Lossy(page, set())
        page.route("**/table/felt.js", lambda route: route.abort("connectionreset"))
        page.goto(address(served, f"/arbitro/#/mesa/{where}"))
        # the style sheet shows the notice after ten seconds too; "now": the page has given up
        given_up = page.locator(f"{NOTICE}.now .late")
        expect(given_up).to_be_visible(timeout=LONGEST_S * 1_000)
        words = texts_of_language("es")
        expect(page.locator(NOTICE)).to_contain_text(words["browser.late"])
        expect(page.locator(NOTICE)).to_contain_text(words["tablet.kept_here"])
        assert network.pages == 6
        no_violations(page)
        page.unroute("**/table/felt.js")
        page.get_by_role("link", name=words["browser.again"]).click()
        expect(page.locator("main section.table")).to_be_visible()


def test_a_browser_that_is_too_old_or_gets_no_file_reads_so_without_any_script(
    browser: Browser, served: Served
) -> None:
    with new_page(browser, served) as page:
        page.add_init_script("delete Array.prototype.findLast")
        page.route("**/begin.js", lambda route: route.abort())  # it stumbles over its syntax
        for lang in LANGUAGES:
            page.goto(address(served, f"/arbitro/?lang={lang}"))
            expect(page.locator(NOTICE)).to_contain_text(texts_of_language(lang)["browser.old"])
            expect(page.locator(f"{NOTICE} .old")).to_be_visible()
            expect(page.locator(f"{NOTICE} .late")).to_be_hidden()
            if lang in READ:
                no_violations(page)
    with new_page(browser, served) as page:
        page.route("**/static/**/*.js", lambda route: route.abort())
        page.goto(address(served, "/arbitro/"))
        late = page.locator(f"{NOTICE} .late")
        expect(late).to_be_hidden()
        page.evaluate(_END_WAITING)
        expect(late).to_be_visible()
        expect(page.locator(f"{NOTICE} .old")).to_be_hidden()


def test_a_tablet_without_javascript_says_what_it_needs(served: Served) -> None:
    asked = served.connection()
    asked.request("GET", "/arbitro/", headers={"Cookie": cookie_of(served)})
    said = Html(asked.getresponse().read().decode()).one("main noscript").html
    assert said
    assert texts_of_language("es")["tablet.without_script"] in said


def test_other_pages_that_need_their_scripts_say_in_the_browser_that_a_file_is_late(
    browser: Browser, served: Served
) -> None:
    club = Club(served)
    where = club.encuentro()
    club.record(where, *OPENED)
    with new_page(browser, served) as page:
        for path in ("/salir", f"/repeticion/{where}/1"):
            page.goto(address(served, path))
            shown = page.locator("#leaving:not(:empty), #replay:not(:empty)")
            expect(shown).to_be_visible()
            page.evaluate(_END_WAITING)
            expect(page.locator(NOTICE)).to_be_hidden()
            page.route("**/static/**/*.js", lambda route: route.abort())
            page.reload()
            page.evaluate(_END_WAITING)
            expect(page.locator(f"{NOTICE} .late"), path).to_be_visible()
            page.unroute("**/static/**/*.js")
