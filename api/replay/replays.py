"""The data of a replay for a reader: of a stored partida, or of a text record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from uuid import UUID

import msgspec
from flask import g
from msgspec import UNSET, UnsetType

from api.audit import rest as audit_rest
from api.cases import views as case_views
from api.cases.figures import claims_in_words
from api.encuentros import views
from api.encuentros.views import table_names
from api.encuentros.words import TextOf, act_names
from api.http.access import guard
from api.http.faults import FieldFault
from api.http.languages import language, option_words, say, seat_phrase, side_phrase, speaking_of
from api.http.problems import Problem
from api.http.renuncios import renuncio_in_words
from api.http.services import current_services
from api.http.table_names import TableNames, at_table
from api.replay.words import (
    Said,
    WordedComparisonData,
    WordedReplayData,
    comparison_in_words,
    with_words,
)
from projections.legality.evidence import ComparisonData, comparison_view, deciding_renuncio
from projections.legality.findings import ArticleData, article_of
from projections.replay.frames import state_at
from projections.replay.view import comparable_profiles, partida_of_seat, replay_view, under_profile
from projections.views import widen
from referee.aggregates.encuentro import frozen_profile
from referee.aggregates.partida import Partida
from referee.analysis.claims import MOST_WAYS_OF_CLAIM, claims_of
from referee.analysis.deals import ArrastreCard, CannotAnalyse, NotKnown, arrastre_of
from referee.errors import NotFound
from referee.events import FrozenProfile, OptionValue, RulingGiven, SideName, options_from
from referee.kinds import partida_id
from referee.rules.articles import Rule
from referee.rules.cards import SUITS, TOKENS, Pack
from referee.rules.profile.options import values_of
from referee.rules.profile.profile import Profile, UnknownProfile, profile, profiles
from referee.rules.seats import SEATS, Seat, Side, side_of
from referee.table.comparison import NotComparable
from referee.table.state import Deal, Line, Table


class PlayedKnownData(msgspec.Struct, frozen=True, kw_only=True):
    """A card of an arrastre, and what else the position before it needs; what is left out is as
    before the last card.

    ``sung``: suits that are sung. ``winners``: sides that have won a trick. ``made``: points of
    each side in the deal, its cantes with them.
    """

    line: Line
    seat: Seat
    card: str
    sung: list[str] | UnsetType = UNSET
    winners: list[Side] | UnsetType = UNSET
    made: dict[Side, int] | UnsetType = UNSET


class ArrastreData(msgspec.Struct, frozen=True, kw_only=True):
    """The arrastre of a deal, or why it cannot be analysed. ``hands``: as it begins."""

    deal: int
    not_known: NotKnown | UnsetType = UNSET
    trump: str | UnsetType = UNSET
    hands: dict[Seat, list[str]] | UnsetType = UNSET
    cards: list[PlayedKnownData] | UnsetType = UNSET


class ArrastresData(msgspec.Struct, frozen=True):
    """The arrastres of a partida, and the options by which they were played."""

    options: dict[str, OptionValue]
    deals: list[ArrastreData]


def arrastres_of(table: Table) -> ArrastresData:
    """Every arrastre of a partida. It has all hands in it: only for whoever may know them."""
    return ArrastresData(
        options=values_of(table.options),
        deals=[_arrastre(table, deal) for deal in table.all_deals],
    )


def _arrastre(table: Table, deal: Deal) -> ArrastreData:
    try:
        cards = arrastre_of(table, deal)
    except CannotAnalyse as cannot:
        return ArrastreData(deal=deal.number, not_known=cannot.reason)
    first = cards[0].before.data()
    return ArrastreData(
        deal=deal.number,
        trump=SUITS[deal.trump],
        hands=first.hands,
        cards=[_card(None, cards[0]), *(_card(*two) for two in pairwise(cards))],
    )


def _card(last: ArrastreCard | None, one: ArrastreCard) -> PlayedKnownData:
    """A card with what is not as it was before the last one."""
    before, then = one.before, last and last.before
    return PlayedKnownData(
        line=one.line,
        seat=before.seat,
        card=TOKENS[one.card],
        sung=UNSET if then and before.sung == then.sung else before.data().sung,
        winners=UNSET if then and before.winners == then.winners else sorted(before.winners),
        made=UNSET if last and one.made == last.made else one.made,
    )


def _no_words(text: str) -> str | None:
    del text
    return None


class ReplayCaseData(msgspec.Struct, frozen=True):
    """A case about a partida, in words."""

    number: int
    lines: list[int]
    stage: str
    because: str
    words: dict[str, case_views.RulingWordsData]


class PhraseData(msgspec.Struct, frozen=True, rename={"is_many": "isMany"}):
    """A name or a noun in a sentence, as the scripts of pages take it."""

    text: str
    gender: str
    is_many: bool


class JudgedClaimData(msgspec.Struct, frozen=True):
    """A claim or a concession, judged, in sentences."""

    line: int
    text: list[str]


class LostByRenuncioData(msgspec.Struct, frozen=True):
    """The renuncio that decided a partida, in a sentence, and the article that it rests on."""

    line: int
    text: str
    article: ArticleData | None


class ReplayData(WordedReplayData, frozen=True):
    """The data of a replay with names, cases and texts.

    ``pairs``: names of pairs by side; ``people``: its seats and sides in words. ``arrastres``: None
    until the partida is decided, and for the view from a seat; until then no claim is ``judged``.
    """

    names: dict[Seat, str]
    pairs: dict[SideName, str]
    people: dict[str, PhraseData]
    date: str
    lines: int
    seat: Seat
    pack: Pack
    own_profile: str
    others: list[str]
    compared: WordedComparisonData | None
    cases: list[ReplayCaseData]
    renuncio: LostByRenuncioData | None
    arrastres: ArrastresData | None
    judged: list[JudgedClaimData]


@dataclass(frozen=True, slots=True)
class ReplaySource:
    """A partida with the players and texts of its replay.

    ``is_settled``: as it stands now it is decided, whatever it was when it stood like this.
    """

    state: Partida
    profile: FrozenProfile
    seated: TableNames = field(default_factory=TableNames)
    date: str = ""
    text_of: TextOf = _no_words
    cases: Sequence[ReplayCaseData] = ()
    lines: int = 0
    is_settled: bool = True


@dataclass(frozen=True, slots=True)
class ReplayRequest:
    """Options of a replay: seat, other profile, language.

    The default is the language of the request.
    """

    seat: Seat = ""
    profile: str = ""
    lang: str = ""


def is_decided(encuentro_id: UUID, n: int) -> bool:
    """Whether a partida is public, because it is decided."""
    try:
        state = current_services().referee.encuentros.partida(partida_id(encuentro_id, n))
    except NotFound:
        return False
    return state.table.decided is not None


def source_of(
    encuentro_id: UUID, n: int, line: int | None = None, *, for_all: bool = False
) -> ReplaySource:
    """A stored partida as far as this reader may see it; ``for_all``: as far as everybody may.

    :raises NotFound: no such partida, or no such line in it
    """
    here = current_services()
    state = views.table_at_line(encuentro_id, n, line, state_at)
    match = here.referee.encuentros.encuentro(encuentro_id)
    assert match.opened is not None
    is_official = g.actor is not None and not for_all
    may_see_cases = is_official and guard.is_allowed(g.actor, "cases:read")
    return ReplaySource(
        state,
        match.opened.profile,
        table_names(here, encuentro_id),
        match.opened.date,
        here.persons.text if is_official else _reasons_of(state),
        _cases(encuentro_id, n) if may_see_cases or audit_rest.is_over(encuentro_id) else (),
        len(here.referee.encuentros.partida(partida_id(encuentro_id, n)).log),
        is_settled=is_decided(encuentro_id, n),
    )


def _reasons_of(state: Partida) -> TextOf:
    """The texts that everybody may read: the reasons of rulings."""
    acts = (entry.act for entry in state.acts)
    public = {act.text for act in acts if isinstance(act, RulingGiven)}
    return lambda text: current_services().persons.text(text) if text in public else None


def _cases(encuentro_id: UUID, n: int) -> list[ReplayCaseData]:
    """Cases about a partida, in words."""
    return [
        ReplayCaseData(
            number=one.number,
            lines=list(one.lines),
            stage=one.stage,
            because=one.texts.get(one.text) or "",
            words=one.words,
        )
        for one in case_views.cases(encuentro_id).items
        if one.partida == n
    ]


def replay_of(source: ReplaySource, asked: ReplayRequest) -> ReplayData:
    """The data of the replay of a partida, in the language of the reader.

    :raises Problem: the seat is not at this table, or the other profile deals in another way
    """
    with speaking_of(options_from(source.profile.options).pack), at_table(source.seated):
        return _replay(source, asked)


def _replay(source: ReplaySource, asked: ReplayRequest) -> ReplayData:
    state, frozen, text_of = source.state, source.profile, source.text_of
    lang = asked.lang or language()
    cases = source.cases
    if asked.seat:
        if asked.seat not in SEATS[state.start.players]:
            raise _bad("seat", FieldFault("not_one_of", choices=SEATS[state.start.players]))
        state, text_of, cases = partida_of_seat(state, asked.seat), _no_words, ()
    compared = None
    if asked.profile:
        compared, state, frozen = _under_profile(state, asked.profile)
    view = replay_view(state, frozen)
    is_open = _all_is_open(source, asked)
    return widen(
        ReplayData,
        with_words(view, lang, Said(text_of, act_names(state, lang))),
        names=dict(source.seated.names),
        pairs=dict(source.seated.pairs),
        people=_people(source.seated, lang),
        date=source.date,
        lines=source.lines or state.version,
        seat=asked.seat,
        pack=options_from(source.profile.options).pack,
        own_profile=source.profile.id,
        others=[
            one for one in comparable_profiles(source.state, profiles()) if one != source.profile.id
        ],
        compared=None if compared is None else comparison_in_words(compared, lang),
        cases=list(cases),
        renuncio=_renuncio(state.table, frozen, lang),
        arrastres=arrastres_of(state.table) if is_open else None,
        judged=_judge_claims(state, lang) if is_open else [],
    )


def _renuncio(table: Table, profile: FrozenProfile, lang: str) -> LostByRenuncioData | None:
    lost = deciding_renuncio(table)
    if lost is None:
        return None
    article = article_of(Rule(lost.rule), profile)
    return LostByRenuncioData(line=lost.line, text=renuncio_in_words(lost, lang), article=article)


def _judge_claims(state: Partida, lang: str) -> list[JudgedClaimData]:
    """Claims and concessions of a partida as its cases judge them.

    Of a claim that was true and made at once there is nothing to say.
    """
    assert state.reading is not None
    found = claims_of(state.reading, most_in_all=MOST_WAYS_OF_CLAIM)
    told = claims_in_words(state, found, lang)
    nothing = say("case.reach.decides_nothing", lang)
    reaches: list[JudgedClaimData] = [
        JudgedClaimData(line=one.line, text=[*one.text, *([] if one.since else [nothing])])
        for one in told.reaches
        if one.since is None or one.cards
    ]
    return reaches + [
        JudgedClaimData(line=one.line, text=[one.text, say("case.rest.decides_nothing", lang)])
        for one in told.rests
        if one.answer != "on_request"
    ]


def _all_is_open(source: ReplaySource, asked: ReplayRequest) -> bool:
    """Whether a reader may know every hand: the partida is decided, here and as it stands now."""
    return source.is_settled and source.state.table.decided is not None and not asked.seat


def table_of(replay: ReplayData) -> TableNames:
    """The players of a replay, for the texts around it."""
    return TableNames(replay.players, replay.names, replay.pairs)


def _people(table: TableNames, lang: str) -> dict[str, PhraseData]:
    """Seats and sides of a table as nouns in a sentence, by their codes."""
    seats = {seat: seat_phrase(seat, lang) for seat in SEATS[table.players]}
    sides = {side_of(seat): side_phrase(side_of(seat), lang) for seat in seats}
    return {
        code: PhraseData(text=one.text, gender=one.gender, is_many=one.is_many)
        for code, one in {**seats, **sides}.items()
    }


def _under_profile(state: Partida, name: str) -> tuple[ComparisonData, Partida, FrozenProfile]:
    """What another profile changes, the partida under it, and that profile."""
    other, judged = judge_under(state, name)
    options = judged.start.options
    frozen = frozen_profile(other, options.players, options.deck)
    return comparison_view(state, other), judged, frozen


def judge_under(state: Partida, name: str) -> tuple[Profile, Partida]:
    """Another profile, and the partida under it.

    :raises Problem: there is none of this name, or it deals in another way
    """
    try:
        other = profile(name)
        return other, under_profile(state, other)
    except UnknownProfile:
        raise _bad("profile", FieldFault("no_such_profile")) from None
    except NotComparable as wrong:
        names = "; ".join(option_words(one, language()) for one in wrong.options)
        raise _bad("profile", FieldFault("other_deal", options=names)) from None


def _bad(name: str, fault: FieldFault) -> Problem:
    return Problem("invalid", errors={"query": {name: [fault]}})
