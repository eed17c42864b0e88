"""Rules that the code of a folder names, from its syntax trees."""

from __future__ import annotations

import ast
from pathlib import Path

from referee.rules.articles import ABOUT, Rule, RuleKind


def rules_named_in(folder: str, kind: RuleKind) -> set[Rule]:
    """Rules of a kind that the modules of a folder name as ``Rule.X``."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in Path(folder).rglob("*.py"))
    named = {
        Rule[node.attr]
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "Rule"
    }
    return {rule for rule in named if ABOUT[rule].kind == kind}
