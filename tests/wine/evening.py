"""Evenings from ``guinote-windows.zip`` under Wine; ``make windows`` runs it, outside the test command."""

from __future__ import annotations

import shutil
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import pytest

from api.server.certificates import TLS_VARIABLES
from tests.api.cli.test_drill import PASSWORD, sent
from tests.api.seasons.test_first_evening import PORT, play_first_evening
from tests.support.kit import own_network, own_wheel
from tests.support.kit.own_network import OwnNetwork
from tests.support.places import ROOT
from tests.support.servers.club_tables import PEOPLE, Club, deal
from tests.support.servers.served import Served
from tests.support.waiting import wait_for
from tests.wine.prefix import Prefix, why_none, windows

START_S = 300
BROWSER = "@echo %1>>%~dp0pages.txt\n"


class OnWindows(Served):
    """The unzipped program, started by its start file. ``port``: none is one that is free here."""

    def __init__(self, program: Path, prefix: Prefix, port: int = 0) -> None:
        super().__init__(prefix.local / "guinote" / "data")
        self.program, self.prefix, self.port = program, prefix, port or self.port
        prefix.env |= {"GUINOTE_BIND": f"{self.host}:{self.port}", "BROWSER": self._browser()}

    def _browser(self) -> str:
        (self.prefix.folder / "drive_c" / "browser.cmd").write_text(BROWSER)
        return r"C:\browser.cmd"

    @property
    def pages(self) -> list[str]:
        """Pages that the browser was asked for."""
        file = self.prefix.folder / "drive_c" / "pages.txt"
        return file.read_text().split() if file.exists() else []

    def start(self) -> None:
        """Start it, and wait until it answers: at first Python compiles the program."""
        self.spawn()
        wait_for(lambda: self.ask("GET", "/healthz"), "an answer", OSError, at_most_s=START_S)

    def start_with_https(self) -> None:
        """Start it with the certificate that was made in ``C:\\tls``."""
        names = (r"C:\tls\server.crt", r"C:\tls\server.key")
        self.prefix.env |= dict(zip(TLS_VARIABLES, names, strict=True))
        root = self.prefix.folder / "drive_c" / "tls" / "root.crt"
        self.trusted = ssl.create_default_context(cafile=root)
        self.start()

    def spawn(self) -> None:
        """A double click; Wine wants a pipe for what is said, and an input that stays open."""
        said = subprocess.Popen(
            ["cat"], stdin=subprocess.PIPE, stdout=(self.program.parent / "said").open("ab")
        )
        self.process = subprocess.Popen(
            [*self.prefix.wine, "cmd", "/c", "guinote.cmd"],
            cwd=self.program,
            env=self.prefix.env,
            stdin=subprocess.PIPE,
            stdout=said.stdin,
            stderr=subprocess.STDOUT,
        )
        assert said.stdin
        said.stdin.close()

    def kill_all(self) -> None:
        """As if the power were cut."""
        self.prefix.kill()
        assert self.process is not None
        self.process.wait()

    def run(self, *words: str) -> str:
        """What a command of the start file says, if it succeeds."""
        done = self.prefix.run("cmd", "/c", "guinote.cmd", *words, cwd=self.program)
        assert done.returncode == 0, done.stdout
        return done.stdout


@pytest.fixture(scope="module")
def unzipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the zip, made as the page says, at a place with a space and an accent."""
    folder = tmp_path_factory.mktemp("zip")
    script = (ROOT / "deploy" / "windows" / "package.py", str(own_wheel.uv()))
    subprocess.run([sys.executable, *script, "--windows", folder], check=True)
    with ZipFile(folder / "guinote-windows.zip") as packed:
        packed.extractall(folder / "Mis cosas de guiñote")
    (program,) = (folder / "Mis cosas de guiñote").iterdir()
    return program


@pytest.fixture
def served(unzipped: Path) -> Iterator[OnWindows]:
    if missing := why_none():
        pytest.skip(missing)
    with windows() as prefix:
        yield OnWindows(unzipped, prefix)


@pytest.mark.skipif(not own_network.may_have(), reason=own_network.NO_NETWORK)
def test_a_first_evening_over_a_wifi(unzipped: Path, tmp_path: Path) -> None:
    if missing := why_none():
        pytest.skip(missing)
    with closing(OwnNetwork()) as network, windows(*network.computer) as prefix:
        served = OnWindows(unzipped, prefix, PORT)
        began = time.monotonic()
        served.spawn()
        wait_for(lambda: served.pages, "the browser", at_most_s=START_S)
        opened = time.monotonic()
        evening = play_first_evening(tmp_path, network, served, served.pages[0])
    times = " and ".join(f"{one - began:.0f} s" for one in (opened, time.monotonic()))
    print(f"the browser and the end after {times}; {evening.desk.taps} taps at the computer,")
    print(f"{evening.phones.taps} on phones, {evening.phones.scans} codes")


def test_an_evening_on_windows(served: OnWindows, tmp_path: Path) -> None:
    served.start()
    wait_for(lambda: served.pages, "the browser")
    root, _, invitation = served.pages[0].partition("/alta#")
    assert root == f"http://127.0.0.1:{served.port}"
    assert sent(served, "/alta", invitation=invitation, name="Pilar", password=PASSWORD) == 303
    assert (served.program / "Abrir Guinote.lnk").exists()

    club = Club(served)
    evening = evening_with_tables(club)
    table = club.read("/api/v1/encuentros")["items"][0]["id"]
    partida = club.partida(f"/api/v1/encuentros/{table}", *deal("A1"))
    club.act(partida, {"kind": "card", "seat": "B1", "card": "AC"})
    before = [club.read(path) for path in (evening, partida)]

    served.kill_all()
    served.start()
    assert [club.read(path) for path in (evening, partida)] == before
    club.act(partida, {"kind": "card", "seat": "A2", "card": "4C"})
    before = [club.read(path) for path in (evening, partida)]

    served.run()  # a second double click shows the first
    assert served.pages[-1] == f"{root}/"
    served.run("backup", r"C:\copia.guinote")  # while it serves
    served.kill_all()
    key = Path(shutil.copy(served.folder / "persons.key", tmp_path))
    shutil.rmtree(served.folder)
    served.folder.mkdir()
    shutil.copy(key, served.folder)
    served.run("restore", r"C:\copia.guinote")
    assert "0 differences" in served.run("verify")
    served.run("certificate", served.host, "--out", r"C:\tls")
    served.start_with_https()
    assert [club.read(path) for path in (evening, partida)] == before
    assert sent(served, "/entrar", name="Pilar", password=PASSWORD) == 303
    assert sent(served, "/entrar", name="Pilar", password="otra") == 403


def evening_with_tables(club: Club) -> str:
    """Path of an evening of four pairs, whose tables play."""
    pairs = [
        {"players": [{"name": one}, {"name": other}]}
        for one, other in zip(PEOPLE[::2], PEOPLE[1::2], strict=True)
    ]
    body = {"date": "2026-11-21", "profile": {"id": "club"}, "of": "pairs", "pairs": pairs}
    opened = club.write("/api/v1/sessions", body)
    path = f"/api/v1/sessions/{opened['id']}"
    drawn = club.write(f"{path}/draws", {"method": "seed", "seed": "12345678"}, opened["version"])
    club.write(f"{path}/tables", None, drawn["version"])
    return path
