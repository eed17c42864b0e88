"""Time of a season: every view rebuilt from its log, its table as a page, a correction followed.

``python -m benchmarks.club.season`` prints a table. Results of ``--encuentros`` (10,000) come in
as a club enters them, evenings of ten tables; the tables of an evening are mixed on the log.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import zip_longest
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from uuid import UUID

from msgspec.structs import replace

from api.server import wiring
from projections.every import every_projection
from projections.runner.comparison import compare_views
from projections.runner.log import LogReader
from projections.runner.runner import Runner
from projections.runner.views import Views
from referee.aggregates.commands import Record
from referee.aggregates.encuentro import Encuentro, freeze_profile
from referee.aggregates.partida import Partida
from referee.aggregates.session import draw_by_seed
from referee.application import Referee
from referee.events import (
    EncuentroOpened,
    EncuentroRuled,
    PartidaOpened,
    PlayerCame,
    PlayersSeated,
    ResultConfirmed,
    ResultEntered,
    ResultReported,
    SeasonOpened,
    SeasonScoring,
    SessionOpened,
)
from referee.handlers.encuentros import plan_encuentro_act, plan_next_partida, plan_recording
from referee.kinds import ENCUENTRO, partida_id
from referee.log.mapper import RecordedEvent
from referee.log.stores import open_for_audit
from referee.log.streams import PlacedEvent, Stream, WriteMetadata
from referee.rules.profile.profile import profile

SEED = 7
TABLES = 10
MEMBERS = 120
TEMPLATES = 60
OPENING = 2
"""Events with which a session opens an encuentro."""
FIRST_DAY = date(2000, 1, 1)
PROFILE = freeze_profile(profile("club"), 4)
META = WriteMetadata("bench", "bench", datetime(2026, 11, 21, 20, tzinfo=UTC))
AT = "2026-11-21T20:00:00.000Z"


def encuentro(chance: random.Random) -> list[PlacedEvent]:
    """Everything recorded of an encuentro, from its first partida to the result confirmed."""
    match: Stream[Encuentro] = ENCUENTRO.empty_stream(UUID(int=0))
    previous: Stream[Partida] | None = None
    seats = PlayersSeated({seat: seat for seat in ("A1", "B1", "A2", "B2")})
    for act in (EncuentroOpened(PROFILE), seats):
        match = plan_encuentro_act(match, act).main
    placed: list[PlacedEvent] = []
    while match.state.win is None:
        begun = plan_next_partida(match, previous)
        winner = Record(ResultEntered(chance.choice("AB")))
        done = plan_recording(begun.others[0], begun.main, [winner]).pending_write(
            _no_later_partida
        )
        placed += [*begun.placed, *done.placed]
        match, previous = done.others[0], done.main
    for said in (ResultReported("one", "A"), ResultConfirmed("other", "B", "phone")):
        noted = plan_encuentro_act(match, said)
        match = noted.main
        placed += noted.placed
    return placed


def _no_later_partida(_: UUID) -> Stream[Partida]:
    raise LookupError("nothing is corrected")


def at_table(template: list[PlacedEvent], table: UUID, salts: Iterator[str]) -> list[RecordedEvent]:
    """The events of a template as those of a table."""
    ids = {UUID(int=0): table}
    ids |= {partida_id(UUID(int=0), n): partida_id(table, n) for n in range(1, 100)}
    found = []
    for one in template:
        event = one.event
        if isinstance(event, PartidaOpened):
            event = replace(event, encuentro=str(table))
        stream = ids[one.stream]
        head = (stream, one.version, one.line, AT, "bench", "bench")
        found.append(RecordedEvent(*head, next(salts), event))
    return found


@dataclass
class Club:
    """A season of a club."""

    referee: Referee
    season: UUID
    members: list[str]
    chance: random.Random
    last: UUID = UUID(int=0)
    events: int = 0

    def evening(self, day: str, tables: int, templates: list[list[PlacedEvent]]) -> None:
        """An evening: who comes, the draw, and what was entered at its tables."""
        opened = SessionOpened(day, PROFILE, season=str(self.season))
        session = self.referee.seasons.open_session(opened, META).id
        there = self.chance.sample(self.members, tables * 4)
        self.referee.seasons.record_session_acts(session, [PlayerCame(one) for one in there], META)
        drawn = draw_by_seed(self.referee.seasons.session(session), day)
        self.referee.seasons.record_session_acts(session, [drawn], META)
        self.referee.seasons.open_tables(session, META)
        salts = (f"{self.chance.getrandbits(128):032x}"[:22] for _ in iter(int, 1))
        found = [
            at_table(self.chance.choice(templates), UUID(one), salts)
            for one in self.referee.seasons.session(session).encuentro_ids
        ]
        mixed = [one for row in zip_longest(*found) for one in row if one is not None]
        self.referee.events.put(mixed, key="bench:", receipt=None, guards={})
        self.last = UUID(self.referee.seasons.session(session).encuentro_ids[0])


def played(folder: Path, encuentros: int) -> Club:
    """A data folder with a season of ``encuentros`` encuentros."""
    where = wiring.files_of_folder(folder)
    persons = wiring.open_persons(where)
    members = [persons.add_person(f"Socio {number}") for number in range(MEMBERS)]
    name = persons.add_text("Liga")
    persons.close()
    chance = random.Random(SEED)
    templates = [encuentro(chance) for _ in range(TEMPLATES)]
    referee = wiring.open_referee(where)
    scoring = SeasonScoring(3, 1, 0, 1, 0, 1)
    season = referee.seasons.open_season(SeasonOpened(name, scoring=scoring), META).id
    club = Club(referee, season, members, chance)
    for number in range(encuentros // TABLES):
        club.evening((FIRST_DAY + timedelta(days=number)).isoformat(), TABLES, templates)
    club.events = referee.position()
    return club


def median_ms(task: Callable[[], object], rounds: int) -> float:
    """Middle of the times of a task, in milliseconds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        task()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def rebuilt(folder: Path) -> tuple[float, float]:
    """Seconds that every view took to be rebuilt, by the clock and of the processor."""
    where = wiring.files_of_folder(folder)
    log, views = LogReader(where.log), Views(where.views, every_projection())
    follower = Runner(log, views)
    start, worked = time.perf_counter(), time.process_time()
    follower.rebuild()
    took = time.perf_counter() - start, time.process_time() - worked
    views.close()
    log.close()
    return took


