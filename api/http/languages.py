"""Texts of the program in four languages, and how facts are put into them."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any, TypeAlias

from flask import current_app, g, has_request_context, request

from api.http import moments
from api.http.folders import text_files
from api.http.grammar import Phrase, capitalise, conjoin, phrase_in_form
from api.http.table_names import current_table_names
from referee.rules.cards import CARD, FRENCH_RANKS, PRINTED, SUITS, Pack
from referee.rules.profile.values import Value, print_value

LANGUAGES = ("es", "ca", "en", "fr")
OF_PROGRAMS = "en"
"""Language of the API for a client that asks for none."""
COOKIE = "lang"
_spoken_of: ContextVar[Pack | None] = ContextVar("spoken_of", default=None)
TextTree: TypeAlias = Mapping[str, "str | TextTree"]
"""Texts of a file, by key; keys may be in groups."""


def _flatten(tree: TextTree, prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in tree.items():
        if isinstance(value, str):
            flat[prefix + key] = value
        else:
            flat.update(_flatten(value, f"{prefix}{key}."))
    return flat


@cache
def texts_of_language(lang: str) -> Mapping[str, str]:
    """All texts of a language by their dotted keys."""
    trees = (json.loads(file.read_text("utf-8")) for file in text_files(lang))
    return {key: text for tree in trees for key, text in _flatten(tree).items()}


@cache
def _texts_for_card_pack(lang: str, cards: Pack) -> Mapping[str, str]:
    """All texts of a language, with the names of suits and ranks in a pack."""
    words = texts_of_language(lang)
    if cards == "spanish":
        return words
    suits = {f"suit.{suit}": words[f"french.suit.{suit}"] for suit in SUITS}
    printed = FRENCH_RANKS[cards].items()
    ranks = {f"rank.{rank}": words[f"french.rank.{shown}"] for rank, shown in printed}
    return {**words, **suits, **ranks}


@contextmanager
def use_card_pack(cards: Pack) -> Iterator[None]:
    """Context in which cards have the names of this pack."""
    before = _spoken_of.set(cards)
    try:
        yield
    finally:
        _spoken_of.reset(before)


def current_card_pack() -> Pack:
    """Pack of cards by which cards are named now.

    Of the context, the table of the request, else Spanish.
    """
    if (chosen := _spoken_of.get()) is not None:
        return chosen
    if not has_request_context():
        return "spanish"
    if "pack" not in g:
        g.pack = current_app.extensions["pack"]()
    found: Pack = g.pack
    return found


def texts_of_families(lang: str, *families: str) -> Mapping[str, str]:
    """Texts of some families only, for the scripts of a page."""
    spoken = _texts_for_card_pack(lang, current_card_pack()).items()
    return {key: text for key, text in spoken if key.split(".")[0] in families}


def language() -> str:
    """Language of the answer: from the address, from an earlier choice, or from the browser.

    Where none is asked for, the API answers in English and a page in Spanish.
    """
    if not has_request_context():
        return LANGUAGES[0]
    if "lang" not in g:
        asked = request.args.get("lang", "")
        chosen = asked if asked in LANGUAGES else request.cookies.get(COOKIE, "")
        if chosen not in LANGUAGES:
            chosen = (
                request.accept_languages.best_match(LANGUAGES) or _language_of_program_or_page()
            )
        g.lang = chosen
    return str(g.lang)


def _language_of_program_or_page() -> str:
    """Default language where a client asks for none of ours.

    English for programs, Spanish for pages.
    """
    is_program = request.path.startswith("/api/v1/") and not request.accept_languages
    return OF_PROGRAMS if is_program else LANGUAGES[0]


_OF_A_PACK = ("suit.", "rank.")
UNKNOWN = "\u2013"
_MAY_BE_EMPTY = ("text", "seat", "side")
_WORDS = {name: name for name in ("suit", "incident", "how", "where", "option", "basis")}
"""Facts with values to translate, and the family of their texts."""


_SEATS = ("seat", "dealer", "by", "against", "due", "turn", "cutter", "taker")
_SIDES = ("side", "sides", "winner")
"""Facts that hold seats and sides, which are named as the table of the text has them."""


_PARTS_OF_SENTENCES = ("called.", "acta.side_of")
_BEGINS = re.compile(r"\{(\w+)(?::(?!n/)[^}]*)?\}")
"""A fact at the beginning of a text, which is then the beginning of a sentence."""


class _Facts(string.Formatter):
    """Facts for a text; an unknown one is shown as a dash."""

    def __init__(self, lang: str) -> None:
        self._words = texts_of_language(lang)

    def format_field(self, value: Any, format_spec: str) -> Any:
        phrase = value if isinstance(value, Phrase) else Phrase(str(value))
        return phrase_in_form(phrase, format_spec, self._words)

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
    >>> card_name("AE", "ca")
    "as d'espases"
    >>> card_name("SC", "es", "french_queen_sota")
    'dama de corazones'
    """
    words = _texts_for_card_pack(lang, of or current_card_pack())
    rank, suit = words[f"rank.{token[0]}"], words[f"suit.{token[1]}"]
    return _Facts(lang).format(words["card.pattern"], rank=rank, suit=suit)


def card_phrase(token: str, lang: str) -> Phrase:
    """A card as a noun in a sentence."""
    words = texts_of_language(lang)
    rank = _texts_for_card_pack(lang, current_card_pack())[f"rank.{token[0]}"]
    is_feminine = rank in words["grammar.feminine"].split()
    return Phrase(card_name(token, lang), "f" if is_feminine else "m", usual="alone")


