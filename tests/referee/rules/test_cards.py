"""Cards, seats and sides: every table of the law, written out independently."""

from __future__ import annotations

from itertools import pairwise

import pytest

from referee.rules import cards, seats
from referee.rules.articles import ABOUT, Rule
from referee.rules.profile.options import (
    Options,
    card_for_swap,
    deck_mask,
    deck_size,
    is_dos_out,
    two_for_seven_cards_or_none,
)


def test_the_cards_and_their_worth():
    assert cards.TOKENS[:12] == (
        "2O",
        "4O",
        "5O",
        "6O",
        "7O",
        "8O",
        "9O",
        "CO",
        "SO",
        "RO",
        "3O",
        "AO",
    )
    assert [token[1] for token in cards.TOKENS[::12]] == list("OCEB")
    assert len(set(cards.TOKENS)) == len(cards.CARDS) == 48
    worth = {
        token: cards.POINTS[cards.CARD[token]]
        for token in ("AO", "3C", "RE", "SB", "CO", "7C", "9E")
    }
    assert worth == {"AO": 11, "3C": 10, "RE": 4, "SB": 3, "CO": 2, "7C": 0, "9E": 0}
    assert (cards.SUIT_POINTS, cards.DECK_POINTS, cards.points_of(cards.DECK_40)) == (30, 120, 120)
    assert (cards.DECK_40.bit_count(), cards.DECK_48.bit_count()) == (40, 48)
    assert {t for t in cards.TOKENS if not cards.DECK_40 >> cards.CARD[t] & 1} == {
        r + u for r in "89" for u in "OCEB"
    }


@pytest.mark.parametrize(
    ("order", "card", "higher"),
    [
        ("sota_over_caballo", "CO", "SO RO 3O AO"),
        ("sota_over_caballo", "SO", "RO 3O AO"),
        ("caballo_over_sota", "SO", "CO RO 3O AO"),
        ("caballo_over_sota", "CO", "RO 3O AO"),
        ("sota_over_caballo", "AC", ""),
        ("sota_over_caballo", "3C", "AC"),
        ("caballo_over_sota", "7B", "8B 9B CB SB RB 3B AB"),
    ],
)
def test_what_is_higher(order, card, higher):
    assert set(cards.tokens_in(cards.ABOVE[order][cards.CARD[card]])) == set(higher.split())


def test_masks_and_cards_are_two_forms_of_one_thing():
    tokens = ["AO", "2O", "CC"]
    mask = cards.mask_of_tokens(tokens)
    assert mask == cards.mask_of(cards.CARD[t] for t in tokens)
    assert cards.tokens_in(mask) == ["2O", "AO", "CC"]
    assert cards.cards_in(0) == []
    assert [cards.TOKENS[card] for card in cards.sort_cards(cards.cards_in(mask))] == [
        "AO",
        "2O",
        "CC",
    ]
    assert [cards.tokens_in(pair) for pair in cards.CANTE_PAIR] == [
        [f"S{u}", f"R{u}"] for u in "OCEB"
    ]
    assert [m.bit_count() for m in cards.SUIT_MASK] == [12] * 4


@pytest.mark.parametrize(
    ("pack", "text", "card"),
    [
        ("spanish", "SC", "SC"),
        ("french_queen_sota", "QH", "SC"),
        ("french_queen_sota", "JH", "CC"),
        ("french_queen_caballo", "QH", "CC"),
        ("french_queen_caballo", "JH", "SC"),
        ("french_queen_sota", "KD", "RO"),
        ("french_queen_sota", "AS", "AE"),
        ("french_queen_sota", "7C", "7B"),
    ],
)
def test_packs_are_two_ways_to_write_one_card(pack, text, card):
    assert cards.TOKENS[cards.parse_card(text, pack)] == card
    assert cards.print_card(cards.CARD[card], pack) == text


def test_the_figures_of_a_spanish_pack_have_numbers():
    spanish = cards.PRINTED["spanish"]
    assert {rank: spanish[rank] for rank in "SCR"} == {"S": "10", "C": "11", "R": "12"}


def test_without_a_pack_a_token_is_spanish():
    assert cards.parse_card("CC") == cards.CARD["CC"]
    assert cards.print_card(cards.CARD["SB"]) == "SB"


def test_the_ranks_are_worked_out_from_their_order():
    """Recomputed as when the module is loaded."""
    for name, order in (
        ("sota_over_caballo", "2456789CSR3A"),
        ("caballo_over_sota", "2456789SCR3A"),
    ):
        found = cards._higher_cards_by_card(order)
        for suit in "OCEB":
            for low, high in pairwise(order):
                gained = found[cards.CARD[low + suit]] ^ found[cards.CARD[high + suit]]
                assert cards.tokens_in(gained) == [high + suit]
            assert found[cards.CARD["A" + suit]] == 0
        assert found == cards.ABOVE[name]


