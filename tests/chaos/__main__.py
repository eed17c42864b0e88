"""Every fault, one after another, with a line each; ends with 1 if any check failed.

python -m tests.chaos [sqlite] [ext4] [xfs] [postgresql] [upgrade] [--only FAULT] [--within SECONDS]
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tests.chaos.checks import CAUGHT_UP_S
from tests.chaos.houses import ChaosHouse, OneComputer, TwoComputers, UpgradedComputers
from tests.chaos.means import releases, wire
from tests.chaos.run import strike, without_check, written
from tests.chaos.strikes import every
from tests.support.faults import faulty_libc, loop_disks
from tests.support.kit.replicated import replicated
from tests.support.servers.own_postgres import found, running

HOUSES = ("sqlite", *loop_disks.KINDS, "postgresql", "upgrade")


@dataclass
class Chaos:
    """What is asked for, and what came of it."""

    folder: Path
    only: Sequence[str]
    within_s: float
    failed: int = field(default=0)

    def chosen(self, name: str, faults: Iterable[Any], missing: str = "") -> list[Any]:
        """Those of the faults that are asked for; none, each named, if something is missing."""
        asked = [one for one in faults if not self.only or one.__name__ in self.only]
        for one in asked if missing else ():
            print(f"SKIPPED {name} {one.__name__}: {missing}", flush=True)
        return [] if missing else asked

    def run(
        self,
        house: ChaosHouse,
        faults: Iterable[Callable[[Any], str | None]],
        fatal: Iterable[Callable[[Any], str]] = (),
    ) -> None:
        """A line for each fault; ``fatal``: those after which the house is of no use."""
        with closing(house), written(house) as writers:
            for one in faults:
                self._tell(house, one, partial(strike, within_s=self.within_s))
            acts = sum(one.acknowledged for one in writers)
            print(f"{house.name:<11}{acts} acts acknowledged", flush=True)
            for last in fatal:
                self._tell(house, last, without_check)

    def _tell(self, house: ChaosHouse, fault: Any, how: Callable[..., str]) -> None:
        """Do it and print what happened."""
        try:
            said = how(fault, house, house.writers)
        except (AssertionError, subprocess.SubprocessError) as error:
            self.failed += 1
            said = f"FAILED at {traceback.extract_tb(error.__traceback__)[-1].line}: {error}"
        print(f"{house.name:<11}{fault.__name__:<23}{said}", flush=True)

    def sqlite(self) -> None:
        """One computer, in a folder."""
        faults = self.chosen("sqlite", every.OF_SQLITE)
        faults += self.chosen("sqlite", every.OF_A_LIBC, faulty_libc.why_none())
        if faults:
            self.run(OneComputer("sqlite", self.folder / "sqlite"), faults)

    def disk(self, kind: str) -> None:
        """One computer, on a disk of its own."""
        no_disk, no_libc = loop_disks.why_none(kind), faulty_libc.why_none()
        faults = self.chosen(kind, every.OF_A_DISK, no_disk)
        fatal = self.chosen(kind, every.OF_AN_UNFLUSHED_DISK, no_disk or no_libc)
        if faults or fatal:
            with loop_disks.loop_disk(self.folder / kind, kind) as disk:
                self.run(OneComputer(kind, self.folder / f"{kind}-house", disk), faults, fatal)

    def postgresql(self) -> None:
        """Two computers, in namespaces if they can have them."""
        faults, no_wires = self.chosen("postgresql", every.OF_POSTGRESQL), wire.why_none()
        faults += self.chosen("postgresql", every.OF_TWO_LIBCS, faulty_libc.why_none())
        faults += self.chosen("postgresql", every.OF_WIRES, no_wires)
        faults += self.chosen("postgresql", every.LAST)
        if not faults:
            return
        if no_wires:
            print(f"SKIPPED postgresql in namespaces, links of the program serve: {no_wires}")
        with ExitStack() as used:
            wires = [] if no_wires else [used.enter_context(closing(wire.Wire())) for _ in "ab"]
            server = used.enter_context(replicated(*(one.far for one in wires)))
            self.run(TwoComputers(self.folder / "postgresql", server, wires), faults)

    def upgrade(self) -> None:
        """Two computers that begin with the first release; a fault needs those before it."""
        if faults := self.chosen("upgrade", every.OF_AN_UPGRADE, releases.why_no_first()):
            with running() as server:
                self.run(UpgradedComputers(self.folder / "upgrade", server), faults)


def main() -> None:
    """Run what is asked for."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("houses", nargs="*", default=HOUSES)
    asked.add_argument("--only", action="append", default=[])
    asked.add_argument("--within", type=float, default=CAUGHT_UP_S, help="seconds of the views")
    given = asked.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what was mounted is unmounted
    with tempfile.TemporaryDirectory() as name:
        chaos = Chaos(Path(name), given.only, given.within)
        if "sqlite" in given.houses:
            chaos.sqlite()
        for kind in loop_disks.KINDS:
            if kind in given.houses:
                chaos.disk(kind)
        for name, run in (("postgresql", chaos.postgresql), ("upgrade", chaos.upgrade)):
            if name in given.houses and found() is None:
                print(f"SKIPPED {name}: install the server of PostgreSQL")
            elif name in given.houses:
                run()
    sys.exit(1 if chaos.failed else 0)


if __name__ == "__main__":
    main()
