"""The data of a release, as a club leaves them: made with the program of that release.

    git worktree add ../before RELEASE
    cd ../before && PYTHONPATH=. python …/tests/api/server/release_house.py 0.1.0.tar.xz

The program and the requests of the tests are those of the folder it runs in; this file is the only
one of today. The archive holds ``data``, ``club.backup`` and ``notary``, and is never made again.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from tests.support.servers.accounts import OURS, joined, owner, paired
from tests.support.servers.every_write import FOUR, play_everything, sent
from tests.support.servers.http_table import HttpTable

ORIGIN = "club.example/mesas"
IN_THE_FOLDER = ("data", "club.backup", "notary")


def fill(table: HttpTable) -> None:
    """Every write of the API, accounts, a paired device, and addresses of an evening renewed."""
    play_everything(table)
    director = joined(table, "Pilar", role="admin")
    paired(table, director, role="scorer", encuentro=table.encuentro().rpartition("/")[2])
    renew_addresses(table)


def renew_addresses(table: HttpTable) -> None:
    """An evening with pairs, where a table and a pair each get another address, one of them twice."""
    body = {"date": "2026-11-21", "profile": {"id": "club"}, "of": "pairs"}
    pairs = [{"players": FOUR[:2], "name": "Los Tercos"}, {"players": FOUR[2:]}]
    evening = str(sent(table, "/api/v1/sessions", {**body, "pairs": pairs}).headers["Location"])
    sent(table, f"{evening}/draws", {"method": "seed", "seed": "12345678"}, evening)
    sent(table, f"{evening}/tables", version=evening)
    cards, official = f"/jornadas/{evening.rpartition('/')[2]}/tarjetas", owner(table)
    subjects = re.findall(r'name="subject" value="([^"]+)"', official.get(cards).text)
    for subject in (subjects[0], subjects[-1], subjects[-1]):
        renew(official, cards, subject)


def renew(official: Any, cards: str, subject: str) -> None:
    """One of the addresses of an evening renewed, on the page of its cards."""
    hidden = dict(re.findall(r'name="(key|version)" value="(\w+)"', official.get(cards).text))
    answer = official.post(cards, data={**hidden, "subject": subject}, headers=OURS)
    assert answer.status_code == 303, answer.text


@contextmanager
def house(folder: Path) -> Iterator[HttpTable]:
    """The club in a data folder; its views have followed when it ends."""
    with closing(HttpTable(folder)) as table:
        yield table
        here = table.app.extensions["guinote"]()
        assert here.reads.wait(here.referee.position(), 60)


def guinote(folder: Path, *words: str) -> None:
    """A command of the release over its data."""
    command = (sys.executable, "-m", "api.cli", "--data", str(folder / "data"), *words)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def main(archive: Path) -> None:
    """Make the archive."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with house(folder / "data") as table:
            fill(table)
        record = Path("api/demo/renuncio.guinote")
        guinote(folder, "import", str(record))
        guinote(folder, "notary", "--keys", str(folder / "notary"), "--origin", ORIGIN, "--once")
        guinote(folder, "rebuild")
        guinote(folder, "backup", str(folder / "club.backup"))
        with tarfile.open(archive, "w:xz", preset=9) as packed:
            for one in IN_THE_FOLDER:
                packed.add(folder / one, one)
    sys.stdout.write(f"{archive}: {archive.stat().st_size} bytes\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