def join_names(names: Sequence[str], lang: str) -> str:
    """Names in a row, as people say them.

    >>> join_names(["Ana", "Blas", "Inés"], "es"), join_names(["Ana"], "fr")
    ('Ana, Blas e Inés', 'Ana')
    """
    return conjoin(names, texts_of_language(lang))


def player_phrase_of_seat(seat: str, lang: str) -> Phrase:
    """Name of the player at a seat of the current table.

    The code of the seat if there is no table.
    """
    table = current_table_names()
    return (table and table.seat_phrase_or_none(seat, texts_of_language(lang))) or Phrase(seat)


def players_phrase_of_side(side: str, lang: str) -> Phrase:
    """The players of a side, or the name of their pair; its letter if no table is spoken of."""
    table = current_table_names()
    return (table and table.side_phrase_or_none(side, texts_of_language(lang))) or Phrase(side)


def player_name_of_seat(seat: str, lang: str) -> str:
    """Name of the player at a seat, with a capital letter, outside a sentence."""
    return capitalise(
        phrase_in_form(player_phrase_of_seat(seat, lang), "alone", texts_of_language(lang))
    )


def player_names_of_side(side: str, lang: str) -> str:
    """Names of the players of a side, with a capital letter, outside a sentence."""
    return capitalise(
        phrase_in_form(players_phrase_of_side(side, lang), "alone", texts_of_language(lang))
    )


def is_name_of_one_side(side: str, name: str | None) -> bool:
    """Whether this name belongs to one side of the table only, so that it tells the side."""
    table = current_table_names()
    return table is not None and table.find_sides_by_name(name or "") == {side}


def template_functions(lang: str) -> dict[str, Any]:
    """Functions for templates in a language."""
    return {
        "t": lambda key, **facts: say(key, lang, **facts),
        "capital": capitalise,
        "seat_name": lambda seat: player_name_of_seat(seat, lang),
        "side_name": lambda side: player_names_of_side(side, lang),
        "is_alone_of": is_name_of_one_side,
        "card_name": lambda token, of=None: card_name(token, lang, of),
        "printed": lambda token: PRINTED[current_card_pack()].get(token[0], token[0]),
        "pack": current_card_pack,
    }


def _fact_in_words(name: str, value: Any, lang: str) -> Any:
    if name == "text":
        return value
    if name in _WORDS and value:
        return _texts_for_card_pack(lang, current_card_pack()).get(f"{_WORDS[name]}.{value}", value)
    if isinstance(value, str):
        return _phrase_or_text_of_fact(name, value, lang)
    if isinstance(value, Mapping):
        return "\u2013".join(str(value[side]) for side in sorted(value))
    if isinstance(value, (list, tuple, set, frozenset)):
        return ", ".join(_text_of_phrase(_fact_in_words(name, one, lang)) for one in value)
    return value


def _phrase_or_text_of_fact(name: str, value: str, lang: str) -> Any:
    if name in _SEATS:
        return player_phrase_of_seat(value, lang)
    if name in _SIDES:
        return players_phrase_of_side(value, lang)
    if moments.MOMENT.fullmatch(value):
        return moments.moment_words(value, texts_of_language(lang))
    return card_phrase(value, lang) if value in CARD else value


def _text_of_phrase(value: Any) -> str:
    return value.text if isinstance(value, Phrase) else str(value)


def say(key: str, lang: str, /, **facts: Any) -> str:
    """A text in a language, its facts filled in; cards, seats and sides put into words."""
    words = (
        _texts_for_card_pack(lang, current_card_pack())
        if key.startswith(_OF_A_PACK)
        else texts_of_language(lang)
    )
    text = words.get(key) or texts_of_language(LANGUAGES[0]).get(key, key)
    if "{" not in text:
        return text
    worded = {name: _fact_in_words(name, value, lang) for name, value in facts.items()}
    said = re.sub(" {2,}", " ", _Facts(lang).format(text, **worded)).strip(" ")
    first = _BEGINS.match(text)
    is_sentence = first is not None and not key.startswith(_PARTS_OF_SENTENCES)
    is_named = is_sentence and isinstance(worded.get(first[1] if first else ""), Phrase)
    return capitalise(said) if is_named else said


def option_words(name: str, lang: str) -> str:
    """Name of an option of a profile in words. ``KeyError``: no such option.

    >>> option_words("overtrump", "es"), option_words("overtrump", "fr")
    ('Pisar el triunfo del contrario', "Surcouper l'adversaire")
    """
    return texts_of_language(lang)[f"option.{name}"]


def basis_or_own(section: str, basis: str) -> str:
    """Basis of an option's value: ``stated``, ``inferred`` or ``silent`` in a rulebook, or ``own``.

    ``own``: rules that are no text with sections, as those of a club, state it by themselves.

    >>> basis_or_own("Artículo 7", "stated"), basis_or_own("", "stated"), basis_or_own("", "silent")
    ('stated', 'own', 'silent')
    """
    return "own" if basis == "stated" and not section else basis


def basis_words(name: str, basis: str, cases: Mapping[str, str], lang: str) -> str:
    """Basis of an option's value in words, by case if its cases have different ones.

    ``basis``: as ``authority`` names it.

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
    """Value of an option in words, for each number of players if it differs.

    ``KeyError``: a choice that the option does not have.

    >>> value_words("undertrump", "forced", "es"), value_words("swap", False, "ca")
    ('obligado a fallar aunque no se pise', 'no')
    >>> value_words("renuncio_cases", ("follow", "talk"), "en")
    'not following suit, talking about the play'
    >>> value_words("cantes_per_side", 0, "fr"), value_words("hand_size", {4: 10, 3: 13}, "es")
    ('sans limite', 'con 4 jugadores: 10; con 3 jugadores: 13')
    """
    words = texts_of_language(lang)
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
