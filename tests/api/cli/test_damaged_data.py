"""Commands over a damaged log or damaged views: a finding with the place, or a line; no traceback."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.api.cli.test_cli import RECORD, guinote

PAGE = 4096


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with an encuentro, whose id is in a file beside it."""
    folder = tmp_path_factory.mktemp("house") / "data"
    code, out, _ = guinote("import", str(RECORD), data=folder)
    assert code == 0
    folder.with_name("encuentro").write_text(json.loads(out)["encuentro"])
    assert guinote("rebuild", data=folder)[0] == 0
    return folder


def _overwritten(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.write(b"\xa5" * 100)


def _with_a_page_overwritten(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.seek(file.stat().st_size // 2 // PAGE * PAGE)
        opened.write(b"\xa5" * PAGE)


def _cut(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2 + 100)


def _emptied(file: Path) -> None:
    file.write_bytes(bytes(file.stat().st_size))


DAMAGES = (_overwritten, _with_a_page_overwritten, _cut, _emptied)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_log_is_a_finding_of_verify_and_a_line_of_the_others(
    house: Path, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    data = tmp_path / "data"
    shutil.copytree(house, data)
    damage(data / "log.sqlite")
    code, out, _ = guinote("verify", data=data)
    found = [json.loads(line) for line in out.splitlines()]
    assert (code, {one["what"] for one in found}) == (1, {"log_unsound"})
    assert all(one["file"] == str(data / "log.sqlite") and one["at"] for one in found)
    code, out, _ = guinote("audit", "verify", data=data)
    assert (code, json.loads(out.splitlines()[0])["what"]) == (1, "store_unsound")
    encuentro = house.with_name("encuentro").read_text()
    others = (("export", encuentro), ("rebuild",), ("backup", str(tmp_path / "copy")))
    for words in (*others, ("access", "list"), ("settings",)):
        code, _, said = guinote(*words, data=data)  # an error of ours would be raised here
        assert code in (0, 1, os.EX_DATAERR), (words, said)
        assert not code or "log.sqlite" in said, (words, said)


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_views_are_rebuilt(
    house: Path, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    data = tmp_path / "data"
    shutil.copytree(house, data)
    damage(data / "views.sqlite")
    assert guinote("verify", data=data)[0] == 1
    assert guinote("rebuild", data=data)[0] == 0
    assert guinote("verify", data=data)[0] == 0
