"""Languages: every text that a person reads, in four languages."""

from __future__ import annotations

import json
import string
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any, TypeAlias

from flask import current_app, g, has_request_context, request

from api.http import moments
from api.http.folders import text_files
from referee.rules.cards import CARD, FRENCH_RANKS, PRINTED, SUITS, Pack
from referee.rules.profile.values import Value, print_value

LANGUAGES = ("es", "ca", "en", "fr")
COOKIE = "lang"
_spoken_of: ContextVar[Pack | None] = ContextVar("spoken_of", default=None)
TextTree: TypeAlias = Mapping[str, "str | TextTree"]
"""Texts of a file, by key; keys may be in groups."""


def _flat(tree: TextTree, prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in tree.items():
        if isinstance(value, str):
            flat[prefix + key] = value
        else:
            flat.update(_flat(value, f"{prefix}{key}."))
    return flat


@cache
def texts(lang: str) -> Mapping[str, str]:
    """All texts of a language by their dotted keys, from the files of all rooms."""
    trees = (json.loads(file.read_text("utf-8")) for file in text_files(lang))
    return {key: text for tree in trees for key, text in _flat(tree).items()}


@cache
def _spoken(lang: str, cards: Pack) -> Mapping[str, str]:
    """All texts of a language, with the names of suits and ranks in a pack."""
    words = texts(lang)
    if cards == "spanish":
        return words
    suits = {f"suit.{suit}": words[f"french.suit.{suit}"] for suit in SUITS}
    printed = FRENCH_RANKS[cards].items()
    ranks = {f"rank.{rank}": words[f"french.rank.{shown}"] for rank, shown in printed}
    return {**words, **suits, **ranks}


@contextmanager
def speaking_of(cards: Pack) -> Iterator[None]:
    """Context in which cards have the names of this pack."""
    before = _spoken_of.set(cards)
    try:
        yield
    finally:
        _spoken_of.reset(before)


def pack() -> Pack:
    """Pack of the context, else that of the table of the request, else the Spanish one."""
    if (chosen := _spoken_of.get()) is not None:
        return chosen
    if not has_request_context():
        return "spanish"
    if "pack" not in g:
        g.pack = current_app.extensions["pack"]()
    found: Pack = g.pack
    return found


def texts_of(lang: str, *families: str) -> Mapping[str, str]:
    """Texts of some families only, for the scripts of a page."""
    spoken = _spoken(lang, pack()).items()
    return {key: text for key, text in spoken if key.split(".")[0] in families}


def language() -> str:
    """Language of the answer: from the address, from an earlier choice, or from the browser."""
    if not has_request_context():
        return LANGUAGES[0]
    if "lang" not in g:
        asked = request.args.get("lang", "")
        chosen = asked if asked in LANGUAGES else request.cookies.get(COOKIE, "")
        if chosen not in LANGUAGES:
            chosen = request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0]
        g.lang = chosen
    return str(g.lang)


_OF_A_PACK = ("suit.", "rank.")
UNKNOWN = "\u2013"
_MAY_BE_EMPTY = ("text", "seat", "side")
_WORDS = {name: name for name in ("suit", "incident", "how", "where", "option", "basis")}
"""Facts with values to translate, and the family of their texts."""


class _Facts(string.Formatter):
    """Facts for a text; an unknown one is shown as a dash."""

    def get_value(
        self,
        key: int | str,
        args: Any,
        kwargs: Mapping[str, Any],
    ) -> Any:
        return kwargs.get(str(key), "" if key in _MAY_BE_EMPTY else UNKNOWN)


def card_name(token: str, lang: str, of: Pack | None = None) -> str:
    """A card in words; ``of`` is its pack, if it is not that of the context.

    >>> card_name("3O", "es"), card_name("RC", "fr")
    ('tres de oros', 'roi de copas')
    >>> card_name("SC", "es", "french_queen_sota")
    'dama de corazones'
    """
    words = _spoken(lang, of or pack())
    return words["card.pattern"].format(
        rank=words[f"rank.{token[0]}"], suit=words[f"suit.{token[1]}"]
    )


