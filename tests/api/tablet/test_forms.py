"""Acts besides cards: each form is filled in with taps and compared with the log and the table."""

from __future__ import annotations

import pytest

from referee.events import CardPlayed
from tests.support.browser.form_keying import (
    TRICK,
    among,
    cards,
    choose,
    dealt,
    findings,
    in_vueltas_with_renuncios_of_all_deals,
    more,
    note,
    recorded,
    trick,
)
from tests.support.browser.keying import expect, first_deal, played, table, tablet_at
from tests.support.browser.tablets import Club
from tests.support.page_in_node import PageInNode
from tests.support.servers.served import Served


def test_cards_shown_are_noted_with_the_void_they_prove(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served, TRICK) as keying:
        more(keying, "show")
        expect(keying.sheet(".missing")).to_contain_text("Quién, Cartas o No tiene")
        choose(keying, Quién="Blas")
        expect(keying.sheet("form .main")).to_be_disabled()
        expect(keying.sheet('.pad [data-card="AC"]')).to_have_class("key C gone")
        cards(keying, "AC", "RE", "SE")
        choose(keying, No_tiene="copas")
        note(keying)
        shown = {"kind": "show", "seat": "B1", "cards": ["RE", "SE"], "void": ["C"]}
        assert recorded(keying)[-1] == shown
        expect(keying.undo()).to_contain_text("rey de espadas, sota de espadas (No tiene: copas)")
        known = keying.view()["deals"][0]["hands"]["B1"]["known"]
        assert set(known) == {"RE", "SE"}


def test_a_suit_shown_not_to_be_held_is_described_in_words(
    tablet: PageInNode, served: Served
) -> None:
    with table(tablet, served, [*TRICK, CardPlayed("A1", "3C")]) as keying:
        more(keying, "show")
        choose(keying, Quién="Blas", No_tiene="bastos")
        note(keying)
        assert recorded(keying)[-1] == {"kind": "show", "seat": "B1", "void": ["B"]}
        expect(keying.undo()).to_contain_text("Blas enseña que no lleva bastos")
        more(keying, "show")
        choose(keying, Quién="Blas")
        expect(keying.sheet('.pad [data-card="AB"]')).to_have_class("key B gone")


def test_a_hand_is_noted_before_its_pinta(tablet: PageInNode, served: Served) -> None:
    hand = ["2O", "4O", "AC", "3C", "RE", "7B"]
    with table(tablet, served, dealer="B2") as keying:
        more(keying, "hand")
        choose(keying, Quién="Ana")
        expect(keying.sheet("form")).not_to_contain_text("Cuándo")
        cards(keying, *hand)
        expect(keying.sheet("summary")).to_contain_text("Cartas (6)")
        note(keying)
        expect(keying.page.locator(".prompt")).to_contain_text("Toca la pinta")
        keying.cards("7O")
        entered = {"kind": "hand", "seat": "A1", "cards": hand}
        assert [{**one, "moment": "dealt"} for one in recorded(keying)[1:2]] == [
            {**entered, "moment": "dealt"}
        ]
        hands = keying.view()["deals"][0]["hands"]
        assert (set(hands["A1"]["known"]), findings(keying)) == (set(hand), [])


def test_a_hand_in_the_middle_of_a_deal_is_the_one_held_now(
    tablet: PageInNode, served: Served
) -> None:
    with table(tablet, served, TRICK) as keying:
        more(keying, "hand")
        choose(keying, Quién="Ana")
        expect(among(keying, "Cuándo", "ahora")).to_have_attribute("aria-pressed", "true")
        cards(keying, "3C", "RE")
        note(keying)
        entered = {"kind": "hand", "seat": "A1", "cards": ["3C", "RE"], "moment": "now"}
        assert recorded(keying)[-1] == entered
        more(keying, "hand")
        choose(keying, Quién="Ana")
        assert "gone" in (keying.sheet('[data-card="AC"]').get_attribute("class") or "")
        choose(keying, Cuándo="al repartir")
        cards(keying, "AC", "3C")
        note(keying)
        assert recorded(keying)[-1]["cards"] == ["AC", "3C"]
        keying.cards("7B")  # no card that was named: fewer than a hand prove nothing
        assert recorded(keying)[-1] == {"kind": "card", "seat": "A1", "card": "7B"}
        assert findings(keying) == []


def test_a_card_seen_drawn_is_known(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served, TRICK) as keying:
        more(keying, "draw")
        choose(keying, Quién="Ana")
        cards(keying, "3B")
        note(keying)
        assert recorded(keying)[-1] == {"kind": "draw", "seat": "A1", "card": "3B"}
        deal = keying.view()["deals"][0]
        assert (deal["hands"]["A1"]["known"], deal["stock"]) == (["3B"], 15)
        expect(keying.page.locator(".stock")).to_contain_text("15")
        more(keying, "draw")
        choose(keying, Quién="Blas")
        note(keying)
        expect(keying.undo()).to_contain_text("Blas roba")
        assert recorded(keying)[-1] == {"kind": "draw", "seat": "B1"}


