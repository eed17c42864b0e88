"""The official view of a case."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from projections.facts import AppealedData, CaseClosedData, PhotoData, plain_values
from referee import events as ev
from referee.aggregates.case import Case, is_of_one_principal


class GroundData(TypedDict):
    """What a ruling rests on."""

    kind: str
    option: str
    value: ev.OptionValue
    profile: str
    section: str
    basis: str


class RulingData(TypedDict):
    """What was ruled, on which ground."""

    effect: str
    ground: GroundData
    text: ev.TextId
    side: ev.SideName
    seat: ev.SeatName
    points: int
    line: int


class CaseOpenedData(TypedDict):
    """Who disputes which lines."""

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


class RenuncioCostData(TypedDict):
    """What the card of a line took beside the best lawful one.

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


class EvidenceData(TypedDict):
    """A piece of evidence. ``cost``: what a card took, if that was put on the acta."""

    by: ev.PersonId
    seen: int
    side: ev.SideName
    lines: list[int]
    text: ev.TextId
    photo: PhotoData | None
    cost: NotRequired[RenuncioCostData]


class CaseRuledData(TypedDict):
    """The ruling of the arbiter."""

    by: ev.PersonId
    at: str
    verdict: RulingData
    act: int
    appeal_until: str


class AppealDecidedData(TypedDict):
    """The decision of an appeal; without a ``verdict`` the ruling was upheld.

    ``one_principal``: it is of the principal who ruled; else left out.
    """

    by: ev.PersonId
    at: str
    text: ev.TextId
    verdict: RulingData | None
    act: int
    acts: list[int]
    one_principal: NotRequired[bool]


class CaseData(CaseOpenedData):
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
    """A case as plain JSON values; persons and texts by their ids."""
    assert state.opened is not None
    opened: CaseOpenedData = plain_values(state.opened)
    return {
        **opened,
        "version": state.version,
        "stage": state.stage,
        "evidence": [_evidence_view(one) for one in state.evidence],
        "ruled": plain_values(state.ruled),
        "appealed": plain_values(state.appealed),
        "decided": _decision_view(state),
        "closed": plain_values(state.closed),
        "verdict": plain_values(state.ruling),
    }


def _evidence_view(one: ev.EvidenceAttached) -> EvidenceData:
    attached: EvidenceData = plain_values(one)
    if one.cost is None:
        attached.pop("cost", None)
    return attached


def _decision_view(state: Case) -> AppealDecidedData | None:
    if state.decided is None:
        return None
    decided: AppealDecidedData = plain_values(state.decided)
    if is_of_one_principal(state, state.decided):
        decided["one_principal"] = True
    return decided
