"""Random cases among play, corrections and appeals: the invariants of the record hold."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from projections.board.views import public_encuentro, public_partida
from projections.every import every_projection
from projections.runner.log import LogReader
from projections.runner.runner import Runner
from projections.runner.views import Views
from projections.scores.encuentros import standing_view
from referee.aggregates.case import Case, ground_of_option
from referee.aggregates.commands import Record
from referee.aggregates.encuentro import freeze_profile
from referee.aggregates.partida import Partida, follow_command_of_partida
from referee.application import Referee
from referee.audit.verify.conclusions import differences_in_all_streams
from referee.errors import Refused
from referee.events import (
    AppealDecided,
    Appealed,
    CaseAct,
    CaseClosed,
    CaseRuled,
    CaseRuling,
    EncuentroOpened,
    Ground,
    ResultContested,
    ResultMadeOfficial,
    ResultReopened,
    ResultReported,
)
from referee.kinds import partida_id
from referee.log.sqlite.recorder import create_tables
from referee.rules.articles import Rule
from referee.rules.profile.profile import profile
from tests.support.records.case_text import minute, opened, witness
from tests.support.records.dealt_out import TABLES
from tests.support.records.playing import EFFECTS, Crowd, options_of
from tests.support.servers.one_log import ENCUENTRO, META, new_referee

ANYWHERE = st.integers(0, 2**32)
PERSONS = ("ana", "blas", "celia", "julia", "óscar")
STEPS = 90
PARTIDA = partida_id(ENCUENTRO, 1)


class Court:
    """A table with random disputes, in a log followed live."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance = random.Random(seed)
        table = self.chance.choice(TABLES)
        self.profile = freeze_profile(profile(table[0]), *table[1:])
        create_tables(folder / "log.db")
        self.referee: Referee = new_referee(folder / "log.db")
        self.referee.encuentros.open(EncuentroOpened(self.profile), META, ENCUENTRO)
        self.referee.encuentros.start_partida(ENCUENTRO, META)
        self.crowd = Crowd(options_of(table), seed)
        self.log, self.views = (
            LogReader(folder / "log.db"),
            Views(folder / "v.db", every_projection()),
        )
        self.live = Runner(self.log, self.views, batch=self.chance.choice([1, 7, 50]))
        self.minutes = 0
        self.done: set[str] = set()

    # --- what there is -------------------------------------------------------------------------

    @property
    def cases(self) -> list[Case]:
        held = self.referee.encuentros.encuentro(ENCUENTRO).result.cases
        return [self.referee.cases.case(ENCUENTRO, one.case) for one in held]

    @property
    def partidas(self) -> list[Partida]:
        started = len(self.referee.encuentros.encuentro(ENCUENTRO).partidas)
        return [
            self.referee.encuentros.partida_by_id(partida_id(ENCUENTRO, n))
            for n in range(1, started + 1)
        ]

    def person(self) -> str:
        return self.chance.choice(PERSONS)

    def now(self, later: int = 0) -> str:
        return minute(min(self.minutes + later, 600))

    def ruling(self, seen: int) -> CaseRuling:
        option = self.chance.choice(list(self.profile.options))
        basis: Any = self.profile.basis[option]
        grounds = [
            ground_of_option(self.profile, option, basis),
            Ground("sovereign"),
            Ground("not_regulated"),
        ]
        seat = self.crowd.seat()
        effect: Any = self.chance.choice([*EFFECTS, "none", "points", "warning"])
        return CaseRuling(
            effect,
            self.chance.choice(grounds),
            "t",
            side=seat[0],
            seat=seat,
            points=self.chance.randint(-30, 30),
            line=self.chance.randint(1, max(seen, 1)),
        )

    # --- what happens --------------------------------------------------------------------------

    def act(self, case: Case) -> CaseAct:
        """A random act of a case, mostly one that is due."""
        assert case.opened is not None
        chance, by, side = self.chance, self.person(), self.crowd.side()
        seen = self.referee.encuentros.partida_by_id(
            partida_id(ENCUENTRO, case.opened.partida)
        ).version
        until = self.now(chance.choice([1, 20])) if chance.random() < 0.8 else ""
        word = self.ruling(seen) if chance.random() < 0.7 else None
        due: dict[str, CaseAct] = {
            "open": CaseRuled(by, self.now(), self.ruling(seen), 0, until),
            "ruled": Appealed(side, by, self.now(), "t"),
            "appealed": AppealDecided(by, self.now(), "t", word),
            "settled": CaseClosed(by, self.now()),
            "closed": witness(text="t"),
        }
        others = [*due.values(), witness(lines=(chance.randint(1, seen + 1),))]
        return due[case.stage] if chance.random() < 0.8 else chance.choice(others)

    def happens(self) -> None:
        """A new case, a step of one, an act about the result, or play."""
        self.minutes += self.chance.choice([0, 1, 5])
        drawn = self.chance.random()
        try:
            if drawn < 0.08:
                self.quarrels()
            elif drawn < 0.35 and self.cases:
                self.goes_on(self.chance.choice(self.cases))
            elif drawn < 0.42:
                self.says()
            else:
                self.plays()
        except Refused as refused:
            self.done.add(refused.rule.value)
            return
        if self.chance.random() < 0.4:
            self.live.apply_next_batch()

    def quarrels(self) -> None:
        partida = self.chance.randint(1, len(self.partidas))
        lines = (self.chance.randint(1, 6),) if self.chance.random() < 0.3 else ()
        act = opened(
            self.chance.choice(["", self.crowd.side()]),
            by=self.person(),
            partida=partida,
            lines=lines,
            suspends=self.chance.random() < 0.4,
        )
        if self.chance.random() < 0.2:
            contested = ResultContested(act.by, self.crowd.side(), 0, "t")
            self.referee.cases.contest_result(ENCUENTRO, contested, act, META)
        else:
            self.referee.cases.open(ENCUENTRO, act, META)

    def goes_on(self, case: Case) -> None:
        assert case.opened is not None
        before, act = self.partidas, self.act(case)
        answer = self.referee.cases.record(ENCUENTRO, case.opened.number, act, META)
        self.done.add(type(act).__name__)
        if isinstance(act, AppealDecided) and act.verdict is None:
            self.done.add("upheld")
            assert self.partidas == before, "an appeal upheld changes nothing"
            assert len(answer.events) == 2

    def says(self) -> None:
        """Something about the result."""
        by, side = self.person(), self.crowd.side()
        acts = [
            ResultReported(by, side, by),
            ResultMadeOfficial(by, "t"),
            ResultReopened(by, self.person(), "t"),
        ]
        self.referee.encuentros.record_encuentro_act(ENCUENTRO, self.chance.choice(acts), META)

    def plays(self) -> None:
        number = self.chance.randint(1, len(self.partidas))
        partida = partida_id(ENCUENTRO, number)
        self.crowd.state = self.referee.encuentros.partida_by_id(partida)
        if self.chance.random() < 0.1:
            self.referee.encuentros.start_partida(ENCUENTRO, META)
        else:
            self.referee.encuentros.record_partida_acts(partida, [self.crowd.command()], META)

    def close(self) -> None:
        for one in (self.referee, self.views, self.log):
            one.close()


