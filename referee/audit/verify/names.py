"""Verification of names and texts: rows against their seals, references of the log to rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

import msgspec

from referee.log.ports import Rows
from referee.people.persons import Persons
from referee.people.references import NamesTable, references_of

NamesProblem: TypeAlias = Literal[
    "name_altered", "name_missing", "erased_again_there", "erasure_altered", "names_unreadable"
]

_TABLES: tuple[NamesTable, ...] = ("persons", "texts")


class NameDifference(msgspec.Struct, frozen=True):
    """A difference in the file of the names: which row, and the first line that refers to it.

    ``stream`` and ``line``: None where no line of the log is known.
    """

    what: NamesProblem
    table: str = ""
    id: str = ""
    stream: str | None = None
    line: int | None = None


def verify_names(log: Rows, persons: Persons) -> Iterator[NameDifference]:
    """Rows that were not sealed for their id, and references to rows that are not there.

    ``log``: read in a moment that began before, so that every name it refers to is stored already.
    What was erased is missed by nobody; the names may change while this runs.
    """
    erased = persons.erasures()
    there: set[tuple[NamesTable, str]] = set()
    for table in _TABLES:
        for one, is_intact in persons.rows(table):
            there.add((table, one))
            if not is_intact:
                yield NameDifference("name_altered", table, one)
            elif one in erased:
                yield NameDifference("erased_again_there", table, one)
    erased = persons.erasures()
    for one, is_ours in erased.items():
        if not is_ours:
            yield NameDifference("erasure_altered", "erased", one)
    if "erasures" not in persons.sealed_parts():
        return
    for table, one, event in references_of(log):
        if (table, one) not in there and not erased.get(one):
            yield NameDifference("name_missing", table, one, str(event.originator_id), event.line)
