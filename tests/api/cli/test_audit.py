"""The audit on the command line: sign, prove, print resguardos, verify without a network."""

from __future__ import annotations

import http.server
import json
import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import ClassVar

import pytest
from click.testing import CliRunner

from api.cli.main import main
from api.server import wiring
from api.server.data_folder import Files
from tests.support.proofs.signed_log import FIRST, SECOND, signed_log


class Shell:
    """A folder with an unaltered data folder, in which commands are run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        signed = signed_log(folder / "data")
        self.key = signed.key.text
        signed.close()
        wiring.open_persons(Files(signed.data)).close()
        self.data, self.keys = signed.data, signed.keys

    def run(self, *words: str, code: int = 0) -> str:
        done = CliRunner().invoke(main, ["--data", str(self.data), *words], catch_exceptions=False)
        assert done.exit_code == code, done.output
        self.err = done.stderr
        return done.stdout

    def notary(self, *words: str, code: int = 0) -> str:
        return self.run("notary", "--keys", str(self.keys), *words, code=code)

    def lines(self, *words: str, code: int = 0) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.run(*words, code=code).splitlines()]


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path)


def test_a_pair_takes_home_what_finds_any_change(shell: Shell) -> None:
    assert shell.run("audit", "key").strip() == shell.key
    assert shell.run("audit", "checkpoint") == (shell.data / "log.checkpoint").read_text()
    held = shell.run("audit", "qr", str(FIRST), "--text")
    assert held.startswith("guinote-resguardo/1 club.example/mesas ")
    assert shell.run("audit", "qr", str(FIRST)).startswith("<?xml")
    proof = shell.folder / "proof.json"
    proof.write_text(shell.run("audit", "prove", str(FIRST)))
    (shell.folder / "held").write_text(held)
    kept = ("--key", shell.key, "--resguardo", "held")
    for target in ("proof.json", str(shell.data), str(shell.data / "log.sqlite")):
        (found,) = shell.lines("audit", "verify", target, *kept)
        assert (found["differences"], found["checkpoints"]) == (0, 1 + target.endswith(".json"))
    proof.write_text(proof.read_text().replace('"card": "3O"', '"card": "AO"'))
    found = shell.lines("audit", "verify", "proof.json", *kept, code=1)
    assert {one["what"] for one in found[:-1]} == {"entry_differs", "not_included", "head_differs"}


def test_a_log_is_verified_with_every_checkpoint_that_was_kept(shell: Shell) -> None:
    kept = ("--key", shell.key, "--checkpoint", str(shell.keys / "checkpoints"))
    (found,) = shell.lines("audit", "verify", *kept)
    assert (found["checkpoints"], found["differences"]) == (2, 0)
    (found,) = shell.lines("audit", "verify")
    assert "no checkpoint" in shell.err
    shell.run("backup", "copy.guinote")
    (found,) = shell.lines("audit", "verify", "copy.guinote", *kept)
    assert (found["checkpoints"], found["differences"]) == (2, 0)
    with closing(sqlite3.connect(shell.data / "log.sqlite")) as log, log:
        log.execute("UPDATE leaves SET leaf = zeroblob(32) WHERE idx = 5")
    found = shell.lines("audit", "verify", *kept, code=1)
    assert [one["what"] for one in found[:-1]] == [
        "leaf_differs",
        "frontier_differs",
        "root_differs",
        "root_differs",
    ]
    assert found[0]["index"] == 5


def test_restored_data_are_verified_as_the_data_that_were_backed_up(shell: Shell) -> None:
    shell.run("backup", "copy.guinote")
    was = shell.data
    shell.data = shell.folder / "new"
    shell.run("restore", "--without-key", "copy.guinote")
    assert not (shell.data / "notary.key").exists()
    kept = ("--key", shell.key, "--checkpoint", str(shell.keys / "checkpoints"))
    (found,) = shell.lines("audit", "verify", *kept)
    assert found["differences"] == 0
    assert shell.notary("--once") == ""
    shutil.rmtree(was)


def test_the_notary_refuses_with_a_code(shell: Shell) -> None:
    with closing(sqlite3.connect(shell.data / "log.sqlite")) as log, log:
        log.execute("UPDATE leaves SET leaf = zeroblob(32) WHERE idx = 5")
    (line,) = shell.notary("--once", code=1).splitlines()
    assert json.loads(line)["error"]["code"] == "root_differs"
    inside = str(shell.data / "keys")
    shell.run("notary", "--keys", inside, code=1)
    assert "data folder" in shell.err
    assert not Path(inside).exists()


class Witness(http.server.BaseHTTPRequestHandler):
    """A recipient that keeps every message it is sent."""

    got: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        self.got.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing."""


def test_a_checkpoint_is_sent_to_a_witness_and_kept_when_it_is_not_there(shell: Shell) -> None:
    new = shell.folder / "other"
    with http.server.HTTPServer(("127.0.0.1", 0), Witness) as witness:
        threading.Thread(target=witness.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{witness.server_port}/"
        words = ("--new-key", "--origin", "a.example/b", "--url", url)
        line = json.loads(shell.run("notary", "--keys", str(new), *words))
        witness.shutdown()
    assert line["origin"] == "a.example/b"
    assert Witness.got == [(new / "checkpoints").read_text()]
    third = ("--keys", str(shell.folder / "third"), "--url", url)
    shell.run("notary", *third, code=4)  # one notary signs a log
    shell.run("notary", *third, "--new-key", "--origin", "c.example/d")
    assert "not sent" in shell.err
    assert (shell.folder / "third" / "checkpoints").exists()
    shell.run("notary", "--keys", str(new), "--url", "ftp://x", code=2)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("audit", "verify", "nowhere"), 1),
        (("audit", "verify", "--key", "x+y"), 2),
        (("audit", "verify", "--key", "nowhere"), 1),
        (("audit", "verify", "--resguardo", "x y"), 2),
        (("audit", "prove", "00000000-0000-0000-0000-00000000000f"), 1),
    ],
)
def test_what_cannot_be_done_is_said(shell: Shell, words: tuple[str, ...], code: int) -> None:
    assert shell.run(*words, code=code) == ""
    assert shell.err


def test_a_checkpoint_needs_a_key(shell: Shell) -> None:
    shell.run("audit", "verify", "--checkpoint", str(shell.keys / "checkpoints"), code=2)
    shell.run("audit", "prove", str(SECOND))
    (shell.data / "log.checkpoint").unlink()
    shell.run("audit", "prove", str(SECOND), code=1)
    assert "nothing is signed yet" in shell.err
