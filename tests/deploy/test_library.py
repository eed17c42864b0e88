"""``guinote-law``: the law alone, built from this checkout, in an environment without a network."""

from __future__ import annotations

import email
import re
import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest

from referee import library
from referee.release import RELEASE
from tests.support.kit import own_library, own_wheel
from tests.support.places import ROOT

README = ROOT / "deploy" / "library" / "README.md"
DOCTESTS = """
import doctest, importlib, pkgutil, sys
import guinote_law
NOT_THERE = {"guinote_law.analysis"}  # its answers need an extra
names = [m.name for m in pkgutil.walk_packages(guinote_law.__path__, "guinote_law.")]
tried = failed = 0
for name in ["guinote_law", *names]:
    if not any(name.startswith(one) for one in NOT_THERE):
        found = doctest.testmod(importlib.import_module(name))
        tried, failed = tried + found.attempted, failed + found.failed
print("tried", tried, failed)
"""
PAGE = r"""
import doctest, re, sys
from pathlib import Path
text = Path(sys.argv[1]).read_text("utf-8")
names = {}
for block in re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
    exec(block, names)
examples = "\n".join(re.findall(r"^```pycon\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
page = doctest.DocTestParser().get_doctest(examples, names, "README", sys.argv[1], 0)
found = doctest.DocTestRunner().run(page)
print("tried", found.attempted, found.failed)
"""
IMPORTED = """
import sys
import guinote_law as law
partida = law.Partida()
partida.push(law.Deal.random(7))
law.Partida.from_record(partida.record())
print(*sorted({name.partition(".")[0] for name in sys.modules} - set(sys.stdlib_module_names)))
"""
TYPED = """
from guinote_law import Card, Deal, Hand, Outcome, Partida, Seat, profile

partida: Partida = Partida(profile("club"))
partida.push(Deal.random(7))
seat: Seat | None = partida.whose_turn
hand: Hand = partida.lawful
end: Outcome | None = partida.outcome
partida.push(7)
"""
ENDING = """
from guinote_law import Seat, Suit, profile
from guinote_law.analysis import NoAnalysis, OpenHands

hands = "A1 AO 2E, B1 3O 4E, A2 RC 5E, B2 SC 6E"
ending = OpenHands.parse(hands, Suit.OROS, profile("club"), leader=Seat.A1)
try:
    print(ending.value())
except NoAnalysis:
    print("none")
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if own_wheel.uv() is None:
        pytest.skip(own_wheel.NO_UV)
    return own_library.built(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return own_library.install(wheel, tmp_path_factory.mktemp("environment") / "venv")


def run(python: Path, program: str, *words: str | Path) -> str:
    """What a program prints, in a folder of its own, without what the machine would add."""
    command = [python, "-I", "-W", "error", "-c", program, *words]
    return subprocess.check_output(command, text=True, cwd=python.parent)


def test_nothing_of_the_service_is_in_it(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names, sources = (
            packed.namelist(),
            {
                name: packed.read(name).decode()
                for name in packed.namelist()
                if name.endswith(".py")
            },
        )
    assert {name.partition("/")[0] for name in names} == {
        "guinote_law",
        f"guinote_law-{RELEASE}.dist-info",
    }
    assert "guinote_law/py.typed" in names
    for name, source in sources.items():
        assert not re.search(
            r"^\s*(from|import) (referee|api|projections|flask)", source, re.MULTILINE
        ), name


def test_it_says_what_it_is(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        (name,) = (one for one in packed.namelist() if one.endswith(".dist-info/METADATA"))
        about = email.message_from_string(packed.read(name).decode())
    assert (about["Name"], about["Version"]) == ("guinote-law", RELEASE)
    assert about.get_all("Project-URL") == ["Homepage, https://guinote.example.org/law"]
    assert about.get_all("Requires-Dist") == [
        "msgspec<1,>=0.20",
        "wasmtime<60,>=36; extra == 'analysis'",
    ]
    assert "guiñote" in about["Keywords"]
    assert about.get_payload() == README.read_text("utf-8")


def test_it_asks_for_the_same_versions_as_the_service() -> None:
    files = (ROOT / "pyproject.toml", ROOT / "deploy" / "library" / "pyproject.toml")
    ours, its = (tomllib.loads(file.read_text("utf-8"))["project"] for file in files)
    assert set(its["dependencies"]) <= set(ours["dependencies"])
    assert its["optional-dependencies"].items() <= ours["optional-dependencies"].items()
    assert its["requires-python"] == ours["requires-python"]


def test_it_imports_nothing_but_itself_and_what_it_needs(python: Path) -> None:
    imported = {*run(python, IMPORTED).split()} - {"sitecustomize"}  # of the distribution's Python
    assert imported == {"__main__", "guinote_law", "msgspec"}


def test_its_examples_are_true_there(python: Path) -> None:
    *said, last = run(python, DOCTESTS).splitlines()
    assert said == []
    assert int(last.split()[1]) > 120


def test_its_page_is_true_there_and_its_player_beats_one_that_does_not_think(python: Path) -> None:
    *said, last = run(python, PAGE, README).splitlines()
    assert said == []
    assert int(last.split()[1]) > 30


def test_its_analysis_needs_its_extra(python: Path, wheel: Path, tmp_path: Path) -> None:
    assert run(python, ENDING) == "none\n"
    whole = own_library.install(wheel, tmp_path / "venv", "wasmtime")
    assert int(run(whole, ENDING)) > 0


def test_its_page_names_all_that_it_has() -> None:
    page = README.read_text("utf-8")
    public = [name for name in vars(library.Partida) if not name.startswith("_")]
    assert not [n for n in (*library.__all__, *public) if not re.search(rf"`[^`\n]*\b{n}\b", page)]


def test_its_player_has_forty_lines() -> None:
    (player,) = re.findall(
        r"^```python\n(.*?)^```$", README.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    assert 20 < len([line for line in player.splitlines() if line]) <= 40


def test_its_names_are_those_of_the_checkout(python: Path) -> None:
    names = run(python, "import guinote_law as law; print(*law.__all__)").split()
    assert names == library.__all__
    assert len(names) == 20


def test_programs_that_use_it_are_checked_by_their_types(python: Path, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(TYPED)
    command = ["mypy", "--strict", "--python-executable", python, program]
    done = subprocess.run(
        [own_library.sys.executable, "-m", *command], capture_output=True, text=True, cwd=tmp_path
    )
    assert re.findall(r"program.py:(\d+): error: .*", done.stdout) == ["9"], done.stdout
