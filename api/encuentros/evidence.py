"""Evidence over HTTP: verdicts with their proof, what is known of hands, another profile."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import marshmallow as ma
from flask import Response
from msgspec.structs import replace

from api.encuentros import views
from api.encuentros.partidas import AtLine
from api.encuentros.words import NameOfAct, act_namer_of_partida, join_names_of_lines
from api.http.access import guard
from api.http.answers import register_answer_schema
from api.http.bodies import Body
from api.http.fields import FieldFault
from api.http.grammar import phrase_in_form
from api.http.languages import (
    card_phrase,
    join_names,
    language,
    option_words,
    say,
    texts_of_language,
)
from api.http.problems import Problem
from api.http.rest import Noun, reply, takes_headers_and_query
from api.profiles import findings
from projections.legality.evidence import (
    ComparisonData,
    EvidenceOfPartidaData,
    KnowledgeData,
    VerdictData,
    partida_evidence_view,
    partida_knowledge_view,
    profile_comparison_view,
)
from projections.replay.frames import state_at_line
from referee.rules.profile.profile import UnknownProfile, profile_by_id_at_edition
from referee.table.comparison import NotComparable

blp = Noun(
    "evidence",
    __name__,
    url_prefix="/api/v1/encuentros/<uuid:encuentro_id>/partidas/<int(min=1,max=9999):n>",
    description="What the cards seen prove",
)


class OtherProfile(AtLine):
    """Another profile, by which to judge the same record."""

    profile = ma.fields.String(
        required=True,
        validate=ma.validate.Length(1, 64),
        metadata={"description": "Id of the profile by which the record is judged too."},
    )


@blp.route("/evidence")
@guard.requires("read")
@takes_headers_and_query()
@blp.arguments(AtLine, location="query")
@blp.response(200, register_answer_schema(EvidenceOfPartidaData))
def show_evidence(query: Body, encuentro_id: UUID, n: int) -> Response:
    """Each act of a player: lawful, unlawful or open, and what proves it"""
    state = views.call_on_history(encuentro_id, n, query["line"], state_at_line)
    view = partida_evidence_view(state, findings.frozen_profile_of_encuentro(encuentro_id))
    return reply(evidence_with_sentences(view, language(), act_namer_of_partida(state)))


@blp.route("/knowledge")
@guard.requires("read")
@takes_headers_and_query()
@blp.arguments(AtLine, location="query")
@blp.response(200, register_answer_schema(KnowledgeData))
def show_knowledge_of_hands(query: Body, encuentro_id: UUID, n: int) -> Response:
    """What is known of each hand: certain, possible, impossible cards"""
    return reply(
        partida_knowledge_view(views.call_on_history(encuentro_id, n, query["line"], state_at_line))
    )


@blp.route("/what-if")
@guard.requires("read")
@takes_headers_and_query()
@blp.arguments(OtherProfile, location="query")
@blp.response(200, register_answer_schema(ComparisonData))
def compare_profile(query: Body, encuentro_id: UUID, n: int) -> Response:
    """The same record under another profile: what would change, and by which option"""
    state = views.call_on_history(encuentro_id, n, query["line"], state_at_line)
    try:
        return reply(profile_comparison_view(state, profile_by_id_at_edition(query["profile"])))
    except UnknownProfile:
        raise _problem_of_profile_query(FieldFault("no_such_profile")) from None
    except NotComparable as wrong:
        options = "; ".join(option_words(name, language()) for name in wrong.options)
        raise _problem_of_profile_query(FieldFault("other_deal", options=options)) from None


def _problem_of_profile_query(fault: FieldFault) -> Problem:
    return Problem("invalid", errors={"query": {"profile": [fault]}})


def evidence_with_sentences(
    view: EvidenceOfPartidaData, lang: str, called: NameOfAct
) -> EvidenceOfPartidaData:
    """Evidence with a sentence for each act and its possible slip, in the reader's language."""
    return replace(view, acts=[verdict_with_sentences(act, lang, called) for act in view.acts])


def verdict_with_sentences(act: VerdictData, lang: str, called: NameOfAct) -> VerdictData:
    """A verdict with its sentence and that of a possible slip, in the reader's language.

    ``called``: what the acts of the partida are called.
    """
    slip = act.slip
    if slip is not None:
        lines = join_names_of_lines(slip.lines, called, lang)
        slip = replace(slip, text=say(f"slip.{slip.kind}", lang, lines=lines, cards=slip.cards))
    return replace(act, slip=slip, text=_act_verdict_sentence(act, lang, called))


def _act_verdict_sentence(act: VerdictData, lang: str, called: NameOfAct) -> str:
    """The reason of a verdict, as players say it."""
    seat, proof = act.seat, act.proof
    if act.verdict == "open":
        cards = act.settles.cards
        if len(cards) > 1:
            return say("evidence.open_some", lang, seat=seat, cards=cards)
        return say("evidence.open", lang, seat=seat, cards=_cards_in_words(cards, lang))
    if act.verdict == "lawful":
        return say("evidence.lawful", lang)
    if act.by_count:
        return say("evidence.count", lang, seat=seat) + _late_card_sentence(act, lang, called)
    if proof.cards:
        lines = join_names_of_lines(proof.lines, called, lang)
        held = _cards_in_words(proof.cards, lang)
        found = say("evidence.held", lang, seat=seat, cards=held, lines=lines)
        return found + _late_card_sentence(act, lang, called)
    return say(f"rule.{act.rule}", lang, seat=seat)


def _late_card_sentence(act: VerdictData, lang: str, called: NameOfAct) -> str:
    """A sentence on the card that was seen after its breach was proved; empty if there is none."""
    later = act.later
    if later is None or not later.cards:
        return ""
    cards, lines = (
        _cards_in_words(later.cards, lang),
        join_names_of_lines([later.line], called, lang),
    )
    return " " + say("evidence.later", lang, cards=cards, lines=lines)


def _cards_in_words(cards: Sequence[str], lang: str) -> str:
    """Cards in a row, each with its article: *el rey de bastos y el as de oros*."""
    words = texts_of_language(lang)
    return join_names(
        [phrase_in_form(card_phrase(card, lang), "the", words) for card in cards], lang
    )
