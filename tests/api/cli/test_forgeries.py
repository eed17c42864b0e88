"""Forgeries of a house: the command that the page of attacks names finds each of them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.api.cases.test_actas import disputed_partida
from tests.api.cli.test_cli import guinote, lines
from tests.support.proofs.house_forgeries import NAMES, RECEIPTS, VIEWS, Forgery
from tests.support.servers.http_table import HttpTable

FORGERIES: dict[str, tuple[Forgery, str]] = {**VIEWS, **NAMES, **RECEIPTS}


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
    table.close()
    return folder


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


def test_a_difference_of_the_names_says_which_line_refers_to_them(copy: Path) -> None:
    NAMES["a name taken out"][0](copy)
    one = json.loads(guinote("verify", data=copy)[1].splitlines()[0])
    assert (one["what"], one["table"]) == ("name_missing", "persons")
    assert (len(one["id"]), len(one["stream"]), one["line"] > 0) == (32, 36, True)
