"""What rulebooks say by an example, a number or in passing, at tables of their profiles."""

from __future__ import annotations

from itertools import chain

import pytest

from projections.board.views import public_partida
from referee.events import (
    CardPlayed,
    CardsShown,
    ClaimMade,
    DealStarted,
    IncidentNoted,
    PintaSwapped,
    RenuncioDenounced,
    TuteAnnounced,
)
from referee.rules.articles import Rule
from referee.rules.cards import (
    BIT,
    CARD,
    DECK_40,
    ESPADAS,
    TOKENS,
    index_of_winning_card,
    mask_of,
    parse_card,
)
from referee.rules.duties import lawful_plays, position_before_play
from referee.rules.profile.options import deck_mask
from referee.rules.profile.profile import profile
from tests.support.records.table_deals import deal_of, vueltas
from tests.support.records.table_text import cante, dealt, draws, given, plays, tricks

ESCUELA = profile("escuela").options()
FRENCH = profile("baraja-francesa").options()
GUINYOT = profile("guinyot").options()
LUDOTEKA = profile("ludoteka").options()
SIN_MAZO = profile("sin-mazo").options()
WITH_A_STOCK = ["guinyot", "escuela", "ludoteka", "baraja-francesa"]


def test_hands_are_full_until_the_stock_is_gone() -> None:
    """Six cards to choose from at each lead, and one less at each of the last five."""
    scene = given(LUDOTEKA, *dealt())
    sizes = [scene.table.deal.sizes]
    while not scene.table.deal.is_played_out:
        scene.play_out(until=len(scene.table.deal.tricks) + 1)
        if drawing := scene.table.deal.gap.to_draw:
            scene.tell(draws(", ".join(drawing)))
        sizes.append(scene.table.deal.sizes)
    assert sizes == [(cards,) * 4 for cards in (6, 6, 6, 6, 6, 5, 4, 3, 2, 1, 0)]


@pytest.mark.parametrize(
    "pack, figures", [("french_queen_sota", "CS"), ("french_queen_caballo", "SC")]
)
def test_a_french_pack_has_neither_eights_nor_nines_nor_tens(pack, figures) -> None:
    """Jack and queen, in this order, are the figures below the king; all else is what it is."""
    ranks = "2 4 5 6 7 J Q K 3 A".split()
    spanish = [*"24567", *figures, *"R3A"]
    suits = zip("DHSC", "OCEB", strict=True)
    named = {
        rank + suit: own + spain
        for suit, spain in suits
        for rank, own in zip(ranks, spanish, strict=True)
    }
    assert {token: TOKENS[parse_card(token, pack)] for token in named} == named
    assert mask_of(CARD[token] for token in named.values()) == deck_mask(FRENCH) == DECK_40
    with pytest.raises(ValueError, match="10H"):
        parse_card("10H", pack)
    given(FRENCH, *dealt()).when(CardPlayed("A1", "8C")).refused(Rule.CARD_NOT_IN_DECK)


# A trick of the arrastre with a French pack: hearts (copas) are led, spades (espadas) are trump.
EXAMPLE = (("A1", "6H"), ("B1", "JH"), ("A2", "5S"), ("B2", "QH"))
CHOICES = [
    ("a rival's card is beaten", "B1", "JH 2H 7S", "JH"),
    ("void in hearts, with a trump", "A2", "5S 2D KC", "5S"),
    ("trumped by a rival, a higher heart", "B2", "QH 2H 7S", "QH"),
    ("trumped by a rival, no higher heart", "B2", "4H 2H 7S", "4H 2H"),
]


def french(token: str) -> int:
    return parse_card(token, FRENCH.pack)


@pytest.mark.parametrize("about, seat, hand, allowed", CHOICES, ids=[c[0] for c in CHOICES])
def test_the_cards_of_the_example_are_those_that_must_be_laid(about, seat, hand, allowed) -> None:
    at = [who for who, _ in EXAMPLE].index(seat)
    before = [(who, french(card)) for who, card in EXAMPLE[:at]]
    cards = [french(card) for card in hand.split()]
    found = lawful_plays(position_before_play(before, seat, ESPADAS, FRENCH), mask_of(cards))
    assert [card for card in hand.split() if found & BIT[french(card)]] == allowed.split()


