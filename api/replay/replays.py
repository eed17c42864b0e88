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
from api.cases.views import add_words_to_claims
from api.encuentros import views
from api.encuentros.views import table_names_of_encuentro
from api.encuentros.words import TextOf, act_namer_of_partida
from api.http.access import guard
from api.http.fields import FieldFault
from api.http.languages import (
    language,
    option_words,
    player_phrase_of_seat,
    players_phrase_of_side,
    say,
    use_card_pack,
)
from api.http.problems import Problem
from api.http.renuncios import renuncio_in_words
from api.http.services import current_services
from api.http.table_names import TableNames, use_table_names
from api.replay.words import (
    Said,
    WordedComparisonData,
    WordedReplayData,
    comparison_with_words,
    replay_with_words,
)
from projections.legality.evidence import ComparisonData, deciding_renuncio, profile_comparison_view
from projections.legality.findings import ArticleData, article_of_rule
from projections.replay.frames import state_at_line
from projections.replay.view import (
    apply_profile,
    ids_of_comparable_profiles,
    partida_as_seen_by,
    replay_view,
)
from projections.views import view_as
from referee.aggregates.encuentro import freeze_profile
from referee.aggregates.partida import Partida
from referee.analysis.claims import MOST_WAYS_OF_CLAIM, judge_claims
from referee.analysis.deals import (
    ArrastreCard,
    CannotAnalyse,
    NotKnown,
    arrastre_cards_with_positions,
)
from referee.errors import NotFound
from referee.events import FrozenProfile, OptionValue, RulingGiven, SideName, options_from
from referee.kinds import partida_id
from referee.rules.articles import Rule
from referee.rules.cards import SUITS, TOKENS, Pack
from referee.rules.profile.options import option_values
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


def arrastres_with_all_hands(table: Table) -> ArrastresData:
    """Every arrastre of a partida with all hands: only for readers who may know them."""
    return ArrastresData(
        options=option_values(table.options),
        deals=[_arrastre_data(table, deal) for deal in table.all_deals],
    )


def _arrastre_data(table: Table, deal: Deal) -> ArrastreData:
    try:
        cards = arrastre_cards_with_positions(table, deal)
    except CannotAnalyse as cannot:
        return ArrastreData(deal=deal.number, not_known=cannot.reason)
    first = cards[0].before.data()
    return ArrastreData(
        deal=deal.number,
        trump=SUITS[deal.trump],
        hands=first.hands,
        cards=[
            _card_with_changes(None, cards[0]),
            *(_card_with_changes(*two) for two in pairwise(cards)),
        ],
    )


def _card_with_changes(last: ArrastreCard | None, one: ArrastreCard) -> PlayedKnownData:
    """A card of an arrastre, with only what changed in the position since the card before it."""
    before, then = one.before, last and last.before
    return PlayedKnownData(
        line=one.line,
        seat=before.seat_to_play,
        card=TOKENS[one.card],
        sung=UNSET if then and before.sung == then.sung else before.data().sung,
        winners=UNSET if then and before.winners == then.winners else sorted(before.winners),
        made=UNSET if last and one.made == last.made else one.made,
    )


def _none_for_any_text(text: str) -> str | None:
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
    text_of: TextOf = _none_for_any_text
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


def is_partida_decided(encuentro_id: UUID, n: int) -> bool:
    """Whether a partida is decided, so that everybody may see it."""
    try:
        state = current_services().referee.encuentros.partida_by_id(partida_id(encuentro_id, n))
    except NotFound:
        return False
    return state.table.decided is not None


def replay_source_of_partida(
    encuentro_id: UUID, n: int, line: int | None = None, *, for_all: bool = False
) -> ReplaySource:
    """A stored partida with what its replay needs, as far as this reader may see it.

    ``for_all``: As far as everybody may.

    :raises NotFound: no such partida, or no such line in it
    """
    here = current_services()
    state = views.call_on_history(encuentro_id, n, line, state_at_line)
    match = here.referee.encuentros.encuentro(encuentro_id)
    assert match.opened is not None
    is_official = g.actor is not None and not for_all
    may_see_cases = is_official and guard.has_permission_at_table(g.actor, "cases:read")
    return ReplaySource(
        state,
        match.opened.profile,
        table_names_of_encuentro(here, encuentro_id),
        match.opened.date,
        here.persons.text_by_id if is_official else _public_text_reader(state),
        _cases_of_partida(encuentro_id, n)
        if may_see_cases or audit_rest.has_final_result(encuentro_id)
        else (),
        len(here.referee.encuentros.partida_by_id(partida_id(encuentro_id, n)).log),
        is_settled=is_partida_decided(encuentro_id, n),
    )


def _public_text_reader(state: Partida) -> TextOf:
    """A function that returns the texts which everybody may read: the reasons of rulings."""
    acts = (entry.act for entry in state.standing_acts)
    public = {act.text for act in acts if isinstance(act, RulingGiven)}
    return lambda text: current_services().persons.text_by_id(text) if text in public else None


