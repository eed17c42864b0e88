"""The notary: signs extensions of the log, refuses changes, keeps its checkpoints and its key."""

from __future__ import annotations

import json
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from referee.aggregates.commands import Record
from referee.audit.checkpoint import verify_checkpoint
from referee.audit.notary import Notary, NotaryRefusal
from referee.audit.proofs import NotSigned
from referee.events import IncidentNoted
from referee.kinds import partida_id
from referee.log.merkle import Tree
from referee.log.ports import NoTables
from referee.log.stores import open_for_audit
from tests.support.proofs.signed_log import FIRST, ORIGIN, SECOND, SignedLog, counted, signed_log
from tests.support.servers.one_log import new_referee


@pytest.fixture
def signed(tmp_path: Path) -> Iterator[SignedLog]:
    found = signed_log(tmp_path)
    yield found
    found.close()


def record_more(signed: SignedLog) -> None:
    with closing(new_referee(signed.log, 5000)) as referee:
        referee.encuentros.start_partida(FIRST, signed.meta())
        act = Record(IncidentNoted("late", "A1"))
        referee.encuentros.record_partida_acts(partida_id(FIRST, 3), [act], signed.meta())


def alter(signed: SignedLog, *statements: str) -> None:
    with closing(sqlite3.connect(signed.log)) as log:
        log.executescript(";".join(statements))


def tree_of(signed: SignedLog) -> Tree:
    with closing(open_for_audit(signed.log)) as log:
        return log.tree()


def test_each_checkpoint_is_of_more_of_the_log(signed: SignedLog) -> None:
    sizes = [verify_checkpoint(note, signed.key).size for note in signed.notes]
    assert sizes == sorted(set(sizes))
    assert signed.sign() is None
    record_more(signed)
    note = signed.sign()
    assert note is not None
    assert verify_checkpoint(note, signed.key).size == sizes[-1] + 3
    assert signed.notary.checkpoint_notes() == signed.notes
    assert (signed.data / "log.checkpoint").read_text() == note
    assert (signed.data / "log.vkey").read_text() == signed.key.text + "\n"


def test_the_key_is_in_no_file_of_the_server_and_nobody_else_may_read_it(signed: SignedLog) -> None:
    key = signed.keys / "notary.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert stat.S_IMODE(signed.keys.stat().st_mode) == 0o700
    secret = key.read_bytes().strip().split(b"+")[-1]
    assert not [f for f in signed.data.iterdir() if secret in f.read_bytes()]


FEW = 10
LEAF = "(SELECT leaf FROM leaves WHERE idx = 7)"
LAST = "WHERE position = (SELECT MAX(position) FROM stored_events)"
UNSIGNABLE = [
    ("UPDATE leaves SET leaf = zeroblob(32) WHERE idx = 3", "root_differs"),
    (f"UPDATE leaves SET leaf = {LEAF} WHERE idx = 3", "root_differs"),
    ("DELETE FROM leaves WHERE idx = 3", "root_differs"),
    ("DELETE FROM leaves WHERE idx > 10", "log_shorter"),
    ("DELETE FROM leaves", "log_shorter"),
    ("UPDATE tree SET frontier = zeroblob(length(frontier))", "frontier_differs"),
    ("UPDATE tree SET size = size + 1", "frontier_differs"),
    (
        "INSERT INTO leaves SELECT MAX(idx) + 1, stream, 99, zeroblob(32) FROM leaves",
        "leaf_without_event",
    ),
    (
        f"UPDATE stored_events SET state = CAST(replace(state, 'late', 'talk') AS BLOB) {LAST}",
        "leaf_differs",
    ),
    (f"DELETE FROM stored_events {LAST}", "leaf_without_event"),
]


@pytest.mark.parametrize(("statement", "code"), UNSIGNABLE)
def test_nothing_else_is_signed(signed: SignedLog, statement: str, code: str) -> None:
    record_more(signed)
    alter(signed, statement)
    before = signed.notary.checkpoint_notes()
    with pytest.raises(NotaryRefusal) as refused:
        signed.sign()
    assert refused.value.code == code
    assert signed.notary.checkpoint_notes() == before


