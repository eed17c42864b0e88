r"""Many clubs in one installation beside a house alone: waits of acts, memory, and what faults do.

A house alone with as many tables as there are playing clubs, and an installation of ``--clubs``
with one table in each of ``--playing``, are loaded at the same rate, in turns: each table records
an act each ``--every`` seconds, and waits count from the moment at which an act was due. Then the
installation goes on while one club or one process meets each fault, and the waits of the other
clubs are compared with its calm ones. At the end each log has every act that was answered.

    python -m benchmarks.server.clubs [--clubs 300] [--playing 20] [--every 2] [--seconds 20]
    python -m benchmarks.server.clubs --only-start --clubs 10000 --opened 300
"""

from __future__ import annotations

import argparse
import http.client
import multiprocessing
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Final

from api.server.clubs.birth import make_club
from api.server.clubs.folder import ClubsFolder
from benchmarks.server.acts import Tablet
from tests.support.installation import Installation
from tests.support.servers.served import Served

TICKS: Final = os.sysconf("SC_CLK_TCK")
REST_S: Final = 10.0


class Table(Tablet):
    """A table whose acts are due at fixed moments, and answered or tried again."""

    def __init__(self, port: int, number: int, token: str, host: str) -> None:
        super().__init__(port, number, token, host)
        self.waits: list[float] = []
        self.answered = 0
        self.sit_down()

    def act_due(self, due: float) -> None:
        """Record an act that was due at a moment; again, as a tablet does, until it is answered."""
        if not self.queue:
            self.sit_down()
        act, key = self.queue.pop(0), str(uuid.uuid4())
        while True:
            try:
                self.call(self.path, {"acts": [act]}, self.version, key)
                break
            except (OSError, http.client.HTTPException):
                self.http.close()
            except AssertionError as refused:
                if not str(refused).startswith("(503"):
                    raise
            time.sleep(0.1)
        self.version += 1
        self.answered += 1
        self.waits.append(time.monotonic() - due)


def play(tables: list[Table], every_s: float, seconds: float) -> list[float]:
    """Waits of the acts of all tables, sorted, in milliseconds."""
    for one in tables:
        one.waits = []
        one.http.close()  # a kept connection may have ended meanwhile; the next act opens another
    begin = time.monotonic() + 0.2

    def run(table: Table, offset_s: float) -> None:
        due = begin + offset_s
        while due < begin + seconds:
            time.sleep(max(0.0, due - time.monotonic()))
            table.act_due(due)
            due += every_s

    threads = [
        threading.Thread(target=run, args=(one, place * every_s / len(tables)))
        for place, one in enumerate(tables)
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return sorted(1000 * wait for one in tables for wait in one.waits)


def quantiles(waits: list[float]) -> str:
    p50, p99 = waits[len(waits) // 2], waits[int(len(waits) * 0.99)]
    return f"p50 {p50:6.1f} ms  p99 {p99:6.1f} ms  most {waits[-1]:6.1f} ms  of {len(waits)}"


def p99(waits: list[float]) -> float:
    return waits[int(len(waits) * 0.99)]


def processes(server: Served) -> list[int]:
    assert server.process is not None
    return [server.process.pid, *server.children()]


def memory_mb(server: Served) -> float:
    """Memory of all processes of a server, shared pages counted once."""
    total = 0
    for pid in processes(server):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1])
    return total / 1024


def cpu_s(server: Served) -> float:
    total = 0
    for pid in processes(server):
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


def opened(server: Installation, names: list[str]) -> None:
    """Ask each club for its hall."""
    for name in names:
        connection = server.connection()
        connection.request("GET", "/api/v1/public/sala", headers={"Host": f"{name}.localhost"})
        assert connection.getresponse().status in (200, 503)
        connection.close()


# --- faults --------------------------------------------------------------------------------------


@contextmanager
def flood(server: Installation, name: str) -> Iterator[None]:
    """Eight clients of a club ask as fast as they are answered, in a process of their own."""
    clients = multiprocessing.get_context("spawn").Process(
        target=ask_without_pause, args=(server.port, f"{name}.localhost"), daemon=True
    )
    clients.start()
    yield
    clients.kill()
    clients.join()


