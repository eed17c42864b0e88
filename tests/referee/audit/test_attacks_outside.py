"""Attacks with older copies, other keys and forged checkpoints; and what is not found."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import pytest

from referee.aggregates.commands import Record
from referee.audit.auditor import TrustedNotes, audit_log_from_start
from referee.audit.checkpoint import print_note, read_checkpoint
from referee.audit.notary import NotaryRefusal
from referee.audit.walk import Leaves
from referee.events import IncidentNoted, ResultEntered
from referee.kinds import partida_id
from referee.log.ports import Unsound
from tests.referee.audit.logs.tampering import (
    codes,
    cut_off,
    edits,
    in_turn,
    opened,
    recompute,
    salt,
    swap_states,
    swap_streams,
    with_tree,
)
from tests.support.proofs.signed_log import SECOND, SignedLog, signed_log
from tests.support.servers.one_log import new_referee


def recorded_more(path: Path, signed: SignedLog) -> None:
    with closing(new_referee(path, 9000)) as referee:
        referee.encuentros.start_partida(SECOND, signed.meta())
        acts = [Record(IncidentNoted("late", "A1")), Record(ResultEntered("B"))]
        referee.encuentros.record_partida_acts(partida_id(SECOND, 3), acts, signed.meta())


@pytest.fixture
def older(honest: SignedLog, copy: Path) -> Path:
    """The log as it was at the first checkpoint."""
    with opened(copy) as log:
        cut_off(log, read_checkpoint(honest.notes[0]).size)
        log.execute("UPDATE sqlite_sequence SET seq = (SELECT MAX(position) FROM stored_events)")
    return copy


def test_an_older_copy_put_back_is_found(honest: SignedLog, older: Path) -> None:
    assert audit_log_from_start(older, TrustedNotes()).wrong == ()
    assert (
        audit_log_from_start(older, TrustedNotes(honest.key, tuple(honest.notes[:1]))).wrong == ()
    )
    assert codes(audit_log_from_start(older, TrustedNotes(honest.key, tuple(honest.notes)))) == {
        "log_shorter"
    }
    kept = TrustedNotes(honest.key, (), (honest.resguardos[1],))
    assert codes(audit_log_from_start(older, kept)) == {"log_shorter", "events_missing"}


def test_an_older_copy_that_went_on_is_found(honest: SignedLog, older: Path) -> None:
    with closing(new_referee(older, 9000)) as referee:
        honest.play(referee, SECOND)
    recorded_more(older, honest)
    assert audit_log_from_start(older, TrustedNotes()).wrong == ()
    assert "root_differs" in codes(
        audit_log_from_start(older, TrustedNotes(honest.key, tuple(honest.notes)))
    )
    assert "head_differs" in codes(
        audit_log_from_start(older, TrustedNotes(honest.key, (), (honest.resguardos[1],)))
    )


def test_a_change_after_the_last_checkpoint_is_found_by_the_next_alone(
    honest: SignedLog, copy: Path
) -> None:
    """A documented limit: between two checkpoints the file can be rewritten unnoticed."""
    recorded_more(copy, honest)
    with opened(copy) as log:
        stream = partida_id(SECOND, 3).hex
        with_tree(edits('"seat":"A1"', '"seat":"B1"', stream))(log)
    assert audit_log_from_start(copy, honest.kept()).wrong == ()


def test_everything_signed_anew_with_another_key_is_found_by_the_key_kept_outside(
    honest: SignedLog, tmp_path: Path
) -> None:
    forger = signed_log(tmp_path / "forger", chance=77, salt=4000)
    forger.close()
    assert audit_log_from_start(forger.log, forger.kept()).wrong == ()
    notes = tuple(forger.notes)
    assert codes(audit_log_from_start(forger.log, TrustedNotes(honest.key, notes))) == {
        "not_signed_by_key"
    }
    assert "root_differs" in codes(audit_log_from_start(forger.log, honest.kept()))


FORGED: list[tuple[str, Any]] = [
    ("bad_signature", lambda signed, note: note.replace("\n48\n", "\n47\n")),
    (
        "bad_signature",
        lambda signed, note: print_note(
            note.split("\n\n")[0] + "\n", signed.key.name, signed.key.id + bytes(64)
        ),
    ),
    ("other_origin", lambda signed, note: note.replace("club.example", "klub.example")),
    (
        "not_signed_by_key",
        lambda signed, note: note.split("—")[0] + "— other.example/log AAAAAA==\n",
    ),
    ("checkpoint_malformed", lambda signed, note: note.split("—")[0]),
    ("checkpoint_malformed", lambda signed, note: ""),
]


@pytest.mark.parametrize(("code", "forge"), FORGED)
def test_a_forged_checkpoint_is_found(code: str, forge: Any, honest: SignedLog, copy: Path) -> None:
    forged = forge(honest, honest.notes[-1])
    assert codes(audit_log_from_start(copy, TrustedNotes(honest.key, (forged,)))) >= {code}


def test_a_checkpoint_of_another_log_under_the_same_key_is_found(
    honest: SignedLog, copy: Path, tmp_path: Path
) -> None:
    other = signed_log(tmp_path / "other", salt=4000)
    other.close()
    assert other.key == honest.key
    assert codes(audit_log_from_start(copy, TrustedNotes(honest.key, tuple(other.notes)))) == {
        "root_differs"
    }


def test_the_notary_does_not_sign_what_was_written_anew(tmp_path: Path) -> None:
    signed = signed_log(tmp_path)
    with opened(signed.log) as log:
        with_tree(edits('"card":"3O"', '"card":"AO"'))(log)
    with pytest.raises(NotaryRefusal, match="root_differs"):
        signed.sign()
    signed.close()


def test_receipts_are_under_no_hash(honest: SignedLog, copy: Path) -> None:
    """A documented limit: a missing receipt, or a changed digest, is not found."""
    with opened(copy) as log:
        log.execute("DELETE FROM receipts WHERE key LIKE '%key-3'")
    assert audit_log_from_start(copy, honest.kept()).wrong == ()


def test_a_file_that_is_no_log_is_said_to_be_none(honest: SignedLog, copy: Path) -> None:
    copy.write_bytes(copy.read_bytes()[:5000])
    assert codes(audit_log_from_start(copy, honest.kept())) == {"store_unsound"}
    copy.write_bytes(b"SQLite format 3\0" + bytes(5000))
    assert codes(audit_log_from_start(copy, honest.kept())) == {"store_unsound"}


def test_attacks_upon_attacks_are_found(honest: SignedLog, copy: Path) -> None:
    with opened(copy) as log:
        in_turn(swap_streams, swap_states, recompute, salt, recompute)(log)
    assert "root_differs" in codes(audit_log_from_start(copy, honest.kept()))


def test_the_attacker_has_no_easier_file_than_sqlite(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as log:
        assert log.execute("PRAGMA user_version").fetchone() == (2,)


def test_a_file_that_leads_in_a_circle_comes_to_an_end() -> None:
    class Circle:
        def leaf_rows(self, first: int, limit: int) -> list[tuple[int, str, int, bytes]]:
            return [(3, "0" * 32, 1, bytes(32))]

    with pytest.raises(Unsound):
        list(Leaves(cast("Any", Circle()), print))
