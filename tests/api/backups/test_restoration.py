"""A backup put in the place of the house on its page: looked at, confirmed, swapped at a start."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from api.backups.places import BEFORE, WAITING, BackupPlaces
from api.server.backup import put_database
from api.server.data_folder import Files
from api.server.house import assert_one_house
from api.server.own_schema import KEYS, LOG, PERSONS
from api.server.restoration.preparation import prepare_restoration, restoration_folder
from api.server.restoration.swap import back_up_present, finish_restoration
from referee.aggregates.access import OWNER
from tests.support.servers.accounts import OURS, owner
from tests.support.servers.club_tables import Club
from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

PAGE = "/casa/copias"
NAMES = ("Pilar", "Joaquín", "Blanca", "Fermín")


def places(table: HttpTable) -> BackupPlaces:
    found: BackupPlaces = table.app.extensions["backups"]
    return found


def acts(table: HttpTable) -> int:
    return int(table.app.extensions["guinote"]().referee.position())


def last_restoration(folder: Path) -> dict[str, Any]:
    file = folder / "restored.json"
    return dict(json.loads(file.read_text())) if file.exists() else {}


def test_a_backup_is_asked_about_prepared_and_waits_for_the_next_start(table: HttpTable) -> None:
    client, ended = owner(table), list[str]()
    name = places(table).make_backup(datetime.now(UTC))
    path = f"{PAGE}/{name}/vuelta"
    assert "guinote restore --force" in client.get(f"{PAGE}/{name}").text
    assert client.get(path).status_code == 404  # nobody would start this server again
    places(table).restart = lambda: ended.append("ended")
    assert f'href="{path}"' in client.get(f"{PAGE}/{name}").text
    assert "Antes se guarda una copia" in client.get(path).text
    table.encuentro()
    before = acts(table)
    assert "Poniendo la copia" in client.post(path, headers=OURS).text
    assert ended == ["ended"]
    assert client.get(f"{PAGE}/vuelta").json == {"waits": True}
    assert acts(table) == before
    assert client.post(path, headers=OURS).status_code == 422  # one waits already


def test_without_the_key_of_the_names_nothing_is_done(table: HttpTable) -> None:
    client, ended = owner(table), list[str]()
    places(table).restart = lambda: ended.append("ended")
    name = places(table).make_backup(datetime.now(UTC))
    folder = places(table).own.parent
    shutil.move(folder / "persons.key", folder / "elsewhere.key")
    page = client.get(f"{PAGE}/{name}").text
    assert "busca la copia de persons.key" in page
    assert f"{name}/vuelta" not in page
    answer = client.post(f"{PAGE}/{name}/vuelta", headers=OURS)
    assert answer.status_code == 422
    assert "nada ha cambiado" in answer.text
    assert (ended, [*folder.glob("*restore*")]) == ([], [])


@pytest.fixture
def prepared(tmp_path: Path) -> tuple[Files, int]:
    """A house with a backup of before that waits, and the acts in the backup."""
    table = HttpTable(tmp_path / "data")
    table.encuentro()
    where, then = Files(tmp_path / "data"), acts(table)
    name = places(table).make_backup(datetime.now(UTC))
    table.encuentro()
    prepare_restoration(where, places(table).own / name, OWNER)
    table.close()
    return where, then


@pytest.mark.parametrize("moved", range(4))
def test_a_start_that_was_killed_in_the_swap_is_ended_by_the_next(
    prepared: tuple[Files, int], moved: int
) -> None:
    where, then = prepared
    before = back_up_present(where)
    goals = {LOG: where.log, PERSONS: where.persons, KEYS: where.accounts}
    for name in [*goals][:moved]:
        if (restoration_folder(where) / name).exists():
            put_database(name, restoration_folder(where) / name, goals[name])
    finish_restoration(where)
    assert not (where.folder / WAITING).exists()
    assert_one_house(where)
    table = HttpTable(where.folder)
    assert acts(table) == then
    found = places(table).find_backup(before)
    assert found is not None
    assert found.file == where.folder / BEFORE / before  # no other has its name
    content = places(table).content(found.file)
    assert content.acts > then
    assert before in owner(table).get(PAGE).text
    table.close()


def test_a_present_that_cannot_be_kept_is_not_replaced(prepared: tuple[Files, int]) -> None:
    where, then = prepared
    (where.folder / BEFORE).write_text("no folder")
    finish_restoration(where)
    assert last_restoration(where.folder)["failed"]
    table = HttpTable(where.folder)
    assert acts(table) > then
    assert "Nada ha cambiado" in owner(table).get(PAGE).text
    table.close()


@pytest.fixture(params=[(), ("--one-process",)], ids=["gunicorn", "one"])
def served(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Served]:
    one = Served(tmp_path / "data", GUINOTE_NOTARY=str(tmp_path / "notary"))
    one.command = ("api.cli", "serve", *request.param)
    one.start()
    try:
        yield one
    finally:
        one.kill_all()


def post(served: Served, path: str) -> tuple[int, str]:
    """Status, and where it leads, of a form that whoever sits at the computer sends."""
    headers = {"Authorization": f"Bearer {served.token}", **OURS}
    headers["Content-Type"] = "application/x-www-form-urlencoded"
    with closing(served.connection()) as computer:
        computer.request("POST", path, urlencode({}), headers)
        answer = computer.getresponse()
        answer.read()
        return answer.status, answer.getheader("Location") or ""


def has(served: Served, encuentro: str) -> bool:
    asked = {"Authorization": f"Bearer {served.token}"}
    return served.ask("GET", encuentro, headers=asked)[0] == 200


def test_the_house_comes_back_by_itself_also_if_it_is_killed(served: Served) -> None:
    club = Club(served)
    first = club.table(*NAMES)
    status, leads = post(served, PAGE)
    assert status == 303
    name = leads.partition("?hecha=")[2]
    second = club.table(*NAMES)
    assert has(served, second)

    assert post(served, f"{PAGE}/{name}/vuelta")[0] == 200
    before = wait_for(lambda: last_restoration(served.folder), "the swap")["before"]
    assert wait_for(lambda: not has(served, second), "the house of before", OSError)
    assert has(served, first)
    assert served.process is not None
    assert served.process.poll() is None  # it is the same process

    assert post(served, f"{PAGE}/{before}/vuelta")[0] == 200
    served.kill_all()
    served.start()
    assert has(served, second)
    assert last_restoration(served.folder)["source"] == before
