"""Clubs in PostgreSQL: a schema each, few connections, and nothing of one in another."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from eventsourcing.persistence import OperationalError

from api.backups.places import backups_by_moment
from api.server.clubs.birth import make_club, name_club, remove_unfinished_clubs
from api.server.clubs.composition import ClubsProcess, clubs_app
from api.server.clubs.departure import GRACE, delete_expired_clubs, remove_club, restore_club
from api.server.clubs.folder import CLUBS_VARIABLE, ClubsFolder
from api.server.clubs.lobby import ClubsOfFolder
from api.server.clubs.serving import maintain_club
from api.server.data_folder import CLUBS_LOG_VARIABLE, Files, schema_name_or_empty
from api.server.house import house_facts
from projections.runner.log import LogReader
from referee.log.postgres.connections import OPEN_AT_ONCE, PostgresLogDatastore
from referee.log.postgres.copy import copy_log_to_file
from tests.api.clubs.test_moving import Pc, rows, run
from tests.support.installation import Installation
from tests.support.outbox import OPENED, Club
from tests.support.servers import own_postgres
from tests.support.waiting import wait_for

NOW = datetime(2026, 11, 28, 18, tzinfo=UTC)


class Database:
    """The database of an installation, as somebody sees it who may see everything."""

    def __init__(self, server: own_postgres.Server) -> None:
        self.address = f"postgresql://club@/postgres?host={server.folder}"

    def ask(self, statement: str, *values: object) -> list[Any]:
        with psycopg.connect(self.address, autocommit=True, application_name="test") as c:
            return [row[0] for row in c.execute(statement, values).fetchall()]

    def schemas(self) -> set[str]:
        return set(self.ask("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'club\\_%%'"))

    def connections(self) -> int:
        asked = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'guinote'"
        return int(self.ask(asked)[0])


@pytest.fixture
def database(postgres: own_postgres.Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    found = Database(postgres)
    monkeypatch.setenv(CLUBS_LOG_VARIABLE, found.address)
    yield found
    for schema in found.schemas():
        found.ask("WITH gone AS (SELECT 1) SELECT 1 FROM gone")
        with psycopg.connect(found.address, autocommit=True) as c:
            c.execute(f"DROP SCHEMA {schema} CASCADE")


@pytest.fixture
def clubs(tmp_path: Path, database: Database) -> ClubsFolder:
    found = ClubsFolder(tmp_path / "clubs")
    make_club(found, "una")
    make_club(found, "otra")
    return found


def names_of_events(where: Files) -> set[str]:
    with closing(LogReader(where.log)) as log:
        return {one.name for one in log.read_from(1, 1000)}


def rows_of(where: Files, beside: Path) -> dict[str, list[Any]]:
    """Every row of a log, by a copy of it."""
    copy_log_to_file(str(where.log), beside / "log.sqlite", lambda _: None)
    return rows(Files(beside))


def is_signed(where: Files) -> bool:
    """Whether every event of a log is signed."""
    house = house_facts(where)
    return house.signed == house.events


def test_each_club_has_a_schema_and_what_is_recorded_in_one_is_in_no_other(
    clubs: ClubsFolder, database: Database
) -> None:
    assert database.schemas() == {
        schema_name_or_empty(clubs.data_folder(one)) for one in ("una", "otra")
    }
    assert list(clubs.path.rglob("log.sqlite")) == []
    server = Installation(clubs.path, GUINOTE_WORKERS="1")
    server.start()
    try:
        una, otra = (Club(server.club(name)) for name in ("una", "otra"))
        where = una.encuentro()
        una.record(where, *OPENED)
        assert una.answer("GET", f"/api/v1/encuentros/{where}")[0] == 200
        assert otra.answer("GET", f"/api/v1/encuentros/{where}")[0] == 404
        assert otra.answer("GET", "/api/v1/encuentros")[1]["items"] == []
        wait_for(lambda: is_signed(clubs.files("una")), "it is signed")
        wait_for(lambda: una.answer("GET", "/api/v1/encuentros")[1]["items"], "it is in the views")
    finally:
        server.kill_all()
    assert "DealStarted.1" in names_of_events(clubs.files("una"))
    assert names_of_events(clubs.files("otra")) <= {"HouseFounded.1", "NotaryNamed.1"}


def test_a_club_goes_from_a_pc_into_a_schema_and_back_equal_in_log_and_proofs(
    tmp_path: Path, database: Database
) -> None:
    pc = Pc(tmp_path)
    before = rows(pc.where)
    pc.pack()
    born = json.loads(pc.in_clubs("import", "penya", str(pc.file)))
    there = pc.clubs.files("penya")
    assert (born["events"], bool(there.elsewhere)) == (len(before["stored_events"]), True)
    (tmp_path / "copy").mkdir()
    assert rows_of(there, tmp_path / "copy") == before
    pc.file.unlink()
    pc.in_clubs("export", "penya", str(pc.file))
    pc.unpack()
    assert rows(pc.where) == before
    kept = ("--key", pc.key, "--resguardo", pc.resguardo)
    (verified,) = pc.run("audit", "verify", str(pc.proof), *kept).splitlines()
    assert json.loads(verified)["differences"] == 0


def test_the_backup_of_the_day_is_of_one_club_and_goes_back_into_its_schema(
    clubs: ClubsFolder,
) -> None:
    where, other = clubs.files("una"), house_facts(clubs.files("otra"))
    with closing(ClubsProcess(clubs)) as process, process.clubs.use_club("una") as club:
        maintain_club(club)
    (kept,) = backups_by_moment(clubs.backup_folder("una")).values()
    name_club(where, "La una")
    run("--data", str(where.folder), "restore", "--force", str(kept))
    assert house_facts(where).events == 1
    assert house_facts(clubs.files("otra")) == other


def test_a_removed_club_keeps_its_schema_until_its_time_is_over(
    clubs: ClubsFolder, database: Database
) -> None:
    schema, house = (
        schema_name_or_empty(clubs.data_folder("una")),
        house_facts(clubs.files("una")).house,
    )
    remove_club(clubs, "una", "Pilar", NOW)
    make_club(clubs, "una")
    assert schema_name_or_empty(clubs.data_folder("una")) != schema, (
        "the new one has a schema of its own"
    )
    remove_club(clubs, "una", "Pilar", NOW + timedelta(seconds=1))
    delete_expired_clubs(clubs, NOW + GRACE)
    assert schema not in database.schemas()
    restored = restore_club(clubs, "una")
    assert house_facts(clubs.files("una")).house == restored.went.house != house
    assert len(database.schemas()) == 2


def test_a_club_that_cannot_be_made_leaves_no_schema(
    clubs: ClubsFolder, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = database.schemas()
    with pytest.raises(ZeroDivisionError):
        make_club(clubs, "nueva", lambda _: 1 / 0)
    assert database.schemas() == before
    assert not clubs.has("nueva")


def test_a_club_that_cannot_be_made_is_swept_later_if_its_schema_is_left(
    clubs: ClubsFolder, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = database.schemas()

    def fail(_: Files) -> None:
        monkeypatch.setenv(CLUBS_LOG_VARIABLE, "postgresql://club@127.0.0.1:1/postgres")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        make_club(clubs, "nueva", fail)
    monkeypatch.setenv(CLUBS_LOG_VARIABLE, database.address)
    assert len(database.schemas() - before) == 1
    (left,) = clubs.path.glob(".new-*")
    os.utime(left, (1, 1))
    remove_unfinished_clubs(clubs)
    assert database.schemas() == before
    assert not left.exists()


def test_the_owner_waits_once_for_a_database_that_does_not_answer(
    clubs: ClubsFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(CLUBS_LOG_VARIABLE)
    make_club(clubs, "fichero")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"postgresql://club@127.0.0.1:{silent.getsockname()[1]}/postgres"
        monkeypatch.setenv(CLUBS_LOG_VARIABLE, f"{address}?connect_timeout=2")
        begin = time.monotonic()
        facts = ClubsOfFolder(clubs, lambda _: None).facts_of_clubs(["una", "fichero", "otra"])
        waited_s = time.monotonic() - begin
    assert [one.health for one in facts] == ["unread", "ok", "unread"]
    assert waited_s < 4, "two waits of two seconds"


def test_clubs_that_nobody_asks_for_have_no_connection(
    clubs: ClubsFolder, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CLUBS_VARIABLE, str(clubs.path))
    monkeypatch.setattr(OPEN_AT_ONCE, "most", 0)
    app = clubs_app()
    installation = app.extensions["installation"]
    try:
        for name in clubs.names():
            answer = app.test_client().get("/", base_url=f"http://{name}.localhost")
            assert answer.status_code == 200
            answer.close()
        assert database.connections() > 0
        installation.clubs._idle_s = 0.0
        installation.clubs.close_idle_and_shut_clubs()
        wait_for(lambda: database.connections() == 0, "no connection is left")
    finally:
        installation.close()


@contextmanager
def pools(clubs: ClubsFolder) -> Iterator[dict[str, PostgresLogDatastore]]:
    """A pool of connections for each club."""
    made = {
        name: PostgresLogDatastore(str(clubs.files(name).log), most=8) for name in clubs.names()
    }
    try:
        yield made
    finally:
        for one in made.values():
            one.close()


def test_at_the_bound_pools_give_way_to_each_other_and_none_reads_another_club(
    clubs: ClubsFolder, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        make_club(clubs, f"club-{number}")
    monkeypatch.setattr(OPEN_AT_ONCE, "most", 3)
    assert OPEN_AT_ONCE.count == 0
    most = []
    with pools(clubs) as made, ThreadPoolExecutor(8) as threads:

        def look(turn: int) -> bool:
            name = clubs.names()[turn % 6]
            with made[name].connection() as c:
                (schema,) = c.execute("SELECT current_schema()").fetchone() or ("",)
            most.append(OPEN_AT_ONCE.count)
            return bool(schema == schema_name_or_empty(clubs.data_folder(name)))

        assert all(threads.map(look, range(240)))
        assert max(most) <= 3
        assert database.connections() <= 3
    assert OPEN_AT_ONCE.count == 0


def test_who_waits_too_long_at_the_bound_is_refused_and_the_next_is_served(
    clubs: ClubsFolder, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OPEN_AT_ONCE, "most", 1)
    monkeypatch.setattr("referee.log.postgres.connections.BUSY_TIMEOUT_S", 0.3)
    with pools(clubs) as made:
        with made["una"].connection(), pytest.raises(OperationalError):
            made["otra"].query_rows("SELECT 1", ())
        assert made["otra"].query_rows("SELECT 1", ()) == [(1,)]
        freed = threading.Event()

        def use() -> None:
            with made["una"].connection():
                freed.wait(5)

        thread = threading.Thread(target=use)
        thread.start()
        time.sleep(0.05)
        freed.set()
        assert made["otra"].query_rows("SELECT 2", ()) == [(2,)]
        thread.join()


def test_without_its_database_an_installation_and_its_commands_say_what_is_missing(
    clubs: ClubsFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(CLUBS_LOG_VARIABLE)
    said = run("--data", str(clubs.data_folder("una")), "house", code=78)
    assert CLUBS_LOG_VARIABLE in said
