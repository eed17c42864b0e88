"""The zip for Windows, without making it: what it takes from the lock, its icon and its start file.

``tests/wine/evening.py`` makes it, and plays an evening from it.
"""

from __future__ import annotations

import importlib.util
import struct
from typing import Any
from zipfile import ZipFile

import pytest

from tests.deploy.test_lock import LOCK, pins
from tests.support.places import ROOT

FOLDER = ROOT / "deploy" / "windows"


@pytest.fixture(scope="module")
def package() -> Any:
    spec = importlib.util.spec_from_file_location("package", FOLDER / "package.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_has_the_pins_of_a_house_but_those_of_other_systems(package: Any, tmp_path: Any) -> None:
    lock = tmp_path / "lock"
    lock.write_text(package.lock_of_windows(LOCK.read_text("utf-8")))
    house, packed = pins(LOCK), pins(lock)
    assert {**packed, **{name: house[name] for name in package.NOT_ON_WINDOWS}} == house
    assert "waitress" in packed
    (python,) = pins(FOLDER / "python.lock").values()
    assert python.count("--hash=sha256:") == 1


def test_the_icon_is_the_picture_of_the_pages(package: Any) -> None:
    picture = package.ICON.read_bytes()
    made = package.icon(picture)
    _, kind, count, width, *_, size, start = struct.unpack("<HHHBBBBHHII", made[:22])
    assert (kind, count) == (1, 1)
    assert made[start : start + size] == picture
    assert width == struct.unpack(">I", picture[16:20])[0]


def test_the_same_files_are_the_same_bytes_under_the_name_of_the_release(
    package: Any, tmp_path: Any
) -> None:
    made = []
    for number in (1, 2):
        folder = tmp_path / f"folder{number}"
        (folder / "program").mkdir(parents=True)
        for name in ("guinote.cmd", "program/ñ")[:: 3 - 2 * number]:
            (folder / name).write_text(name)
        package.pack(folder, "guinote-9", tmp_path / f"{number}.zip")
        made.append((tmp_path / f"{number}.zip").read_bytes())
    assert made[0] == made[1]
    with ZipFile(tmp_path / "1.zip") as packed:
        assert packed.namelist() == ["guinote-9/guinote.cmd", "guinote-9/program/ñ"]


def test_the_start_file_keeps_the_data_out_of_its_own_folder() -> None:
    start = (FOLDER / "guinote.cmd").read_text("ascii")  # cmd reads it in any code page
    assert r'set "GUINOTE_DATA=%LOCALAPPDATA%\guinote\data"' in start
    assert r'"%~dp0program\python\python.exe" -X utf8 -m api.cli %*' in start
