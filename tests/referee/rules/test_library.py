"""The law as a library: printing and parsing agree, and answers equal those of the masks."""

from __future__ import annotations

import random
import re
from collections.abc import Set as AbstractSet
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

import referee.rules as law
from referee.rules import (
    BadProfile,
    Card,
    Hand,
    Rank,
    Rule,
    Score,
    Seat,
    Side,
    Suit,
    Trick,
    count_deal,
    duties,
    profile,
    profiles,
)
from referee.rules.cards import CARDS, DECK_40, FRENCH_RANKS, SUITS, index_of_winning_card
from referee.rules.library.values import CARD_OF
from referee.rules.seats import SEATS
from tests.support.places import ROOT

CLUB = profile("club")
PAGE = (ROOT / "docs" / "law" / "library.md").read_text(encoding="utf-8")
PACKS = ["spanish", *FRENCH_RANKS]
TABLES = [(one, players) for one in profiles() for players in one.players]


@st.composite
def tricks(draw, players=None, least=0, most=4):
    """A trick of a table, in turn or out of it."""
    players = players or draw(st.sampled_from([2, 3, 4]))
    seats = draw(st.permutations(Seat.at_table(players)))
    laid = draw(st.integers(least, min(most, players)))
    cards = draw(st.permutations(CARD_OF))
    return Trick(tuple(zip(seats[:laid], cards, strict=False)), players)


HANDS = st.sets(st.sampled_from(CARD_OF)).map(Hand)


# Printing and parsing.


@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("card", Card.deck(48), ids=str)
def test_a_card_is_read_as_it_is_written(card, pack):
    assert Card.parse(card.text(pack), pack) == card
    assert Card.parse(str(card)) == Card(card.rank, card.suit) == card


@given(HANDS, st.sampled_from(PACKS))
def test_a_hand_is_read_as_it_is_written(hand, pack):
    assert Hand.parse(hand.text(pack), pack) == hand
    assert str(Hand.parse(str(hand))) == str(hand)


@given(tricks(), st.sampled_from(PACKS))
def test_a_trick_is_read_as_it_is_written(trick, pack):
    assert Trick.parse(trick.text(pack), trick.players, pack) == trick  # said and written
    assert Trick.parse(trick.text(pack), pack=pack) == trick
    assert Trick.parse(str(trick)) == trick


def test_a_trick_names_its_table_where_the_seats_do_not_show_it():
    assert str(Trick.parse("A1 AO, B1 3O")) == "A1 AO, B1 3O"
    assert str(Trick.parse("A1 AO, B1 3O", 2)) == "A1 AO, B1 3O (2 players)"
    assert str(Trick.parse("A1 AO", 3)) == "A1 AO (3 players)"
    assert str(Trick.parse("C1 AO", 3)) == "C1 AO"
    assert str(Trick((), 2)) == "(2 players)"
    with pytest.raises(ValueError, match=r"'A1 AO \(2 players\)' is of 2 players, not of 4"):
        Trick.parse("A1 AO (2 players)", 4)


VALUES = [CARD_OF, Suit, Rank, Seat, Side, Rule, profiles()]


@given(st.one_of(*map(st.sampled_from, VALUES), HANDS, tricks()))
def test_what_a_value_shows_of_itself_makes_it_again(value):
    made = eval(repr(value), {name: getattr(law, name) for name in law.__all__})
    assert made == value
    assert hash(made) == hash(value)
    assert len(repr(value)) < 200


def test_a_profile_shows_how_it_is_asked_for():
    assert [repr(one) for one in profiles()] == [f"profile({one.id!r})" for one in profiles()]
    assert repr(profile("club", "2026-1")) == "profile('club', '2026-1')"


def test_a_profile_of_a_club_shows_its_names():
    ours = CLUB.changed("our-club", "2026-1", {"beat_partner": True})
    assert repr(ours) == "<Profile our-club 2026-1, changed from club>"


TRICK = Trick.parse("B1 4C, A2 RC")


