"""Every rule has a row: what it rests on, where it is decided, where it is tested."""

from __future__ import annotations

import importlib.util
import re

import pytest

from referee.rules.articles import ABOUT, Rule
from referee.rules.profile.options import OPTION_NAMES
from tests.support.places import ROOT

SPEC = importlib.util.spec_from_file_location("rules_page", ROOT / "docs" / "generate_rules.py")
assert SPEC is not None
assert SPEC.loader is not None
GENERATOR = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(GENERATOR)


def test_the_page_is_up_to_date():
    assert GENERATOR.PAGE.read_text(encoding="utf-8") == GENERATOR.page()


@pytest.mark.parametrize("rule", list(Rule), ids=str)
def test_a_rule_is_described_decided_and_tested(rule):
    assert ABOUT[rule].section in "1234567"
    assert {*ABOUT[rule].options, ABOUT[rule].cost or "players"} <= set(OPTION_NAMES)
    assert GENERATOR.used_in(GENERATOR.DECIDING)[rule], "decided nowhere"
    assert GENERATOR.tested_in()[rule], "tested nowhere"


def test_every_option_is_read_somewhere():
    """An option is read as an attribute, or named as the cost of a rule."""
    files = [p for top in ("referee", "projections", "api") for p in (ROOT / top).rglob("*.py")]
    code = "\n".join(
        path.read_text(encoding="utf-8")
        for path in files
        if path.name not in ("articles.py", "profile_checks.py")
    )
    read = set(re.findall(r"\b(?:options|self)\.(\w+)", code))
    read |= {about.cost for about in ABOUT.values()}
    assert set(OPTION_NAMES) - read == set()


def test_the_law_has_every_section_that_a_rule_names():
    law = (ROOT / "docs" / "law" / "law.md").read_text(encoding="utf-8")
    numbers = re.findall(r"^## (\d)\.", law, flags=re.MULTILINE)
    assert {about.section for about in ABOUT.values()} <= set(numbers)
