"""The same attacks on a log in PostgreSQL, with all rights on its tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from referee.audit.auditor import TrustedNotes, audit_log_from_start
from referee.log.postgres.connections import connect
from referee.log.stores import create_tables, replace_log_by_file
from tests.referee.audit.logs.tampering import PARTIDA, codes, sql, state
from tests.referee.audit.test_attacks import ATTACKS
from tests.support.proofs.signed_log import FIRST, SECOND, SignedLog
from tests.support.servers.one_log import new_referee
from tests.support.servers.own_postgres import Server

ELSEWHERE = {
    "a state of another kind of column",  # a column has one kind
    "a schema that is no text",  # there is no file to write it into
    "a name that is no text",  # a column of text holds text
    "a trigger planted",
    "rows hidden from their index",
    "a leaf twice",
    "leaves without a number",  # a column of a key has one
    "an event appended past the program",
    "a table planted",  # a database may have tables of others, which nothing of ours reads
    "an index planted",  # as above
}
"""Attacks in SQL of SQLite; all but the first have an equivalent below."""


class Speaking:
    """A connection that takes the statements of the attacks on a file."""

    def __init__(self, database: psycopg.Connection) -> None:
        self._database = database

    def execute(self, statement: str, values: Any = ()) -> psycopg.Cursor:
        text = re.sub(
            r"zeroblob\((.+)\)(?= WHERE|$)", r"decode(repeat('00', \1), 'hex')", statement
        )
        text = re.sub(r":(p|o|e)\b", r"%(\1)s", text.replace("?", "%s"))
        return self._database.execute(text, values)

    def executemany(self, statement: str, values: Sequence[Any]) -> None:
        for one in values:
            self.execute(statement, one)


def planted_trigger(log: Speaking) -> None:
    log.execute(
        "CREATE FUNCTION later() RETURNS trigger LANGUAGE plpgsql AS"
        " 'BEGIN new.topic = ''TimeCalled.1''; RETURN new; END'"
    )
    log.execute("CREATE TRIGGER t BEFORE INSERT ON stored_events EXECUTE FUNCTION later()")


def planted_rule(log: Speaking) -> None:
    log.execute("CREATE RULE r AS ON INSERT TO receipts DO INSTEAD NOTHING")


def planted_policy(log: Speaking) -> None:
    log.execute("CREATE POLICY p ON stored_events USING (position <> 7)")


def hidden_rows(log: Speaking) -> None:
    """A row of the table that no look-up by position finds."""
    index = "indexrelid = 'stored_events_pkey'::regclass"
    log.execute(f"UPDATE pg_index SET indisready = false WHERE {index}")
    log.execute(
        "INSERT INTO stored_events SELECT position + 1000, repeat('a', 32), 1, topic, state"
        " FROM stored_events WHERE position = 5"
    )
    log.execute(f"UPDATE pg_index SET indisready = true WHERE {index}")


def leaf_twice(log: Speaking) -> None:
    log.execute("ALTER TABLE leaves DROP CONSTRAINT leaves_stream_version_key")
    log.execute(
        "INSERT INTO leaves SELECT idx + 1, stream, version, leaf FROM leaves"
        " ORDER BY idx DESC LIMIT 1"
    )


def appended_quietly(log: Any) -> None:
    log.execute(
        "INSERT INTO stored_events SELECT (SELECT MAX(position) + 1 FROM stored_events), ?,"
        " MAX(originator_version) + 1, 'IncidentNoted.1', ? FROM stored_events"
        " WHERE originator_id = ?",
        (PARTIDA, state(log, 2), PARTIDA),
    )


def a_view_in_its_place(log: Speaking) -> None:
    log.execute("ALTER TABLE stored_events RENAME TO hidden")
    log.execute("CREATE VIEW stored_events AS SELECT * FROM hidden WHERE position <> 7")


OWN: dict[str, tuple[Callable[[Any], None], str, bool]] = {
    "a trigger planted": (planted_trigger, "store_unsound", True),
    "a rule planted": (planted_rule, "store_unsound", True),
    "a policy planted": (planted_policy, "store_unsound", True),
    "a view in place of the table": (a_view_in_its_place, "store_unsound", True),
    "rows hidden from their index": (hidden_rows, "store_unsound", True),
    "a place in the stream that no verifier can hash": (
        sql(f"UPDATE stored_events SET originator_version = {2**62} WHERE position = 5"),
        "malformed_row",
        True,
    ),
    "a leaf twice": (leaf_twice, "store_unsound", True),
    "an event appended past the program": (appended_quietly, "event_without_leaf", True),
}
ALL = {name: one for name, one in ATTACKS.items() if name not in ELSEWHERE} | OWN


@pytest.fixture
def address(honest: SignedLog, postgres: Server) -> str:
    """The honest log, in PostgreSQL."""
    made = postgres.new_address()
    create_tables(made)
    replace_log_by_file(Path(honest.log), made)
    return made


def test_an_honest_log_has_no_difference(honest: SignedLog, address: str) -> None:
    found = audit_log_from_start(address, honest.kept())
    assert found.wrong == ()
    assert found == audit_log_from_start(honest.log, honest.kept())


def test_a_log_is_signed_where_it_is_written(postgres: Server, tmp_path: Path) -> None:
    signed = SignedLog(tmp_path / "data")
    log = signed.log = postgres.new_address()  # type: ignore[assignment]  # any address will do
    create_tables(log)
    with closing(new_referee(log)) as referee:
        for encuentro in (FIRST, SECOND):
            signed.play(referee, encuentro)
            assert signed.sign()
            signed.take_home(encuentro)
    kept = signed.kept()
    signed.close()
    found = audit_log_from_start(log, kept)
    assert (found.wrong, found.checkpoints) == ((), len(kept.notes) + len(kept.resguardos))
    with closing(connect(log)) as database:
        ATTACKS["a card, and the whole tree anew"][0](Speaking(database))  # type: ignore[arg-type]  # as below
    assert "root_differs" in codes(audit_log_from_start(log, kept))


@pytest.mark.parametrize("name", ALL)
def test_an_attack_is_found(name: str, honest: SignedLog, address: str) -> None:
    attack, code, is_found_inside = ALL[name]
    with closing(connect(address)) as database:
        attack(Speaking(database))  # type: ignore[arg-type]  # it speaks as a file does
    assert code in codes(audit_log_from_start(address, honest.kept()))
    assert bool(audit_log_from_start(address, TrustedNotes()).wrong) == is_found_inside


def test_there_are_enough_of_them() -> None:
    assert len(ALL) >= 27
    assert set(ATTACKS) >= ELSEWHERE
