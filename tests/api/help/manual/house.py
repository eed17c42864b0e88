"""The house of the manual: the demonstration at one moment, as new for each task."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Final

from api.server import wiring
from referee.audit.notary import Notary
from referee.audit.publication import PUBLISHED_NOTE, Published
from referee.log.stores import open_for_audit
from tests.support.demonstrated import demonstrate
from tests.support.proofs.signed_log import ORIGIN, counted
from tests.support.servers.forked import MOMENT
from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import Served

NOW: Final = datetime(2026, 11, 26, 18, 40, tzinfo=UTC)
"""A Thursday at 19:40 in Spain: it is always that moment in the house."""


class ManualHouse:
    """A server whose data folder is that of the demonstration again at each start."""

    def __init__(self, folder: Path) -> None:
        self._folders = {"club": folder / "club", "empty": folder / "empty"}
        for one in self._folders.values():
            one.mkdir()
            with _foreseen(), closing(HttpTable(one)) as table:
                if one.name == "club":
                    _fill(table)
        self.key = _signed(self._folders["club"], folder / "keys")
        self.served = Served(folder / "served", is_forked=True, **{MOMENT: NOW.isoformat()})

    @property
    def folder(self) -> Path:
        """Data folder with the first content, to be copied."""
        return self._folders["club"]

    @contextmanager
    def as_new(self, *, is_empty: bool = False) -> Iterator[Served]:
        """The house with its first content; its port stays, and with it what browsers keep."""
        shutil.rmtree(self.served.folder, ignore_errors=True)
        shutil.copytree(self._folders["empty" if is_empty else "club"], self.served.folder)
        self.served.start()
        try:
            yield self.served
        finally:
            self.served.kill_all()


def _fill(table: HttpTable) -> None:
    """The demonstration, in a club that has chosen its settings."""
    demonstrate(table, is_league_public=True)
    version = table.get("/api/v1/settings").json["version"]
    answer = table.post("/api/v1/settings", {"four_eyes": "noted"}, version)
    assert answer.status_code == 200, answer.text


def _signed(data: Path, keys: Path) -> str:
    """Sign the log of a data folder once, and publish that beside it; the public key."""
    log, notary = data / "log.sqlite", Notary(keys, counted(), ORIGIN)
    with closing(open_for_audit(log)) as audited:
        notary.sign(audited, None)
    notary.publish(Published(log, data))
    os.utime(data / PUBLISHED_NOTE, (NOW.timestamp(),) * 2)  # else the notary knew a later moment
    return notary.key.text


@contextmanager
def _foreseen() -> Iterator[None]:
    """The clock of the services of this process stands, and all that is drawn is the same each time."""
    chance = random.Random("house of the manual")
    going = wiring.now, wiring.secrets
    wiring.now = lambda: NOW  # type: ignore[assignment]  # of the same use
    wiring.secrets = SimpleNamespace(
        token_bytes=chance.randbytes, token_hex=lambda size: chance.randbytes(size).hex()
    )
    try:
        yield
    finally:
        wiring.now, wiring.secrets = going
