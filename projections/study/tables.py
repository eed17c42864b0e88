"""The tables of a study: their columns, and what each means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

VERSION: Final = 1
"""Version of the tables: another one if a column is renamed, or comes to mean something else."""
TableName: TypeAlias = Literal["partidas", "deals", "scores", "cantes", "plays"]
ColumnType: TypeAlias = Literal["int8", "int16", "int32", "int64", "bool_", "string"]


class StudyColumn(NamedTuple):
    """A column. ``may_lack``: whether a row can be without a value."""

    name: str
    type: ColumnType
    about: str
    may_lack: bool = False


_PARTIDA: Final = StudyColumn("partida", "int64", "Number of the partida in this data set, from 1.")
_DEAL: Final = StudyColumn(
    "deal", "int8", "Number of the deal in its partida, from 1; 2 are the vueltas."
)
_SEAT: Final = "A1, B1, A2 or B2; of two players A1 or B1, of three A1, B1 or C1"
_SIDE: Final = "A, B, or C of three players"

TABLES: Final[Mapping[TableName, tuple[StudyColumn, ...]]] = {
    "partidas": (
        _PARTIDA,
        StudyColumn("club", "int32", "Which partidas are of one club; not which club it is."),
        StudyColumn("rules", "string", "Profile, as club or guinyot; own: rules that a club made."),
        StudyColumn("players", "int8", "2, 3 or 4."),
        StudyColumn("deck", "int8", "40 or 48 cards."),
        StudyColumn("target", "int16", "Points that win, usually 101."),
        StudyColumn("deals", "int8", "Deals that count; 0 if the result alone was recorded."),
        StudyColumn("winner", "string", f"Side that won: {_SIDE}.", may_lack=True),
        StudyColumn(
            "how", "string", "first_deal, claim, false_claim, target, tute, renuncio and so on."
        ),
        StudyColumn("points_a", "int16", "Points of side A at the end.", may_lack=True),
        StudyColumn("points_b", "int16", "Points of side B at the end.", may_lack=True),
        StudyColumn("points_c", "int16", "Points of side C, of three players.", may_lack=True),
    ),
    "deals": (
        _PARTIDA,
        _DEAL,
        StudyColumn("dealer", "string", f"Seat that dealt: {_SEAT}."),
        StudyColumn("eldest", "string", "Seat that leads to the first trick (mano)."),
        StudyColumn("trump", "string", "Suit of trump: O, C, E or B.", may_lack=True),
        StudyColumn("pinta", "string", "Card that was turned, as AO or 7B.", may_lack=True),
        StudyColumn("tricks", "int8", "Closed tricks that were recorded."),
        StudyColumn(
            "is_whole", "bool_", "Whether every card of the deal was recorded as it was laid."
        ),
        StudyColumn("arrastre_from", "int8", "Number of the first trick of the arrastre."),
        StudyColumn(
            "arrastre_leader", "string", "Seat that led to it, if it came so far.", may_lack=True
        ),
    ),
    "scores": (
        _PARTIDA,
        _DEAL,
        StudyColumn("side", "string", f"Side: {_SIDE}."),
        StudyColumn(
            "cards", "int16", "Points of cards; missing if tricks were not counted.", may_lack=True
        ),
        StudyColumn("ultimas", "int16", "Points for the last trick."),
        StudyColumn("cantes", "int16", "Points of cantes that count."),
        StudyColumn("ruled", "int16", "Points that a ruling gave or took."),
    ),
    "cantes": (
        _PARTIDA,
        _DEAL,
        StudyColumn("number", "int8", "Number of the cante in its deal, from 1."),
        StudyColumn("trick", "int8", "Closed tricks when it was announced."),
        StudyColumn("seat", "string", f"Seat that announced it: {_SEAT}."),
        StudyColumn(
            "suit", "string", "Suit: O, C, E or B; missing if it was not said.", may_lack=True
        ),
        StudyColumn("points", "int16", "20 or 40."),
        StudyColumn("counts", "bool_", "Whether it is worth its points."),
    ),
    "plays": (
        _PARTIDA,
        _DEAL,
        StudyColumn("trick", "int8", "Number of the trick in its deal, from 1."),
        StudyColumn("place", "int8", "Place in the trick: 1 leads."),
        StudyColumn("seat", "string", f"Seat that laid the card: {_SEAT}."),
        StudyColumn("card", "string", "Rank and suit: A 3 R C S 7 6 5 4 2 (9 8) and O C E B."),
        StudyColumn(
            "takes", "bool_", "Whether it took the trick; missing if it stayed open.", may_lack=True
        ),
    ),
}
