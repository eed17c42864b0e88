"""A place of the internet at which a club publishes, for the tests."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Publisher:
    """Answers each request with a status and a text. ``asked``: headers of what came."""

    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}/api/v1/publication"
        self.status, self.text, self.more = 200, "", 0
        self.asked: list[dict[str, str]] = []


@contextmanager
def publisher() -> Iterator[Publisher]:
    """A publisher that listens. ``more``: bytes that it states, and does not send."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.asked.append(dict(self.headers))
            content = found.text.encode()
            self.send_response(found.status)
            self.send_header("Location", "http://127.0.0.1/other")
            self.send_header("Content-Length", str(len(content) + found.more))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Nothing is said of requests."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found = Publisher(server.server_port)
    work = threading.Thread(target=server.serve_forever)
    work.start()
    try:
        yield found
    finally:
        server.shutdown()
        work.join()
        server.server_close()
