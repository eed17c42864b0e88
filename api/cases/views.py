"""Cases for reading: with names and texts, rulings and their grounds in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast
from uuid import UUID

import msgspec
from msgspec.structs import asdict

from api.cases.figures import cost_words
from api.encuentros import views
from api.encuentros.views import warnings
from api.encuentros.words import NameOfAct, act_names_in, effect_in_words
from api.http.languages import (
    authority,
    basis_words,
    language,
    option_words,
    say,
    value_words,
)
from api.http.rows import one_row
from api.http.services import current_services
from api.profiles.own.views import profile_name
from projections.cases import projection as case_rows
from projections.cases.views import CaseData, GroundData, RulingData
from projections.views import widen
from referee.events import PersonId, SideName, TextId
from referee.kinds import case_id
from referee.rules.profile.profile import Article, Basis, bases_of_cases

_PERSONS = ("by", "second")


class RulingWordsData(msgspec.Struct, frozen=True):
    """A ruling in words: its effect, and what it rests on."""

    effect: str
    ground: str


class WordedCaseData(CaseData, frozen=True):
    """A case with its names and texts by their ids, and its rulings in words.

    ``figures``: in words, what a card took, of each piece of evidence; empty if it is none of it.
    """

    names: dict[PersonId, str | None]
    texts: dict[TextId, str | None]
    words: dict[str, RulingWordsData]
    figures: list[list[str]]


class CasesData(msgspec.Struct, frozen=True):
    """The cases of an encuentro, and its warnings by side."""

    items: list[WordedCaseData]
    warnings: dict[SideName, list[views.WarningLineData]]


def cases(encuentro_id: UUID) -> CasesData:
    """The cases of an encuentro, and its warnings by side.

    :raises NotFound: there is no such encuentro
    """
    views.encuentro(encuentro_id)
    with current_services().reads.reading() as rows:
        found = case_rows.case_rows(rows, encuentro_id)
    return CasesData(items=[with_texts(one) for one in found], warnings=warnings(encuentro_id))


def case(encuentro_id: UUID, number: int) -> WordedCaseData:
    """A case of an encuentro.

    :raises NotFound: there is none of this number
    """
    key = case_id(encuentro_id, number)
    return with_texts(one_row(lambda rows: case_rows.case_row(rows, key), key))


def with_texts(view: CaseData) -> WordedCaseData:
    """A case with its names and texts, and every ruling in words."""
    persons = current_services().persons
    names = {one: persons.name(one) for one in _ids(view, _PERSONS)}
    texts = {one: persons.text(one) for one in _ids(view, ("text",))}
    ruled, decided = view.ruled, view.decided
    rulings = {
        "ruled": ruled and ruled.verdict,
        "decided": decided and decided.verdict,
        "verdict": view.verdict,
    }
    called = act_names_in(UUID(view.encuentro), view.partida)
    worded = {name: in_words(one, called) for name, one in rulings.items() if one}
    figures = [cost_words(one.cost) if one.cost else [] for one in view.evidence]
    return widen(WordedCaseData, view, names=names, texts=texts, words=worded, figures=figures)


def in_words(ruling: RulingData, called: NameOfAct) -> RulingWordsData:
    """A ruling in the language of the reader: its effect, and what it rests on.

    ``called``: what the acts of the partida are called.
    """
    return RulingWordsData(
        effect=effect_in_words(asdict(ruling), language(), called),
        ground=_ground(ruling.ground, language()),
    )


def _ground(ground: GroundData, lang: str) -> str:
    if ground.kind != "article":
        return say(f"ground.{ground.kind}", lang)
    key = "ground.article" if ground.section else "ground.no_section"
    option, value = ground.option, ground.value
    words = {
        "option": option_words(option, lang),
        "value": value_words(option, tuple(value) if isinstance(value, list) else value, lang),
        "basis": basis_words(
            option, authority(ground.section, ground.basis), _bases_of_cases(ground), lang
        ),
    }
    return say(key, lang, **{**asdict(ground), **words, "profile": profile_name(ground.profile)})


def _bases_of_cases(ground: GroundData) -> Mapping[str, str]:
    basis = cast("Basis", ground.basis)
    return bases_of_cases(Article(ground.profile, ground.section, basis), ground.option)


def _ids(value: Any, fields: tuple[str, ...]) -> Iterator[str]:
    """Ids in these fields, wherever they are."""
    if isinstance(value, list):
        for one in value:
            yield from _ids(one, fields)
    elif isinstance(value, msgspec.Struct):
        yield from _ids(asdict(value), fields)
    elif isinstance(value, dict):
        for name, one in value.items():
            if name in fields and isinstance(one, str) and one:
                yield one
            else:
                yield from _ids(one, fields)
