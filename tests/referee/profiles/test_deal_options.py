"""At tables of each profile: cards, deals, duties and renuncios as the law has them."""

from __future__ import annotations

from referee.events import (
    CanteAnnounced,
    CardsShown,
    DealStarted,
    HandEntered,
    IncidentNoted,
    Misdealt,
    PintaSwapped,
    RenuncioDenounced,
    TableAct,
)
from referee.rules.articles import Rule
from referee.rules.cards import BIT, CARD, OROS, mask_of_tokens, print_card
from referee.rules.draw import SeatDraw, outcome_por_palo
from referee.rules.duties import lawful_plays, position_before_play
from referee.rules.profile.options import Options
from referee.table.accusations import renuncios_to_ask
from tests.referee.profiles.stated import (
    WON,
    deal_until_arrastre,
    finds,
    flag,
    tables_stating,
)
from tests.support.records.table_text import Scene, dealt, given, plays


@tables_stating("pack")
def test_pack(options, value):
    packs = {"SC": "spanish", "QH": "french_queen_sota", "JH": "french_queen_caballo"}
    assert packs[print_card(CARD["SC"], options.pack)] == value


@tables_stating("direction")
def test_direction(options, value):
    names = ("Ana", "Blas", "Celia", "Diego")
    found = outcome_por_palo(SeatDraw(names, "dealer", options), [("Blas", CARD["2O"])])
    assert {"Celia": "anticlockwise", "Ana": "clockwise"}[found.dealer] == value


@tables_stating("sota_caballo")
def test_sota_caballo(options, value):
    deal = given(options, *dealt(), *plays("A1 CC, B1 SC, A2 4C, B2 5C")).table.deal
    assert {"B1": "sota_over_caballo", "A1": "caballo_over_sota"}[deal.taker_of_last_trick] == value


@tables_stating("hand_size")
def test_hand_size(options, value):
    deal = given(options, *dealt()).table.deal
    assert {str(size) for size in deal.sizes} == {value}


@tables_stating("deal_packets")
def test_deal_packets(options, value):
    ways = ("3+3", "one_by_one")
    right = [
        way
        for way in ways
        if not finds(options, Rule.WRONG_PACKETS, DealStarted("B2", packets=way))
    ]
    assert right == [value]


@tables_stating("pinta_from")
def test_pinta_from(options, value):
    deal = given(options, *dealt("4O", "B2")).table.deal
    ways = {("", True): "first_stock_card", ("B2", False): "dealers_last_card"}
    assert ways[deal.holder(CARD["4O"]) or "", deal.lies] == value


@tables_stating("pinta_from", players=2)
def test_pinta_from_of_two(options, value):
    deal = given(options, *dealt("4O", "B1")).table.deal
    assert (deal.lies, bool(deal.stock)) == (True, True)
    assert value == "first_stock_card"


@tables_stating("cut_min")
def test_cut_min(options, value):
    cuts = range(1, 20)
    small = [c for c in cuts if finds(options, Rule.CUT_TOO_SMALL, DealStarted("B2", cut=c))]
    assert small == list(range(1, int(value)))


@tables_stating("misdeal")
def test_misdeal(options, value):
    once = [DealStarted("B2"), Misdealt({"A1": 7}), DealStarted("B2")]
    assert not finds(options, Rule.WRONG_DEALER, *once, dealer_due="B2")
    twice = [*once, Misdealt({"A1": 7})]
    passes = finds(options, Rule.WRONG_DEALER, *twice, DealStarted("B2"), dealer_due="B2")
    assert ("redeal_then_pass" if passes else "redeal") == value


@tables_stating("duties_from")
def test_duties_from(options, value):
    unfollowed = plays("A1 2C, B1 2E, A2 4C, B2 5C")
    scene = given(options, *dealt(), *unfollowed, CardsShown("B1", ("6C",)))
    has_duty = any(one.rule == Rule.FOLLOW for one in scene.table.findings)
    assert ("first_trick" if has_duty else "stock_empty") == value


def must(options: Options, laid: str, card: str, other: str) -> str:
    """Whether A1 must lay a card rather than the other one; trump is oros."""
    before = [(seat, CARD[token]) for seat, token in (one.split() for one in laid.split(", "))]
    found = lawful_plays(
        position_before_play(before, "A1", OROS, options), mask_of_tokens([card, other])
    )
    assert found & BIT[CARD[card]]
    return flag(not found & BIT[CARD[other]])


