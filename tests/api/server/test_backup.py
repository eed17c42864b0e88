"""Backups: taken while others write, refused when they are not whole, restored to the byte."""

from __future__ import annotations

import secrets
import shutil
import sqlite3
import stat
import threading
import zipfile
from collections.abc import Iterator
from contextlib import closing
from itertools import product
from pathlib import Path

import msgspec
import psycopg
import pytest

from api.server.backup import BadBackup, InService, NotEmpty, restore_backup, write_backup
from api.server.backup_file import ByteProgress, Manifest, manifest_entry, pack_archive
from api.server.data_folder import Files
from api.server.own_schema import foreign_objects_in
from api.server.wiring import open_accounts, open_persons, open_views
from projections.runner.log import LogReader
from projections.runner.runner import Runner
from referee.access.tables import AccessTables
from referee.application import Referee
from referee.audit.publication import Published
from referee.people.persons import KeyMissing, Persons
from tests.support.servers.one_log import LATE, META, PARTIDA, keyed, new_log
from tests.support.servers.own_postgres import Server, until_closed
from tests.support.servers.read_side import record_much

EITHER = pytest.mark.parametrize("where", ["sqlite", "postgres"], indirect=True)
ANY_TWO = pytest.mark.parametrize(
    ("where", "elsewhere"), list(product(["sqlite", "postgres"], repeat=2)), indirect=True
)


def data_files(request: pytest.FixtureRequest, folder: Path) -> Files:
    """A data folder; its log is in the store that a test asks for."""
    folder.mkdir()
    if getattr(request, "param", "sqlite") == "sqlite":
        return Files(folder)
    return Files(folder, request.getfixturevalue("postgres").new_address())


@pytest.fixture
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Files:
    return data_files(request, tmp_path / "data")


@pytest.fixture
def elsewhere(request: pytest.FixtureRequest, tmp_path: Path) -> Files:
    return data_files(request, tmp_path / "new")


@pytest.fixture
def referee(where: Files) -> Iterator[Referee]:
    with closing(new_log(where.log)) as found:
        record_much(found)
        yield found


@pytest.fixture
def persons(where: Files) -> Iterator[Persons]:
    with closing(open_persons(where)) as found:
        yield found


def rows(where: Files) -> list[tuple[object, ...]]:
    """Every row of a log, and the last position that was assigned."""
    if where.elsewhere:
        with psycopg.connect(where.elsewhere) as database:
            return [
                *database.execute("SELECT * FROM stored_events ORDER BY position"),
                *database.execute("SELECT * FROM receipts ORDER BY key"),
                *database.execute("SELECT * FROM leaves ORDER BY idx"),
                *database.execute("SELECT * FROM tree"),
                *database.execute("SELECT 'stored_events', position FROM log_head"),
            ]
    with closing(sqlite3.connect(where.log)) as log:
        return [
            *log.execute("SELECT * FROM stored_events ORDER BY position"),
            *log.execute("SELECT * FROM receipts ORDER BY key"),
            *log.execute("SELECT * FROM leaves ORDER BY idx"),
            *log.execute("SELECT * FROM tree"),
            *log.execute("SELECT * FROM sqlite_sequence"),
        ]


def account_names(where: Files) -> list[str]:
    with closing(AccessTables(where.accounts)) as tables, tables.connection() as db:
        return [name for (name,) in db.execute("SELECT name FROM account ORDER BY name")]


def dump(where: Files) -> bytes:
    """Every row of the views, up to the end of the log."""
    with closing(LogReader(where.log)) as log, closing(open_views(where)) as views:
        follower = Runner(log, views)
        while follower.apply_next_batch():
            pass
        return views.dump()


@ANY_TWO
def test_the_checkpoint_comes_with_a_backup_and_never_takes_the_place_of_a_later_one(
    where: Files, elsewhere: Files, referee: Referee, persons: Persons, tmp_path: Path
) -> None:
    def published(files: Files, *put: str) -> list[str]:
        with closing(Published(files.log, files.folder)) as found:
            if put:
                found.put(*put)
            return [one.text for one in (found.key(), found.note()) if one]

    assert published(where, "key", "note\n") == ["key\n", "note\n"]
    made = write_backup(where, tmp_path / "backup.guinote")
    assert (made.key, made.note) == ("key", "note\n")
    restore_backup(tmp_path / "backup.guinote", elsewhere)
    assert published(elsewhere) == ["key\n", "note\n"]
    later = Files(tmp_path / "later")
    later.folder.mkdir()
    published(later, "key", "later note\n")
    restore_backup(tmp_path / "backup.guinote", later)
    assert published(later) == ["key\n", "later note\n"]


