"""The link that opens a case: for who may open one, and for what the service has."""

from __future__ import annotations

from playwright.sync_api import Browser, Response, expect

from tests.api.tablet.test_corrections import dealt
from tests.support.browser.disputed import BREACH, become_arbiter, disputed_encuentro
from tests.support.browser.keying import Keying, finger_on, table
from tests.support.browser.pages import TABLET, address, connect, cut_off, visiting
from tests.support.browser.tablets import Club
from tests.support.servers.served import Served

LINK = "a.case"


def is_told_what_it_may(answer: Response) -> bool:
    return answer.request.method == "HEAD" and answer.url.endswith("/arbitro/")


def test_a_card_that_is_not_sent_has_no_case_yet(browser: Browser, served: Served) -> None:
    with table(browser, served, dealt("A1 AC 2C")) as keying:
        with finger_on(keying.laid("2C")):
            expect(keying.page.locator(".prompt.asks")).to_be_visible()
        expect(keying.page.locator(LINK)).to_be_visible()
        keying.tap(keying.button("Dejarlo"))
        cut_off(keying.page)
        keying.tap(keying.key("4C"))
        with finger_on(keying.laid("4C")):
            expect(keying.page.locator(".prompt.asks")).to_be_visible()
        expect(keying.page.locator(LINK)).to_have_count(0)
        connect(keying.page)
        expect(keying.page.locator(LINK)).to_be_visible()


def test_a_scorer_is_not_sent_to_a_page_that_they_may_not_open(
    browser: Browser, served: Served
) -> None:
    club = Club(served)
    encuentro = disputed_encuentro(club)
    where = address(served, f"/arbitro/#/mesa/{encuentro}")
    with visiting(browser, served, "/", signed_in=True, **TABLET) as page:
        become_arbiter(page, served, encuentro)
        with page.expect_response(is_told_what_it_may) as told:
            page.goto(where)
        allowed = told.value.headers["guinote-permissions"].split()
        assert "acts:amend" in allowed
        assert "cases:open" not in allowed
        keying = Keying(page, club, encuentro)
        keying.button("Bazas").tap()
        with page.expect_response(is_told_what_it_may):
            keying.sheet(f'.acts [data-line="{BREACH}"]').tap()
        expect(keying.button("Dejarlo")).to_be_visible()
        expect(page.locator(LINK)).to_have_count(0)
