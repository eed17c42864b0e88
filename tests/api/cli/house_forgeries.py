"""Forgeries of the files of a house besides its log: what somebody who has the machine may write."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

Forgery = Callable[[Path], None]
"""A function on a copy of a data folder."""


class WrittenForgery:
    """Statements run on a file of the folder, without its locks."""

    def __init__(self, file: str, *statements: str) -> None:
        self.file, self.statements = file, statements

    def __call__(self, folder: Path) -> None:
        with closing(sqlite3.connect(folder / self.file, isolation_level=None)) as db:
            for one in self.statements:
                changed = db.execute(one).rowcount
                assert changed != 0, one


def statements_of(forgery: Forgery) -> tuple[str, ...]:
    """What a forgery writes, in the words of any engine."""
    assert isinstance(forgery, WrittenForgery)
    return forgery.statements


def in_views(*statements: str) -> Forgery:
    return WrittenForgery("views.sqlite", *statements)


def in_names(*statements: str) -> Forgery:
    return WrittenForgery("persons.sqlite", *statements)


def gone(file: str) -> Forgery:
    def forge(folder: Path) -> None:
        (folder / file).unlink()

    return forge


_TWO_NAMES = """UPDATE persons SET (wrapped, sealed) = (
    SELECT wrapped, sealed FROM persons AS other WHERE other.id <> persons.id ORDER BY id LIMIT 1)"""

VIEWS: dict[str, tuple[Forgery, str]] = {
    "the winner of an encuentro": (
        in_views(
            'UPDATE encuentro SET official = replace(official, \'"winner":"A"\', \'"winner":"B"\')'
        ),
        "view_row_differs",
    ),
    "what a board shows": (
        in_views("UPDATE board_partida SET public = replace(public, '\"A1\"', '\"B1\"')"),
        "view_row_differs",
    ),
    "a warning moved to the other side": (
        in_views("UPDATE warning SET side = CASE side WHEN 'A' THEN 'B' ELSE 'A' END"),
        "view_row_differs",
    ),
    "a case taken out": (in_views("DELETE FROM case_file"), "view_row_missing"),
    "a player put in": (
        in_views("INSERT INTO player VALUES ('x', 'x', '', '', 1)"),
        "view_row_extra",
    ),
    "a trigger in the views": (
        in_views(
            "CREATE TRIGGER t AFTER INSERT ON partida BEGIN UPDATE partida SET official = '{}'; END"
        ),
        "view_schema_differs",
    ),
    "views of another house": (
        in_views("UPDATE followed SET mark = 'x'"),
        "views_of_another_log",
    ),
}
NAMES: dict[str, tuple[Forgery, str]] = {
    "two names swapped": (in_names(_TWO_NAMES), "name_altered"),
    "a name under another id": (
        in_names(
            "UPDATE persons SET id = 'x' || substr(id, 2) WHERE id = (SELECT MIN(id) FROM persons)"
        ),
        "name_altered",
    ),
    "a text moved to the names": (
        in_names("INSERT INTO persons SELECT * FROM texts LIMIT 1"),
        "name_altered",
    ),
    "bytes of a name changed": (
        in_names("UPDATE persons SET sealed = wrapped"),
        "name_altered",
    ),
    "a name taken out": (
        in_names("DELETE FROM persons WHERE id = (SELECT MIN(id) FROM persons)"),
        "name_missing",
    ),
    "a text taken out": (in_names("DELETE FROM texts"), "name_missing"),
    "a name taken out and called erased": (
        in_names(
            "INSERT INTO erased SELECT id, zeroblob(32) FROM persons",
            "DELETE FROM persons",
        ),
        "erasure_altered",
    ),
    "a name taken out, with the mark of an erasure": (
        in_names(
            "INSERT INTO erased SELECT id, (SELECT MIN(mark) FROM erased) FROM persons",
            "DELETE FROM persons",
        ),
        "name_missing",
    ),
    "the register of erasures emptied": (in_names("DELETE FROM erased"), "name_missing"),
    "an erased name brought back": (
        in_names(
            "INSERT INTO persons SELECT erased.id, persons.wrapped, persons.sealed"
            " FROM erased, persons LIMIT 1",
        ),
        "name_altered",
    ),
    "the file of the names taken away": (gone("persons.sqlite"), "names_unreadable"),
}
RECEIPTS: dict[str, tuple[Forgery, str]] = {
    "a receipt of events that are not there": (
        WrittenForgery(
            "log.sqlite", "UPDATE receipts SET result = replace(result, '[[\"', '[[\"0')"
        ),
        "receipt_astray",
    ),
    "a receipt with another position": (
        WrittenForgery(
            "log.sqlite",
            "UPDATE receipts SET result = replace(result, '\"position\":', '\"position\":1')",
        ),
        "receipt_differs",
    ),
    "a receipt of another write": (
        WrittenForgery(
            "log.sqlite",
            "UPDATE receipts SET (digest, result) = (SELECT digest, result FROM receipts AS other"
            " WHERE other.key <> receipts.key ORDER BY key LIMIT 1)",
        ),
        "receipt_twice",
    ),
}


def in_accounts(*statements: str) -> Forgery:
    return WrittenForgery("access.sqlite", *statements)


ACCOUNTS: dict[str, tuple[Forgery, str]] = {
    "a password replaced": (
        in_accounts("UPDATE account SET password = (SELECT password FROM account LIMIT 1) || 'x'"),
        "access_row_altered",
    ),
    "an account under the name of another": (
        in_accounts("UPDATE account SET name = 'Zoe' WHERE name = 'Pilar'"),
        "access_row_altered",
    ),
    "an account put in": (
        in_accounts("INSERT INTO account SELECT 'x', 'Zoe', password, seal FROM account LIMIT 1"),
        "account_without_grant",
    ),
    "an account taken out": (in_accounts("DELETE FROM account"), "grant_without_account"),
    "a session of somebody else": (
        in_accounts("UPDATE token SET holder = 'x'"),
        "access_row_altered",
    ),
    "a session that never ends": (
        in_accounts("UPDATE token SET until = until + 1e9"),
        "access_row_altered",
    ),
    "an invitation to a higher role": (
        in_accounts("UPDATE offer SET role = 'admin'"),
        "access_row_altered",
    ),
    "the second factor taken off": (
        in_accounts("DELETE FROM factor"),
        "access_row_altered",
    ),
    "a code for recovery put in": (
        in_accounts("INSERT INTO recovery SELECT x'00', holder, seal FROM recovery LIMIT 1"),
        "access_row_altered",
    ),
    "the file of the accounts taken away": (gone("access.sqlite"), "grant_without_account"),
}
