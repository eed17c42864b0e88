"""Messages between processes about which clubs were written to.

Writers send them, followers of logs receive them.

A datagram a write, sent without waiting. Nothing depends on one that is lost: every process says
again each second which clubs it has open.
"""

from __future__ import annotations

import os
import select
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Literal, TypeAlias

Listening: TypeAlias = Literal["projector", "notary", "webhooks"]
LISTENERS: Final[tuple[Listening, ...]] = ("projector", "notary", "webhooks")
_MOST_BYTES: Final = 8192
_ABOUT: Final = "bell-"


class Bell:
    """Sender of messages about clubs that were written to. ``folder``: of the installation."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)

    def ring(self, names: Iterable[str]) -> None:
        """Tell the listening processes that these clubs were written to."""
        for said in _names_as_datagrams(names):
            for one in LISTENERS:
                with suppress(OSError), _listener_socket_path(self._folder, one) as address:
                    self._socket.sendto(said, address)

    def close(self) -> None:
        """Close the socket; no more messages are sent."""
        self._socket.close()


class Ear:
    """Receiver of messages about clubs written to, one process for each kind of listener."""

    def __init__(self, folder: Path, who: Listening) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        (folder / f"{_ABOUT}{who}").unlink(missing_ok=True)
        with _listener_socket_path(folder, who) as address:
            self._socket.bind(address)
        self._socket.setblocking(False)

    def hear_club_names(self, at_most_s: float) -> set[str]:
        """Wait for messages for a time at most; returns the names of clubs that were written to."""
        heard = set[str]()
        select.select([self._socket], [], [], at_most_s)
        with suppress(BlockingIOError):
            while True:
                heard |= set(self._socket.recv(_MOST_BYTES).decode("ascii", "replace").split())
        return heard

    def close(self) -> None:
        """Close the socket; no more messages are received."""
        self._socket.close()


def _names_as_datagrams(names: Iterable[str]) -> Iterator[bytes]:
    """Names of clubs as datagrams, each within the size limit."""
    said = ""
    for name in names:
        if len(said) + len(name) + 1 > _MOST_BYTES:
            yield said.encode()
            said = ""
        said += f"{name}\n"
    if said:
        yield said.encode()


@contextmanager
def _listener_socket_path(folder: Path, who: Listening) -> Iterator[str]:
    """Yield a path to a listener's socket by a descriptor of its folder, within 107 bytes."""
    at = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{at}/{_ABOUT}{who}"
    finally:
        os.close(at)
