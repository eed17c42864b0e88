"""Grammar of names in sentences: articles, prepositions and plural, in each language.

A text asks for a form after the name of a fact: ``{seat:of}`` is *de Ana*, *del jugador 1* or
*d'Ana*, ``{side:n/gana/ganan}`` the first word for one and the second for several. The forms stand
in the family ``grammar`` of the language files; ``static/html/grammar.js`` is the same for scripts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Gender: TypeAlias = Literal["", "m", "f"]
_NEVER_ELIDED = ("huit", "onze")
_ELIDED = re.compile(r"[aeiou]|h(?!$)|y[^aeiou]")
_SAID_AS_I = re.compile(r"h?i(?![aeou])")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A name or a noun in a sentence.

    ``gender``: of a noun, which has an article; empty for a name, which has none. ``is_many``:
    whether its verb is in the plural. ``usual``: its form where a text asks for none.
    """

    text: str
    gender: Gender = ""
    is_many: bool = False
    usual: Literal["the", "alone"] = "the"


def phrase_in_form(phrase: Phrase, form: str, words: Mapping[str, str]) -> str:
    """A phrase in a form: ``alone``, ``the``, ``of``, ``to`` or ``by``.

    ``n/one/several``: the word for one or for several. ``words``: texts of the language.
    """
    if form.startswith("n/"):
        _, one, several = form.split("/")
        return several if phrase.is_many else one
    form = form or phrase.usual
    if not phrase.text or form == "alone" or (form == "the" and not phrase.gender):
        return phrase.text
    is_elided = "_v" if _begins_with_a_vowel(phrase.text) else ""
    pattern = words[f"grammar.{form}_{phrase.gender or 'name'}{is_elided}"]
    return pattern.format(noun=phrase.text)


def conjoin(names: Sequence[str], words: Mapping[str, str]) -> str:
    """Names in a row: commas, and a conjunction before the last."""
    if len(names) < 2:  # noqa: PLR2004 - nothing to join
        return "".join(names)
    last = names[-1]
    key = "grammar.and_i" if _SAID_AS_I.match(_fold_case_and_accents(last)) else "grammar.and"
    return words[key].format(one=", ".join(names[:-1]), other=last)


def capitalise(text: str) -> str:
    """A text with a capital first letter."""
    return text[:1].upper() + text[1:]


def _begins_with_a_vowel(text: str) -> bool:
    plain = _fold_case_and_accents(text)
    return bool(_ELIDED.match(plain)) and not plain.startswith(_NEVER_ELIDED)


def _fold_case_and_accents(text: str) -> str:
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(one for one in parts if not unicodedata.combining(one))
