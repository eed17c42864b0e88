"""Comparison of names: by words, without case and accents."""

from __future__ import annotations

import unicodedata


def words_of(name: str) -> list[str]:
    """Words of a name in the form for comparison.

    >>> words_of("Íñigo de la PEÑA")
    ['inigo', 'de', 'la', 'pena']
    """
    parts = unicodedata.normalize("NFKD", name.casefold())
    return "".join(one for one in parts if not unicodedata.combining(one)).split()
