"""A second run for the survivors of mutmut: each alone, in a new process.

mutmut makes its processes by fork from one in which the rules are imported already, and runs only
the tests that it saw entering a function. A table made at import, or an answer that a cache keeps,
is then made before the mutant is chosen. Here the mutant is chosen before anything is imported,
and all the tests of ``[tool.mutmut]`` run. Verdicts are kept, so that the script can be stopped.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

from mutmut.stats import status_by_exit_code

WORKSPACE = Path("mutants")
MADE = WORKSPACE / "mutants"
LOOKED = WORKSPACE / "second_look.json"
CAUGHT = {"killed", "timeout", "segfault", "caught by type check"}
NO_MUTANT, EVERY_FUNCTION_FAILS = "", "fail"
TIMEOUT_S = 300


def verdicts() -> dict[str, dict[str, str]]:
    """What mutmut said of each mutant, by the file it is in."""
    found = {}
    for meta in sorted((MADE / "referee/rules").rglob("*.py.meta")):
        codes = json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"]
        if codes:
            found[meta.name.removesuffix(".meta")] = {
                mutant: status_by_exit_code[code] for mutant, code in codes.items()
            }
    return found


def looked() -> dict[str, bool]:
    """For each mutant looked at again, whether a test failed."""
    return json.loads(LOOKED.read_text(encoding="utf-8")) if LOOKED.exists() else {}


def nearest_first(mutant: str, files: list[str]) -> list[str]:
    """All files of tests, first those in which mutmut saw a test enter the function."""
    stats = json.loads((MADE / "mutmut-stats.json").read_text(encoding="utf-8"))
    function = mutant.rpartition("__mutmut_")[0]
    entering = stats["tests_by_mangled_function_name"].get(function, [])
    near = {test.partition("::")[0] for test in entering}
    return sorted(files, key=lambda file: file not in near)


def fails(mutant: str, settings: dict[str, list[str]]) -> bool:
    """Whether the tests fail or time out with this mutant, active from the first import on."""
    command = [sys.executable, "-m", "pytest", "--rootdir=.", "-x", "-q", "--no-header"]
    command += settings["pytest_add_cli_args"]
    command += nearest_first(mutant, settings["pytest_add_cli_args_test_selection"])
    try:
        run = subprocess.run(
            command,
            cwd=MADE,
            env={**os.environ, "MUTANT_UNDER_TEST": mutant, "CI": "1"},
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return True
    return run.returncode != 0


def main() -> None:
    """Run the tests again for every mutant that survived mutmut."""
    settings = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["tool"]["mutmut"]
    if fails(NO_MUTANT, settings):
        sys.exit("the tests fail without any mutant")
    if not fails(EVERY_FUNCTION_FAILS, settings):
        sys.exit("the tests do not run on the mutants")
    found = looked()
    left = [
        mutant
        for by_mutant in verdicts().values()
        for mutant, status in by_mutant.items()
        if status not in CAUGHT and mutant not in found
    ]
    for mutant in left:
        found[mutant] = fails(mutant, settings)
        LOOKED.write_text(json.dumps(found, indent=1), encoding="utf-8")
        print(f"{'killed  ' if found[mutant] else 'survived'} {mutant}", flush=True)


if __name__ == "__main__":
    main()
