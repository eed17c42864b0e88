"""The partida of the library: the same reading as the service's, forward and back."""

from __future__ import annotations

import copy
import pickle
import random
import re
from contextlib import suppress

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from api.encuentros.record_import import read_valid_record
from api.examples.records import play_record
from referee.aggregates.partida import follow_command_of_partida
from referee.library import (
    Card,
    Deal,
    Hand,
    Partida,
    Refused,
    Rule,
    Seat,
    Side,
    profile,
    profiles,
)
from referee.record import BadRecord, print_act
from referee.rules.profile.options import deck_size
from referee.table.verdicts import judge_acts
from tests.support.places import ROOT
from tests.support.records.any_record import table_acts
from tests.support.servers.long_runs import RUNS

FOLDERS = ("tests/records", "tests/logs", "tests/playthroughs", "docs/law/records")
RECORDS = [path for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.guinote"))]
TABLES = [
    (one, players, deck) for one in profiles() for players in one.players for deck in one.decks
]


def played_out(seed: int, rules=None, players: int | None = None, deck: int | None = None):
    """A partida of random lawful cards, every announcement made, each deal counted."""
    partida, chance, deals = Partida(rules, players=players, deck=deck), random.Random(seed), 0
    while partida.outcome is None:
        if partida.whose_turn is None and deals:
            partida.push("cuenta")
        if partida.outcome is None and partida.whose_turn is None:
            partida.push(Deal.random(f"{seed}/{deals}", partida.options, partida.dealer))
            deals += 1
        for seat in partida.seats:
            while possible := partida.announcements(seat):
                partida.push(possible[0])
        if partida.whose_turn:
            partida.push(chance.choice(list(partida.lawful)))
    return partida


# Records.


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: file.name)
def test_a_record_comes_out_as_the_service_reads_it(file):
    text = file.read_text("utf-8")
    try:
        record = read_valid_record(text.encode())
    except BadRecord:
        with pytest.raises(ValueError, match=r"^line \d+, column \d+: "):
            Partida.from_record(text)
        return
    for one, read in zip(record.partidas, play_record(record).partidas, strict=True):
        partida = Partida.from_record(text, one.number)
        service = follow_command_of_partida(read)
        assert (partida.outcome is None) == (service.how == "undecided")
        if partida.outcome:
            assert partida.outcome == (service.winner or None, service.how, service.totals)
        assert partida.findings == read.table.findings
        assert Partida.from_record(partida.record()) == partida


def is_possible(file):
    try:
        return bool(read_valid_record(file.read_bytes()))
    except BadRecord:
        return False


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: file.name)
def test_the_verdicts_are_those_of_the_service_and_of_whoever_wrote_the_record(file):
    text = file.read_text("utf-8")
    if not is_possible(file):
        return
    record = read_valid_record(text.encode())
    for one, read in zip(record.partidas, play_record(record).partidas, strict=True):
        found = Partida.from_record(text, one.number).verdicts()
        rows = judge_acts(read.table, read.standing_acts, with_slips=False)
        assert [v[:4] for v in found] == [(r.line, r.seat, r.answer, r.rule) for r in rows]
        assert [[card.id for card in sorted_by_id(v.proof)] for v in found] == [
            sorted(row.cards) for row in rows
        ]
        said = re.findall(r"(\d+) (lawful|unlawful)", record.tags.get("Verdicts", ""))
        assert dict(said).items() <= {str(v.line): v.answer for v in found}.items()


def sorted_by_id(hand):
    return sorted(hand, key=lambda card: card.id)


def test_nearly_all_of_many_records_are_possible():
    possible = list(filter(is_possible, RECORDS))
    assert len(possible) > 100
    assert len(RECORDS) - len(possible) <= 3


def test_a_record_that_is_malformed_or_impossible_is_reported():
    with pytest.raises(ValueError, match=r"line 2, column 4: card-malformed"):
        Partida.from_record("reparto B2\nA1 99\n")
    with pytest.raises(ValueError, match=r"line 4, column 1: card-played-before"):
        Partida.from_record("reparto B2\npinta 4O\nA1 AO\nB1 AO\n")
    with pytest.raises(ValueError, match="line 1, column 10: unknown_profile"):
        Partida.from_record('[Profile "nobody"]\nreparto B2\n')
    with pytest.raises(LookupError, match="no partida 2"):
        Partida.from_record("partida 1\nreparto B2\n", 2)


