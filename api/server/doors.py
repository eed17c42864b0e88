"""Doors: a worker listens in the networks of this computer while the house is open to them.

The master of gunicorn listens to this computer alone. What is chosen on the page for the phones
opens and closes doors beside it in each worker, without a restart; so does another address that a
router gives. Workers share a port, as the system allows to sockets of one user.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from api.http.access.host_names import is_loopback
from api.http.access.reach import HouseReach
from api.server.local_name import LocalName
from referee.log.faults import repeat_in_thread
from referee.system import ports

LOOKED_EVERY_S: Final = 1.0
_BACKLOG: Final = 128
_log = logging.getLogger(__name__)


class Doors:
    """Listeners by address, kept as the choice says.

    ``change``: called with listeners to take in and those to leave, which are closed then.
    """

    def __init__(
        self, reach: HouseReach, port: int, change: Callable[[list[Any], list[Any]], None]
    ) -> None:
        self._reach, self._port, self._change = reach, port, change
        self._open: dict[str, socket.socket] = {}

    def watch(self) -> None:
        """Look at the choice and the addresses from now on, in a thread of its own."""
        repeat_in_thread("doors", self.look, LOOKED_EVERY_S, _log)

    def look(self) -> None:
        """Open doors that are missing and close those that are too many."""
        wanted = self._reach.open_addresses()
        closed = [self._open.pop(one) for one in list(self._open) if one not in wanted]
        opened = {one: made for one in wanted if one not in self._open if (made := self._door(one))}
        self._open |= opened
        for address in opened:
            self._reach.note_place(f"{address}:{self._port}")
        if opened or closed:
            self._change([*opened.values()], closed)

    def _door(self, address: str) -> socket.socket | None:
        """A listener; None if the port is taken there, or the address is gone already."""
        door = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            ports.share_port(door)
            door.bind((address, self._port))
            door.listen(_BACKLOG)
            door.setblocking(False)
        except OSError:
            door.close()
            return None
        return door


def watch_doors(worker: Any, reach: HouseReach, folder: Path) -> None:
    """Have a worker of gunicorn keep the doors and the name, unless it shall listen elsewhere."""
    worker.reach = reach
    keep_doors(reach, worker.sockets, worker.change_listeners, folder)


def keep_doors(
    reach: HouseReach,
    listeners: Iterable[Any],
    change: Callable[[list[Any], list[Any]], None],
    folder: Path,
) -> None:
    """Keep the doors and the name of a server with these listeners; ``change``: as of ``Doors``."""
    own = port_of_this_computer(listeners)
    reach.is_by_command = own is None
    if own is not None:
        Doors(reach, own, change).watch()
        LocalName(reach, own).watch(folder)


def port_of_this_computer(listeners: Iterable[Any]) -> int | None:
    """The port of listeners that only this computer reaches; None if another one reaches any."""
    places = [one.getsockname() for one in listeners]
    if not places or not all(isinstance(at, tuple) and is_loopback(at[0]) for at in places):
        return None
    return int(places[0][1])
