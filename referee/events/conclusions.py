"""Official conclusions from the acts of a partida."""

from __future__ import annotations

from typing import Literal, TypeAlias

from referee.events.acts import PartidaAct
from referee.events.base import Conclusion, Fact, How, OptionValues, SeatName, SideName


class ScoreItem(Fact, frozen=True):
    """Points with their reason: ``cards`` of a trick, ``ultimas``, ``cante``, ``ruling``."""

    side: SideName
    reason: Literal["cards", "ultimas", "cante", "ruling"]
    points: int
    line: int


class PartidaOpened(Conclusion, frozen=True, tag="partida_opened"):
    """A partida begins, under the options frozen for its encuentro."""

    encuentro: str
    number: int
    options: OptionValues
    profile_hash: str
    dealer_due: SeatName = ""


class DealerDue(Conclusion, frozen=True, tag="dealer_due"):
    """Another seat is due to deal first, because the partida before was amended."""

    seat: SeatName


class DealCounted(Conclusion, frozen=True, tag="deal_counted"):
    """A deal was played out and counted: its items, and the totals of the partida after it."""

    deal: int
    items: tuple[ScoreItem, ...]
    totals: dict[SideName, int]


class VueltasBegun(Conclusion, frozen=True, tag="vueltas_begun"):
    """Nobody has won yet: the partida goes on with this deal."""

    deal: int


class ClaimJudged(Conclusion, frozen=True, tag="claim_judged"):
    """A claim of 101 was counted: the claimer's total, and whether it reached the target."""

    seat: SeatName
    total: int
    reached: bool


class PartidaWon(Conclusion, frozen=True, tag="partida_won"):
    """The partida is decided. ``whole_match``: the loser loses the encuentro with it."""

    winner: SideName
    how: How
    totals: dict[SideName, int]
    whole_match: bool = False


TableConclusion: TypeAlias = DealCounted | VueltasBegun | ClaimJudged | PartidaWon


class ConclusionRevised(Conclusion, frozen=True, tag="conclusion_revised"):
    """An earlier conclusion no longer stands; what stands instead follows it, if anything does."""

    revised: TableConclusion


PartidaEvent: TypeAlias = (
    PartidaAct | PartidaOpened | DealerDue | TableConclusion | ConclusionRevised
)
