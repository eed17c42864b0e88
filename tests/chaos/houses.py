"""Houses for the faults: one computer with SQLite, two before one PostgreSQL with a standby."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import psycopg

from api.monitoring.operators import TOKEN_VARIABLE
from api.server.data_folder import GIVEN_KEY_VARIABLE, KEY_VARIABLE, LOG_VARIABLE
from tests.chaos.means import releases
from tests.chaos.means.link import Link
from tests.chaos.means.wire import Wire
from tests.chaos.writers import Writer
from tests.support.faults import faulty_libc
from tests.support.faults.faulty_libc import FaultyLibc
from tests.support.faults.loop_disks import LoopDisk
from tests.support.kit.replicated import STANDBY_PORT, promote
from tests.support.places import ROOT
from tests.support.servers.own_postgres import FIRST_PORT, Server
from tests.support.servers.served import Served, command_of

_SCHEMA = "house"


class ChaosHouse:
    """Computers, where their log is, and who writes to them.

    ``libcs``: the C library of each computer, if there is a compiler.
    """

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.folder = name, folder
        self.computers: list[Served] = []
        self.libcs: list[FaultyLibc] = []
        self.writers: Sequence[Writer] = ()

    @property
    def log(self) -> str | Path:
        """Where the log is read, past everything that is being broken."""
        return self.computers[0].folder / "log.sqlite"

    def add(self, computer: Served) -> None:
        """Start another computer, with a clock of its own if it can have one."""
        if not computer.is_forked and not faulty_libc.why_none():
            beside = self.folder / f"libc{len(self.libcs)}"
            beside.mkdir(parents=True)
            self.libcs.append(FaultyLibc(beside))
            computer.settings |= self.libcs[-1].settings
        self.computers.append(computer)
        try:
            computer.start()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End every process."""
        for computer in self.computers:
            if computer.process is not None:
                computer.kill_all()


class OneComputer(ChaosHouse):
    """With SQLite, on a disk of its own if it is given one."""

    def __init__(self, name: str, folder: Path, disk: LoopDisk | None = None) -> None:
        super().__init__(name, folder)
        self.disk = disk
        self.computer = new_computer(disk.place if disk else folder, "first", signs=True)
        self.add(self.computer)

    @property
    def libc(self) -> FaultyLibc:
        """The C library of the computer."""
        return self.libcs[0]


class TwoComputers(ChaosHouse):
    """Before one PostgreSQL, each with a link or a wire to it; the first has the notary.

    ``is_forked``: started quickly, without a notary, which would read the program again.
    ``disks``: of the server, of its standby and of the second computer, or none.
    """

    def __init__(
        self,
        folder: Path,
        server: Server,
        wires: Sequence[Wire] = (),
        disks: Sequence[LoopDisk] = (),
        *,
        is_forked: bool = False,
        root: Path = ROOT,
        name: str = "postgresql",
        key: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(name, folder)
        key = key or {GIVEN_KEY_VARIABLE: secrets.token_hex()}
        self.server, self.wires, self.disks, self._port = server, wires, disks, FIRST_PORT
        with psycopg.connect(server.address(), autocommit=True) as c:
            c.execute(f"CREATE SCHEMA {_SCHEMA}")
        self.links: Sequence[Link | Wire] = wires or [Link(self._socket) for _ in range(2)]
        for name, link in zip(("first", "second"), self.links, strict=True):
            given = {LOG_VARIABLE: self.address_of(link), **key}
            place = disks[2].place if disks and self.computers else folder
            one = new_computer(place, name, signs=not self.computers and not is_forked, **given)
            one.is_forked, one.root = is_forked, root
            if isinstance(link, Wire):
                one.host, one.inside = link.near, link.inside
                one.settings["GUINOTE_HOST"] = link.near
            if self.computers:
                one.folder.mkdir(mode=0o700)
                shutil.copy(self.computers[0].folder / "owner.token", one.folder)
                os.sync()  # an operator did it long before any power cut
            self.add(one)

    def address_of(self, link: Link | Wire) -> str:
        """The address of the database for the computer at a link."""
        ports = (FIRST_PORT, STANDBY_PORT)
        hosts = (
            ",".join(f"{link.far}:{port}" for port in ports)
            if isinstance(link, Wire)
            else f"127.0.0.1:{link.port}"
        )
        return (
            f"postgresql://club@{hosts}/postgres?sslmode=disable&options=-csearch_path%3D{_SCHEMA}"
        )

    @property
    def log(self) -> str:
        """Where the log is read, past the links."""
        return f"{self.server.address(_SCHEMA)}&port={self._port}"

    @property
    def _socket(self) -> Path:
        return self.server.folder / f".s.PGSQL.{self._port}"

    def fail_over(self) -> None:
        """The primary is gone, and the standby takes over."""
        self.server.kill()
        promote(self.server)
        self._port = STANDBY_PORT
        for link in self.links:
            if isinstance(link, Link):
                link.target = self._socket
            link.cut()

    def close(self) -> None:
        """End every process, and the links; whoever made the wires closes them."""
        super().close()
        for link in self.links:
            if isinstance(link, Link):
                link.close()


class UpgradedComputers(TwoComputers):
    """Two that begin with 0.1.0. ``later``: the program that follows this one."""

    def __init__(self, folder: Path, server: Server) -> None:
        key = {KEY_VARIABLE: str(folder / "persons.key")}  # 0.1.0 takes a file
        root = releases.first(folder / releases.FIRST)
        self.later = releases.later(folder / releases.LATER)
        super().__init__(folder, server, root=root, name="upgrade", key=key)


def new_computer(folder: Path, name: str, *, signs: bool, **given: str) -> Served:
    """A computer that was not started."""
    given[TOKEN_VARIABLE] = secrets.token_hex()
    if signs:
        given |= {"GUINOTE_SIGNING": "on", "GUINOTE_NOTARY": str(folder / f"{name}-keys")}
    return Served(folder / name, None, **given)


def kill_children(computer: Served, word: bytes) -> None:
    """Kill the processes beside the workers whose command has the word."""
    for pid in computer.children():
        if word in command_of(pid):
            os.kill(pid, signal.SIGKILL)


def kill_master(computer: Served) -> None:
    """Kill the first process of a computer alone; its children have to notice."""
    assert computer.process is not None
    os.kill(computer.process.pid, signal.SIGKILL)
    computer.process.wait()


def start_again(computer: Served) -> None:
    """Start it, whatever is left of it."""
    with suppress(ProcessLookupError):
        computer.kill_all()
    computer.start()