def test_the_trump_of_the_example_takes_the_trick() -> None:
    cards = [french(card) for _, card in EXAMPLE]
    assert EXAMPLE[index_of_winning_card(cards, ESPADAS, FRENCH.sota_caballo)][0] == "A2"


def test_everybody_sees_the_pinta_and_what_is_put_in_its_place() -> None:
    scene = given(GUINYOT, *dealt("AO"))
    assert public_partida(scene.state).deal.pinta == "AO"
    scene.tell(*plays("A1 AC, B1 2C, A2 4C, B2 5C"), PintaSwapped("A2")).finds_not()
    assert public_partida(scene.state).deal.pinta == "7O"


def test_points_of_vueltas_are_kept_from_memory() -> None:
    """The score in public stays that of the counted deal until a claim is judged."""
    scene = vueltas(GUINYOT).tell(*tricks("A1 20, A1 20"))
    assert public_partida(scene.state).totals == {"A": 70, "B": 60}
    scene.tell(ClaimMade("A1"))
    assert public_partida(scene.state).totals == {"A": 110, "B": 60}


def test_a_side_that_says_nothing_does_not_win_by_its_points() -> None:
    """A is there first and plays on; B is there later and says so."""
    scene = vueltas(ESCUELA).tell(*tricks("A1 40, B1 41")).undecided()
    scene.tell(ClaimMade("B2")).then("B", "claim", A=110, B=101)


def test_signs_are_a_renuncio_while_there_is_a_stock_too() -> None:
    for incident in ("talk", "signal"):
        scene = given(ESCUELA, *dealt(), IncidentNoted(incident, "B1"))
        assert scene.table.deal.stock == 16
        scene.tell(RenuncioDenounced("A1", "B1")).then("A", "renuncio")


def test_both_partners_may_sing_one_each_and_a_third_cante_waits() -> None:
    won, again = plays("A1 AC, B1 2C, A2 4C, B2 5C"), plays("A1 6C, B1 7C, A2 3C, B2 CC")
    scene = given(GUINYOT, *dealt(), *won, cante("A1", "E"), cante("A2", "B")).finds_not()
    scene.sung(A=40).tell(cante("A1", "O")).finds(Rule.CANTES_PER_PLAYER).sung(A=40)
    later = given(GUINYOT, *dealt(), *won, cante("A1", "E"), *again, cante("A1", "O"))
    later.finds_not().sung(A=60)


def test_the_dealer_changes_only_when_the_partida_is_decided() -> None:
    """After a deal that decides nothing its last taker deals, not the seat after the dealer."""
    scene = given(SIN_MAZO, *deal_of(SIN_MAZO, "A2", dealer="B2", A=60, B=60))
    assert scene.table.dealer_due == "A2"
    scene.tell(DealStarted("A2"), *tricks("A1 31"), ClaimMade("A1")).finds_not()
    scene.then("A", "claim").next_dealer("B2")


