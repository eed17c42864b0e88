"""A renuncio that everybody saw, under rules by which nobody has to denounce it; and a suit asked for."""

from __future__ import annotations

import pytest

from referee.events import CanteAnnounced, DealStarted, PintaTurned
from tests.support.browser.keying import Keying, expect, table
from tests.support.browser.table_states import NO_STOCK, SHOWN, UNFOLLOWED
from tests.support.browser.tablets import ENCUENTROS
from tests.support.page_in_node import PageInNode
from tests.support.records.table_text import plays
from tests.support.servers.served import Served


def asked(keying: Keying) -> list[int]:
    """Lines of the renuncios about which the service asks."""
    view = keying.club.ask("GET", f"{ENCUENTROS}/{keying.encuentro}/partidas/1")
    return [one["line"] for one in view["asked"]]


@pytest.mark.parametrize("is_one", [True, False], ids=["it is one", "it is none"])
def test_the_arbiter_is_asked_and_play_goes_on(
    tablet: PageInNode, served: Served, is_one: bool
) -> None:
    with table(tablet, served, [*UNFOLLOWED, *SHOWN], of=NO_STOCK) as keying:
        notice = keying.page.locator(".asked")
        expect(notice).to_contain_text("Renuncio probado de Celia, baza 1.")
        assert asked(keying) == [5]
        keying.cards("7B")  # the record goes on, answered or not
        expect(keying.laid("7B")).to_be_visible()
        keying.tap(notice.get_by_role("button"))
        expect(keying.sheet(".findings")).to_contain_text("Celia")
        cost = keying.sheet("p").filter(has_text="Un renuncio probado cuesta la partida.")
        expect(cost).to_be_visible()
        keying.tap(keying.sheet(".choice button").nth(0 if is_one else 1))
        expect(notice).to_have_count(0)
        view = keying.view()
        assert view["asked"] == []
        decided = view["decided"] and (view["decided"]["winner"], view["decided"]["how"])
        assert decided == (("B", "renuncio") if is_one else None)


def test_what_one_slip_explains_is_not_asked_about(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served, [*UNFOLLOWED, *SHOWN[:4]], of=NO_STOCK) as keying:
        assert asked(keying) == []
        path = f"{ENCUENTROS}/{keying.encuentro}/partidas/1/evidence"
        (act,) = [one for one in keying.club.ask("GET", path)["acts"] if one["line"] == 5]
        assert (act["verdict"], act["slip"] is None) == ("unlawful", False)
        expect(keying.page.locator(".asked")).to_have_count(0)


def test_the_suit_of_a_hidden_twenty_is_asked_for(tablet: PageInNode, served: Served) -> None:
    club = ("club", 4, 40)
    acts = [
        *[DealStarted("B2"), PintaTurned("4O")],
        *plays("A1 AC, B1 2C, A2 4C, B2 5C"),
        CanteAnnounced("A1", ""),
    ]
    with table(tablet, served, acts, of=club) as keying:
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