def ask_without_pause(port: int, host: str) -> None:
    """Ask a club for its hall with eight clients, until this process is killed."""

    def run() -> None:
        while True:
            with suppress(OSError, http.client.HTTPException):
                asked = http.client.HTTPConnection("127.0.0.1", port)
                while True:
                    asked.request("GET", "/sala/", headers={"Host": host})
                    asked.getresponse().read()

    for _ in range(8):
        threading.Thread(target=run).start()


@contextmanager
def damage_views(server: Installation, name: str) -> Iterator[None]:
    """The views of a club are overwritten while they are open."""
    with (server.clubs.data_folder(name) / "views.sqlite").open("r+b") as file:
        file.write(os.urandom(64 * 1024))
    stop = threading.Event()
    thread = threading.Thread(target=_ask_until, args=(server, name, stop))
    thread.start()
    yield
    stop.set()
    thread.join()


@contextmanager
def rebuild(server: Installation, name: str) -> Iterator[None]:
    """The views of a club are of another version, and are written again and again."""
    stop = threading.Event()

    def run() -> None:
        while not stop.is_set():
            with suppress(sqlite3.Error):
                views = sqlite3.connect(server.clubs.data_folder(name) / "views.sqlite", timeout=5)
                views.execute("UPDATE followed SET fingerprint = 'another'")
                views.commit()
                views.close()
            opened(server, [name])
            time.sleep(0.5)

    thread = threading.Thread(target=run)
    thread.start()
    yield
    stop.set()
    thread.join()


@contextmanager
def fill_disk(server: Installation, name: str) -> Iterator[None]:
    """The disk of a club is full: a small one that is mounted over its folder."""
    folder = server.clubs.data_folder(name)
    server.clubs.shut(name)
    time.sleep(3)
    kept = folder.with_name(f"{name}.kept")
    folder.rename(kept)
    folder.mkdir()
    size = sum(one.stat().st_size for one in kept.iterdir()) + 256 * 1024
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=True)
    shutil.copytree(kept, folder, dirs_exist_ok=True)
    (folder / "shut").unlink()
    with suppress(OSError), (folder / "filler").open("wb") as filler:
        while True:
            filler.write(bytes(4096))
            filler.flush()
    stop = threading.Event()
    thread = threading.Thread(target=_ask_until, args=(server, name, stop))
    thread.start()
    yield
    stop.set()
    thread.join()
    (folder / "shut").unlink(missing_ok=True)
    (folder / "filler").unlink()
    server.clubs.shut(name)
    time.sleep(3)
    subprocess.run(["umount", "--lazy", folder], check=True)
    folder.rmdir()
    kept.rename(folder)
    server.clubs.reopen(name)


def _ask_until(server: Installation, name: str, stop: threading.Event) -> None:
    while not stop.wait(0.2):
        with suppress(OSError, AssertionError):
            opened(server, [name])


@contextmanager
def kill(server: Installation, which: str) -> Iterator[None]:
    """A process is killed, and after a while another of its kind, if there is one."""
    beside = server.beside("api.server.clubs")
    workers = [one for one in server.children() if one not in beside]
    found = server.beside(which) if which != "worker" else workers
    for pid in found[:1]:
        os.kill(pid, signal.SIGKILL)
    yield


# --- what is measured ----------------------------------------------------------------------------


def seat(server: Served, hosts: list[str], tokens: list[str]) -> list[Table]:
    return [
        Table(server.port, number, token, host)
        for number, (host, token) in enumerate(zip(hosts, tokens, strict=True))
    ]


