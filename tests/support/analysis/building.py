"""Making ``engine.wasm`` from its source: ``python -m tests.support.analysis.building``.

The bytes are kept with the program, so that nobody needs a compiler; they repeat with clang and
lld of one version. ``dev.py`` gets both for root.
"""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

from dev import compiler
from referee.analysis.engine import MODULE
from tests.support.places import ROOT

HOME = ROOT / "referee" / "analysis"
SOURCE, BUILT = HOME / "engine.c", HOME / MODULE
HASH = HOME / f"{MODULE}.sha256"
NO_COMPILER = "NO CLANG: engine.wasm was not built again; install clang-16 and lld-16"
_OPTIONS = (
    *("--target=wasm32", "-O2", "-std=gnu11", "-Wall", "-Wextra", "-Werror"),
    *("-nostdlib", "-msign-ext", "-mbulk-memory"),
    *("-Wl,--no-entry", "-Wl,--strip-all", "-Wl,-z,stack-size=65536"),
)


def build(source: Path, built: Path, *more: str) -> bytes:
    """The module that a source gives; what the compiler says of it is an error."""
    clang = compiler()
    assert clang, NO_COMPILER
    subprocess.run((clang, *_OPTIONS, *more, "-o", built, source), check=True)
    return built.read_bytes()


def hash_of(module: bytes) -> str:
    """A line as ``sha256sum`` prints and checks it."""
    return f"{hashlib.sha256(module).hexdigest()}  {MODULE}\n"


if __name__ == "__main__":
    HASH.write_text(hash_of(build(SOURCE, BUILT)))
