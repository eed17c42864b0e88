"""What an owner or anybody else asks a computer, without sending it again."""

from __future__ import annotations

import json
import uuid
from typing import Any, NamedTuple

from tests.support.servers.served import Served


class Answer(NamedTuple):
    """Status and text of an answer."""

    status: int
    text: str


def read(computer: Served, path: str, *, is_owner: bool = False) -> Answer:
    """What a page or an address of the API answers."""
    who = {"Authorization": f"Bearer {computer.token}"} if is_owner else {}
    return send(computer, "GET", path, None, Accept="text/html, application/json;q=0.9", **who)


def send(computer: Served, method: str, path: str, text: str | None, **headers: str) -> Answer:
    """What a request answers."""
    connection = computer.connection()
    try:
        connection.request(method, path, text, headers)
        answer = connection.getresponse()
        return Answer(answer.status, answer.read().decode())
    finally:
        connection.close()


def write(computer: Served, path: str, body: Any = None, version: int | None = None) -> Any:
    """What an act of the owner answers."""
    headers = {"Authorization": f"Bearer {computer.token}", "Idempotency-Key": str(uuid.uuid4())}
    if version is not None:
        headers["If-Match"] = f'"{version}"'
    status, content = computer.ask("POST", path, {} if body is None else body, headers)
    assert status in (200, 201), (path, status, content)
    return content


def words_of(text: str) -> dict[str, Any]:
    """The content of a JSON text."""
    return dict(json.loads(text))
