"""The rules of the club, with all their editions."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from referee.events import RulesId, TextId


class RulesRow(NamedTuple):
    """An edition of a set of rules. ``at``: when it was stated; ``place``: of the set in a list.

    ``changes``: changed options as JSON. Name and ``retired`` are those of the whole set.
    """

    rules: RulesId
    edition: int
    place: int
    name: TextId
    base: str
    base_edition: str
    changes: str
    at: str
    retired: bool


def rules_rows(cursor: sqlite3.Cursor) -> list[RulesRow]:
    """Every edition of every set of rules, in the order the sets were made, the oldest first."""
    cursor.execute(f"SELECT {', '.join(RulesRow._fields)} FROM club_rules ORDER BY place, edition")  # noqa: S608 - names of columns
    return [RulesRow(*row) for row in cursor]
