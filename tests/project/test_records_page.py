"""The generated page of the records of the rules is current, and its commands say what it says."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex

from click.testing import CliRunner

from api.cli.main import main
from tests.support.places import ROOT

GENERATOR = ROOT / "docs" / "generate_records.py"


def test_the_page_of_the_records_is_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("generate_records", GENERATOR)
    assert spec
    assert spec.loader
    generator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generator)
    assert generator.PAGE.read_text(encoding="utf-8") == generator.page()


def test_what_the_page_tells_an_outsider_to_try_gives_two_winners() -> None:
    page = (ROOT / "docs" / "law" / "records.md").read_text(encoding="utf-8")
    told = re.findall(r"(?m)^\$ guinote (referee .*)$", page)
    winners = []
    for command in told:
        arguments = [
            str(ROOT / one) if one.endswith(".guinote") else one for one in shlex.split(command)
        ]
        answer = CliRunner().invoke(main, arguments)
        assert answer.exit_code == 0, answer.output
        winners.append(json.loads(answer.output)["winner"])
    assert winners == ["B", "A"]