@pytest.mark.parametrize(
    ("fault", "act"),
    [
        ("dos cartas", {"fault": "two_cards", "card": "3B"}),
        ("fuera de orden", {"fault": "out_of_order"}),
        ("no robó", {"fault": "none"}),
        ("la pinta antes de tiempo", {"fault": "pinta_early"}),
    ],
)
def test_a_wrong_draw_is_noted_as_it_was(
    tablet: PageInNode, served: Served, fault: str, act: dict[str, str]
) -> None:
    with table(tablet, served, TRICK) as keying:
        more(keying, "wrong_draw")
        choose(keying, Quién="Celia", Cómo=fault)
        names_card = "card" in act or act["fault"] == "out_of_order"
        expect(keying.sheet("details")).to_have_count(int(names_card))
        if "card" in act:
            keying.tap(keying.sheet("summary"))
            cards(keying, act["card"])
        note(keying)
        assert recorded(keying)[-1] == {"kind": "wrong_draw", "seat": "A2", **act}
        assert ("A2", "wrong-draw") in findings(keying)
        expect(keying.undo()).to_contain_text(fault)
        expect(keying.button("Indicios: 1")).to_be_visible()


def test_a_trick_looked_at_is_one_that_is_closed(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served, [*TRICK, CardPlayed("A1", "3C")]) as keying:
        more(keying, "review")
        choose(keying, Quién="Diego")
        tricks = keying.page.locator("dialog.sheet").get_by_role("group", name="Baza", exact=True)
        (by_its_cards,) = tricks.get_by_role("button").all()
        named = "as de copas, dos de copas, cuatro de copas, cinco de copas, 1"
        expect(by_its_cards).to_have_accessible_name(named)
        expect(by_its_cards.locator("svg.card")).to_have_count(4)
        keying.tap(by_its_cards)
        note(keying)
        assert recorded(keying)[-1] == {"kind": "review", "seat": "B2", "trick": 1}
        expect(keying.undo()).to_contain_text("Diego mira la baza 1")


def test_what_cannot_be_now_says_why(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served, dealt("AC")) as keying:
        keying.tap(keying.button("Más"))
        sheet = keying.page.locator("dialog.sheet")
        expect(sheet).to_contain_text("Miró una baza: Aún no hay ninguna baza cerrada.")
        expect(keying.sheet('[data-kind="review"]')).to_have_count(0)
    with table(tablet, served) as keying:
        keying.tap(keying.button("Más"))
        expect(keying.page.locator("dialog.sheet")).to_contain_text("Todavía no se ha repartido.")
        expect(keying.sheet("[data-kind]").first).to_be_visible()
        kinds = keying.sheet("[data-kind]").values("data-kind")
        usual = ["incident", "misdeal", "hand", "deal"]
        assert kinds == [*usual, "suspend", "time", "concede", "abandon", "substitute"]


def test_a_tute_is_noted_and_wins_only_where_the_rules_know_it(
    tablet: PageInNode, served: Served
) -> None:
    with table(tablet, served, TRICK) as keying:
        more(keying, "tute")
        expect(keying.page.locator("dialog.sheet")).to_contain_text("no vale el tute")
        choose(keying, Quién="Ana", Cuatro="rey", Lo_enseñó="sí")
        note(keying)
        tute = {"kind": "tute", "seat": "A1", "rank": "R", "shown": True}
        assert recorded(keying)[-1] == tute
        assert (keying.view()["decided"], findings(keying)) == (None, [("A1", "tute-barred")])
    with table(tablet, served, TRICK, of=("sin-mazo", 4, 40)) as keying:
        more(keying, "tute")
        choose(keying, Quién="Ana", Cuatro="rey", Lo_enseñó="sí")
        note(keying)
        expect(keying.page.locator(".decided h2")).to_contain_text("Ana y Celia")
        assert keying.view()["decided"]["how"] == "tute"


@pytest.mark.parametrize(("kind", "how"), [("abandon", "abandonment"), ("concede", "concession")])
def test_a_side_that_goes_loses(tablet: PageInNode, served: Served, kind: str, how: str) -> None:
    with table(tablet, served, TRICK) as keying:
        more(keying, kind)
        choose(keying, Quiénes="Ana y Celia")
        note(keying)
        expect(keying.page.locator(".decided h2")).to_contain_text("Blas y Diego")
        assert recorded(keying)[-1] == {"kind": kind, "side": "A"}
        assert keying.view()["decided"]["how"] == how
        keying.tap(keying.button("Más"))
        expect(keying.page.locator("dialog.sheet")).to_contain_text("La partida ya está decidida.")
        keying.tap(keying.button("Cerrar"))
        keying.tap(keying.undo())
        keying.tap(keying.button("Sí, reabrir la partida"))
        expect(keying.page.locator(".decided")).to_have_count(0)
        assert keying.view()["decided"] is None


def test_the_time_is_over_and_play_goes_on_until_the_arbiter_says_so(
    tablet: PageInNode, served: Served
) -> None:
    with table(tablet, served, TRICK) as keying:
        more(keying, "time")
        expect(keying.undo()).to_contain_text("Fin del tiempo")
        assert recorded(keying)[-1] == {"kind": "time"}
        keying.cards("3C")
        assert keying.view()["phase"] == "free"


