"""Seals and notes that files of an earlier version lack, added once at the first start."""

from __future__ import annotations

from contextlib import closing

from referee.access.keys import Keys
from referee.access.security_log import SecurityLog
from referee.log.ports import Address
from referee.log.stores import is_there, open_rows
from referee.people.persons import Persons
from referee.people.references import first_references_in_log


def add_missing_seals(log: Address, persons: Persons, keys: Keys, security: SecurityLog) -> None:
    """Seal account rows of an earlier version, and record which names were missing by then.

    From then on a name that is not there was erased or somebody deleted it, and a row without its
    seal is of somebody else.
    """
    done = persons.parts_noted_as_sealed()
    if "erasures" not in done:
        missing = missing_names(log, persons)
        persons.note_part_as_sealed("erasures", missing)
        security.note("sealed", about="persons", detail=str(len(missing)))
    if "accounts" not in done:
        rows = keys.tables.seal_every_row()
        persons.note_part_as_sealed("accounts")
        security.note("sealed", about="accounts", detail=str(rows))


def missing_names(log: Address, persons: Persons) -> list[str]:
    """Ids of names and texts that the log refers to and the store of names does not have."""
    missing: list[str] = []
    if is_there(log):
        there = {
            (table, one)
            for table in ("persons", "texts")
            for one, _ in persons.ids_and_soundness(table)
        }
        with closing(open_rows(log)) as rows:
            missing = [
                one for table, one, _ in first_references_in_log(rows) if (table, one) not in there
            ]
    return missing