@pytest.mark.parametrize(
    "ask, complaint",
    [
        (lambda: Hand("AO 3O"), "a hand is made of cards; text is read by Hand.parse('AO 3O')"),
        (lambda: Hand(["AO"]), "'AO' is no Card, as Card.parse(\"AO\") is"),
        (
            lambda: Hand().lawful(TRICK, "O", CLUB),
            "'O' is no Suit, as Suit.OROS or Suit(\"O\") is",
        ),
        (
            lambda: Hand().lawful("B1 4C", Suit.OROS, CLUB),
            "'B1 4C' is no Trick, as Trick.parse(\"A1 AO, B1 3O\") is",
        ),
        (
            lambda: Hand().lawful(TRICK, Suit.OROS, "club"),
            "'club' is no Profile, as profile(\"club\") is",
        ),
        (
            lambda: Hand().lawful(TRICK, Suit.OROS, CLUB, seat="B2"),
            "'B2' is no Seat, as Seat.A1 is",
        ),
        (
            lambda: Hand().why_not("AO", TRICK, Suit.OROS, CLUB),
            "'AO' is no Card, as Card.parse(\"AO\") is",
        ),
        (lambda: TRICK.play("B2", CARD_OF[0]), "'B2' is no Seat, as Seat.A1 is"),
        (lambda: TRICK.taker("O", CLUB), "'O' is no Suit, as Suit.OROS or Suit(\"O\") is"),
        (lambda: Card("A", Suit.OROS), "'A' is no Rank, as Rank.AS or Rank(\"A\") is"),
        (
            lambda: count_deal(["A1 AO"], Suit.OROS, CLUB),
            "'A1 AO' is no Trick, as Trick.parse(\"A1 AO, B1 3O\") is",
        ),
    ],
)
def test_a_value_of_another_type_is_answered_with_an_example(ask, complaint):
    with pytest.raises(TypeError) as refusal:
        ask()
    assert str(refusal.value) == complaint


def test_a_hand_is_written_suit_by_suit_high_to_low():
    assert str(Hand.parse("4E 2O  AC AO\n3O")) == "AO 3O 2O AC 4E"


@pytest.mark.parametrize(
    "read, text, complaint",
    [
        (Card.parse, "13O", "'13O' is no card: rank and suit, as in '3O'"),
        (Card.parse, "", "'' is no card: rank and suit, as in '3O'"),
        (Hand.parse, "AO AX", "'AX' is no card: rank and suit, as in '3O'"),
        (Hand.parse, "AO 3O AO", "AO is twice in the hand"),
        (Trick.parse, "A1 AO B1 3O", "'A1 AO B1 3O' is no play: seat and card, as in 'A1 3O'"),
        (Trick.parse, "A1 AO,", "'' is no play: seat and card, as in 'A1 3O'"),
        (Trick.parse, "D1 AO", "'D1 AO' is no play: seat and card, as in 'A1 3O'"),
        (Trick.parse, "A1 AO, A1 3O", "A1 is twice in the trick"),
        (Trick.parse, "A1 AO, B1 AO", "AO is twice in the trick"),
        (Trick.parse, "C1 AO, B2 3O", "B2 is no seat of a table of 3: A1 B1 C1"),
        (Suit, "X", "'X' is not a valid Suit"),
        (Rank, "1", "'1' is not a valid Rank"),
        (Seat, "A3", "'A3' is not a valid Seat"),
    ],
)
def test_invalid_text_is_reported(read, text, complaint):
    with pytest.raises(ValueError) as refusal:
        read(text)
    assert str(refusal.value) == complaint


def test_errors_of_a_french_pack_use_its_own_tokens():
    with pytest.raises(ValueError, match="'3O' is no card: rank and suit, as in '3D'"):
        Card.parse("3O", "french_queen_sota")
    with pytest.raises(ValueError, match="KH is twice in the hand"):
        Hand.parse("KH KH", "french_queen_sota")


# Values.


def test_a_deck_holds_all_its_cards():
    assert Hand(Card.deck()).mask == DECK_40
    assert [card.id for card in Card.deck(48)] == list(CARDS)
    assert Hand(Card.deck()).points == sum(card.points for card in Card.deck(48)) == 120
    with pytest.raises(ValueError, match="no deck has 52 cards"):
        Card.deck(52)


def test_suits_and_ranks_are_numbered_as_in_the_masks():
    assert [suit.id for suit in Suit] == list(range(4))
    assert "".join(Suit) == SUITS
    assert len({card.rank for card in Card.deck(48)}) == len(Rank) == 12


@pytest.mark.parametrize(
    "value, field",
    [(CARD_OF[0], "rank"), (Hand.parse("AO"), "mask"), (Trick.parse("A1 AO"), "plays")],
)
def test_values_do_not_change(value, field):
    with pytest.raises(FrozenInstanceError):
        setattr(value, field, None)
    assert not hasattr(value, "__dict__")


