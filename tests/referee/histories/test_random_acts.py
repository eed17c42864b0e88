"""Random acts at a table are recorded or refused, and the record is consistent."""

from __future__ import annotations

from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st

from projections.board.views import public_partida
from projections.scores.partidas import partida_view
from referee.aggregates.commands import Record
from referee.aggregates.partida import (
    Partida,
    dealer_due_next_partida,
    fold,
    follow_command_of_partida,
)
from referee.events import HandEntered, WrongDraw
from referee.log.mapper import CODEC, RecordedEvent
from referee.rules.articles import ABOUT, Rule
from referee.rules.cards import CARD, mask_of
from referee.rules.seats import SEATS
from referee.table.readings import table_after_acts
from referee.table.state import Deal
from tests.support.records.playing import Crowd, crowd_of
from tests.support.records.table_text import CLUB, dealt, plays, rest_of_deck
from tests.support.records.table_text import given as table_where
from tests.support.servers.long_runs import RUNS

ANYWHERE = st.integers(0, 2**32)


def assert_cards_lie_in_one_place(deal: Deal) -> None:
    """Each card is played, in one hand, in the stock or the pinta: never in two places."""
    pinta = mask_of([deal.pinta]) if deal.lies and deal.pinta >= 0 else 0
    places = [deal.played, *deal.held, mask_of(deal.stock_cards), pinta]
    assert sum(place.bit_count() for place in places) == sum(places).bit_count()
    assert not sum(places) & ~deal.deck
    assert all(not held & absent for held, absent in zip(deal.held, deal.absent, strict=True))
    assert deal.stock >= 0
    assert min(deal.sizes) >= 0
    cards = [play.card for trick in deal.tricks for play in trick.plays]
    assert len(set(cards)) == len(cards)


def assert_it_reads_the_same(state: Partida) -> None:
    """The table read act by act equals the table read from the start, with the same conclusions."""
    assert state.table_at_start is not None
    table = table_after_acts(state.table_at_start, state.standing_acts)
    assert table == state.table
    assert sorted(map(repr, state.stated)) == sorted(map(repr, table.conclusions))
    assert follow_command_of_partida(state).winner in ("", *(seat[0] for seat in table.seats))
    assert dealer_due_next_partida(state) in ("", *SEATS[table.players])
    for deal in table.all_deals:
        assert_cards_lie_in_one_place(deal)
    partida_view(state)
    public_partida(state)


@settings(max_examples=30 * RUNS)
@given(ANYWHERE)
def test_what_a_crowd_does_is_recorded_or_impossible_and_holds_together(seed):
    crowd = crowd_of(seed)
    for _ in range(90):
        before = crowd.state
        command = crowd.command()
        refused = crowd.tries(command)
        if refused is not None:
            assert ABOUT[refused.rule].kind == "impossible"
            assert crowd.state is before
        elif not isinstance(command, Record):
            assert_it_reads_the_same(crowd.state)
    assert_it_reads_the_same(crowd.state)


@settings(max_examples=10 * RUNS)
@given(ANYWHERE)
def test_what_a_crowd_did_is_stored_and_folds_back(seed):
    crowd = crowd_of(seed)
    for _ in range(60):
        crowd.tries(crowd.command())
    state = crowd.state
    events = [state.opened, *(r.act for r in state.log), *state.stated]
    stored = [RecordedEvent(UUID(int=1), n, 0, "", "", "", "", e) for n, e in enumerate(events, 1)]
    rows = [CODEC.encode_with_name(one) for one in stored]
    again = [CODEC.decode_row(UUID(int=1), n, *row) for n, row in enumerate(rows, 1)]
    assert again == stored
    assert fold(one.event for one in again) == state


def test_the_crowd_does_everything_there_is_to_do():
    """Check of the tests above: every kind of act is recorded, and most rules refuse."""
    done: set[str] = set()
    refused: set[Rule] = set()
    for seed in range(80):
        crowd: Crowd = crowd_of(seed)
        for _ in range(50):
            found = crowd.tries(crowd.command())
            refused |= {found.rule} if found else set()
        done |= {type(recorded.act).__name__ for recorded in crowd.state.log}
    assert len(done) == 29
    assert len(refused) >= 14


ALL_BUT_LAST = [
    *plays("A1 AC, B1 2C, A2 4C, B2 5C"),
    *plays("A1 3C, B1 6C, A2 7C, B2 CC"),
    *plays("A1 RC, B1 2E, A2 4E, B2 5E"),
    *plays("A1 SC, B1 6E, A2 7E, B2 CE"),
    *plays("A1 2B"),
]


def test_a_wrong_draw_recorded_after_the_lead_draws_nothing_more():
    scene = table_where(CLUB, dealt(), ALL_BUT_LAST)
    before = scene.table.deal
    scene.tell(WrongDraw("B1", "out_of_order", "SE")).finds(Rule.WRONG_DRAW)
    after = scene.table.deal
    assert (after.stock, after.sizes) == (before.stock, before.sizes) == (0, (5, 6, 6, 6))
    assert after.holder(CARD["SE"]) == "B1"


def test_two_cards_drawn_recorded_after_the_lead_are_one_more_while_there_is_a_stock():
    scene = table_where(CLUB, dealt(), ALL_BUT_LAST[:5])
    assert scene.table.deal.stock == 12
    scene.tell(WrongDraw("B1", "two_cards", "SE"))
    assert (scene.table.deal.stock, scene.table.deal.sizes) == (11, (5, 7, 6, 6))


def test_a_hand_with_a_card_too_many_is_noticed_whenever_it_is_entered():
    seven = tuple(rest_of_deck("4O")[:7])
    scene = table_where(CLUB, dealt(), [HandEntered("A1", seven, "now")])
    scene.finds(Rule.WRONG_DEAL, seat="A1")
    assert scene.table.deal.sizes == (7, 6, 6, 6)
    assert scene.table.deal.stock == 15
