"""Every value of every profile, as the law's table of options has it, and the deck it means."""

from __future__ import annotations

import re
from dataclasses import asdict, replace

import pytest

from referee.rules.cards import BIT, CARD, DECK_40, DECK_48, SUITS
from referee.rules.profile.options import (
    OPTION_NAMES,
    Options,
    card_for_swap,
    deck_mask,
    deck_size,
    two_for_seven_cards_or_none,
)
from referee.rules.profile.profile import PROFILE_IDS, BadProfile, UnknownProfile, profile, profiles
from referee.rules.profile.values import print_value

# Law, section 2. "=": as club; "(s)": the rulebook is silent; "-": the option does not arise, and
# the value of club stands; "a or b": a, and b is another value that the rulebook states.
# Values that depend on the number of players are in BY_PLAYERS.
LAW = """
three_deck         | one_dos_out      | = (s)       | -                 | -        | -                 | leftover_on_table (s)
pack               | spanish          | =           | =                 | =        | french_queen_sota | spanish or french_queen_caballo
direction          | anticlockwise    | =           | =                 | =        | clockwise         | =
sota_caballo       | sota_over_caballo | =          | caballo_over_sota | =        | =                 | =
deal_packets       | 3+3              | =           | =                 | one_by_one | = (s)           | one_by_one
cut_min            | 4                | = (s)       | 4                 | = (s)    | = (s)             | = (s)
misdeal            | redeal_then_pass | = (s)       | =                 | = (s)    | = (s)             | = (s)
beat_partner       | false            | =           | true              | =        | =                 | true
trump_partner      | false            | =           | =                 | =        | =                 | true
beat_after_trumped | false            | = (s)       | true              | =        | true              | = (s)
overtrump          | true             | = (s)       | =                 | =        | = (s)             | =
undertrump         | free             | = (s)       | =                 | =        | forced            | =
swap               | true             | =           | =                 | =        | =                 | false
swap_by            | qualifying_side  | =           | =                 | = (s)    | leader            | -
swap_window        | before_lead      | before_draw | = (s)             | = (s)    | =                 | -
swap_needs_trick   | last_trick       | =           | any_trick         | = (s)    | none              | -
swap_only_for_value | false           | =           | =                 | true     | =                 | -
swap_last_draw     | normal           | = (s)       | not_with_partner  | = (s)    | = (s)             | -
two_for_seven      | false            | true        | = (s)             | =        | = (s)             | -
cante_window       | before_lead      | before_draw | =                 | = (s)    | =                 | = (s)
cante_before_swap  | false            | true        | = (s)             | = (s)    | = (s)             | -
cante_needs_trick  | last_trick       | =           | =                 | last_trick or any_trick | = | =
cantes_per_player  | 1                | =           | 2                 | = (s)    | =                 | =
cantes_per_side    | 2                | =           | =                 | = (s)    | =                 | =
cante_in_arrastre  | true             | false       | =                 | =        | =                 | =
cante_20_shown     | not_in_arrastre  | suit_named  | not_in_arrastre   | suit_on_request_in_arrastre | = (s) | suit_named
cante_40_shown     | free             | = (s)       | never             | = (s)    | = (s)             | = (s)
tute               | false            | = (s)       | = (s)             | =        | = (s)             | true or false
last_trick_points  | 10               | =           | =                 | =        | =                 | =
target             | 101              | =           | =                 | =        | =                 | =
both_reach_target  | last_trick       | =           | =                 | =        | = (s)             | highest_total
min_malas          | 0                | 30          | = (s)             | 30       | = (s)             | = (s)
min_malas_of       | cards_and_ultimas | =          | = (s)             | =        | = (s)             | = (s)
min_malas_applies  | both_over_target | always      | =                 | both_over_target | =         | =
cantes_need_min_malas | false         | true        | =                 | =        | =                 | =
claim_in           | vueltas          | =           | =                 | =        | any_deal          | =
vueltas_end        | claim            | =           | =                 | =        | =                 | =
claim_by           | any_player       | =           | =                 | trick_winner | =             | =
unclaimed_at_end   | latest_trick     | = (s)       | = (s)             | = (s)    | = (s)             | = (s)
tricks_viewable_in_vueltas | first_and_last | = (s) | =                 | = (s)    | = (s)             | = (s)
vueltas_dealer     | last_trick_winner | =          | =                 | = (s)    | = (s)             | =
next_dealer        | last_trick_winner | = (s)      | =                 | = (s)    | = (s)             | next_in_order
renuncio_cases     | follow,beat,trump | =          | follow,beat,trump,out_of_turn_in_arrastre,talk | = (s) | = (s) | =
renuncio_penalty   | lose_partida     | =           | =                 | = (s)    | = (s)             | =
renuncio_costs     | when_denounced   | when_proved | = (s)             | = (s)    | = (s)             | when_proved
renuncio_until     | end_of_deal      | = (s)       | = (s)             | = (s)    | = (s)             | = (s)
false_accusation   | warning          | = (s)       | = (s)             | = (s)    | = (s)             | = (s)
false_cante        | annul_and_warn   | = (s)       | = (s)             | = (s)    | = (s)             | = (s)
wrong_swap         | reverse_and_warn | = (s)       | = (s)             | = (s)    | = (s)             | = (s)
match_format       | cotos            | =           | =                 | =        | =                 | fixed_partidas
partidas_per_cama  | 1                | 1 or 2 or 3 or 4 or 5 or 6 or 7 or 8 or 9 | = | = | =       | -
camas_per_coto     | 3                | 4           | 3 or 4 or 5       | 3        | 1                 | -
cotos_to_win       | 2                | 2           | 2 or 1            | 1 or 2   | 1                 | -
fixed_partidas     | 8                | -           | -                 | -        | -                 | 8
"""
COLUMNS = ("club", "guinyot", "escuela", "ludoteka", "baraja-francesa", "sin-mazo")
ALL_TABLES = [
    (one.id, players, deck) for one in profiles() for players in one.players for deck in one.decks
]
SIX_AND_STOCK = {"hand_size": 6, "pinta_from": "first_stock_card", "duties_from": "stock_empty"}
BY_PLAYERS = {
    ("sin-mazo", 4): {
        "hand_size": 10,
        "pinta_from": "dealers_last_card",
        "duties_from": "first_trick",
    },
    ("sin-mazo", 3): {"hand_size": 13, "pinta_from": "leftover_card", "duties_from": "first_trick"},
    ("sin-mazo", 2): {
        "hand_size": 10,
        "pinta_from": "first_stock_card",
        "duties_from": "stock_empty",
    },
}


