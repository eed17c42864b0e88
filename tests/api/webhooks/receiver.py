"""A receiver of webhooks as a process of its own, which may be killed and started again."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Final

from tests.support.servers.served import free_port
from tests.support.waiting import wait_for

SERVER: Final = Path(__file__).with_name("hook_server.py")


class Receiver:
    """A receiver; it is killed and started again on the same port."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder, self.port = folder, free_port()
        self.address = f"http://127.0.0.1:{self.port}/hook"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, mood: str = "204") -> None:
        """Start it, and wait until it listens. ``mood``: a status, ``slow``, ``huge`` or such."""
        self.be(mood)
        words = [sys.executable, str(SERVER), str(self.port), str(self.folder)]
        self._process = subprocess.Popen(words, stderr=subprocess.DEVNULL)
        wait_for((self.folder / "ready").exists, "a receiver that listens")

    def be(self, mood: str) -> None:
        """Answer in another way from now on."""
        (self.folder / "mood").write_text(mood)

    def kill(self) -> None:
        """Kill it without a warning."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            (self.folder / "ready").unlink(missing_ok=True)

    def messages(self) -> list[dict[str, Any]]:
        """Every message that came, with its headers, in order."""
        file = self.folder / "messages"
        lines = file.read_text().splitlines(keepends=True) if file.exists() else []
        return [json.loads(one) for one in lines if one.endswith("\n")]

    def accepted(self) -> list[dict[str, Any]]:
        """Bodies of the messages that it answered with success, each id once, in order."""
        taken = {one["id"]: one["body"] for one in self.messages() if one["mood"].startswith("2")}
        return list(taken.values())

    def ids(self) -> Counter[str]:
        """How often each id came."""
        return Counter(one["id"] for one in self.messages())
