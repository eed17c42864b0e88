"""Random seasons: the table equals an independent recount, live and rebuilt."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from pathlib import Path
from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st

from projections.every import every_projection
from projections.players import player_merges
from projections.runner.log import LogReader
from projections.runner.runner import Runner
from projections.runner.views import Views
from projections.seasons.standings import SeasonStanding, standings_of_tallies, tally_by_competitor
from referee.aggregates.commands import Amend, Record
from referee.aggregates.encuentro import freeze_profile, standing_of
from referee.aggregates.session import draw_by_seed
from referee.audit.verify.conclusions import differences_in_all_streams
from referee.errors import Refused
from referee.events import (
    Change,
    EncuentroRuled,
    PlayerCame,
    PlayerLeft,
    PlayerListed,
    PlayersMerged,
    PlayersSeated,
    PlayerSubstituted,
    ResultEntered,
    SeasonOpened,
    SeasonScoring,
    SessionOpened,
)
from referee.kinds import partida_id
from referee.log.sqlite.recorder import create_tables
from referee.rules.profile.profile import profile
from tests.support.servers.one_log import META, new_referee
from tests.support.servers.read_side import assert_rebuilt_like_live

SEASON = UUID(int=77)
SCORING = SeasonScoring(3, 1, 0, 2, 1, 5)
PROFILES = [freeze_profile(profile("club"), players) for players in (4, 4, 2)]
PEOPLE = [f"{number:032x}" for number in range(1, 11)]


class Season:
    """A random season, followed live."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance = random.Random(seed)
        create_tables(folder / "log.db")
        self.folder, self.referee = folder, new_referee(folder / "log.db")
        self.log = LogReader(folder / "log.db")
        self.views = Views(folder / "live.db", every_projection())
        self.live = Runner(self.log, self.views, batch=self.chance.choice([3, 40, 500]))
        self.referee.seasons.open_season(SeasonOpened("n", scoring=SCORING), META, SEASON)
        self.referee.players.record([PlayerListed(one, "", "") for one in PEOPLE], META)
        self.sessions: list[UUID] = []

    @property
    def encuentros(self) -> list[UUID]:
        return [
            UUID(e)
            for one in self.sessions
            for e in self.referee.seasons.session(one).encuentro_ids
        ]

    def evening(self) -> None:
        day = f"2026-11-{self.chance.randint(1, 9):02}"
        opened = SessionOpened(day, self.chance.choice(PROFILES), season=str(SEASON))
        session = self.referee.seasons.open_session(opened, META).id
        self.sessions.append(session)
        there = self.chance.sample(PEOPLE, self.chance.randint(4, len(PEOPLE)))
        self.referee.seasons.record_session_acts(session, [PlayerCame(one) for one in there], META)
        drawn = draw_by_seed(self.referee.seasons.session(session), str(self.chance.random()))
        self.referee.seasons.record_session_acts(session, [drawn], META)
        self.referee.seasons.open_tables(session, META)

    def happens(self) -> None:
        if not self.sessions or self.chance.random() < 0.08:
            self.evening()
            return
        try:
            self.chance.choice(
                [*[self.result] * 12, *[self.correction, self.ruling, self.change] * 2, self.merge]
            )()
        except Refused:
            return
        if self.chance.random() < 0.3:
            self.live.apply_next_batch()

    def result(self) -> None:
        encuentro = self.chance.choice(self.encuentros)
        number = len(self.referee.encuentros.encuentro(encuentro).partidas) + 1
        self.referee.encuentros.start_partida(encuentro, META)
        how = self.chance.choice(["first_deal", "tute", "renuncio", "concession"])
        act = ResultEntered(self.chance.choice("AB"), how)
        self.referee.encuentros.record_partida_acts(
            partida_id(encuentro, number), [Record(act)], META
        )

    def correction(self) -> None:
        encuentro = self.chance.choice(self.encuentros)
        number = self.chance.randint(
            1, len(self.referee.encuentros.encuentro(encuentro).partidas) or 1
        )
        other = ResultEntered(self.chance.choice("AB"), "concession")
        change = self.chance.choice([Change(1, "replace", other), Change(1, "withdraw")])
        if number <= len(self.referee.encuentros.encuentro(encuentro).partidas):
            self.referee.encuentros.record_partida_acts(
                partida_id(encuentro, number), [Amend((change,), "why")], META
            )

    def ruling(self) -> None:
        ruled = EncuentroRuled(self.chance.choice(["A", "B", ""]), "why")
        self.referee.encuentros.record_encuentro_act(
            self.chance.choice(self.encuentros), ruled, META
        )

    def change(self) -> None:
        encuentro = self.chance.choice(self.encuentros)
        match self.chance.randrange(3):
            case 0:
                someone = PlayerSubstituted(self.chance.choice(["A1", "B1"]), PEOPLE[0])
                self.referee.encuentros.record_encuentro_act(encuentro, someone, META)
            case 1:
                seats = self.referee.encuentros.encuentro(encuentro).seats
                persons = self.chance.sample(PEOPLE, len(seats))
                seated = dict(zip(dict(seats), persons, strict=True))
                self.referee.encuentros.record_encuentro_act(encuentro, PlayersSeated(seated), META)
            case _:
                session = self.chance.choice(self.sessions)
                present = self.referee.seasons.session(session).present
                leaves = [PlayerLeft(self.chance.choice(present))] if present else []
                self.referee.seasons.record_session_acts(session, leaves, META)

    def merge(self) -> None:
        kept, gone = self.chance.sample(PEOPLE, 2)
        self.referee.players.record([PlayersMerged(kept, gone)], META)

    def table(self, views: Views) -> list[SeasonStanding]:
        with views.reading() as cursor:
            found = tally_by_competitor(cursor, "season", str(SEASON), player_merges(cursor))
        return standings_of_tallies(found, SCORING)

    def close(self) -> None:
        for one in (self.referee, self.views, self.log):
            one.close()


