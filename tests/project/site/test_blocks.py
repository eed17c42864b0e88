"""Every block of code of a page runs, or says why not."""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.record import BadRecord, parse_record
from tests.project.site.blocks import (
    BLOCKS,
    RUN,
    SHELL,
    SHOWN,
    code_of,
    commands_of,
    is_as_printed,
    pages_with,
)
from tests.project.site.forked_command import folder_of_command
from tests.support.places import ROOT
from tests.support.servers.served import Served

SERVICE = "http://127.0.0.1:8000"
ELSEWHERE = "/srv/guinote"
"""Folder of an installation, in the pages."""
START = """set -eu
curl() { command curl --no-progress-meter --fail-with-body "$@"; }
"""
"""A request that is refused ends a script, unless the page says what it prints."""
LENIENT = 'curl() { command curl "$@"; }\n'


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def test_every_block_runs_or_says_why_not() -> None:
    for one in BLOCKS:
        says = f"{name_of(one.page)}: CONTRIBUTING.md says how a block runs, or why it does not:"
        assert one.kind in RUN or one.kind == SHOWN or (one.kind and one.reason), (says, one.code)
        for path in re.findall(r"tests/[\w/.]+", one.reason):
            assert (ROOT / path).exists(), path
    assert sum(one.runs for one in BLOCKS) > 40


@pytest.mark.parametrize("page", pages_with("pycon"), ids=name_of)
def test_the_examples_of_a_page_give_what_it_says(page: Path) -> None:
    text = "\n".join(one.code for one in code_of(page, "pycon"))
    session = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    output: list[str] = []
    doctest.DocTestRunner().run(session, out=output.append)
    assert not output, "".join(output)


@pytest.mark.parametrize("page", pages_with("python"), ids=name_of)
def test_a_script_of_a_page_ends_well(page: Path) -> None:
    code = "\n".join(one.code for one in code_of(page, "python"))
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert not done.returncode, done.stderr


@pytest.mark.parametrize("page", pages_with("guinote", "json"), ids=name_of)
def test_a_record_and_an_answer_of_a_page_can_be_read(page: Path) -> None:
    for one in code_of(page, "guinote"):
        assert not isinstance(parse_record(one.code), BadRecord)
    for one in code_of(page, "json"):
        json.loads(one.code)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, served: Served) -> Path:
    """Where the commands of the pages run: it has what a checkout has, and the data of a service."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("docs", "tests"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "var").symlink_to(served.folder)
    return folder


@pytest.fixture(scope="module")
def command() -> Iterator[Path]:
    """Folder of ``guinote``."""
    with folder_of_command() as found:
        yield found


@pytest.mark.parametrize("page", pages_with(*SHELL), ids=name_of)
def test_the_commands_of_a_page_do_what_it_says(
    page: Path, folder: Path, served: Served, command: Path
) -> None:
    commands = [one for block in code_of(page, *SHELL) for one in commands_of(block)]
    script = [START]
    for number, one in enumerate(commands):
        is_told = one.printed is not None
        code = f"{LENIENT if is_told else ''}{one.code}\n{START if is_told else ''}"
        script.append(f"echo {shlex.quote(one.code)} >&2\n{{\n{code}}} >{page.stem}.{number}\n")
    text = "".join(script).replace(SERVICE, f"http://127.0.0.1:{served.port}")
    path = (str(command), str(Path(sys.executable).parent), os.environ["PATH"])
    here = {**os.environ, "PATH": os.pathsep.join(path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["bash", "-c", text.replace(ELSEWHERE, str(folder / "installation"))],
        cwd=folder,
        env=here,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.returncode, done.stderr
    for number, one in enumerate(commands):
        if one.printed is not None:
            said = (folder / f"{page.stem}.{number}").read_text(encoding="utf-8")
            said = said.replace(str(folder / "installation"), ELSEWHERE)
            assert is_as_printed(said, one.printed), (one.code, said, one.printed)