@given(HANDS, st.sets(st.sampled_from(CARD_OF)))
def test_a_hand_is_a_set(hand, other):
    as_set = set(hand)
    assert hand == as_set
    assert hash(hand) == hash(frozenset(as_set))
    assert len(hand) == len(list(hand)) == len(as_set)
    for one in (other, Hand(other)):
        assert hand & one == as_set & other
        assert hand | one == as_set | other
        assert hand - one == as_set - other
        assert isinstance(hand & one, Hand)
    assert all((card in hand) == (card in as_set) for card in CARD_OF)
    assert "AO" not in hand
    assert Hand.of_mask(hand.mask) == hand
    assert hand - {"AO"} == hand


def test_the_cantes_of_a_hand():
    assert Hand.parse("RO SO RC SE RB SB").cantes == (Suit.OROS, Suit.BASTOS)
    assert Hand().cantes == ()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_seats_follow_one_another(players):
    seats = Seat.at_table(players)
    assert seats == SEATS[players]
    assert [seat.next(players) for seat in seats] == [*seats[1:], seats[0]]
    assert [seat.partner(players) for seat in seats] == (
        [Seat.A2, Seat.B2, Seat.A1, Seat.B1] if players == 4 else [None] * players
    )


def test_a_seat_of_another_table_is_reported():
    with pytest.raises(ValueError, match="C1 is no seat of a table of 4: A1 B1 A2 B2"):
        Seat.C1.next()
    with pytest.raises(ValueError, match="guiñote is played by 2, 3 or 4, not by 5"):
        Seat.at_table(5)
    with pytest.raises(ValueError, match="not by 1"):
        Trick(players=1)
    assert Seat.C1.side is Side.C


def test_a_trick_gives_the_seat_to_play():
    trick = Trick()
    assert (trick.to_play, trick.led, trick.points, str(trick)) == (None, None, 0, "")
    trick = trick.play(Seat.B2, Card.parse("4C"))
    assert (trick.to_play, trick.led) == (Seat.A1, Suit.COPAS)
    trick = trick.play(Seat.B1, Card.parse("AC"))  # out of turn
    assert (trick.to_play, trick.is_complete) == (Seat.A2, False)
    trick = trick.play(Seat.A2, Card.parse("2C")).play(Seat.A1, Card.parse("3C"))
    assert (trick.to_play, trick.is_complete, trick.points, len(trick)) == (None, True, 21, 4)
    assert list(trick) == list(zip(trick.seats, trick.cards, strict=True))


def test_three_players_are_known_by_their_third_seat():
    assert Trick.parse("A1 AO, C1 3O").players == 3
    assert Trick.parse("A1 AO, B1 3O").players == 4
    assert Trick.parse("A1 AO, B1 3O", 3).to_play is Seat.C1


# The duties: the same answers as the masks.


@st.composite
def questions(draw):
    """Profile, trick, hand, trump, and a seat that has not played."""
    chosen, players = draw(st.sampled_from(TABLES))
    trick = draw(tricks(players, most=players - 1))
    deck = [card for card in Card.deck(max(chosen.decks)) if card not in trick.cards]
    hand = Hand(draw(st.sets(st.sampled_from(deck), min_size=1, max_size=8)))
    if set(trick.cards) - set(Card.deck(max(chosen.decks))):
        trick = Trick(players=players)
    free = [seat for seat in Seat.at_table(players) if seat not in trick.seats]
    return chosen, trick, hand, draw(st.sampled_from(Suit)), draw(st.sampled_from(free))


@given(questions())
def test_the_library_answers_as_the_masks_do(question):
    chosen, trick, hand, trump, seat = question
    options = chosen.options(trick.players)
    plays = [(str(one), card.id) for one, card in trick]
    position = duties.position_before_play(plays, str(seat), SUITS.index(trump), options)
    lawful = duties.lawful_plays(position, hand.mask) if position else hand.mask
    assert hand.lawful(trick, trump, chosen, seat=seat).mask == lawful
    for card in hand:
        broken = hand.why_not(card, trick, trump, chosen, seat=seat)
        breach = duties.first_broken_rule(position, hand.mask, card.id) if position else None
        assert (broken.rule if broken else None) == breach
        if broken:
            assert broken.article == chosen.article(broken.option, trick.players)
            for proof in broken.proof:
                assert duties.rule_proved_broken(position, card.id, proof.id)
            assert broken.proof <= hand
            assert broken.proof


def test_the_seat_that_is_next_is_meant():
    trick, hand = Trick.parse("B1 4C, A2 AC"), Hand.parse("3C 2C")
    assert hand.lawful(trick, Suit.OROS, CLUB) == hand.lawful(trick, Suit.OROS, CLUB, seat=Seat.B2)
    # the partner of A2 need not beat; an opponent who can must
    assert Hand.parse("AC 2C").lawful(Trick.parse("B1 4C, A2 3C"), Suit.OROS, CLUB) == {
        Card.parse("AC")
    }
    assert Hand.parse("AC 2C").lawful(
        Trick.parse("B1 4C, A2 3C"), Suit.OROS, CLUB, seat=Seat.A1
    ) == Hand.parse("AC 2C")


