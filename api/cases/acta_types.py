"""Types of the data of actas."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from api.cases.views import RulingWordsData, WordedCaseData
from projections.facts import PartidaWonData
from projections.legality.findings import ArticleData
from projections.scores.encuentros import CotoData, FinalScoreData, StandingData, WinnerData
from projections.scores.partidas import WarningData
from referee.events import SeatName, SideName

Moment: TypeAlias = Literal["before", "ruled", "settled"]
"""Of a partida with a case: before the ruling, after it, after an appeal that changed it."""


class HeadOfLogData(msgspec.Struct, frozen=True):
    """The signed head of the log, with the resguardo as text; ``unsigned``: events after it."""

    origin: str
    size: int
    root: str
    head: str
    events: int
    unsigned: int
    text: str


class ActaProfileData(msgspec.Struct, frozen=True):
    """The frozen profile of an encuentro; ``base`` is empty for one of the six."""

    id: str
    edition: str
    hash: str
    base: str


class ActaWhoData(msgspec.Struct, frozen=True):
    """Players, date, place and profile."""

    encuentro: str
    date: str
    place: str | None
    players: int
    profile: ActaProfileData
    seats: dict[SeatName, str]
    sides: dict[SideName, list[str]]


class SubstitutionWordsData(msgspec.Struct, frozen=True):
    """A substitution: the person and the seat, since which line of which partida."""

    at: str
    seat: SeatName
    name: str | None
    because: str
    partida: int
    line: int


class LineWordsData(msgspec.Struct, frozen=True):
    """A line of a record."""

    line: int
    at: str
    words: str
    card: str
    amended_by: list[int]


class ChangeWordsData(msgspec.Struct, frozen=True, rename={"is_": "is"}):
    """A line as it was and as it is after a correction, in words."""

    line: int
    how: str
    was: str | None
    is_: str | None


class AmendmentWordsData(msgspec.Struct, frozen=True):
    """A correction."""

    line: int
    at: str
    because: str
    changes: list[ChangeWordsData]


class ActaAmendmentData(AmendmentWordsData, frozen=True):
    """A correction, and the case for which it was made; ``at_once``: a slip that was undone."""

    case: int | None
    at_once: bool


class TableRulingWordsData(msgspec.Struct, frozen=True):
    """A ruling in a partida, with its article."""

    line: int
    at: str
    effect: str
    article: str
    because: str
    amended_by: list[int]


class ActaRulingData(TableRulingWordsData, frozen=True):
    """A ruling in a partida, and the case in which it was given."""

    case: int | None


class EncuentroRulingWordsData(msgspec.Struct, frozen=True):
    """A ruling on the encuentro itself; an empty winner is a draw."""

    at: str
    winner: SideName
    because: str


class ActaOutcomeData(msgspec.Struct, frozen=True):
    """How a partida ended."""

    winner: SideName
    how: str
    totals: dict[SideName, int]


class ActaRenuncioData(msgspec.Struct, frozen=True):
    """The renuncio that decided a partida, in sentences, and the article that it rests on."""

    text: str
    article: ArticleData | None


class ActaPartidaData(ActaOutcomeData, frozen=True):
    """A partida: its outcome, its first outcome if that was another, and all changes in it."""

    partida: int
    flagged: bool
    first: ActaOutcomeData | None
    acts: int
    deals: int
    amendments: list[ActaAmendmentData]
    rulings: list[ActaRulingData]
    renuncio: ActaRenuncioData | None


class CaseLineData(msgspec.Struct, frozen=True):
    """A case in two lines: the dispute, and its outcome."""

    number: int
    partida: int
    stage: str
    side: SideName
    because: str
    ruling: RulingWordsData | None
    by: str | None
    appeal: Literal["changed", "upheld"] | None
    decision: RulingWordsData | None
    decided_by: str | None
    one_principal: bool


class SignedData(msgspec.Struct, frozen=True, rename={"with_": "with"}):
    """Who reported, confirmed, signed or reopened a result, and when.

    ``entered_by``: an official of the club reported it. ``one_principal``: the principal of this
    act did the first of the two as well.
    """

    by: str | None
    second: str | None
    side: SideName
    with_: Literal["code", "device"]
    at: str
    because: str | None
    entered_by: str
    one_principal: bool


class ActaResultData(msgspec.Struct, frozen=True):
    """Reports and confirmations of the result."""

    stage: str
    reported: SignedData | None
    confirmed: list[SignedData]
    official: SignedData | None
    reopened: list[SignedData]


class EncuentroActaData(ActaWhoData, frozen=True):
    """What the acta of an encuentro says. ``told``: the final score, if somebody told it."""

    version: int
    opened_at: str
    substitutions: list[SubstitutionWordsData]
    partidas: list[ActaPartidaData]
    cotos: list[CotoData]
    standing: StandingData
    counts: Literal["cotos", "partidas"]
    told: FinalScoreData | None
    decided: WinnerData | None
    rulings: list[EncuentroRulingWordsData]
    cases: list[CaseLineData]
    warnings: dict[SideName, int]
    result: ActaResultData
    proof: HeadOfLogData | None


class StoodData(msgspec.Struct, frozen=True):
    """A partida before the ruling, after it, or after the appeal."""

    moment: Moment
    line: int
    totals: dict[SideName, int]
    decided: PartidaWonData | None
    warnings: list[WarningData]


class CaseActaData(ActaWhoData, frozen=True):
    """What the acta of a case says."""

    case: WordedCaseData
    moments: list[str]
    lines: list[LineWordsData]
    stood: list[StoodData]
    warnings: dict[SideName, int]
    proof: HeadOfLogData | None
