"""Verification of accounts: each row against its seal, accounts and tokens against the grants."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, TypeAlias

import msgspec

from referee.access.keys import Keys
from referee.aggregates.access import OWNER, Access
from referee.events import HolderId

AccountsProblem: TypeAlias = Literal[
    "access_row_altered",
    "account_without_grant",
    "grant_without_account",
    "token_without_grant",
    "accounts_unreadable",
]


class AccountDifference(msgspec.Struct, frozen=True):
    """A difference in the accounts and keys: the table, the id of the row, its holder."""

    what: AccountsProblem
    table: str = ""
    id: str = ""
    holder: str = ""


def verify_accounts(
    granted: Callable[[], Access], keys: Keys, *, are_sealed: bool
) -> Iterator[AccountDifference]:
    """Rows of another hand, and accounts and tokens that do not fit the grants of the log.

    ``granted``: reads access from the log; it is read before and after the rows, until it stayed
    the same meanwhile. ``are_sealed``: not so in data of before that was never served since.
    """
    if are_sealed:
        for row in keys.tables.wrong_rows():
            yield AccountDifference("access_row_altered", *row)
    access, accounts, tokens = granted(), keys.names(), keys.tokens()
    while (now := granted()).version != access.version:
        access, accounts, tokens = now, keys.names(), keys.tokens()
    for holder in accounts:
        if access.active(holder) is None:
            yield AccountDifference("account_without_grant", "account", holder, holder)
    yield from grants_without_account(access, accounts)
    for token in tokens:
        if token.holder != OWNER and access.active(token.holder) is None:
            yield AccountDifference("token_without_grant", "token", token.id, token.holder)


def grants_without_account(
    access: Access, accounts: Iterable[HolderId] = ()
) -> Iterator[AccountDifference]:
    """Accounts that hold a role by the log, and have no row. A device has none once it expired."""
    known = frozenset(accounts)
    for holder, one in sorted(access.holders.items()):
        if one.kind == "account" and one.is_active and holder not in known:
            yield AccountDifference("grant_without_account", "account", holder, holder)
