"""The link that opens a case: for who may open one, and for what the service has."""

from __future__ import annotations

from uuid import uuid4

from tests.api.tablet.test_corrections import dealt
from tests.support.browser.disputed import BREACH, disputed_encuentro
from tests.support.browser.keying import Keying, expect, finger_on, table
from tests.support.outbox import Club
from tests.support.page_in_node import PageInNode
from tests.support.servers.accounts import PASSWORD, CookieJar
from tests.support.servers.cookies import cookie_given
from tests.support.servers.served import Served

LINK = "a.case"
_PERMISSIONS = """async () => {
  const answer = await fetch("/arbitro/", { method: "HEAD" });
  return answer.headers.get("Guinote-Permissions").split(" ");
}"""


def test_a_card_that_is_not_sent_has_no_case_yet(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served, dealt("A1 AC 2C")) as keying:
        with finger_on(keying.laid("2C")):
            expect(keying.page.locator(".prompt.asks")).to_be_visible()
        expect(keying.page.locator(LINK)).to_be_visible()
        keying.tap(keying.button("Dejarlo"))
        keying.page.network(is_on=False)
        keying.tap(keying.key("4C"))
        with finger_on(keying.laid("4C")):
            expect(keying.page.locator(".prompt.asks")).to_be_visible()
        expect(keying.page.locator(LINK)).to_have_count(0)
        keying.page.network(is_on=True)
        expect(keying.page.locator(LINK)).to_be_visible()


def test_a_scorer_is_not_sent_to_a_page_that_they_may_not_open(
    tablet: PageInNode, served: Served
) -> None:
    club, owner = Club(served), CookieJar()
    encuentro = disputed_encuentro(club)
    owner.ask(served, "/entrar", token=served.token)
    secret = owner.offered(served, "invitaciones", role="scorer", encuentro=encuentro)
    name = f"Julia {uuid4().hex[:8]}"
    account = {"invitation": secret, "name": name, "password": PASSWORD}
    tablet.visit("/arbitro/")
    tablet.ask("signIn", cookie_given(served, "/alta", account))
    tablet.goto(f"/arbitro/#/mesa/{encuentro}")
    keying = Keying(tablet, club, encuentro)
    keying.button("Bazas").tap()
    keying.sheet(f'.acts [data-line="{BREACH}"]').tap()
    expect(keying.button("Dejarlo")).to_be_visible()
    allowed = tablet.evaluate(_PERMISSIONS)
    assert "acts:amend" in allowed
    assert "cases:open" not in allowed
    expect(tablet.locator(LINK)).to_have_count(0)
