"""Every rule has a row: what it rests on, where it is decided, where it is tested."""

from __future__ import annotations

import importlib
import importlib.util
import re
from pathlib import Path

import pytest

from referee.rules.articles import ABOUT, Rule
from referee.rules.options import OPTION_NAMES

ROOT = Path(__file__).resolve().parent.parent
SPEC = importlib.util.spec_from_file_location("rules_page", ROOT / "docs" / "generate_rules.py")
assert SPEC is not None
assert SPEC.loader is not None
GENERATOR = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(GENERATOR)
INFORMING = {"pack", "deal_packets", "direction", "false_cante", "wrong_swap", "vueltas_dealer"}
"""Options on which no verdict rests: how cards look and move, what a ruling may cost (findings name
their article), and one that has a single value."""


def test_the_page_is_up_to_date():
    assert GENERATOR.PAGE.read_text(encoding="utf-8") == GENERATOR.page()


@pytest.mark.parametrize("rule", list(Rule), ids=str)
def test_a_rule_is_described_decided_and_tested(rule):
    assert ABOUT[rule].section in "1234567"
    assert set(ABOUT[rule].options) <= set(OPTION_NAMES)
    assert GENERATOR.used_in(GENERATOR.DECIDING)[rule], "decided nowhere"
    assert GENERATOR.tested_in()[rule], "tested nowhere"


@pytest.mark.parametrize("row", GENERATOR.functions_that_are_rules(), ids=lambda row: str(row[0]))
def test_a_function_that_is_a_rule_exists(row):
    _, module, function = row
    assert callable(getattr(importlib.import_module(module), function))


def test_no_option_is_read_by_nobody():
    code = "\n".join(
        path.read_text(encoding="utf-8")
        for path in (ROOT / "referee").rglob("*.py")
        if path.name not in ("options.py", "articles.py", "profile_checks.py")
    )
    unread = {name for name in OPTION_NAMES if not re.search(rf"\.{name}\b", code)}
    properties = (ROOT / "referee" / "rules" / "options.py").read_text(encoding="utf-8")
    unread = {name for name in unread if f"self.{name}" not in properties}
    assert unread - INFORMING == set()


def test_the_law_has_every_section_that_a_rule_names():
    law = (ROOT / "docs" / "law.md").read_text(encoding="utf-8")
    numbers = re.findall(r"^## (\d)\.", law, flags=re.MULTILINE)
    assert {about.section for about in ABOUT.values()} <= set(numbers)
