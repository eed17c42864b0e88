"""An extension of griffe, which reads docstrings: examples of a docstring are blocks of code.

It runs where mkdocs does, apart from the program.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"(?m)^>>> (?:.+\n?)+")
"""Lines of an example up to an empty one."""


class FencedExamples(griffe.Extension):
    """Puts the examples of each docstring into a block."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of what was just read."""
        if obj.docstring:
            fenced = _EXAMPLE.sub(
                lambda it: f"```pycon\n{it[0].rstrip()}\n```\n", obj.docstring.value
            )
            obj.docstring.value = fenced
