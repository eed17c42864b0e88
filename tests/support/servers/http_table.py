"""A club over HTTP for tests: the owner's client, new keys, and tables."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias
from uuid import UUID

from flask import Flask
from jinja2 import FileSystemBytecodeCache

from api.monitoring.log_lines import requests_log
from api.server import wiring
from referee.events import DevicePaired, Role, RoleGranted
from referee.log.streams import WriteMetadata
from tests.support.servers.documented import CheckedClient
from tests.support.waiting import wait_for

Response: TypeAlias = Any
"""A response of the test client; its JSON is whatever the test says it is."""

_UNSEEN = open(os.devnull, "wb", buffering=0)
wiring.requests_log = lambda _: requests_log(_UNSEEN)
"""The lines of requests that a test answers in its own process do not come between pytest's dots."""

Flask.jinja_options["bytecode_cache"] = FileSystemBytecodeCache()
"""Templates are compiled once for all applications and processes of a run."""

ENCUENTROS = "/api/v1/encuentros"
NAMES = {"A1": "Ana", "B1": "Blas", "A2": "Celia", "B2": "Diego", "C1": "Eva"}
SEATS = {2: ("A1", "B1"), 3: ("A1", "B1", "C1"), 4: ("A1", "B1", "A2", "B2")}


class HttpTable:
    """An application with its own data folder, and the owner's client.

    ``app``: one that was made for this folder.
    """

    def __init__(self, folder: Path, app: Flask | None = None) -> None:
        self.app = app or wiring.app(folder)
        self.app.test_client_class = CheckedClient
        self.token = (folder / "owner.token").read_text().strip()
        self.client: Any = self.app.test_client()
        self.position = 0
        self._keys = itertools.count(1)

    def close(self) -> None:
        """Close the services; the next request opens them again."""
        self.app.extensions["guinote"].close()

    def key(self) -> str:
        """A key that was not used before."""
        return f"test-key-{next(self._keys):06}"

    def get(self, path: str, **headers: str) -> Response:
        """What the owner reads, with their own last write included."""
        sent = {**self.owner(), "Guinote-Position": str(self.position), **headers}
        return _once_read(lambda: self.client.get(path, headers=sent))

    def owner(self) -> dict[str, str]:
        """The owner's authorization header."""
        return {"Authorization": f"Bearer {self.token}"}

    def headers_of_write(
        self, version: int | str | None, key: str, **headers: str
    ) -> dict[str, str]:
        """Headers of a write of the owner, made for a version if one is given."""
        match = {} if version is None else {"If-Match": f'"{version}"'}
        return {**self.owner(), "Idempotency-Key": key, **headers, **match}

    def post(
        self,
        path: str,
        body: Any = None,
        version: int | str | None = None,
        key: str | None = None,
        **headers: str,
    ) -> Response:
        """Send a write of the owner, with a new key unless one is given."""
        sent = self.headers_of_write(version, key or self.key(), **headers)
        given = {} if body is None else body
        answer = _once_read(lambda: self.client.post(path, json=given, headers=sent))
        self.position = max(self.position, int(answer.headers.get("Guinote-Position", 0)))
        return answer

    def encuentro(self, profile: str = "club", players: int = 4) -> str:
        """Address of a new encuentro with its players seated."""
        seats = {seat: {"name": NAMES[seat]} for seat in SEATS[players]}
        body = {"profile": {"id": profile}, "players": players, "seats": seats}
        answer = self.post(ENCUENTROS, body)
        assert answer.status_code == 201, answer.text
        return str(answer.headers["Location"])

    def scorer(self, encuentro: str) -> Any:
        """A client paired as scorer of a table."""
        services = self.app.extensions["guinote"]()
        holder = services.keys.new_holder_id()
        paired = DevicePaired(holder, "scorer", encuentro.rpartition("/")[2])
        services.referee.roles.record(paired, WriteMetadata("owner", "console", services.clock()))
        client = self.app.test_client()
        client.set_cookie("guinote", services.keys.give_token("device", holder))
        return client

    def signed_in(self, role: Role, encuentro: str = "") -> dict[str, str]:
        """The authorization header of a new account with a role in the club, or at one table."""
        services = self.app.extensions["guinote"]()
        holder = services.keys.new_holder_id()
        granted = RoleGranted(holder, role, encuentro)
        services.referee.roles.record(granted, WriteMetadata("owner", "console", services.clock()))
        return {"Authorization": f"Bearer {services.keys.give_token('session', holder)}"}

    def paired_by(self, granter: dict[str, str], role: Role) -> dict[str, str]:
        """The authorization header of a device that somebody who is signed in paired."""
        services = self.app.extensions["guinote"]()
        by = services.keys.holder_id_of_token(granter["Authorization"].removeprefix("Bearer "))
        device = services.keys.new_holder_id()
        made = WriteMetadata(by, by, services.clock())
        services.referee.roles.record(DevicePaired(device, role), made)
        return {"Authorization": f"Bearer {services.keys.give_token('device', device)}"}

    def partida(self, encuentro: str | None = None) -> str:
        """Address of a new partida."""
        where = encuentro or self.encuentro()
        encuentros = self.app.extensions["guinote"]().referee.encuentros
        version = encuentros.encuentro(UUID(where.rpartition("/")[2])).version
        answer = self.post(f"{where}/partidas", version=version)
        assert answer.status_code == 201, answer.text
        return str(answer.headers["Location"])

    def record(self, partida: str, version: int, *acts: dict[str, Any]) -> Response:
        """Acts recorded in a partida."""
        return self.post(f"{partida}/acts", {"acts": list(acts)}, version)


def _once_read(ask: Callable[[], Response]) -> Response:
    """An answer; asked for again while the views are behind, as clients are told to."""

    def answer() -> Response | None:
        found = ask()
        is_late = found.is_json and found.status_code == 503 and found.json["code"] == "not_yet"
        return None if is_late else found

    return wait_for(answer, "an answer of views that have followed")


def deal(dealer: str = "B2") -> dict[str, Any]:
    """The act of dealing."""
    return {"kind": "deal", "dealer": dealer}


def pinta(card: str = "7O") -> dict[str, Any]:
    """The act of turning the pinta."""
    return {"kind": "pinta", "card": card}


def card(seat: str, token: str) -> dict[str, Any]:
    """The act of playing a card."""
    return {"kind": "card", "seat": seat, "card": token}
