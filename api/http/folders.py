"""Folders of templates, static files and texts, one for each room."""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path
from typing import Any, Final

from flask import Flask
from jinja2 import FileSystemLoader, Undefined
from jinja2.utils import missing

API = Path(__file__).parents[1]

OURS: Final = ("api", "projections", "referee")


class MissingValue(Undefined):
    """What a template gets where a value is missing: nothing, as usual.

    That one of our own objects lacks an attribute is a mistake of the template: it is warned of.
    """

    __slots__ = ()

    def __init__(
        self, hint: str | None = None, obj: Any = missing, name: str | None = None, *more: Any
    ) -> None:
        super().__init__(hint, obj, name, *more)
        if type(obj).__module__.partition(".")[0] in OURS:
            warnings.warn(f"{type(obj).__qualname__} has no attribute {name}", stacklevel=2)


def use_templates(app: Flask) -> None:
    """Have an application find the templates of all rooms, and warn of what they ask in vain."""
    app.jinja_loader = FileSystemLoader(template_folders())
    app.jinja_options = {**app.jinja_options, "undefined": MissingValue}


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


def static_file_path(name: str) -> Path:
    """Path of a static file by its name, such as ``board/board.css``."""
    return API / name.partition("/")[0] / "static" / name


def template_file(name: str) -> Path:
    """File of a template by its name: ``board/board.html``."""
    return API / name.partition("/")[0] / "templates" / name
