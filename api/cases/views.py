"""Cases for reading: with names and texts, rulings and their grounds in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast
from uuid import UUID

import msgspec
from msgspec.structs import asdict

from api.encuentros import views
from api.encuentros.views import encuentro_warnings_by_side
from api.encuentros.words import (
    NameOfAct,
    act_namer_of_partida,
    effect_in_words,
    namer_of_stored_acts,
)
from api.http.languages import basis_or_own, basis_words, language, option_words, say, value_words
from api.http.rows import await_row_or_not_found
from api.http.services import current_services
from api.profiles.own.views import profile_name
from projections.cases import projection as case_rows
from projections.cases.views import CaseData, GroundData, RenuncioCostData, RulingData
from projections.views import view_as
from referee.aggregates.partida import Partida
from referee.analysis.claims import ClaimsData, ReachData, RestData
from referee.events import PersonId, SideName, TextId
from referee.kinds import case_id
from referee.rules.profile.profile import Article, Basis, basis_by_option_member
from referee.rules.seats import side_of


def renuncio_cost_in_words(cost: RenuncioCostData) -> list[str]:
    """What a card took, in sentences."""
    lang, side = language(), side_of(cost.seat)
    amounts = [
        _more_or_fewer_points_words(points, lang)
        for points in dict.fromkeys((cost.most, cost.least))
    ]
    if cost.tried == 1:
        return [
            say("case.cost.exact", lang, side=side, amount=amounts[0]),
            say(f"case.cost.turned_{cost.turned}", lang),
        ]
    key = "case.cost.range" if len(amounts) > 1 else "case.cost.always"
    drawn = "all" if cost.seed is None else "drawn"
    words = [
        say(f"case.cost.{drawn}", lang, tried=cost.tried, seed=cost.seed or 0),
        say(key, lang, side=side, amount=amounts[0], other=amounts[-1]),
    ]
    if cost.ways < cost.tried:
        words.insert(1, say("case.cost.breach", lang, ways=cost.ways))
    if len(amounts) > 1:
        same = cost.ways - cost.more - cost.less
        words.append(say("case.cost.split", lang, more=cost.more, less=cost.less, same=same))
    return [*words, say(f"case.cost.turned_{cost.turned}", lang)]


def _more_or_fewer_points_words(cost: int, lang: str) -> str:
    """In words, how many points fewer a card took; how many more if the cost is negative."""
    name = "more" if cost < 0 else "less" if cost else "same"
    return say(f"case.cost.{name}_1" if abs(cost) == 1 else f"case.cost.{name}", lang, n=abs(cost))


class StillReachData(ReachData, frozen=True):
    """A claim or a concession, judged; ``text``: in the reader's language."""

    text: list[str]


class ClaimOfRestData(RestData, frozen=True):
    """A claim of the rest, judged; ``text``: in the reader's language."""

    text: str


class WordedClaimsData(msgspec.Struct, frozen=True):
    """Claims of the target and concessions, and claims of the rest, in words."""

    reaches: list[StillReachData]
    rests: list[ClaimOfRestData]


def add_words_to_claims(state: Partida, found: ClaimsData, lang: str = "") -> WordedClaimsData:
    """Judged claims of a partida with their words, in the request's language if none is said."""
    lang = lang or language()
    return WordedClaimsData(
        reaches=[
            view_as(StillReachData, one, text=_target_claim_words(state, one, lang))
            for one in found.reaches
        ],
        rests=[
            view_as(ClaimOfRestData, one, text=_rest_claim_words(one, lang)) for one in found.rests
        ],
    )


def _target_claim_words(state: Partida, one: ReachData, lang: str) -> list[str]:
    """Sentences on a claim or a concession.

    Whether the target could still be reached, or since when it was.
    """
    facts = {
        "side": one.side,
        "target": state.table_at_start.options.target,
        "total": one.total or 0,
        "most": one.most or 0,
    }
    if one.since is not None:
        called = act_namer_of_partida(state, lang)(one.since)
        return [say("case.reach.since", lang, **facts, act=called, cards=one.cards)]
    kind = "exact" if one.is_exact else "sum"
    key = "unknown" if one.most is None else f"{one.answer}_{kind}"
    words = [say(f"case.reach.{key}", lang, **facts)]
    return [*words, say("case.cost.no_analysis", lang)] if one.not_known else words