def recounted(season: Season) -> dict[str, int]:
    """Points of everybody, counted from the streams without rows."""
    points: Counter[str] = Counter()
    kept = season.referee.players.club().id_after_merges
    for session in season.sessions:
        state = season.referee.seasons.session(session)
        for person in {kept(one) for one in (*state.persons_who_played, *state.present)}:
            points[person] += SCORING.attendance
        for encuentro in state.encuentro_ids:
            for person, more in of_encuentro(season, UUID(encuentro)).items():
                points[kept(person)] += more
    return dict(points)


def of_encuentro(season: Season, encuentro: UUID) -> dict[str, int]:
    """Points of an encuentro, read off its log from the first event to the last."""
    state = season.referee.encuentros.encuentro(encuentro)
    seats: dict[str, str] = {}
    since: list[tuple[int, dict[str, str]]] = []
    begun, undecided = 0, False
    for one in season.referee.history(encuentro):
        event = one.event
        match type(event).__name__:
            case "PlayersSeated":
                seats = dict(event.seats)
                since = [(0, seats)]
            case "PlayerSubstituted":
                seats = {**seats, event.seat: event.person}
                since.append((begun if undecided else begun + 1, seats))
            case "PartidaStarted":
                begun, undecided = event.number, True
            case "OutcomeFollowed" if event.partida == begun:
                undecided = event.how == "undecided"
    points: defaultdict[str, int] = defaultdict(int)

    def give(partida: int, winner: str, worth: int) -> None:
        there = [sat for number, sat in since if number <= partida][-1]
        for seat, person in there.items():
            points[person] += worth if seat[0] == winner else 0

    for partida in state.partidas:
        if partida.how != "undecided":
            give(partida.partida, partida.winner, SCORING.partida_won)
    for made in standing_of(state).made:
        give(made.partida, made.winner, SCORING.coto_won)
    if state.win is not None:
        for seat, person in seats.items():
            level = SCORING.encuentro_level if not state.win.winner else 0
            points[person] += SCORING.encuentro_won if seat[0] == state.win.winner else level
    return points


@settings(max_examples=12)
@given(st.integers(0, 2**32))
def test_the_table_of_a_season_is_what_a_recount_gives(tmp_path_factory, seed: int) -> None:
    season = Season(tmp_path_factory.mktemp("season"), seed)
    for _ in range(60):
        season.happens()
    while season.live.apply_next_batch():
        pass
    rows = season.table(season.views)
    counted = recounted(season)
    assert {row.person: row.points for row in rows if row.points} == {
        person: points for person, points in counted.items() if points
    }
    assert all(sum(item.points for item in row.items) == row.points for row in rows)
    assert [row.points for row in rows] == sorted((row.points for row in rows), reverse=True)
    assert_rebuilt_like_live(season.log, season.views, season.folder / "again.db")
    assert list(differences_in_all_streams(season.log)) == []
    season.close()
