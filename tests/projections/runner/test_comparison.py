"""The views against a rebuild: what somebody wrote into them is found, what is only behind is not."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from projections.every import every_projection
from projections.runner.comparison import NotCompared, ViewDifference, compare_views
from projections.runner.projection import FoldedBatch, Projection
from referee.application import Referee
from referee.events import PairNamed, PlayerListed
from referee.log.ports import Address
from referee.log.stores import open_for_audit
from tests.support.servers.one_log import ENCUENTRO, META, PARTIDA
from tests.support.servers.read_side import IN_A_FILE, Side, record_much, referee, side

__all__ = ["referee", "side"]  # fixtures


def differences(address: Address, path: Path) -> list[ViewDifference]:
    with closing(open_for_audit(address)) as log:
        return list(compare_views(path, log, every_projection))


def forged(path: Path, *statements: str) -> None:
    """Statements written into the file, as somebody does who has the machine."""
    with closing(sqlite3.connect(path, isolation_level=None)) as views:
        for one in statements:
            views.execute(one)


@pytest.fixture
def followed(referee: Referee, side: Callable[..., Side]) -> Path:
    """Views of every kind of row that a small log gives, at the end of the log."""
    listed = [PlayerListed(person) for person in ("ana", "blas", "celia")]
    referee.players.record([*listed, PairNamed("pareja", ("ana", "blas"))], META)
    record_much(referee, 6)
    one = side("views.db", *every_projection())
    one.catch_up()
    return one.views.path


def test_views_that_were_followed_have_no_difference(address: Address, followed: Path) -> None:
    assert differences(address, followed) == []


def test_views_that_are_behind_have_no_difference(
    address: Address, followed: Path, referee: Referee
) -> None:
    record_much(referee, 6)
    referee.players.record([PlayerListed("zoe")], META)
    assert differences(address, followed) == []
    forged(followed, "UPDATE partida SET number = 9")
    assert {one.what for one in differences(address, followed)} == {"view_row_differs"}


def test_they_are_compared_while_a_service_writes_to_both(
    address: Address, followed: Path, referee: Referee, side: Callable[..., Side]
) -> None:
    other = side("views.db", *every_projection())
    with closing(open_for_audit(address)) as log:
        found = compare_views(followed, log, every_projection, lambda *_: record_and_follow())

        def record_and_follow() -> None:
            record_much(referee, 2)
            other.catch_up()

        assert list(found) == []
    assert differences(address, followed) == []


FORGERIES: dict[str, tuple[str, dict[str, Any]]] = {
    "a value inside a view": (
        "UPDATE encuentro SET official = replace(official, '\"players\":4', '\"players\":3')",
        {
            "what": "view_row_differs",
            "view": "scores",
            "table": "encuentro",
            "key": (str(ENCUENTRO),),
            "column": "official.players",
            "stored": 3,
            "computed": 4,
        },
    ),
    "a view that is no JSON": (
        "UPDATE board_partida SET public = '{' || public",
        {"what": "view_row_differs", "column": "public", "key": (str(PARTIDA),)},
    ),
    "text that is not UTF-8": (
        "UPDATE player SET club = CAST(x'82' AS TEXT) WHERE person = 'ana'",
        {"what": "view_row_differs", "column": "club", "stored": "\ufffd", "computed": ""},
    ),
    "a number": (
        "UPDATE encuentro SET opened = opened + 1",
        {"what": "view_row_differs", "column": "opened"},
    ),
    "two keys exchanged": (
        "UPDATE player SET person = CASE person WHEN 'ana' THEN 'zoe' ELSE person END",
        {"what": "view_row_missing", "key": ("ana",), "stored": None},
    ),
    "a row taken out": (
        "DELETE FROM pair",
        {"what": "view_row_missing", "view": "players", "table": "pair", "key": ("pareja",)},
    ),
    "a row put in": (
        "INSERT INTO player VALUES ('zoe', 'zoe', '', '', 1)",
        {"what": "view_row_extra", "key": ("zoe",), "computed": None},
    ),
    "a row without a key": (
        "INSERT INTO rating VALUES ('player', '', x'00', 1500.0, 1.0, 1.0)",
        {"what": "view_row_extra", "table": "rating"},
    ),
    "a trigger": (
        "CREATE TRIGGER t AFTER INSERT ON pair BEGIN DELETE FROM pair; END",
        {"what": "view_schema_differs", "table": "t", "computed": None},
    ),
    "a table taken out": ("DROP TABLE rating", {"what": "view_schema_differs", "table": "rating"}),
    "a position of another log": (
        "UPDATE followed SET mark = 'x'",
        {"what": "views_of_another_log"},
    ),
    "a position beyond the log": (
        "UPDATE followed SET position = position + 1000",
        {"what": "views_of_another_log"},
    ),
    "an empty file": ("DROP TABLE followed", {"what": "views_unsound"}),
}


@IN_A_FILE
@pytest.mark.parametrize("name", FORGERIES)
def test_what_was_written_into_the_views_is_found(
    name: str, address: Address, followed: Path
) -> None:
    statement, expected = FORGERIES[name]
    forged(followed, statement)
    first = differences(address, followed)[0]
    assert {field: getattr(first, field) for field in expected} == expected


@IN_A_FILE
def test_rows_hidden_from_an_index_are_found(address: Address, followed: Path) -> None:
    """Answers that go by an index would lack the rows, while the table has them all."""
    forged(
        followed,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = sql || ' WHERE number > 1' WHERE name = 'board_partida_of'",
    )
    whats = {one.what for one in differences(address, followed)}
    assert "view_schema_differs" in whats
    assert "views_unsound" in whats


class Third(Projection):
    """A view of one number."""

    name = "third"
    version = 1
    tables: Mapping[str, str] = {"third": "CREATE TABLE third (id TEXT PRIMARY KEY, value REAL)"}

    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        cursor.execute("INSERT OR REPLACE INTO third VALUES ('a', ?)", (1 / 3,))


@IN_A_FILE
def test_a_rating_may_differ_in_its_last_digits(
    address: Address, side: Callable[..., Side]
) -> None:
    """Another processor gives another last digit, and that is nobody's forgery."""
    one = side("third.db", Third())
    one.catch_up()
    with closing(open_for_audit(address)) as log:
        for change, expected in (("1e-15", 0), ("1e-6", 1)):
            forged(one.views.path, f"UPDATE third SET value = value + {change}")
            assert len(list(compare_views(one.views.path, log, lambda: (Third(),)))) == expected


@IN_A_FILE
def test_views_that_will_be_rebuilt_are_not_compared(address: Address, followed: Path) -> None:
    with pytest.raises(NotCompared, match="no views"):
        differences(address, followed.with_name("none.db"))
    forged(followed, "UPDATE followed SET fingerprint = 'of another version'")
    with pytest.raises(NotCompared, match="another version"):
        differences(address, followed)
