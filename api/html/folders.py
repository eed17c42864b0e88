"""Folders of templates: each room keeps those of its pages beside it, under its own name."""

from __future__ import annotations

from functools import cache
from pathlib import Path

API = Path(__file__).parents[1]


@cache
def template_folders() -> tuple[Path, ...]:
    """Folders in which templates are looked up, one a room."""
    return tuple(sorted(API.glob("*/templates")))


def template_file(name: str) -> Path:
    """File of a template by its name: ``board/board.html``."""
    return API / name.partition("/")[0] / "templates" / name
