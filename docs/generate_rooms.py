"""Table of the rooms in ``docs/developing/architecture.md``, counted from the tree.

``python docs/generate_rooms.py`` writes it between two marks of that page.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "developing" / "architecture.md"
TOPS = ("referee", "projections", "api")
BEGIN, END = "<!-- rooms: written by docs/generate_rooms.py -->", "<!-- end of rooms -->"


def rooms() -> Iterator[Path]:
    """Every package of the program."""
    for top in TOPS:
        yield from sorted(init.parent for init in (ROOT / top).rglob("__init__.py"))


def modules(room: Path) -> int:
    """Modules of a package itself, without those of the packages inside it."""
    return sum(path.name != "__init__.py" for path in room.glob("*.py"))


def purpose(room: Path) -> str:
    """First line of the docstring of a package."""
    tree = ast.parse((room / "__init__.py").read_text(encoding="utf-8"))
    return (ast.get_docstring(tree) or "").split("\n")[0]


def table() -> str:
    """The rooms as a table, with their marks."""
    rows = [
        f"| `{room.relative_to(ROOT).as_posix()}/` | {modules(room)} | {purpose(room)} |"
        for room in rooms()
    ]
    head = ["| room | modules | what is in it |", "|---|---|---|"]
    return "\n".join([BEGIN, "", *head, *rows, "", END])


def page() -> str:
    """The page as it is, with the table as the tree is."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    return before + table() + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