def spoken(lang: str) -> dict[str, Any]:
    """Functions for templates in a language."""
    return {
        "t": lambda key, **facts: say(key, lang, **facts),
        "card_name": lambda token, of=None: card_name(token, lang, of),
        "printed": lambda token: PRINTED[pack()].get(token[0], token[0]),
        "pack": pack,
    }


def _worded(name: str, value: Any, lang: str) -> Any:
    if name == "text":
        return value
    if name in _WORDS and value:
        return _spoken(lang, pack()).get(f"{_WORDS[name]}.{value}", value)
    if isinstance(value, str):
        return _text_worded(value, lang)
    if isinstance(value, Mapping):
        return "–".join(str(value[side]) for side in sorted(value))  # noqa: RUF001 - as scores are written
    if isinstance(value, (list, tuple, set, frozenset)):
        return ", ".join(str(_worded(name, one, lang)) for one in value)
    return value


def _text_worded(text: str, lang: str) -> str:
    if moments.MOMENT.fullmatch(text):
        return moments.moment_words(text, texts(lang))
    return card_name(text, lang) if text in CARD else text


def say(key: str, lang: str, /, **facts: Any) -> str:
    """A text in a language, its facts filled in and cards put into words."""
    words = _spoken(lang, pack()) if key.startswith(_OF_A_PACK) else texts(lang)
    text = words.get(key) or texts(LANGUAGES[0]).get(key, key)
    if "{" not in text:
        return text
    return _Facts().format(text, **{n: _worded(n, v, lang) for n, v in facts.items()})


def option_words(name: str, lang: str) -> str:
    """An option of a profile, as players say it. ``KeyError``: no such option.

    >>> option_words("overtrump", "es"), option_words("overtrump", "fr")
    ('Pisar el triunfo del contrario', "Surcouper l'adversaire")
    """
    return texts(lang)[f"option.{name}"]


def basis_words(name: str, basis: str, cases: Mapping[str, str], lang: str) -> str:
    """What the value of an option rests on; its cases apart, if they do not all rest on the same.

    >>> cases = {"follow": "stated", "trump": "inferred"}
    >>> basis_words("renuncio_cases", "inferred", cases, "en").partition("; ")[0]
    'not following suit: the rulebook says so'
    """
    several = list(dict.fromkeys(cases.values()))
    if len(several) < 2:  # noqa: PLR2004 - one basis for all
        return say(f"basis.{basis}", lang)
    of_each = [tuple(case for case in cases if cases[case] == one) for one in several]
    return "; ".join(
        say(
            "page.of_cases",
            lang,
            cases=value_words(name, group, lang),
            basis=say(f"basis.{one}", lang),
        )
        for one, group in zip(several, of_each, strict=True)
    )


def value_words(name: str, value: Value | Mapping[int, Value], lang: str) -> str:
    """Value of an option in words; a number as it is; one for each number of players if several.

    ``KeyError``: a choice that the option does not have.

    >>> value_words("undertrump", "forced", "es"), value_words("swap", False, "ca")
    ('obligado a fallar aunque no se pise', 'no')
    >>> value_words("renuncio_cases", ("follow", "talk"), "en")
    'not following suit, talking about the play'
    >>> value_words("cantes_per_side", 0, "fr"), value_words("hand_size", {4: 10, 3: 13}, "es")
    ('sans limite', 'con 4 jugadores: 10; con 3 jugadores: 13')
    """
    words = texts(lang)
    if isinstance(value, Mapping):
        said = words["value.with_players"]
        several = ((players, value_words(name, one, lang)) for players, one in value.items())
        return "; ".join(said.format(players=players, value=one) for players, one in several)
    if isinstance(value, bool):
        return words["value.yes" if value else "value.no"]
    if isinstance(value, tuple):
        return ", ".join(words[f"value.{name}.{one}"] for one in value) or words["value.none"]
    text = print_value(name, value)
    return text if text.isdigit() else words[f"value.{name}.{text}"]
