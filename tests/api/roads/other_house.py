"""Another house for the tests: a real server with its own notary, spoken to over HTTP."""

from __future__ import annotations

import http.client
import itertools
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from tests.support.proofs.signing import sign
from tests.support.roads.http_road import play_qualifier
from tests.support.servers.http_tournament import HttpTournament
from tests.support.servers.served import Served
from tests.support.waiting import wait_for


class HouseAnswer(NamedTuple):
    """What a server answered, as the client of the tests has it."""

    status_code: int
    headers: Mapping[str, str]
    data: bytes

    @property
    def text(self) -> str:
        return self.data.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.data)


class OtherHouse:
    """A served house, with the reads and writes of an ``HttpTable``."""

    def __init__(self, served: Served) -> None:
        self._served, self._folder = served, served.folder.parent
        self._keys = itertools.count(1)
        self._position = "0"

    def get(self, path: str) -> HouseAnswer:
        def answer() -> HouseAnswer | None:
            found = self._ask("GET", path, None, {"Guinote-Position": self._position})
            return None if b'"not_yet"' in found.data else found

        return wait_for(answer, f"an answer to {path}")

    def post(self, path: str, body: Any = None, version: Any = None) -> HouseAnswer:
        sent = {"Idempotency-Key": f"house-key-{next(self._keys):06}"}
        if version is not None:
            sent["If-Match"] = f'"{version}"'
        found = self._ask("POST", path, {} if body is None else body, sent)
        self._position = found.headers.get("Guinote-Position", self._position)
        return found

    def _ask(self, method: str, path: str, body: Any, sent: dict[str, str]) -> HouseAnswer:
        connection = http.client.HTTPConnection("127.0.0.1", self._served.port, timeout=20)
        headers = {**sent, "Authorization": f"Bearer {self._served.token}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            return HouseAnswer(answer.status, dict(answer.getheaders()), answer.read())
        finally:
            connection.close()

    def signed_list(self, played: HttpTournament) -> str:
        """The standings of a tournament as a file that the notary of the house signed."""
        played.do("signed-list")
        sign(self._folder, f"{self._folder.name}.example/mesas")
        found = self.get(f"{played.path}/signed-list")
        assert found.status_code == 200, found.text
        return found.text

    def play(self, bar: str) -> HttpTournament:
        """A qualifier of four pairs that is over."""
        return play_qualifier(self, bar)  # type: ignore[arg-type]  # it asks as a table does
