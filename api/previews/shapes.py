"""Schemas of previews."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import marshmallow as ma

from api.http.answers import TypedField
from api.http.fields import ResponseSchema
from api.seasons.points import StandingItemData
from projections.facts import ConclusionData, EncuentroEventData, PartidaWonData
from projections.legality.findings import WordedFindingData
from projections.scores.encuentros import CotoData, WinnerData
from projections.scores.partidas import WarningData
from referee.aggregates.tournament.field import Pair
from referee.events import EncuentroEvent, Event, PairId, PersonId, SeatName, SideName


class ScoreOutlookData(TypedDict, total=False):
    """Totals that differ."""

    totals: dict[SideName, int]
    said: dict[SideName, ShortSaidData]


class PartidaOutlookData(TypedDict, total=False):
    """What differs of a partida; of lists, the items in one of them only."""

    phase: str
    decided: PartidaWonData | None
    suspended: bool
    warnings: list[WarningData]
    next_dealer: SeatName
    findings: list[WordedFindingData]


class CotoOutlookData(TypedDict, total=False):
    """What differs of the running coto and of the cotos."""

    partidas: dict[SideName, int]
    camas: dict[SideName, int]
    cotos: dict[SideName, int]
    made: list[CotoData]


class EncuentroOutlookData(TypedDict, total=False):
    """What differs of the encuentro."""

    decided: WinnerData | None
    result: str
    flagged: list[int]


class ShortSaidData(TypedDict, total=False):
    """What differs of a total as players say it."""

    points: int
    buenas: bool


class StandingsRowData(TypedDict):
    """A row of the table of a session or a season: of a person, or of a pair."""

    place: int
    person: PersonId
    pair: PairId
    name: str | None
    points: int
    items: list[StandingItemData]


class StandingsOutlookData(TypedDict, total=False):
    """Rows of a table of points that differ."""

    rows: list[StandingsRowData]


class TournamentRowOutlookData(TypedDict):
    """A row of a table of a tournament."""

    pair: Pair
    place: int
    points: int


class TieOutlookData(TypedDict):
    """A tie of a knock-out."""

    bracket: str
    round: int
    place: int
    pairs: list[Pair | None]
    winner: Pair | None


class TournamentOutlookData(TypedDict, total=False):
    """What differs in the tournament; ``pending``: meetings to settle."""

    rows: list[TournamentRowOutlookData]
    bracket: list[TieOutlookData]
    pending: list[str]
    champion: Pair | None


class OutlookData(TypedDict, total=False):
    """What differs: as it stands, or as it would stand."""

    score: ScoreOutlookData
    partida: PartidaOutlookData
    coto: CotoOutlookData
    encuentro: EncuentroOutlookData
    session: StandingsOutlookData
    season: StandingsOutlookData
    tournament: TournamentOutlookData


class DifferenceData(TypedDict):
    """What would change, also in words, and the events that would change it."""

    before: OutlookData
    after: OutlookData
    words: list[str]
    secret: list[str]
    earlier_law: list[str]
    conclusions: Sequence[Event]
    encuentro: Sequence[EncuentroEvent]


class Previewed(ResponseSchema):
    """What would change: score, partida, coto, encuentro, and of them only what differs."""

    version = ma.fields.Integer(
        required=True, metadata={"description": "to confirm with, in If-Match"}
    )
    before = TypedField(OutlookData, required=True)
    after = TypedField(OutlookData, required=True)
    words = ma.fields.List(
        ma.fields.String(), required=True, metadata={"description": "the same in words"}
    )
    secret = ma.fields.List(
        ma.fields.String(),
        required=True,
        metadata={"description": "the `words` that tell points in vueltas"},
    )
    earlier_law = ma.fields.List(
        ma.fields.String(),
        required=True,
        metadata={"description": "what today's law would change there"},
    )
    conclusions = TypedField(
        list[ConclusionData], "official conclusions that would follow", required=True
    )
    encuentro = TypedField(
        list[EncuentroEventData], "what would happen in the encuentro", required=True
    )


class CasePreviewed(Previewed):
    """What a ruling or the decision of an appeal would change."""

    partida_version = ma.fields.Integer(
        required=True, metadata={"description": "to confirm with, in the body"}
    )
