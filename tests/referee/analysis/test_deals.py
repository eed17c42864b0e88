"""The arrastre of recorded deals: positions before each card, and what each card took."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from msgspec import structs

from referee.aggregates.partida import fold
from referee.analysis.deals import CannotAnalyse, arrastre_cards_with_positions
from referee.analysis.reports import UnansweredCardData, analyse_card, analyse_cards
from referee.events import CanteAnnounced, CardPlayed, HandEntered, StockEntered, TableAct
from referee.record import parse_record
from referee.rules.cards import TOKENS
from referee.rules.profile.options import Options
from referee.rules.profile.profile import profiles
from referee.table.counts import partida_totals
from referee.table.state import Table
from tests.support.analysis.marks import NEEDS_ENGINE
from tests.support.places import ROOT
from tests.support.records.dealt_out import Player, opened

CLUB = Options()
TABLES = [
    pytest.param(p.options(t.players, t.deck), id=f"{p.id}-{t.players}-{t.deck}")
    for p in profiles()
    for t in p.options_of_every_table()
]


def acts_of(options: Options, seed: int, *, observed: bool = True) -> list[TableAct]:
    player = Player(options, seed, observed=observed)
    player.deal("B1")
    return player.acts


def table_of(options: Options, acts: list[TableAct]) -> Table:
    return fold([opened(options), *acts]).table


def refused(options: Options, acts: list[TableAct]) -> str:
    table = table_of(options, acts)
    with pytest.raises(CannotAnalyse) as cannot:
        arrastre_cards_with_positions(table, table.all_deals[0])
    return cannot.value.reason


@pytest.mark.parametrize("options", TABLES)
def test_every_card_of_an_observed_arrastre_has_its_position(options: Options) -> None:
    acts = acts_of(options, 1)
    table = table_of(options, acts)
    cards = arrastre_cards_with_positions(table, table.all_deals[0])
    assert len(cards) == options.hand_size * options.players
    played = [act for act in acts if isinstance(act, CardPlayed)][-len(cards) :]
    assert [(one.before.seat_to_play, TOKENS[one.card]) for one in cards] == [
        (act.seat, act.card) for act in played
    ]
    assert all(one.before.hand_of_seat(one.before.seat_to_play) >> one.card & 1 for one in cards)
    assert [one.trick for one in cards][-1] == len(table.all_deals[0].tricks)


@NEEDS_ENGINE
@pytest.mark.parametrize("options", [one for one in TABLES if one.values[0].players != 3])
def test_after_the_last_card_the_lead_is_that_of_the_count(options: Options) -> None:
    for seed in range(3):
        table = table_of(options, acts_of(options, seed))
        last = arrastre_cards_with_positions(table, table.all_deals[0])[-1]
        row = analyse_card(1, last)
        totals = partida_totals(table, table.all_deals[:1])
        side = row.seat[0]
        assert row.lead == 2 * totals[side] - sum(totals.values())


@NEEDS_ENGINE
def test_the_lead_moves_by_twice_the_cost_of_each_card() -> None:
    options = replace(CLUB, cantes_per_player=0)
    acts = [act for act in acts_of(options, 5) if not isinstance(act, CanteAnnounced)]
    rows = list(analyse_cards(table_of(options, acts)))
    leads = [row.lead if row.seat[0] == "A" else -row.lead for row in rows]
    signs = [1 if row.seat[0] == "A" else -1 for row in rows]
    moved = [after - before for before, after in pairwise(leads)]
    costs = [-2 * s * row.cost for s, row in zip(signs[1:], rows[1:], strict=True)]
    assert moved == costs
    assert any(costs)


@NEEDS_ENGINE
def test_what_is_known_of_the_hands_and_what_was_observed_give_the_same() -> None:
    known, seen = (table_of(CLUB, acts_of(CLUB, 3, observed=one)) for one in (False, True))
    told = [
        [structs.replace(row, line=0) for row in analyse_cards(table)] for table in (known, seen)
    ]
    assert told[0] == told[1]


@NEEDS_ENGINE
def test_a_card_beyond_the_nodes_is_told_so() -> None:
    table = table_of(CLUB, acts_of(CLUB, 3))
    first = next(iter(analyse_cards(table, 5)))
    assert first == UnansweredCardData(deal=1, line=first.line, beyond_nodes=5)


def test_a_deal_that_was_stopped_short_is_known_only_with_its_hands() -> None:
    seen, known = (acts_of(CLUB, 3, observed=one) for one in (True, False))
    assert refused(CLUB, seen[:-5]) == "hidden_hands"
    table = table_of(CLUB, known[:-5])
    assert len(arrastre_cards_with_positions(table, table.all_deals[0])) == 24 - 5
    entered = (HandEntered, StockEntered)
    assert refused(CLUB, [a for a in known if not isinstance(a, entered)][:20]) == "no_cards"


def test_a_cante_without_its_suit_is_named_by_the_hand_if_it_can_be() -> None:
    for seed in range(60):
        acts = acts_of(CLUB, seed)
        sung = [a for a in acts if isinstance(a, CanteAnnounced)]
        table = table_of(CLUB, acts)
        trump = "OCEB"[table.all_deals[0].trump]
        twenties = [act for act in sung if act.suit != trump]
        if not twenties:
            continue
        hidden = [CanteAnnounced(a.seat, "") if a is twenties[-1] else a for a in acts]
        with_suit, without = (
            {one.line: one.before.sung for one in arrastre_cards_with_positions(t, t.all_deals[0])}
            for t in (table, table_of(CLUB, hidden))
        )
        if with_suit == without:
            return
    raise AssertionError("no deal with a cante of 20")


def test_a_card_out_of_turn_makes_an_arrastre_irregular() -> None:
    acts = acts_of(CLUB, 3)
    plays = [place for place, act in enumerate(acts) if isinstance(act, CardPlayed)]
    one, other = plays[-8:-6]
    acts[one], acts[other] = acts[other], acts[one]
    assert refused(CLUB, acts) == "irregular"


def test_tricks_entered_without_cards_have_no_arrastre() -> None:
    record = parse_record((ROOT / "tests" / "records" / "correcciones.guinote").read_bytes())
    acts = record.partidas[0].acts
    assert any(not isinstance(act, CardPlayed) for act in acts)
    table = fold([opened(CLUB), *acts]).table
    with pytest.raises(CannotAnalyse, match="no_cards"):
        arrastre_cards_with_positions(table, table.all_deals[0])