def corrected(folder: Path, club: Club) -> float:
    """Milliseconds until every view has followed a ruling on an encuentro of the last evening."""
    where = wiring.files_of_folder(folder)
    log, views = LogReader(where.log), Views(where.views, every_projection())
    follower = Runner(log, views)
    club.referee.encuentros.record_encuentro_act(club.last, EncuentroRuled("", "why"), META)
    took = median_ms(follower.apply_next_batch, 1)
    views.close()
    log.close()
    return took


def compared(folder: Path) -> tuple[float, float]:
    """Seconds that a comparison of every view with a rebuild took, by the clock and processor."""
    where = wiring.files_of_folder(folder)
    start, worked = time.perf_counter(), time.process_time()
    with closing(open_for_audit(where.log)) as log:
        assert list(compare_views(where.views, log, every_projection)) == []
    return time.perf_counter() - start, time.process_time() - worked


def page_ms(folder: Path, path: str, rounds: int) -> float:
    """Milliseconds of a page without sign-in."""
    app = wiring.app(folder, with_projector=False)
    client = app.test_client()
    assert client.get(path).status_code == 200, path
    took = median_ms(lambda: client.get(path), rounds)
    app.extensions["guinote"].close()
    return took


def main() -> None:
    """Print the table."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--encuentros", type=int, default=10_000)
    asked.add_argument("--rounds", type=int, default=15)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        club = played(folder, given.encuentros)
        with closing(club.referee):
            took, worked = rebuilt(folder)
            correction = corrected(folder, club)
            verified, of_processor = compared(folder)
        season, api = f"/temporadas/{club.season}", f"/api/v1/seasons/{club.season}"
        player = f"{season}/jugador/{club.members[0]}"
        rows = [
            ("encuentros", given.encuentros),
            ("events on the log", club.events),
            ("events a second into every view, rebuilding", club.events / took),
            ("the same, a second of the processor", club.events / worked),
            ("a ruling followed by every view, ms", correction),
            ("every view compared with a rebuild, s", verified),
            ("the same, seconds of the processor", of_processor),
            ("memory of this process at most, MB", getrusage(RUSAGE_SELF).ru_maxrss / 1024),
            ("the table of the season as a page, ms", page_ms(folder, season, given.rounds)),
            (
                "the same over the API, ms",
                page_ms(folder, api, given.rounds),
            ),
            ("a player of it as a page, ms", page_ms(folder, player, given.rounds)),
        ]
    for what, figure in rows:
        sys.stdout.write(f"{what:<52}{figure:>12,.1f}\n")


if __name__ == "__main__":
    main()
