"""Scores across deals, vueltas, partidas and cotos."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

import msgspec

from projections.facts import DrawMadeData, EncuentroConclusionData, plain_values
from referee import events as ev
from referee.aggregates import result as encuentro_result
from referee.aggregates.encuentro import (
    Encuentro,
    options_of,
    result_stage,
    score_that_counts,
    standing_of,
    standing_of_record,
)
from referee.aggregates.result import Result
from referee.rules.articles import Rule
from referee.rules.final_scores import final_scores, most_in_all, score_of
from referee.rules.seats import SIDES


class OutcomeData(TypedDict):
    """How a partida ended."""

    partida: int
    winner: ev.SideName
    how: str
    totals: dict[ev.SideName, int]


class CotoData(TypedDict):
    """A coto that was made."""

    coto: int
    winner: ev.SideName
    partida: int


class StandingData(TypedDict):
    """Partidas and camas of the running coto, and cotos, of each side."""

    partidas: dict[ev.SideName, int]
    camas: dict[ev.SideName, int]
    cotos: dict[ev.SideName, int]
    made: list[CotoData]


class WinnerData(TypedDict):
    """Who won the encuentro; empty for a draw."""

    winner: ev.SideName


class FrozenProfileData(TypedDict):
    """A profile as it was frozen; empty fields are left out."""

    id: str
    edition: str
    hash: str
    options: ev.OptionValues
    basis: NotRequired[dict[str, str]]
    sections: NotRequired[dict[str, str]]
    sources: NotRequired[dict[str, str]]
    base: NotRequired[str]


class EncuentroPartidaData(OutcomeData):
    """A partida of an encuentro. ``flagged``: it stands although one before it is undecided."""

    kind: str
    whole_match: NotRequired[bool]
    flagged: bool


class FlagData(TypedDict):
    """A partida that stands although one before it is undecided."""

    rule: str
    partida: int


ConfirmationData = TypedDict(
    "ConfirmationData",
    {"by": ev.PersonId, "side": ev.SideName, "with": str, "one_principal": NotRequired[bool]},
)
"""Who confirmed a result for which side, with a code or on a device.

