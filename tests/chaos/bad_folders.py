"""Data folders as a stranger may find them: each file missing, empty, foreign, damaged, locked."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from typing import Final, NamedTuple

FILES: Final = (
    *("log.sqlite", "log.sqlite-wal", "persons.sqlite", "persons.key"),
    *("access.sqlite", "security.sqlite", "views.sqlite", "log.checkpoint"),
)
_PAGE: Final = 4096


class Bases(NamedTuple):
    """Folders that were made before: the one to spoil, an older copy of it, and another house.

    ``last``: position of the last event of the first.
    """

    now: Path
    older: Path
    other: Path
    last: int


Spoil = Callable[[Bases, Path], None]


NOBODY: Final = 65534
"""A user without rights, on every Linux."""


@contextmanager
def somebody_else(folder: Path) -> Iterator[None]:
    """Be a user to whom a folder belongs, if this is root, who may read and write every file."""
    if os.geteuid() != 0:
        yield
        return
    for path in (folder, *folder.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


class BadFolder(NamedTuple):
    """What is done to which files of a folder."""

    name: str
    spoils: tuple[tuple[str, Spoil], ...]

    @property
    def lacks_rights(self) -> bool:
        """Whether files may not be read by whoever has the folder."""
        return any(spoil is without_rights for _, spoil in self.spoils)

    def make(self, bases: Bases, folder: Path) -> None:
        """Make it."""
        shutil.copytree(bases.now, folder)
        for file, spoil in self.spoils:
            if (folder / file).exists():
                spoil(bases, folder / file)


def missing(bases: Bases, file: Path) -> None:
    del bases
    file.unlink()


def empty(bases: Bases, file: Path) -> None:
    del bases
    os.truncate(file, 0)


def older(bases: Bases, file: Path) -> None:
    _replace(bases.older, file)


def of_another_house(bases: Bases, file: Path) -> None:
    _replace(bases.other, file)


def cut(bases: Bases, file: Path) -> None:
    del bases
    os.truncate(file, file.stat().st_size // 2)


def flipped(bases: Bases, file: Path) -> None:
    """A page in the middle has other bits."""
    del bases
    content = bytearray(file.read_bytes())
    at = len(content) // 2 // _PAGE * _PAGE
    content[at : at + _PAGE] = bytes(one ^ 0xFF for one in content[at : at + _PAGE])
    file.write_bytes(content)


def without_rights(bases: Bases, file: Path) -> None:
    """Nobody but root may read or write it; root has to be somebody else to feel it."""
    del bases
    file.chmod(0)


def _replace(folder: Path, file: Path) -> None:
    there = folder / file.name
    if there.exists():
        shutil.copyfile(there, file)
    else:
        file.unlink()


SPOILS: Final[tuple[Spoil, ...]] = (
    *(missing, empty, older, of_another_house, cut, flipped, without_rights),
)


def singles() -> Iterator[BadFolder]:
    """One file spoiled, in each way."""
    for file in FILES:
        for spoil in SPOILS:
            yield BadFolder(f"{file} {spoil.__name__}", ((file, spoil),))


def pairs() -> Iterator[BadFolder]:
    """Two files, each missing, flipped or without rights."""
    for one, other in combinations(FILES, 2):
        for spoil in (missing, flipped, without_rights):
            name = f"{one} and {other} {spoil.__name__}"
            yield BadFolder(name, ((one, spoil), (other, spoil)))
