"""A site of somebody else: pages of a test, at a port of their own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class OtherSite(ThreadingHTTPServer):
    """Its pages by path; it is one site as ``127.0.0.1``, and another one as ``localhost``."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Pages)
        self.pages: dict[str, str] = {}

    def origin(self, host: str = "127.0.0.1") -> str:
        """How a browser names it."""
        return f"http://{host}:{self.server_port}"


class _Pages(BaseHTTPRequestHandler):
    server: OtherSite

    def do_GET(self) -> None:
        found = self.server.pages.get(self.path)
        self.send_response(404 if found is None else 200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write((found or "").encode())

    def log_message(self, *_: object) -> None:
        """Tests do not print requests."""


@contextmanager
def other_site() -> Iterator[OtherSite]:
    """A site that answers until the end of the test."""
    with OtherSite() as site:
        thread = threading.Thread(target=site.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield site
        finally:
            site.shutdown()
            thread.join()
