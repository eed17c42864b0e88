"""Verification of what is beside the log: names, texts and accounts, rows against their seals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, TypeAlias

import msgspec

from referee.access.keys import Keys
from referee.aggregates.access import OWNER, Access
from referee.events import HolderId
from referee.log.ports import Rows
from referee.people.persons import Persons
from referee.people.references import NamesTable, first_references_in_log

NamesProblem: TypeAlias = Literal[
    "name_altered", "name_missing", "erased_again_there", "erasure_altered", "names_unreadable"
]

_TABLES: tuple[NamesTable, ...] = ("persons", "texts")
AccountsProblem: TypeAlias = Literal[
    "access_row_altered",
    "account_without_grant",
    "grant_without_account",
    "token_without_grant",
    "accounts_unreadable",
]


class NameDifference(msgspec.Struct, frozen=True):
    """A difference in the file of the names: which row, and the first line that refers to it.

    ``stream`` and ``line``: None where no line of the log is known.
    """

    what: NamesProblem
    table: str = ""
    id: str = ""
    stream: str | None = None
    line: int | None = None


def differences_in_names(log: Rows, persons: Persons) -> Iterator[NameDifference]:
    """Differences in the store of names.

    Rows not sealed for their id, and references of the log to missing rows.

    ``log``: read in a moment that began before, so that every name it refers to is stored already.
    What was erased is missed by nobody; the names may change while this runs.
    """
    erased = persons.erasures_with_soundness()
    there: set[tuple[NamesTable, str]] = set()
    for table in _TABLES:
        for one, is_intact in persons.ids_and_soundness(table):
            there.add((table, one))
            if not is_intact:
                yield NameDifference("name_altered", table, one)
            elif one in erased:
                yield NameDifference("erased_again_there", table, one)
    erased = persons.erasures_with_soundness()
    for one, is_ours in erased.items():
        if not is_ours:
            yield NameDifference("erasure_altered", "erased", one)
    if "erasures" not in persons.parts_noted_as_sealed():
        return
    for table, one, event in first_references_in_log(log):
        if (table, one) not in there and not erased.get(one):
            yield NameDifference("name_missing", table, one, str(event.originator_id), event.line)


class AccountDifference(msgspec.Struct, frozen=True):
    """A difference in the accounts and keys: the table, the id of the row, its holder."""

    what: AccountsProblem
    table: str = ""
    id: str = ""
    holder: str = ""


def differences_in_accounts(
    granted: Callable[[], Access], keys: Keys, *, are_sealed: bool
) -> Iterator[AccountDifference]:
    """Differences in the accounts.

    Rows that this program did not write, and accounts and tokens without a grant on the log.

    ``granted``: reads access from the log; it is read before and after the rows, until it stayed
    the same meanwhile. ``are_sealed``: not so in data of before that was never served since.
    """
    if are_sealed:
        for row in keys.tables.wrong_rows():
            yield AccountDifference("access_row_altered", *row)
    access, accounts, tokens = granted(), keys.account_names(), keys.all_valid_tokens()
    while (now := granted()).version != access.version:
        access, accounts, tokens = now, keys.account_names(), keys.all_valid_tokens()
    for holder in accounts:
        if access.active_holder(holder) is None:
            yield AccountDifference("account_without_grant", "account", holder, holder)
    yield from missing_account_differences(access, accounts)
    for token in tokens:
        if token.holder != OWNER and access.active_holder(token.holder) is None:
            yield AccountDifference("token_without_grant", "token", token.id, token.holder)


def missing_account_differences(
    access: Access, accounts: Iterable[HolderId] = ()
) -> Iterator[AccountDifference]:
    """Differences for accounts that have a role on the log and no row.

    Devices are left out, since theirs expire.
    """
    known = frozenset(accounts)
    for holder, one in sorted(access.holders.items()):
        if one.kind == "account" and one.is_active and holder not in known:
            yield AccountDifference("grant_without_account", "account", holder, holder)
