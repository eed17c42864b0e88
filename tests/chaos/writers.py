"""Tablets that send each act until it is acknowledged, always under the same key."""

from __future__ import annotations

import http.client
import json
import threading
import time
import uuid
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tests.support.servers.served import Served
from tests.support.waiting import wait_for

PATIENCE_S = 4.0
"""Seconds after which a tablet sends again."""
PAUSE_S = 0.03
SENT_AGAIN = (0, 503, 507)
"""Statuses that promise nothing; 0 is no answer. Any other than these and 2xx is wrong, 500 too."""
_ACT = {"acts": [{"kind": "incident", "incident": "late", "seat": "A1"}]}


class Writer(threading.Thread):
    """A tablet with a table of its own; what one computer does not answer goes to the next.

    ``acknowledged``: acts so far, numbered from 1. ``answers``: how often which status came.
    """

    def __init__(self, computers: Sequence[Served], number: int) -> None:
        super().__init__(daemon=True)
        self._computers, self._next = computers, number
        self._headers = {"Authorization": f"Bearer {computers[0].token}"}
        self._may_write, self._is_over = threading.Event(), False
        self._rests = threading.Event()
        self.acknowledged = 0
        self.answers: Counter[str] = Counter()
        self.wrong: list[object] = []
        opened = self._post("/api/v1/encuentros", {"profile": {"id": "club"}, "players": 4})
        assert opened is not None, self.wrong
        self.encuentro = uuid.UUID(opened["id"])
        self._base = f"/api/v1/encuentros/{self.encuentro}/partidas"
        self._post(self._base, None, opened["version"])

    def run(self) -> None:
        """Write while it may."""
        while True:
            if not self._may_write.is_set():
                self._rests.set()
                self._may_write.wait()
            if self._is_over or self.wrong:
                break
            answer = self._post(f"{self._base}/1/acts", _ACT, self.acknowledged)
            if answer is None:
                break
            self.acknowledged += 1
            if answer["version"] != self.acknowledged:
                self.wrong.append(answer)
            time.sleep(PAUSE_S)
        self._rests.set()

    def go_on(self) -> None:
        """Write again."""
        self._rests.clear()
        self._may_write.set()

    def rest(self) -> None:
        """Acknowledge what is under way, and wait."""
        self._may_write.clear()
        wait_for(self._rests.is_set, "an answer to what is under way")

    def end(self) -> None:
        """End it, resting or not."""
        self._is_over = True
        self._may_write.set()

    def _post(self, path: str, body: object, version: object = None) -> dict[str, Any] | None:
        """What it answers in the end; None if it is wrong, or this writer ends."""
        headers = {**self._headers, "Idempotency-Key": str(uuid.uuid4())}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        text = None
        if body is not None:
            text, headers["Content-Type"] = json.dumps(body), "application/json"
        while not self._is_over:
            status, content = self._send(path, text, headers)
            self.answers[str(status or "none")] += 1
            if status in (200, 201):
                return content
            if status not in SENT_AGAIN:
                self.wrong.append((status, content))
                break
            time.sleep(PAUSE_S)
        return None

    def _send(
        self, path: str, text: str | None, headers: dict[str, str]
    ) -> tuple[int, dict[str, Any]]:
        """Status and content; status 0 if nothing came, and the next computer is asked next."""
        computer = self._computers[self._next % len(self._computers)]
        connection = http.client.HTTPConnection(computer.host, computer.port, timeout=PATIENCE_S)
        try:
            connection.request("POST", path, text, headers)
            answer = connection.getresponse()
            if answer.status >= 500:
                self._next += 1
            return answer.status, json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError):
            self._next += 1
            return 0, {}
        finally:
            connection.close()
