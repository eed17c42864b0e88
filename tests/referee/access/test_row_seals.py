"""Rows that let somebody in count only as the program wrote them, under the key of the house."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from api.server import wiring
from referee.access.keys import Keys, Offer
from referee.access.tables import ACCESS_LAYOUT
from referee.log.ports import Address
from referee.store.databases import open_database

WORD = "sota, caballo y rey"


def opened(address: Address, key: bytes = b"k" * 32) -> Keys:
    return Keys(address, clock=lambda: 1_000.0, random=secrets.token_bytes, key=lambda: key)


@pytest.fixture
def keys(address: Address) -> Iterator[Keys]:
    with closing(opened(address)) as found:
        yield found


def write(address: Address, statement: str, *values: object) -> None:
    with closing(open_database(address, ACCESS_LAYOUT)) as found, found.transaction() as db:
        assert db.execute(statement, values).rowcount == 1


@pytest.mark.parametrize(
    ("change", "values"),
    [
        ("UPDATE account SET name = 'Luis'", ()),
        ("UPDATE account SET holder = 'other'", ()),
        ("UPDATE account SET seal = NULL", ()),
        ("UPDATE account SET seal = ?", (bytes(32),)),
        ("INSERT INTO factor (holder, stage) SELECT holder, 'active' FROM account", ()),
    ],
)
def test_an_account_that_was_changed_signs_nobody_in(
    keys: Keys, address: Address, change: str, values: tuple[object, ...]
) -> None:
    holder = keys.open_account("Pilar", WORD)
    assert keys.find_account_by_password("Pilar", WORD) == holder
    write(address, change, *values)
    assert (
        keys.find_account_by_password("Pilar", WORD),
        keys.find_account_by_password("Luis", WORD),
    ) == (None, None)
    assert [one.table for one in keys.tables.wrong_rows()] == ["account"]


@pytest.mark.parametrize("change", ["holder = 'x'", "until = until + 1", "kind = 'device'"])
def test_a_token_that_was_changed_opens_nothing(keys: Keys, address: Address, change: str) -> None:
    token = keys.give_token("session", "ana")
    assert keys.holder_id_of_token(token) == "ana"
    write(address, "UPDATE token SET used = 999.0, agent = 'Firefox'")  # no right depends on them
    assert (keys.holder_id_of_token(token), keys.tables.wrong_rows()) == ("ana", [])
    write(address, f"UPDATE token SET {change}")
    assert keys.holder_id_of_token(token) is None
    assert [(one.table, one.id) for one in keys.tables.wrong_rows()] == [
        ("token", keys.all_valid_tokens()[0].id)
    ]


@pytest.mark.parametrize("change", ["role = 'admin'", "encuentro = ''", "\"by\" = 'owner'"])
def test_an_offer_that_was_changed_is_none(keys: Keys, address: Address, change: str) -> None:
    secret = keys.make_offer("invitation", Offer("scorer", "e", "ana"))
    assert keys.find_offer("invitation", secret)
    write(address, f"UPDATE offer SET {change}")
    assert keys.find_offer("invitation", secret) is None
    assert keys.try_use_up_offer("invitation", secret) is None


def test_rows_of_another_house_count_for_nothing(keys: Keys, address: Address) -> None:
    holder, token = keys.open_account("Pilar", WORD), keys.give_token("session", "ana")
    with closing(opened(address, b"o" * 32)) as other:
        assert (other.find_account_by_password("Pilar", WORD), other.holder_id_of_token(token)) == (
            None,
            None,
        )
    assert keys.find_account_by_password("Pilar", WORD) == holder


def test_a_house_of_before_is_sealed_once(tmp_path: Path) -> None:
    """What is written without a seal after the first start is not sealed by the next."""
    where = wiring.files_of_folder(tmp_path)
    with closing(wiring.open_persons(where)) as persons:
        row = persons._seal.seal_text_under_new_key(
            "check", "master", ""
        )  # as a file of before has it
        with persons._db.transaction() as db:
            db.execute("UPDATE master SET wrapped = ?, sealed = ?", row)
    with closing(wiring.open_accounts(where)) as made:
        holder = made.open_account("Pilar", WORD)
    write(where.accounts, "UPDATE account SET seal = NULL")
    for seals in (True, False):
        services = wiring.LazyServices(where, with_projector=False)
        found = services()
        assert found.keys.find_account_by_password("Pilar", WORD) == (holder if seals else None)
        noted = [(one.about, one.detail) for one in found.security.latest_entries(9, kind="sealed")]
        assert noted == [("accounts", "1"), ("persons", "0")]
        services.close()
        write(where.accounts, "UPDATE account SET seal = NULL")
