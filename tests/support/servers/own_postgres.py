"""A PostgreSQL server for tests, in a temporary folder."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from tests.support.waiting import wait_for

FIRST_PORT = 5432
MEMORY = Path("/dev/shm")
ROOM = 1 << 30
BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
SETTINGS = {
    "listen_addresses": "''",  # a socket in its own folder is enough
    "max_connections": "80",
    "shared_buffers": "32MB",
    "logging_collector": "off",
}


def found() -> Path | None:
    """Folder of the programs of the server, the newest there is."""
    on_path = shutil.which("initdb")
    folders = [Path(on_path).resolve().parent] if on_path else []
    return next((one for one in [*reversed(BINARIES), *folders] if (one / "initdb").exists()), None)


class Server:
    """A server of one cluster; as root it runs as another user, since it refuses to run as root.

    ``disk``: an empty folder for its files, if they shall not be beside its socket.
    """

    def __init__(self, binaries: Path, folder: Path, disk: Path | None = None) -> None:
        self.binaries, self.folder = binaries, folder
        self.data = folder / "data"
        self._numbers = count(1)
        self._become: list[str] = []
        if os.getuid() == 0:
            user = next(u for u in ("postgres", "nobody") if _is_user(u))
            shutil.chown(folder, user)
            self._become = ["setpriv", f"--reuid={user}", "--clear-groups", "--"]
        if disk is not None:
            self.put(self.data, disk)
        self.run("initdb", "-D", self.data, "-U", "club", "-A", "trust", "-E", "UTF8", "--no-sync")
        lines = [f"{name} = {value}" for name, value in SETTINGS.items()]
        lines.append(f"unix_socket_directories = '{folder}'")
        with (self.data / "postgresql.conf").open("a") as conf:
            conf.write("\n".join(lines))

    def put(self, place: Path, disk: Path) -> None:
        """Let the files of a cluster at a place be on a disk."""
        shutil.chown(disk, self.folder.owner())
        place.symlink_to(disk)

    def run(self, program: str, *arguments: object) -> None:
        command = [*self._become, self.binaries / program, *map(str, arguments)]
        with (self.folder / "out").open("ab") as out:
            subprocess.run(command, check=True, stdout=out, stderr=out, cwd=self.folder)

    def start(self) -> None:
        """Start it; a disk that had no power may have the number of a process of before."""
        (self.data / "postmaster.pid").unlink(missing_ok=True)
        self.run("pg_ctl", "-D", self.data, "-l", self.folder / "log", "-w", "start")

    def stop(self, mode: str = "immediate") -> None:
        self.run("pg_ctl", "-D", self.data, "-m", mode, "-w", "stop")

    def pids(self) -> list[int]:
        """The server and all of its backends, the server first."""
        return pids_of(first_pid(self.data))

    def kill(self) -> None:
        """End the server and every backend at once."""
        kill_server(first_pid(self.data))
        (self.data / "postmaster.pid").unlink()  # in a container nobody may bury the dead
        self.forget_socket()

    def forget_socket(self) -> None:
        """Remove the socket of a server that was killed; a standby has another port."""
        for left in self.folder.glob(f".s.PGSQL.{FIRST_PORT}*"):
            left.unlink()

    def address(self, schema: str = "public") -> str:
        """Where its database is; tables are made in the schema."""
        options = f"-csearch_path%3D{schema}"
        return f"postgresql://club@/postgres?host={self.folder}&options={options}"

    def new_address(self) -> str:
        """An empty schema of its own."""
        import psycopg

        schema = f"log{next(self._numbers)}"
        with psycopg.connect(self.address(), autocommit=True) as c:
            c.execute(f"CREATE SCHEMA {schema}")
        return self.address(schema)


def until_closed(address: str) -> None:
    """Wait until no program has a log of this database open.

    The server notices a moment later that a client has ended, and completes its last commit.
    """
    import psycopg

    held = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()"
    with psycopg.connect(address, autocommit=True) as c:
        wait_for(lambda: not c.execute(held).fetchall(), "the end of other connections")


def first_pid(data: Path) -> int:
    """The first process of the server of a cluster, whose disk can be read."""
    return int((data / "postmaster.pid").read_text().split()[0])


def pids_of(first: int) -> list[int]:
    """The first process of a server and all of its backends."""
    children = Path(f"/proc/{first}/task/{first}/children").read_text()
    return [first, *map(int, children.split())]


def kill_server(first: int) -> None:
    """End a server and every backend at once, the server first: it would start others."""
    os.kill(first, signal.SIGSTOP)
    ended = pids_of(first)
    for pid in ended:
        os.kill(pid, signal.SIGKILL)
    while any(_is_alive(pid) for pid in ended):
        time.sleep(0.01)


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def _is_user(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


@contextmanager
def started(*, in_memory: bool = False, disk: Path | None = None) -> Iterator[Server]:
    """A server that was started, which the caller stops. The path of a socket must be short.

    ``in_memory``: where there is room, so that a thousand files are not flushed to a disk.
    ``disk``: an empty folder for its files, wherever its socket is.
    """
    binaries = found()
    assert binaries is not None
    has_room = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM
    place = MEMORY if in_memory and has_room else None
    with tempfile.TemporaryDirectory(prefix="pg", dir=place, ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)
        server = Server(binaries, Path(name), disk)
        server.start()
        yield server


@contextmanager
def running() -> Iterator[Server]:
    """A server for as long as it is needed."""
    with started() as server:
        try:
            yield server
        finally:
            server.stop()
