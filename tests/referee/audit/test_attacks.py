"""Attacks on the stored file: each is found by the expected checks."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.audit.auditor import TrustedNotes, audit_log_from_start
from referee.audit.checkpoint import read_checkpoint
from tests.referee.audit.logs.tampering import (
    Attack,
    appended_quietly,
    back_dated,
    codes,
    cut_off,
    edits,
    encuentro_gone,
    fraction,
    hidden_rows,
    key_twice,
    leaf_twice,
    leaf_with_event,
    not_json,
    opened,
    other_bytes,
    partida_gone,
    planted_trigger,
    receipt_with,
    receipts_elsewhere,
    renumbered_stream,
    reversed_rows,
    salt,
    sql,
    swap_neighbours,
    swap_positions,
    swap_states,
    swap_streams,
    swap_streams_and_leaves,
    with_tree,
)
from tests.support.proofs.signed_log import FIRST, SignedLog


def test_an_honest_log_has_no_difference(honest: SignedLog, copy: Path) -> None:
    found = audit_log_from_start(copy, honest.kept())
    assert found.wrong == ()
    assert (found.checkpoints, found.events) == (4, read_checkpoint(honest.notes[-1]).size)


# The attack, the codes that find it, and whether the file alone is enough to find it.
INSIDE, OUTSIDE = True, False
ATTACKS: dict[str, tuple[Attack, str, bool]] = {
    "another card": (edits('"card":"3O"', '"card":"AO"'), "leaf_differs", INSIDE),
    "another seat": (edits('"seat":"B2"', '"seat":"A2"'), "leaf_differs", INSIDE),
    "another time": (edits("2026-11-21T20:", "2026-11-21T19:"), "leaf_differs", INSIDE),
    "another author": (edits('"by":"owner"', '"by":"pedro"'), "leaf_differs", INSIDE),
    "another device": (edits('"on":"tablet"', '"on":"mobile"'), "leaf_differs", INSIDE),
    "another line": (edits('"line":2', '"line":3'), "leaf_differs", INSIDE),
    "another salt": (salt, "leaf_differs", INSIDE),
    "another person in a seat": (edits('"p1"', '"p9"', FIRST.hex), "leaf_differs", INSIDE),
    "another option of the profile": (
        edits('"swap":true', '"swap":null', FIRST.hex),
        "leaf_differs",
        INSIDE,
    ),
    "another winner": (edits('"winner":"A"', '"winner":"B"'), "leaf_differs", INSIDE),
    "a correction that never was": (edits('"replace"', '"withdraw"'), "leaf_differs", INSIDE),
    "another stored name": (
        sql(
            "UPDATE stored_events SET topic = 'TimeCalled.1'"
            " WHERE originator_id = :p AND originator_version = 2"
        ),
        "leaf_differs",
        INSIDE,
    ),
    "a name as if of a later version": (
        sql(
            "UPDATE stored_events SET topic = 'IncidentNoted.2'"
            " WHERE originator_id = :p AND originator_version = 2"
        ),
        "leaf_differs",
        INSIDE,
    ),
    "the states of two events exchanged": (swap_states, "leaf_differs", INSIDE),
    "a key twice in a state": (key_twice, "not_as_written", INSIDE),
    "the same state in other bytes": (other_bytes, "not_as_written", INSIDE),
    "a fraction": (fraction, "unreadable_state", INSIDE),
    "a state that is no text": (not_json, "unreadable_state", INSIDE),
    "a state of another kind of column": (
        sql("UPDATE stored_events SET state = CAST(state AS TEXT) WHERE position = 7"),
        "malformed_row",
        INSIDE,
    ),
    "the last event of a stream deleted": (
        sql(
            "DELETE FROM stored_events WHERE originator_id = :p AND originator_version ="
            " (SELECT MAX(version) FROM leaves WHERE stream = :p)"
        ),
        "leaf_without_event",
        INSIDE,
    ),
    "an event in the middle deleted": (
        sql("DELETE FROM stored_events WHERE originator_id = :p AND originator_version = 3"),
        "version_gap",
        INSIDE,
    ),
    "an event deleted with its leaf": (
        sql(
            "DELETE FROM stored_events WHERE position = 9",
            "DELETE FROM leaves WHERE idx = 8",
        ),
        "index_gap",
        INSIDE,
    ),
    "an event deleted and the rest closed up": (renumbered_stream, "leaf_differs", INSIDE),
    "a whole partida deleted": (
        sql("DELETE FROM stored_events WHERE originator_id = :p"),
        "leaf_without_event",
        INSIDE,
    ),
    "a whole partida deleted with its leaves": (partida_gone, "index_gap", INSIDE),
    "a whole encuentro deleted": (encuentro_gone, "leaf_without_event", INSIDE),
    "an event inserted with an earlier date": (back_dated, "event_without_leaf", INSIDE),
    "an event appended past the program": (appended_quietly, "event_without_leaf", INSIDE),
    "two partidas exchanged": (swap_streams, "leaf_differs", INSIDE),
    "two partidas exchanged with their leaves": (swap_streams_and_leaves, "leaf_differs", INSIDE),
    "an event moved to another partida": (
        sql(
            "UPDATE stored_events SET originator_id = :o, originator_version = 99"
            " WHERE originator_id = :p AND originator_version = 3"
        ),
        "leaf_without_event",
        INSIDE,
    ),
    "an event moved with its leaf": (
        sql(
            "UPDATE stored_events SET originator_id = :o, originator_version = 99"
            " WHERE originator_id = :p AND originator_version = 3",
            "UPDATE leaves SET stream = :o, version = 99 WHERE stream = :p AND version = 3",
        ),
        "leaf_differs",
        INSIDE,
    ),
    "two rows exchanged": (swap_positions, "order_differs", INSIDE),
    "rows numbered backwards": (reversed_rows, "order_differs", INSIDE),
    "a leaf changed": (
        sql("UPDATE leaves SET leaf = zeroblob(32) WHERE idx = 5"),
        "leaf_differs",
        INSIDE,
    ),
    "a leaf changed with its event": (leaf_with_event, "frontier_differs", INSIDE),
    "a leaf that is no hash": (
        sql("UPDATE leaves SET leaf = 'x' WHERE idx = 5"),
        "malformed_row",
        INSIDE,
    ),
    "a leaf twice": (leaf_twice, "leaf_without_event", INSIDE),
    "a gap in the index": (
        sql("UPDATE leaves SET idx = idx + 1000 WHERE idx > 20"),
        "index_gap",
        INSIDE,
    ),
    "the frontier changed": (
        sql("UPDATE tree SET frontier = zeroblob(length(frontier))"),
        "frontier_differs",
        INSIDE,
    ),
    "the size changed": (sql("UPDATE tree SET size = size - 1"), "tree_size_differs", INSIDE),
    "no tree any more": (sql("DELETE FROM tree"), "tree_size_differs", INSIDE),
    "no leaves any more": (sql("DELETE FROM leaves"), "event_without_leaf", INSIDE),
    "a table gone": (sql("DROP TABLE leaves"), "store_unsound", INSIDE),
    "a trigger planted": (planted_trigger, "store_unsound", INSIDE),
    "a table planted": (sql("CREATE TABLE acts (state BLOB)"), "store_unsound", INSIDE),
    "an index planted": (sql("CREATE INDEX i ON leaves (length(leaf))"), "store_unsound", INSIDE),
    "rows hidden from their index": (hidden_rows, "store_unsound", INSIDE),
    "leaves without a number": (
        sql(
            "DROP TABLE leaves",
            "CREATE TABLE leaves (idx, stream, version, leaf)",
            "INSERT INTO leaves SELECT NULL, originator_id, originator_version, zeroblob(32)"
            " FROM stored_events",
        ),
        "event_without_leaf",
        INSIDE,
    ),
    "a schema that is no text": (
        sql(
            "PRAGMA writable_schema = ON",
            "UPDATE sqlite_schema SET name = CAST(x'82' AS TEXT), sql = 'x' WHERE name = 'leaves'",
        ),
        "store_unsound",
        INSIDE,
    ),
    "a name that is no text": (
        sql("UPDATE stored_events SET topic = CAST(x'82' AS TEXT) WHERE position = 7"),
        "store_unsound",
        INSIDE,
    ),
    "receipts that point elsewhere": (receipts_elsewhere, "receipt_astray", INSIDE),
    "a receipt with another position": (
        receipt_with('"position":', '"position":1'),
        "receipt_differs",
        INSIDE,
    ),
    "a receipt with another version": (
        receipt_with('"version":', '"version":1'),
        "receipt_differs",
        INSIDE,
    ),
    "a receipt with other lines": (
        receipt_with('"lines":[', '"lines":[7,'),
        "receipt_differs",
        INSIDE,
    ),
    "a receipt of another write": (
        sql(
            "UPDATE receipts SET result = (SELECT result FROM receipts ORDER BY key LIMIT 1),"
            " digest = (SELECT digest FROM receipts ORDER BY key LIMIT 1)"
            " WHERE key = (SELECT MAX(key) FROM receipts)"
        ),
        "receipt_twice",
        INSIDE,
    ),
    # from here on the tree is rewritten, so nothing inside the file can tell
    "a card, and the whole tree anew": (
        with_tree(edits('"card":"3O"', '"card":"AO"')),
        "root_differs",
        OUTSIDE,
    ),
    "a seat, and the whole tree anew": (
        with_tree(edits('"seat":"B2"', '"seat":"A2"')),
        "root_differs",
        OUTSIDE,
    ),
    "a time, and the whole tree anew": (
        with_tree(edits("2026-11-21T20:", "2026-11-21T19:")),
        "root_differs",
        OUTSIDE,
    ),
    "a winner, and the whole tree anew": (
        with_tree(edits('"winner":"A"', '"winner":"B"')),
        "root_differs",
        INSIDE,  # by the conclusions, which do not follow
    ),
    "an inserted event, and the whole tree anew": (with_tree(back_dated), "root_differs", INSIDE),
    "a deleted encuentro, and the whole tree anew": (
        with_tree(encuentro_gone),
        "events_missing",
        OUTSIDE,
    ),
    "two rows exchanged, and the whole tree anew": (
        with_tree(swap_neighbours),
        "root_differs",
        OUTSIDE,
    ),
    "the log cut off": (cut_off, "log_shorter", OUTSIDE),
    "the log emptied": (
        with_tree(sql("DELETE FROM stored_events")),
        "log_shorter",
        OUTSIDE,
    ),
    "the salts alone, and the whole tree anew": (with_tree(salt), "head_differs", OUTSIDE),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_found(name: str, honest: SignedLog, copy: Path) -> None:
    attack, code, is_found_inside = ATTACKS[name]
    with opened(copy) as log:
        attack(log)
    assert code in codes(audit_log_from_start(copy, honest.kept()))
    assert bool(audit_log_from_start(copy, TrustedNotes()).wrong) == is_found_inside


def test_there_are_enough_of_them() -> None:
    assert len(ATTACKS) >= 27
