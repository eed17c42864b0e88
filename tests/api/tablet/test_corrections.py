"""Corrections on the tablet: undo, replacement, explanation; findings are shown."""

from __future__ import annotations

import re

import pytest

from referee.events import CardPlayed, DealStarted, PintaTurned, RulingGiven, TableAct
from referee.rules.profile.profile import profile
from tests.support.browser.keying import expect, finger_on, first_deal, played, table
from tests.support.page_in_node import PageInNode
from tests.support.servers.served import Served

SEATS = ("A1", "B1", "A2", "B2")


def dealt(*tricks: str, dealer: str = "B2") -> list[TableAct]:
    """A deal with these tricks: ``"A1 AO 2C 4C 5C"``, the leader and the cards in order of play."""
    acts: list[TableAct] = [DealStarted(dealer), PintaTurned("7O")]
    for trick in tricks:
        leader, *cards = trick.split()
        at = SEATS.index(leader)
        acts += [CardPlayed(SEATS[(at + step) % 4], card) for step, card in enumerate(cards)]
    return acts


def test_undo_takes_back_one_thing_a_tap_across_a_deal(tablet: PageInNode, served: Served) -> None:
    acts, _ = played(lambda account: len(account.takers) > 1)
    first = first_deal(acts)
    with table(tablet, served, first) as keying:
        keying.tap(keying.key("7O"))
        expect(keying.undo()).to_contain_text("Pinta: siete de oros")
        keying.tap(keying.undo())
        assert [deal["counted"] for deal in keying.view()["deals"]] == [True]
        keying.tap(keying.undo())
        (deal,) = keying.view()["deals"]
        assert (deal["counted"], len(deal["tricks"]), len(deal["on_table"])) == (False, 9, 3)
        last = first[-1]
        assert isinstance(last, CardPlayed)
        keying.cards(last.card)
        assert [deal["counted"] for deal in keying.view()["deals"]] == [True]


def test_undo_reaches_the_partida_before_and_asks_first(tablet: PageInNode, served: Served) -> None:
    acts, account = played(lambda one: one.how == "claim")
    with table(tablet, served, acts) as keying:
        keying.tap(keying.button("Siguiente partida"))
        keying.tap(keying.undo())
        expect(keying.sheet(".changes")).to_contain_text(re.compile("sin decidir"))
        keying.tap(keying.button("Sí, reabrir la partida"))
        expect(keying.page.locator(".scores")).to_contain_text("Partida 1")
        assert keying.view()["decided"] is None
        assert account.how == "claim"


def test_no_undo_takes_back_a_ruling(tablet: PageInNode, served: Served) -> None:
    ruling = RulingGiven("partida", side="A", text="Lo vieron todos")
    with table(tablet, served, [*dealt("A1 AC 2C"), ruling]) as keying:
        expect(keying.page.locator(".decided")).to_contain_text("por decisión del árbitro")
        expect(keying.undo()).to_be_disabled()


def test_a_card_of_this_trick_is_replaced_in_two_taps(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served, dealt("A1 AC 2C")) as keying:
        with finger_on(keying.laid("2C")):
            asked = keying.page.locator(".prompt.asks")
            expect(asked).to_contain_text("¿Qué carta era en realidad?")
        keying.tap(keying.key("4C"))
        expect(keying.laid("4C")).to_be_visible()
        keying.cards("5C")
        plays = keying.view()["deals"][0]["on_table"]
        assert [(play["seat"], play["card"]) for play in plays] == [
            ("A1", "AC"),
            ("B1", "4C"),
            ("A2", "5C"),
        ]


