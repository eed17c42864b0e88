"""Three clubs, each with a server of its own, ranked by a fourth house that reads their addresses."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from api.cli.main import main
from tests.api.rankings.ranked_club import RankedClub
from tests.support.servers.kept_apps import kept_table
from tests.support.servers.served import Served, is_taken
from tests.support.waiting import wait_for

NAMES = {
    "sota": ("Ana", "Blas", "Celia", "Diego"),
    "siete": ("Anita", "Eva", "Fermín", "Gloria"),
    "tute": ("Hugo", "Inés", "Juan", "Karla"),
}
KEYS = itertools.count(1)


class House:
    """A house that is served. It reads addresses of this computer."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.served = Served(folder / "data", is_forked=True, GUINOTE_WEBHOOKS="local")
        self.served.start()
        self.address = f"http://127.0.0.1:{self.served.port}/api/v1/publication"

    def ask(self, path: str, body: Any = None, version: int | None = None) -> Any:
        """The content of the owner's request, which succeeds."""
        headers = {"Authorization": f"Bearer {self.served.token}"}
        if body is not None:
            headers["Idempotency-Key"] = f"three-clubs-{next(KEYS):04}"
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        method = "GET" if body is None else "POST"
        status, content = self.served.ask(method, path, body, headers)
        assert status in (200, 201), content
        return content


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, Path]:
    """Folders of the clubs and of the federation; two people of two clubs are one person."""
    found = {name: tmp_path / name for name in (*NAMES, "federation")}
    for folder in found.values():
        (folder / "data").mkdir(parents=True, mode=0o700)
    with ExitStack() as opened:
        clubs = {
            name: RankedClub(opened.enter_context(kept_table(found[name] / "data")), found[name])
            for name in NAMES
        }
        for name, people in NAMES.items():
            play_today(clubs[name], people)
        join(clubs["sota"], "Ana", clubs["siete"], "Anita")
        for club in clubs.values():
            club.sign()
    return found


def play_today(club: RankedClub, people: tuple[str, ...]) -> None:
    """A result of four people, of whom one of each side agreed."""
    club.enrol(*people)
    day = str(club.table.app.extensions["guinote"]().clock().date())
    club.play(day, (people[0], people[1]), (people[2], people[3]))
    club.publish()
    club.agree(people[0], people[2])


def join(first: RankedClub, one: str, second: RankedClub, other: str) -> None:
    """Two people say of each other that they are one, with a code from each side."""
    for club in (first, second):
        club.sign()
    first.tell(one, "offer")
    (code,) = first.codes(one)
    second.tell(other, "join", code=code)
    (answer,) = second.codes(other)
    first.tell(one, "join", code=answer)


@pytest.fixture
def houses(folders: dict[str, Path]) -> Iterator[dict[str, House]]:
    found: dict[str, House] = {}
    try:
        for name, folder in folders.items():
            found[name] = House(folder)
        yield {**found}
    finally:
        for one in found.values():
            one.served.kill_all()


def verify(shown: Any, houses: dict[str, House], folder: Path) -> Any:
    """What the command line says of a table, out of what the clubs publish."""
    files = []
    for name, house in houses.items():
        files.append(folder / f"{name}.json")
        files[-1].write_text(json.dumps(house.ask("/api/v1/publication")))
    (folder / "shown.json").write_text(json.dumps(shown))
    asked = ["ranking", "verify", *map(str, files), "--shown", str(folder / "shown.json")]
    return json.loads(CliRunner().invoke(main, asked).output)


def test_three_clubs_are_ranked_by_their_addresses_alone(
    houses: dict[str, House], tmp_path: Path
) -> None:
    federation = houses.pop("federation")
    ranking = federation.ask("/api/v1/rankings", {"name": "Provincia"})["id"]
    path, version = f"/api/v1/rankings/{ranking}", 1
    for name, house in houses.items():
        key = house.ask("/api/v1/publication")["key"]
        named = {"kind": "club_admit", "name": name, "key": key, "address": house.address}
        version = federation.ask(f"{path}/acts", {"acts": [named]}, version)["version"]
    for number in "123":
        read = federation.ask(f"{path}/clubs/{number}/reading", {})
        assert read["is_taken"]
        last = read["position"]
    shown = federation.ask(f"{path}?wait={last}")
    found = {
        " + ".join(sorted(one["name"] for one in row["members"])): row["played"]
        for row in shown["rows"]
    }
    assert found == {"Ana + Anita": 2, "Celia": 1, "Fermín": 1, "Hugo": 1, "Juan": 1}
    for number in "123":
        assert not federation.ask(f"{path}/clubs/{number}/reading", {})["is_taken"]
    assert federation.ask(path)["version"] == shown["version"]
    verified = verify(shown, houses, tmp_path)
    assert verified == {"equal": True, "clubs": 3, "people": 5}
    gone = houses["tute"].served
    gone.kill_all()
    wait_for(lambda: not is_taken(gone.port), "a port that nobody listens at")
    status, refused = federation.served.ask(
        "POST",
        f"{path}/clubs/3/reading",
        {},
        {"Authorization": f"Bearer {federation.served.token}", "Idempotency-Key": "after-it-died"},
    )
    assert (status, refused["rule"]) == (409, "address-closed")
    assert "no contesta nadie" in refused["detail"]
    assert federation.ask(path)["version"] == shown["version"]
