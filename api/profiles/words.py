"""Profiles in words: each option with its value, article and basis, for an answer or a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar, cast

import msgspec

from api.http.languages import basis_or_own, basis_words, option_words, value_words
from referee.events import FrozenProfile, article_of_option
from referee.rules.profile.checks import SETS
from referee.rules.profile.options import OPTION_NAMES
from referee.rules.profile.profile import (
    PROFILE_IDS,
    Profile,
    basis_by_option_member,
    different_options,
    profile,
)
from referee.rules.profile.values import Article, Basis, Value, plain_value

_BEGINS = {
    "players": "table",
    "hand_size": "deal",
    "duties_from": "duties",
    "swap": "swap",
    "cante_window": "cantes",
    "last_trick_points": "score",
    "claim_in": "vueltas",
    "renuncio_cases": "breaches",
    "match_format": "match",
}


def _group_by_option() -> dict[str, str]:
    """Group of each option: options of a group follow each other."""
    found, group = {}, ""
    for name in OPTION_NAMES:
        group = _BEGINS.get(name, group)
        found[name] = group
    return found


GROUP_OF: Mapping[str, str] = _group_by_option()


class OptionArticleData(msgspec.Struct, frozen=True):
    """Where the value of an option comes from; ``cases``: what each case of a set rests on."""

    profile: str
    section: str
    basis: str
    basis_text: str
    cases: dict[str, str]


class OptionTitleData(msgspec.Struct, frozen=True):
    """An option and its title in words."""

    option: str
    title: str


class OptionData(OptionTitleData, frozen=True):
    """An option of a profile: its value, its article, other values that the rulebook states."""

    value_text: str
    article: OptionArticleData
    alternatives: list[str]


class OptionDifferenceData(OptionTitleData, frozen=True):
    """An option in which two profiles differ: the value and the article of each."""

    value: PlainValue
    value_text: str
    article: OptionArticleData
    other: PlainValue
    other_text: str
    other_article: OptionArticleData


PlainValue: TypeAlias = str | int | bool | list[str]
OptionT = TypeVar("OptionT", bound=OptionTitleData)


def group_option_rows(rows: Iterable[OptionT]) -> dict[str, list[OptionT]]:
    """Rows of options under the names of their groups."""
    found: dict[str, list[OptionT]] = {}
    for row in rows:
        found.setdefault(GROUP_OF[row.option], []).append(row)
    return found


def _value_for(one: Profile, name: str, players: int) -> Value | tuple[int, ...]:
    """Value for a number of players; for players and decks all that the profile allows."""
    allowed = {"players": one.players, "deck": one.decks}
    return allowed[name] if name in SETS else one.option_entry(name, players).value


def _say_value(name: str, value: Any, lang: str) -> str:
    if name in SETS and isinstance(value, tuple):
        return ", ".join(str(number) for number in value)
    return value_words(name, value, lang)


def _article_data(name: str, found: Article, value: Any, lang: str) -> OptionArticleData:
    """The article of an option in words."""
    return OptionArticleData(
        profile=found.profile,
        section=found.section,
        basis=found.basis,
        basis_text=basis_words(name, basis_or_own(found.section, found.basis), found.cases, lang),
        cases=basis_by_set_member(found, value),
    )


def basis_by_set_member(found: Article, value: Any) -> dict[str, str]:
    """The basis of each member of a value that is a set; empty for any other value."""
    if not isinstance(value, tuple) or not all(isinstance(case, str) for case in value):
        return {}
    return {case: found.cases.get(case, found.basis) for case in value}


def option_differences(
    one: Profile, other: Profile, players: int, lang: str
) -> list[OptionDifferenceData]:
    """Options in which two profiles differ for so many players, both values in words.

    :raises BadProfile: one of them is not for so many
    """
    rows: list[OptionDifferenceData] = []
    for name in different_options(one, other, players):
        value, second = _value_for(one, name, players), _value_for(other, name, players)
        row = OptionDifferenceData(
            option=name,
            title=option_words(name, lang),
            value=plain_value(value),  # type: ignore[arg-type] # allowed decks are a list as well
            value_text=_say_value(name, value, lang),
            article=_article_data(name, one.article(name, players), value, lang),
            other=plain_value(second),  # type: ignore[arg-type] # as above
            other_text=_say_value(name, second, lang),
            other_article=_article_data(name, other.article(name, players), second, lang),
        )
        rows.append(row)
    return rows


def option_rows(one: Profile, players: int, lang: str) -> list[OptionData]:
    """Every option of a profile for so many players, with the other values its rulebook states."""
    return [
        OptionData(
            option=name,
            title=option_words(name, lang),
            value_text=_say_value(name, _value_for(one, name, players), lang),
            article=_article_data(
                name, one.article(name, players), _value_for(one, name, players), lang
            ),
            alternatives=[_say_value(name, v, lang) for v in one.alternatives.get(name, ())],
        )
        for name in OPTION_NAMES
        if name in one.entries
    ]


def frozen_option_rows(frozen: FrozenProfile, lang: str) -> list[OptionData]:
    """Every option of the profile of an encuentro, as it was when the encuentro was opened."""
    rows: list[OptionData] = []
    for name in OPTION_NAMES:
        article = article_of_option(frozen, name)
        if article is None:
            continue
        held = frozen.options[name]
        value = tuple(held) if isinstance(held, list) else held
        found = Article(article["profile"], article["section"], cast("Basis", article["basis"]))
        found = replace(found, cases=basis_by_option_member(found, name))
        row = OptionData(
            option=name,
            title=option_words(name, lang),
            value_text=_say_value(name, value, lang),
            article=_article_data(name, found, value, lang),
            alternatives=[],
        )
        rows.append(row)
    return rows


def language_of_rulebook(profile_id: str) -> str:
    """Language of the headings of a rulebook; empty if there is no rulebook."""
    return profile(profile_id).language if profile_id in PROFILE_IDS else ""
