"""A network namespace for a computer, with a cable to its database; only root may have one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import count

from tests.support.places import ROOT

PORTS = "5432:5433"
"""Of the primary and its standby: what reaches the computer over HTTP is not broken."""
_NEEDED = ("ip", "iptables", "nsenter", "ss", "tc")
_NUMBERS = count()
_HOLDS_LOCK = """
import sys, time
from referee.log.postgres.connections import connect
with connect(sys.argv[1]) as c, c.transaction():
    c.execute("SELECT position FROM log_head FOR UPDATE")
    print("held", flush=True)
    time.sleep(600)
"""


class Wire:
    """``near``: address of the computer. ``far``: that of the database at this wire."""

    def __init__(self) -> None:
        number = next(_NUMBERS)
        self._name = f"guinote-{os.getpid()}-{number}"
        subnet = f"198.18.{os.getpid() % 256}"  # for tests of networks, by RFC 2544
        self.far, self.near = (f"{subnet}.{4 * number + last}" for last in (1, 2))
        end = f"gn{os.getpid()}-{number}"
        # ``ip netns exec`` would keep every disk mounted that is mounted now
        self.inside = ("nsenter", f"--net=/run/netns/{self._name}")
        _ip("netns", "add", self._name)
        try:
            self._connect(end)
        except BaseException:
            self.close()
            raise

    def cut(self) -> None:
        """Close every connection to the database at both ends; new ones are accepted."""
        self._run("ss", "-K", "dst", self.far)

    def freeze(self) -> None:
        """Half open: no packet arrives, and nobody is told."""
        self._run(*"iptables -A INPUT -p tcp --sport".split(), PORTS, "-j", "DROP")
        self._run(*"iptables -A OUTPUT -p tcp --dport".split(), PORTS, "-j", "DROP")

    def thaw(self) -> None:
        """Let packets pass again."""
        self._run("iptables", "-F")

    def slow_down(self) -> None:
        """Let only 256 kbit a second pass."""
        self._run(*"tc qdisc add dev eth0 root tbf rate 256kbit burst 3200 latency 400ms".split())

    def speed_up(self) -> None:
        """Let everything pass at once."""
        self._run(*"tc qdisc del dev eth0 root".split())

    @contextmanager
    def holding_lock(self, address: str) -> Iterator[None]:
        """A connection of the computer that is in the middle of a write all the time."""
        command: Sequence[str] = (*self.inside, sys.executable, "-c", _HOLDS_LOCK, address)
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as holder:
            try:
                assert holder.stdout is not None
                assert holder.stdout.readline() == "held\n"
                yield
            finally:
                holder.kill()

    def close(self) -> None:
        """End it; its processes have ended."""
        _ip("netns", "del", self._name)

    def _connect(self, end: str) -> None:
        """Lay the cable; ``end``: the name of its end outside."""
        inside = ("-n", self._name)
        _ip("link", "add", end, "type", "veth", "peer", "name", "eth0", "netns", self._name)
        _ip("addr", "add", f"{self.far}/30", "dev", end)
        _ip("link", "set", end, "up")
        _ip(*inside, "addr", "add", f"{self.near}/30", "dev", "eth0")
        for one in ("lo", "eth0"):
            _ip(*inside, "link", "set", one, "up")

    def _run(self, *words: str) -> None:
        subprocess.run([*self.inside, *words], check=True, capture_output=True)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


def why_none() -> str:
    """What is missing for wires; empty if nothing is."""
    if os.getuid() != 0:
        return "be root"
    if missing := [one for one in _NEEDED if shutil.which(one) is None]:
        return f"install {', '.join(missing)}"
    try:
        with closing(Wire()) as tried:
            tried.freeze()
    except subprocess.CalledProcessError as error:
        return f"network namespaces that can be filtered ({error.stderr.decode().strip()})"
    return ""
