"""A client of a stream, in its own thread."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.support.waiting import wait_for


class Listener:
    """Bytes that came so far, as they came."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self.bytes = b""
        self.is_over = False
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        for chunk in self._chunks:
            self.bytes += chunk
        self.is_over = True

    @property
    def views(self) -> list[tuple[str, Any]]:
        """Id and content of each view that came whole."""
        found = []
        for message in self.bytes.decode().split("\n\n")[:-1]:
            lines = dict(line.split(": ", 1) for line in message.splitlines())
            if lines.get("event") == "view":
                found.append((lines["id"], json.loads(lines["data"])))
        return found

    @property
    def beats(self) -> int:
        return self.bytes.count(b"event: beat\n")

    def wait(self, is_so: Callable[[], bool]) -> None:
        wait_for(is_so, "what the stream was listened to for")


@contextmanager
def listening(client: Any, path: str, **headers: str) -> Iterator[Listener]:
    """A listener through the client of an application; it hangs up at the end."""
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200, answer.text
    listener = Listener(answer.response)
    try:
        yield listener
    finally:
        client.application.extensions["guinote"]().hub.close()
        listener.wait(lambda: listener.is_over)
        answer.close()
