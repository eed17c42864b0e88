"""A table on the tablet: keyed in by taps, over a real server."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from referee.events import CardPlayed, DealStarted, PintaTurned
from referee.rules.profile.profile import profile
from tests.support.browser.keying import (
    expect,
    first_deal,
    played,
    table,
    tablet_at,
)
from tests.support.browser.tablets import ENCUENTROS, Club
from tests.support.page_in_node import PageInNode
from tests.support.records.dealt_out import Account
from tests.support.servers.http_table import card, deal, pinta
from tests.support.servers.served import Served

_SIDE_OF_AN_ERASED_NAME = """async () => {
  const { speakerOf } = await import("/static/tablet/wording.js");
  return speakerOf({ options: { players: 4, pack: "spanish" }, names: { A1: "Ana" } }).side("A");
}"""


def has_vueltas(account: Account) -> bool:
    return account.how == "claim" and sum(account.cantes.values()) > 0


def test_a_partida_with_vueltas_takes_a_tap_a_card(tablet: PageInNode, served: Served) -> None:
    acts, account = played(has_vueltas)
    happened = Counter(type(act).__name__ for act in acts)
    first = acts[0]
    assert isinstance(first, DealStarted)
    with table(tablet, served, dealer=first.dealer) as keying:
        keying.acts(acts)
        won = keying.page.locator(".decided")
        expect(won.locator("h2")).to_be_visible()
        assert keying.taps == {
            "pinta": happened["PintaTurned"],
            "card": happened["CardPlayed"] - keying.by_itself,
            "cante": 2 * happened["CanteAnnounced"],
            "swap": 2 * happened["PintaSwapped"],
            "claim": 2,
        }
        view = keying.view()
        totals = account.totals(profile("club").options(4, 40))
        assert (view["decided"]["winner"], view["decided"]["how"]) == (account.winner, "claim")
        assert view["totals"] == totals
        sums = keying.page.locator(".count .sum b").all_inner_texts()
        assert [int(text) for text in sums] == [totals["A"], totals["B"]]


TABLES = [("escuela", 4, 48), ("guinyot", 3, 40), ("club", 2, 40), ("baraja-francesa", 4, 40)]


@pytest.mark.parametrize("of", TABLES)
def test_every_table_is_keyed_alike(
    tablet: PageInNode, served: Served, of: tuple[str, int, int]
) -> None:
    acts, _ = played(of=of)
    first = acts[0]
    assert isinstance(first, DealStarted)
    with table(tablet, served, of=of, dealer=first.dealer) as keying:
        keying.acts(first_deal(acts))
        view = keying.view()
        plays = [play for trick in view["deals"][0]["tricks"] for play in trick["plays"]]
        laid = [act for act in first_deal(acts) if isinstance(act, CardPlayed)]
        assert [(play["seat"], play["card"]) for play in plays] == [
            (act.seat, act.card) for act in laid
        ]
        assert keying.taps["card"] + keying.by_itself == len(laid)
        assert view["findings"] == []
        for points in view["totals"].values():
            expect(keying.page.locator("main")).to_contain_text(str(points))


def test_the_next_partida_is_a_tap_away(tablet: PageInNode, served: Served) -> None:
    acts, _ = played(has_vueltas)
    with table(tablet, served, acts) as keying:
        keying.tap(keying.button("Siguiente partida"))
        keying.tap(keying.key("7O"), "pinta")
        expect(keying.key("7O")).to_have_class(re.compile("gone"))
        view = keying.view(2)
        taken = [trick["taker"] for deal in keying.view()["deals"] for trick in deal["tricks"]]
        assert view["deals"][0]["dealer"] == taken[-1]


def test_a_card_out_of_turn_is_the_seat_and_then_the_card(
    tablet: PageInNode, served: Served
) -> None:
    deal = [DealStarted("B2"), PintaTurned("7O")]
    with table(tablet, served, deal) as keying:
        keying.tap(keying.seat("A2"))
        keying.cards("3C", "4C")
        on_table = keying.view()["deals"][0]["on_table"]
        assert [(play["seat"], play["card"]) for play in on_table] == [("A2", "3C"), ("B2", "4C")]
        expect(keying.button("Indicios: 1")).to_be_visible()


def test_cantes_that_would_not_count_are_marked_and_still_accepted(
    tablet: PageInNode, served: Served
) -> None:
    plays = [
        CardPlayed(seat, card)
        for seat, card in zip(("A1", "B1", "A2", "B2"), ("AC", "2C", "4C", "5C"), strict=True)
    ]
    with table(tablet, served, [DealStarted("B2"), PintaTurned("7O"), *plays]) as keying:
        keying.tap(keying.button("Cante"))
        expect(keying.sheet('[data-cante="A1O"]')).not_to_have_class("unlikely")
        expect(keying.sheet('[data-cante="B1O"]')).to_have_class("unlikely")
        keying.tap(keying.sheet('[data-cante="B1O"]'))
        expect(keying.button("Indicios: 1")).to_be_visible()
        (cante,) = keying.view()["deals"][0]["cantes"]
        assert (cante["seat"], cante["void"]) == ("B1", True)


def test_who_has_no_name_is_a_player_with_a_number(tablet: PageInNode, served: Served) -> None:
    club = Club(served)
    made = club.ask("POST", ENCUENTROS, {"profile": {"id": "club"}, "players": 4, "seats": {}})
    club.ask("POST", f"{ENCUENTROS}/{made['id']}/partidas", {}, made["version"])
    club.record(made["id"], deal(), pinta("7O"), card("A1", "AC"))
    with tablet_at(tablet, served, made["id"]) as keying:
        expect(keying.seat("B1")).to_contain_text("Jugador 2")
        expect(keying.page.locator(".table")).to_contain_text("Pareja B")
        assert tablet.evaluate(_SIDE_OF_AN_ERASED_NAME) == "Ana y el jugador 3"
        expect(keying.page.locator(".bar")).to_contain_text("El jugador 1 juega el as de copas")
