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
from tests.support.kit import own_release
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
        except (AssertionError, OSError, subprocess.SubprocessError) as error:
            self.failed += 1
            said = f"FAILED at {traceback.extract_tb(error.__traceback__)[-1].line}: {error}"
        print(f"{house.name:<11}{fault.__name__:<23}{said}", flush=True)

    def sqlite(self) -> None:
        """One computer, in a folder."""
        faults = self.chosen("sqlite", every.OF_SQLITE)
        faults += self.chosen("sqlite", every.OF_A_LIBC, faulty_libc.why_none())
        faults += self.chosen("sqlite", every.OF_A_RELEASE, own_release.why_none())
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
        name, no_wires, no_disks = "postgresql", wire.why_none(), loop_disks.why_none("ext4")
        faults = self.chosen(name, every.OF_POSTGRESQL)
        faults += self.chosen(name, every.OF_TWO_LIBCS, faulty_libc.why_none())
        faults += self.chosen(name, every.OF_WIRES, no_wires)
        faults += self.chosen(name, every.OF_SERVER_DISKS, no_disks)
        if no_wires:
            print(f"SKIPPED {name} in namespaces, links of the program serve: {no_wires}")
        lasts = self.chosen(name, every.LAST)
        for number, one in enumerate(([*faults, *lasts[:1]], *([last] for last in lasts[1:]))):
            if one:
                self._two(self.folder / f"{name}{number}", one, not no_wires, not no_disks)

    def _two(self, folder: Path, faults: Sequence[Any], has_wires: bool, has_disks: bool) -> None:
        """Two computers before a server of their own."""
        with ExitStack() as used:
            wires = [used.enter_context(closing(wire.Wire())) for _ in range(2 * has_wires)]
            disks = [
                used.enter_context(loop_disks.loop_disk(folder / name, "ext4"))
                for name in ("server", "standby", "computer")[: 3 * has_disks]
            ]
            data = [one.place / "data" for one in disks[:2]]
            for one in data:
                one.mkdir(mode=0o700)
            server = used.enter_context(replicated(*(one.far for one in wires), disks=data))
            self.run(TwoComputers(folder, server, wires, disks), faults)

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
        Path(name).chmod(0o711)  # the user of PostgreSQL has disks in it
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
