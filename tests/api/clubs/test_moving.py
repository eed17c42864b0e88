"""A whole club as one file: from a PC into an installation and back, equal to the last byte."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

from api.cli.main import main
from api.http.access.tokens import Owner
from api.server import wiring
from api.server.clubs.folder import ClubsFolder
from api.server.data_folder import Files
from api.server.faults.exits import WrongHouse
from api.server.house import assert_one_house, house_facts
from api.server.moving import house_file
from api.server.moving.house_file import pack_and_close_house
from referee.audit.notary import CHECKPOINTS, KEY
from referee.system import exits
from tests.support.installation import Installation
from tests.support.outbox import OPENED, Club
from tests.support.proofs.signed_log import FIRST, signed_log
from tests.support.waiting import wait_for

TABLES: Final = ("stored_events", "receipts", "leaves", "tree")
WORD: Final = "caballo de copas"


class Pc:
    """A club on a PC, with a signed log, a name, an account; and an installation elsewhere."""

    def __init__(self, folder: Path) -> None:
        signed = signed_log(folder / "pc")
        signed.close()
        self.where, self.keys = Files(signed.data), signed.keys
        self.file, self.proof = folder / "club.guinote", folder / "proof.json"
        self.clubs = ClubsFolder(folder / "installation")
        with closing(wiring.open_persons(self.where)) as persons:
            persons.add_persons(["Ana"])
        with closing(wiring.open_accounts(self.where)) as keys:
            keys.open_account("Pilar", WORD)
        wiring.initialise_house(self.where)
        self.token = Owner(self.where.folder).token()
        self.proof.write_text(self.run("audit", "prove", str(FIRST)))
        self.resguardo = self.run("audit", "qr", str(FIRST), "--text").strip()
        self.key = self.run("audit", "key").strip()

    def run(self, *words: str, code: int = 0) -> str:
        return run("--data", str(self.where.folder), *words, code=code)

    def pack(self, *, code: int = 0) -> str:
        return self.run("pack", str(self.file), "--notary", str(self.keys), code=code)

    def unpack(self, *, code: int = 0) -> str:
        return self.run("unpack", str(self.file), "--notary", str(self.keys), code=code)

    def in_clubs(self, *words: str, code: int = 0) -> str:
        return run("clubs", "--folder", str(self.clubs.path), *words, code=code)


def run(*words: str, code: int = 0) -> str:
    """A command; what it says, with its errors."""
    done = CliRunner().invoke(main, words)
    assert done.exit_code == code, (done.output, done.exception)
    return done.stdout if code == 0 else done.output


@pytest.fixture
def pc(tmp_path: Path) -> Pc:
    return Pc(tmp_path)


def rows(where: Files) -> dict[str, list[Any]]:
    """Every row of a log."""
    with closing(sqlite3.connect(where.log)) as log:
        return {one: log.execute(f"SELECT * FROM {one} ORDER BY 1, 2").fetchall() for one in TABLES}


def begins_with(found: dict[str, list[Any]], earlier: dict[str, list[Any]]) -> bool:
    """Whether a log has every row of an earlier moment; its tree grows in one row."""
    kept = [one for one in TABLES if one != "tree"]
    return all(found[one][: len(earlier[one])] == earlier[one] for one in kept)


def content(folder: Path) -> dict[str, str]:
    """Hash of every file, without locks and journals."""
    return {
        str(file): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*")
        if file.is_file() and not file.name.endswith((".lock", ".leader", "-wal", "-shm"))
    }


def test_a_club_goes_to_an_installation_and_back_with_its_log_proofs_and_key(pc: Pc) -> None:
    before, notes = rows(pc.where), (pc.keys / CHECKPOINTS).read_text()
    pc.pack()
    assert pc.file.stat().st_mode & 0o777 == 0o600
    born = json.loads(pc.in_clubs("import", "penya", str(pc.file)))
    assert born["events"] == len(before["stored_events"])
    there = pc.clubs.files("penya")
    assert rows(there) == before
    server = Installation(pc.clubs.path, GUINOTE_WORKERS="1")
    server.start()
    try:
        club = Club(server.club("penya"))
        assert club.token == pc.token
        club.record(club.encuentro(), *OPENED)
        signed = house_facts(there)
        wait_for(lambda: house_facts(there).signed > signed.signed, "the notary signs it")
        pc.file.unlink()
        said = pc.in_clubs("export", "penya", str(pc.file))
        assert club.answer("GET", "/api/v1/encuentros")[0] == 503
    finally:
        server.kill_all()
    gone_on = rows(there)
    assert begins_with(gone_on, before)
    pc.unpack()
    assert rows(pc.where) == gone_on
    assert house_facts(pc.where).house == json.loads(said)["house"]
    assert (pc.keys / CHECKPOINTS).read_text().startswith(notes)
    kept = ("--key", pc.key, "--resguardo", pc.resguardo)
    for what in (pc.proof, pc.where.log):
        (verified,) = pc.run("audit", "verify", str(what), *kept).splitlines()
        assert json.loads(verified)["differences"] == 0
    with (
        closing(wiring.open_accounts(pc.where)) as keys,
        closing(wiring.open_persons(pc.where)) as it,
    ):
        assert keys.find_account_by_password("Pilar", WORD)
        assert "Ana" in str(it.ids_and_names())
    pc.run("notary", "--keys", str(pc.keys), "--once")
    assert pc.run("audit", "key").strip() == pc.key


def test_the_place_that_a_house_left_is_closed_and_takes_it_back(pc: Pc) -> None:
    before = rows(pc.where)
    pc.pack()
    said = pc.run("backup", "copy.guinote", code=exits.EX_CONFIG)
    assert f"moved to the file {pc.file}" in said
    assert "moved to the file" in pc.run("pack", f"{pc.file}.2", code=1)
    pc.unpack()
    assert_one_house(pc.where)
    assert rows(pc.where) == before
    assert "has a house" in pc.unpack(code=1)


def test_a_file_of_an_earlier_move_does_not_take_the_house_back(pc: Pc, tmp_path: Path) -> None:
    pc.pack()
    earlier = tmp_path / "earlier"
    shutil.copy(pc.file, earlier)
    pc.unpack()
    with closing(wiring.open_referee(pc.where)) as referee:
        referee.encuentros.start_partida(FIRST, signed_meta())
    pc.file.unlink()
    pc.pack()
    kept = content(pc.where.folder)
    shutil.copy(earlier, pc.file)
    assert "it is of an earlier move" in pc.unpack(code=1)
    assert content(pc.where.folder) == kept


def signed_meta() -> Any:
    """Somebody who writes."""
    return wiring.WriteMetadata("owner", "console", wiring.now())


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_damaged_file_is_refused_and_nothing_changes(pc: Pc, share: float) -> None:
    pc.pack()
    whole = pc.file.read_bytes()
    at = int(share * len(whole))
    end = at + 64  # more than the field of a header that no reader needs
    damaged = bytes(one ^ 1 for one in whole[at:end])
    pc.file.write_bytes(whole[:at] + damaged + whole[end:])
    kept = content(pc.where.folder) | content(pc.keys)
    assert "not unpacked" in pc.unpack(code=1)
    assert "not unpacked" in pc.in_clubs("import", "penya", str(pc.file), code=1)
    assert content(pc.where.folder) | content(pc.keys) == kept
    assert (pc.clubs.names(), list(pc.clubs.path.glob("notary/*"))) == ([], [])
    pc.file.write_bytes(whole)
    pc.unpack()


def repack(file: Path, name: str, change: Any) -> None:
    """Change a file in a packed house, with a manifest that says so, as a forger would."""
    with zipfile.ZipFile(file) as archive:
        found = {one: archive.read(one) for one in archive.namelist()}
    manifest = json.loads(found["manifest.json"])
    found[name] = change(found.get(name, b""))
    manifest["files"][name] = {
        "bytes": len(found[name]),
        "sha256": hashlib.sha256(found[name]).hexdigest(),
    }
    found["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(file, "w") as archive:
        for one, body in found.items():
            archive.writestr(one, body)


def altered(statement: str) -> Any:
    """A change of a database."""

    def change(body: bytes) -> bytes:
        with closing(sqlite3.connect(":memory:")) as db:
            db.deserialize(body)
            db.executescript(statement)
            return db.serialize()

    return change


@pytest.mark.parametrize(
    ("name", "change", "why"),
    [
        ("../owner.token", lambda _: b"x", "of no house"),
        ("shut", lambda _: b"", "of no house"),
        ("persons.key", lambda _: b"0" * 64, "not the key of these names"),
        ("log.sqlite", altered("UPDATE leaves SET leaf = zeroblob(32) WHERE idx = 5"), "tree"),
        ("access.sqlite", altered("UPDATE account SET password = 'x'"), "accounts"),
        ("log.sqlite", altered("CREATE VIEW v AS SELECT 1"), "never makes"),
        ("security.sqlite", altered("CREATE TABLE t (a)"), "never makes"),
        ("log.sqlite", lambda _: b"", "log.sqlite"),
    ],
)
def test_a_forged_file_is_refused_and_nothing_changes(
    pc: Pc, name: str, change: Any, why: str
) -> None:
    pc.pack()
    repack(pc.file, name, change)
    said = pc.in_clubs("import", "penya", str(pc.file), code=1)
    assert "not unpacked" in said
    assert why in said
    assert (pc.clubs.names(), list(pc.clubs.path.glob("notary/*"))) == ([], [])


def test_a_backup_is_no_packed_house_and_a_house_is_not_mixed_with_another(
    pc: Pc, tmp_path: Path
) -> None:
    pc.run("backup", str(pc.file))
    assert "guinote restore" in pc.in_clubs("import", "penya", str(pc.file), code=1)
    pc.file.unlink()
    pc.pack()
    pc.in_clubs("add", "sota")
    assert "has a house" in pc.in_clubs("import", "sota", str(pc.file), code=1)
    assert_one_house(pc.clubs.files("sota"))
    other = tmp_path / "other-keys"
    other.mkdir()
    (other / KEY).write_bytes(b"another")
    said = run(
        "--data", str(tmp_path / "new"), "unpack", str(pc.file), "--notary", str(other), code=1
    )
    assert "the key of another notary" in said


def test_what_cannot_be_packed_stays_open(pc: Pc, tmp_path: Path) -> None:
    pc.in_clubs("add", "penya")
    pc.file.touch()
    assert "is there already" in pc.in_clubs("export", "penya", str(pc.file), code=1)
    assert pc.clubs.may_enter("penya")
    assert "no house" in run("--data", str(tmp_path / "none"), "pack", f"{pc.file}.2", code=1)


def test_a_move_that_was_cut_off_while_it_closed_the_place_is_done_again(
    pc: Pc, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as cut:
        cut.setattr("api.server.moving.house_file.ports.replace", fail)
        with pytest.raises(KeyboardInterrupt):
            pack_and_close_house(pc.where, pc.keys, pc.file)
    assert not pc.file.exists()
    assert [one for one in os.listdir(pc.file.parent) if one.startswith(".")] == []
    pc.pack()
    pc.unpack()
    assert_one_house(pc.where)


@pytest.mark.parametrize("done", range(5))
def test_an_unpacking_that_was_cut_off_is_done_again(
    pc: Pc, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: int
) -> None:
    before, new = rows(pc.where), wiring.files_of_folder(tmp_path / "new")
    keys, left = tmp_path / "new-keys", [done]
    pc.pack()

    def put(file: Path, goal: Path) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        whole(file, goal)

    whole = house_file._put_file
    with monkeypatch.context() as cut:
        cut.setattr(house_file, "_put_file", put)
        with pytest.raises(KeyboardInterrupt):
            house_file.unpack_house(pc.file, new, keys)
    if done:  # before that nothing is there
        with pytest.raises(WrongHouse):
            assert_one_house(new)
    house_file.unpack_house(pc.file, new, keys)
    assert_one_house(new)
    assert rows(new) == before
    assert (keys / KEY).read_bytes() == (pc.keys / KEY).read_bytes()
