"""Names of persons: compared by words, without case and accents; shortened."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_LETTERS: Final = re.compile(r"[^\W\d_]+")


def words_of_folded_name(name: str) -> list[str]:
    """Words of a name, folded for comparison: lower case, without accents.

    >>> words_of_folded_name("Íñigo de la PEÑA")
    ['inigo', 'de', 'la', 'pena']
    """
    parts = unicodedata.normalize("NFKD", name.casefold())
    return "".join(one for one in parts if not unicodedata.combining(one)).split()


def fold_name(text: str) -> str:
    """A name folded for comparison: lower case, without accents, single spaces.

    >>> fold_name("  Íñigo  de la PEÑA ")
    'inigo de la pena'
    """
    return " ".join(words_of_folded_name(text))


def words_of_folded_text(text: str) -> tuple[str, ...]:
    """Words of any text folded for comparison, without digits and punctuation.

    >>> words_of_folded_text("«Íñigo-7» y la PEÑA…")
    ('inigo', 'y', 'la', 'pena')
    """
    return tuple(_LETTERS.findall(" ".join(words_of_folded_name(text))))


def are_name_words_in_text(name: tuple[str, ...], text: tuple[str, ...]) -> bool:
    """Whether the words of a name follow each other in those of a text.

    >>> are_name_words_in_text(("ana", "ruiz"), ("que", "ana", "ruiz"))
    True
    >>> are_name_words_in_text(("ana",), ("analia",))
    False
    """
    size = len(name)
    return any(text[at : at + size] == name for at in range(len(text) - size + 1 if size else 0))


def brief_name(name: str, kept: int = 0) -> str:
    """Short form of a name: first name and initial; unchanged up to ``kept`` characters.

    >>> brief_name("Juan Antonio Lahoz Marín"), brief_name("Ana Ruiz"), brief_name("Blas")
    ('Juan M.', 'Ana R.', 'Blas')
    >>> brief_name("Ana Ruiz", kept=11)
    'Ana Ruiz'
    """
    words = name.split()
    return f"{words[0]} {words[-1][0]}." if words[1:] and len(name) > kept else name


def initials(name: str) -> str:
    """The first letters of the first and the last word of a name.

    >>> initials("Juan Antonio Lahoz"), initials("íñigo"), initials("")
    ('JL', 'Í', '')
    """
    words = name.split()
    return "".join(word[0] for word in (*words[:1], *words[1:][-1:])).upper()
