"""A club at its limits records no more people, or nothing; the others go on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner

from api.cli.main import main
from api.http.languages import say
from tests.support.installation import Installation
from tests.support.lobby import LobbyVisitor
from tests.support.outbox import OPENED, Club
from tests.support.waiting import wait_for

NEW = {"profile": {"id": "club"}, "players": 4}
SEATS = {"seats": {seat: {"name": f"Ana {seat}"} for seat in ("A1", "B1", "A2", "B2")}}
ENCUENTROS = "/api/v1/encuentros"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    found = Installation(tmp_path_factory.mktemp("clubs"), "penya", "sota", GUINOTE_WORKERS="1")
    found.start()
    yield found
    found.kill_all()


def limit(server: Installation, *words: str) -> dict[str, Any]:
    """Limits of a club and what it uses, once set."""
    done = CliRunner().invoke(
        main, ["clubs", "--folder", str(server.clubs.path), "limit", "penya", *words]
    )
    assert done.exit_code == 0, done.output
    return dict(json.loads(done.stdout))


def code_of(club: Club, body: dict[str, Any]) -> tuple[int, str]:
    status, answer = club.answer("POST", ENCUENTROS, body)
    return status, answer.get("code", "")


def goes_in_and_out(server: Installation) -> None:
    """Somebody signs in to a club, sees what only its people see, and signs out."""
    person, host = LobbyVisitor(server), {"Host": "penya.localhost"}
    answer = person.send("/entrar", host, token=server.club("penya").token)
    assert answer.status == 303, person.shown.text()
    person.cookie = answer.headers["Set-Cookie"].partition(";")[0]
    assert person.get("/casa", **host)[0].status == 200
    assert person.send("/salir", host).status == 303
    assert person.get("/casa", **host)[0].status == 302


def test_above_its_people_a_club_names_nobody_new_and_the_others_do(server: Installation) -> None:
    club, other = (Club(server.club(name)) for name in ("penya", "sota"))
    table = club.encuentro()
    used = limit(server, "--people", "6")["used"]
    assert used["people"] == 4
    refused = (409, "people_full")
    wait_for(lambda: code_of(club, NEW | SEATS) == refused, "the limit is followed")
    people = limit(server)["used"]["people"]
    (_, answer) = club.answer("POST", ENCUENTROS, NEW | SEATS)
    assert answer["title"] == say("problem.people_full", "es")
    assert answer["most"] == 6
    assert limit(server)["used"]["people"] == people
    assert code_of(club, NEW)[0] == 201
    club.record(table, *OPENED)
    assert code_of(other, NEW | SEATS)[0] == 201
    limit(server, "--people", "0")
    wait_for(lambda: code_of(club, NEW | SEATS)[0] == 201, "the limit is gone")


def test_above_its_room_a_club_records_nothing_and_is_read(
    server: Installation,
) -> None:
    club, other = (Club(server.club(name)) for name in ("penya", "sota"))
    table = club.encuentro()
    (ana,) = club.ask("POST", "/api/v1/players", {"name": "Ana Gil"})["players"]
    room = int(limit(server)["used"]["disk_mb"]) + 10
    with (server.clubs.data_folder("penya") / "backups.large").open("wb") as file:
        file.truncate(room * 1_000_000)
    assert limit(server, "--disk", str(room))["used"]["disk_mb"] > room
    wait_for(lambda: code_of(club, NEW) == (507, "club_full"), "the limit is followed")
    assert club.answer("GET", f"{ENCUENTROS}/{table}/entries")[0] == 200
    goes_in_and_out(server)
    assert club.answer("DELETE", f"/api/v1/persons/{ana}")[0] in (202, 204)
    other.record(other.encuentro(), *OPENED)
    (server.clubs.data_folder("penya") / "backups.large").unlink()
    wait_for(lambda: code_of(club, NEW)[0] == 201, "there is room again")
    club.record(table, *OPENED)
