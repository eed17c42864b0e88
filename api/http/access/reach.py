"""Who may reach this house: only this computer, its networks, or the internet through a proxy.

The choice is of this computer, not of the club, so it lies beside the log and in no backup.
"""

from __future__ import annotations

import ipaddress
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

from api.http.access.hosts import is_loopback
from referee.log.durable import FILE_MODE, write_file_atomically
from referee.system import ports

ReachChoice: TypeAlias = Literal["here", "network", "internet"]
REACH_CHOICES: Final[tuple[ReachChoice, ...]] = get_args(ReachChoice)
LOCAL_NAME: Final = "guinote.local"
"""The name of this computer in its networks, while the house is open to them."""
_CHOICE_FILE: Final = "reach"
_VISIT_FILE: Final = "reach.visited"
_PLACES_FILE: Final = "reach.places"
_MOST_PLACES: Final = 12
_NAME_FILE: Final = "reach.named"
_NAME_LASTS_S: Final = 60.0
_NOTED_EVERY_S: Final = 2.0
_OUTSIDE: Final = ("192.0.2.1", 9)
"""An address that nobody has (RFC 5737). Nothing is sent there: the system only says by which own
address it would go out."""


class HouseReach:
    """The choice of who may reach a house, and the last visit by another device.

    ``is_by_command``: whoever started the service chose another address than this computer's own,
    so the choice of the page opens and closes nothing.
    """

    def __init__(self, folder: Path) -> None:
        self._choice_file, self._visit_file = folder / _CHOICE_FILE, folder / _VISIT_FILE
        self._places_file, self._name_file = folder / _PLACES_FILE, folder / _NAME_FILE
        self._noted = 0.0
        self.is_by_command = False

    def choice(self) -> ReachChoice | None:
        """Choice of who may reach the house; None if nobody chose yet."""
        try:
            found = self._choice_file.read_text("utf-8").strip()
        except OSError:
            return None
        return next((one for one in REACH_CHOICES if one == found), None)

    def choose_and_forget_visit(self, choice: ReachChoice) -> None:
        """Store a choice of who may reach the house, and forget the last visit."""
        write_file_atomically(self._choice_file, f"{choice}\n", FILE_MODE)
        self._visit_file.unlink(missing_ok=True)

    def addresses_for_other_devices(self) -> list[str]:
        """Addresses by which other devices shall come in; none unless the networks were chosen."""
        return own_addresses() if self.choice() == "network" else []

    def note_visit_address(self, place: str) -> None:
        """Note that other devices come in here. ``place``: address and port."""
        places = self.visit_addresses()
        if place not in places:
            with suppress(OSError):
                lines = "\n".join([*places, place][-_MOST_PLACES:])
                write_file_atomically(self._places_file, f"{lines}\n", FILE_MODE)

    def visit_addresses(self) -> list[str]:
        """Addresses with ports by which other devices came in or could, the oldest first."""
        try:
            return self._places_file.read_text("utf-8").split()
        except OSError:
            return []

    def note_local_name_works(self) -> None:
        """Note that the local name leads to this computer now; repeated while it does."""
        with suppress(OSError):
            self._name_file.touch(FILE_MODE)

    def has_working_local_name(self) -> bool:
        """Whether the name led here within the last minute, and phones may come in."""
        try:
            age = time.time() - self._name_file.stat().st_mtime
        except OSError:
            return False
        return age < _NAME_LASTS_S and self.choice() == "network"

    def note_visit(self) -> None:
        """Note that another device has come; at most every two seconds."""
        now = time.monotonic()
        if now >= self._noted + _NOTED_EVERY_S:
            self._noted = now
            with suppress(OSError):
                self._visit_file.touch(FILE_MODE)

    def has_visit(self) -> bool:
        """Whether another device came since the choice."""
        return self._visit_file.exists()


def own_addresses() -> list[str]:
    """Addresses of this computer in its local networks, the one for outgoing connections first."""
    found = dict.fromkeys(
        [*_outgoing_address_if_any(), *(ports.interface_addresses() or _addresses_of_own_name())]
    )
    return [one for one in found if ipaddress.ip_address(one).is_private and not is_loopback(one)]


def _outgoing_address_if_any() -> Iterator[str]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked, suppress(OSError):
        asked.connect(_OUTSIDE)
        yield str(asked.getsockname()[0])


def _addresses_of_own_name() -> list[str]:
    try:
        return socket.gethostbyname_ex(socket.gethostname())[2]
    except OSError:
        return []