def _cases_of_partida(encuentro_id: UUID, n: int) -> list[ReplayCaseData]:
    """Cases about a partida, in words."""
    return [
        ReplayCaseData(
            number=one.number,
            lines=list(one.lines),
            stage=one.stage,
            because=one.texts.get(one.text) or "",
            words=one.words,
        )
        for one in case_views.cases_of_encuentro(encuentro_id).items
        if one.partida == n
    ]


def replay_of(source: ReplaySource, asked: ReplayRequest) -> ReplayData:
    """The data of the replay of a partida, in the language of the reader.

    :raises Problem: the seat is not at this table, or the other profile deals in another way
    """
    with use_card_pack(options_from(source.profile.options).pack), use_table_names(source.seated):
        return _build_replay(source, asked)


def _build_replay(source: ReplaySource, asked: ReplayRequest) -> ReplayData:
    state, frozen, text_of = source.state, source.profile, source.text_of
    lang = asked.lang or language()
    cases = source.cases
    if asked.seat:
        if asked.seat not in SEATS[state.table_at_start.players]:
            raise _problem_of_query_field(
                "seat", FieldFault("not_one_of", choices=SEATS[state.table_at_start.players])
            )
        state, text_of, cases = partida_as_seen_by(state, asked.seat), _none_for_any_text, ()
    compared = None
    if asked.profile:
        compared, state, frozen = _comparison_and_judged_partida(state, asked.profile)
    view = replay_view(state, frozen)
    is_open = _may_see_all_hands(source, asked)
    return view_as(
        ReplayData,
        replay_with_words(view, lang, Said(text_of, act_namer_of_partida(state, lang))),
        names=dict(source.seated.names),
        pairs=dict(source.seated.pairs),
        people=_people_phrases(source.seated, lang),
        date=source.date,
        lines=source.lines or state.version,
        seat=asked.seat,
        pack=options_from(source.profile.options).pack,
        own_profile=source.profile.id,
        others=[
            one
            for one in ids_of_comparable_profiles(source.state, profiles())
            if one != source.profile.id
        ],
        compared=None if compared is None else comparison_with_words(compared, lang),
        cases=list(cases),
        renuncio=_data_of_deciding_renuncio(state.table, frozen, lang),
        arrastres=arrastres_with_all_hands(state.table) if is_open else None,
        judged=_verdicts_on_claims_in_words(state, lang) if is_open else [],
    )


def _data_of_deciding_renuncio(
    table: Table, profile: FrozenProfile, lang: str
) -> LostByRenuncioData | None:
    lost = deciding_renuncio(table)
    if lost is None:
        return None
    article = article_of_rule(Rule(lost.rule), profile)
    return LostByRenuncioData(line=lost.line, text=renuncio_in_words(lost, lang), article=article)


def _verdicts_on_claims_in_words(state: Partida, lang: str) -> list[JudgedClaimData]:
    """Claims and concessions of a partida, judged in words as in a case.

    Of a claim that was true and made at once there is nothing to say.
    """
    assert state.reading is not None
    found = judge_claims(state.reading, most_in_all=MOST_WAYS_OF_CLAIM)
    told = add_words_to_claims(state, found, lang)
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


def _may_see_all_hands(source: ReplaySource, asked: ReplayRequest) -> bool:
    """Whether a reader may know every hand.

    The partida is decided, and no single seat's view is asked for.
    """
    return source.is_settled and source.state.table.decided is not None and not asked.seat


def table_names_of_replay(replay: ReplayData) -> TableNames:
    """Names of the players of a replay, for the texts around it."""
    return TableNames(replay.players, replay.names, replay.pairs)


def _people_phrases(table: TableNames, lang: str) -> dict[str, PhraseData]:
    """Seats and sides of a table as nouns in a sentence, by their codes."""
    seats = {seat: player_phrase_of_seat(seat, lang) for seat in SEATS[table.players]}
    sides = {side_of(seat): players_phrase_of_side(side_of(seat), lang) for seat in seats}
    return {
        code: PhraseData(text=one.text, gender=one.gender, is_many=one.is_many)
        for code, one in {**seats, **sides}.items()
    }


def _comparison_and_judged_partida(
    state: Partida, name: str
) -> tuple[ComparisonData, Partida, FrozenProfile]:
    """What differs under another profile, the partida judged by it, and that profile."""
    other, judged = profile_and_judged_partida(state, name)
    options = judged.table_at_start.options
    frozen = freeze_profile(other, options.players, options.deck)
    return profile_comparison_view(state, other), judged, frozen


def profile_and_judged_partida(state: Partida, name: str) -> tuple[Profile, Partida]:
    """The profile of this name, and the partida judged by it.

    :raises Problem: there is none of this name, or it deals in another way
    """
    try:
        other = profile(name)
        return other, apply_profile(state, other)
    except UnknownProfile:
        raise _problem_of_query_field("profile", FieldFault("no_such_profile")) from None
    except NotComparable as wrong:
        names = "; ".join(option_words(one, language()) for one in wrong.options)
        raise _problem_of_query_field("profile", FieldFault("other_deal", options=names)) from None


def _problem_of_query_field(name: str, fault: FieldFault) -> Problem:
    return Problem("invalid", errors={"query": {name: [fault]}})
