"""A record with mistakes and corrections equals one that was right from the start."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from projections.board.views import public_encuentro, public_partida
from projections.scores.encuentros import encuentro_view
from projections.scores.partidas import partida_view
from referee.aggregates.commands import Amend, PartidaCommand, Record
from referee.aggregates.encuentro import freeze_profile
from referee.aggregates.partida import (
    Partida,
    dealer_due_next_partida,
    fold,
    follow_command_of_partida,
)
from referee.application import Referee
from referee.errors import Refused
from referee.events import Change, EncuentroOpened, LogAmended, RulingGiven, TableAct
from referee.kinds import partida_id
from referee.log.sqlite.recorder import create_tables
from referee.rules.profile.profile import profile
from tests.support.records.dealt_out import TABLES, Player, opened
from tests.support.records.playing import Crowd, crowd_of, options_of
from tests.support.servers.long_runs import RUNS
from tests.support.servers.one_log import ENCUENTRO, META, new_referee

ANYWHERE = st.integers(0, 2**32)
LINES = {"line", "known_at"}


class Scribe:
    """A recorder who makes mistakes and corrects them later, or when it must.

    ``write`` records a command, or refuses it; ``slip`` returns the wrong act.
    """

    def __init__(
        self,
        write: Callable[[PartidaCommand], None],
        slip: Callable[[], TableAct],
        chance: random.Random,
    ) -> None:
        self.write, self.slip, self.chance = write, slip, chance
        self.version = 0
        self.mistakes: list[Change] = []
        self.omitted: TableAct | None = None
        self.kinds: set[str] = set()

    def command(self, command: PartidaCommand) -> int:
        """Line of what was recorded."""
        self.write(command)
        self.version += 1
        return self.version

    def keep(self, act: TableAct, *, well: bool) -> None:
        """An act of the table, kept well or not."""
        how = "" if well else self.chance.choice(["replace", "insert", "withdraw"])
        if how == "insert" and self.omitted is None and not self.is_pending_insert:
            self.omitted = act
            return
        try:
            if how == "replace":
                line = self.command(Record(self.slip()))
                self.placed(line)
                self.mistakes.append(Change(line, "replace", act))
                return
            if how == "withdraw":
                line = self.command(Record(self.slip()))
                self.placed(line)
                self.mistakes.append(Change(line, "withdraw"))
        except Refused:
            pass
        self.keep_well(act)

    @property
    def is_pending_insert(self) -> bool:
        return any(mistake.how == "insert" for mistake in self.mistakes)

    def placed(self, line: int) -> None:
        """What was left out came before this line."""
        if self.omitted is not None:
            self.mistakes.append(Change(line, "insert", self.omitted))
            self.omitted = None

    def keep_well(self, act: TableAct) -> None:
        try:
            line = self.command(Record(act))
        except Refused:
            self.put_right()
            line = self.command(Record(act))
        self.placed(line)

    def put_right(self) -> None:
        """Correct all mistakes so far together."""
        if self.mistakes:
            self.kinds |= {mistake.how for mistake in self.mistakes}
            self.command(Amend(tuple(self.mistakes), "a reason"))
            self.mistakes = []
        if self.omitted is not None:
            self.command(Record(self.omitted))
            self.omitted = None

    def keep_all(self, acts: Iterable[TableAct], often: float) -> None:
        """Acts one after another, with mistakes as often as this and corrections now and then."""
        for act in acts:
            self.keep(act, well=self.chance.random() >= often)
            if self.chance.random() < often / 2:
                self.put_right()


def by_place(view: Any, state: Partida) -> Any:
    """A view with every line replaced by the place of its act among those that stand."""
    place = {entry.line: at for at, entry in enumerate(state.standing_acts, 1)}

    def placed(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                k: place[v] if k in LINES else placed(v) for k, v in value.items() if k != "version"
            }
        return [placed(one) for one in value] if isinstance(value, list | tuple) else value

    return placed(view)


def story(state: Partida) -> list[Any]:
    """Everything about a partida: acts, table, findings, conclusions, outcome, next dealer."""
    stated = sorted(repr(by_place(msgspec.to_builtins(one), state)) for one in state.stated)
    return [
        [entry.act for entry in state.standing_acts],
        by_place(msgspec.to_builtins(partida_view(state)), state),
        by_place(msgspec.to_builtins(public_partida(state)), state),
        stated,
        follow_command_of_partida(state),
        dealer_due_next_partida(state),
        state.dealer_due,
    ]


def kept_right(acts: Iterable[TableAct], start: Partida) -> Partida:
    crowd = Crowd(start.table_at_start.options, 0)
    crowd.state = start
    for act in acts:
        assert crowd.tries(Record(act)) is None
    return crowd.state


def kept_wrong(acts: Iterable[TableAct], start: Partida, seed: int, often: float) -> Partida:
    crowd = Crowd(start.table_at_start.options, seed)
    crowd.state = start

    def write(command: PartidaCommand) -> None:
        if refused := crowd.tries(command):
            raise refused

    scribe = Scribe(write, lambda: without_reference(crowd), crowd.chance)
    scribe.keep_all(acts, often)
    scribe.put_right()
    return crowd.state


def without_reference(crowd: Crowd) -> TableAct:
    """An act that names no line: lines are what differs."""
    while True:
        act = crowd.act()
        if not isinstance(act, RulingGiven) or act.effect not in ("annul_act", "renuncio"):
            return act


def assert_same(amended: Partida, right: Partida) -> None:
    assert story(amended) == story(right)
    changes = [c for r in amended.log if isinstance(r.act, LogAmended) for c in r.act.changes]
    if all(change.how == "replace" for change in changes):
        kept = [entry.line for entry in amended.standing_acts]
        if kept == [entry.line for entry in right.standing_acts]:
            assert amended.table == right.table


@pytest.mark.parametrize("often", [0.02, 0.15])
@settings(max_examples=20 * RUNS)
@given(ANYWHERE)
def test_a_lawful_partida_kept_wrong_and_put_right_is_the_one_kept_right(often, seed):
    options = options_of(TABLES[seed % len(TABLES)])
    acts = Player(options, seed, observed=bool(seed % 2)).partida()
    start = fold([opened(options)])
    assert_same(kept_wrong(acts, start, seed, often), kept_right(acts, start))


@settings(max_examples=20 * RUNS)
@given(ANYWHERE)
def test_whatever_a_crowd_did_kept_wrong_and_put_right_is_the_same(seed):
    crowd = crowd_of(seed)
    start, acts = crowd.state, []
    for _ in range(70):
        act = without_reference(crowd)
        if crowd.tries(Record(act)) is None:
            acts.append(act)
    assert_same(kept_wrong(acts, start, seed, 0.1), crowd.state)


def test_the_scribe_makes_mistakes_of_every_kind():
    """Check of the tests above: mistakes are made, and some stay for long."""
    changes: list[Change] = []
    for seed in range(30):
        options = options_of(TABLES[seed % len(TABLES)])
        acts = Player(options, seed).partida()
        amended = kept_wrong(acts, fold([opened(options)]), seed, 0.05)
        found = [r for r in amended.log if isinstance(r.act, LogAmended)]
        changes += [change for recorded in found for change in recorded.act.changes]
    assert {change.how for change in changes} == {"replace", "insert", "withdraw"}
    assert len(changes) > 100


class RecordedData:
    """A store with one encuentro, in which partidas are kept."""

    def __init__(self, folder: Path, name: str, seed: int) -> None:
        folder.mkdir()
        create_tables(folder / "log.db")
        self.referee: Referee = new_referee(folder / "log.db")
        self.referee.encuentros.open(
            EncuentroOpened(freeze_profile(profile(name), 4)), META, ENCUENTRO
        )
        self.chance = random.Random(seed)

    def start(self, number: int) -> None:
        self.referee.encuentros.start_partida(ENCUENTRO, META)
        assert number == len(self.referee.encuentros.encuentro(ENCUENTRO).partidas)

    def state(self, number: int) -> Partida:
        return self.referee.encuentros.partida_by_id(partida_id(ENCUENTRO, number))

    def write(self, number: int, command: PartidaCommand) -> None:
        self.referee.encuentros.record_partida_acts(partida_id(ENCUENTRO, number), [command], META)

    def scribe(self, number: int) -> Scribe:
        def slip() -> TableAct:
            crowd = Crowd(self.state(number).table_at_start.options, self.chance.randrange(2**32))
            crowd.state = self.state(number)
            return without_reference(crowd)

        return Scribe(lambda command: self.write(number, command), slip, self.chance)

    def story(self, numbers: Iterable[int]) -> list[Any]:
        """Everything about the encuentro and its partidas."""
        state = self.referee.encuentros.encuentro(ENCUENTRO)
        view = encuentro_view("an encuentro", state)
        return [
            replace(view, conclusions=sorted(map(repr, view.conclusions))),
            public_encuentro("an encuentro", state),
            *(story(self.state(n)) for n in numbers),
        ]


@settings(max_examples=8)
@given(ANYWHERE)
def test_the_encuentro_follows_corrections_across_the_end_of_partidas(tmp_path_factory, seed):
    folder = tmp_path_factory.mktemp("data")
    name = ("club", "guinyot", "sin-mazo")[seed % 3]
    right, wrong = (RecordedData(folder / kept, name, seed) for kept in ("right", "wrong"))
    options = profile(name).options(4, 40)
    partidas = [Player(options, seed + n).partida() for n in (1, 2, 3)]
    scribes: list[Scribe] = []
    for number, acts in enumerate(partidas, 1):
        right.start(number)
        for act in acts:
            right.write(number, Record(act))
        try:
            wrong.start(number)
        except Refused:
            scribes[-1].put_right()
            wrong.start(number)
        scribes.append(wrong.scribe(number))
        scribes[-1].keep_all(acts, 0.02)
    for scribe in wrong.chance.sample(scribes, len(scribes)):
        scribe.put_right()
    assert wrong.story((1, 2, 3)) == right.story((1, 2, 3))
    for one in (right, wrong):
        one.referee.close()
