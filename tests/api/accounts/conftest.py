"""A club over HTTP, whose data folder commands can open too."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.servers.http_table import HttpTable
from tests.support.servers.kept_apps import kept_table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[HttpTable]:
    with kept_table(tmp_path / "data") as found:
        yield found


@pytest.fixture
def port() -> Iterator[int]:
    """A port at which something listens on every address of this computer."""
    with socket.create_server(("0.0.0.0", 0)) as server:
        yield server.getsockname()[1]