@pytest.mark.parametrize("seat", [None, Seat.B1])
def test_who_leads_may_lay_any_card(seat):
    hand = Hand.parse("AC 2E")
    assert hand.lawful(Trick(), Suit.OROS, CLUB, seat=seat) == hand
    assert hand.why_not(Card.parse("2E"), Trick(), Suit.OROS, CLUB, seat=seat) is None


def test_a_broken_duty_cites_its_article():
    hand, trick = Hand.parse("AC 5C"), Trick.parse("B1 4C, A2 RC, B2 2C")
    assert hand.why_not(Card.parse("5C"), trick, Suit.OROS, CLUB) is None
    broken = hand.why_not(Card.parse("5C"), trick, Suit.OROS, profile("escuela"))
    assert (broken.rule, broken.option) == (Rule.BEAT, "beat_partner")
    assert broken.article.profile == "escuela"
    assert broken.proof == Hand.parse("AC")


@pytest.mark.parametrize(
    "hand, trick, seat, complaint",
    [
        ("AO 3O", "B1 AO", None, "in the hand and in the trick: AO"),
        ("9O", "B1 8O", None, "not in the deck of 'club': 9O 8O"),
        ("AO", "A1 2O, B1 4O, A2 5O, B2 6O", None, "all have played to this trick: A1 2O, B1 4O"),
        ("AO", "A1 2O", Seat.A1, "A1 has played to this trick: A1 2O"),
        ("AO", "A1 2O", Seat.C1, "C1 is no seat of a table of 4"),
        ("AO", "C1 2O", None, "profile 'club' is for 4 or 2 players, not for 3"),
    ],
)
def test_an_invalid_question_is_reported(hand, trick, seat, complaint):
    with pytest.raises(ValueError) as refusal:
        Hand.parse(hand).lawful(Trick.parse(trick), Suit.OROS, CLUB, seat=seat)
    assert str(refusal.value).startswith(complaint)


def test_asking_about_a_card_that_is_not_held_is_an_error():
    with pytest.raises(ValueError, match="2E is not in the hand AO"):
        Hand.parse("AO").why_not(Card.parse("2E"), Trick(), Suit.OROS, CLUB)


@given(tricks(4, least=1), st.sampled_from(Suit))
def test_the_taker_is_that_of_the_masks(trick, trump):
    for chosen in profiles():
        order = chosen.options(4).sota_caballo
        best = index_of_winning_card([card.id for card in trick.cards], trump.id, order)
        assert trick.taker(trump, chosen) == trick.seats[best]


def test_nobody_takes_an_empty_trick():
    with pytest.raises(ValueError, match="nobody has played"):
        Trick().taker(Suit.OROS, CLUB)


# Counting.


def played(players, cards, lead=Seat.A1):
    """Tricks of so many players out of cards in any order, each led by the first seat."""
    seats = Seat.at_table(players)
    rows = range(0, len(cards) - len(cards) % players, players)
    return [Trick(tuple(zip(seats, cards[at : at + players], strict=True)), players) for at in rows]


ALL = played(4, Card.deck())
OF_THREE = played(3, [card for card in Card.deck() if str(card) != "AO"])


@pytest.mark.parametrize("chosen, players", TABLES, ids=lambda one: getattr(one, "id", one))
@given(st.integers(0, 1 << 32))
def test_a_deal_is_worth_130_and_its_cantes(chosen, players, seed):
    cards = list(Card.deck(chosen.decks[0]))
    random.Random(seed).shuffle(cards)
    if players == 3:
        last = next(at for at, card in enumerate(cards) if card.rank is Rank.DOS)
        cards.append(cards.pop(last))
    count = count_deal(played(players, cards), Suit.OROS, chosen, cantes={Side.B: list(Suit)[:2]})
    assert count.is_complete
    assert sum(score.cards for score in count.scores.values()) == 120
    assert sum(score.base for score in count.scores.values()) == 130
    assert count.scores[Side.B].cantes == 60
    assert count.scores[count.takers[-1].side].ultimas == 10
    options = chosen.options(players)
    assert count.totals == {side: one.total(options) for side, one in count.scores.items()}


