"""Rows of a study: what a decided partida gives, with no id, no person, no text and no moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from projections.study.tables import TableName
from referee.aggregates.partida import Partida
from referee.rules.cards import SUITS, TOKENS
from referee.rules.profile.deck import cards_in_play
from referee.rules.profile.options import Options
from referee.rules.profile.profile import editions, frozen, profiles
from referee.rules.seats import SIDES, Seat
from referee.table.counts import has_unknown_points, partida_scores
from referee.table.state import HIDDEN, NO_CARD, Deal, Table

StudyRow: TypeAlias = tuple[object, ...]
_OWN = "own"


def rows_of(partida: int, club: int, state: Partida) -> Mapping[TableName, Sequence[StudyRow]]:
    """Rows of each table of a partida with this number. It is decided."""
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
        *(partida, club, _names_of_rules().get(opened.profile_hash, _OWN)),
        *(options.players, options.deck, options.target),
        *(len(state.table.all_deals), won.winner or None, won.how),
        *(won.totals.get(side) for side in SIDES[3]),
    )


@cache
def _names_of_rules() -> Mapping[str, str]:
    """Ids of the profiles that come with the program, by the hashes of all their tables."""
    return {
        frozen(edition, players, deck)["hash"]: one.id
        for one in profiles()
        for edition in editions(one.id)
        for players in edition.players
        for deck in edition.decks
    }


def _deal_row(deal: Deal, options: Options) -> StudyRow:
    laid = len(deal.plays)
    return (
        *(deal.number, deal.dealer, deal.order[0]),
        *(None if deal.trump < 0 else SUITS[deal.trump],),
        *(None if deal.pinta == NO_CARD else TOKENS[deal.pinta],),
        *(len(deal.tricks), laid == cards_in_play(options)),
        *(_first_of_arrastre(options), _leader_of_arrastre(deal, options)),
    )


def _first_of_arrastre(options: Options) -> int:
    """Number of the trick before which nothing is left to draw."""
    return cards_in_play(options) // options.players - options.hand_size + 1


def _leader_of_arrastre(deal: Deal, options: Options) -> Seat | None:
    """Seat that led to the first trick of the arrastre, if the deal came so far."""
    before = _first_of_arrastre(options) - 1
    if deal.stock or len(deal.tricks) <= before:
        return None
    return deal.tricks[before - 1].taker if before else deal.order[0]


def _score_rows(deal: Deal, table: Table) -> Iterator[StudyRow]:
    is_unknown = has_unknown_points(deal)
    for side, score in partida_scores(table, [deal]).items():
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
