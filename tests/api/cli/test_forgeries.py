"""Forgeries of a house: the command that the page of attacks names finds each of them."""

from __future__ import annotations

import json
import runpy
import shutil
import time
from contextlib import closing
from pathlib import Path

import psycopg
import pyotp
import pytest
from psycopg.sql import SQL

from api.server import wiring
from api.server.data_folder import LOG_VARIABLE, Files
from api.server.moving.move import destination_files, move_house
from referee.access.keys import Offer
from referee.events import RoleGranted
from tests.api.cases.test_actas import disputed_partida
from tests.api.cli.house_forgeries import (
    ACCOUNTS,
    NAMES,
    RECEIPTS,
    VIEWS,
    Forgery,
    WrittenForgery,
    statements_of,
)
from tests.api.cli.test_cli import guinote, lines
from tests.support.places import ROOT
from tests.support.servers.http_table import HttpTable
from tests.support.servers.one_log import META
from tests.support.servers.own_postgres import Server

FORGERIES: dict[str, tuple[Forgery, str]] = {**VIEWS, **NAMES, **RECEIPTS, **ACCOUNTS}


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a club, with an erased name that the log refers to."""
    folder = tmp_path_factory.mktemp("house")
    table = HttpTable(folder)
    disputed_partida(table)
    listed = table.post("/api/v1/players", {"name": "Zoe", "nickname": "La Zurda"})
    assert listed.status_code == 201, listed.text
    gone = listed.json["players"][0]
    erased = table.client.delete(
        f"/api/v1/persons/{gone}", headers={**table.owner(), "Idempotency-Key": table.key()}
    )
    assert erased.status_code == 204, erased.text
    table.get("/api/v1/players")
    with_accounts(table)
    table.close()
    return folder


def with_accounts(table: HttpTable) -> None:
    """Two accounts with a session each, one with a second factor, and an open invitation."""
    services = table.app.extensions["guinote"]()
    for name in ("Pilar", "Luis"):
        holder = services.keys.open_account(name, f"la baraja de {name} 1936")
        services.referee.roles.record(RoleGranted(holder, "admin"), META)
        services.keys.give_token("session", holder)
    services.keys.make_offer("invitation", Offer("arbiter", "", holder))
    secret = services.factors.propose(holder)
    assert services.factors.confirm(holder, pyotp.TOTP(secret).at(int(time.time())))


@pytest.fixture
def copy(honest: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(honest, tmp_path / "copy"))


def found(folder: Path) -> list[str]:
    """Codes of the differences, as the command prints them."""
    code, out, errors = guinote("verify", data=folder)
    codes = [one["what"] for one in lines(out)]
    assert code == (1 if codes else 0), errors
    return codes


def test_an_honest_house_has_no_difference(copy: Path) -> None:
    assert found(copy) == []


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_found_by_the_command_that_the_page_names(name: str, copy: Path) -> None:
    forge, code = FORGERIES[name]
    forge(copy)
    assert code in found(copy)


IN_POSTGRES = {
    name: FORGERIES[name]
    for name in (
        "two names swapped",
        "the register of erasures emptied",
        "an erased name brought back",
        "a password replaced",
        "an account put in",
        "a session that never ends",
        "the second factor taken off",
    )
}


def test_the_same_forgeries_are_found_in_postgresql(
    copy: Path, postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = postgres.new_address()
    house = Files(copy)
    move_house(house, destination_files(house, address))
    monkeypatch.setenv(LOG_VARIABLE, address)
    assert found(copy) == []
    with psycopg.connect(address, autocommit=True) as db:
        tables = ("persons", "erased", "account", "token", "factor")
        for table in tables:
            db.execute(SQL("CREATE TEMP TABLE kept_{0} AS TABLE {0}").format(SQL(table)))
        for name, (forge, code) in IN_POSTGRES.items():
            for statement in statements_of(forge):
                assert db.execute(statement.encode()).rowcount != 0, name
            assert code in found(copy), name
            for table in tables:
                db.execute(SQL("DELETE FROM {0}").format(SQL(table)))
                db.execute(SQL("INSERT INTO {0} TABLE kept_{0}").format(SQL(table)))
    assert found(copy) == []


def test_the_page_of_forgeries_lists_each_with_its_command() -> None:
    generator = runpy.run_path(str(ROOT / "docs" / "generate_forgeries.py"))
    page = generator["PAGE"].read_text("utf-8")
    assert page == generator["written"](), "run docs/generate_forgeries.py"
    for name, (_, code) in FORGERIES.items():
        assert f"| {name} | `guinote verify` | `{code}` |" in page


def test_a_difference_of_the_names_says_which_line_refers_to_them(copy: Path) -> None:
    NAMES["a name taken out"][0](copy)
    one = json.loads(guinote("verify", data=copy)[1].splitlines()[0])
    assert (one["what"], one["table"]) == ("name_missing", "persons")
    assert (len(one["id"]), len(one["stream"]), one["line"] > 0) == (32, 36, True)


def test_a_replaced_password_signs_nobody_in(copy: Path) -> None:
    words = {name: f"la baraja de {name} 1936" for name in ("Pilar", "Luis")}
    where = wiring.files_of_folder(copy)
    with closing(wiring.open_accounts(where)) as keys:
        assert all(keys.find_account_by_password(name, word) for name, word in words.items())
    WrittenForgery(
        "access.sqlite",
        "UPDATE account SET password = (SELECT password FROM account WHERE name = 'Luis')"
        " WHERE name = 'Pilar'",
    )(copy)
    with closing(wiring.open_accounts(where)) as keys:
        assert keys.find_account_by_password("Pilar", words["Luis"]) is None
        assert keys.find_account_by_password("Luis", words["Luis"])