def cells() -> list[tuple[str, str, str, str]]:
    """Option, profile, cell, and the cell of club."""
    found = []
    for line in LAW.strip().splitlines():
        name, *row = (cell.strip() for cell in line.split("|"))
        found += [(name, column, cell, row[0]) for column, cell in zip(COLUMNS, row, strict=True)]
    return found


def written(cell: str, club: str) -> tuple[str, ...]:
    """Values that a cell names, the default first."""
    values = cell.removesuffix("(s)").strip()
    return (club,) if values in {"=", "-"} else tuple(values.split(" or "))


@pytest.mark.parametrize(("name", "profile_id", "cell", "club"), cells())
def test_each_cell_of_the_law_is_the_value_of_its_profile(
    name: str, profile_id: str, cell: str, club: str
) -> None:
    default, *others = written(cell, club)
    one = profile(profile_id)
    for players in one.players:
        assert print_value(name, getattr(one.options(players), name)) == default
    assert [print_value(name, v) for v in one.alternatives.get(name, ())] == others


@pytest.mark.parametrize(("name", "profile_id", "cell", "club"), cells())
def test_a_value_is_silent_where_the_law_marks_it_and_nowhere_else(
    name: str, profile_id: str, cell: str, club: str
) -> None:
    del club
    article = profile(profile_id).article(name)
    assert (article.basis == "silent") == (cell.endswith("(s)") or cell == "-")
    assert (article.section == "") == (article.basis == "silent" or profile_id == "club")
    assert article.profile == profile_id


@pytest.mark.parametrize(("profile_id", "players", "deck"), ALL_TABLES)
def test_values_that_depend_on_the_players_are_those_of_the_law(
    profile_id: str, players: int, deck: int
) -> None:
    options = asdict(profile(profile_id).options(players, deck))
    expected = BY_PLAYERS.get((profile_id, players), SIX_AND_STOCK)
    assert {name: options[name] for name in expected} == expected
    assert (options["players"], options["deck"]) == (players, deck)


def test_the_table_of_the_law_leaves_no_option_out() -> None:
    tested = {name for name, *_ in cells()} | set(SIX_AND_STOCK) | {"players", "deck"}
    assert tested == set(OPTION_NAMES)


@pytest.mark.parametrize(
    ("profile_id", "players", "decks"),
    [
        ("club", (4, 2), (40,)),
        ("guinyot", (4, 3, 2), (40,)),
        ("escuela", (4, 2), (40, 48)),
        ("ludoteka", (4,), (40,)),
        ("baraja-francesa", (4,), (40,)),
        ("sin-mazo", (4, 3, 2), (40,)),
    ],
)
def test_a_profile_allows_the_players_and_decks_of_its_rulebook(
    profile_id: str, players: tuple[int, ...], decks: tuple[int, ...]
) -> None:
    one = profile(profile_id)
    assert (one.players, one.decks) == (players, decks)
    for other in {2, 3, 4} - set(players):
        with pytest.raises(BadProfile) as refusal:
            one.options(other)
        assert [problem.options for problem in refusal.value.problems] == [("players",)]
    for other in {40, 48} - set(decks):
        with pytest.raises(BadProfile) as refusal:
            one.options(deck=other)
        assert [problem.options for problem in refusal.value.problems] == [("deck",)]


def test_both_a_wrong_deck_and_wrong_players_are_named() -> None:
    with pytest.raises(BadProfile) as refusal:
        profile("club").options(3, 48)
    assert [(p.code, p.options, dict(p.facts)) for p in refusal.value.problems] == [
        ("players-not-allowed", ("players",), {"given": 3, "allowed": (4, 2)}),
        ("deck-not-allowed", ("deck",), {"given": 48, "allowed": (40,)}),
    ]


