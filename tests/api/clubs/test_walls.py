"""Walls: what a club answers does not depend on another club that is in the same processes.

Two installations have the same club, and one of them has another beside it that has been through
everything. Each request, at every route, with what is of the other club (its ids and private
addresses, its owner's token, the cookie of its admin), is answered alike by both. So it is where
each club has a host, and where all are at paths of one host.
"""

from __future__ import annotations

import difflib
import itertools
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from flask import Flask

from api.server.clubs.birth import make_club
from api.server.clubs.composition import clubs_app
from api.server.clubs.folder import CLUBS_VARIABLE, ClubsFolder
from api.server.clubs.projector import follow_clubs
from referee.aggregates.access import SCOPES
from referee.aggregates.session import AddressSubject
from referee.events import RoleGranted
from referee.log.streams import WriteMetadata
from tests.api.http.test_access_matrix import VALUES, Route, asked_routes
from tests.support.servers.every_write import used_club
from tests.support.servers.http_table import HttpTable

RANDOM = re.compile(r"\d{8}T\d{6}Z|[0-9a-f]{12,}|[\w-]{32,}|\d\d:\d\d(:\d\d(\.\d+)?)?|\d{13}")
OF_A_KIND = {
    "session_id": "sessions",
    "season_id": "seasons",
    "tournament_id": "tournaments",
    "league_id": "leagues",
    "encuentro_id": "encuentros",
    "person_id": "players",
    "pair_id": "pairs",
    "ranking_id": "rankings",
}


class OtherClub(NamedTuple):
    """What is known of it: values of the parameters of paths, tokens of its owner and of an app,
    and a cookie."""

    values: dict[str, str]
    token: str
    cookie: str
    app: str


def known_of(table: HttpTable) -> OtherClub:
    """What is known of a club that was used."""
    here = table.app.extensions["guinote"]()
    values = {**VALUES, "name": "20260101T000000Z.guinote"}
    for name, kind in OF_A_KIND.items():
        row = table.get(f"/api/v1/{kind}").json["items"][0]
        values[name] = str(row.get("id") or row[kind[:-1]])
    values["partner_id"] = values["person_id"]
    session = UUID(values["session_id"])
    state = here.referee.seasons.session(session)
    values["address"] = str(
        here.addresses.secret_address_of_table_or_pair(session.hex, state, AddressSubject(1))
    )
    holder = here.keys.new_holder_id()
    meta = WriteMetadata("owner", "console", here.clock())
    here.referee.roles.record(RoleGranted(holder, "admin"), meta)
    values["holder"] = holder
    wanted = {"name": "App", "scopes": list(SCOPES)}
    app = table.client.post("/api/v1/tokens", json=wanted, headers=table.owner()).json
    values["token_id"] = app["id"]
    return OtherClub(values, table.token, here.keys.give_token("session", holder), app["token"])


class Pair:
    """The installation of one club, and that which has another beside it."""

    def __init__(self, folder: Path, *, is_by_path: bool) -> None:
        self.is_by_path = is_by_path
        with used_club(folder / "used") as table:
            self.other = known_of(table)
        both = ClubsFolder(folder / "both")
        make_club(both, "mine")
        shutil.copytree(folder / "used", both.data_folder("other"))
        alone = ClubsFolder(folder / "alone")
        alone.make_missing_folders()
        shutil.copytree(both.data_folder("mine"), alone.data_folder("mine"))
        self.folders = (both, alone)
        for one in self.folders:
            one.choose_domain("localhost", is_by_path=is_by_path)
        self.apps = tuple(_made(one) for one in self.folders)
        self._asked = itertools.count()
        self.token = (both.data_folder("mine") / "owner.token").read_text("ascii").strip()

    def address(self, club: str, path: str) -> str:
        """The whole address of a path of a club."""
        return (
            f"http://localhost/{club}{path}"
            if self.is_by_path
            else f"http://{club}.localhost{path}"
        )

    def answers(self, path: str, method: str, who: str) -> list[tuple[int, str]]:
        """The answers of both, without what is random; of ``mine``, by ``who``.

        Each request comes from another address, since wrong tokens of one are counted.
        """
        headers = {"Sec-Fetch-Site": "same-origin"}
        if who == "cookie":
            headers["Cookie"] = f"guinote={self.other.cookie}"
        else:
            others = {"token": self.other.token, "app": self.other.app}
            token = others.get(who, self.token)
            headers["Authorization"] = f"Bearer {token}"
        network, number = divmod(next(self._asked), 250)
        address = {"REMOTE_ADDR": f"10.0.{network}.{number + 1}"}
        where = self.address("mine", path)
        return [_answer(app, where, method, headers, address) for app in self.apps]

    def write(self, club: str, path: str, key: str, token: str) -> Any:
        """The answer to a write at a club of the first installation."""
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": key}
        client = self.apps[0].test_client(use_cookies=False)
        body = {"profile": {"id": "club"}, "players": 2}
        return client.post(self.address(club, path), json=body, headers=headers)

    def position(self) -> tuple[int, int]:
        """Events of the log of the other club, and entries of its security log."""
        installation = self.apps[0].extensions["installation"]
        with installation.clubs.use_club("other") as club:
            here = club.services()
            return here.referee.position(), len(here.security.entries_after(0, limit=10_000))


