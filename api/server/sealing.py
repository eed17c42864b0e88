"""What files of an earlier version lack is added once, at the first start, and noted."""

from __future__ import annotations

from contextlib import closing

from referee.access.security_log import SecurityLog
from referee.log.ports import Address
from referee.log.stores import is_there, open_rows
from referee.people.persons import Persons
from referee.people.references import references_of


def note_earlier_erasures(log: Address, persons: Persons, security: SecurityLog) -> None:
    """Note as erased whatever the log refers to and is not there, if no erasure was noted so far.

    From then on a name that is not there was erased, or somebody deleted it.
    """
    if persons.notes_erasures:
        return
    missing: list[str] = []
    if is_there(log):
        there = {(table, one) for table in ("persons", "texts") for one, _ in persons.rows(table)}
        with closing(open_rows(log)) as rows:
            missing = [one for table, one, _ in references_of(rows) if (table, one) not in there]
    persons.note_erasures(missing)
    security.note("sealed", about="persons", detail=str(len(missing)))
