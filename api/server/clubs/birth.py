"""A club is made: its folder with its house, ready to be entered."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from api.http.access.owner import Owner
from api.server import wiring
from api.server.clubs.folder import ClubsFolder, check_name
from api.server.data_folder import Files, make_private


class ClubExists(Exception):  # noqa: N818 - what is the case
    """There is a club of this name."""


def make_club(folder: ClubsFolder, name: str) -> None:
    """Make a club, whole or not at all.

    :raises BadClubName: no club can have this name
    :raises ClubExists: another one has it
    """
    with new_club(folder, name) as where:
        wiring.settle_house(where)
        Owner(where.folder).token()


@contextmanager
def new_club(folder: ClubsFolder, name: str) -> Iterator[Files]:
    """The files of a club that is there once they are prepared, or not at all.

    :raises BadClubName: no club can have this name
    :raises ClubExists: another one has it
    """
    check_name(name)
    folder.prepare()
    beside = Path(tempfile.mkdtemp(dir=folder.path, prefix=".new-"))
    try:
        make_private(beside)
        yield Files(beside)
        place(folder, name, beside)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def place(folder: ClubsFolder, name: str, beside: Path) -> None:
    """Give a folder that was prepared its place.

    :raises ClubExists: there is one
    """
    target = folder.data(name)
    try:
        beside.rename(target)  # onto nothing, or onto an empty folder
    except OSError:
        if target.exists():
            raise ClubExists(name) from None
        raise
