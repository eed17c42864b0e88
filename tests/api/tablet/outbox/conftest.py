"""A process of node for the outbox of tablets, and servers that meet a misfortune."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.javascript import NodePage, kept_node
from tests.support.outbox import OPENED, Club
from tests.support.servers.served import Served


@pytest.fixture(scope="module")
def node() -> Iterator[NodePage]:
    """A process of node: one tablet after another is there."""
    with kept_node() as page:
        yield page


@pytest.fixture
def club(served: Served) -> Club:
    return Club(served)


@pytest.fixture
def where(club: Club) -> str:
    """An encuentro whose first deal is opened."""
    found = club.encuentro()
    club.record(found, *OPENED)
    return found


class Restored:
    """A server with a copy of its data that can be restored."""

    def __init__(self, served: Served, copy: Path) -> None:
        self.served, self.copy = served, copy
        self.club = Club(served)

    def keep(self) -> None:
        """Copy the data folder."""
        self.served.kill_all()
        shutil.copytree(self.served.folder, self.copy)
        self.served.start()

    def put_back(self) -> None:
        """Restore the copy and start the server."""
        self.served.kill_all()
        shutil.rmtree(self.served.folder)
        shutil.copytree(self.copy, self.served.folder)
        self.served.start()


@pytest.fixture
def restored(served: Served, tmp_path: Path) -> Restored:
    return Restored(served, tmp_path / "copy")
