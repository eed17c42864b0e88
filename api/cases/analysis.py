"""What the disputed cards of a case took beside the best lawful ones.

It is worked out when somebody asks, never when an act is recorded, and decides nothing. What the
arbiter puts on the acta is recorded as it was worked out then.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from typing import Final, Literal, TypeAlias, TypedDict
from uuid import UUID

from api.cases import acta_data
from api.cases import views as case_views
from api.cases.acts import CaseActBuilder
from api.cases.exhibits import Exhibits, exhibits_at, with_denunciations
from api.cases.figures import cost_words
from api.encuentros import reading
from api.encuentros.act_names import NameOfAct, act_names_in
from api.http.bodies import Body
from api.http.languages import language, say
from projections.official.cases import CaseData, RenuncioCostData
from projections.official.facts import whole
from projections.replay.moments import state_at
from referee.analysis import NoAnalysis, module_bytes
from referee.analysis.costs import NoCost, NothingToSay, cost_of
from referee.analysis.reach import Reach, StillReach, reach_of
from referee.analysis.rests import MOST_WAYS_OF_CLAIM, RestAnswer, rest_of
from referee.errors import Refused
from referee.events import (
    CardPlayed,
    CardToken,
    ClaimMade,
    Conceded,
    EvidenceAttached,
    RenuncioCost,
    RestClaimed,
    SeatName,
    SideName,
)
from referee.rules.articles import Rule
from referee.rules.seats import side_of
from referee.table.state import Line, Table

MOST_WAYS_AT_ONCE: Final = 600
"""Ways that a page goes through unasked, some 40 ms."""
NotWorkedOut: TypeAlias = NoCost | Literal["no_analysis"]
"""Why nothing is said of a card: this platform has no engine, or as of ``NoCost``."""
_OF_THE_DEAL: Final = ("hidden_cante", "irregular", "no_cards", "hidden_hands")


class AnalysedActData(TypedDict):
    """A card that broke a duty, or may have. ``not_known``: why nothing is said of it.

    ``text``: the figures, or the reason, in the reader's language.
    """

    line: int
    seat: SeatName
    card: CardToken
    cost: RenuncioCostData | None
    not_known: NotWorkedOut | None
    text: list[str]


class StillReachData(TypedDict):
    """A claim or a concession, and whether its side could still reach the target then.

    ``total``: what it had. ``most``: with best play of all from there if ``is_exact``, else with
    all that was left; None if it is not known. ``since``: if it had the target already, the line
    that made it, with the ``cards`` laid after that. ``not_known``: nothing but a sum is said
    where this platform has no engine.
    """

    line: int
    side: SideName
    answer: StillReach
    total: int | None
    most: int | None
    is_exact: bool
    since: int | None
    cards: int
    not_known: Literal["no_analysis"] | None
    text: list[str]


class ClaimOfRestData(TypedDict):
    """A claim of the rest, judged. ``ways``: how the cards could lie when it was made."""

    line: int
    seat: SeatName
    answer: RestAnswer | Literal["no_analysis"]
    ways: int
    text: str


class CaseAnalysisData(TypedDict):
    """The disputed cards of a case, its claims and concessions, and its claims of the rest."""

    acts: list[AnalysedActData]
    reaches: list[StillReachData]
    rests: list[ClaimOfRestData]


def analysis_of_case(encuentro_id: UUID, number: int) -> CaseAnalysisData:
    """What the disputed cards of a case took, however long it takes to work out.

    :raises NotFound: there is no such case
    """
    case = case_views.case(encuentro_id, number)
    return analysis_of(encuentro_id, case, acta_data.exhibits(encuentro_id, case), None)


def analysis_of(
    encuentro_id: UUID, case: CaseData, shown: Exhibits, most_ways: int | None
) -> CaseAnalysisData:
    """The same of a case that is read already, with what its partida shows.

    ``most_ways``: with more of them a card waits to be asked for.
    """
    number = case["partida"]
    return {
        "acts": _acts(encuentro_id, case, shown, most_ways),
        "reaches": _reaches(encuentro_id, number, shown),
        "rests": _rests(encuentro_id, number, shown, most_ways),
    }


def cost_as_evidence(builder: CaseActBuilder, body: Body, number: int) -> EvidenceAttached:
    """What the card of a line took, as evidence that the arbiter puts on the acta.

    :raises Refused: nothing can be said of this line
    """
    case = case_views.case(builder.encuentro_id, number)
    shown = acta_data.exhibits(builder.encuentro_id, case)
    found = _acts(builder.encuentro_id, case, shown, None)
    cost = next((one["cost"] for one in found if one["line"] == body["line"]), None)
    if cost is None:
        raise Refused(Rule.EVIDENCE_UNUSABLE, line=body["line"])
    by = builder.person(body["by"])
    return EvidenceAttached(by, seen=0, lines=(body["line"],), cost=RenuncioCost(**cost))


# --- parts ---------------------------------------------------------------------------------------


def _acts(
    encuentro_id: UUID, case: CaseData, shown: Exhibits, most_ways: int | None
) -> list[AnalysedActData]:
    """The disputed cards as they stand; if a ruling took them away, as they stood before it."""
    number, lines = case["partida"], acta_data.disputed_lines(case)
    before = [case["ruled"]["act"] - 1] if case["ruled"] else []
    for upto in (None, *before):
        found = exhibits_at(encuentro_id, number, lines, upto) if before else shown
        if cards := _renuncios(found):
            table = reading.table_at_line(encuentro_id, number, upto, state_at).table
            return [_analysed(table, line, act, most_ways) for line, act in cards]
    return []


def _renuncios(found: Exhibits) -> list[tuple[Line, CardPlayed]]:
    """Cards that broke a duty, or may have, in the order of the case."""
    return [
        (line, act)
        for line in with_denunciations(found)
        if isinstance(act := found.acts.get(line), CardPlayed)
        and line in found.verdicts
        and found.verdicts[line]["verdict"] != "lawful"
    ]


def _analysed(table: Table, line: Line, act: CardPlayed, most_ways: int | None) -> AnalysedActData:
    found = _cost(table, line, act, most_ways)
    cost: RenuncioCostData | None = whole(found) if isinstance(found, RenuncioCost) else None
    return {
        "line": line,
        "seat": act.seat,
        "card": act.card,
        "cost": cost,
        "not_known": found if isinstance(found, str) else None,
        "text": [_reason(found)] if isinstance(found, str) else cost_words(whole(found)),
    }


def _cost(
    table: Table, line: Line, act: CardPlayed, most_ways: int | None
) -> RenuncioCost | NotWorkedOut:
    """What a card took, or why nothing is said."""
    try:
        found = cost_of(table, line, most_ways)
    except NothingToSay as nothing:
        return nothing.reason
    except NoAnalysis:
        return "no_analysis"
    return RenuncioCost(line, act.seat, engine=_engine_hash(), **asdict(found))


def _reaches(encuentro_id: UUID, number: int, found: Exhibits) -> list[StillReachData]:
    """What could still be reached at each disputed claim and concession, or since when it was."""
    called = act_names_in(encuentro_id, number)
    rows: list[StillReachData] = []
    for line in found.lines:
        act = found.acts.get(line)
        if isinstance(act, ClaimMade | Conceded):
            side = act.side if isinstance(act, Conceded) else side_of(act.seat)
            then, now = _then_and_now(encuentro_id, number, line)
            rows.append(_still_reached(line, then, now, side, called))
    return rows


def _then_and_now(encuentro_id: UUID, number: int, line: Line) -> tuple[Table, Table]:
    """The partida at a line, and as it stands."""
    then, now = (
        reading.table_at_line(encuentro_id, number, upto, state_at).table for upto in (line, None)
    )
    return then, now


def _rests(
    encuentro_id: UUID, number: int, found: Exhibits, most_ways: int | None
) -> list[ClaimOfRestData]:
    """Each disputed claim of the rest, judged."""
    return [
        _judged(line, act, *_then_and_now(encuentro_id, number, line), most_ways)
        for line in found.lines
        if isinstance(act := found.acts.get(line), RestClaimed)
    ]


def _judged(
    line: Line, act: RestClaimed, then: Table, now: Table, most_ways: int | None
) -> ClaimOfRestData:
    answer: RestAnswer | Literal["no_analysis"] = "no_analysis"
    ways = 0
    with suppress(NoAnalysis):
        judged = rest_of(then, now, act.seat, most_ways or MOST_WAYS_OF_CLAIM)
        answer, ways = judged.answer, judged.ways
    group = "cost" if answer in ("on_request", "no_analysis") else "rest"
    text = say(f"case.{group}.{answer}", language(), seat=act.seat, ways=ways)
    return {"line": line, "seat": act.seat, "answer": answer, "ways": ways, "text": text}


def _still_reached(
    line: Line, then: Table, now: Table, side: SideName, called: NameOfAct
) -> StillReachData:
    one = reach_of(then, now, side)
    return {
        "line": line,
        "side": side,
        "answer": one.answer,
        "total": one.total,
        "most": one.most,
        "is_exact": one.is_exact,
        "since": one.since,
        "cards": one.cards,
        "not_known": "no_analysis" if one.lacks_engine else None,
        "text": _reach_words(one, then.options.target, called),
    }


def _reach_words(one: Reach, target: int, called: NameOfAct) -> list[str]:
    """Whether the target could be reached, or since when it was; a missing engine too."""
    facts = {"side": one.side, "target": target, "total": one.total or 0, "most": one.most or 0}
    if one.since is not None:
        facts |= {"act": called(one.since), "cards": one.cards}
        return [say("case.reach.since", language(), **facts)]
    kind = "exact" if one.is_exact else "sum"
    key = "unknown" if one.most is None else f"{one.answer}_{kind}"
    words = [say(f"case.reach.{key}", language(), **facts)]
    return [*words, _reason("no_analysis")] if one.lacks_engine else words


def _reason(reason: NotWorkedOut) -> str:
    room = "analysis" if reason in _OF_THE_DEAL else "case.cost"
    return say(f"{room}.{reason}", language())


@cache
def _engine_hash() -> str:
    return hashlib.sha256(module_bytes()).hexdigest()
