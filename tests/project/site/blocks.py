"""Blocks of code of the pages: what each is, and why one is not run.

A block of shell, Python or a record runs, unless a comment in the line above says why not:
``<!-- not run: REASON -->``. A block of ``text`` is an output or a drawing.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from tests.support.places import ROOT

PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
SHELL = ("sh", "console")
RUN = (*SHELL, "pycon", "python", "guinote", "json")
SHOWN = "text"
_BLOCK = re.compile(
    r"(?ms)(?:^<!-- not run: (?P<reason>[^\n]+) -->\n)?^ *```(?P<kind>[^\n]*)\n(?P<code>.*?)^ *```$"
)


class Block(NamedTuple):
    """A block of a page. ``reason``: why it is not run; empty if it is."""

    page: Path
    kind: str
    code: str
    reason: str

    @property
    def runs(self) -> bool:
        return not self.reason and self.kind != SHOWN


def blocks_of(page: Path) -> list[Block]:
    """The blocks of a page, in their order."""
    found = _BLOCK.finditer(page.read_text(encoding="utf-8"))
    return [Block(page, one["kind"], one["code"], one["reason"] or "") for one in found]


BLOCKS = [block for page in PAGES for block in blocks_of(page)]


def pages_with(*kinds: str) -> list[Path]:
    """Pages with blocks of these kinds that run."""
    return list(dict.fromkeys(one.page for one in BLOCKS if one.runs and one.kind in kinds))


def code_of(page: Path, *kinds: str) -> list[Block]:
    """What runs of a page."""
    return [one for one in blocks_of(page) if one.runs and one.kind in kinds]


class Command(NamedTuple):
    """Commands with what the page says that they print; None if it says nothing."""

    code: str
    printed: str | None


def commands_of(block: Block) -> list[Command]:
    """The commands of a block, one by one if it is a dialogue."""
    if block.kind == "sh":
        return [Command(block.code, None)]
    parts = re.findall(r"(?m)^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.code)
    return [Command(code, printed.strip() or None) for code, printed in parts]


def is_as_printed(said: str, printed: str) -> bool:
    """Whether an output is what a page has, in which ``…`` stands for anything."""
    pattern = ".*".join(re.escape(part) for part in printed.split("…"))
    return re.fullmatch(pattern, said.strip(), re.DOTALL) is not None
