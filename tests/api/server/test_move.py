"""A house moves between files and PostgreSQL, whole, and is never open in two places."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from api.cli.main import main
from api.http.access.tokens import Owner
from api.server import wiring
from api.server.backup import BadBackup, restore_backup, write_backup
from api.server.data_folder import Files
from api.server.faults.exits import WrongHouse
from api.server.house import assert_one_house, house_facts
from api.server.moving.house_file import pack_and_close_house, unpack_house
from api.server.moving.move import CannotMove, NotTheSame, destination_files, move_house
from referee.access.keys import Keys
from referee.audit.notary import Notary
from referee.audit.publication import Published
from referee.events import TimeZoneChosen
from referee.log.ports import HouseMoved
from referee.log.stores import open_for_audit, open_log
from referee.people.tables import NAMES_LAYOUT
from referee.store.databases import open_database
from tests.support.servers.accounts import PASSWORD, CookieJar, opened
from tests.support.servers.http_table import ENCUENTROS
from tests.support.servers.one_log import META
from tests.support.servers.own_postgres import Server
from tests.support.servers.served import Served

WORD = "caballo de copas"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house in files, with a name, an erased one, an account, and a checkpoint."""
    folder = tmp_path_factory.mktemp("made")
    where = Files(folder / "club")
    where.folder.mkdir(0o700)
    wiring.initialise_house(where)
    with closing(wiring.open_persons(where)) as persons:
        _, erased = persons.add_persons(["Ana", "Blas"])
        persons.erase(erased)
    with closing(wiring.open_accounts(where)) as keys:
        keys.open_account("Pilar", WORD)
    record(where, "Europe/Madrid")
    with (
        closing(Notary(folder / "notary", secrets.token_bytes)) as notary,
        closing(open_for_audit(where.log)) as log,
    ):
        notary.sign(log)
        notary.publish(Published(where.log, where.folder))
    record(where, "Atlantic/Canary")
    return where.folder


@pytest.fixture
def files(made: Path, tmp_path: Path) -> Files:
    """A copy of that house."""
    return Files(shutil.copytree(made, tmp_path / "club"))


@pytest.fixture
def database(files: Files, postgres: Server) -> Files:
    return destination_files(files, postgres.new_address())


def record(where: Files, zone: str) -> None:
    with closing(wiring.open_referee_of_any_house(where)) as referee:
        referee.settings.record_settings_acts([TimeZoneChosen(zone)], META)


def content(where: Files) -> tuple[object, ...]:
    """Tree, names, erasures and accounts of a house that is in force."""
    assert_one_house(where)
    with (
        closing(open_for_audit(where.log)) as log,
        closing(wiring.open_persons(where)) as persons,
        closing(wiring.open_accounts(where)) as keys,
    ):
        assert keys.find_account_by_password("Pilar", WORD)
        assert keys.tables.wrong_rows() == []
        return (
            log.tree(),
            persons.ids_and_names(),
            persons.erasures_with_soundness(),
            keys.account_names(),
        )


def test_a_house_moves_to_postgresql_and_back_whole(files: Files, database: Files) -> None:
    before = content(files)
    there = move_house(files, database)
    assert content(database) == before
    assert (there.events, there.house) == (3, house_facts(database).house)
    record(database, "Europe/Lisbon")
    with closing(wiring.open_persons(database)) as persons:
        erased = persons.person_ids()
        persons.erase(*erased)
    after = content(database)
    back = move_house(database, files)
    assert content(files) == after
    assert back.events == there.events + 1
    assert str(files.folder) in back.place
    again = move_house(files, database)  # over what is left there
    assert content(database) == after
    assert again.root == back.root


def owner_of(where: Files, keys: Keys) -> Owner:
    return wiring.owner_token_of(where, lambda: keys)