def compare(folder: Path, args: argparse.Namespace) -> None:
    """A house alone and the installation in turns; then the faults."""
    alone = Served(folder / "alone")
    many = Installation(folder / "many", *(f"club-{n}" for n in range(args.clubs)))
    playing = [f"club-{n}" for n in range(args.playing)]
    alone.start()
    many.start()
    try:
        of_alone = seat(alone, [""] * args.playing, [alone.token] * args.playing)
        hosts = [f"{name}.localhost" for name in playing]
        of_many = seat(many, hosts, [many.club(name).token for name in playing])
        calm: list[float] = []
        for round_ in range(args.rounds):
            single = play(of_alone, args.every, args.seconds)
            calm = play(of_many, args.every, args.seconds)
            print(f"round {round_ + 1}  alone         {quantiles(single)}")
            print(
                f"         {args.clubs} clubs     {quantiles(calm)}  {p99(calm) / p99(single):.2f}"
            )
        print(f"memory: alone {memory_mb(alone):.0f} MB, installation {memory_mb(many):.0f} MB")
        faults(many, of_many[1:], calm, args)
        check(many, of_many)
    finally:
        alone.kill_all()
        many.kill_all()


def faults(
    many: Installation, others: list[Table], calm: list[float], args: argparse.Namespace
) -> None:
    """Waits of the other clubs while the first one, or a process, meets each fault."""
    first = "club-0"
    kinds: dict[str, Callable[[], AbstractContextManager[None]]] = {
        "a club floods": lambda: flood(many, first),
        "its views are damaged": lambda: damage_views(many, first),
        "its views are rebuilt": lambda: rebuild(many, first),
        "its disk is full": lambda: fill_disk(many, first),
        "the projector is killed": lambda: kill(many, "projector"),
        "the notary is killed": lambda: kill(many, "notary"),
        "a worker is killed": lambda: kill(many, "worker"),
    }
    for what, begin in kinds.items():
        if args.fault not in what:
            continue
        with begin():
            waits = play(others, args.every, args.seconds)
        print(f"{what:24} {quantiles(waits)}  {p99(waits) / p99(calm):.2f}")


def check(many: Installation, tables: list[Table]) -> None:
    """Each partida has the acts that were answered.

    :raises AssertionError: one does not
    """
    for one in tables:
        club = many.club(one.host.partition(".")[0])
        where = one.path.partition("/partidas")[0]
        headers = {"Authorization": f"Bearer {one.token}"}
        _, answer = club.ask("GET", f"{where}/entries", headers=headers)
        assert answer["partidas"][0]["version"] == one.version, one.host
    print(f"acts answered {sum(one.answered for one in tables)}, lost 0")


def start_many(folder: Path, args: argparse.Namespace) -> None:
    """How soon so many known clubs are served, and what they take once some were opened."""
    clubs = ClubsFolder(folder / "many")
    make_club(clubs, "club-0")
    for number in range(1, args.clubs):
        shutil.copytree(clubs.data_folder("club-0"), clubs.data_folder(f"club-{number}"))
    many = Installation(folder / "many")
    began = time.monotonic()
    many.start()
    print(f"{args.clubs} known clubs: served after {time.monotonic() - began:.1f} s")
    try:
        rest(many, "nobody there")
        began = time.monotonic()
        opened(many, [f"club-{n}" for n in range(args.opened)])
        each = (time.monotonic() - began) / args.opened
        print(f"{args.opened} opened one after another: {1000 * each:.1f} ms each")
        rest(many, f"after {args.opened} were opened")
        time.sleep(70)
        rest(many, "a minute later")
    finally:
        many.kill_all()


def rest(many: Installation, when: str) -> None:
    before = cpu_s(many)
    time.sleep(REST_S)
    used = (cpu_s(many) - before) / REST_S
    print(f"{when}: {memory_mb(many):.0f} MB, {100 * used:.1f} % of a processor")


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--clubs", type=int, default=300)
    asked.add_argument("--playing", type=int, default=20)
    asked.add_argument("--every", type=float, default=2.0)
    asked.add_argument("--seconds", type=float, default=20.0)
    asked.add_argument("--rounds", type=int, default=3)
    asked.add_argument("--opened", type=int, default=300)
    asked.add_argument("--fault", default="", help="only the faults whose name has these words")
    asked.add_argument("--only-start", action="store_true")
    args = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        (start_many if args.only_start else compare)(Path(folder), args)


if __name__ == "__main__":
    main()