def test_a_deal_half_played_has_no_ultimas_and_no_winner():
    count = count_deal(played(4, Card.deck())[:9], Suit.OROS, CLUB)
    assert (count.is_complete, count.winner) == (False, None)
    assert not any(score.ultimas for score in count.scores.values())
    assert count_deal([], Suit.OROS, CLUB).totals == {Side.A: 0, Side.B: 0}


def test_who_has_101_wins_the_first_deal():
    tricks = played(4, Card.deck())
    count = count_deal(tricks, Suit.OROS, CLUB)
    assert count.scores == {Side.A: Score(0, 0), Side.B: Score(120, 10)}
    assert count.winner is Side.B
    both = count_deal(tricks, Suit.OROS, CLUB, cantes={Side.A: list(Suit)})
    assert (both.totals, both.winner) == ({Side.A: 100, Side.B: 130}, Side.B)


def test_the_card_left_over_of_three_hands_goes_to_the_last_taker():
    count = count_deal(OF_THREE, Suit.OROS, profile("sin-mazo"))
    laid = Hand(card for trick in OF_THREE for card in trick.cards)
    assert laid.points == 109
    assert sum(score.cards for score in count.scores.values()) == 120
    assert count.scores[count.takers[-1].side].ultimas == 10


@pytest.mark.parametrize(
    "given_tricks, profile_id, more, complaint",
    [
        ([*ALL, ALL[0]], "club", {}, "a deal has 10 tricks, not 11"),
        ([ALL[0], ALL[0]], "club", {}, "in two tricks: 6O 5O 4O 2O"),
        ([Trick.parse("A1 2O")], "club", {}, "not a complete trick of 4 players: A1 2O"),
        ([ALL[0], *played(2, Card.deck()[4:6])], "club", {}, "not a complete trick of 4 players"),
        (played(4, Card.deck(48))[:2], "club", {}, "not in a deck of 40: 9O 8O"),
        (ALL, "club", {"deck": 48}, "profile 'club' is for 40 cards, not for 48"),
        (OF_THREE, "guinyot", {}, "three players leave out a dos, not AO"),
        (ALL, "club", {"cantes": {Side.C: [Suit.OROS]}}, "C is no side of a table of 4"),
        (
            ALL,
            "club",
            {"cantes": {Side.A: [Suit.OROS], Side.B: [Suit.OROS]}},
            "O is sung twice",
        ),
    ],
)
def test_an_invalid_deal_is_reported(given_tricks, profile_id, more, complaint):
    with pytest.raises(ValueError) as refusal:
        count_deal(given_tricks, Suit.OROS, profile(profile_id), **more)
    assert str(refusal.value).startswith(complaint)


def test_48_cards_are_counted_where_the_profile_knows_them():
    count = count_deal(played(4, Card.deck(48)), Suit.OROS, profile("escuela"), deck=48)
    assert count.is_complete
    assert len(count.takers) == 12


# The names.


def named(word):
    return re.search(rf"[`.]{word}\b", PAGE)


def test_the_page_names_what_the_library_has():
    assert len(law.__all__) <= 22
    assert not [name for name in law.__all__ if not named(name)]
    for one in (Card, Hand, Trick, Seat):
        inherited = {*dir(str), *dir(AbstractSet), *Seat.__members__, "name", "value"}
        public = [name for name in dir(one) if not name.startswith("_")]
        assert not [name for name in public if name not in inherited and not named(name)]


def test_profiles_are_distinguished():
    assert {one: one.id for one in profiles()}[profile("club")] == "club"
    own = CLUB.changed("our-club", "1", {"beat_partner": True})
    trick, hand = Trick.parse("B1 4C, A2 RC, B2 2C"), Hand.parse("AC 5C")
    assert hand.lawful(trick, Suit.OROS, own) == Hand.parse("AC")
    assert hand.lawful(trick, Suit.OROS, CLUB) == hand
    with pytest.raises(BadProfile):
        CLUB.options(3)


def test_drawings_are_as_large_as_their_cards_and_name_each_seat():
    size = re.compile(r'viewBox="0 0 (\d+) (\d+)" width="(\d+)" height="(\d+)"')
    laid = [(Seat.A1, Card.parse("AO")), (Seat.B1, Card.parse("3C"))]
    drawings = [Hand(card for _, card in laid).svg(), *(Trick(laid[:n], 4).svg() for n in (1, 2))]
    sizes = [size.findall(drawing)[0] for drawing in drawings]
    assert all((width, height) == (w, h) for width, height, w, h in sizes)
    assert int(sizes[2][0]) > int(sizes[1][0])
    assert [drawings[2].count(f">{seat}<") for seat in ("A1", "B1", "A2")] == [1, 1, 0]
