"""Names, accounts and security log of before, in files beside a log in PostgreSQL, are taken over once."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from api.server.data_folder import Files
from api.server.wiring import open_accounts, open_persons, open_security_log
from tests.support.servers.own_postgres import Server

WORD = "caballo de copas"


def house_of_before(folder: Path, name: str) -> str:
    """Accounts and security log in files; returns the id of an account."""
    before = Files(folder)
    with closing(open_accounts(before)) as keys:
        holder = keys.open_account(name, WORD)
    with closing(open_security_log(before)) as log:
        log.note("account_opened", about=holder)
    return holder


def test_files_of_before_are_taken_over_at_the_first_start_and_only_then(
    postgres: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    holder, now = house_of_before(tmp_path, "Pilar"), Files(tmp_path, postgres.new_address())

    def start(_: int) -> list[str]:
        with closing(open_accounts(now)) as keys, closing(open_security_log(now)) as log:
            assert keys.find_account_by_password("Pilar", WORD) == holder
            assert keys.tables.wrong_rows() == []
            return [one.about for one in log.latest_entries(9)]

    with ThreadPoolExecutor(3) as workers:
        assert list(workers.map(start, range(3))) == [[holder]] * 3
    moved = [f"{tmp_path / name}.sqlite" for name in ("access", "persons", "security")]
    said = capsys.readouterr().err.splitlines()
    assert sorted(line.partition(":")[0] for line in said) == moved
    assert sorted(map(str, tmp_path.glob("*.moved"))) == [f"{one}.moved" for one in moved]
    assert not [one for one in tmp_path.iterdir() if one.suffix == ".sqlite"]
    with closing(open_security_log(now)) as log:
        log.note("sign_in", by=holder)
        assert [one.number for one in log.latest_entries(9)] == [2, 1]


def test_accounts_of_a_second_folder_are_not_mixed_with_those_of_the_house(
    postgres: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address, first, second = postgres.new_address(), tmp_path / "first", tmp_path / "second"
    first.mkdir()
    open_persons(Files(first)).close()
    shutil.copytree(first, second)  # of one master key
    holders = [house_of_before(folder, folder.name) for folder in (first, second)]
    open_accounts(Files(first, address)).close()
    capsys.readouterr()
    with closing(open_accounts(Files(second, address))) as keys:
        assert keys.account_names() == {holders[0]: "first"}
    assert "access.sqlite: not used" in capsys.readouterr().err
    assert (second / "access.sqlite").exists()