def test_a_claim_of_the_rest_is_noted_and_decides_nothing(
    tablet: PageInNode, served: Served
) -> None:
    with table(tablet, served, TRICK) as keying:
        more(keying, "claim_rest")
        keying.sheet('[data-seat="A1"]').tap()  # with cards to draw nobody can give it
        expect(keying.undo()).to_contain_text("Ana dice que las demás son suyas")
        assert recorded(keying)[-1] == {"kind": "claim_rest", "seat": "A1"}
        assert (keying.view()["decided"], findings(keying)) == (None, [])
        keying.cards("3C")
        assert keying.view()["phase"] == "free"


def test_play_stops_and_goes_on(tablet: PageInNode, served: Served) -> None:
    why = "se va la luz un rato"
    with table(tablet, served, TRICK) as keying:
        more(keying, "suspend")
        keying.sheet("input[type=text]").press_sequentially(f"{why} ")
        note(keying)
        expect(keying.page.locator(".prompt")).to_contain_text("Juego parado")
        assert recorded(keying)[-1] == {"kind": "suspend", "text": why}
        assert keying.view()["suspended"]
        keying.tap(keying.button("Seguir jugando"))
        expect(keying.page.locator(".prompt")).to_contain_text("Ana")
        assert recorded(keying)[-1] == {"kind": "resume"}
        assert not keying.view()["suspended"]


def test_an_incident_keeps_the_words_of_the_arbiter(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served, TRICK) as keying:
        more(keying, "incident")
        choose(keying, Qué_pasó="carta vista", Quién="Blas")
        keying.tap(keying.sheet("summary"))
        cards(keying, "RB")
        keying.sheet("input[type=text]").press_sequentially("se le cae al suelo")
        note(keying)
        noted = {"incident": "exposed", "seat": "B1", "card": "RB", "text": "se le cae al suelo"}
        assert recorded(keying)[-1] == {"kind": "incident", **noted}
        assert findings(keying) == [("B1", "card-exposed")]


def test_a_renuncio_is_denounced_in_a_trick_of_the_deal_that_was_counted(
    tablet: PageInNode, served: Served
) -> None:
    acts, _ = played(lambda account: len(account.takers) > 1)
    with table(tablet, served, first_deal(acts)) as keying:
        more(keying, "denounce")
        choose(keying, Quién_denuncia="Blas", A_quién="Ana")
        keying.tap(trick(keying, 10))
        keying.tap(keying.sheet("form .main"))
        keying.tap(keying.button("Cerrar"))
        denounced = {"kind": "denounce", "by": "B1", "against": "A1", "trick": 10}
        assert recorded(keying)[-1] == denounced
        expect(keying.undo()).to_contain_text("Blas denuncia a Ana (baza 10)")
        assert ("B1", "accusation-unfounded") in findings(keying)


def test_in_vueltas_a_renuncio_of_the_first_deal_is_denounced_by_deal_and_trick(
    tablet: PageInNode, served: Served
) -> None:
    encuentro = in_vueltas_with_renuncios_of_all_deals(Club(served))
    with tablet_at(tablet, served, encuentro) as keying:
        more(keying, "denounce")
        choose(keying, Quién_denuncia="Blas", A_quién="Ana")
        keying.tap(trick(keying, 1))
        expect(trick(keying, 1)).to_have_attribute("aria-pressed", "true")
        expect(trick(keying, 10)).to_have_count(0)
        choose(keying, Reparto="Reparto 1")
        expect(trick(keying, 1)).to_have_attribute("aria-pressed", "false")
        keying.tap(trick(keying, 10))
        keying.tap(keying.sheet("form .main"))
        expect(keying.sheet(".accused")).to_contain_text("(Reparto 1, baza 10)")
        expect(keying.sheet(".accused")).to_have_attribute("data-verdict", "not_proved")
        keying.tap(keying.button("Cerrar"))
        denounced = {"kind": "denounce", "by": "B1", "against": "A1", "trick": 10, "deal": 1}
        assert recorded(keying)[-1] == denounced
        assert ("B1", "accusation-unfounded") in findings(keying)


def test_a_swap_that_the_rules_bar_is_noted_and_said_to_be_barred(
    tablet: PageInNode, served: Served
) -> None:
    with table(tablet, served, TRICK) as keying:
        keying.tap(keying.button("Cambio"))
        sheet = keying.page.locator("dialog.sheet")
        expect(sheet).to_contain_text("El dos no se lleva el siete")
        keying.tap(keying.sheet('[data-seat="A1"]'))
        assert recorded(keying)[-1] == {"kind": "swap", "seat": "A1", "card": "2O"}
        assert ("A1", "two-for-seven-barred") in findings(keying)
    with table(tablet, served, TRICK, of=("sin-mazo", 4, 40)) as keying:
        keying.tap(keying.button("Cambio"))
        expect(keying.page.locator("dialog.sheet")).to_contain_text("No queda mazo")
        expect(keying.sheet("[data-seat]")).to_have_count(0)
