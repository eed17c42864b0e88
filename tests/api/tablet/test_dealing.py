"""Deals gone wrong, cuts and a dos left out, noted on the tablet with taps."""

from __future__ import annotations

from referee.events import CardPlayed
from tests.support.browser.form_keying import TRICK, choose, findings, more, note, recorded
from tests.support.browser.keying import expect, first_deal, played, table
from tests.support.browser.tablets import ENCUENTROS
from tests.support.page_in_node import PageInNode
from tests.support.servers.served import Served


def test_a_misdeal_is_noted_with_the_deal_and_voids_no_other(
    tablet: PageInNode, served: Served
) -> None:
    acts, _ = played(lambda account: len(account.takers) > 1)
    with table(tablet, served, first_deal(acts)) as keying:
        path = f"{ENCUENTROS}/{keying.encuentro}/partidas/1"
        (counted,), dealer = map(keying.club.ask("GET", path).get, ("deals", "dealer_due"))
        more(keying, "misdeal")
        keying.tap(keying.sheet('[data-steps="B1"] .option').last)
        for _ in range(2):
            keying.tap(keying.sheet('[data-steps="A2"] .option').first)
        keying.tap(keying.sheet('[data-steps="A1"] .option').first)
        keying.tap(keying.sheet('[data-steps="A1"] .option').last)
        note(keying)
        hands = {"A2": 4, "B1": 7}
        assert recorded(keying)[-2:] == [
            {"kind": "deal", "dealer": dealer},
            {"kind": "misdeal", "hands": hands},
        ]
        expect(keying.undo()).to_contain_text("Reparto mal hecho (Blas 7, Celia 4)")
        view = keying.view()
        assert (view["deals"], view["dealer_due"]) == ([counted], dealer)
        expect(keying.page.locator(".prompt")).to_contain_text("Toca la pinta")


def test_a_misdeal_after_a_misdeal_passes_the_pack_on(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served, dealer="B2") as keying:
        for _ in range(2):
            more(keying, "misdeal")
            note(keying)
        assert [one["kind"] for one in recorded(keying)] == ["deal", "misdeal"] * 2
        expect(keying.page.locator(".prompt")).to_contain_text("Da Ana")
        assert keying.view()["dealer_due"] == "A1"


def test_a_wrong_number_of_cards_is_counted_from_the_right_one(
    tablet: PageInNode, served: Served
) -> None:
    with table(tablet, served, [*TRICK, CardPlayed("A1", "3C")]) as keying:
        more(keying, "wrong_deal")
        choose(keying, Quién="Celia")
        held = keying.sheet('[data-steps="cards"]')
        expect(held.locator("output")).to_have_text("6")
        expect(keying.sheet("form .main")).to_be_disabled()
        keying.tap(held.locator(".option").last)
        note(keying)
        assert recorded(keying)[-1] == {"kind": "wrong_deal", "seat": "A2", "cards": 7}
        assert findings(keying) == [("A2", "wrong-deal")]
        assert keying.view()["deals"][0]["hands"]["A2"]["size"] == 7
        keying.tap(keying.button("Bazas"))
        keying.tap(keying.sheet(".act").filter(has_text="Celia tiene 7 cartas"))
        keying.tap(keying.button("Cambiar"))
        keying.tap(keying.sheet('[data-steps="cards"] .option').last)
        keying.tap(keying.sheet("form .main"))
        expect(keying.page.locator("dialog.sheet")).to_have_count(0)
        assert keying.view()["deals"][0]["hands"]["A2"]["size"] == 8


def test_a_cut_is_noted_before_the_pinta_and_after(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served, dealer="B2") as keying:
        more(keying, "deal")
        keying.tap(keying.sheet('[data-steps="cut"] .option').first)
        note(keying)
        keying.cards("7O")
        deal = {"kind": "deal", "dealer": "B2", "cut": 3}
        assert recorded(keying)[:2] == [deal, {"kind": "pinta", "card": "7O"}]
        assert findings(keying) == [("B2", "cut-too-small")]
        keying.tap(keying.undo())
        expect(keying.undo()).to_contain_text("Diego reparte (Corte: cartas del montón pequeño: 3)")
        keying.cards("5O")
        keying.tap(keying.button("Más"))
        keying.tap(keying.sheet('[data-kind="deal"]'))
        keying.tap(keying.sheet('[data-steps="cut"] .option').last)
        keying.tap(keying.sheet("form .main"))
        expect(keying.page.locator("dialog.sheet")).to_have_count(0)
        assert findings(keying) == []


def test_three_players_say_which_dos_they_left_out(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served, of=("guinyot", 3, 40)) as keying:
        expect(keying.key("2B")).to_have_class("key B gone")
        more(keying, "deal")
        choose(keying, Dos_que_se_quitó="dos de oros")
        note(keying)
        expect(keying.key("2O")).to_have_class("key O gone")
        keying.cards("2B")
        assert recorded(keying)[0]["removed"] == "2O"
        assert keying.view()["deals"][0]["pinta"] == "2B"


def test_another_player_takes_a_seat(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served, TRICK) as keying:
        tablet.network(is_on=False)
        more(keying, "substitute")
        choose(keying, Quién="Blas")
        keying.sheet("input").first.press_sequentially("Fermín Val")
        keying.tap(keying.sheet("form .main"))
        expect(keying.page.get_by_role("alert")).to_contain_text("Inténtalo otra vez")
        tablet.network(is_on=True)
        note(keying)
        expect(keying.seat("B1")).to_contain_text("Fermín Val")
        encuentro = keying.club.ask("GET", f"{ENCUENTROS}/{keying.encuentro}")
        assert encuentro["names"][encuentro["seats"]["B1"]] == "Fermín Val"
        keying.cards("3C")
        assert recorded(keying)[-1] == {"kind": "card", "seat": "A1", "card": "3C"}
