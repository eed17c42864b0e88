"""``guinote-law``: the law as a distribution of its own, made of a part of this source.

    python3 dev.py library FOLDER [Homepage=https://… …]

Its one package is ``guinote_law``, so that it can be installed beside the service: what is
``referee.rules`` here is ``guinote_law.rules`` there, and ``referee.library`` gives its names. This
source names no address of its own; those of whoever publishes are given as ``NAME=ADDRESS``.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parent.parent
PACKAGE: Final = "guinote_law"
PARTS: Final = (
    *("analysis", "events", "library", "record", "rules", "table", "errors.py", "release.py"),
    *("py.typed", "aggregates/__init__.py", "aggregates/commands.py", "aggregates/encuentro.py"),
    *("aggregates/partida.py", "aggregates/result.py"),
)
"""What of ``referee`` the library is made of: no log, no service."""
_OURS: Final = re.compile(r"\breferee(?=\.[a-z]|\s+import\b)")


def rename(source: str) -> str:
    r"""A module with the package of the library in the place of ours.

    >>> rename("from referee.rules import Card\nfrom referee import events as ev\n")
    'from guinote_law.rules import Card\nfrom guinote_law import events as ev\n'
    """
    return _OURS.sub(PACKAGE, source)


def write_source(folder: Path, addresses: dict[str, str]) -> None:
    """Write the source of the distribution into a folder, which is made."""
    package = folder / PACKAGE
    for part in PARTS:
        source, copy = ROOT / "referee" / part, package / part
        copy.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy)
    (package / "library" / "__init__.py").rename(package / "__init__.py")
    about = '"""Partidas and deals, drawn and as text: what ``guinote_law`` gives its users."""\n'
    (package / "library" / "__init__.py").write_text(about, "utf-8")
    for module in package.rglob("*.py"):
        module.write_text(rename(module.read_text("utf-8")), "utf-8")
    for file in (HERE / "README.md", ROOT / "LICENSE"):
        shutil.copy(file, folder)
    urls = "".join(f'"{name}" = "{address}"\n' for name, address in addresses.items())
    project = (HERE / "pyproject.toml").read_text("utf-8")
    section = f"\n[project.urls]\n{urls}" if urls else ""
    (folder / "pyproject.toml").write_text(project + section, "utf-8")


def main(uv: str, folder: str, *addresses: str) -> None:
    """Build the wheel and the source distribution into a folder."""
    with tempfile.TemporaryDirectory() as made:
        source = Path(made) / PACKAGE
        write_source(source, dict(one.split("=", 1) for one in addresses))
        subprocess.run([uv, "build", "-q", "--out-dir", Path(folder).resolve(), source], check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
