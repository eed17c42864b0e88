"""Definitions of the tables for study: their columns, and what each means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias

from referee.aggregates.partida import Partida
from referee.rules.cards import SUITS, TOKENS
from referee.rules.profile.options import Options, deck_size
from referee.rules.profile.profile import freeze, profiles, profiles_of_every_edition
from referee.rules.seats import SIDES, Seat
from referee.table.counts import has_unknown_points, scores_without_called_totals
from referee.table.state import HIDDEN, NO_CARD, Deal, Table

VERSION: Final = 1
"""Version of the tables: another one if a column is renamed, or comes to mean something else."""
TableName: TypeAlias = Literal["partidas", "deals", "scores", "cantes", "plays"]
ColumnType: TypeAlias = Literal["int8", "int16", "int32", "int64", "bool_", "string"]


class StudyColumn(NamedTuple):
    """A column of a table for study. ``may_lack``: whether a row may have no value in it."""

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


StudyRow: TypeAlias = tuple[object, ...]
_OWN = "own"


def study_rows_of_partida(
    partida: int, club: int, state: Partida
) -> Mapping[TableName, Sequence[StudyRow]]:
    """Rows of each table for a decided partida. ``partida``, ``club``: numbers in the export."""
    table = state.table
    deals = table.all_deals
    return {
        "partidas": [_partida_row(partida, club, state)],
        "deals": [(partida, *_deal_row(deal, table.options)) for deal in deals],
        "scores": [(partida, *row) for deal in deals for row in _score_rows(deal, table)],
        "cantes": [(partida, *row) for deal in deals for row in _cante_rows(deal, table)],
        "plays": [(partida, *row) for deal in deals for row in _play_rows(deal)],
    }


def _partida_row(partida: int, club: int, state: Partida) -> StudyRow:
    options, won, opened = state.table.options, state.table.decided, state.opened
    assert won is not None
    assert opened is not None
    return (
        *(partida, club, _profile_ids_by_hash().get(opened.profile_hash, _OWN)),
        *(options.players, options.deck, options.target),
        *(len(state.table.all_deals), won.winner or None, won.how),
        *(won.totals.get(side) for side in SIDES[3]),
    )


@cache
def _profile_ids_by_hash() -> Mapping[str, str]:
    """Id of each profile that comes with the program, by the hashes of its editions."""
    return {
        freeze(edition, players, deck)["hash"]: one.id
        for one in profiles()
        for edition in profiles_of_every_edition(one.id)
        for players in edition.players
        for deck in edition.decks
    }


def _deal_row(deal: Deal, options: Options) -> StudyRow:
    laid = len(deal.all_plays)
    return (
        *(deal.number, deal.dealer, deal.seats_from_mano[0]),
        *(None if deal.trump < 0 else SUITS[deal.trump],),
        *(None if deal.pinta == NO_CARD else TOKENS[deal.pinta],),
        *(len(deal.tricks), laid == deck_size(options)),
        *(_first_arrastre_trick_number(options), _leader_of_arrastre(deal, options)),
    )


def _first_arrastre_trick_number(options: Options) -> int:
    """Number of the first trick of the arrastre."""
    return deck_size(options) // options.players - options.hand_size + 1


def _leader_of_arrastre(deal: Deal, options: Options) -> Seat | None:
    """Seat that led to the first trick of the arrastre; None if the deal ended before."""
    before = _first_arrastre_trick_number(options) - 1
    if deal.stock or len(deal.tricks) <= before:
        return None
    return deal.tricks[before - 1].taker if before else deal.seats_from_mano[0]


def _score_rows(deal: Deal, table: Table) -> Iterator[StudyRow]:
    is_unknown = has_unknown_points(deal)
    for side, score in scores_without_called_totals(table, [deal]).items():
        cards = None if is_unknown else score.cards
        yield deal.number, side, cards, score.ultimas, score.cantes, score.ruled


def _cante_rows(deal: Deal, table: Table) -> Iterator[StudyRow]:
    for number, cante in enumerate(deal.cantes, 1):
        suit = None if cante.suit == HIDDEN else SUITS[cante.suit]
        counts = not cante.void and cante.line not in table.ruled_out
        yield deal.number, number, cante.trick, cante.seat, suit, cante.points, counts


def _play_rows(deal: Deal) -> Iterator[StudyRow]:
    for trick, closed in enumerate(deal.tricks, 1):
        for place, play in enumerate(closed.plays, 1):
            takes = play.seat == closed.taker
            yield deal.number, trick, place, play.seat, TOKENS[play.card], takes
    for place, play in enumerate(deal.laid, 1):
        yield deal.number, len(deal.tricks) + 1, place, play.seat, TOKENS[play.card], None
