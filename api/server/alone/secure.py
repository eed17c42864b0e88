"""HTTPS in one process: TLS of Python's own between the socket of a connection and its requests.

``waitress`` has none. The main loop reads while a thread answers, so the bytes go through memory
under one lock: two threads may not use one connection of OpenSSL at a time.
"""

from __future__ import annotations

import os
import ssl
import threading
import time
from contextlib import suppress
from typing import Any, Final

from waitress.channel import HTTPChannel

from api.server import serve_settings
from api.server.certificates import TLS_VARIABLES

_PART: Final = 64 * 1024
"""Bytes of an answer that are sealed at one time."""


def is_wanted() -> bool:
    """Whether the house has HTTPS of its own."""
    return bool(os.environ.get(TLS_VARIABLES[0]))


def _context(certificate: str, key: str) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    return context


class Secrecy:
    """What is sealed and opened of one connection; its lock is held by whoever calls."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self.lock = threading.Lock()
        self.sealed = b""
        """What the peer is still to be sent."""
        self._taken, self._has_shaken_hands = 0, False
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._in, self._out, server_side=True)

    def open(self, came: bytes) -> bytes:
        """Content of what came.

        :raises ssl.SSLError: it is no TLS, or its end
        """
        self._in.write(came)
        found = b""
        try:
            if not self._has_shaken_hands:
                self._tls.do_handshake()
                self._has_shaken_hands = True
            while part := self._tls.read(_PART):
                found += part
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLZeroReturnError:
            if not found:
                raise
        finally:
            self.sealed += self._out.read()
        return found

    def seal(self, content: bytes) -> None:
        """Seal a part of an answer, unless one of it is still to be sent."""
        if not self._taken:
            self._taken = self._tls.write(content[:_PART])
            self.sealed += self._out.read()

    def take_count(self) -> int:
        """Bytes of the part that was sealed, once nothing of it is left; they are said once."""
        taken, self._taken = (0, self._taken) if self.sealed else (self._taken, 0)
        return taken


class SecureChannel(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """A connection over TLS."""

    def __init__(self, *given: Any, **more: Any) -> None:
        certificate, key = (os.environ[name] for name in TLS_VARIABLES)
        self._secrecy = Secrecy(serve_settings.tls_context(certificate, key, _context))
        super().__init__(*given, **more)

    def handle_read(self) -> None:
        """Read what came, and answer what TLS itself asks."""
        try:
            came = self.recv(self.adj.recv_bytes)
            with self._secrecy.lock:
                try:
                    content = self._secrecy.open(came) if came else b""
                finally:
                    self._push()
        except OSError:  # it speaks no TLS, or is over
            self.handle_close()
            return
        self.last_activity = time.time()
        self.received(content)

    def writable(self) -> bool:
        """Whether something is to be sent."""
        return bool(self._secrecy.sealed or super().writable())

    def handle_write(self) -> None:
        """Send what TLS itself says also where no answer waits."""
        try:
            with self._secrecy.lock:
                self._push()
        except OSError:
            self.will_close = True
        super().handle_write()

    def send(self, data: bytes, do_close: bool = True) -> int:  # noqa: FBT001, FBT002 - as of waitress
        """Send a part of an answer sealed; it counts as sent once its last byte is."""
        del do_close  # the main loop does
        try:
            with self._secrecy.lock:
                self._secrecy.seal(data)
                self._push()
                return self._secrecy.take_count()
        except OSError:
            self.will_close = True
            return 0

    def _push(self) -> None:
        """Send what is sealed, as far as the peer takes it.

        :raises OSError: the connection is over
        """
        with suppress(BlockingIOError):
            while self._secrecy.sealed:
                sent = self.socket.send(self._secrecy.sealed)
                self._secrecy.sealed = self._secrecy.sealed[sent:]