def test_a_card_of_the_last_trick_is_replaced_after_its_effects_are_shown(
    tablet: PageInNode, served: Served
) -> None:
    with table(tablet, served, dealt("A1 AC 2C 4C 5C", "A1 2E")) as keying:
        keying.tap(keying.button("Baza anterior"))
        keying.laid("2C").tap()
        keying.tap(keying.key("6C"))
        expect(keying.sheet(".changes")).to_be_hidden()
        plays = keying.view()["deals"][0]["tricks"][0]["plays"]
        assert plays[1]["card"] == "6C"
        keying.tap(keying.button("Baza anterior"))
        with finger_on(keying.laid("4C")):
            expect(keying.page.locator(".prompt.asks")).to_be_visible()
        keying.tap(keying.key("2O"))
        expect(keying.sheet(".changes li").first).to_be_visible()
        assert keying.view()["deals"][0]["tricks"][0]["taker"] == "A1"
        keying.tap(keying.button("Sí, corregir"))
        expect(keying.sheet(".changes")).to_be_hidden()
        assert keying.view()["deals"][0]["tricks"][0]["taker"] == "A2"


MOVED = "Baza 2 (sale as de espadas): Ana → Blas, 21 tantos"


@pytest.mark.parametrize("is_online", [True, False], ids=["with the service", "without"])
def test_a_preview_tells_each_trick_that_changes_hands_and_the_score(
    tablet: PageInNode, served: Served, *, is_online: bool
) -> None:
    tricks = dealt("A1 AC 2C 4C 5C", "A1 AE 2E 4E 5E", "A1 2B 4B 5B 6B")
    with table(tablet, served, tricks) as keying:
        if not is_online:
            tablet.network(is_on=False)
        keying.tap(keying.button("Bazas"))
        keying.tap(keying.sheet('[data-line="8"]'))
        keying.tap(keying.key("3O"))
        changes = keying.sheet(".changes li")
        expect(changes.filter(has_text=MOVED)).to_have_count(1)
        expect(changes.filter(has_text="→ 21")).to_have_count(1)
        expect(changes.filter(has_text="22")).to_have_count(1)
        expect(changes.filter(has_text="Baza 1")).to_have_count(0)
        keying.tap(keying.button("Dejarlo").last)
        if not is_online:
            tablet.network(is_on=True)


@pytest.mark.parametrize("is_online", [True, False], ids=["with the service", "without"])
def test_in_vueltas_a_preview_tells_points_only_while_a_finger_is_held(
    tablet: PageInNode, served: Served, *, is_online: bool
) -> None:
    acts, _ = played(lambda account: len(account.takers) > 1)
    first = first_deal(acts)
    opening = acts[len(first)]
    assert isinstance(opening, DealStarted)
    eldest = SEATS[(SEATS.index(opening.dealer) + 1) % 4]
    second = dealt(f"{eldest} AC 2C 4C 5C", f"{eldest} 2E", dealer=opening.dealer)
    with table(tablet, served, [*first, *second]) as keying:
        if not is_online:
            tablet.network(is_on=False)
        keying.tap(keying.button("Bazas"))
        keying.tap(keying.sheet(f'[data-line="{len(first) + 4}"]'))
        keying.tap(keying.key("3O"))
        moved = keying.sheet(".changes li").filter(has_text="Baza 1 (sale as de copas)")
        expect(moved).to_have_count(1)
        hidden = keying.sheet(".peek")
        expect(hidden).to_have_text("Mantén el dedo para ver los tantos")
        assert re.search(r"\d+ → \d+|tantos:|, \d+ tantos", keying.sheet("").inner_text()) is None
        with finger_on(hidden):
            expect(hidden).to_have_text(re.compile(" → .* → "))
        expect(hidden).to_have_text("Mantén el dedo para ver los tantos")
        keying.tap(keying.button("Dejarlo").last)
        if not is_online:
            tablet.network(is_on=True)