# Forward and back.


@given(st.integers(0, 1 << 32), st.data())
@settings(max_examples=30 * RUNS)
def test_what_is_popped_and_pushed_again_gives_equal_states(seed, data):
    partida = played_out(seed)
    whole, states = partida.record(), []
    back = data.draw(st.integers(1, len(partida.pushed)))
    for _ in range(back):
        states.append((partida.pop(), view(partida)))
    for what, before in reversed(states):
        assert view(partida) == before
        partida.push(what)
    assert partida.record() == whole


@given(st.sampled_from(RECORDS), st.data())
@settings(max_examples=30 * RUNS)
def test_the_acts_of_a_record_are_taken_back_one_by_one(file, data):
    text = file.read_text("utf-8")
    assume(is_possible(file))
    partida = Partida.from_record(text)
    whole, acts = partida.record(), []
    for _ in range(data.draw(st.integers(0, len(partida.pushed)))):
        acts.append(partida.pop())
    assert partida == Partida.from_record(partida.record())
    for act in reversed(acts):
        partida.push(act)
    assert partida.record() == whole


@pytest.mark.parametrize(
    "copied",
    [Partida.copy, copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))],
    ids=["method", "copy", "deepcopy", "pickle"],
)
def test_a_copy_goes_on_alone(copied):
    partida = Partida()
    partida.push(Deal.random(7))
    other = copied(partida)
    other.push(Card.parse("3B"))
    assert (len(partida.pushed), partida.whose_turn) == (1, Seat.A1)
    assert (len(other.pushed), other.whose_turn) == (2, Seat.B1)
    assert partida != other
    other.pop()
    assert partida == other


def view(partida):
    """All that a partida says of itself."""
    return (
        *(partida.whose_turn, partida.lawful, partida.outcome, partida.score, partida.findings),
        *(partida.trick, partida.tricks, partida.pinta, partida.stock, partida.dealer),
        *(partida.hand(seat) for seat in partida.seats),
        partida.record(),
    )


# What may be pushed.


@pytest.mark.parametrize("rules, players, deck", TABLES, ids=lambda one: getattr(one, "id", one))
@given(st.integers(0, 1 << 32))
@settings(max_examples=5 * RUNS)
def test_lawful_cards_and_announcements_are_never_found_fault_with(rules, players, deck, seed):
    partida = played_out(seed, rules, players, deck)
    assert partida.findings == ()
    assert partida.outcome is not None
    assert partida.outcome.totals == partida.score
    assert sum(partida.score.values()) >= 130
    assert Partida.from_record(partida.record()).outcome == partida.outcome


def test_only_lawful_cards_are_without_a_finding():
    partida, chance = Partida(), random.Random(3)
    partida.push(Deal.random(3))
    seen = 0
    while seat := partida.whose_turn:
        before = partida.findings
        for card in partida.hand(seat):
            partida.push(card)
            assert (partida.findings == before) == (card in partida_before(partida).lawful)
            seen += partida.findings != before
            partida.pop()
        partida.push(chance.choice(list(partida.lawful)))
    assert seen > 10


def partida_before(partida):
    """A copy of a partida without what was pushed last."""
    other = partida.copy()
    other.pop()
    return other


def test_what_is_impossible_changes_nothing():
    partida = Partida()
    partida.push(Deal.random(7))
    before = view(partida)
    with pytest.raises(Refused) as refused:
        partida.push("A1 3B  B1 3B")
    assert refused.value.rule is Rule.CARD_PLAYED_BEFORE
    with pytest.raises(ValueError, match="'' has no act, as 'A1 3O' is one"):
        partida.push("")
    with pytest.raises(ValueError, match="card-malformed"):
        partida.push("A1 99")
    assert view(partida) == before


