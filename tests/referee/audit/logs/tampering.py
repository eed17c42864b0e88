"""Attacks on the file of a log. Each attack is a function on a copy."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from referee.audit.auditor import AuditResult
from referee.kinds import partida_id
from referee.log.merkle import Tree, tree_and_leaves_after_events
from tests.support.proofs.signed_log import FIRST, SECOND

Attack = Callable[[sqlite3.Connection], None]

PARTIDA = partida_id(FIRST, 1).hex
OTHER = partida_id(SECOND, 1).hex
WHERE = "originator_id = ? AND originator_version = ?"


def codes(audited: AuditResult) -> set[str]:
    """Codes that an audit finds."""
    return {one.what for one in audited.wrong}


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """The file opened without locks, constraints and foreign keys, as an attacker does."""
    with closing(sqlite3.connect(path, isolation_level=None)) as log:
        yield log


def rows(log: sqlite3.Connection) -> list[tuple[Any, ...]]:
    return list(
        log.execute(
            "SELECT originator_id, originator_version, topic, state, position"
            " FROM stored_events ORDER BY position"
        )
    )


def state(log: sqlite3.Connection, version: int, stream: str = PARTIDA) -> bytes:
    found = log.execute(f"SELECT state FROM stored_events WHERE {WHERE}", (stream, version))
    return bytes(found.fetchone()[0])


def put(log: sqlite3.Connection, version: int, new: bytes, stream: str = PARTIDA) -> None:
    log.execute(f"UPDATE stored_events SET state = ? WHERE {WHERE}", (new, stream, version))


def place_of(log: sqlite3.Connection, text: str, stream: str = PARTIDA) -> int:
    """Version of the first event of a stream with a text in it."""
    for found, version, _, body, _ in rows(log):
        if found == stream and text.encode() in body:
            return int(version)
    raise AssertionError(text)


def edits(old: str, new: str, stream: str = PARTIDA) -> Attack:
    """Change the text of one event."""

    def attack(log: sqlite3.Connection) -> None:
        version = place_of(log, old, stream)
        body = state(log, version, stream)
        put(log, version, body.replace(old.encode(), new.encode(), 1), stream)

    return attack


def sql(*statements: str, **values: Any) -> Attack:
    """Statements, with the ids of the streams by name."""

    def attack(log: sqlite3.Connection) -> None:
        for statement in statements:
            log.execute(statement, {"p": PARTIDA, "o": OTHER, "e": FIRST.hex, **values})

    return attack


def recompute(log: sqlite3.Connection) -> None:
    """Every leaf, the frontier and the receipts made anew from the events as they now are."""
    tree, leaves = tree_and_leaves_after_events(Tree(), [row[:4] for row in rows(log)])
    log.execute("DELETE FROM leaves")
    log.executemany("INSERT INTO leaves VALUES (?, ?, ?, ?)", leaves)
    log.execute("UPDATE tree SET size = ?, frontier = ?", tree)
    log.execute("DELETE FROM receipts")


def with_tree(*attacks: Attack) -> Attack:
    """Attacks, and then the whole tree written anew so that nothing inside tells."""

    def attack(log: sqlite3.Connection) -> None:
        for one in attacks:
            one(log)
        recompute(log)

    return attack


def in_turn(*attacks: Attack) -> Attack:
    def attack(log: sqlite3.Connection) -> None:
        for one in attacks:
            one(log)

    return attack


# --- attacks that need more than statements
# ----------------------------------------------------------


def swap_states(log: sqlite3.Connection) -> None:
    first, second = state(log, 2), state(log, 3)
    put(log, 2, second)
    put(log, 3, first)


def salt(log: sqlite3.Connection) -> None:
    body = state(log, 2)
    at = body.index(b'"salt":"') + len(b'"salt":"')
    put(log, 2, body[:at] + b"B" + body[at + 1 :])


def key_twice(log: sqlite3.Connection) -> None:
    """A duplicate key in a state: parsers that take the first or the last see different cards."""
    version = place_of(log, '"card":"3O"')
    body = state(log, version).replace(b'"card":"3O"', b'"card":"AO","card":"3O"')
    put(log, version, body)


def other_bytes(log: sqlite3.Connection) -> None:
    """The same value with other bytes."""
    put(log, 2, state(log, 2).replace(b":", b": ", 1))


def fraction(log: sqlite3.Connection) -> None:
    put(log, 2, state(log, 2).replace(b'"line":1', b'"line":1.0', 1))


def not_json(log: sqlite3.Connection) -> None:
    put(log, 2, b"\xff" + state(log, 2))


def renumbered_stream(log: sqlite3.Connection) -> None:
    """An event is taken out, and the later ones close up."""
    log.execute(f"DELETE FROM stored_events WHERE {WHERE}", (PARTIDA, 3))
    for stream, version, *_ in rows(log):
        if stream == PARTIDA and version > 3:
            log.execute(
                f"UPDATE stored_events SET originator_version = ? WHERE {WHERE}",
                (version - 1, stream, version),
            )


def back_dated(log: sqlite3.Connection) -> None:
    """An event is inserted between two others, with all numbers adjusted."""
    body = state(log, 2)
    rest = [row for row in rows(log) if row[0] == PARTIDA and row[1] > 2]
    for stream, version, *_ in reversed(rest):
        log.execute(
            f"UPDATE stored_events SET originator_version = ? WHERE {WHERE}",
            (version + 1, stream, version),
        )
    (last,) = log.execute("SELECT MAX(position) FROM stored_events").fetchone()
    at = rest[0][4]
    for position in range(last, at - 1, -1):
        log.execute(
            "UPDATE stored_events SET position = ? WHERE position = ?", (position + 1, position)
        )
    log.execute(
        "INSERT INTO stored_events VALUES (?, ?, 3, 'IncidentNoted.1', ?)", (at, PARTIDA, body)
    )


def appended_quietly(log: sqlite3.Connection) -> None:
    """An event is appended to a stream without the program."""
    body = state(log, 2)
    log.execute(
        "INSERT INTO stored_events (originator_id, originator_version, topic, state)"
        " SELECT ?, MAX(originator_version) + 1, 'IncidentNoted.1', ?"
        " FROM stored_events WHERE originator_id = ?",
        (PARTIDA, body, PARTIDA),
    )


def swap_streams(log: sqlite3.Connection) -> None:
    """Two partidas change places: what happened at one table happened at the other."""
    for old, new in ((PARTIDA, "x"), (OTHER, PARTIDA), ("x", OTHER)):
        log.execute(
            "UPDATE stored_events SET originator_id = ? WHERE originator_id = ?", (new, old)
        )


def swap_streams_and_leaves(log: sqlite3.Connection) -> None:
    swap_streams(log)
    for old, new in ((PARTIDA, "x"), (OTHER, PARTIDA), ("x", OTHER)):
        log.execute("UPDATE leaves SET stream = ? WHERE stream = ?", (new, old))


def swap_positions(log: sqlite3.Connection) -> None:
    for old, new in ((5, -1), (9, 5), (-1, 9)):
        log.execute("UPDATE stored_events SET position = ? WHERE position = ?", (new, old))


def swap_neighbours(log: sqlite3.Connection) -> None:
    """Two neighbouring events of different streams change places."""
    every = rows(log)
    one, two = next((a[4], b[4]) for a, b in itertools.pairwise(every[9:]) if a[0] != b[0])
    for old, new in ((one, -1), (two, one), (-1, two)):
        log.execute("UPDATE stored_events SET position = ? WHERE position = ?", (new, old))


def reversed_rows(log: sqlite3.Connection) -> None:
    log.execute("UPDATE stored_events SET position = -position")


def cut_off(log: sqlite3.Connection, size: int = 30) -> None:
    """The log is cut, and everything in it is consistent."""
    log.execute("DELETE FROM stored_events WHERE position > ?", (size,))
    recompute(log)


def leaf_with_event(log: sqlite3.Connection) -> None:
    """An event and its own leaf are changed; the frontier is left as it was."""
    edits('"card":"3O"', '"card":"AO"')(log)
    _, leaves = tree_and_leaves_after_events(Tree(), [row[:4] for row in rows(log)])
    for leaf in leaves:
        log.execute("UPDATE leaves SET leaf = ? WHERE idx = ?", (leaf.hash, leaf.number))


def leaf_twice(log: sqlite3.Connection) -> None:
    """The table of leaves without its rule, and a leaf in it twice."""
    log.execute("ALTER TABLE leaves RENAME TO old")
    log.execute("CREATE TABLE leaves (idx INTEGER PRIMARY KEY, stream, version, leaf)")
    log.execute("INSERT INTO leaves SELECT * FROM old")
    log.execute("INSERT INTO leaves SELECT MAX(idx) + 1, stream, version, leaf FROM old")
    log.execute("DROP TABLE old")


def planted_trigger(log: sqlite3.Connection) -> None:
    """A trigger in the file changes cards."""
    log.execute(
        "CREATE TRIGGER t AFTER INSERT ON stored_events BEGIN"
        " UPDATE stored_events SET topic = 'TimeCalled.1' WHERE position = new.position; END"
    )


def hidden_rows(log: sqlite3.Connection) -> None:
    """The index lacks some rows of the table."""
    log.execute("PRAGMA writable_schema = ON")
    log.execute(
        "UPDATE sqlite_schema SET sql = 'CREATE TABLE stored_events (position INTEGER PRIMARY KEY"
        " AUTOINCREMENT, originator_id TEXT NOT NULL, originator_version INTEGER NOT NULL,"
        " topic TEXT NOT NULL, state BLOB NOT NULL)' WHERE name = 'stored_events'"
    )
    log.execute("DELETE FROM sqlite_schema WHERE name = 'sqlite_autoindex_stored_events_1'")


def receipts_elsewhere(log: sqlite3.Connection) -> None:
    """A request that was sent again would be answered with another's events."""
    log.execute("UPDATE receipts SET result = replace(result, ?, ?)", (PARTIDA, "0" * 32))


def receipt_with(old: str, new: str) -> Attack:
    """A receipt with another answer: whoever sends a request again hears what never was."""

    def attack(log: sqlite3.Connection) -> None:
        log.execute(
            "UPDATE receipts SET result = replace(result, ?, ?)"
            " WHERE key = (SELECT MAX(key) FROM receipts)",
            (old, new),
        )

    return attack


def partida_gone(log: sqlite3.Connection) -> None:
    log.execute("DELETE FROM stored_events WHERE originator_id = ?", (PARTIDA,))
    log.execute("DELETE FROM leaves WHERE stream = ?", (PARTIDA,))


def encuentro_gone(log: sqlite3.Connection) -> None:
    for stream in (FIRST.hex, PARTIDA, partida_id(FIRST, 2).hex):
        log.execute("DELETE FROM stored_events WHERE originator_id = ?", (stream,))
