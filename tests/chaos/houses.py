"""Houses for the faults: one computer with SQLite, two before one PostgreSQL with a standby."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
from contextlib import suppress
from pathlib import Path

from tests.chaos.link import Link
from tests.support.kit.replicated import STANDBY_PORT, promote
from tests.support.servers.own_postgres import Server
from tests.support.servers.served import Served, command_of

_SCHEMA = "house"


class ChaosHouse:
    """Computers, and where their log is."""

    def __init__(self, computers: list[Served]) -> None:
        self.computers = computers

    @property
    def log(self) -> str | Path:
        """Where the log is read, past everything that is being broken."""
        return self.computers[0].folder / "log.sqlite"

    def close(self) -> None:
        """End every process."""
        for computer in self.computers:
            if computer.process is not None:
                computer.kill_all()


class OneComputer(ChaosHouse):
    """With SQLite."""

    name = "sqlite"

    def __init__(self, folder: Path, *, is_forked: bool = False) -> None:
        (self.computer,) = self.computers = [_computer(folder, "first", is_forked, signs=True)]
        self.computer.start()


class TwoComputers(ChaosHouse):
    """With a link each to one PostgreSQL; the first has the notary."""

    name = "postgresql"

    def __init__(self, folder: Path, server: Server, *, is_forked: bool = False) -> None:
        import psycopg

        self.server, self._port = server, 5432
        with psycopg.connect(server.address(), autocommit=True) as c:
            c.execute(f"CREATE SCHEMA {_SCHEMA}")
        self.links = [Link(self._socket), Link(self._socket)]
        secret = secrets.token_hex()
        shared = f"/postgres?sslmode=disable&options=-csearch_path%3D{_SCHEMA}"
        self.computers = []
        for name, link in zip(("first", "second"), self.links, strict=True):
            address = f"postgresql://club@127.0.0.1:{link.port}{shared}"
            given = {"GUINOTE_LOG": address, "GUINOTE_PERSONS_SECRET": secret}
            one = _computer(folder, name, is_forked, signs=not self.computers, **given)
            if self.computers:
                one.folder.mkdir(mode=0o700)
                shutil.copy(self.computers[0].folder / "owner.token", one.folder)
            one.start()
            self.computers.append(one)

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
            link.target = self._socket
            link.cut()

    def close(self) -> None:
        """End every process, and the links."""
        super().close()
        for link in self.links:
            link.close()


def _computer(folder: Path, name: str, is_forked: bool, *, signs: bool, **given: str) -> Served:
    if signs:
        given |= {"GUINOTE_SIGNING": "on", "GUINOTE_NOTARY": str(folder / f"{name}-keys")}
    return Served(folder / name, None, is_forked=is_forked, **given)


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