@ANY_TWO
def test_what_is_restored_is_the_same_to_the_byte(
    where: Files, elsewhere: Files, referee: Referee, persons: Persons, tmp_path: Path
) -> None:
    ana = persons.add_person("Ana")
    referee.encuentros.record_partida_acts(PARTIDA, [LATE], keyed("k"))
    with closing(open_accounts(where)) as keys:
        blas = keys.open_account("Blas", "caballo de copas")
        token = keys.give_token("app", "0123456789abcdef", agent="Marcador")
    target = tmp_path / "copy.guinote"
    taken: list[tuple[int, int]] = []
    put_back: list[tuple[int, int]] = []
    manifest = write_backup(where, target, lambda *at: taken.append(at))
    assert restore_backup(target, elsewhere, lambda *at: put_back.append(at)) == manifest
    assert rows(elsewhere) == rows(where)
    with closing(open_views(elsewhere)) as views:
        assert views.position() == manifest.position
        restored = views.dump()
    assert restored == dump(where)
    assert restored
    with pytest.raises(KeyMissing):
        open_persons(elsewhere)
    shutil.copy(where.master_key_file, elsewhere.master_key_file)
    with closing(open_persons(elsewhere)) as found:
        assert found.name(ana) == "Ana"
    with closing(open_accounts(elsewhere)) as keys:
        assert keys.find_account_by_password("blas", "caballo de copas") == blas
        assert keys.holder_id_of_token(token) == "0123456789abcdef"
    for reports in (taken, put_back):
        assert reports == sorted(reports)
        assert reports[-1][0] == reports[-1][1]


@EITHER
def test_a_backup_is_of_one_moment_while_others_write(
    where: Files, elsewhere: Files, referee: Referee, persons: Persons, tmp_path: Path
) -> None:
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            referee.encuentros.record_partida_acts(PARTIDA, [LATE], META)

    def slowly(_: int, __: int) -> None:
        stop.wait(0.002)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        manifest = write_backup(where, tmp_path / "copy", slowly)
    finally:
        stop.set()
        writer.join()
    restore_backup(tmp_path / "copy", elsewhere)
    kept = [row for row in rows(where) if len(row) == 5 and int(str(row[0])) <= manifest.position]
    assert [row for row in rows(elsewhere) if len(row) == 5] == kept


