"""A server of mail that keeps what it gets, or is out of order."""

from __future__ import annotations

import socket
import socketserver
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from api.server.certificates import Certificates

SILENT: Final = "silent"
REFUSING: Final = "refusing"


class Mailbox(socketserver.ThreadingTCPServer):
    """A server of mail that keeps what it gets; ``mood``: silent, refusing, or neither.

    ``tls``: its certificate and key; all that it hears is under TLS then.
    """

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, mood: str, tls: Certificates | None = None) -> None:
        super().__init__(("127.0.0.1", 0), _Session)
        self.tls: ssl.SSLContext | None = None
        if tls is not None:
            self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.tls.load_cert_chain(tls.certificate, tls.key)
        self.mood, self.got, self.ending = mood, list[bytes](), threading.Event()

    @property
    def address(self) -> str:
        return f"smtp{'s' * (self.tls is not None)}://127.0.0.1:{self.server_address[1]}"

    def finish_request(self, request: socket.socket, client_address: Any) -> None:
        """Speak with a client, in a thread of its own."""
        try:
            heard = self.tls.wrap_socket(request, server_side=True) if self.tls else request
        except (OSError, ssl.SSLError):
            return  # it does not trust us
        super().finish_request(heard, client_address)


class _Session(socketserver.StreamRequestHandler):
    server: Mailbox

    def handle(self) -> None:
        if self.server.mood == SILENT:
            self.server.ending.wait()
            return
        self._say("220 mail.example")
        while line := self.rfile.readline():
            verb = line[:4].upper()
            if verb == b"QUIT":
                self._say("221 bye")
                return
            if verb == b"DATA":
                self._say("354 go on")
                self.server.got.append(self._until_dot())
            refused = verb == b"RCPT" and self.server.mood == REFUSING
            self._say("550 not here" if refused else "250 fine")

    def _until_dot(self) -> bytes:
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            lines.append(line)
        return b"".join(lines)

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


@contextmanager
def running_mailbox(mood: str = "", tls: Certificates | None = None) -> Iterator[Mailbox]:
    """The server, for as long as the block lasts."""
    with Mailbox(mood, tls) as box:
        thread = threading.Thread(target=box.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield box
        finally:
            box.ending.set()
            box.shutdown()
            thread.join()