def test_no_token_of_the_owner_that_was_replaced_is_valid_again_after_a_move(
    files: Files, database: Files, tmp_path: Path
) -> None:
    first = Owner(files.folder).token()
    move_house(files, database)
    other = Files(tmp_path / "other", database.elsewhere)
    other.folder.mkdir(0o700)
    shutil.copy(files.folder / "persons.key", other.folder)
    with closing(wiring.open_accounts(database)) as keys:
        assert owner_of(database, keys).token() == first
        second = owner_of(other, keys).rotate()
        assert [owner_of(database, keys).knows(one) for one in (first, second)] == [False, True]
    move_house(database, files)
    third = Owner(files.folder).token()
    assert third not in (first, second)
    fourth = Owner(files.folder).rotate()
    move_house(files, database)
    with closing(wiring.open_accounts(database)) as keys:
        known = [owner_of(database, keys).knows(one) for one in (first, second, third, fourth)]
        assert known == [False, False, False, True]


@pytest.mark.parametrize("is_back", [False, True])
def test_nobody_writes_where_the_house_was(files: Files, database: Files, *, is_back: bool) -> None:
    source, target = files, database
    if is_back:
        move_house(files, database)
        source, target = database, files
    with (
        closing(wiring.open_referee(source)) as referee,
        closing(wiring.open_persons(source)) as persons,
        closing(wiring.open_accounts(source)) as keys,
    ):
        moved = move_house(source, target)
        assert referee.position() == moved.events  # it is read still
        assert persons.name(persons.person_ids()[0]) == "Ana"
        with pytest.raises(HouseMoved):
            referee.settings.record_settings_acts([TimeZoneChosen("Europe/Lisbon")], META)
        with pytest.raises(HouseMoved):
            persons.erase(persons.person_ids()[0])
        with pytest.raises(HouseMoved):
            keys.open_account("Luis", WORD)
    with pytest.raises(WrongHouse, match="the house was moved to") as refused:
        assert_one_house(source)
    assert moved.place in str(refused.value)
    with pytest.raises(CannotMove, match="the house was moved to"):
        move_house(source, target)


def test_a_place_that_the_house_left_is_neither_backed_up_nor_is_its_copy_restored(
    files: Files, database: Files, tmp_path: Path
) -> None:
    place, copy = move_house(files, database).place, tmp_path / "copy.guinote"
    said = CliRunner().invoke(main, ["--data", str(files.folder), "backup", str(copy)])
    assert isinstance(said.exception, WrongHouse) or said.exit_code == os.EX_CONFIG
    assert (place in said.output + str(said.exception), copy.exists()) == (True, False)
    write_backup(files, copy)  # as a program of before made it
    with pytest.raises(BadBackup, match="the house was moved to") as refused:
        restore_backup(copy, wiring.files_of_folder(tmp_path / "new"))
    assert place in str(refused.value)


@pytest.mark.parametrize("share", [0.1, 0.6, 0.8, 0.9])
def test_an_interrupted_move_leaves_the_house_where_it_was(
    files: Files, database: Files, share: float
) -> None:
    before = content(files)

    def stop(done: int, total: int) -> None:
        if done >= share * total:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        move_house(files, database, stop)
    assert content(files) == before
    record(files, "Europe/Lisbon")
    after = content(files)
    move_house(files, database)
    assert content(database) == after


def test_a_move_that_was_cut_off_while_it_closed_the_source_is_ended_by_another(
    files: Files, database: Files
) -> None:
    before, place = content(files), move_house(files, database).place
    with closing(open_log(database.log)) as log, log.hold_write_lock():
        log.set_closed_by_move(is_moved=True)  # the last step was not taken
    for where in (files, database):
        with pytest.raises(WrongHouse, match="run guinote move again"):
            assert_one_house(where)
    with pytest.raises(CannotMove, match="run that again"):
        move_house(database, files)
    assert move_house(files, database).place == place
    assert content(database) == before


def test_what_is_not_sound_is_not_moved(files: Files, database: Files) -> None:
    with (
        closing(open_database(files.persons, NAMES_LAYOUT)) as names,
        names.transaction() as db,
    ):
        db.execute("INSERT INTO persons SELECT 'another', wrapped, sealed FROM persons")
    with pytest.raises(NotTheSame, match="1 persons do not open"):
        move_house(files, database)
    assert_one_house(files)
    record(files, "Europe/Lisbon")


