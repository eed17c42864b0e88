"""``guinote evidence`` and ``guinote compare`` on the samples, as a user runs them."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from api.cli.main import main
from tests.support.places import ROOT
from tests.support.records.samples import sample_lines

TESTS = ROOT / "tests"


def run(*words: str, given: str = "") -> tuple[int, list[dict]]:
    done = CliRunner().invoke(main, words, input=given)
    return done.exit_code, [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def samples() -> tuple[str, ...]:
    return sample_lines()[:6]


def test_lawful_partidas_observed_have_no_unlawful_play(samples):
    code, rows = run("evidence", "--observed", "-", given="\n".join(samples))
    assert code == 0
    plays = [row for row in rows if "verdict" in row and row["rule"] in {"follow", "beat", "trump"}]
    assert plays == []
    verdicts = {row["verdict"] for row in rows if "verdict" in row}
    assert "lawful" in verdicts
    assert len({row["game"] for row in rows}) == 6


def test_a_renuncio_is_reported_with_its_proof():
    code, rows = run("evidence", str(TESTS / "playthroughs" / "club.guinote"))
    wrong = [row for row in rows if row.get("verdict") == "unlawful" and row["proof"]["cards"]]
    assert code == 0
    assert wrong
    assert all(row["since"] in row["proof"]["lines"] or row["by_count"] for row in wrong)


def test_another_profile_says_which_option_changes_what(samples):
    code, rows = run(
        "compare",
        "-",
        "--profile",
        "club",
        "--profile",
        "baraja-francesa",
        given="\n".join(samples),
    )
    assert code == 0
    names = {each["option"] for each in rows[0]["options"]}
    changed = [act for row in rows for act in row["acts"]]
    assert changed
    assert {name for act in changed for name in act["by"]} <= names


def test_the_same_profile_changes_nothing(samples):
    code, rows = run(
        "compare", "-", "--profile", "club", "--profile", "club", given="\n".join(samples)
    )
    assert code == 0
    assert all(row["options"] == row["acts"] == row["outcome_by"] == [] for row in rows)


def test_an_edition_is_compared_with_the_newest_and_named():
    record = str(TESTS / "logs" / "veinte-de-antes-que-habia-que-ensenar.guinote")
    code, (row,) = run("compare", record, "--profile", "club@2026-1", "--profile", "club")
    assert code == 0
    assert row["options"] == [{"option": "edition", "value": "2026-1", "other": "2026-2"}]
    assert (row["outcome"]["totals"]["A"], row["other_outcome"]["totals"]["A"]) == (31, 11)
    assert row["outcome_by"] == ["edition"]


def test_what_cannot_be_compared_says_why(samples):
    words = ("compare", "-", "--profile", "club", "--profile")
    code, rows = run(*words, "sin-mazo", given=samples[0])
    assert code == 1
    assert rows[0]["error"]["code"] == "not_comparable"
    assert "hand_size" in rows[0]["error"]["field"]
    assert run(*words, "nobody")[1][0]["error"]["code"] == "unknown_profile"
    assert CliRunner().invoke(main, ("compare", "-", "--profile", "club")).exit_code == 2


def test_a_bad_line_is_reported_and_the_others_go_on(samples):
    code, rows = run("evidence", "-", given="{}\n" + samples[0])
    assert code == 1
    assert "error" in rows[0]
    assert any("verdict" in row for row in rows)
