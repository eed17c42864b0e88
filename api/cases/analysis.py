"""How many points the disputed cards of a case won, compared with the best lawful cards.

It is worked out when somebody asks, never when an act is recorded, and decides nothing. What the
arbiter puts on the acta is recorded as it was worked out then.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from functools import cache
from typing import Final, Literal, TypeAlias
from uuid import UUID

import msgspec
from msgspec import structs

from api.cases import acta_data
from api.cases import views as case_views
from api.cases.acts import CaseActBuilder
from api.cases.exhibits import Exhibits, exhibits_after_line, lines_with_breach_or_accusation
from api.cases.views import WordedClaimsData, add_words_to_claims, renuncio_cost_in_words
from api.encuentros import views
from api.http.bodies import Body
from api.http.languages import language, say
from projections.cases.views import CaseData, RenuncioCostData
from projections.facts import view_of
from projections.replay.frames import state_at_line
from projections.views import view_as
from referee.analysis import NoAnalysis, wasm_bytes
from referee.analysis.claims import MOST_WAYS_OF_CLAIM, judge_claims
from referee.analysis.costs import NoCost, NothingToSay, require_cost_of_unlawful_card
from referee.errors import Refused
from referee.events import CardPlayed, CardToken, EvidenceAttached, RenuncioCost, SeatName
from referee.rules.articles import Rule
from referee.table.state import Line, Table

MOST_WAYS_AT_ONCE: Final = 600
"""Ways that a page goes through unasked, some 40 ms."""
NotWorkedOut: TypeAlias = NoCost | Literal["no_analysis"]
"""Why nothing is said of a card: this platform has no engine, or as of ``NoCost``."""
_OF_THE_DEAL: Final = ("hidden_cante", "irregular", "no_cards", "hidden_hands")


class AnalysedActData(msgspec.Struct, frozen=True):
    """A card that broke a duty, or may have. ``not_known``: why nothing is said of it.

    ``text``: the figures, or the reason, in the reader's language.
    """

    line: int
    seat: SeatName
    card: CardToken
    cost: RenuncioCostData | None
    not_known: NotWorkedOut | None
    text: list[str]


class CaseAnalysisData(WordedClaimsData, frozen=True):
    """The disputed cards of a case, its claims and concessions, and its claims of the rest."""

    acts: list[AnalysedActData]


def analysis_of_case(encuentro_id: UUID, number: int) -> CaseAnalysisData:
    """What the disputed cards and claims of a case took, however long it takes to work out.

    :raises NotFound: there is no such case
    """
    case = case_views.case(encuentro_id, number)
    return analysis_of_exhibits(
        encuentro_id, case, acta_data.exhibits_of_case(encuentro_id, case), None
    )


def analysis_of_exhibits(
    encuentro_id: UUID, case: CaseData, shown: Exhibits, most_ways: int | None
) -> CaseAnalysisData:
    """What the disputed cards and claims took in a case that is read already, with its exhibits.

    ``most_ways``: with more of them a card waits to be asked for.
    """
    claims = _claim_analyses(encuentro_id, case, shown, most_ways)
    return view_as(
        CaseAnalysisData, claims, acts=_card_analyses(encuentro_id, case, shown, most_ways)
    )


def evidence_act_of_cost(builder: CaseActBuilder, body: Body, number: int) -> EvidenceAttached:
    """Work out what the card of a line took; the act that attaches it to the case as evidence.

    :raises Refused: nothing can be said of this line
    """
    case = case_views.case(builder.encuentro_id, number)
    shown = acta_data.exhibits_of_case(builder.encuentro_id, case)
    found = _card_analyses(builder.encuentro_id, case, shown, None)
    cost = next((one.cost for one in found if one.line == body["line"]), None)
    if cost is None:
        raise Refused(Rule.EVIDENCE_UNUSABLE, line=body["line"])
    by = builder.id_of_known_or_new_person(body["by"])
    return EvidenceAttached(
        by, seen=0, lines=(body["line"],), cost=RenuncioCost(**structs.asdict(cost))
    )


# --- parts ---------------------------------------------------------------------------------------


def _card_analyses(
    encuentro_id: UUID, case: CaseData, shown: Exhibits, most_ways: int | None
) -> list[AnalysedActData]:
    """Analysis of each disputed card as it stands.

    If a ruling took the cards away, as they stood before it.
    """
    number, lines = case.partida, acta_data.lines_in_dispute(case)
    before = [case.ruled.act - 1] if case.ruled else []
    for upto in (None, *before):
        found = exhibits_after_line(encuentro_id, number, lines, upto) if before else shown
        if cards := _possible_renuncios(found):
            table = views.call_on_history(encuentro_id, number, upto, state_at_line).table
            return [_analyse_card(table, line, act, most_ways) for line, act in cards]
    return []


def _possible_renuncios(found: Exhibits) -> list[tuple[Line, CardPlayed]]:
    """Cards that broke a duty, or may have, in the order of the case."""
    return [
        (line, act)
        for line in lines_with_breach_or_accusation(found)
        if isinstance(act := found.acts.get(line), CardPlayed)
        and line in found.verdicts
        and found.verdicts[line].verdict != "lawful"
    ]


def _analyse_card(
    table: Table, line: Line, act: CardPlayed, most_ways: int | None
) -> AnalysedActData:
    found, cost = _cost_of_card(table, line, act, most_ways), None
    if isinstance(found, RenuncioCost):
        cost = view_of(RenuncioCostData, found)
        words = renuncio_cost_in_words(cost)
    else:
        words = [_unknown_cost_words(found)]
    return AnalysedActData(
        line=line,
        seat=act.seat,
        card=act.card,
        cost=cost,
        not_known=found if isinstance(found, str) else None,
        text=words,
    )


def _cost_of_card(
    table: Table, line: Line, act: CardPlayed, most_ways: int | None
) -> RenuncioCost | NotWorkedOut:
    """Cost of a card beside the best lawful one, as data; or the code why there is none."""
    try:
        found = require_cost_of_unlawful_card(table, line, most_ways)
    except NothingToSay as nothing:
        return nothing.reason
    except NoAnalysis:
        return "no_analysis"
    return RenuncioCost(line, act.seat, engine=_engine_hash(), **asdict(found))


def _claim_analyses(
    encuentro_id: UUID, case: CaseData, shown: Exhibits, most_ways: int | None
) -> WordedClaimsData:
    """Analysis of the disputed claims as they stand.

    If a ruling took them away, as they stood before it.
    """
    state = views.call_on_history(encuentro_id, case.partida, None, state_at_line)
    standing = {one.line for one in state.standing_acts}
    if case.ruled and not standing.issuperset(shown.lines):
        upto = case.ruled.act - 1
        state = views.call_on_history(encuentro_id, case.partida, upto, state_at_line)
    assert state.reading is not None
    found = judge_claims(state.reading, shown.lines, most_ways or MOST_WAYS_OF_CLAIM)
    return add_words_to_claims(state, found)


def _unknown_cost_words(reason: NotWorkedOut) -> str:
    room = "analysis" if reason in _OF_THE_DEAL else "case.cost"
    return say(f"{room}.{reason}", language())


@cache
def _engine_hash() -> str:
    return hashlib.sha256(wasm_bytes()).hexdigest()