@pytest.mark.parametrize(
    ("spanish", "ranks", "french"),
    [
        ("RO", "queen_sota", "KD"),
        ("SC", "queen_sota", "QH"),
        ("SC", "queen_caballo", "JH"),
        ("CB", "queen_caballo", "QC"),
        ("7E", "queen_sota", "7S"),
        ("AC", "queen_caballo", "AH"),
    ],
)
def test_a_french_token_has_the_rank_and_the_suit_of_the_spanish_one(spanish, ranks, french):
    assert cards._french_token(spanish, cards.FRENCH_RANKS["french_" + ranks]) == french


@pytest.mark.parametrize("text", ["", "10O", "ao", "AX", "1O", "AO "])
def test_what_is_no_card_is_refused(text):
    with pytest.raises(ValueError, match="^" + text + "$" if text else "^$"):
        cards.parse_card(text)


def test_seats_in_order_of_play():
    assert seats.SEATS == {2: ("A1", "B1"), 3: ("A1", "B1", "C1"), 4: ("A1", "B1", "A2", "B2")}
    assert seats.SIDES == {2: ("A", "B"), 3: ("A", "B", "C"), 4: ("A", "B")}
    assert seats.order_from("B2", 4) == ("B2", "A1", "B1", "A2")
    assert [seats.next_seat(seat, 3) for seat in seats.SEATS[3]] == ["B1", "C1", "A1"]
    assert [seats.partner_of(seat, 4) for seat in seats.SEATS[4]] == ["A2", "B2", "A1", "B1"]
    assert seats.partner_of("A1", 2) is None
    assert seats.partner_of("C1", 3) is None
    assert seats.other_sides("B", 3) == ("A", "C")
    assert seats.side_of("C1") == "C"


@pytest.mark.parametrize(
    ("direction", "left", "right"), [("anticlockwise", "B2", "B1"), ("clockwise", "B1", "B2")]
)
def test_left_and_right_turn_with_the_direction(direction, left, right):
    assert seats.seat_to_the_left_of("A1", 4, direction) == left
    assert seats.seat_to_the_right_of("A1", 4, direction) == right


def test_decks_of_every_table():
    two, three = Options(players=2), Options(players=3)
    big = Options(players=3, deck=48)
    left = Options(players=3, three_deck="leftover_on_table")
    assert [deck_size(o) for o in (Options(), two, three, big, left)] == [40, 40, 39, 48, 40]
    assert [is_dos_out(o) for o in (Options(), three, big, left)] == [False, True, False, False]
    assert deck_mask(Options()) == cards.DECK_40
    assert deck_mask(three) == cards.DECK_40 & ~cards.BIT[cards.CARD["2B"]]
    assert deck_mask(three, "2C") == cards.DECK_40 & ~cards.BIT[cards.CARD["2C"]]
    assert deck_mask(Options(), "2C") == cards.DECK_40
    assert deck_mask(big) == cards.DECK_48
    with pytest.raises(ValueError, match="3C"):
        deck_mask(three, "3C")
    with pytest.raises(ValueError, match=r"^3C$"):
        deck_mask(Options(), "3C")
    assert [cards.TOKENS[card_for_swap(Options(), suit)] for suit in range(4)] == [
        "7O",
        "7C",
        "7E",
        "7B",
    ]
    assert cards.TOKENS[card_for_swap(Options(deck=48), 1)] == "9C"
    sizes = [
        o.stock_size
        for o in (Options(), two, three, big, Options(players=2, deck=48), Options(deck=48))
    ]
    assert sizes == [16, 28, 21, 30, 36, 24]
    assert not Options(hand_size=10, pinta_from="dealers_last_card").has_stock
    assert Options().has_stock


def test_the_dos_may_take_the_siete_where_it_is_in_the_deck():
    options = Options(two_for_seven=True, players=3)
    assert two_for_seven_cards_or_none(options, 0, "2B") == (cards.CARD["2O"], cards.CARD["7O"])
    assert two_for_seven_cards_or_none(options, 2) == (cards.CARD["2E"], cards.CARD["7E"])
    assert two_for_seven_cards_or_none(options, 3) is None
    assert two_for_seven_cards_or_none(options, 3, "2B") is None


def test_every_rule_says_what_it_is():
    assert set(ABOUT) == set(Rule)
    kinds = {"impossible", "duty", "finding", "decision", "draw"}
    assert {about.kind for about in ABOUT.values()} == kinds
    assert ABOUT[Rule.CARD_ELSEWHERE].kind == "impossible"
    assert ABOUT[Rule.SEATS_INCOMPLETE].kind == "impossible"
    assert [rule for rule in Rule if ABOUT[rule].kind == "duty"] == [
        Rule.FOLLOW,
        Rule.BEAT,
        Rule.TRUMP,
        Rule.OVERTRUMP,
        Rule.UNDERTRUMP,
    ]