def test_the_last_trick_of_a_deal_stays_to_be_looked_at(tablet: PageInNode, served: Served) -> None:
    acts, _ = played(lambda account: len(account.takers) > 1)
    first = first_deal(acts)
    last = first[-1]
    assert isinstance(last, CardPlayed)
    with table(tablet, served, first) as keying:
        expect(keying.page.locator(".count")).to_be_visible()
        keying.tap(keying.button("Baza anterior"))
        expect(keying.laid(last.card)).to_be_visible()
        expect(keying.page.locator(".count")).to_have_count(0)
        keying.tap(keying.button("Baza anterior"))
        expect(keying.page.locator(".count")).to_be_visible()
        keying.cards("7O")
        expect(keying.page.locator(".count, .felt .play")).to_have_count(0)
        keying.tap(keying.button("Baza anterior"))
        expect(keying.laid(last.card)).to_be_visible()


def test_the_count_of_the_deal_that_decides_is_shown(tablet: PageInNode, served: Served) -> None:
    acts, account = played(lambda one: one.how == "first_deal")
    with table(tablet, served, acts) as keying:
        expect(keying.page.locator(".decided h2")).to_be_visible()
        totals = account.totals(profile("club").options(4, 40))
        sums = keying.page.locator(".count .sum b").all_inner_texts()
        assert [int(text) for text in sums] == [totals["A"], totals["B"]]
        expect(keying.page.locator(".count caption")).to_have_text("Reparto 1")
        keying.tap(keying.button("Baza anterior"))
        expect(keying.page.locator(".felt .play")).to_have_count(4)


def test_any_card_of_an_earlier_deal_is_found_and_replaced(
    tablet: PageInNode, served: Served
) -> None:
    acts, _ = played(lambda account: len(account.takers) > 1)
    first = first_deal(acts)
    with table(tablet, served, [*first, DealStarted("A1"), PintaTurned("7O")]) as keying:
        keying.tap(keying.button("Bazas"))
        keying.sheet('.choice[aria-label="Reparto"] button').first.tap()
        line = next(place for place, act in enumerate(first, 1) if isinstance(act, CardPlayed))
        old = first[line - 1]
        assert isinstance(old, CardPlayed)
        keying.tap(keying.sheet(f'[data-line="{line}"]'))
        other = next(
            act
            for act in first[line + 3 :]
            if isinstance(act, CardPlayed) and act.card[1] != old.card[1]
        )
        keying.tap(keying.key(other.card))
        keying.tap(keying.button("Sí, corregir"))
        expect(keying.sheet(".changes")).to_be_hidden()
        trick = keying.view()["deals"][0]["tricks"][0]
        assert trick["plays"][0]["card"] == other.card
        assert old.card in [
            play["card"] for one in keying.view()["deals"][0]["tricks"] for play in one["plays"]
        ]


def test_two_seats_exchanged_are_put_right(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served, dealt("A1 AC 2C 4C")) as keying:
        keying.laid("2C").tap()
        keying.tap(keying.page.locator(".prompt.asks").get_by_role("button", name="Celia"))
        expect(keying.page.locator(".prompt.asks")).to_be_hidden()
        plays = keying.view()["deals"][0]["on_table"]
        assert {play["seat"]: play["card"] for play in plays} == {
            "A1": "AC",
            "B1": "4C",
            "A2": "2C",
        }


def test_a_card_seen_twice_offers_the_likeliest_slips(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served, dealt("A1 AC 2C 4C 5C", "A1 2E")) as keying:
        keying.tap(keying.key("4C"))
        expect(keying.sheet("h2")).to_contain_text("Esa carta ya salió")
        expect(keying.sheet("[data-slip]").first).to_be_visible()
        keying.tap(keying.sheet("[data-slip]").filter(has_text="Celia juega el cuatro de espadas"))
        expect(keying.laid("4C")).to_be_visible()
        deal = keying.view()["deals"][0]
        assert deal["tricks"][0]["plays"][2]["card"] == "4E"
        assert [(play["seat"], play["card"]) for play in deal["on_table"]] == [
            ("A1", "2E"),
            ("B1", "4C"),
        ]


