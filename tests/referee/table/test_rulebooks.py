"""What rulebooks say by an example, a number or in passing, at tables of their profiles."""

from __future__ import annotations

import pytest

from projections.public.board import public_partida
from referee.events import (
    CardPlayed,
    ClaimMade,
    DealStarted,
    IncidentNoted,
    PintaSwapped,
    RenuncioDenounced,
)
from referee.rules.articles import Rule
from referee.rules.cards import BIT, CARD, DECK_40, ESPADAS, TOKENS, mask_of, parse_card
from referee.rules.duties import facing, lawful
from referee.rules.profile.deck import deck_mask
from referee.rules.profile.profile import profile
from referee.rules.tricks import best_index
from tests.support.records.table_deals import deal_of, vueltas
from tests.support.records.table_text import cante, dealt, draws, given, plays, tricks

ESCUELA = profile("escuela").options()
FRENCH = profile("baraja-francesa").options()
GUINYOT = profile("guinyot").options()
LUDOTEKA = profile("ludoteka").options()
SIN_MAZO = profile("sin-mazo").options()


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
    found = lawful(facing(before, seat, ESPADAS, FRENCH), mask_of(cards))
    assert [card for card in hand.split() if found & BIT[french(card)]] == allowed.split()


def test_the_trump_of_the_example_takes_the_trick() -> None:
    cards = [french(card) for _, card in EXAMPLE]
    assert EXAMPLE[best_index(cards, ESPADAS, FRENCH.sota_caballo)][0] == "A2"


def test_everybody_sees_the_pinta_and_what_is_put_in_its_place() -> None:
    scene = given(GUINYOT, *dealt("AO"))
    assert public_partida(scene.state)["deal"]["pinta"] == "AO"
    scene.tell(*plays("A1 AC, B1 2C, A2 4C, B2 5C"), PintaSwapped("A2")).finds_not()
    assert public_partida(scene.state)["deal"]["pinta"] == "7O"


def test_points_of_vueltas_are_kept_from_memory() -> None:
    """The score in public stays that of the counted deal until a claim is judged."""
    scene = vueltas(GUINYOT).tell(*tricks("A1 20, A1 20"))
    assert public_partida(scene.state)["totals"] == {"A": 70, "B": 60}
    scene.tell(ClaimMade("A1"))
    assert public_partida(scene.state)["totals"] == {"A": 110, "B": 60}


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