@pytest.mark.parametrize("deck", [40, 48])
def test_a_cut_leaves_four_cards_in_each_part(deck) -> None:
    options = profile("escuela").options(4, deck)
    for cut in (4, deck // 2, deck - 4):
        given(options, DealStarted("B2", cut=cut)).finds_not()
    for cut in (1, 3, deck - 3, deck - 1):
        given(options, DealStarted("B2", cut=cut)).finds_only(Rule.CUT_TOO_SMALL)


FOUR_TRICKS = [
    plays("A1 AC, B1 2C, A2 4C, B2 5C"),
    plays("A1 3C, B1 6C, A2 7C, B2 CC"),
    plays("A1 AE, B1 2E, A2 4E, B2 5E"),
    plays("A1 3E, B1 6E, A2 7E, B2 CE"),
]
AGAINST_A_DUTY = [
    (Rule.FOLLOW, [*plays("A1 2B, B1 RC"), CardsShown("B1", ("4B",))]),
    (Rule.BEAT, [*plays("A1 4B, B1 2B"), CardsShown("B1", ("AB",))]),
    (Rule.TRUMP, [*plays("A1 4B, B1 RC"), CardsShown("B1", ("2O",), ("B",))]),
]


@pytest.mark.parametrize("duty, acts", AGAINST_A_DUTY, ids=[rule for rule, _ in AGAINST_A_DUTY])
@pytest.mark.parametrize("options", [GUINYOT, ESCUELA, LUDOTEKA, FRENCH], ids=WITH_A_STOCK)
def test_any_card_may_be_laid_in_four_tricks_and_from_the_fifth_the_duties_hold(
    options, duty, acts
) -> None:
    for many in range(4):
        given(options, *dealt(), *chain(*FOUR_TRICKS[:many]), *acts).finds_not()
    scene = given(options, *dealt(), *chain(*FOUR_TRICKS), *draws("A1, B1, A2, B2"))
    scene.when(draws("A1")).refused(Rule.NO_STOCK)
    scene.tell(acts).finds(duty, seat="B1")


@pytest.mark.parametrize("suit", "OCEB")
def test_the_suit_of_the_pinta_is_trump(suit) -> None:
    """The lowest card of that suit takes a trick of another, and of no other suit does."""
    lead, *others = [one for one in "OCEB" if one != suit]
    for low in [suit, *others]:
        scene = given(GUINYOT, *dealt(f"4{suit}"))
        scene.tell(plays(f"A1 7{lead}, B1 2{low}, A2 5{lead}, B2 6{lead}"))
        scene.winners("B1" if low == suit else "A1")


def test_in_the_second_phase_too_the_best_trump_takes_the_trick_and_leads() -> None:
    scene = given(FRENCH, *dealt("4O"), *chain(*FOUR_TRICKS), *draws("A1, B1, A2, B2"))
    scene.tell(*plays("A1 AB, B1 2O, A2 4B, B2 5O")).winners(*["A1"] * 4, "B2")
    assert scene.table.deal.turn == "B2"
    scene.tell(*plays("B2 SC, A1 RC, B1 SE, A2 5B")).winners(*["A1"] * 4, "B2", "A1").finds_not()


@pytest.mark.parametrize("duty, acts", AGAINST_A_DUTY, ids=[rule for rule, _ in AGAINST_A_DUTY])
def test_the_second_deal_is_played_by_the_same_rules(duty, acts) -> None:
    """Free tricks with swap and cante, draws, then the duties."""
    first = deal_of(ESCUELA, "B2", A=60, B=60)
    begun = given(ESCUELA, *first, *dealt("AO", "B2"), *FOUR_TRICKS[0]).in_vueltas()
    begun.tell(PintaSwapped("A2"), cante("A1", "E"), draws("A1, B1, A2, B2")).finds_not()
    begun.sung(A=20).tell(acts).finds_not()
    scene = given(ESCUELA, *first, *dealt("AO", "B2"), *chain(*FOUR_TRICKS))
    scene.tell(draws("A1, B1, A2, B2"), acts).finds(duty, seat="B1")


def test_an_early_card_and_a_hint_are_cases_of_renuncio() -> None:
    acts = {"early": plays("B1 2B"), "hint": [IncidentNoted("talk", "B1")]}
    for said in acts.values():
        scene = given(ESCUELA, *dealt(), *chain(*FOUR_TRICKS), *draws("A1, B1, A2, B2"), *said)
        scene.tell(RenuncioDenounced("A1", "B1")).then("A", "renuncio")


def test_a_tute_wins_whatever_the_points_are_and_the_next_partida_begins() -> None:
    scene = given(SIN_MAZO, *dealt(), *tricks("B1 40, B1 40, A1 2"))
    scene.tell(TuteAnnounced("A2", "S", shown=True)).then("A", "tute", A=2, B=80)
    scene.when(plays("A1 AO")).refused(Rule.PARTIDA_DECIDED, winner="A", how="tute")
    scene.next_dealer("A1")


def test_points_and_cantes_of_partners_are_counted_together() -> None:
    acts = [*tricks("A1 30"), cante("A1", "E"), cante("A2", "B"), *tricks("A2 21, B1 35, B2 34")]
    scene = given(LUDOTEKA, *dealt(), *acts, *tricks("B2 0") * 6)
    scene.counted(1, A=91, B=79)
