"""A Wi-Fi of a test's own: a computer and a phone in network namespaces with a cable between them.

There is no other way out of either, so no packet leaves them. Only root may make one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import closing
from functools import cache
from itertools import count

NO_NETWORK = "NO NETWORK NAMESPACES: no phone came in over a Wi-Fi; be root, and install iproute2"
_NUMBERS = count()
_COMPUTER, _PHONE = "192.168.1.10", "192.168.1.23"


class OwnNetwork:
    """``address``: of the computer; ``computer`` and ``phone``: words before a command there."""

    def __init__(self) -> None:
        name = f"gn-{os.getpid()}-{next(_NUMBERS)}"
        self._names = (f"{name}-computer", f"{name}-phone")
        self.address = _COMPUTER
        # ``ip netns exec`` would keep every disk mounted that is mounted now
        self.computer, self.phone = (("nsenter", f"--net=/run/netns/{one}") for one in self._names)
        try:
            self._connect()
        except BaseException:
            self.close()
            raise

    def _connect(self) -> None:
        """Two computers, and the cable between them."""
        for one in self._names:
            _ip("netns", "add", one)
        computer, phone = self._names
        cable = ("type", "veth", "peer", "name", "wlan0", "netns", phone)
        _ip("-n", computer, "link", "add", "wlan0", *cable)
        for one, address in ((computer, _COMPUTER), (phone, _PHONE)):
            _ip("-n", one, "addr", "add", f"{address}/24", "dev", "wlan0")
            for end in ("lo", "wlan0"):
                _ip("-n", one, "link", "set", end, "up")

    def close(self) -> None:
        """End it; its processes have ended."""
        for one in self._names:
            subprocess.run(["ip", "netns", "del", one], check=False, capture_output=True)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


@cache
def may_have() -> bool:
    """Whether this user may make a network."""
    if os.geteuid() != 0 or not (shutil.which("ip") and shutil.which("nsenter")):
        return False
    try:
        with closing(OwnNetwork()) as tried:
            subprocess.run([*tried.phone, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    return True
