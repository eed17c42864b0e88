"""The local network: where a worker listens while the house is open to it, and its name there.

The master of gunicorn listens to this computer alone. What is chosen on the page for the phones
opens and closes doors beside it in each worker, without a restart; so does another address that a
router gives. Workers share a port, as the system allows to sockets of one user.

The name ``guinote.local`` is multicast DNS (RFC 6762), which phones ask by themselves. The address
that a router gives may change; the name stays. One worker announces it.
"""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from api.http.access.hosts import is_loopback
from api.http.access.reach import LOCAL_NAME, HouseReach
from projections.runner.runner import runner_lock
from referee.log.faults import repeat_in_thread
from referee.system import ports

if TYPE_CHECKING:
    from zeroconf import Zeroconf

LOOKED_EVERY_S: Final = 1.0
NAME_LOOKED_EVERY_S: Final = 2.0
_BACKLOG: Final = 128
_KIND: Final = "_http._tcp.local."
_log = logging.getLogger(__name__)


class Doors:
    """Listening sockets by address, opened and closed as the setting for other devices says.

    ``change``: called with listeners to take in and those to leave, which are closed then.
    """

    def __init__(
        self, reach: HouseReach, port: int, change: Callable[[list[Any], list[Any]], None]
    ) -> None:
        self._reach, self._port, self._change = reach, port, change
        self._open: dict[str, socket.socket] = {}

    def start_listener_thread(self) -> None:
        """Have a thread open and close listeners as the setting and the addresses change."""
        repeat_in_thread("doors", self.update_listeners, LOOKED_EVERY_S, _log)

    def update_listeners(self) -> None:
        """Open the listeners that are missing; close those whose address is no longer wanted."""
        wanted = self._reach.addresses_for_other_devices()
        closed = [self._open.pop(one) for one in list(self._open) if one not in wanted]
        opened = {
            one: made
            for one in wanted
            if one not in self._open
            if (made := self._open_listener_or_none(one))
        }
        self._open |= opened
        for address in opened:
            self._reach.note_visit_address(f"{address}:{self._port}")
        if opened or closed:
            self._change([*opened.values()], closed)

    def _open_listener_or_none(self, address: str) -> socket.socket | None:
        """A listening socket at an address; None if the port is taken or the address is gone."""
        door = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            ports.set_port_shared(door)
            door.bind((address, self._port))
            door.listen(_BACKLOG)
            door.setblocking(False)
        except OSError:
            door.close()
            return None
        return door


def start_worker_listener_updates(worker: Any, reach: HouseReach, folder: Path) -> None:
    """Keep the listeners of a gunicorn worker and the local name up to date, in threads."""
    worker.reach = reach
    start_listener_updates(reach, worker.sockets, worker.change_listeners, folder)


def start_listener_updates(
    reach: HouseReach,
    listeners: Iterable[Any],
    change: Callable[[list[Any], list[Any]], None],
    folder: Path,
) -> None:
    """Start threads that keep the listeners in the local network and the name there up to date.

    ``change``: as of ``Doors``.
    """
    own = port_if_all_loopback(listeners)
    reach.is_by_command = own is None
    if own is not None:
        Doors(reach, own, change).start_listener_thread()
        LocalName(reach, own).start_announcement_thread(folder)


def port_if_all_loopback(listeners: Iterable[Any]) -> int | None:
    """Port of listeners that only this computer can reach.

    None if other devices can reach one of them.
    """
    places = [one.getsockname() for one in listeners]
    if not places or not all(isinstance(at, tuple) and is_loopback(at[0]) for at in places):
        return None
    return int(places[0][1])


class LocalName:
    """The name of a house, announced at the addresses by which other devices come in.

    ``port``: of the service; ``name``: another one than the usual.
    """

    def __init__(self, reach: HouseReach, port: int, name: str = LOCAL_NAME) -> None:
        self._reach, self._port, self._name = reach, port, name
        self._addresses: list[str] = []
        self._announced: Zeroconf | None = None
        self._fault = ""

    def start_announcement_thread(self, folder: Path) -> None:
        """Start a thread that announces the name."""
        kept = folder / "reach.name"
        threading.Thread(
            target=self._announce_always, args=(kept,), name="name", daemon=True
        ).start()

    def _announce_always(self, kept: Path) -> None:
        """Announce the name for ever, while no other worker does."""
        while not self._reach.addresses_for_other_devices():
            time.sleep(NAME_LOOKED_EVERY_S)
        with runner_lock(kept, threading.Event()):  # the other workers wait until this one ends
            while True:
                self.announce_at_addresses(self._reach.addresses_for_other_devices())
                time.sleep(NAME_LOOKED_EVERY_S)

    def announce_at_addresses(self, addresses: list[str]) -> None:
        """Announce the name at exactly these addresses."""
        if addresses != self._addresses:
            self.close()
        if addresses and self._announced is None:
            self._announce(addresses)
        if self._announced is not None:
            self._reach.note_local_name_works()

    def _announce(self, addresses: list[str]) -> None:
        import zeroconf  # noqa: PLC0415 - for a house that is open to its network only

        service = zeroconf.ServiceInfo(
            _KIND,
            f"{self._name.partition('.')[0]}.{_KIND}",
            port=self._port,
            server=f"{self._name}.",
            parsed_addresses=addresses,
        )
        announced = None
        try:
            announced = zeroconf.Zeroconf(addresses, ip_version=zeroconf.IPVersion.V4Only)
            announced.register_service(service)
        except (OSError, zeroconf.Error) as error:  # another house has the name, for example
            if announced is not None:
                announced.close()
            if str(error) != self._fault:
                self._fault = str(error)
                _log.warning("%s is not announced: %r", self._name, error)
        else:
            self._addresses, self._announced, self._fault = addresses, announced, ""

    def close(self) -> None:
        """Withdraw the name."""
        if self._announced is not None:
            self._announced.close()
        self._addresses, self._announced = [], None
