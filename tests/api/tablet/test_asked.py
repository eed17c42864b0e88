"""A renuncio that everybody saw, under rules by which nobody has to denounce it; and a suit asked for."""

from __future__ import annotations

import os

import pytest
from playwright.sync_api import Browser, expect

from referee.events import CanteAnnounced, CardPlayed, DealStarted, PintaTurned, TableAct
from tests.support.browser.keying import Keying, table
from tests.support.browser.pages import no_violations
from tests.support.browser.tablets import ENCUENTROS
from tests.support.servers.served import Served

NO_STOCK = ("sin-mazo", 4, 40)
"""Its renuncios cost the partida when they are proved."""


def plays(said: str) -> list[TableAct]:
    """Cards laid: ``"A1 2C, B1 2E"``."""
    return [CardPlayed(*one.split()) for one in said.split(", ")]


# Ten cards each, trump oros. A2 does not follow, at line 5; what proves it, no slip explains.
UNFOLLOWED = [DealStarted("B2"), PintaTurned("7O"), *plays("A1 2C, B1 3C, A2 AB, B2 5C")]
SHOWN = plays("B1 2B, A2 RC, B2 4B, A1 5B, A1 4E, B1 5E, A2 7C, B2 6E")


def asked(keying: Keying) -> list[int]:
    """Lines of the renuncios about which the service asks."""
    view = keying.club.ask("GET", f"{ENCUENTROS}/{keying.encuentro}/partidas/1")
    return [one["line"] for one in view["asked"]]


@pytest.mark.parametrize("is_one", [True, False], ids=["it is one", "it is none"])
def test_the_arbiter_is_asked_and_play_goes_on(
    browser: Browser, served: Served, is_one: bool
) -> None:
    with table(browser, served, [*UNFOLLOWED, *SHOWN], of=NO_STOCK) as keying:
        notice = keying.page.locator(".asked")
        expect(notice).to_contain_text("Renuncio probado de Celia, baza 1.")
        assert asked(keying) == [5]
        no_violations(keying.page)
        keying.cards("3B")  # the record goes on, answered or not
        expect(keying.laid("3B")).to_be_visible()
        keying.tap(notice.get_by_role("button"))
        expect(keying.sheet(".findings")).to_contain_text("Celia")
        expect(keying.sheet("p")).to_contain_text(["Un renuncio probado cuesta la partida."])
        no_violations(keying.page)
        keying.tap(keying.sheet(".choice button").nth(0 if is_one else 1))
        expect(notice).to_have_count(0)
        view = keying.view()
        assert view["asked"] == []
        decided = view["decided"] and (view["decided"]["winner"], view["decided"]["how"])
        assert decided == (("B", "renuncio") if is_one else None)


def test_what_one_slip_explains_is_not_asked_about(browser: Browser, served: Served) -> None:
    with table(browser, served, [*UNFOLLOWED, *SHOWN[:4]], of=NO_STOCK) as keying:
        assert asked(keying) == []
        path = f"{ENCUENTROS}/{keying.encuentro}/partidas/1/evidence"
        (act,) = [one for one in keying.club.ask("GET", path)["acts"] if one["line"] == 5]
        assert (act["verdict"], act["slip"] is None) == ("unlawful", False)
        expect(keying.page.locator(".asked")).to_have_count(0)


SCREENS = {"phone": (390, 844), "tablet": (800, 1280), "desk": (1440, 900)}


@pytest.mark.parametrize("screen", SCREENS)
def test_the_question_fits_every_screen(browser: Browser, served: Served, screen: str) -> None:
    with table(browser, served, [*UNFOLLOWED, *SHOWN], of=NO_STOCK) as keying:
        width, height = SCREENS[screen]
        keying.page.set_viewport_size({"width": width, "height": height})
        expect(keying.page.locator(".asked")).to_be_in_viewport()
        expect(keying.key("3B")).to_be_in_viewport()
        keying.page.wait_for_function("() => document.body.scrollWidth <= innerWidth")
        if folder := os.environ.get("PICTURES"):
            keying.page.screenshot(path=f"{folder}/asked-{screen}.png")


def test_the_suit_of_a_hidden_twenty_is_asked_for(browser: Browser, served: Served) -> None:
    club = ("club", 4, 40)
    acts = [
        *[DealStarted("B2"), PintaTurned("4O")],
        *plays("A1 AC, B1 2C, A2 4C, B2 5C"),
        CanteAnnounced("A1", ""),
    ]
    with table(browser, served, acts, of=club) as keying:
        keying.tap(keying.page.locator(".bar button").last)
        keying.button("Preguntar el palo de las veinte").tap()
        who = keying.sheet(".form > .choice")
        who.nth(0).get_by_role("button", name="Ana", exact=True).tap()
        who.nth(1).get_by_role("button", name="Celia", exact=True).tap()
        who.nth(2).get_by_role("button", name="espadas").tap()
        keying.sheet(".form .main").tap()
        view = keying.view()
        assert view["deals"][0]["cantes"][0]["suit"] == "E"
        assert [one["rule"] for one in view["findings"]] == [
            "cante-not-shown",
            "suit-request-barred",
        ]