@tables_stating("beat_partner")
def test_beat_partner(options, value):
    assert must(options, "B1 4C, A2 RC, B2 2C", "AC", "5C") == value


@tables_stating("trump_partner")
def test_trump_partner(options, value):
    assert must(options, "B1 4C, A2 AC, B2 2C", "2O", "AE") == value


@tables_stating("beat_after_trumped")
def test_beat_after_trumped(options, value):
    assert must(options, "B1 4C, A2 RC, B2 2O", "AC", "2C") == value


@tables_stating("overtrump")
def test_overtrump(options, value):
    assert must(options, "B1 4C, A2 RC, B2 7O", "3O", "2O") == value


@tables_stating("undertrump")
def test_undertrump(options, value):
    is_forced = must(options, "B1 4C, A2 RC, B2 7O", "2O", "AE")
    assert {"true": "forced", "false": "free"}[is_forced] == value


ACCUSED = RenuncioDenounced("A1", "B1")
SHOWN_4B, SHOWN_AB, SHOWN_2O = (CardsShown("B1", (card,)) for card in ("4B", "AB", "2O"))
CASES = {
    "follow": [*plays("A1 2B, B1 RC"), SHOWN_4B],
    "beat": [*plays("A1 4B, B1 2B"), SHOWN_AB],
    "trump": [*plays("A1 4B, B1 RC"), CardsShown("B1", ("2O",), ("B",))],
    "out_of_turn_in_arrastre": plays("B1 2B"),
    "talk": [IncidentNoted("talk", "B1")],
}


def accusation(options: Options, case: str) -> Scene:
    """The first trick of the arrastre, in which B1 does this and is denounced by A1."""
    return given(options, *deal_until_arrastre(options), *CASES[case], ACCUSED)


@tables_stating("renuncio_cases")
def test_renuncio_cases(options, value):
    found = [case for case in CASES if accusation(options, case).table.decided is not None]
    assert ",".join(found) == value


@tables_stating("renuncio_penalty")
def test_renuncio_penalty(options, value):
    found = accusation(options, "follow").table.decided
    penalty = "replay_deal" if found is None else "lose_partida"
    assert ("lose_match" if found is not None and found.whole_match else penalty) == value


@tables_stating("renuncio_costs")
def test_renuncio_costs(options, value):
    unfollowed = "A1 2B, B1 RC, A2 5B, B2 6B"
    shown = "B2 7B, A1 CB, B1 AB, A2 SB, B1 3B, A2 RB, B2 SC, A1 4B"
    scene = given(
        options, *deal_until_arrastre(options), *plays(f"{unfollowed}, {shown}")
    ).undecided()
    assert ("when_proved" if renuncios_to_ask(scene.table) else "when_denounced") == value


@tables_stating("renuncio_until")
def test_renuncio_until(options, value):
    next_trick = plays("A1 SC, B1 4B, A2 RE, B2 SE")
    unfollowed = [*deal_until_arrastre(options), *plays("A1 2B, B1 RC, A2 5B, B2 6B"), *next_trick]
    is_late = finds(options, Rule.DENOUNCED_LATE, *unfollowed, ACCUSED)
    assert ("next_trick" if is_late else "end_of_deal") == value


def cost(options: Options, rule: Rule, *said: TableAct) -> str:
    """What a finding says that it costs."""
    scene = given(options, *said)
    if rule == Rule.ACCUSATION_UNFOUNDED:
        scene.play_out()
    return next(dict(one.facts)["costs"] for one in scene.table.findings if one.rule == rule)


@tables_stating("false_accusation")
def test_false_accusation(options, value):
    assert cost(options, Rule.ACCUSATION_UNFOUNDED, *dealt(), ACCUSED) == value


@tables_stating("false_cante")
def test_false_cante(options, value):
    sung = [*dealt(), *WON, CanteAnnounced("A1", "E"), HandEntered("B1", ("2C", "SE"))]
    assert cost(options, Rule.CANTE_DISPROVED, *sung) == value


@tables_stating("wrong_swap")
def test_wrong_swap(options, value):
    assert cost(options, Rule.SWAP_NO_TRICK, *dealt("AO"), *WON, PintaSwapped("B1")) == value
