"""Programs of other releases, each in a folder that a computer can be served from."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from io import BytesIO
from pathlib import Path
from typing import Final

from referee.release import RELEASE
from tests.support.places import ROOT

FIRST: Final = "439ac1ed7536ed1d8b2a0b52219ab30d1743cb41"
"""The commit of 0.1.0."""
LATER: Final = "12.3.4"
_PROGRAM: Final = ("api", "projections", "referee", "gunicorn.conf.py")
_SINCE: Final = "SINCE: Final[Mapping[str, str]] = {"
_NAME: Final = '"TimeZoneChosen.1": events'
_EXACT: Final = (
    ("release.py", f'RELEASE: Final = "{RELEASE}"', f'RELEASE: Final = "{LATER}"'),
    ("log/names.py", _NAME, _NAME.replace(".1", ".2")),
    ("log/names.py", _SINCE, f'{_SINCE}\n    "TimeZoneChosen.2": "{LATER}",'),
)


def why_no_first() -> str:
    """Why 0.1.0 cannot be had; empty if it can."""
    asked = ("git", "cat-file", "-e", FIRST)
    if shutil.which("git") is None:
        return "install git"
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, check=False)
    return "have the history of the project" if done.returncode else ""


def first(folder: Path) -> Path:
    """The program of 0.1.0."""
    words = ("git", "archive", FIRST, *_PROGRAM)
    packed = subprocess.run(words, cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # since 3.11.4
        archive.extractall(folder)
    return folder


def later(folder: Path) -> Path:
    """This program as a later release, which was the first to choose a time zone."""
    folder.mkdir()
    for name in _PROGRAM:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    for name, is_so, shall_be in _EXACT:
        file = folder / "referee" / name
        text = file.read_text("utf-8")
        assert text.count(is_so) == 1, f"{name} is written in another way"
        file.write_text(text.replace(is_so, shall_be), "utf-8")
    return folder
