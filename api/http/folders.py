"""Folders of templates, static files and texts, one for each room."""

from __future__ import annotations

from functools import cache
from pathlib import Path

API = Path(__file__).parents[1]


@cache
def template_folders() -> tuple[Path, ...]:
    """Folders of templates, one for each room."""
    return tuple(sorted(API.glob("*/templates")))


@cache
def static_folders() -> tuple[Path, ...]:
    """Folders in which the static files of the rooms lie: ``static/board/board.css``."""
    return tuple(sorted(API.glob("*/static")))


def text_files(lang: str) -> tuple[Path, ...]:
    """Text files of a language, one for each room."""
    return tuple(sorted(API.glob(f"*/lang/{lang}.json")))


def static_file(name: str) -> Path:
    """Path of a static file by its name, such as ``board/board.css``."""
    return API / name.partition("/")[0] / "static" / name


def template_file(name: str) -> Path:
    """File of a template by its name: ``board/board.html``."""
    return API / name.partition("/")[0] / "templates" / name
