"""A receiver of webhooks: ``python hook_server.py PORT FOLDER``; only the standard library, for a quick start.

It notes each message in ``FOLDER/messages``, flushed before it answers as ``FOLDER/mood`` says.
"""

from __future__ import annotations

import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

HUGE: Final = 64 * 1024 * 1024


class _Handler(BaseHTTPRequestHandler):
    folder: Path

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        mood = (self.folder / "mood").read_text()
        noted = {
            "id": self.headers["webhook-id"],
            "headers": {name.lower(): value for name, value in self.headers.items()},
            "content": content.decode(),
            "body": json.loads(content),
            "mood": mood,
            "path": self.path,
        }
        with (self.folder / "messages").open("a") as file:
            file.write(json.dumps(noted) + "\n")
            file.flush()
            os.fsync(file.fileno())
        self._answer(mood)

    def _answer(self, mood: str) -> None:
        if mood == "slow":
            time.sleep(3_600)
        if mood == "drip":  # a head that never ends
            while True:
                self.wfile.write(b"HTTP/1.1 200 OK\r\nx-more: 1"[:1])
                time.sleep(0.2)
        status = 302 if mood == "redirect" else 204 if mood == "huge" else int(mood)
        self.send_response(200 if mood == "huge" else status)
        server: Any = self.server
        if mood == "redirect":
            self.send_header("Location", f"http://127.0.0.1:{server.server_port}/elsewhere")
        if mood == "huge":
            self.send_header("Content-Length", str(HUGE))
            self.end_headers()
            self.wfile.write(bytes(HUGE))
            return
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing is said."""


def main(port: str, folder: str) -> None:
    """Receive until it is killed."""
    _Handler.folder = Path(folder)
    server = ThreadingHTTPServer(("127.0.0.1", int(port)), _Handler)
    (Path(folder) / "ready").touch()
    server.serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
