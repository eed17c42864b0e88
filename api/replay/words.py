"""The replay in words: every act, conclusion, finding and correction in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import asdict, replace

from api.encuentros.evidence import verdict_with_sentences
from api.encuentros.words import (
    NameOfAct,
    TextOf,
    act_in_words,
    conclusion_in_words,
    ruling_article_in_words,
)
from api.http.languages import option_words, say, value_words
from projections.facts import FactData
from projections.legality.evidence import (
    ComparisonData,
    OtherVerdictData,
    PartidaOutcomeData,
    VerdictData,
)
from projections.legality.findings import ArticleData
from projections.replay.frames import FrameData
from projections.replay.view import (
    AmendmentData,
    ReplayFactsData,
    ReplayFindingData,
    ReplayViewData,
    StepData,
)
from projections.views import view_as
from referee.events import CardToken, SeatName
from referee.rules.profile.profile import Basis
from referee.table.comparison import EDITION

_QUIET: Final[tuple[Any, ...]] = ({}, [], None, False, "")


class Said(NamedTuple):
    """What the words of a replay need: texts by their ids, and the names of acts by their lines."""

    text: TextOf
    called: NameOfAct


class WordedReplayData(ReplayFactsData, frozen=True):
    """The data of a replay in the language of the reader, without obvious entries."""

    lang: str
    steps: list[WordedStepData]
    verdicts: list[ShortVerdictData]
    findings: list[ShortFindingData]
    amendments: list[WordedAmendmentData]


class WordedStepData(msgspec.Struct, frozen=True, kw_only=True):
    """An act in words, and what it changed on the table.

    ``name``: what people call an act that is no card; ``about``, ``article``: of a ruling;
    ``said``: conclusions that it brought.
    """

    line: int
    kind: str
    seat: SeatName | UnsetType = UNSET
    card: CardToken | UnsetType = UNSET
    text: str
    name: str | UnsetType = UNSET
    about: int | UnsetType = UNSET
    article: str | UnsetType = UNSET
    said: list[str] | UnsetType = UNSET
    set: FrameData


class ShortProofData(msgspec.Struct, frozen=True, kw_only=True):
    """Proof of a verdict, without what is empty."""

    lines: list[int] | UnsetType = UNSET
    cards: list[CardToken] | UnsetType = UNSET


class ShortSeenLaterData(msgspec.Struct, frozen=True, kw_only=True):
    """What a line after the proof of a breach shows besides, without what is empty."""

    line: int
    cards: list[CardToken] | UnsetType = UNSET


class ShortSettlesData(msgspec.Struct, frozen=True, kw_only=True):
    """Cards and tricks that would settle an open verdict, without what is empty."""

    cards: list[CardToken] | UnsetType = UNSET
    tricks: list[int] | UnsetType = UNSET


class ShortSlipData(msgspec.Struct, frozen=True, kw_only=True):
    """A slip of the record that would explain an act, without what is empty."""

    kind: str
    lines: list[int] | UnsetType = UNSET
    cards: list[CardToken] | UnsetType = UNSET
    text: str | UnsetType = UNSET


class ShortArticleData(msgspec.Struct, frozen=True, kw_only=True):
    """The article that a verdict rests on; without a section, where its rulebook has none."""

    profile: str
    option: str
    section: str | UnsetType = UNSET
    basis: Basis


class ShortVerdictData(msgspec.Struct, frozen=True, kw_only=True):
    """An act of a player with its verdict, without what is empty. ``plain``: a breach in short."""

    line: int
    seat: SeatName
    verdict: str
    since: int | UnsetType | None = UNSET
    rule: str | UnsetType = UNSET
    article: ShortArticleData | UnsetType = UNSET
    proof: ShortProofData | UnsetType = UNSET
    by_count: bool | UnsetType = UNSET
    later: ShortSeenLaterData | UnsetType = UNSET
    settles: ShortSettlesData | UnsetType = UNSET
    slip: ShortSlipData | UnsetType = UNSET
    text: str | UnsetType = UNSET
    plain: str | UnsetType = UNSET


class ShortFindingData(msgspec.Struct, frozen=True):
    """A finding in words, with the article that it rests on."""

    line: int
    rule: str
    seat: SeatName
    known_at: int
    article: ArticleData | None
    text: str


class WordedChangeData(msgspec.Struct, frozen=True):
    """Act of a line before and after a correction, in words."""

    line: int
    how: str
    before: str | None
    after: str | None


class WordedAmendmentData(msgspec.Struct, frozen=True):
    """A correction in words. ``name``: what people call it."""

    line: int
    name: str
    text: str
    stands: bool
    changes: list[WordedChangeData]


class WordedOptionData(msgspec.Struct, frozen=True):
    """An option with its value under two profiles, in words."""

    option: str
    title: str
    value: str
    other: str


class WordedComparisonData(msgspec.Struct, frozen=True):
    """Comparison with another profile, in words."""

    profile: str
    options: list[WordedOptionData]
    outcome: PartidaOutcomeData
    other_outcome: PartidaOutcomeData
    outcome_by: list[str]
    acts: list[OtherVerdictData]


def replay_with_words(view: ReplayViewData, lang: str, of: Said) -> WordedReplayData:
    """The data of a replay in the language of the reader, without entries that say nothing.

    A text is None if this reader may not see it.
    """
    return view_as(
        WordedReplayData,
        view,
        lang=lang,
        steps=[_step_with_words(step, lang, of) for step in view.steps],
        verdicts=[
            _verdict_without_empty_fields(verdict_with_sentences(one, lang, of.called), lang)
            for one in view.verdicts
        ],
        findings=[_finding_with_words(one, lang) for one in view.findings],
        amendments=[_amendment_with_words(one, lang, of) for one in view.amendments],
    )


def comparison_with_words(view: ComparisonData, lang: str) -> WordedComparisonData:
    """Comparison with another profile: options with both values, acts with other verdicts."""
    return view_as(
        WordedComparisonData,
        view,
        options=[
            WordedOptionData(
                option=one.option,
                title=option_words(one.option, lang),
                value=_value_in_words(one.option, one.value, lang),
                other=_value_in_words(one.option, one.other, lang),
            )
            for one in view.options
        ],
        outcome=_outcome_with_words(view.outcome, lang),
        other_outcome=_outcome_with_words(view.other_outcome, lang),
        outcome_by=[option_words(name, lang) for name in view.outcome_by],
        acts=[replace(one, by=[option_words(name, lang) for name in one.by]) for one in view.acts],
    )


def _value_in_words(option: str, value: Any, lang: str) -> str:
    if option == EDITION:
        return str(value)
    return value_words(option, tuple(value) if isinstance(value, list) else value, lang)


def _outcome_with_words(outcome: PartidaOutcomeData, lang: str) -> PartidaOutcomeData:
    if outcome.winner is None:
        return replace(outcome, text=say("how.undecided", lang))
    won = {**asdict(outcome), "kind": "partida_won"}
    return replace(outcome, text=conclusion_in_words(won, lang))


def _step_with_words(step: StepData, lang: str, of: Said) -> WordedStepData:
    act = step.act
    kept = {name: act[name] for name in ("kind", "seat", "card") if act.get(name)}
    shown: dict[str, Any] = {
        "line": step.line,
        **kept,
        "text": act_in_words(act, lang, of.text, of.called),
    }
    if act["kind"] != "card":
        shown["name"] = of.called(step.line)
    if act["kind"] == "ruling":
        shown["about"] = act.get("line", 0)
        shown["article"] = ruling_article_in_words(act.get("article", ""), lang)
    if step.said:
        shown["said"] = [conclusion_in_words(one, lang) for one in step.said]
    return WordedStepData(**shown, set=step.set)


def _verdict_without_empty_fields(one: VerdictData, lang: str) -> ShortVerdictData:
    """A verdict without its empty fields."""
    if one.verdict == "lawful":
        return ShortVerdictData(line=one.line, seat=one.seat, verdict=one.verdict, since=one.since)
    values = msgspec.to_builtins(one)
    nested = {k: _drop_empty(v) if isinstance(v, dict) else v for k, v in values.items()}
    plain = say(f"rule.{one.rule}", lang, seat=one.seat) if one.rule else ""
    is_breach = one.verdict == "unlawful" and plain != one.text
    said = {"plain": plain} if is_breach and plain else {}
    return msgspec.convert({**_drop_empty(nested), **said}, ShortVerdictData)


def _drop_empty(value: Mapping[str, object]) -> dict[str, object]:
    return {name: one for name, one in value.items() if one not in _QUIET}


def _finding_with_words(one: ReplayFindingData, lang: str) -> ShortFindingData:
    text = say(f"rule.{one.rule}", lang, **{**one.facts, "seat": one.seat})
    return ShortFindingData(
        line=one.line,
        rule=one.rule,
        seat=one.seat,
        known_at=one.known_at,
        article=one.article,
        text=text,
    )


def _amendment_with_words(one: AmendmentData, lang: str, of: Said) -> WordedAmendmentData:
    def words(act: FactData | None) -> str | None:
        return None if act is None else act_in_words(act, lang, of.text, of.called)

    changes: list[WordedChangeData] = [
        view_as(WordedChangeData, each, before=words(each.before), after=words(each.after))
        for each in one.changes
    ]
    text = (of.text(one.text) if one.text else None) or ""
    return view_as(WordedAmendmentData, one, name=of.called(one.line), text=text, changes=changes)
