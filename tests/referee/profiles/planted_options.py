"""The contrary of each option that a paper states, planted in its profile, and the test that finds it.

``python -m tests.referee.profiles.planted_options [PROFILE ...]``: one after another in a temporary
copy for each profile; the test that the list names has to fail, and no other is run. An option that
can hold one value only has no contrary.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.support.places import ROOT
from tests.support.planting import first_failure

PROFILES = Path("referee/rules/profile/data")
NEEDED = ("referee", "projections", "api", "tests/support", "tests/referee", "pyproject.toml")
"""What the tests of the list are run with."""
WORKERS = 3
LISTED = {"players": "players", "deck": "decks"}
"""Options whose values are a list at the head of a profile."""


class Contrary(NamedTuple):
    """A line of the list: the contrary value as the file of the profile has it, what finds it."""

    profile: str
    option: str
    value: str
    test: str

    def planted(self, text: str) -> str:
        """The file of the profile with this value, once."""
        named = re.escape(LISTED.get(self.option, self.option))
        is_listed = self.option in LISTED
        old = (
            rf"^({named} = )\[.*\]$" if is_listed else rf"^({named} = {{ value = ).+?(?=, basis = )"
        )
        pattern = re.compile(old, re.MULTILINE)
        after, many = pattern.subn(lambda found: found[1] + self.value, text)
        assert many == 1, self
        assert after != text, self
        return after


def contraries() -> list[Contrary]:
    """The list."""
    lines = Path(__file__).with_suffix(".tsv").read_text("utf-8").splitlines()
    return [Contrary(*line.split("\t")) for line in lines]


@contextmanager
def temporary_copy() -> Iterator[Path]:
    """A copy of what the tests need, without what they leave behind."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in NEEDED:
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / name).is_dir():
                without = shutil.ignore_patterns("__pycache__", "static")
                shutil.copytree(ROOT / name, copy / name, ignore=without)
            else:
                shutil.copy(ROOT / name, copy / name)
        yield copy


def missed(profile: str) -> list[Contrary]:
    """Contraries of a profile that their tests do not find, planted one after another in a copy."""
    chosen, found = [one for one in contraries() if one.profile == profile], []
    with temporary_copy() as copy:
        file = copy / PROFILES / f"{profile}.toml"
        text = file.read_text("utf-8")
        assert not first_failure(copy, *(one.test for one in chosen)), "fails with nothing planted"
        for one in chosen:
            file.write_text(one.planted(text), "utf-8")
            if first_failure(copy, one.test) != one.test:
                found.append(one)
    return found


def main(asked: list[str]) -> None:
    """Plant each contrary, with a line for each that its test does not find."""
    many = Counter(one.profile for one in contraries())
    wrong = 0
    with ThreadPoolExecutor(WORKERS) as pool:
        chosen = asked or list(many)
        for profile, found in zip(chosen, pool.map(missed, chosen), strict=True):
            wrong += len(found)
            for one in found:
                print(f"{profile}: {one.option} = {one.value}: NOT FOUND by {one.test}")
            print(f"{profile}: {many[profile] - len(found)} of {many[profile]} found", flush=True)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main(sys.argv[1:])
