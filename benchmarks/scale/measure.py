"""What grows with a log: sizes, times and processor times of one data folder, as JSON.

``python -m benchmarks.scale.measure FOLDER …`` measures data folders that ``benchmarks.scale.bulk``
wrote, one after another, and prints a table with the ratio of each figure to that of the first.
Commands run as processes of their own. A backup is restored into files of a folder beside, which is
removed. ``--steps`` chooses what is measured; each step can be run alone, at any size.

A house in PostgreSQL is one that ``guinote --data FOLDER move postgresql://…`` has moved there, by
the bulk copy of the server; it is measured with ``GUINOTE_LOG`` set, and one folder.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from http import HTTPStatus
from pathlib import Path
from uuid import UUID

from api.server import wiring
from benchmarks.server.acts import Server, Tablet
from referee.audit.auditor import Auditor
from referee.audit.notary import REREAD, Notary
from referee.log.stores import open_for_audit, open_rows

ROUNDS = 40
MILLION = 1_000_000
LATEST = 50_000
"""Events of the end of a log among which an encuentro is looked for."""
OFFICIAL = "ResultMadeOfficial.1"
STEPS = ("rebuild", "served", "signed", "backup", "verify")
Figures = dict[str, float]


class Measured:
    """The figures of one data folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.where = wiring.files_of_folder(folder)
        self.figures: Figures = {}
        with closing(open_rows(self.where.log)) as log:
            last = log.last_position()
            latest = log.read_from(max(1, last - LATEST), LATEST + 1)
            official = [one for _, one, _, name, _ in latest if name == OFFICIAL]
        self.encuentro = UUID(official[-1])
        self.figures["events"] = last

    def command(self, what: str, *words: str, **settings: str) -> None:
        """Run a command of the program; note its time, its processor time and its memory."""
        line = [sys.executable, "-m", "api.cli", "--data", str(self.folder), *words]
        began = time.perf_counter()
        process = subprocess.Popen(
            line,
            env={**os.environ, **settings},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, status, used = os.wait4(process.pid, 0)
        took = time.perf_counter() - began
        if status:
            raise SystemExit(f"{line} failed: {status}")
        self.figures[f"{what}, s"] = took
        self.figures[f"{what}, CPU s"] = used.ru_utime + used.ru_stime
        self.figures[f"{what}, most MB"] = used.ru_maxrss / 1024

    def rebuild(self) -> None:
        """Every view worked out from the first event."""
        self.command("rebuild", "rebuild")
        if not self.where.elsewhere:
            self.figures["log, MB"] = Path(self.where.log).stat().st_size / MILLION
        self.figures["views, MB"] = self.where.views.stat().st_size / MILLION

    def served(self) -> None:
        """A start, pages and acts over HTTP."""
        began = time.perf_counter()
        season, player = self._season()
        with self._server() as server:
            _ask(server.port, f"/temporadas/{season}")
            self.figures["start to the first page, s"] = time.perf_counter() - began
            self.figures["start to the first page, CPU s"] = server.cpu_s()
            for what, path in (
                ("a season", f"/temporadas/{season}"),
                ("a player of it", f"/temporadas/{season}/jugador/{player}"),
                ("what runs", "/api/v1/public/sala"),
                ("readyz", "/readyz"),
            ):
                self._rounds(server, what, partial(_ask, server.port, path))
            tablet = Tablet(server.port, 1, (self.folder / "owner.token").read_text().strip())
            tablet.sit_down()
            self._rounds(server, "an act", tablet.act)

    def _rounds(self, server: Server, what: str, task: Callable[[], object]) -> None:
        """Note the median time of a task, and the processor time of the server for each."""
        times, worked = [], server.cpu_s()
        for _ in range(ROUNDS):
            began = time.perf_counter()
            task()
            times.append((time.perf_counter() - began) * 1000)
        self.figures[f"{what}, ms"] = statistics.median(times)
        self.figures[f"{what}, CPU ms"] = (server.cpu_s() - worked) / ROUNDS * 1000

    @contextmanager
    def _server(self) -> Iterator[Server]:
        with tempfile.TemporaryDirectory() as name:
            Path(name, "data").symlink_to(self.folder.absolute())
            server = Server("api.server.wiring:app()", Path(name))
            try:
                yield server
            finally:
                server.stop()

    def _season(self) -> tuple[str, str]:
        with closing(sqlite3.connect(self.where.views)) as views:
            (season,) = views.execute("SELECT id FROM season ORDER BY since DESC").fetchone()
            (player,) = views.execute(
                "SELECT person FROM attended JOIN session ON session.id = session"
                " WHERE season = ? ORDER BY day DESC, person",
                (season,),
            ).fetchone()
        return season, player

    def signed(self) -> None:
        """The notary's first signing, one after an act, and proofs."""
        self._signed_first()
        with tempfile.TemporaryDirectory() as keys:
            shutil.copytree(self._keys, keys, dirs_exist_ok=True)
            with closing(Notary(Path(keys), os.urandom)) as notary:
                for what in ("a signing", "the next signing"):
                    self._cpu(what, partial(self._sign, notary))
        for what in ("the first proof of a process", "a proof"):
            with closing(Auditor(self.where.log, self.folder)) as auditor:
                if what == "a proof":
                    auditor.prove_encuentro(self.encuentro)
                self._cpu(what, partial(auditor.prove_encuentro, self.encuentro))

    @property
    def _keys(self) -> Path:
        return self.folder.with_name(f"{self.folder.name}-keys")

    def _signed_first(self) -> None:
        shutil.rmtree(self._keys, ignore_errors=True)
        for name in ("log.checkpoint", "log.vkey", "subtrees"):
            (self.folder / name).unlink(missing_ok=True)
        words = ("notary", "--once", "--new-key", "--keys", str(self._keys))
        self.command("the first signing", *words)

    def _sign(self, notary: Notary) -> None:
        with closing(open_for_audit(self.where.log)) as log:
            notary.sign(log, REREAD)

    def _cpu(self, what: str, task: Callable[[], object]) -> None:
        worked = time.process_time()
        task()
        self.figures[f"{what}, CPU ms"] = (time.process_time() - worked) * 1000

    def backup(self) -> None:
        """A backup, its size, and its restore with new views."""
        packed = self.folder.with_name(f"{self.folder.name}.guinote")
        beside = self.folder.with_name(f"{self.folder.name}-restored")
        try:
            self.command("backup", "backup", str(packed))
            self.figures["backup, MB"] = packed.stat().st_size / MILLION
            restored = Measured.__new__(Measured)
            restored.folder, restored.figures = beside, self.figures
            restored.command("restore", "restore", "--without-key", str(packed), GUINOTE_LOG="")
        finally:
            packed.unlink(missing_ok=True)
            shutil.rmtree(beside, ignore_errors=True)

    def verify(self) -> None:
        """Conclusions, receipts, names, accounts and views, all worked out again."""
        self.command("verify", "verify")


def _ask(port: int, path: str) -> None:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as asked:
        asked.request("GET", path)
        answer = asked.getresponse()
        answer.read()
        if answer.status != HTTPStatus.OK:
            raise SystemExit(f"{path}: {answer.status}")


def show(every: list[Figures]) -> None:
    """The figures of each folder, each after the first with its ratio to the first."""
    for what in every[-1]:
        row = f"{what:36}"
        for figures in every:
            found, first = figures.get(what), every[0].get(what)
            row += "" if found is None else f"{found:>16,.1f}"
            if figures is not every[0] and found is not None and first:
                row += f" ({found / first:,.1f})"
        sys.stdout.write(row + "\n")


def main() -> None:
    """Measure data folders, and print the table."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folders", type=Path, nargs="+")
    asked.add_argument("--steps", nargs="+", choices=STEPS, default=STEPS)
    given = asked.parse_args()
    every = []
    for folder in given.folders:
        measured = Measured(folder)
        for step in given.steps:
            getattr(measured, step)()
        every.append(measured.figures)
        sys.stderr.write(json.dumps(measured.figures) + "\n")
    show(every)


if __name__ == "__main__":
    main()