def _rest_claim_words(one: RestData, lang: str) -> str:
    group = "cost" if one.answer in ("on_request", "no_analysis") else "rest"
    return say(f"case.{group}.{one.answer}", lang, seat=one.seat, ways=one.ways)


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


def cases_of_encuentro(encuentro_id: UUID) -> CasesData:
    """The cases of an encuentro, and its warnings by side.

    :raises NotFound: there is no such encuentro
    """
    views.official_encuentro_view(encuentro_id)
    with current_services().reads.reading() as rows:
        found = case_rows.find_case_views(rows, encuentro_id)
    return CasesData(
        items=[with_texts(one) for one in found], warnings=encuentro_warnings_by_side(encuentro_id)
    )


def case(encuentro_id: UUID, number: int) -> WordedCaseData:
    """A case of an encuentro.

    :raises NotFound: there is none of this number
    """
    key = case_id(encuentro_id, number)
    return with_texts(await_row_or_not_found(lambda rows: case_rows.find_case_view(rows, key), key))


def with_texts(view: CaseData) -> WordedCaseData:
    """A case with its names and texts, and every ruling in words."""
    persons = current_services().persons
    names = {one: persons.name(one) for one in _ids_in_fields(view, _PERSONS)}
    texts = {one: persons.text_by_id(one) for one in _ids_in_fields(view, ("text",))}
    ruled, decided = view.ruled, view.decided
    rulings = {
        "ruled": ruled and ruled.verdict,
        "decided": decided and decided.verdict,
        "verdict": view.verdict,
    }
    called = namer_of_stored_acts(UUID(view.encuentro), view.partida)
    worded = {name: effect_and_ground_in_words(one, called) for name, one in rulings.items() if one}
    figures = [renuncio_cost_in_words(one.cost) if one.cost else [] for one in view.evidence]
    return view_as(WordedCaseData, view, names=names, texts=texts, words=worded, figures=figures)


def effect_and_ground_in_words(ruling: RulingData, called: NameOfAct) -> RulingWordsData:
    """A ruling in the language of the reader: its effect, and what it rests on.

    ``called``: what the acts of the partida are called.
    """
    return RulingWordsData(
        effect=effect_in_words(asdict(ruling), language(), called),
        ground=_ground_words(ruling.ground, language()),
    )


def _ground_words(ground: GroundData, lang: str) -> str:
    if ground.kind != "article":
        return say(f"ground.{ground.kind}", lang)
    key = "ground.article" if ground.section else "ground.no_section"
    option, value = ground.option, ground.value
    words = {
        "option": option_words(option, lang),
        "value": value_words(option, tuple(value) if isinstance(value, list) else value, lang),
        "basis": basis_words(
            option, basis_or_own(ground.section, ground.basis), _bases_of_values(ground), lang
        ),
    }
    return say(key, lang, **{**asdict(ground), **words, "profile": profile_name(ground.profile)})


def _bases_of_values(ground: GroundData) -> Mapping[str, str]:
    basis = cast("Basis", ground.basis)
    return basis_by_option_member(Article(ground.profile, ground.section, basis), ground.option)


def _ids_in_fields(value: Any, fields: tuple[str, ...]) -> Iterator[str]:
    """Ids found in fields with these names, at any depth of a view."""
    if isinstance(value, list):
        for one in value:
            yield from _ids_in_fields(one, fields)
    elif isinstance(value, msgspec.Struct):
        yield from _ids_in_fields(asdict(value), fields)
    elif isinstance(value, dict):
        for name, one in value.items():
            if name in fields and isinstance(one, str) and one:
                yield one
            else:
                yield from _ids_in_fields(one, fields)