``one_principal``: it is of the principal who reported it; else left out.
"""


class ResultReportData(TypedDict):
    """Who reported a result, for which side.

    ``entered_by``: an official of the club entered it, for no side; else left out.
    """

    by: ev.PersonId
    side: ev.SideName
    device: str
    entered_by: NotRequired[Literal["official"]]


class SignatureData(TypedDict):
    """Who signed the acta, and why not every side confirmed."""

    by: ev.PersonId
    text: ev.TextId


class ReopeningData(TypedDict):
    """Who reopened a signed acta, and why.

    ``one_principal``: who signed it did that too; else left out.
    """

    by: ev.PersonId
    second: ev.PersonId
    text: ev.TextId
    one_principal: NotRequired[bool]


class CaseStageData(TypedDict):
    """Stage of a case."""

    case: int
    partida: int
    stage: str


class DenialData(TypedDict):
    """Who does not agree with a result, and for which side."""

    by: ev.PersonId
    side: ev.SideName


class ResultData(TypedDict):
    """Stage of a result, from provisional to official.

    ``denied``: a side that does not agree with it as it stands; else left out.
    """

    stage: str
    stands: bool
    reported: ResultReportData | None
    confirmed: list[ConfirmationData]
    denied: NotRequired[DenialData]
    missing: list[ev.SideName]
    official: SignatureData | None
    reopened: list[ReopeningData]
    codes: list[ev.SideName]
    cases: list[CaseStageData]


class FinalScoresData(TypedDict):
    """Final scores that an encuentro can end with, given what is recorded of its partidas.

    ``open``: one may be told: nobody ruled, and the acta is not signed. ``counts``: what a score
    counts. ``scores``: each of them where cotos are counted. Of partidas each side has its
    ``least``, and all have the ``sum``.
    """

    open: bool
    counts: Literal["cotos", "partidas"]
    scores: list[dict[ev.SideName, int]]
    least: dict[ev.SideName, int]
    sum: int


class FinalScoreData(TypedDict):
    """The final score as it was told; ``counts``: nothing contradicts it, and nobody ruled."""

    score: dict[ev.SideName, int]
    counts: bool


class EncuentroFactsData(TypedDict):
    """The official view of an encuentro without its place.

    ``told``: the final score, if somebody told it; else left out.
    ``is_called_off``: it is not played; else left out.
    ``table``: number of its table in the room; 0 if it has none.
    """

    id: str
    version: int
    date: str
    table: int
    held_in: str
    players: int
    profile: FrozenProfileData
    seats: dict[ev.SeatName, ev.PersonId]
    draws: list[DrawMadeData]
    partidas: list[EncuentroPartidaData]
    standing: StandingData
    told: NotRequired[FinalScoreData]
    final: FinalScoresData
    beyond: list[int]
    findings: list[FlagData]
    decided: WinnerData | None
    conclusions: list[EncuentroConclusionData]
    result: ResultData
    is_called_off: NotRequired[bool]


class EncuentroData(EncuentroFactsData):
    """The official view of an encuentro; persons and its place by their ids."""

    place: ev.TextId


def encuentro_view(encuentro: str, state: Encuentro) -> EncuentroData:
    """An encuentro: profile, seats, partidas with their outcome, and the standing."""
    assert state.opened is not None
    opened, now, options = state.opened, standing_of(state), options_of(state)
    view: EncuentroData = {
        "id": encuentro,
        "version": state.version,
        "date": opened.date,
        "table": opened.table,
        "place": opened.place,
        "held_in": opened.held_in,
        "players": options.players,
        "profile": msgspec.to_builtins(opened.profile),
        "seats": dict(state.seats),
        "draws": [msgspec.to_builtins(draw) for draw in state.draws],
        "partidas": [_partida(state, one) for one in state.partidas],
        "standing": standing_view(state),
        "final": final_scores_view(state),
        "beyond": list(now.beyond),
        "findings": _findings(state),
        "decided": None if state.won is None else {"winner": state.won.winner},
        "conclusions": [msgspec.to_builtins(one) for one in state.stated],
        "result": result_view(state),
    }
    if state.final_score is not None:
        view["told"] = {"score": state.final_score, "counts": score_that_counts(state) is not None}
    return {**view, "is_called_off": True} if state.is_called_off else view


def final_scores_view(state: Encuentro) -> FinalScoresData:
    """Final scores that the encuentro can end with."""
    options, recorded = options_of(state), standing_of_record(state)
    is_fixed, made = options.match_format == "fixed_partidas", score_of(recorded, options)
    is_over = is_fixed and recorded.match_winner is not None
    return {
        "open": not (
            state.ruled is not None or state.result.official is not None or state.is_called_off
        ),
        "counts": "partidas" if is_fixed else "cotos",
        "scores": [] if is_fixed else list(final_scores(options, recorded)),
        "least": made,
        "sum": sum(made.values()) if is_over else most_in_all(options, recorded),
    }


def _findings(state: Encuentro) -> list[FlagData]:
    """Partidas that stand after an undecided one, and a told score that the record contradicts."""
    found: list[FlagData] = [
        {"rule": Rule.LATER_PARTIDA_STANDS.value, "partida": number} for number in state.flagged
    ]
    if state.final_score is not None and state.ruled is None and score_that_counts(state) is None:
        last = len(state.partidas)
        found.append({"rule": Rule.FINAL_SCORE_DIFFERS.value, "partida": last})
    return found


def _partida(state: Encuentro, outcome: ev.OutcomeFollowed) -> EncuentroPartidaData:
    view: EncuentroPartidaData = msgspec.to_builtins(outcome)
    return {**view, "flagged": outcome.partida in state.flagged}


def result_view(state: Encuentro) -> ResultData:
    """Stage of the result, who reported and confirmed it, and the stages of its cases."""
    result = state.result
    stands = encuentro_result.is_still_reported(result, state.outcome)
    sides = SIDES[options_of(state).players]
    view: ResultData = {
        "stage": result_stage(state),
        "stands": stands,
        "reported": None if result.reported is None else _report(result.reported),
        "confirmed": [_confirmation(result, one) for one in result.confirmed],
        "missing": list(encuentro_result.missing_sides(result, sides) if stands else sides),
        "official": plain_values(result.official),
        "reopened": [_reopening(result, one) for one in result.reopened],
        "codes": sorted({one.side for one in result.codes}),
        "cases": [
            {"case": one.case, "partida": one.partida, "stage": one.stage} for one in result.cases
        ],
    }
    if result.denied is not None and stands:
        view["denied"] = {"by": result.denied.by, "side": result.denied.side}
    return view


def _report(act: ev.ResultReported) -> ResultReportData:
    """Who reported; a key that says nothing is left out, so that rows of before stay the same."""
    view: ResultReportData = {"by": act.by, "side": act.side, "device": act.device}
    if act.entered_by:
        view["entered_by"] = act.entered_by
    return view


def _confirmation(result: Result, act: ev.ResultConfirmed) -> ConfirmationData:
    with_what = "code" if act.code else "device"
    view: ConfirmationData = {"by": act.by, "side": act.side, "with": with_what}
    if encuentro_result.is_of_one_principal(result, act):
        view["one_principal"] = True
    return view


def _reopening(result: Result, act: ev.ResultReopened) -> ReopeningData:
    view: ReopeningData = {"by": act.by, "second": act.second, "text": act.text}
    if encuentro_result.is_of_one_principal(result, act):
        view["one_principal"] = True
    return view


def standing_view(state: Encuentro) -> StandingData:
    """Partidas and camas of the running coto, and cotos, of each side."""
    now = standing_of(state)
    return {
        "partidas": now.partidas,
        "camas": now.camas,
        "cotos": now.cotos,
        "made": [{"coto": m.coto, "winner": m.winner, "partida": m.partida} for m in now.made],
    }
