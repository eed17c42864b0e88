"""dev.py: it finds a browser for the tests, or says what is missing."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.places import ROOT

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root installs a browser")


@pytest.fixture
def dev() -> Any:
    spec = importlib.util.spec_from_file_location("dev", ROOT / "dev.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with only these programs."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def program(folder: Path, name: str, does: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{does}\n")
    (folder / name).chmod(0o755)


@pytest.mark.parametrize(
    ("options", "does", "is_its"),
    [
        ("", "exit 0", True),
        ("", "exit 1", False),
        ("", "", False),
        ("'--enable-optimizations'", "exit 0", False),
    ],
    ids=["taken", "without a module", "not there", "ours is as fast"],
)
def test_an_unoptimised_python_gives_way_to_that_of_the_distribution(
    dev: Any, programs: Path, monkeypatch: pytest.MonkeyPatch, options: str, does: str, is_its: bool
) -> None:
    monkeypatch.setattr(dev.sysconfig, "get_config_var", lambda _: options)
    monkeypatch.setattr(dev, "DISTRIBUTION", programs / "python")
    if does:
        program(programs, "python", does)
    assert dev.interpreter() == (programs / "python" if is_its else Path(sys.executable))


@pytest.mark.parametrize(
    "name", ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
)
def test_a_browser_that_is_there_is_taken(dev: Any, programs: Path, name: str) -> None:
    program(programs, name, "exit 0")
    program(programs, "apt-get", "echo asked >> $(dirname $0)/log 2>&1")
    assert dev.has_browser()
    assert not (programs / "log").exists()


@AS_ROOT
@pytest.mark.parametrize(
    ("there", "asked"),
    [
        ("chromium-headless-shell", ["chromium-headless-shell"]),
        ("chromium", ["chromium-headless-shell", "chromium"]),
    ],
)
def test_root_gets_one_from_the_distribution(
    dev: Any, programs: Path, there: str, asked: list[str]
) -> None:
    program(
        programs,
        "apt-get",
        f'echo "$*" >> {programs}/log; [ "$4" = {there} ] || exit 1\n'
        f": > {programs}/$4; /bin/chmod 755 {programs}/$4",
    )
    assert dev.has_browser()
    assert (programs / "log").read_text().splitlines() == [
        "update",
        *(f"install -y --no-install-recommends {package}" for package in asked),
    ]


@AS_ROOT
def test_a_machine_that_cannot_get_one_is_reported(
    dev: Any, programs: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    program(programs, "apt-get", "echo nothing; exit 100")
    assert not dev.has_browser()
    said = capfd.readouterr()
    assert (
        "install chromium-headless-shell or chromium or chromium-browser or google-chrome"
        in said.err
    )
    assert said.out == ""


@AS_ROOT
def test_root_gets_node_from_the_distribution(dev: Any, programs: Path) -> None:
    program(
        programs,
        "apt-get",
        f'echo "$*" >> {programs}/log; [ "$1" = install ] || exit 0\n'
        f"for name in node npm; do : > {programs}/$name; /bin/chmod 755 {programs}/$name; done",
    )
    assert dev.has_node()
    assert (programs / "log").read_text().splitlines() == [
        "update",
        "install -y --no-install-recommends nodejs npm",
    ]


@AS_ROOT
def test_root_gets_the_other_browsers_and_goes_on_without_them(dev: Any, programs: Path) -> None:
    program(programs, "apt-get", f'echo "$*" >> {programs}/log; exit 100')
    dev.install_others()
    assert (programs / "log").read_text().splitlines() == [
        "update",
        "install -y --no-install-recommends firefox-esr",
        "update",
        "install -y --no-install-recommends webkit2gtk-driver xvfb",
        "update",
        "install -y --no-install-recommends clang-16 lld-16",
    ]
    for name in ("firefox-esr", "WebKitWebDriver", "Xvfb", "clang-16", "wasm-ld-16"):
        program(programs, name, "exit 0")
    dev.install_others()
    assert len((programs / "log").read_text().splitlines()) == 6


@pytest.mark.parametrize("there", [(), ("node",), ("npm",)])
def test_node_without_npm_is_none(
    dev: Any, programs: Path, there: tuple[str, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    for name in there:
        program(programs, name, "exit 0")
    assert not dev.has_node()
    assert "install node 20 and npm" in capfd.readouterr().err


@pytest.mark.parametrize("there", [(), ("chromium",), ("node", "npm")])
def test_without_a_browser_or_node_no_check_is_begun(
    dev: Any, programs: Path, there: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[object] = []
    monkeypatch.setattr(dev, "passes", begun.append)
    for name in there:
        program(programs, name, "exit 0")
    assert dev.test([]) == 1
    assert begun == []


@pytest.mark.parametrize("before", [None, "/var/tmp"])
def test_folders_of_the_tests_are_in_memory_where_it_has_room(
    dev: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str | None
) -> None:
    monkeypatch.delenv("TMPDIR", raising=False)
    if before:
        monkeypatch.setenv("TMPDIR", before)
    dev.MEMORY, dev.ROOM = tmp_path, 1
    with dev.folders_in_memory():
        (folder,) = tmp_path.iterdir()
        assert dev.environment()["TMPDIR"] == str(folder)
        assert folder.stat().st_mode & 0o7777 == 0o1777
    assert os.environ.get("TMPDIR") == before
    assert list(tmp_path.iterdir()) == []
    dev.ROOM = 2**62
    with dev.folders_in_memory():
        assert os.environ.get("TMPDIR") == before


def test_proxies_are_fetched_once_and_not_installed(
    dev: Any, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dev, "BOOT", programs / "boot")
    program(programs, "apt-get", f'echo "apt $*" >> {programs}/log; : > $2_1_any.deb')
    program(programs, "dpkg", f'echo "dpkg $1" >> {programs}/log; /bin/mkdir -p "$3"')
    dev.fetch_proxies()
    dev.fetch_proxies()
    assert (programs / "log").read_text().splitlines() == [
        *("apt download nginx", "dpkg -x"),
        *("apt download caddy", "dpkg -x"),
    ]


def test_a_machine_that_cannot_fetch_them_goes_on(
    dev: Any, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dev, "BOOT", programs / "boot")
    dev.fetch_proxies()
    program(programs, "apt-get", "exit 100")
    program(programs, "dpkg", f"echo asked >> {programs}/log")
    dev.fetch_proxies()
    assert not (programs / "log").exists()
