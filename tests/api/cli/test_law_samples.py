"""The records of ``tests/samples/law-3``: exit status, and line and code of what is said of each."""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from api.cli.main import main
from tests.support.places import ROOT

SAMPLES = ROOT / "tests" / "samples" / "law-3"


class Said(NamedTuple):
    """Errors by line and code; findings, by the line of the act, rule and seat; who won."""

    errors: tuple[tuple[int, str], ...] = ()
    findings: tuple[str, ...] = ()
    winner: str | None = None


SAID = {
    "cut-37": Said(findings=("1 cut-too-small B2",)),
    "misdeal-50": Said(((8, "hand-too-large"),)),
    "misdeal-right-numbers": Said(findings=("2 misdeal B2", "2 misdeal-unfounded B2")),
    "rival-false-cante": Said(findings=("7 cante-disproved B1",)),
    "rival-false-cante-shown-before": Said(findings=("7 cante-disproved B1",)),
    "ruling-without-reason": Said(((21, "something-missing"),)),
    "sin-2B-four": Said(((7, "no-dos-out"),)),
    "two-proved-later-denounced": Said(
        findings=("36 follow B1", "42 follow A2"),
        winner="A",
    ),
    "whole-hand-new-edition": Said(),
    "whole-hand-old-edition": Said(),
}
CANTES = {"A": 20, "B": 0}
"""The suit is the true holder's, whichever was known first: the false cante or the cards."""


def lines_of(*words: str) -> tuple[int, list[dict]]:
    """Exit status and lines of a command."""
    done = CliRunner().invoke(main, words, catch_exceptions=False)
    return done.exit_code, [json.loads(line) for line in done.stdout.splitlines()]


def test_each_sample_has_its_row() -> None:
    assert {path.stem for path in SAMPLES.iterdir()} == set(SAID)


@pytest.mark.parametrize("name", SAID)
def test_a_sample_is_checked(name: str) -> None:
    status, lines = lines_of("record", "check", str(SAMPLES / f"{name}.guinote"))
    errors = [(one["error"]["line"], one["error"]["code"]) for one in lines]
    assert (status, tuple(errors)) == (bool(SAID[name].errors), SAID[name].errors)


@pytest.mark.parametrize("name", SAID)
def test_a_sample_is_judged(name: str) -> None:
    status, (line,) = lines_of("referee", str(SAMPLES / f"{name}.guinote"))
    errors = line.get("errors") or line.get("error", {}).get("errors", [])
    found = [" ".join((str(f["line"]), f["rule"], f["seat"])) for f in line.get("findings", [])]
    assert status == bool(SAID[name].errors)
    assert tuple((one["line"], one["code"]) for one in errors) == SAID[name].errors
    assert tuple(found) == SAID[name].findings
    assert line.get("winner") == SAID[name].winner


@pytest.mark.parametrize("name", ["rival-false-cante", "rival-false-cante-shown-before"])
def test_the_true_holder_has_the_suit(name: str) -> None:
    _, (line,) = lines_of("referee", str(SAMPLES / f"{name}.guinote"))
    assert line["cantes"] == CANTES
