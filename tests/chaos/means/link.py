"""A network link between a computer and its database, which can be cut, frozen and delayed."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

DELAY_S: Final = 0.1


class Link:
    """A TCP port that passes bytes on to the Unix socket of a server, and back."""

    def __init__(self, target: Path) -> None:
        self.target = target
        self._delay_s = 0.0
        self._flows = threading.Event()
        self._flows.set()
        self._open: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Close every connection; new ones are accepted."""
        for end in list(self._open):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def freeze(self) -> None:
        """Half open: connections stand, new ones are made, and no byte arrives."""
        self._flows.clear()

    def thaw(self) -> None:
        """Let bytes pass again."""
        self._flows.set()

    def slow_down(self) -> None:
        """Let bytes take a tenth of a second more."""
        self._delay_s = DELAY_S

    def speed_up(self) -> None:
        """Let bytes pass at once."""
        self._delay_s = 0.0

    def close(self) -> None:
        """End it."""
        self._listener.close()
        self.thaw()
        self.cut()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                threading.Thread(target=self._join, args=(near,), daemon=True).start()

    def _join(self, near: socket.socket) -> None:
        self._flows.wait()
        far = socket.socket(socket.AF_UNIX)
        ends = {near, far}
        try:
            far.connect(str(self.target))
            self._open |= ends
            back = threading.Thread(target=self._pump, args=(far, near), daemon=True)
            back.start()
            self._pump(near, far)
            back.join()
        except OSError:
            pass  # no server there: the caller sees a closed connection
        finally:
            self._open -= ends
            near.close()
            far.close()

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                time.sleep(self._delay_s)
                self._flows.wait()
                sink.sendall(data)
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