def test_what_was_noticed_waits_behind_a_quiet_mark(tablet: PageInNode, served: Served) -> None:
    acts, _ = played(of=("sin-mazo", 4, 40))
    with table(tablet, served, acts[:2], of=("sin-mazo", 4, 40)) as keying:
        trump = acts[1].card[1] if isinstance(acts[1], PintaTurned) else ""
        led, other = [suit for suit in "OCEB" if suit != trump][:2]
        turn = keying.page.locator(".seat.turn")
        leader = turn.get_attribute("data-seat")
        keying.cards(f"2{led}", f"2{other}", f"4{led}", f"5{led}")
        expect(keying.page.locator("dialog")).to_have_count(0)
        keying.tap(keying.seat(SEATS[(SEATS.index(str(leader)) + 1) % 4]))
        expect(keying.key(f"6{led}")).to_have_class(f"key {led} tint")
        keying.cards(f"6{led}")
        expect(keying.page.locator("dialog")).to_have_count(0)
        expect(keying.button("Indicios: 2")).to_be_visible()
        keying.tap(keying.button("Indicios: 2"))
        expect(keying.sheet(".findings")).to_contain_text("Debía asistir al palo de salida.")
        expect(keying.sheet(".findings")).to_contain_text("Guiñote sin mazo")
        expect(keying.sheet(".findings")).to_contain_text("lo prueba: seis")


def test_a_renuncio_is_denounced_and_decided(tablet: PageInNode, served: Served) -> None:
    acts, _ = played(of=("sin-mazo", 4, 40))
    trump = acts[1].card[1] if isinstance(acts[1], PintaTurned) else ""
    led, other = [suit for suit in "OCEB" if suit != trump][:2]
    first = acts[0]
    assert isinstance(first, DealStarted)
    order = [SEATS[(SEATS.index(first.dealer) + step) % 4] for step in range(1, 5)]
    cards = (f"2{led}", f"2{other}", f"4{led}", f"5{led}")
    plays = [CardPlayed(seat, card) for seat, card in zip(order, cards, strict=True)]
    proof = CardPlayed(order[1], f"6{led}")
    with table(tablet, served, [*acts[:2], *plays, proof], of=("sin-mazo", 4, 40)) as keying:
        keying.tap(keying.button("Más"))
        keying.tap(keying.button("Denunciar renuncio"))
        by = keying.sheet('[aria-label="Quién denuncia"] button')
        against = keying.sheet('[aria-label="A quién"] button')
        by.nth(SEATS.index(order[0])).tap()
        against.nth(SEATS.index(order[1])).tap()
        keying.sheet('[aria-label="Baza"] button').first.tap()
        keying.tap(keying.sheet("button[type=submit]"))
        expect(keying.page.locator(".decided")).to_contain_text("por renuncio")
        assert keying.view()["decided"]["winner"] == order[0][0]


RARE = [
    ("Parar el juego", [], "suspend"),
    ("Se rinden", ['[aria-label="Quiénes"] button'], "concede"),
    ("Otra falta", ['[aria-label="Qué pasó"] button'], "incident"),
    ("Fin del tiempo", None, "time"),
    ("Reparto mal hecho", [], "misdeal"),
    ("Anular el reparto", [], "annul"),
]


def test_rare_acts_are_recorded_and_undone(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served, dealt("A1 AC")) as keying:
        for name, fields, kind in RARE:
            before = len(keying.club.log(keying.encuentro))
            keying.tap(keying.button("Más"))
            keying.tap(keying.button(name))
            for field in fields or []:
                keying.sheet(field).first.tap()
            if fields is not None:
                keying.tap(keying.sheet("button[type=submit]"))
            keying.view()
            assert keying.club.log(keying.encuentro)[before:] == [kind]
            keying.tap(keying.undo())
            if keying.view()["decided"]:
                expect(keying.sheet(".changes")).to_contain_text(re.compile("sin decidir"))
                keying.tap(keying.button("Sí, reabrir la partida"))
            keying.view()
            assert keying.club.log(keying.encuentro)[before + 1 :] == [f"-{before + 1}"]
        expect(keying.laid("AC")).to_be_visible()