@settings(max_examples=12)
@given(ANYWHERE)
def test_cases_among_anything_keep_what_is_promised(tmp_path_factory, seed):
    folder = tmp_path_factory.mktemp("court")
    court = Court(folder, seed)
    for _ in range(STEPS):
        court.happens()
    while court.live.apply_next_batch():
        pass
    live = court.views.dump()
    again = Views(folder / "again.db", every_projection())
    Runner(court.log, again, batch=7).rebuild()
    assert again.dump() == live, "rows rebuilt are the rows that were followed"
    assert list(differences_in_all_streams(court.log)) == []
    for case in court.cases:
        assert_decided_by_another(case)
        assert_both_stand(court, case)
    again.close()
    court.close()


def assert_decided_by_another(case: Case) -> None:
    if case.decided is not None:
        assert case.ruled is not None
        assert case.decided.by != case.ruled.by


def assert_both_stand(court: Court, case: Case) -> None:
    """What was ruled first and what was decided instead are both on the log of the partida."""
    if case.ruled is None:
        return
    assert case.opened is not None
    held = court.referee.encuentros.partida_by_id(partida_id(ENCUENTRO, case.opened.partida))
    lines = {one.line for one in held.log}
    assert set(case.lines_of_rulings) <= lines


# --- as if ruled so the first time ---------------------------------------------------------------