def _answer(
    app: Flask, where: str, method: str, headers: dict[str, str], address: dict[str, str]
) -> tuple[int, str]:
    client = app.test_client(use_cookies=False)
    asked = {"headers": headers, "environ_overrides": address}
    with closing(client.open(where, method=method, **asked)) as answer:
        return answer.status_code, RANDOM.sub("#", answer.get_data(as_text=True))


def _made(folder: ClubsFolder) -> Flask:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CLUBS_VARIABLE, str(folder.path))
        return clubs_app()


@pytest.fixture(scope="module", params=["hosts", "paths"])
def pair(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Pair]:
    folder, stop = tmp_path_factory.mktemp(request.param), threading.Event()
    found = Pair(folder, is_by_path=request.param == "paths")
    threads = [threading.Thread(target=follow_clubs, args=(one, stop)) for one in found.folders]
    for one in threads:
        one.start()
    yield found
    for app in found.apps:
        app.extensions["installation"].close()
    stop.set()
    for one in threads:
        one.join()


def path_of(route: Route, values: dict[str, str]) -> str:
    return re.sub(r"<(\w+)>", lambda found: values.get(found[1], "1"), route.rule)


def differences(first: tuple[int, str], second: tuple[int, str]) -> list[str]:
    """Statuses, and the lines that only one of two answers has."""
    lines = difflib.ndiff(first[1].splitlines(), second[1].splitlines())
    return [f"{first[0]} {second[0]}", *(line for line in lines if line[0] in "+-")]


@pytest.mark.parametrize("who", ["mine", "token", "cookie", "app"])
def test_what_is_of_another_club_opens_nothing_and_is_not_known(pair: Pair, who: str) -> None:
    before, wrong, statuses = pair.position(), [], set[int]()
    for route in asked_routes():
        path = path_of(route, pair.other.values)
        first, second = pair.answers(path, route.method, who)
        statuses.add(first[0])
        if first != second or first[0] >= 500:
            wrong.append((route.method, path, *differences(first, second)))
    assert wrong == []
    assert pair.position() == before
    assert 429 not in statuses


def test_a_token_of_an_app_is_good_at_its_club(pair: Pair) -> None:
    client = pair.apps[0].test_client(use_cookies=False)
    shown = {"Authorization": f"Bearer {pair.other.app}"}
    for club, status in (("other", 200), ("mine", 401)):
        answer = client.get(pair.address(club, "/api/v1/encuentros"), headers=shown)
        assert answer.status_code == status


def test_a_key_of_a_write_is_of_one_club(pair: Pair) -> None:
    where, key = "/api/v1/encuentros", "the-same-key-twice"
    first = pair.write("other", where, key, pair.other.token)
    assert first.status_code == 201
    assert pair.write("mine", where, key, pair.other.token).status_code == 401
    second = pair.write("mine", where, key, pair.token)
    assert second.status_code == 201
    assert second.headers["Location"] != first.headers["Location"]
    again = pair.write("other", where, key, pair.other.token)
    assert again.headers["Location"] == first.headers["Location"]


def test_wrong_guesses_at_one_club_are_not_counted_at_another(pair: Pair) -> None:
    client = pair.apps[0].test_client(use_cookies=False)

    def guess(club: str) -> int:
        where = pair.address(club, "/entrar")
        form, ours = {"token": "x" * 43}, {"Sec-Fetch-Site": "same-origin", "Referer": where}
        return client.post(where, data=form, headers=ours).status_code

    assert 429 in (guess("mine") for _ in range(1_000))
    assert guess("other") == 403


def test_a_backup_is_not_put_into_a_folder_of_the_server(pair: Pair) -> None:
    target = pair.folders[0].data_folder("other")
    headers = {"Authorization": f"Bearer {pair.token}"}
    client = pair.apps[0].test_client(use_cookies=False)
    form = {"place": str(target)}
    answer = client.post(pair.address("mine", "/casa/copias/lugar"), data=form, headers=headers)
    assert answer.status_code == 404
    assert list(target.glob("*.guinote")) == []


def test_what_a_reader_saw_on_a_board_of_another_club_changes_nothing_on_their_stream(
    pair: Pair,
) -> None:
    hall = "/api/v1/public/sala"
    with pair.apps[0].extensions["installation"].clubs.use_club("mine") as club:
        hub = club.services().hub
    hub.life_s = 0.2
    client = pair.apps[0].test_client(use_cookies=False)

    def stream(seen: str) -> tuple[int, bytes]:
        answer = client.get(pair.address("mine", f"{hall}/stream"), headers={"Last-Event-ID": seen})
        return answer.status_code, answer.data

    tags = {
        club: client.get(pair.address(club, hall)).headers["ETag"].strip('"')
        for club in ("mine", "other")
    }
    assert tags["mine"] != tags["other"]
    status, heard = stream(tags["other"])
    assert (status, heard.count(b"event: view")) == (200, 1)
    assert f"id: {tags['mine']}".encode() in heard
    assert stream("0" * 32) == (status, heard)
    assert stream(tags["mine"])[1].count(b"event: view") == 0