def test_only_its_owner_may_read_a_backup_and_neither_token_nor_key_is_in_it(
    where: Files, referee: Referee, persons: Persons, tmp_path: Path
) -> None:
    (where.folder / "token").write_text("secret")
    target = tmp_path / "copy"
    write_backup(where, target)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert zipfile.ZipFile(target).namelist() == ["manifest.json", "log.sqlite", "persons.sqlite"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy", "data"]
    key = where.master_key_file.read_bytes().strip()
    for member in zipfile.ZipFile(target).namelist():
        content = zipfile.ZipFile(target).read(member)
        assert key not in content
        assert bytes.fromhex(key.decode()) not in content


def test_a_backup_of_nothing_leaves_no_file(where: Files, tmp_path: Path) -> None:
    with pytest.raises(BadBackup):
        write_backup(where, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_a_backup_without_names_and_its_restore_have_to_be_asked_for(
    where: Files, elsewhere: Files, referee: Referee, tmp_path: Path
) -> None:
    target = tmp_path / "copy.guinote"
    with pytest.raises(BadBackup, match=r"persons\.sqlite: .*not there: .*--without-names"):
        write_backup(where, target)
    assert not target.exists()
    manifest = write_backup(where, target, without_names=True)
    assert set(manifest.files) == {"log.sqlite"}
    with pytest.raises(BadBackup, match=r"has no names: .*--without-names"):
        restore_backup(target, elsewhere)
    assert not any(Path(one).exists() for one in (elsewhere.log, elsewhere.views))
    assert restore_backup(target, elsewhere, without_names=True) == manifest
    assert rows(elsewhere) == rows(where)


@EITHER
def test_a_folder_in_use_is_overwritten_only_when_forced(
    where: Files, referee: Referee, persons: Persons, tmp_path: Path
) -> None:
    write_backup(where, tmp_path / "copy")
    before = rows(where)
    record_much(referee)
    referee.close()
    persons.close()
    with pytest.raises(NotEmpty):
        restore_backup(tmp_path / "copy", where)
    assert rows(where) != before
    restore_backup(tmp_path / "copy", where, force=True)
    assert rows(where) == before


@EITHER
def test_a_folder_in_service_is_never_overwritten(
    where: Files, referee: Referee, persons: Persons, tmp_path: Path
) -> None:
    write_backup(where, tmp_path / "copy")
    log, views = LogReader(where.log), open_views(where)
    follower = Runner(log, views)
    with follower.follow_in_thread():
        while not follower.is_leading:
            pass
        with pytest.raises(InService):
            restore_backup(tmp_path / "copy", where, force=True)
    views.close()
    log.close()


def spoilt(source: Path, target: Path, member: str, old: bytes, new: bytes) -> Path:
    """A backup with one changed member."""
    with zipfile.ZipFile(source) as whole, zipfile.ZipFile(target, "w") as changed:
        for name in whole.namelist():
            content = whole.read(name)
            changed.writestr(name, content.replace(old, new) if name == member else content)
    return target


@pytest.mark.parametrize(
    ("member", "old", "new"),
    [
        ("log.sqlite", b"IncidentNoted", b"IncidentVoted"),
        ("persons.sqlite", b"SQLite format 3", b"SQLite format 4"),
        ("manifest.json", b'"format": 2', b'"format": 0'),
        ("manifest.json", b'"stored_events": ', b'"stored_events": 1'),
        ("manifest.json", b"{", b"["),
    ],
)
def test_a_spoilt_backup_changes_nothing(
    where: Files,
    elsewhere: Files,
    referee: Referee,
    persons: Persons,
    tmp_path: Path,
    member: str,
    old: bytes,
    new: bytes,
) -> None:
    write_backup(where, tmp_path / "copy")
    bad = spoilt(tmp_path / "copy", tmp_path / "bad", member, old, new)
    with pytest.raises(BadBackup):
        restore_backup(bad, elsewhere)
    assert not Path(elsewhere.log).exists()
    assert not elsewhere.persons.exists()


def test_a_torn_backup_is_refused(
    where: Files, elsewhere: Files, referee: Referee, persons: Persons, tmp_path: Path
) -> None:
    write_backup(where, tmp_path / "copy")
    whole = (tmp_path / "copy").read_bytes()
    (tmp_path / "torn").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadBackup):
        restore_backup(tmp_path / "torn", elsewhere)


def test_a_log_that_another_program_has_open_is_not_replaced(
    referee: Referee, persons: Persons, where: Files, tmp_path: Path, postgres: Server
) -> None:
    open_accounts(where).close()
    write_backup(where, tmp_path / "copy")
    (tmp_path / "new").mkdir()
    goal = Files(tmp_path / "new", postgres.new_address())
    with closing(open_accounts(goal)) as keys:
        keys.open_account("Blas", "caballo de copas")
    with closing(new_log(goal.log)):
        before = rows(goal)
        with pytest.raises(InService):
            restore_backup(tmp_path / "copy", goal, force=True)
        assert rows(goal) == before
    assert account_names(goal) == ["Blas"]
    until_closed(str(goal.log))
    restore_backup(tmp_path / "copy", goal, force=True)
    assert rows(goal) == rows(where)
    assert account_names(goal) == []


FOREIGN = {
    "a trigger that rewrites events": (
        "log.sqlite",
        """CREATE TRIGGER winner AFTER INSERT ON leaves BEGIN
        UPDATE stored_events SET topic = 'TimeCalled.1' WHERE position = 5; END""",
        "trigger winner",
    ),
    "a view": ("log.sqlite", "CREATE VIEW acts AS SELECT * FROM stored_events", "view acts"),
    "a table": ("log.sqlite", "CREATE TABLE acts (state BLOB)", "table acts"),
    "an index on an expression": (
        "log.sqlite",
        "CREATE INDEX lengths ON stored_events (length(state))",
        "index lengths",
    ),
    "a virtual table": ("log.sqlite", "CREATE VIRTUAL TABLE sought USING fts5(t)", "table sought"),
    "a column that is computed": (
        "log.sqlite",
        "ALTER TABLE receipts ADD COLUMN made TEXT AS (upper(digest))",
        "table receipts",
    ),
    "a trigger on names": (
        "persons.sqlite",
        "CREATE TRIGGER keep BEFORE DELETE ON persons BEGIN SELECT RAISE(IGNORE); END",
        "trigger keep",
    ),
    "a trigger on accounts": (
        "access.sqlite",
        """CREATE TRIGGER again AFTER DELETE ON account BEGIN
        INSERT INTO account (holder, name) VALUES (old.holder, old.name); END""",
        "trigger again",
    ),
}


def planted(source: Path, target: Path, member: str, statement: str) -> Path:
    """A backup with something more in the schema of a database; its manifest fits."""
    with zipfile.ZipFile(source) as archive:
        archive.extractall(target)
    with closing(sqlite3.connect(target / member)) as database:
        database.executescript(statement)
        database.commit()
    manifest = msgspec.json.decode((target / "manifest.json").read_bytes(), type=Manifest)
    copies = {name: target / name for name in manifest.files}
    files = {name: manifest_entry(name, copy) for name, copy in copies.items()}
    made = target / "made.guinote"
    pack_archive(
        made, msgspec.structs.replace(manifest, files=files), copies, ByteProgress(1, None)
    )
    return made


@pytest.mark.parametrize("what", FOREIGN)
def test_a_backup_with_a_schema_of_somebody_else_is_refused_by_its_name(
    where: Files, elsewhere: Files, referee: Referee, persons: Persons, tmp_path: Path, what: str
) -> None:
    open_accounts(where).close()
    write_backup(where, tmp_path / "copy")
    member, statement, said = FOREIGN[what]
    bad = planted(tmp_path / "copy", tmp_path / "bad", member, statement)
    with pytest.raises(BadBackup, match=rf"{member} holds .*\b{said}\b"):
        restore_backup(bad, elsewhere)
    assert not Path(elsewhere.log).exists()
    assert not elsewhere.persons.exists()
    restore_backup(planted(tmp_path / "copy", tmp_path / "good", member, ""), elsewhere)
    assert rows(elsewhere) == rows(where)


def test_a_log_with_a_trigger_is_not_backed_up(
    where: Files, referee: Referee, persons: Persons, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(where.log)) as log:
        log.execute(FOREIGN["a trigger that rewrites events"][1])
    with pytest.raises(BadBackup, match="trigger winner"):
        write_backup(where, tmp_path / "copy")


def test_databases_of_every_earlier_version_are_ours(tmp_path: Path) -> None:
    one_line = " ".join(EARLIEST_LOG.split())
    for place, statement in enumerate((EARLIEST_LOG, one_line)):
        with closing(sqlite3.connect(tmp_path / f"{place}")) as log:
            log.executescript(statement)
        assert foreign_objects_in("log.sqlite", tmp_path / f"{place}") == []
    names = tmp_path / "persons.sqlite"
    with closing(sqlite3.connect(names)) as database:
        database.executescript(EARLIEST_NAMES)
    assert foreign_objects_in("persons.sqlite", names) == []
    Persons(names, random=secrets.token_bytes).close()
    assert foreign_objects_in("persons.sqlite", names) == []


EARLIEST_LOG = """CREATE TABLE IF NOT EXISTS stored_events (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    originator_id TEXT NOT NULL, originator_version INTEGER NOT NULL,
    topic TEXT NOT NULL, state BLOB NOT NULL,
    UNIQUE (originator_id, originator_version));
CREATE TABLE IF NOT EXISTS receipts (
    key TEXT PRIMARY KEY, digest TEXT NOT NULL, result TEXT NOT NULL) WITHOUT ROWID;"""
"""As the first version made it, before the tree."""
EARLIEST_NAMES = """
CREATE TABLE IF NOT EXISTS persons (id TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS texts (id TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;"""
"""As the first version made it, before names were sealed."""
