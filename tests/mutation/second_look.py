"""A second look at mutants that the near tests do not kill: each alone, in a new process.

The first processes are forked from one in which the rules are imported already. A table made at
import, or an answer that a cache keeps, is then made before the mutant is chosen. Here the mutant
is chosen before anything is imported, and all tests run, slow ones too.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

WORKSPACE = Path("mutants")
MADE = WORKSPACE / "mutants"
LOOKED = WORKSPACE / "second_look.json"
TIMES_AS_LONG = 2
"""What a mutant may take, in CPU time of the run without one: the rest are endless loops."""
SETTINGS = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["tool"]["mutmut"]


def look_again(mutants: list[str]) -> dict[str, bool]:
    """Whether a test fails with each of these mutants; two are tried at a time."""
    found = json.loads(LOOKED.read_text(encoding="utf-8")) if LOOKED.exists() else {}
    left = [mutant for mutant in mutants if mutant not in found]
    if left:
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        if fails(""):
            sys.exit("the tests fail without any mutant")
        after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        limit = TIMES_AS_LONG * round(after - before + 1)
    with ThreadPoolExecutor(2) as pool:
        for mutant, failed in zip(left, pool.map(lambda m: fails(m, limit), left), strict=True):
            found[mutant] = failed
            LOOKED.write_text(json.dumps(found, indent=1), encoding="utf-8")
            print(f"{'killed  ' if failed else 'survived'} {mutant}", flush=True)
    return {mutant: found[mutant] for mutant in mutants}


def fails(mutant: str, cpu_s: int = resource.RLIM_INFINITY) -> bool:
    """Whether a test fails, or the CPU time is used up, with a mutant chosen before any import."""
    command = [sys.executable, "-m", "pytest", "--rootdir=.", "-n", "0", "-x", "-q", "--no-header"]
    command += [arg for arg in SETTINGS["pytest_add_cli_args"] if not arg.startswith("--ignore=")]
    command += nearest_first(mutant)
    run = subprocess.run(
        command,
        cwd=MADE,
        env={**os.environ, "MUTANT_UNDER_TEST": mutant, "CI": "1"},
        capture_output=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s)),
    )
    return run.returncode != 0


def nearest_first(mutant: str) -> list[str]:
    """All files of tests, first those in which mutmut saw a test enter the function."""
    stats = json.loads((MADE / "mutmut-stats.json").read_text(encoding="utf-8"))
    function = mutant.rpartition("__mutmut_")[0]
    entering = stats["tests_by_mangled_function_name"].get(function, [])
    near = {test.partition("::")[0] for test in entering}
    files = [
        str(file.relative_to(MADE))
        for path in map(MADE.joinpath, SETTINGS["pytest_add_cli_args_test_selection"])
        for file in (sorted(path.glob("test_*.py")) if path.is_dir() else [path])
    ]
    return sorted(files, key=lambda file: file not in near)
