"""Writes ``docs/rules.md``: every rule, its articles, where it is decided and tested."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

from referee.rules.articles import ABOUT, Rule
from referee.rules.profile import Profile, profiles

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "rules.md"
DECIDING = ("referee", "projections")
DRAWS = {Rule.A_REYES: "a_reyes", Rule.A_LA_MAS_ALTA: "a_la_mas_alta", Rule.POR_PALO: "por_palo"}
DECISIONS = {
    Rule.TRICK_TAKER: ("referee.rules.tricks", "best_index"),
    Rule.LAST_TRICK: ("referee.table.counting", "items_of"),
    Rule.MIN_MALAS: ("referee.rules.partida", "first_deal"),
    Rule.TARGET: ("referee.rules.partida", "first_deal"),
    Rule.BOTH_REACH_TARGET: ("referee.rules.partida", "first_deal"),
    Rule.VUELTAS: ("referee.table.concluding", "concluded"),
    Rule.CLAIM: ("referee.table.judging", "claim_made"),
    Rule.UNCLAIMED: ("referee.rules.partida", "unclaimed"),
    Rule.TUTE: ("referee.table.announcing", "tute_announced"),
    Rule.RENUNCIO: ("referee.table.accusing", "proved_renuncio"),
    Rule.CONCESSION: ("referee.table.judging", "conceded"),
    Rule.ABANDONMENT: ("referee.table.judging", "abandoned"),
    Rule.RULING: ("referee.table.judging", "ruling_given"),
    Rule.COTO: ("referee.rules.cotos", "standing"),
    Rule.MATCH: ("referee.rules.cotos", "standing"),
    Rule.NEXT_DEALER: ("referee.table.concluding", "dealer_of_next_partida"),
    **{rule: ("referee.rules.draw", name) for rule, name in DRAWS.items()},
}
"""Functions that are a rule: nothing in them needs its id."""

HEAD = """# The rules, one by one

Made by `docs/generate_rules.py` (`make pages`); a test fails when it is stale. The id is what
refusals and findings call the rule. *Section* is that of [the law](law.md). *Options* are what it
rests on, and *articles* where the rulebooks state the first of them: heading and basis (stated,
inferred; what a rulebook is silent on follows `club`).

"""


def used_in(folders: tuple[str, ...]) -> dict[Rule, set[str]]:
    """Functions of the product that name a rule, as ``module:function``."""
    found: dict[Rule, set[str]] = defaultdict(set)
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path.name != "articles.py":
                _scan(path, found)
    for rule, (module, function) in DECISIONS.items():
        found[rule].add(f"{module}:{function}")
    return found


def _scan(path: Path, found: dict[Rule, set[str]]) -> None:
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for top in ast.parse(path.read_text(encoding="utf-8")).body:
        name = getattr(top, "name", "")
        for node in ast.walk(top):
            is_rule = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
            if is_rule and node.value.id == "Rule" and node.attr in Rule.__members__:
                found[Rule[node.attr]].add(f"{module}:{name}" if name else module)


def tested_in() -> dict[Rule, set[str]]:
    """Test files that name a rule, by its member or by its id."""
    found: dict[Rule, set[str]] = defaultdict(set)
    files = [*(ROOT / "tests").rglob("test_*.py"), *(ROOT / "tests").rglob("*.guinote")]
    for path in sorted(files):
        text = path.read_text(encoding="utf-8")
        members = set(re.findall(r"\bRule\.([A-Z_0-9]+)", text))
        for rule in Rule:
            function = DECISIONS.get(rule, ("", ""))[1]
            called = bool(function) and re.search(rf"\b{function}\b", text)
            if rule.name in members or f'"{rule.value}"' in text or called:
                found[rule].add(path.name)
    return found


def functions_that_are_rules() -> list[tuple[Rule, str, str]]:
    """Rules that a function decides, with its module and name."""
    return [(rule, module, name) for rule, (module, name) in DECISIONS.items()]


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


def page() -> str:
    """The page as it should be."""
    used, tested, known = used_in(DECIDING), tested_in(), profiles()
    head = "| rule | kind | section | options | articles | decided in | tested in |\n"
    rows = [head, "|---|---|---|---|---|---|---|\n"]
    for rule in Rule:
        about = ABOUT[rule]
        options = ", ".join(f"`{name}`" for name in about.options)
        decided = "<br>".join(f"`{place}`" for place in sorted(used[rule]))
        tests = "<br>".join(sorted(tested[rule]))
        cells = (f"`{rule.value}`", about.kind, about.section, options)
        rows.append(f"| {' | '.join(cells)} | {_articles(rule, known)} | {decided} | {tests} |\n")
    return HEAD + "".join(rows)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
