"""One projection rebuilt, changed or left out; the rows of the others stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from projections.every import every_projection
from projections.runner.projection import Projection
from projections.runner.views import OutdatedViews
from referee.aggregates.commands import Record
from referee.application import Referee
from referee.events import PlayerListed, PlayersMerged, RulingGiven
from referee.events.league import (
    LeagueOpened,
    MatchesScheduled,
    MatchReported,
    PartidaTold,
    TeamEntered,
    TeamWithdrawn,
)
from tests.support.servers.one_log import META, PARTIDA
from tests.support.servers.read_side import IN_A_FILE, Side, record_much, referee, side

__all__ = ["referee", "side"]  # fixtures

NAMES = [one.name for one in every_projection()]
READ_BY = {"players": ("ratings",), "seasons": ("ratings",)}
"""Projections whose rows others read when theirs are written."""


@pytest.fixture
def played(referee: Referee) -> Referee:
    """A log with a decided partida, a correction, a person listed twice, and a league."""
    referee.players.record([PlayerListed(one) for one in ("ana", "anna", "blas")], META)
    record_much(referee, 6)
    referee.encuentros.record_partida_acts(
        PARTIDA, [Record(RulingGiven("partida", "t", side="A"))], META
    )
    referee.players.record([PlayersMerged("ana", "anna")], META)
    league = referee.leagues.open(LeagueOpened("name"), META).id
    days = tuple(f"2026-01-{day:02}" for day in range(1, 7))
    entered = [TeamEntered(f"team {number}") for number in range(4)]
    referee.leagues.record(league, [*entered, MatchesScheduled(days)], META)
    told = MatchReported("1-1-1", (PartidaTold("home"),) * 6)
    referee.leagues.record(league, [told, TeamWithdrawn("2", "text")], META)
    return referee


def rows_of(of: Side, projection: Projection) -> dict[str, list[tuple[object, ...]]]:
    with of.views.reading(of_any_version=True) as cursor:
        return {
            table: sorted(cursor.execute(f"SELECT * FROM {table}").fetchall(), key=repr)
            for table in projection.tables
        }


def empty(of: Side, projection: Projection) -> None:
    """Take out every row of a projection."""
    with of.views.writing() as cursor:
        for table in projection.tables:
            cursor.execute(f"DELETE FROM {table}")


@IN_A_FILE
@pytest.mark.parametrize("name", NAMES)
def test_a_projection_is_rebuilt_alone_at_the_position_of_the_others(
    played: Referee, side: Callable[..., Side], name: str
) -> None:
    one = side("views.db", *every_projection())
    one.catch_up()
    before, position = one.views.dump(), one.views.position()
    played.players.record([PlayerListed("zoe")], META)
    for projection in one.views.projections:
        empty(one, projection)
    emptied = {each.name: rows_of(one, each) for each in one.views.projections}
    one.follower.rebuild(only=[name], batch=3)
    assert one.views.position() == position
    for each in one.views.projections:
        if each.name != name:
            assert rows_of(one, each) == emptied[each.name]
    one.follower.rebuild(only=NAMES[:5], batch=3)
    one.follower.rebuild(only=NAMES[5:], batch=3)
    assert one.views.dump() == before
    one.catch_up()
    again = side("again.db", *every_projection())
    again.catch_up()
    assert one.views.dump() == again.views.dump()


def with_a_new_version(name: str) -> Sequence[Projection]:
    found = every_projection()
    for one in found:
        if one.name == name:
            one.version += 1
    return found


@IN_A_FILE
@pytest.mark.parametrize("name", ["scores", "ratings", "tournaments", "leagues"])
def test_a_new_version_rebuilds_its_own_rows_and_no_others(
    played: Referee, side: Callable[..., Side], name: str
) -> None:
    old = side("views.db", *every_projection())
    old.catch_up()
    before = old.views.dump()
    other = next(one for one in old.views.projections if one.name == "legality")
    with old.views.writing() as cursor:
        cursor.execute("INSERT INTO finding VALUES ('kept', 1, 1, '', '', 1, '{}')")
    old.views.close()
    new = side("views.db", *with_a_new_version(name))
    with pytest.raises(OutdatedViews), new.views.reading():
        pass
    assert new.catch_up() == new.log.last_position()
    assert new.views.has_rows_of_this_version()
    kept = [row for row in rows_of(new, other)["finding"] if row[0] == "kept"]
    assert len(kept) == 1, "rows of another projection were written again"
    with new.views.writing() as cursor:
        cursor.execute("DELETE FROM finding WHERE partida = 'kept'")
    assert new.views.dump() == before


@IN_A_FILE
@pytest.mark.parametrize("name", NAMES)
def test_a_projection_can_be_left_out(
    played: Referee, side: Callable[..., Side], name: str
) -> None:
    whole = side("whole.db", *every_projection())
    whole.catch_up()
    gone = {name, *READ_BY.get(name, ())}
    fewer = side("fewer.db", *(one for one in every_projection() if one.name not in gone))
    fewer.catch_up()
    for one in fewer.views.projections:
        assert rows_of(fewer, one) == rows_of(whole, one)
    fewer.views.close()
    back = side("fewer.db", *every_projection())
    back.catch_up()
    assert back.views.dump() == whole.views.dump()


@IN_A_FILE
def test_rows_of_a_projection_that_is_gone_are_dropped(
    played: Referee, side: Callable[..., Side], tmp_path: Path
) -> None:
    whole = side("views.db", *every_projection())
    whole.catch_up()
    whole.views.close()
    fewer = side("views.db", *(one for one in every_projection() if one.name != "puzzles"))
    fewer.catch_up()
    with fewer.views.reading() as cursor:
        found = {name for (name,) in cursor.execute("SELECT name FROM sqlite_schema")}
    assert "rating" in found
    assert not found & {"puzzle", "arrastre", "played_out"}


@IN_A_FILE
def test_a_file_of_before_is_rebuilt_as_a_whole(played: Referee, side: Callable[..., Side]) -> None:
    whole = side("views.db", *every_projection())
    whole.catch_up()
    before = whole.views.dump()
    with whole.views.writing() as cursor:
        cursor.execute("DROP TABLE built")
        cursor.execute("DROP TABLE partida")
        cursor.execute("CREATE TABLE partida (id TEXT PRIMARY KEY, official TEXT, public TEXT)")
        cursor.execute("UPDATE followed SET fingerprint = 'of before'")
    whole.views.close()
    again = side("views.db", *every_projection())
    assert again.catch_up() == again.log.last_position()
    assert again.views.dump() == before
