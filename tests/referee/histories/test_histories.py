"""Random whole partidas under every profile: tricks, points and winners."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.aggregates.commands import Record
from referee.aggregates.partida import Partida, decide, fold
from referee.rules.profile.profile import profile
from referee.table.readings import table_after_acts
from tests.support.records.dealt_out import TABLES, Player, opened

RENUNCIOS = {"follow", "beat", "trump", "overtrump", "undertrump"}


def recorded(acts, options) -> Partida:
    state = fold([opened(options)])
    for act in acts:
        state = decide(Record(act), state).state
    return state


@pytest.mark.parametrize("observed", [False, True], ids=["open", "observed"])
@pytest.mark.parametrize("table", TABLES, ids=lambda table: "-".join(map(str, table)))
@settings(max_examples=12)
@given(seed=st.integers(0, 2**32))
def test_a_partida_is_counted_and_won_as_its_own_account_says(table, observed, seed):
    name, players, deck = table
    options = profile(name).options(players, deck)
    player = Player(options, seed, observed=observed)
    acts = player.partida()
    state = recorded(acts, options)
    found, account = state.table, player.account
    won = found.decided
    assert won is not None
    assert won.how == account.how
    assert account.winner in ("?", won.winner)
    assert won.totals == account.totals(options)
    assert [[t.taker for t in deal.tricks] for deal in found.all_deals] == account.takers
    assert not RENUNCIOS & {finding.rule.value for finding in found.findings}
    for deal in found.all_deals:
        if deal.is_played_out:
            assert deal.played == deal.deck
            assert sum(trick.points for trick in deal.tricks) == 120
    assert table_after_acts(state.table_at_start, state.standing_acts) == found
    assert fold([opened(options), *(r.act for r in state.log), *state.stated]) == state


@pytest.mark.parametrize("observed", [False, True], ids=["open", "observed"])
@pytest.mark.parametrize("table", TABLES, ids=lambda table: "-".join(map(str, table)))
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32))
def test_a_renuncio_is_found_by_the_end_of_the_deal_and_none_is_invented(table, observed, seed):
    name, players, deck = table
    options = profile(name).options(players, deck)
    player = Player(options, seed, observed=observed)
    player.breaches_left = 1
    dealer = player.chance.choice(player.seats)
    player.deal(dealer)
    state = recorded(player.acts, options)
    found = {(f.line, f.seat) for f in state.table.findings if f.rule.value in RENUNCIOS}
    assert found == ({player.planted} if player.planted else set())
    if player.planted and not observed:
        line = player.planted[0]
        assert all(f.known_at == line for f in state.table.findings if f.line == line)