def whole_outcome(referee: Referee) -> Any:
    """Outcome of a partida and its encuentro, without numbers of lines."""
    state, match = (
        referee.encuentros.partida_by_id(partida_id(ENCUENTRO, 1)),
        referee.encuentros.encuentro(ENCUENTRO),
    )
    table = state.table
    view = public_encuentro(str(ENCUENTRO), match)
    warned = [side for _, side in table.warnings]
    return (
        follow_command_of_partida(state),
        public_partida(state),
        standing_view(match),
        view.standing,
        warned,
    )


def play(court: Court, steps: int) -> list[Any]:
    """What was played of so many tries."""
    found: list[Any] = []
    for _ in range(steps):
        court.crowd.state = court.referee.encuentros.partida_by_id(PARTIDA)
        act = Record(court.crowd.act())
        try:
            court.referee.encuentros.record_partida_acts(PARTIDA, [act], META)
        except Refused:
            continue
        found.append(act)
    return found


def overturned(court: Court, first: CaseRuling, second: CaseRuling) -> list[Any]:
    """A ruling, more play, the appeal that changes it; what was played meanwhile."""
    submit = court.referee.cases.record
    submit(ENCUENTRO, 1, CaseRuled("julia", minute(1), first, 0, minute(9)), META)
    more = play(court, court.chance.choice([0, 0, 5]))
    submit(ENCUENTRO, 1, Appealed("A", "blas", minute(2), "t"), META)
    submit(ENCUENTRO, 1, AppealDecided("óscar", minute(3), "t", second), META)
    return more


@settings(max_examples=25)
@given(ANYWHERE)
def test_a_ruling_that_was_changed_is_as_if_ruled_so_the_first_time(tmp_path_factory, seed):
    """Play, a ruling, more play, the appeal; against the same with the second ruling at once."""
    changed, at_once = (Court(tmp_path_factory.mktemp(name), seed) for name in ("one", "two"))
    played = play(changed, changed.chance.randint(3, 40))
    seen = changed.referee.encuentros.partida_by_id(PARTIDA).version
    first, second = changed.ruling(seen), changed.ruling(seen)
    case = opened(lines=(), by="ana")
    changed.referee.cases.open(ENCUENTRO, case, META)
    try:
        more = overturned(changed, first, second)
    except Refused as refused:
        assert refused.rule != Rule.SAME_PERSON
        return
    decided = changed.referee.cases.case(ENCUENTRO, 1).decided
    assert decided is not None
    if decided.act in decided.acts:  # what was played since forbade its place: it is given now
        won = follow_command_of_partida(changed.referee.encuentros.partida_by_id(PARTIDA)).winner
        assert second.effect != "partida" or won == second.side
        return
    for act in played:
        at_once.referee.encuentros.record_partida_acts(PARTIDA, [act], META)
    at_once.referee.cases.open(ENCUENTRO, case, META)
    ruled = CaseRuled("óscar", minute(3), second, 0)
    at_once.referee.cases.record(ENCUENTRO, 1, ruled, META)
    for act in more:
        at_once.referee.encuentros.record_partida_acts(PARTIDA, [act], META)
    assert whole_outcome(changed.referee) == whole_outcome(at_once.referee)
    for court in (changed, at_once):
        assert list(differences_in_all_streams(court.log)) == []
        court.close()
