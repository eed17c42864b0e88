"""Findings beside the lines of a record."""

from __future__ import annotations

from msgspec.structs import replace

from referee.rules.articles import ABOUT, Rule
from referee.rules.seats import Seat
from referee.table.state import Finding, Line, Table


def note(
    table: Table, line: Line, rule: Rule, seat: Seat = "", known_at: Line = 0, **facts: str
) -> Table:
    """The table with another finding, and its cost if an option gives one."""
    cost = ABOUT[rule].cost
    if cost:
        facts["costs"] = getattr(table.options, cost)
    found = Finding(line, rule, seat, known_at or line, tuple(sorted(facts.items())))
    return replace(table, findings=(*table.findings, found))