def test_nobody_is_to_play_before_a_deal_and_after_it():
    partida = Partida()
    assert (partida.whose_turn, partida.lawful, partida.hand(Seat.A1)) == (
        None,
        Hand(),
        Hand(),
    )
    assert (partida.trump, partida.pinta, partida.stock, partida.dealer) == (None, None, 0, None)
    assert (partida.outcome, partida.score) == (None, {Side.A: 0, Side.B: 0})
    with pytest.raises(ValueError, match="nobody is to play AO"):
        partida.push(Card.parse("AO"))
    with pytest.raises(IndexError):
        partida.pop()


def test_the_lawful_cards_of_a_hand_that_is_not_known_are_not_told():
    partida = Partida.from_record("reparto B2\npinta 4O\ncartas A1 AO 3O\n")
    assert partida.hand(Seat.A1) == Hand.parse("AO 3O")
    with pytest.raises(ValueError, match="of the hand of A1 only these cards are known: AO 3O"):
        _ = partida.lawful


def test_words_of_an_act_stay_with_it():
    partida = Partida.from_record(
        'reparto B2\nincidente tarde A1 ?\nincidente otro A2 "se levanta"\n'
    )
    partida.push('incidente charla B1 "dice otra cosa"')
    partida.pop()
    said = [
        *("incidente charla B1 ?", 'incidente charla B1 "pide una copa"'),
        *("incidente otro A1 ?", 'incidente otro A1 "pide una copa"'),
    ]
    for line in said:
        partida.push(line)
    acts = partida.record().split("partida 1\n")[1].splitlines()
    assert [line for line in acts if line.startswith("incidente")] == [
        *("incidente tarde A1 ?", 'incidente otro A2 "se levanta"'),
        *said,
    ]
    assert Partida.from_record(partida.record()) == partida


def test_an_act_of_nobody_has_a_verdict_without_a_seat():
    partida = Partida()
    partida.push('incidente otro "se va la luz"')
    assert [one[:3] for one in partida.verdicts()] == [(1, None, "lawful")]


@given(table_acts)
@settings(max_examples=60 * RUNS)
def test_whatever_is_pushed_every_question_has_an_answer(act):
    partida = Partida()
    partida.push(Deal.random(7))
    before = partida.record()
    try:
        partida.push(print_act(act))
    except (Refused, ValueError):
        assert partida.record() == before
        return
    with suppress(ValueError):  # the lawful cards of a hand that is no longer known
        view(partida)
    partida.verdicts()
    partida.svg()
    [partida.announcements(seat) for seat in partida.seats]
    partida.pop()
    assert partida.record() == before


def test_a_profile_of_ones_own_goes_with_its_record():
    ours = profile("club").changed("ours", "1", {"beat_partner": True})
    partida = Partida(ours)
    partida.push(Deal.random(7))
    assert partida.options.beat_partner
    assert "[Option beat_partner true]" in partida.record()
    assert Partida.from_record(partida.record()).options == partida.options


# Deals.


def test_a_seed_gives_the_same_cards_always():
    deal = Deal.random("Calamocha")
    assert deal == Deal.random("Calamocha") != Deal.random("Calanda")
    assert str(deal.pinta) == "4C"
    assert Deal.random(7) == Deal.random("7")


@pytest.mark.parametrize("rules, players, deck", TABLES, ids=lambda one: getattr(one, "id", one))
def test_a_deal_has_every_card_once(rules, players, deck):
    options = rules.options(players, deck)
    for dealer in Seat.at_table(players):
        deal = Deal.random(1, options, dealer)
        held = [card for hand in deal.hands for card in hand]
        lying = [*deal.stock, *([] if deal.pinta in held else [deal.pinta])]
        assert len({*held, *lying}) == len(held) + len(lying) == deck_size(options)
        assert {len(hand) for hand in deal.hands} == {options.hand_size}
        if options.pinta_from == "dealers_last_card":
            assert deal.pinta in deal.hand(dealer)


def test_a_dealer_of_another_table_is_reported():
    with pytest.raises(ValueError, match="C1 is no seat of a table of 4"):
        Deal.random(1, None, Seat.C1)
