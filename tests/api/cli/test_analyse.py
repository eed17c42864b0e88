"""``guinote analyse``, as a user runs it."""

from __future__ import annotations

import json
import os
import re
from doctest import DocTestParser, DocTestRunner

import pytest
from click.testing import CliRunner

from api.cli import evidence
from api.cli.main import main
from tests.support.analysis.marks import NEEDS_ENGINE
from tests.support.places import ROOT

RECORDS = ROOT / "tests" / "records"
PAGE = (ROOT / "docs" / "law" / "analysis.md").read_text(encoding="utf-8")


def run(*words: str, given: str = "") -> tuple[int, list[dict]]:
    done = CliRunner().invoke(main, ["analyse", *words], input=given)
    return done.exit_code, [json.loads(line) for line in done.stdout.splitlines()]


@NEEDS_ENGINE
def test_each_card_of_an_arrastre_is_a_line() -> None:
    code, rows = run(str(RECORDS / "abierta.guinote"))
    cards = [row for row in rows if row.get("deal") == 1]
    assert code == 0
    assert [row["trick"] for row in cards] == sorted(row["trick"] for row in cards)
    assert len(cards) == 24
    assert all((row["cost"] == 0) == (row["card"] in row["best"]) for row in cards if row["lawful"])
    assert rows[-2] == {"game": 1, "deal": 2, "not_known": "no_cards"}
    assert "reach" in rows[-1]


@NEEDS_ENGINE
def test_the_lines_on_the_page_are_some_that_the_command_prints() -> None:
    lines = re.findall(r"^\{\"game\".*\}$", PAGE, re.MULTILINE)
    record = (RECORDS / "abierta.guinote").read_text(encoding="utf-8")
    printed = run("-", given=record)[1]
    card, reach = map(json.loads, lines)
    assert card in printed
    assert reach == printed[-1]


@NEEDS_ENGINE
def test_a_claim_of_the_rest_is_a_line() -> None:
    """A1 says so before a trick that B1 takes."""
    lead = "A1 RC  B1 2B  A2 2C  B2 4C"
    record = (RECORDS / "abierta.guinote").read_text(encoding="utf-8")
    claimed = record.replace(lead, f"resto A1\n{lead}")
    rests = [row["rest"] for row in run("-", given=claimed)[1] if "rest" in row]
    assert [(one["seat"], one["answer"]) for one in rests] == [("A1", "fails")]


@NEEDS_ENGINE
def test_the_examples_on_the_page_give_what_it_says() -> None:
    blocks = re.findall(r"(?ms)^```pycon\n(.*?)^```", PAGE)
    session = DocTestParser().get_doctest("\n".join(blocks), {}, "analysis.md", None, 0)
    output: list[str] = []
    DocTestRunner().run(session, out=output.append)
    assert blocks
    assert not output, "".join(output)


@NEEDS_ENGINE
def test_another_profile_and_fewer_nodes_are_options() -> None:
    file = str(RECORDS / "abierta.guinote")
    assert run(file)[1] != run(file, "--profile", "escuela")[1]
    assert run(file, "--nodes", "3")[1][0]["beyond_nodes"] == 3


@NEEDS_ENGINE
@pytest.mark.parametrize(
    "words, given, code",
    [(("-",), "no record", "malformed"), (("-", "--profile", "none"), "", "unknown_profile")],
)
def test_what_cannot_be_read_is_told(words: tuple[str, ...], given: str, code: str) -> None:
    exit_code, rows = run(*words, given=given)
    assert (exit_code, rows[0]["error"]["code"]) == (1, code)


def test_a_platform_without_the_engine_ends_with_its_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "is_analysis_available", lambda: False)
    done = CliRunner().invoke(main, ["analyse", "-"], input="")
    assert done.exit_code == os.EX_UNAVAILABLE == 69
    assert done.stderr.startswith("no analysis here")
    assert not done.stdout
