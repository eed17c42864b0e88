"""Scores across deals, vueltas, partidas and cotos."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from projections.facts import DrawMadeData, EncuentroConclusionData, view_of
from referee import events as ev
from referee.aggregates import result as encuentro_result
from referee.aggregates.encuentro import (
    Encuentro,
    final_score_in_force,
    options_of,
    result_stage,
    standing_of,
    standing_over_partidas,
)
from referee.aggregates.result import Result
from referee.rules.articles import Rule
from referee.rules.match_scores import (
    final_scores_still_possible,
    score_of_standing,
    score_sum_of_fixed_partidas,
)
from referee.rules.seats import SIDES


class OutcomeData(msgspec.Struct, frozen=True):
    """How a partida ended."""

    partida: int
    winner: ev.SideName
    how: str
    totals: dict[ev.SideName, int]


class CotoData(msgspec.Struct, frozen=True):
    """A coto that was made."""

    coto: int
    winner: ev.SideName
    partida: int


class StandingData(msgspec.Struct, frozen=True):
    """Partidas and camas of the running coto, and cotos, of each side."""

    partidas: dict[ev.SideName, int]
    camas: dict[ev.SideName, int]
    cotos: dict[ev.SideName, int]
    made: list[CotoData]


class WinnerData(msgspec.Struct, frozen=True):
    """Who won the encuentro; empty for a draw."""

    winner: ev.SideName


class FrozenProfileData(msgspec.Struct, frozen=True, kw_only=True):
    """A profile as it was frozen; empty fields are left out."""

    id: str
    edition: str
    hash: str
    options: ev.OptionValues
    basis: dict[str, str] | UnsetType = UNSET
    sections: dict[str, str] | UnsetType = UNSET
    sources: dict[str, str] | UnsetType = UNSET
    base: str | UnsetType = UNSET


class EncuentroPartidaData(OutcomeData, frozen=True, kw_only=True):
    """A partida of an encuentro.

    ``flagged``: it was played although the one before is undecided.
    """

    kind: str
    whole_match: bool | UnsetType = UNSET
    flagged: bool


class FlagData(msgspec.Struct, frozen=True):
    """Warning about a partida.

    It was played although the one before is undecided, or a told score contradicts it.
    """

    rule: str
    partida: int


class ConfirmationData(msgspec.Struct, frozen=True, rename={"with_": "with"}):
    """Who confirmed a result for which side, with a code or on a device.

    ``one_principal``: it is of the principal who reported it; else left out.
    """

    by: ev.PersonId
    side: ev.SideName
    with_: str
    one_principal: bool | UnsetType = UNSET


class ResultReportData(msgspec.Struct, frozen=True, kw_only=True):
    """Who reported a result, for which side.

    ``entered_by``: an official of the club entered it, for no side; else left out.
    """

    by: ev.PersonId
    side: ev.SideName
    device: str
    entered_by: Literal["official"] | UnsetType = UNSET


class SignatureData(msgspec.Struct, frozen=True):
    """Signature of the acta, and why not every side confirmed."""

    by: ev.PersonId
    text: ev.TextId


class ReopeningData(msgspec.Struct, frozen=True, kw_only=True):
    """Who reopened a signed acta, and why.

    ``one_principal``: who signed it did that too; else left out.
    """

    by: ev.PersonId
    second: ev.PersonId
    text: ev.TextId
    one_principal: bool | UnsetType = UNSET


class CaseStageData(msgspec.Struct, frozen=True):
    """Stage of a case."""

    case: int
    partida: int
    stage: str


class DenialData(msgspec.Struct, frozen=True):
    """Who does not agree with a result, and for which side."""

    by: ev.PersonId
    side: ev.SideName


class ResultData(msgspec.Struct, frozen=True, kw_only=True):
    """Stage of a result, from provisional to official.

    ``denied``: a side that does not agree with it as it stands; else left out.
    """

    stage: str
    stands: bool
    reported: ResultReportData | None
    confirmed: list[ConfirmationData]
    denied: DenialData | UnsetType = UNSET
    missing: list[ev.SideName]
    official: SignatureData | None
    reopened: list[ReopeningData]
    codes: list[ev.SideName]
    cases: list[CaseStageData]


class FinalScoresData(msgspec.Struct, frozen=True):
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


class FinalScoreData(msgspec.Struct, frozen=True):
    """Final score as it was told.

    ``counts``: It is not contradicted by the record or replaced by a ruling.
    """

    score: dict[ev.SideName, int]
    counts: bool


class EncuentroFactsData(msgspec.Struct, frozen=True, kw_only=True):
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
    told: FinalScoreData | UnsetType = UNSET
    final: FinalScoresData
    beyond: list[int]
    findings: list[FlagData]
    decided: WinnerData | None
    conclusions: list[EncuentroConclusionData]
    result: ResultData
    is_called_off: bool | UnsetType = UNSET


class EncuentroData(EncuentroFactsData, frozen=True):
    """The official view of an encuentro; persons and its place by their ids."""

    place: ev.TextId


def encuentro_view(encuentro: str, state: Encuentro) -> EncuentroData:
    """View of an encuentro: profile, seats, partidas with their outcome, and the standing."""
    assert state.opened is not None
    opened, now, options = state.opened, standing_of(state), options_of(state)
    return EncuentroData(
        id=encuentro,
        version=state.version,
        date=opened.date,
        table=opened.table,
        place=opened.place,
        held_in=opened.held_in,
        players=options.players,
        profile=msgspec.convert(msgspec.to_builtins(opened.profile), FrozenProfileData),
        seats=dict(state.seats),
        draws=[msgspec.to_builtins(draw) for draw in state.draws],
        partidas=[_partida_outcome_view(state, one) for one in state.partidas],
        standing=standing_view(state),
        final=possible_final_scores_view(state),
        beyond=list(now.beyond),
        findings=_flags_of_encuentro(state),
        decided=None if state.win is None else WinnerData(winner=state.win.winner),
        conclusions=[msgspec.to_builtins(one) for one in state.stated],
        result=result_view(state),
        told=_latest_final_score_view(state),
        is_called_off=state.is_called_off or UNSET,
    )


def _latest_final_score_view(state: Encuentro) -> FinalScoreData | UnsetType:
    if state.latest_final_score is None:
        return UNSET
    return FinalScoreData(
        score=state.latest_final_score, counts=final_score_in_force(state) is not None
    )


def possible_final_scores_view(state: Encuentro) -> FinalScoresData:
    """Final scores with which the encuentro can still end."""
    options, recorded = options_of(state), standing_over_partidas(state)
    is_fixed, made = options.match_format == "fixed_partidas", score_of_standing(recorded, options)
    is_over = is_fixed and recorded.match_winner is not None
    return FinalScoresData(
        open=not (
            state.ruled is not None or state.result.official is not None or state.is_called_off
        ),
        counts="partidas" if is_fixed else "cotos",
        scores=[] if is_fixed else list(final_scores_still_possible(options, recorded)),
        least=made,
        sum=sum(made.values()) if is_over else score_sum_of_fixed_partidas(options, recorded),
    )


def _flags_of_encuentro(state: Encuentro) -> list[FlagData]:
    """Partidas that stand after an undecided one, and a told score that the record contradicts."""
    found: list[FlagData] = [
        FlagData(rule=Rule.LATER_PARTIDA_STANDS.value, partida=number)
        for number in state.partidas_after_undecided
    ]
    if (
        state.latest_final_score is not None
        and state.ruled is None
        and final_score_in_force(state) is None
    ):
        last = len(state.partidas)
        found.append(FlagData(rule=Rule.FINAL_SCORE_DIFFERS.value, partida=last))
    return found


def _partida_outcome_view(state: Encuentro, outcome: ev.OutcomeFollowed) -> EncuentroPartidaData:
    known = msgspec.to_builtins(outcome)
    return msgspec.convert(
        {**known, "flagged": outcome.partida in state.partidas_after_undecided},
        EncuentroPartidaData,
    )


def result_view(state: Encuentro) -> ResultData:
    """Stage of the result, who reported and confirmed it, and the stages of its cases."""
    result = state.result
    stands = encuentro_result.is_report_current(result, state.outcome_with_partidas)
    sides = SIDES[options_of(state).players]
    return ResultData(
        stage=result_stage(state),
        stands=stands,
        reported=None if result.reported is None else _report_view(result.reported),
        confirmed=[_confirmation_view(result, one) for one in result.confirmed],
        missing=list(encuentro_result.sides_yet_to_agree(result, sides) if stands else sides),
        official=view_of(SignatureData, result.official) if result.official else None,
        reopened=[_reopening_view(result, one) for one in result.reopened],
        codes=sorted({one.side for one in result.codes}),
        cases=[
            CaseStageData(case=one.case, partida=one.partida, stage=one.stage)
            for one in result.cases
        ],
        denied=view_of(DenialData, result.denied) if result.denied and stands else UNSET,
    )


def _report_view(act: ev.ResultReported) -> ResultReportData:
    """Report of a result: who reported it.

    Empty keys are left out, so that older rows stay equal.
    """
    return ResultReportData(
        by=act.by, side=act.side, device=act.device, entered_by=act.entered_by or UNSET
    )


def _confirmation_view(result: Result, act: ev.ResultConfirmed) -> ConfirmationData:
    return ConfirmationData(
        by=act.by,
        side=act.side,
        with_="code" if act.code else "device",
        one_principal=encuentro_result.is_second_by_same_principal(result, act) or UNSET,
    )


def _reopening_view(result: Result, act: ev.ResultReopened) -> ReopeningData:
    return ReopeningData(
        by=act.by,
        second=act.second,
        text=act.text,
        one_principal=encuentro_result.is_second_by_same_principal(result, act) or UNSET,
    )


def standing_view(state: Encuentro) -> StandingData:
    """Partidas and camas of the running coto, and cotos, of each side."""
    now = standing_of(state)
    return StandingData(
        partidas=now.partidas,
        camas=now.camas,
        cotos=now.cotos,
        made=[CotoData(coto=m.coto, winner=m.winner, partida=m.partida) for m in now.made],
    )
