"""Clients that are generated from the OpenAPI document compile, play an evening, and record a partida."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from api.server import wiring
from referee.record import read_record
from tests.support import javascript
from tests.support.javascript import CLIENTS
from tests.support.places import ROOT
from tests.support.servers.documented import document_of
from tests.support.servers.served import Served

COMPILED = CLIENTS / "node_modules" / ".generated"
"""Where node finds what the client imports."""
PACKAGE = "guinote_client"
CONFIG = f"package_name_override: {PACKAGE}\npost_hooks: []\n"


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The document, as a file in a folder of its own: the tests may run in several processes."""
    app = wiring.app(tmp_path_factory.mktemp("document"), with_projector=False)
    path = tmp_path_factory.mktemp("clients") / "openapi.json"
    path.write_text(json.dumps(document_of(app)))
    return path


@pytest.fixture(scope="module")
def _node() -> None:
    javascript.require()
    javascript.install(CLIENTS)


def run(*command: str | Path, folder: Path = ROOT, sent: str = "") -> str:
    """Output of a command that must succeed. ``sent``: its input."""
    env = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        command, cwd=folder, env=env, input=sent, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def assert_evening(table: str) -> None:
    """Two of the four won."""
    rows = [line.split() for line in table.splitlines()]
    assert sorted(name for name, _ in rows) == ["Ana", "Blas", "Celia", "Diego"]
    assert sorted(points for _, points in rows) == ["0", "0", "1", "1"]


RECORD = read_record((ROOT / "tests/playthroughs/escuela.guinote").read_bytes()).record
"""A partida of more acts than one request takes, which a claim decides."""


def record_as_sent() -> str:
    acts = [msgspec.to_builtins(act) for act in RECORD.partidas[0].acts]
    profile = {"id": RECORD.profile, "edition": RECORD.edition}
    return json.dumps({"opening": {"profile": profile, "deck": RECORD.deck}, "acts": acts})


def assert_partida(answer: str) -> None:
    """The winner and the totals of the record."""
    winner, _, totals = answer.partition(" ")
    assert (winner, json.loads(totals)) == ("B", {"A": 53, "B": 109})


def test_a_python_client_has_every_operation_and_plays_an_evening_and_a_partida(
    document: Path, served: Served
) -> None:
    made = document.parent
    config = made / "config.yml"
    config.write_text(CONFIG)
    client = ("--path", document, "--config", config, "--output-path", made / PACKAGE)
    run(
        Path(sys.executable).with_name("openapi-python-client"),
        *("generate", *client, "--meta", "none", "--overwrite", "--fail-on-warning"),
    )
    modules = {one.stem for one in (made / PACKAGE / "api").rglob("*.py")}
    methods = json.loads(document.read_text())["paths"].values()
    ids = {one["operationId"] for each in methods for one in each.values() if "operationId" in one}
    assert ids - modules == set()
    # of the generated modules only their types matter here: a generator has a style of its own
    checked = ("--strict", "--follow-imports=silent", "--cache-dir", os.devnull)
    scripts = [CLIENTS / f"{name}.py" for name in ("evening", "partida")]
    run(sys.executable, "-m", "mypy", *checked, *scripts, folder=made)
    evening, partida = ((one, f"http://127.0.0.1:{served.port}", served.token) for one in scripts)
    assert_evening(run(sys.executable, *evening, folder=made))
    assert_partida(run(sys.executable, *partida, folder=made, sent=record_as_sent()))


@pytest.mark.usefixtures("_node")
def test_a_typescript_client_plays_an_evening_and_a_partida(document: Path, served: Served) -> None:
    options = ("-o", str(COMPILED / "schema.d.ts"), "--default-non-nullable=false")
    javascript.said("openapi-typescript", str(document), *options, folder=CLIENTS)
    assert javascript.said("tsc", "--project", str(CLIENTS)) == ""
    served_at = (f"http://127.0.0.1:{served.port}", served.token)
    assert_evening(run("node", COMPILED / "evening.js", *served_at))
    assert_partida(run("node", COMPILED / "partida.js", *served_at, record_as_sent()))
