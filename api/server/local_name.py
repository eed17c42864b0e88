"""A name in the networks of this computer: ``guinote.local`` leads to it while they may come in.

It is multicast DNS (RFC 6762), which phones ask by themselves. The address that a router gives may
change; the name stays. One worker announces it.
"""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from api.http.access.reach import LOCAL_NAME, HouseReach
from projections.runner.runner import runner_lock

if TYPE_CHECKING:
    from zeroconf import Zeroconf

LOOKED_EVERY_S: Final = 2.0
_KIND: Final = "_http._tcp.local."
_log = logging.getLogger(__name__)


class LocalName:
    """The name of a house, announced at the addresses by which other devices come in.

    ``port``: of the service; ``name``: another one than the usual.
    """

    def __init__(self, reach: HouseReach, port: int, name: str = LOCAL_NAME) -> None:
        self._reach, self._port, self._name = reach, port, name
        self._addresses: list[str] = []
        self._announced: Zeroconf | None = None
        self._fault = ""

    def watch(self, folder: Path) -> None:
        """Announce it from now on, in a thread of its own."""
        kept = folder / "reach.name"
        threading.Thread(target=self._look_always, args=(kept,), name="name", daemon=True).start()

    def _look_always(self, kept: Path) -> None:
        while not self._reach.open_addresses():
            time.sleep(LOOKED_EVERY_S)
        with runner_lock(kept, threading.Event()):  # the other workers wait until this one ends
            while True:
                self.look(self._reach.open_addresses())
                time.sleep(LOOKED_EVERY_S)

    def look(self, addresses: list[str]) -> None:
        """Announce the name at these addresses, and at no others."""
        if addresses != self._addresses:
            self.close()
        if addresses and self._announced is None:
            self._announce(addresses)
        if self._announced is not None:
            self._reach.note_name()

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
