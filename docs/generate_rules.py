"""Writes ``docs/law/rules.md``: every rule, its articles, where it is decided and tested."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

from referee.rules.articles import ABOUT, Rule
from referee.rules.profile.profile import Profile, profiles

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "law" / "rules.md"
DECIDING = ("referee", "projections")
HEAD = """# The rules, one by one

Made by `docs/generate_rules.py` (`make pages`); a test fails when it is stale. The id is what
refusals and findings call the rule. *Section* is that of [the law](law.md). *Options* are what it
rests on, each a link to [a record](records.md) in which it decides, *cost* the one that says what a
breach costs, and *articles* where the rulebooks state the first of them: heading and basis (stated,
inferred; what a rulebook is silent on follows `club`).

"""


@cache
def used_in(folders: tuple[str, ...]) -> dict[Rule, set[str]]:
    """Functions of the product that name a rule, as ``module:function``."""
    found: dict[Rule, set[str]] = defaultdict(set)
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path.name != "articles.py":
                _scan(path, found)
    return found


def _scan(path: Path, found: dict[Rule, set[str]]) -> None:
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for top in ast.parse(path.read_text(encoding="utf-8")).body:
        name = getattr(top, "name", "")
        for node in ast.walk(top):
            is_rule = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
            if is_rule and node.value.id == "Rule" and node.attr in Rule.__members__:
                found[Rule[node.attr]].add(f"{module}:{name}" if name else module)


@cache
def tested_in() -> dict[Rule, set[str]]:
    """Tests that name a rule by its member.

    The bare id of a rule is not enough: many are everyday words.
    """
    found: dict[Rule, set[str]] = defaultdict(set)
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        members = set(re.findall(r"\bRule\.([A-Z_0-9]+)", text))
        for rule in Rule:
            if rule.name in members:
                found[rule].add(path.relative_to(ROOT / "tests").as_posix())
    return found


def _articles(rule: Rule, known: tuple[Profile, ...]) -> str:
    options = ABOUT[rule].options
    if not options:
        return "common ground"
    cells = []
    for one in known:
        article = one.article(options[0])
        if article.basis != "silent" and article.section:
            cells.append(f"{one.id}: {article.section} [{article.basis}]")
    return "; ".join(cells) or "club"


def _record(option: str) -> str:
    """An option, as a link to the record that it decides."""
    return f"[`{option}`](records/{option}.guinote)"


def page() -> str:
    """The page as it should be."""
    used, tested, known = used_in(DECIDING), tested_in(), profiles()
    head = "| rule | kind | section | options | articles | decided in | tested in |\n"
    rows = [head, "|---|---|---|---|---|---|---|\n"]
    for rule in Rule:
        about = ABOUT[rule]
        options = ", ".join(_record(name) for name in about.options)
        if about.cost:
            options += f"{'; ' * bool(options)}cost: {_record(about.cost)}"
        decided = "<br>".join(f"`{place}`" for place in sorted(used[rule]))
        tests = "<br>".join(sorted(tested[rule]))
        cells = (f"`{rule.value}`", about.kind, about.section, options)
        rows.append(f"| {' | '.join(cells)} | {_articles(rule, known)} | {decided} | {tests} |\n")
    return HEAD + "".join(rows)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
