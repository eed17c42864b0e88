"""Enumerations of texts whose members show themselves as a program writes them."""

from __future__ import annotations

from enum import StrEnum


class NamedText(StrEnum):
    """A text with a name of its own; ``repr`` is the expression: ``Suit.OROS``."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"
