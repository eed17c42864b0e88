"""Serves the static files of the pages."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from api.http.folders import static_file_path


class Files(SimpleHTTPRequestHandler):
    """``/static``, and an empty page for anything else."""

    def translate_path(self, path: str) -> str:
        return str(static_file_path(path.removeprefix("/static/")))

    def do_GET(self) -> None:
        if self.path.startswith("/static/"):
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()

    def log_message(self, *_args: object) -> None:
        """Nothing is printed."""


@contextmanager
def serving() -> Iterator[str]:
    """Address at which the files are served."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Files)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
