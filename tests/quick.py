"""Tests of what was changed: ``python3 dev.py test --quick`` runs those that this module names.

A test file is named if it was changed, lies in the folder of tests of a changed file, or imports a changed
module, also through other modules. Modules that put the whole program together import everything,
and what is reached through them alone is left to the whole command.
"""

from __future__ import annotations

import ast
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.support.places import ROOT

READ = ("referee", "projections", "api", "tests", "benchmarks", "docs")
COMPOSED = ("api/server/", "api/cli/", "projections/process.py", "tests/conftest.py")
COMMAND = re.compile(r"[a-z_.]+:[a-z_]+")
"""A command, as ``api/cli/main.py`` names it to import it later."""
IMPORTED = re.compile(r"""(?:from|import)\s*\(?\s*["'](\.{0,2}/[^"']+)["']""")
TESTS = re.compile(r"test_\w+\.py|.+\.test\.mjs")


def changed() -> set[str]:
    """Paths that differ from the last commit; from the one before, if nothing does."""
    return _paths("diff", "--name-only", "HEAD") | _paths(
        "ls-files", "--others", "--exclude-standard"
    ) or _paths("diff", "--name-only", "HEAD~1")


def _paths(*words: str) -> set[str]:
    said = subprocess.run(("git", *words), cwd=ROOT, check=True, capture_output=True, text=True)
    return {path for path in said.stdout.splitlines() if (ROOT / path).is_file()}


def named(paths: Iterable[str]) -> list[str]:
    """Test files for changed paths, in order."""
    reached = {*paths}
    waiting = [*reached]
    is_whole = any(path.startswith(COMPOSED) for path in reached)
    while waiting:
        path = waiting.pop()
        if path.startswith(COMPOSED) and not is_whole:
            continue
        new = importers()[path] - reached
        reached |= new
        waiting += new
    found = {path for path in reached if TESTS.fullmatch(Path(path).name)}
    return sorted(found.union(*map(mirrored, paths)))


def mirrored(path: str) -> set[str]:
    """Test files in the folder of a file: ``api/tablet/static/tablet/outbox/x.js`` has ``tests/api/tablet/outbox``."""
    room, _, inside = path.partition("/static/")
    parts = Path(room, *Path(inside).parts[1:]).parent.parts if inside else Path(path).parent.parts
    parts = tuple(part for part in parts if part not in {"templates", "lang"})
    folder = ROOT.joinpath("tests", *parts)
    while not folder.is_dir():
        folder = folder.parent
    is_a_room = parts[:1] != ("tests",) and folder.parent.name != "tests" and folder.name != "tests"
    return {
        one.relative_to(ROOT).as_posix()
        for one in (folder.iterdir() if is_a_room else ())
        if TESTS.fullmatch(one.name)
    }


@cache
def importers() -> defaultdict[str, set[str]]:
    """Files that import a file."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for folder in READ:
        for path in (ROOT / folder).rglob("*"):
            if "node_modules" in path.parts:
                continue
            imported = _of_python if path.suffix == ".py" else _of_script
            if path.suffix in {".py", ".js", ".mjs"}:
                for one in imported(path):
                    found[one].add(path.relative_to(ROOT).as_posix())
    return found


def _of_python(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from _file_of(*(alias.name for alias in node.names))
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from _file_of(
                node.module, *(f"{node.module}.{alias.name}" for alias in node.names)
            )
        elif isinstance(node, ast.Constant) and COMMAND.fullmatch(str(node.value)):
            yield from _file_of(str(node.value).partition(":")[0])


def _file_of(*modules: str) -> Iterator[str]:
    for module in modules:
        path = module.replace(".", "/")
        for file in (f"{path}.py", f"{path}/__init__.py"):
            if (ROOT / file).is_file():
                yield file


def _of_script(path: Path) -> Iterator[str]:
    """A module of a page imports by the address at which it is served, or from beside it."""
    for address in IMPORTED.findall(path.read_text("utf-8")):
        served = address.removeprefix("/static/")
        if served != address:
            file = ROOT / "api" / served.partition("/")[0] / "static" / served
        else:
            file = (path.parent / address).resolve()
            room = file.parts[file.parts.index("static") + 1] if "static" in file.parts else ""
            if room and not file.is_file():  # static folders of all rooms are served as one
                served = file.as_posix().partition("/static/")[2]
                file = ROOT / "api" / room / "static" / served
        if file.is_file():
            yield file.relative_to(ROOT).as_posix()


if __name__ == "__main__":
    print(*named(changed()), sep="\n")
