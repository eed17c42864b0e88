"""After a partida: who deals the next, and what stands when an earlier one is undecided again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from projections.scores.encuentros import FlagData, encuentro_view
from referee.aggregates.commands import Amend, Record
from referee.aggregates.encuentro import freeze_profile
from referee.aggregates.partida import dealer_due_next_partida
from referee.events import (
    Change,
    Conceded,
    DealStarted,
    EncuentroOpened,
    ResultEntered,
    RulingGiven,
)
from referee.kinds import partida_id
from referee.log.sqlite.recorder import create_tables
from referee.rules.articles import Rule
from referee.rules.profile.options import Options
from referee.rules.profile.profile import profile
from referee.rules.seats import next_seat
from tests.referee.histories.test_histories import recorded
from tests.support.records.dealt_out import Player
from tests.support.servers.one_log import ENCUENTRO, META, new_referee

CLUB = Options()
IN_ORDER = replace(CLUB, next_dealer="next_in_order")


@pytest.mark.rule(Rule.NEXT_DEALER)
@pytest.mark.parametrize("seed", range(6))
def test_rule_next_dealer_is_the_taker_of_the_last_closed_trick_or_the_next_in_order(seed):
    assert Rule.NEXT_DEALER.value == "next-dealer"
    player = Player(CLUB, seed)
    acts = player.partida()
    last = [act for act in acts if isinstance(act, DealStarted)][-1].dealer
    assert dealer_due_next_partida(recorded(acts, CLUB)) == player.account.takers[-1][-1]
    assert dealer_due_next_partida(recorded(acts, IN_ORDER)) == next_seat(last, 4)


@pytest.mark.parametrize(("options", "due"), [(CLUB, "B1"), (IN_ORDER, "A2")])
def test_without_a_trick_the_same_dealer_deals_again(options, due):
    state = recorded([DealStarted("B1"), Conceded("A")], options)
    assert dealer_due_next_partida(state) == due


def test_a_partida_of_which_only_the_result_is_known_tells_nothing():
    assert dealer_due_next_partida(recorded([ResultEntered("A")], CLUB)) == ""


def test_a_ruling_names_any_dealer():
    acts = [DealStarted("B1"), Conceded("A"), RulingGiven("dealer", "t", seat="A1")]
    assert dealer_due_next_partida(recorded(acts, CLUB)) == "A1"


@pytest.mark.rule(Rule.LATER_PARTIDA_STANDS)
def test_later_partidas_stand_flagged_and_the_encuentro_waits(tmp_path):
    create_tables(tmp_path / "log.db")
    referee = new_referee(tmp_path / "log.db")
    frozen = freeze_profile(profile("club").changed("short", "1", {"cotos_to_win": 1}), 4)
    referee.encuentros.open(EncuentroOpened(frozen), META, ENCUENTRO)
    for number in (1, 2, 3):
        referee.encuentros.start_partida(ENCUENTRO, META)
        stream = partida_id(ENCUENTRO, number)
        referee.encuentros.record_partida_acts(stream, [Record(ResultEntered("A"))], META)
    assert referee.encuentros.encuentro(ENCUENTRO).win is not None
    first = partida_id(ENCUENTRO, 1)
    referee.encuentros.record_partida_acts(first, [Amend((Change(1, "withdraw"),), "t")], META)
    state = referee.encuentros.encuentro(ENCUENTRO)
    findings = encuentro_view("e", state).findings
    assert findings == [FlagData("later-partida-stands", n) for n in (2, 3)]
    assert state.win is None
    referee.encuentros.record_partida_acts(
        first, [Record(RulingGiven("partida", "t", side="A"))], META
    )
    state = referee.encuentros.encuentro(ENCUENTRO)
    assert encuentro_view("e", state).findings == []
    assert state.win is not None
    assert state.win.winner == "A"
    referee.close()
