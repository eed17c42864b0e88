"""The official view of a case."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from projections.facts import AppealedData, CaseClosedData, PhotoData, plain_values, view_of
from projections.views import view_as
from referee import events as ev
from referee.aggregates.case import Case, is_appeal_by_same_principal


class GroundData(msgspec.Struct, frozen=True):
    """What a ruling rests on."""

    kind: str
    option: str
    value: ev.OptionValue
    profile: str
    section: str
    basis: str


class RulingData(msgspec.Struct, frozen=True):
    """A ruling and the ground on which it rests."""

    effect: str
    ground: GroundData
    text: ev.TextId
    side: ev.SideName
    seat: ev.SeatName
    points: int
    line: int


class CaseOpenedData(msgspec.Struct, frozen=True):
    """The opening of a case: who disputes which lines."""

    encuentro: str
    number: int
    partida: int
    seen: int
    players: int
    by: ev.PersonId
    text: ev.TextId
    side: ev.SideName
    lines: list[int]
    suspends: bool


class RenuncioCostData(msgspec.Struct, frozen=True):
    """Points that the card of a line took, compared with the best lawful card.

    ``least``, ``most``: points that it took less, below 0 if it took more, over all ways in which
    the unseen cards can lie; of the ``ways`` in which it broke a duty it took ``more`` or ``less``
    in so many. ``tried``: ways that were looked at, drawn if they have a ``seed``. ``turned``:
    whether with the best lawful card the partida would have gone the other way. ``engine``:
    SHA-256 of the module that worked it out.
    """

    line: int
    seat: ev.SeatName
    least: int
    most: int
    more: int
    less: int
    ways: int
    tried: int
    turned: Literal["yes", "no", "cannot_tell"]
    engine: str
    seed: int | None


class EvidenceData(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of evidence.

    ``cost``: what a card took in points, if the arbiter put it on the acta.
    """

    by: ev.PersonId
    seen: int
    side: ev.SideName
    lines: list[int]
    text: ev.TextId
    photo: PhotoData | None
    cost: RenuncioCostData | UnsetType = UNSET


class CaseRuledData(msgspec.Struct, frozen=True):
    """The ruling of the arbiter."""

    by: ev.PersonId
    at: str
    verdict: RulingData
    act: int
    appeal_until: str


class AppealDecidedData(msgspec.Struct, frozen=True, kw_only=True):
    """The decision of an appeal; without a ``verdict`` the ruling was upheld.

    ``one_principal``: it is of the principal who ruled; else left out.
    """

    by: ev.PersonId
    at: str
    text: ev.TextId
    verdict: RulingData | None
    act: int
    acts: list[int]
    one_principal: bool | UnsetType = UNSET


class CaseData(CaseOpenedData, frozen=True):
    """The official view of a case."""

    version: int
    stage: ev.CaseStage
    evidence: list[EvidenceData]
    ruled: CaseRuledData | None
    appealed: AppealedData | None
    decided: AppealDecidedData | None
    closed: CaseClosedData | None
    verdict: RulingData | None


def case_view(state: Case) -> CaseData:
    """Official view of a case, with persons and texts by their ids."""
    assert state.opened is not None
    return view_as(
        CaseData,
        view_of(CaseOpenedData, state.opened),
        version=state.version,
        stage=state.stage,
        evidence=[_evidence_view(one) for one in state.evidence],
        ruled=view_of(CaseRuledData, state.ruled) if state.ruled else None,
        appealed=plain_values(state.appealed),
        decided=_appeal_decision_view(state),
        closed=plain_values(state.closed),
        verdict=view_of(RulingData, state.ruling) if state.ruling else None,
    )


def _evidence_view(one: ev.EvidenceAttached) -> EvidenceData:
    values = plain_values(one)
    if one.cost is None:
        del values["cost"]
    return msgspec.convert(values, EvidenceData, from_attributes=True)


def _appeal_decision_view(state: Case) -> AppealDecidedData | None:
    if state.decided is None:
        return None
    decided = view_of(AppealDecidedData, state.decided)
    is_of_one = is_appeal_by_same_principal(state, state.decided)
    return replace(decided, one_principal=True) if is_of_one else decided