def test_the_basis_of_a_value_may_depend_on_the_players() -> None:
    sin_mazo = profile("sin-mazo")
    assert [sin_mazo.basis("hand_size", n) for n in (4, 3, 2)] == ["stated", "silent", "inferred"]
    assert [sin_mazo.basis("pinta_from", n) for n in (4, 3, 2)] == ["stated", "silent", "stated"]
    assert sin_mazo.article("pinta_from", 2).section == "La Couleur d’Atout"
    assert sin_mazo.basis("pinta_from") == "stated"
    assert sin_mazo.values["hand_size"] == {4: 10, 3: 13, 2: 10}
    assert profile("guinyot").values["hand_size"] == 6
    assert not {"players", "deck"} & set(sin_mazo.values)


def test_the_six_profiles_come_in_the_order_of_the_law() -> None:
    assert tuple(one.id for one in profiles()) == PROFILE_IDS == COLUMNS
    assert all(re.fullmatch(r"\d{4}-\d", one.edition) and one.base is None for one in profiles())
    assert [one.language for one in profiles()] == ["", "ca", "es", "en", "en", "fr"]
    assert [bool(one.title) for one in profiles()] == [False, True, True, True, True, True]


def test_an_unknown_profile_is_a_failed_look_up() -> None:
    with pytest.raises(UnknownProfile) as error:
        profile("../club")
    assert error.value.args == ("../club",)
    assert issubclass(UnknownProfile, LookupError)


def test_club_with_four_players_is_the_default_of_every_option() -> None:
    assert profile("club").options() == Options()
    assert all(profile("club").basis(name) == "stated" for name in OPTION_NAMES)


# --- the deck ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("profile_id", "players", "deck", "stock"),
    [
        ("club", 4, 40, 16),
        ("club", 2, 40, 28),
        ("escuela", 4, 48, 24),
        ("escuela", 2, 48, 36),
        ("guinyot", 3, 40, 21),
        ("sin-mazo", 4, 40, 0),
        ("sin-mazo", 3, 40, 0),
        ("sin-mazo", 2, 40, 20),
    ],
)
def test_the_stock_holds_the_cards_not_dealt_with_the_pinta(
    profile_id: str, players: int, deck: int, stock: int
) -> None:
    options = profile(profile_id).options(players, deck)
    assert options.stock_size == stock
    assert options.has_stock == (stock > 0) == (options.duties_from == "stock_empty")


def test_three_players_with_48_cards_take_none_out_and_leave_thirty() -> None:
    options = profile("guinyot").changed("tres", "1", {"deck": 48}).options(3)
    assert (options.stock_size, deck_size(options)) == (30, 48)
    assert deck_mask(options, "2O") == DECK_48


@pytest.mark.parametrize(("profile_id", "players", "deck"), ALL_TABLES)
def test_every_card_in_play_is_dealt_or_in_the_stock_or_turned(
    profile_id: str, players: int, deck: int
) -> None:
    options = profile(profile_id).options(players, deck)
    turned = options.pinta_from == "leftover_card"
    counted = options.hand_size * players + options.stock_size + turned
    assert counted == deck_size(options) == deck_mask(options).bit_count()
    assert options.stock_size % players == 0


def test_three_players_play_without_one_dos() -> None:
    options = profile("guinyot").options(3)
    assert deck_mask(options) == DECK_40 & ~BIT[CARD["2B"]]
    assert deck_mask(options, "2C") == DECK_40 & ~BIT[CARD["2C"]]
    assert deck_mask(replace(options, three_deck="leftover_on_table")) == DECK_40
    assert deck_mask(profile("guinyot").options(4), "2C") == DECK_40


@pytest.mark.parametrize("removed", ["3O", "2X", "", "AO"])
def test_only_a_dos_can_be_taken_out(removed: str) -> None:
    with pytest.raises(ValueError, match=f"^{removed}$"):
        deck_mask(profile("guinyot").options(3), removed)


@pytest.mark.parametrize(("deck", "rank"), [(40, "7"), (48, "9")])
def test_the_highest_blank_card_of_trump_takes_the_pinta(deck: int, rank: str) -> None:
    options = profile("escuela").options(4, deck)
    assert [card_for_swap(options, suit) for suit in range(4)] == [CARD[rank + s] for s in SUITS]


def test_a_dos_out_of_the_deck_takes_no_siete() -> None:
    three = profile("guinyot").options(3)
    assert two_for_seven_cards_or_none(three, SUITS.index("B")) is None
    assert two_for_seven_cards_or_none(three, SUITS.index("O")) == (CARD["2O"], CARD["7O"])
    assert two_for_seven_cards_or_none(three, SUITS.index("O"), "2O") is None
    assert two_for_seven_cards_or_none(profile("guinyot").options(2), 3) == (CARD["2B"], CARD["7B"])
    assert two_for_seven_cards_or_none(profile("club").options(2), 3) is None
