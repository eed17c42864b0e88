"""Random acts at several tables: rebuilt views equal the views that were followed live."""

from __future__ import annotations

import random
from pathlib import Path
from uuid import UUID

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from projections.every import every_projection
from projections.replay.frames import partida_view_at_line
from projections.runner.log import LogReader
from projections.runner.runner import Runner
from projections.runner.views import Views
from projections.scores.projection import find_partida_without_findings
from referee.aggregates.encuentro import freeze_profile
from referee.aggregates.partida import follow_command_of_partida
from referee.application import Referee
from referee.audit.verify.conclusions import differences_in_all_streams
from referee.errors import Refused
from referee.events import EncuentroOpened
from referee.kinds import partida_id
from referee.log.sqlite.recorder import create_tables
from referee.rules.profile.profile import profile
from tests.support.records.dealt_out import TABLES
from tests.support.records.playing import Crowd, options_of
from tests.support.servers.long_runs import RUNS
from tests.support.servers.one_log import META, new_referee


class Hall:
    """Two tables in one log, followed live in batches of any size."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self.folder, self.chance = folder, chance
        create_tables(folder / "log.db")
        self.referee: Referee = new_referee(folder / "log.db")
        self.log = LogReader(folder / "log.db")
        self.views = Views(folder / "live.db", every_projection())
        self.live = Runner(self.log, self.views, batch=chance.choice([1, 3, 50]))
        self.tables: dict[UUID, Crowd] = {}
        for number in (1, 2):
            self.open(UUID(int=number))

    def open(self, encuentro: UUID) -> None:
        table = self.chance.choice(TABLES)
        name, players, deck = table
        opened = EncuentroOpened(freeze_profile(profile(name), players, deck))
        self.referee.encuentros.open(opened, META, encuentro)
        self.tables[encuentro] = Crowd(options_of(table), self.chance.randrange(2**32))
        self.referee.encuentros.start_partida(encuentro, META)

    def happens(self) -> None:
        """A random step at one of the tables: commands, or the next partida."""
        encuentro, crowd = self.chance.choice(list(self.tables.items()))
        played = len(self.referee.encuentros.encuentro(encuentro).partidas)
        number = played if self.chance.random() < 0.9 else self.chance.randint(1, played)
        partida = partida_id(encuentro, number)
        crowd.state = self.referee.encuentros.partida_by_id(partida)
        try:
            if self.chance.random() < 0.1:
                self.referee.encuentros.start_partida(encuentro, META)
            else:
                commands = [crowd.command() for _ in range(self.chance.choice([1, 1, 2]))]
                self.referee.encuentros.record_partida_acts(partida, commands, META)
        except Refused:
            return
        if self.chance.random() < 0.4:
            self.live.apply_next_batch()

    def close(self) -> None:
        for one in (self.referee, self.views, self.log):
            one.close()


@settings(max_examples=4 * RUNS)
@given(st.integers(0, 2**32))
def test_views_of_anything_rebuilt_are_those_followed_live(tmp_path_factory, seed):
    hall = Hall(tmp_path_factory.mktemp("hall"), random.Random(seed))
    for _ in range(120):
        hall.happens()
    while hall.live.apply_next_batch():
        pass
    live = hall.views.dump()
    again = Views(hall.folder / "again.db", every_projection())
    Runner(hall.log, again).rebuild(batch=7)
    assert again.dump() == live
    hall.live.rebuild()
    assert hall.views.dump() == live
    assert list(differences_in_all_streams(hall.log)) == []
    for encuentro in hall.tables:
        assert_followed(hall, encuentro)
    again.close()
    hall.close()


def assert_followed(hall: Hall, encuentro: UUID) -> None:
    """The encuentro holds each partida as it stands; a replay of the last line is the view."""
    for held in hall.referee.encuentros.encuentro(encuentro).partidas:
        partida = partida_id(encuentro, held.partida)
        stands = follow_command_of_partida(hall.referee.encuentros.partida_by_id(partida))
        assert (held.winner, held.how) == (stands.winner, stands.how)
        if held.how != "undecided":
            assert held.totals == stands.totals
        history = hall.referee.history(partida)
        with hall.views.reading() as cursor:
            row = find_partida_without_findings(cursor, partida)
        assert row is not None
        last = msgspec.json.decode(
            msgspec.json.encode(partida_view_at_line(history, history[-1].line))
        )
        held = msgspec.to_builtins(row)
        assert {key: last[key] for key in held} == held
