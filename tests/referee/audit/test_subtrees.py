"""Roots of parts of a long log are kept in a file, so that a proof reads few leaves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import UUID

import msgspec
import pytest
from eventsourcing.persistence import StoredEvent

from referee.audit.auditor import Auditor, TrustedNotes, audit_proof
from referee.audit.subtrees import SubtreeFile, is_root_at
from referee.log.merkle import HASH_BYTES, root_of_leaves
from referee.log.sqlite.recorder import SQLiteLogDatastore, SQLiteLogRecorder
from referee.log.sqlite.rows import SQLiteRows
from referee.log.stores import create_tables, open_for_audit
from tests.support.proofs.signed_log import FIRST, SignedLog, signed_log

MORE = 1_000
"""Events after those of the encuentros: three of the smallest whole subtrees, and some leaves."""
SMALLEST = 256


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SignedLog]:
    found = signed_log(tmp_path_factory.mktemp("long"))
    with closing(SQLiteLogRecorder(SQLiteLogDatastore(str(found.log)))) as recorder:
        stream = UUID(int=7)
        recorder.insert_events(
            [StoredEvent(stream, version, "TimeCalled.1", b"{}") for version in range(1, MORE + 1)]
        )
    assert found.sign()
    yield found
    found.close()


@pytest.fixture
def file(signed: SignedLog) -> Path:
    """The file as it is after a proof."""
    found = signed.data / "subtrees"
    found.unlink(missing_ok=True)
    signed.proof(FIRST)
    return found


def leaves_read(signed: SignedLog, monkeypatch: pytest.MonkeyPatch) -> int:
    """Leaves that the proof of an encuentro reads, in a process that made none before."""
    read: list[int] = []
    inner = SQLiteRows.leaf_rows

    def counted(log: SQLiteRows, first: int, limit: int) -> Iterator[tuple[int, str, int, bytes]]:
        found = list(inner(log, first, limit))
        read.append(len(found))
        yield from found

    with monkeypatch.context() as patched:
        patched.setattr(SQLiteRows, "leaf_rows", counted)
        proof = signed.proof(FIRST)
    found = audit_proof(msgspec.json.encode(proof), TrustedNotes(signed.key))
    assert not found.wrong
    return sum(read)


def test_the_first_proof_reads_every_leaf_and_the_next_process_few(
    signed: SignedLog, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = leaves_read(signed, monkeypatch)
    file.unlink()
    unknown = leaves_read(signed, monkeypatch)
    whole = len(file.read_bytes()) // 32
    assert whole == (MORE + 40) // SMALLEST
    assert unknown - known == whole * SMALLEST


@pytest.mark.parametrize("content", [b"", b"x" * 31, b"x" * 32, b"x" * 3200])
def test_a_wrong_file_changes_no_proof_and_is_written_anew(
    signed: SignedLog, file: Path, content: bytes
) -> None:
    right, proof = file.read_bytes(), signed.proof(FIRST)
    file.write_bytes(content)
    assert signed.proof(FIRST) == proof
    assert file.read_bytes() == right


def test_without_the_file_there_are_proofs(signed: SignedLog, file: Path) -> None:
    proof = signed.proof(FIRST)
    file.unlink()
    file.mkdir()
    assert signed.proof(FIRST) == proof
    file.rmdir()


def test_the_notary_prepares_the_file(signed: SignedLog, file: Path) -> None:
    right = file.read_bytes()
    file.unlink()
    with closing(Auditor(signed.log, signed.data)) as auditor:
        auditor.compute_tree_hashes()
    assert file.read_bytes() == right


@pytest.mark.parametrize("few", [0, 1 << 17])
@pytest.mark.parametrize("left", ["file", "no file", "another file"])
def test_the_root_at_each_size_is_that_over_the_leaves_of_then(
    signed: SignedLog, file: Path, monkeypatch: pytest.MonkeyPatch, left: str, few: int
) -> None:
    monkeypatch.setattr("referee.audit.subtrees._FEW", few)
    right = file.read_bytes()
    if left != "file":
        file.write_bytes(b"x" * len(file.read_bytes()) if left == "another file" else b"")
    with closing(open_for_audit(signed.log)) as log, log.hold_snapshot():
        every = [leaf[3] for leaf in log.leaf_rows(0, MORE * 2)]
        kept = SubtreeFile(signed.data)
        for size in (*range(1, 40), *(n * SMALLEST + d for n in range(1, 5) for d in (-1, 0, 1))):
            assert is_root_at(log, size, root_of_leaves(every[:size]), kept)
            assert not is_root_at(log, size, root_of_leaves(every[1 : size + 1]), kept)
        assert is_root_at(log, len(every), root_of_leaves(every), kept)
        assert not is_root_at(log, len(every), root_of_leaves(every[:-1]), kept)
    assert few or file.read_bytes() == right


@pytest.mark.parametrize("size", [SMALLEST * 2, SMALLEST * 3, SMALLEST * 3 + 7])
def test_the_file_of_a_tree_does_not_stand_for_another_log(
    signed: SignedLog, file: Path, tmp_path: Path, size: int
) -> None:
    """A log of another house beside the file and the root of this one."""
    create_tables(tmp_path / "other")
    with closing(SQLiteLogRecorder(SQLiteLogDatastore(str(tmp_path / "other")))) as recorder:
        recorder.insert_events(
            [StoredEvent(UUID(int=8), n, "TimeCalled.1", b"{}") for n in range(1, MORE + 1)]
        )
    assert len(file.read_bytes()) >= size // SMALLEST * HASH_BYTES
    with closing(open_for_audit(signed.log)) as log:
        root = root_of_leaves([leaf[3] for leaf in log.leaf_rows(0, size)])
        assert is_root_at(log, size, root, SubtreeFile(signed.data))
    with closing(open_for_audit(tmp_path / "other")) as log:
        assert not is_root_at(log, size, root, SubtreeFile(signed.data))
