"""A claim read from a record without all its points: the truth lies within the bounds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from referee.aggregates.partida import fold
from referee.events import (
    CanteAnnounced,
    CardPlayed,
    ClaimMade,
    PintaSwapped,
    RulingGiven,
    TrickEntered,
)
from referee.rules.seats import side_of
from referee.table.counts import assess_claim, partida_totals, span_of_unknown_points
from tests.support.records.dealt_out import TABLES, Player, opened
from tests.support.records.playing import options_of
from tests.support.records.table_text import CLUB, NO_STOCK, cante, dealt, draws, plays, tricks
from tests.support.records.table_text import given as table_where
from tests.support.servers.long_runs import RUNS

ANY_DEAL = replace(CLUB, claim_in="any_deal")
each_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: "-".join(map(str, table)))


def without_cards(options, acts, known: set[int]) -> list:
    """The acts with each trick entered by its taker; its points only if its number is known."""
    table = fold([opened(options), *acts]).table
    closed = {trick.line: trick for deal in table.all_deals for trick in deal.tricks}
    written, number = [], 0
    for line, act in enumerate(acts, 1):
        if isinstance(act, CardPlayed):
            trick = closed.get(line)
            if trick is not None:
                number += 1
                points = trick.points if number in known else None
                written.append(TrickEntered(trick.taker, points))
        elif not hasattr(act, "seat") or isinstance(act, CanteAnnounced | ClaimMade | PintaSwapped):
            written.append(act)
    return written


@each_table
@settings(max_examples=7 * RUNS, deadline=None)
@given(seed=st.integers(0, 2**32), known=st.sets(st.integers(1, 26)))
def test_the_points_of_the_side_lie_within_the_bounds(table, seed, known):
    options = options_of(table)
    player = Player(options, seed, observed=True)
    player.partida()
    whole = fold([opened(options), *player.acts]).table
    assume(whole.claim is not None)
    read = assess_claim(whole)
    side = side_of(whole.claim.seat)
    true = partida_totals(whole)[side]
    assert (read.lower, read.upper, read.tricks) == (true, true, ())
    assert read.answer == ("true" if true >= options.target else "false")

    rough = fold([opened(options), *without_cards(options, player.acts, known)]).table
    found = assess_claim(rough)
    assert found.lower <= true <= found.upper
    assert found.answer in ("undecidable", read.answer)


def test_a_cante_that_may_still_be_false_is_named_and_a_false_one_counts_nothing():
    first = plays("A1 AC, B1 2C, A2 4C, B2 5C")
    sung = [*dealt("4O"), *first, CanteAnnounced("A1", "E")]
    line = 7
    claimed = table_where(
        ANY_DEAL,
        *sung,
        *draws("A1, B1, A2, B2"),
        *plays("A1 4E, B1 2E, A2 5E, B2 6E"),
        ClaimMade("A1"),
    )
    assert assess_claim(claimed.table).cantes == (line,)
    lost = assess_claim(
        table_where(
            ANY_DEAL,
            *sung,
            *draws("A1, B1, A2, B2"),
            *plays("A1 4E, B1 SE, A2 5E, B2 6E"),
            ClaimMade("A1"),
        ).table
    )
    assert lost.cantes == ()
    assert (lost.lower, lost.upper) == (11, 11)


@pytest.mark.parametrize("second", ["2E", "SE"], ids=["open", "disproved"])
def test_a_cante_that_a_ruling_took_away_is_neither_named_nor_taken_off_again(second):
    sung = [*plays("A1 AC, B1 2C, A2 4C, B2 5C"), CanteAnnounced("A1", "E")]
    later = plays(f"A1 4E, B1 {second}, A2 5E, B2 6E")
    claimed = table_where(
        ANY_DEAL,
        *[*dealt("4O"), *sung, *draws("A1, B1, A2, B2"), *later],
        RulingGiven("annul_act", "x", line=7),
        ClaimMade("A1"),
    )
    read = assess_claim(claimed.table)
    assert read.cantes == ()
    assert read.lower == read.upper == partida_totals(claimed.table)["A"]


def test_without_a_claim_there_is_nothing_to_read():
    assert assess_claim(table_where(CLUB, *dealt()).table) is None


def test_a_side_that_took_every_trick_nobody_counted_has_all_the_points():
    scene = table_where(NO_STOCK, *dealt(), *[TrickEntered("A1")] * 10)
    (deal,) = scene.table.all_deals
    assert (span_of_unknown_points(deal, "A"), span_of_unknown_points(deal, "B")) == (
        (120, 120),
        (0, 0),
    )


def test_a_twenty_whose_suit_decides_whether_it_stands_is_between_the_bounds():
    """A1 held two pairs and sang one without its suit; then it names one of them."""
    options = replace(ANY_DEAL, cante_20_shown="suit_on_request_in_arrastre", cantes_per_player=2)
    options = replace(options, duties_from="first_trick", hand_size=10, swap=False)
    options = replace(options, pinta_from="dealers_last_card", deal_packets="one_by_one")
    hand = dealt("2O", A1="RC SC RE SE AO 3O AB 4O 5O 6O")
    sung = [
        *hand,
        *plays("A1 AO, B1 2C, A2 4C, B2 5C"),
        CanteAnnounced("A1"),
        CanteAnnounced("A1", "C"),
    ]
    claimed = assess_claim(table_where(options, *sung, ClaimMade("A1")).table)
    assert (claimed.lower, claimed.upper, claimed.answer) == (31, 51, "false")
    low = replace(options, target=40)
    assert assess_claim(table_where(low, *sung, ClaimMade("A1")).table).answer == "undecidable"


MANY = ", ".join(["A1"] * 8)
BOUNDS = [
    ("all tricks counted", tricks("A1 30, B1 44, A1 5"), "A1 false 35 35"),
    ("a trick that nobody counted", tricks("A1"), "A1 false 0 44 in 1.1"),
    ("only those of the claimer", tricks("B1, A1 20"), "A1 false 20 20 in 1.1"),
    ("eight of them, and a ninth", [*tricks(MANY), *tricks("A1")], "A1 undecidable 76 120 in 1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9"),
    ("eight, and the last counted", [*tricks("B1 30"), *tricks(MANY)], "A1 false 36 90 in 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9"),
    ("with known cards", [*plays("A1 AC, B1 3C, A2 RC, B2 SC"), *tricks(MANY)], "A1 undecidable 77 120 in 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9"),
    ("with a card on the table, which is nobody's", [*tricks(MANY), *plays("A1 AC, B1 AO")], "A1 false 36 98 in 1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8"),
    ("a cante that may be false", [*plays("A1 AC, B1 2C, A2 4C, B2 5C"), cante("A1", "E", shown=None)], "A1 false 31 31 open 7"),
]  # fmt: skip


@pytest.mark.parametrize("about, acts, text", BOUNDS, ids=[c[0] for c in BOUNDS])
def test_a_claim_tells_its_bounds_and_what_is_missing(about, acts, text):
    table = table_where(replace(NO_STOCK, claim_in="any_deal"), *dealt(), *acts, ClaimMade("A1"))
    read = assess_claim(table.table)
    words = [read.seat, read.answer, read.lower, read.upper]
    words += ["in", *(f"{deal}.{trick}" for deal, trick in read.tricks)] if read.tricks else []
    words += ["open", *read.cantes] if read.cantes else []
    assert " ".join(map(str, words)) == text
    assert read.line == 3 + len(acts)
