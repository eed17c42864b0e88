"""The wheel alone: it serves as a checkout does, and says so where gunicorn has other settings."""

from __future__ import annotations

import email
import os
import re
import shlex
import signal
import subprocess
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from api.audit.bundle import verifier_html
from api.server import serving
from referee.release import RELEASE
from tests.support.kit.own_wheel import install
from tests.support.places import ROOT
from tests.support.servers.served import command_of, free_port
from tests.support.waiting import wait_for


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(wheel, tmp_path_factory.mktemp("environment") / "venv")


def environment(port: int) -> dict[str, str]:
    """The machine's, without the checkout and with an address of its own."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return kept | {"GUINOTE_BIND": f"127.0.0.1:{port}", "GUINOTE_DATA": "data"}


def test_the_program_of_the_wheel_is_not_that_of_the_checkout(python: Path, tmp_path: Path) -> None:
    asked = [python, "-c", "import api, referee, projections as p; print(api.__file__, p.__file__)"]
    said = subprocess.check_output(asked, cwd=tmp_path, env=environment(0), text=True)
    assert all(Path(name).is_relative_to(python.parents[1]) for name in said.split())


def test_the_wheel_says_who_made_it_and_where_it_runs(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        (name,) = (one for one in packed.namelist() if one.endswith(".dist-info/METADATA"))
        about = email.message_from_string(packed.read(name).decode())
    assert about["Version"] == RELEASE
    assert about["Author"] == "The guiñote referee maintainers"
    assert {"Operating System :: POSIX :: Linux", "Operating System :: MacOS"} <= set(
        about.get_all("Classifier")
    )
    assert all(
        one.partition(", ")[2].startswith("https://") for one in about.get_all("Project-URL", [])
    )
    described = str(about.get_payload())
    assert "guinote" in described
    links = re.findall(r"\]\(([^)\s]+)\)", described)
    assert not [link for link in links if "://" not in link]


def test_the_wheel_has_the_records_of_the_rules(python: Path, tmp_path: Path) -> None:
    asked = "from api.examples.records import rule_records_by_name; print(*sorted(rule_records_by_name()))"
    said = subprocess.check_output(
        [python, "-c", asked], cwd=tmp_path, env=environment(0), text=True
    )
    files = (ROOT / "docs" / "law" / "records").glob("*.guinote")
    assert said.split() == sorted(file.stem for file in files)


def test_the_program_of_the_wheel_knows_its_release(python: Path, tmp_path: Path) -> None:
    command = [python.parent / "guinote", "--version"]
    said = subprocess.check_output(command, cwd=tmp_path, env=environment(0), text=True)
    assert said == f"guinote {RELEASE}\n"


def test_gunicorn_without_our_settings_ends_and_says_what_is_missing(
    python: Path, tmp_path: Path
) -> None:
    port = free_port()
    words = ("-m", "gunicorn", "-b", f"127.0.0.1:{port}", "api.server.wiring:app()")
    done = subprocess.run(
        [python, *words],
        cwd=tmp_path,
        env=environment(port),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 4
    (line,) = (line for line in done.stderr.splitlines() if "settings of this service" in line)
    assert "-c python:api.server.gunicorn_conf" in line
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "data").exists()


@contextmanager
def running(command: list[str], folder: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """A server in a folder that has nothing of the checkout."""
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment(port),
        start_new_session=True,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            yield process
        finally:
            os.killpg(process.pid, signal.SIGKILL)


def answered(port: int, path: str) -> bytes:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
        return bytes(answer.read())


def test_the_procfile_listens_where_its_host_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GUINOTE_BIND", raising=False)
    monkeypatch.setenv("PORT", "5000")
    assert serving.gunicorn_settings()["bind"] == "0.0.0.0:5000"
    monkeypatch.setenv("GUINOTE_BIND", "127.0.0.1:8001")
    assert serving.gunicorn_settings()["bind"] == "127.0.0.1:8001"


def test_the_procfile_serves_from_the_wheel(python: Path, tmp_path: Path) -> None:
    (web,) = (
        line.removeprefix("web: ")
        for line in (ROOT / "Procfile").read_text().splitlines()
        if line.startswith("web: ")
    )
    port = free_port()
    with running([str(python), "-m", *shlex.split(web)], tmp_path, port) as process:
        wait_for(lambda: answered(port, "/readyz"), "a server that is ready", OSError)
        assert b"<!doctype html>" in answered(port, "/").lower()
        assert answered(port, "/static/tablet/main.js")
        assert answered(port, "/verificador") == verifier_html().encode()
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        # our settings have started the projector
        assert any(b"projections" in command_of(int(child)) for child in children)