def test_a_place_with_another_house_is_not_filled(
    files: Files, database: Files, tmp_path: Path
) -> None:
    other = Files(tmp_path / "other", database.elsewhere)
    other.folder.mkdir(0o700)
    wiring.initialise_house(other)
    house = house_facts(other).house
    with pytest.raises(CannotMove, match="has a house"):
        move_house(files, database)
    assert house_facts(other).house == house
    assert content(files)


def test_the_service_goes_on_where_the_house_was_moved(files: Files, postgres: Server) -> None:
    here = Served(files.folder, is_forked=True)
    there = Served(files.folder, is_forked=True, GUINOTE_LOG=postgres.new_address())
    for number, (source, address) in enumerate(
        ((here, there.settings["GUINOTE_LOG"]), (there, "files"))
    ):
        source.start()
        try:
            if source is here:
                owner = CookieJar()
                owner.ask(here, "/entrar", token=here.token)
                opened(owner, here, "Marta", role="arbiter")
            jar = signed_in(source)
            assert open_encuentro(source, f"before-{number}") == 201
            done = CliRunner().invoke(main, ["move", address], env=settings_of(source))
            assert done.exit_code == 0, done.output
            assert open_encuentro(source, f"afterwards-{number}") == 503
            assert jar.ask(source, ENCUENTROS)[0] == 200  # pages and the rest are read still
        finally:
            source.kill_all()
        again = serve(source)
        assert again.returncode == os.EX_CONFIG
        assert f"moved to {json.loads(done.stdout)['place']}" in again.stderr
    here.start()
    try:
        encuentros = json.loads(signed_in(here).ask(here, ENCUENTROS)[1])
        assert len(encuentros["items"]) == 2
        assert open_encuentro(here, "afterwards-1") == 201
    finally:
        here.kill_all()


def signed_in(at: Served) -> CookieJar:
    """A browser in which somebody with an account has just signed in."""
    jar = CookieJar()
    assert jar.ask(at, "/entrar", name="Marta", password=PASSWORD)[0] == 303
    return jar


def open_encuentro(at: Served, key: str) -> int:
    """Status of the answer to the owner."""
    owner = {"Authorization": f"Bearer {at.token}", "Idempotency-Key": key}
    body = {"profile": {"id": "club"}, "players": 4}
    return at.ask("POST", ENCUENTROS, body, owner)[0]


def settings_of(source: Served) -> dict[str, str]:
    """What a command over the house of a service is told."""
    return {"GUINOTE_DATA": str(source.folder), **source.settings}


def serve(source: Served) -> subprocess.CompletedProcess[str]:
    """Try to serve the house of a service again."""
    command = [sys.executable, "-m", "api.cli", "serve"]
    env = {**os.environ, **settings_of(source)}
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)


def test_a_house_in_postgresql_is_packed_and_goes_on_in_files_and_in_a_database(
    files: Files, database: Files, tmp_path: Path, postgres: Server
) -> None:
    move_house(files, database)
    token = owner_token(database)
    keys = tmp_path / "no-notary"
    before = content(database)
    pack_and_close_house(database, keys, tmp_path / "one")
    with pytest.raises(WrongHouse, match="moved to the file"):
        assert_one_house(database)
    new = wiring.files_of_folder(tmp_path / "new")
    unpack_house(tmp_path / "one", new, tmp_path / "new-notary")
    assert content(new) == before
    assert Owner(new.folder).token() == token
    pack_and_close_house(new, tmp_path / "new-notary", tmp_path / "two")
    there = Files(tmp_path / "there", postgres.new_address())
    there.folder.mkdir(0o700)
    unpack_house(tmp_path / "two", there, tmp_path / "there-notary")
    assert content(there) == before


def owner_token(where: Files) -> str:
    """The owner's token of a house in a database."""
    with closing(wiring.open_accounts(where)) as keys:
        return owner_of(where, keys).token()