def test_a_notary_that_reads_few_signed_leaves_finds_a_change_some_signings_later(
    signed: SignedLog,
) -> None:
    size = verify_checkpoint(signed.notes[-1], signed.key).size
    assert size > 3 * FEW
    signed.reread = FEW
    record_more(signed)
    note = signed.sign()
    assert note is not None
    assert verify_checkpoint(note, signed.key).root == tree_of(signed).root
    alter(signed, f"UPDATE leaves SET leaf = zeroblob(32) WHERE idx = {size - 1}")
    assert signed.sign() is None
    found = []
    for _ in range(size // FEW + 2):
        try:
            signed.sign()
        except NotaryRefusal as refused:
            found.append(refused.code)
    assert found[:1] == ["root_differs"]


def test_a_notary_that_reads_no_signed_leaf_signs_an_extension_alone(signed: SignedLog) -> None:
    signed.reread = 0
    record_more(signed)
    assert signed.sign()
    alter(signed, "UPDATE tree SET size = size - 1")
    with pytest.raises(NotaryRefusal, match="log_shorter"):
        signed.sign()
    alter(signed, "UPDATE tree SET size = size + 1", "UPDATE tree SET frontier = x''")
    with pytest.raises(NotaryRefusal, match="frontier_differs"):
        signed.sign()


def test_a_state_of_before_without_a_frontier_is_gone_on_from(signed: SignedLog) -> None:
    file = signed.keys / "signed.json"
    state = json.loads(file.read_text())
    del state["frontier"]
    file.write_text(json.dumps(state))
    signed.reread = FEW
    record_more(signed)
    note = signed.sign()
    assert note is not None
    assert verify_checkpoint(note, signed.key).root == tree_of(signed).root
    alter(signed, "UPDATE leaves SET leaf = zeroblob(32) WHERE idx = 3")
    file.write_text(json.dumps(state))
    with pytest.raises(NotaryRefusal, match="root_differs"):
        signed.sign()


def test_an_older_copy_is_not_signed_even_when_it_has_grown_again(
    signed: SignedLog, tmp_path: Path
) -> None:
    older = signed_log(tmp_path / "older", salt=7000)
    older.close()
    shutil.copy(older.log, signed.log)
    with pytest.raises(NotaryRefusal, match="root_differs"):
        signed.sign()


def test_a_log_cut_off_and_grown_to_its_size_is_not_signed(signed: SignedLog) -> None:
    size = verify_checkpoint(signed.notes[0], signed.key).size
    alter(
        signed,
        f"DELETE FROM stored_events WHERE position > {size}",
        f"DELETE FROM leaves WHERE idx >= {size}",
        "DELETE FROM receipts",
    )
    with pytest.raises(NotaryRefusal, match="log_shorter"):
        signed.sign()


def test_a_checkpoint_of_another_log_left_in_the_folder_proves_nothing(
    signed: SignedLog, tmp_path: Path
) -> None:
    assert signed.proof(FIRST)
    other = signed_log(tmp_path / "other", salt=7000)
    other.close()
    shutil.copy(other.log, signed.log)
    with pytest.raises(NotSigned):
        signed.proof(FIRST)
    cut = verify_checkpoint(signed.notes[0], signed.key).size
    alter(signed, f"DELETE FROM leaves WHERE idx >= {cut}", f"UPDATE tree SET size = {cut}")
    with pytest.raises(NotSigned):
        signed.proof(FIRST)


def test_a_log_of_another_version_is_not_signed(signed: SignedLog) -> None:
    alter(signed, "PRAGMA user_version = 1")
    with pytest.raises(NoTables, match="version 1"):
        signed.sign()
    signed.log.unlink()
    with pytest.raises(NoTables):
        signed.sign()
    assert not signed.log.exists()


def test_a_notary_that_was_stopped_goes_on_where_it_was(signed: SignedLog) -> None:
    signed.close()
    record_more(signed)
    signed.notary = Notary(signed.keys, counted(99))
    assert signed.sign()
    assert len(signed.notary.checkpoint_notes()) == len(signed.notes)


def test_a_crash_between_its_files_loses_no_checkpoint(signed: SignedLog) -> None:
    file = signed.keys / "checkpoints"
    file.write_text("".join(signed.notes[:-1]))
    assert signed.sign() == signed.notes[-2]
    assert signed.notary.checkpoint_notes() == signed.notes[:-1]


def test_a_notary_that_forgot_what_it_signed_signs_nothing(signed: SignedLog) -> None:
    (signed.keys / "signed.json").unlink()
    with pytest.raises(NotaryRefusal, match="state_missing"):
        signed.sign()


def test_two_notaries_cannot_have_one_folder(signed: SignedLog) -> None:
    with pytest.raises(NotaryRefusal, match="in_use"):
        Notary(signed.keys, counted())


def test_an_origin_is_for_ever(signed: SignedLog, tmp_path: Path) -> None:
    signed.close()
    with pytest.raises(NotaryRefusal, match="other_origin"):
        Notary(signed.keys, counted(), "other.example/log")
    with pytest.raises(NotaryRefusal, match="origin_malformed"):
        Notary(tmp_path / "new", counted(), "two words")
    with closing(Notary(signed.keys, counted(), ORIGIN)) as again:
        assert again.key == signed.key
    (signed.keys / "notary.key").write_text("nothing")
    with pytest.raises(NotaryRefusal, match="key_malformed"):
        Notary(signed.keys, counted())
    signed.notary = Notary(tmp_path / "other", counted())
    assert signed.notary.key.name.startswith("guinote/")


def test_an_empty_log_is_not_signed(tmp_path: Path) -> None:
    signed = SignedLog(tmp_path)
    assert signed.sign() is None
    signed.close()


def test_the_second_encuentro_was_signed_too(signed: SignedLog) -> None:
    assert signed.proof(SECOND).recorded == len(signed.proof(SECOND).events)
