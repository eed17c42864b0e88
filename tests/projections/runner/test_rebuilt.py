"""Views rebuilt from the log equal those that were followed live, byte for byte."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from projections.every import every_projection
from projections.runner.log import LogReader
from projections.runner.runner import Runner
from projections.runner.views import Views
from referee.aggregates.commands import Amend, Record, Undo
from referee.aggregates.encuentro import freeze_profile
from referee.aggregates.partida import follow_command_of_partida
from referee.audit.verify.conclusions import differences_in_all_streams
from referee.errors import Refused
from referee.events import Change, EncuentroOpened, RulingGiven, TimeCalled
from referee.kinds import partida_id
from referee.log.sqlite.recorder import create_tables
from referee.rules.profile.profile import profile
from tests.support.records.dealt_out import Player
from tests.support.servers.one_log import ENCUENTRO, META, new_referee


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32))
def test_rebuilt_is_live_and_verified_whatever_was_corrected(tmp_path_factory, seed):
    folder, chance = tmp_path_factory.mktemp("log"), random.Random(seed)
    create_tables(folder / "log.db")
    referee = new_referee(folder / "log.db")
    frozen = freeze_profile(profile(chance.choice(["club", "escuela", "guinyot"])), 4)
    referee.encuentros.open(EncuentroOpened(frozen), META, ENCUENTRO)
    log, views = LogReader(folder / "log.db"), Views(folder / "live.db", every_projection())
    live = Runner(log, views, batch=chance.choice([1, 3, 50]))
    for number in (1, 2):
        referee.encuentros.start_partida(ENCUENTRO, META)
        _play(referee, partida_id(ENCUENTRO, number), chance, live)
    _correct(referee, partida_id(ENCUENTRO, 1), chance)
    while live.apply_next_batch():
        pass
    again = Views(folder / "again.db", every_projection())
    Runner(log, again).rebuild()
    assert again.dump() == views.dump()
    assert list(differences_in_all_streams(log)) == []
    state = referee.encuentros.encuentro(ENCUENTRO)
    for one in state.partidas:
        stands = follow_command_of_partida(
            referee.encuentros.partida_by_id(partida_id(ENCUENTRO, one.partida))
        )
        assert (one.winner, one.how) == (stands.winner, stands.how)
    for one in (referee, views, again, log):
        one.close()


def _play(referee, stream, chance: random.Random, live: Runner) -> None:
    options = referee.encuentros.partida_by_id(stream).table_at_start.options
    acts = Player(options, chance.randrange(2**32), observed=chance.random() < 0.5).partida()
    for act in acts:
        referee.encuentros.record_partida_acts(stream, [Record(act)], META)
        if chance.random() < 0.1:
            live.apply_next_batch()
        if chance.random() < 0.03 and referee.encuentros.partida_by_id(stream).stated == ():
            referee.encuentros.record_partida_acts(stream, [Record(TimeCalled()), Undo()], META)


def _correct(referee, stream, chance: random.Random) -> None:
    """Corrections across the end of deals and of the partida, a ruling among them."""
    for _ in range(4):
        state = referee.encuentros.partida_by_id(stream)
        line = chance.choice(state.standing_acts).line
        for command in (Amend((Change(line, "withdraw"),), "t"), Undo()):
            try:
                referee.encuentros.record_partida_acts(stream, [command], META)
            except Refused:
                continue
    referee.encuentros.record_partida_acts(
        stream, [Record(RulingGiven("partida", "t", side="A"))], META
    )
    assert follow_command_of_partida(referee.encuentros.partida_by_id(stream)).winner == "A"
