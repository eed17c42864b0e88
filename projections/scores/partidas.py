"""The official view of a partida: the whole record, for the arbiter."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from projections.facts import PartidaWonData, ScoreItemData, TableConclusionData
from projections.legality.findings import FindingData, finding_view
from projections.views import view_as
from referee.aggregates.partida import Partida
from referee.events import CardToken, SeatName, SideName
from referee.rules.cards import SUITS, TOKENS, cards_in
from referee.rules.counts import malas_y_buenas
from referee.rules.profile.options import packet_sizes
from referee.table.accusations import renuncios_to_ask
from referee.table.counts import (
    partida_totals,
    score_items,
    scores_without_called_totals,
    total_spans_if_uncounted_tricks,
)
from referee.table.state import HIDDEN, NO_CARD, Cante, ClosedTrick, Deal, Play, Table


class SaidData(msgspec.Struct, frozen=True):
    """A total as players say it: a number of malas or of buenas."""

    points: int
    buenas: bool


class PlayData(msgspec.Struct, frozen=True):
    """A card on the table."""

    seat: SeatName
    card: CardToken
    line: int


class TrickData(msgspec.Struct, frozen=True):
    """A closed trick."""

    number: int
    plays: list[PlayData]
    taker: SeatName
    points: int | None
    line: int


class CanteData(msgspec.Struct, frozen=True):
    """A cante as announced; an empty suit for a hidden one."""

    line: int
    seat: SeatName
    suit: str
    points: int
    void: bool


class HandData(msgspec.Struct, frozen=True):
    """Cards that a seat holds: how many, and those that are known."""

    size: int
    known: list[CardToken]


class DealScoreData(msgspec.Struct, frozen=True):
    """Points of a side in a deal, by their source."""

    cards: int
    ultimas: int
    cantes: int
    ruled: int


class DealData(msgspec.Struct, frozen=True):
    """Official view of a deal."""

    number: int
    line: int
    dealer: SeatName
    mano: SeatName
    turn: SeatName | None
    trump: str
    pinta: CardToken
    pinta_lies: bool
    stock: int
    hands: dict[SeatName, HandData]
    on_table: list[PlayData]
    tricks: list[TrickData]
    cantes: list[CanteData]
    items: list[ScoreItemData]
    scores: dict[SideName, DealScoreData]
    counted: bool


class WarningData(msgspec.Struct, frozen=True):
    """A warning that was not taken back."""

    line: int
    side: SideName


class AskedData(msgspec.Struct, frozen=True):
    """A proved renuncio that the arbiter still has to decide about."""

    line: int
    seat: SeatName
    rule: str
    trick: int


class ScoredPartidaData(msgspec.Struct, frozen=True, kw_only=True):
    """A partida with its deals and scores.

    ``between``: the least and the most of each side, only while tricks are uncounted. ``asked``:
    what the arbiter is asked, where a renuncio costs something without a denunciation.
    """

    encuentro: str
    number: int
    version: int
    players: int
    profile_hash: str
    phase: str
    in_vueltas: bool
    suspended: bool
    dealer_due: SeatName
    packets: list[int]
    totals: dict[SideName, int]
    said: dict[SideName, SaidData]
    between: dict[SideName, list[int]] | UnsetType = UNSET
    decided: PartidaWonData | None
    conclusions: list[TableConclusionData]
    deals: list[DealData]
    warnings: list[WarningData]
    asked: list[AskedData] | UnsetType = UNSET


class PartidaData(ScoredPartidaData, frozen=True):
    """The official view of a partida: scores, and what the law says of its acts."""

    findings: list[FindingData]


def partida_view(state: Partida) -> PartidaData:
    """Official view of a partida, for the arbiter."""
    findings = [finding_view(finding) for finding in state.table.findings]
    return view_as(PartidaData, partida_view_without_findings(state), findings=findings)


def partida_view_without_findings(state: Partida) -> ScoredPartidaData:
    """View of a partida with scores, without findings; seats, sides and cards as on the log."""
    assert state.opened is not None
    table = state.table
    totals = partida_totals(table)
    spans = total_spans_if_uncounted_tricks(table) if table.decided is None else {}
    return ScoredPartidaData(
        encuentro=state.opened.encuentro,
        number=state.opened.number,
        version=state.version,
        players=table.players,
        profile_hash=state.opened.profile_hash,
        phase=phase_of_partida(table),
        in_vueltas=table.in_vueltas,
        suspended=table.suspended,
        dealer_due=table.dealer_due,
        packets=list(packet_sizes(table.options)),
        totals=totals,
        said={side: malas_y_buenas_view(points) for side, points in totals.items()},
        decided=None if table.decided is None else msgspec.to_builtins(table.decided),
        conclusions=[msgspec.to_builtins(one) for one in table.conclusions],
        deals=[_deal_view(table, deal) for deal in table.all_deals],
        warnings=[WarningData(line=line, side=side) for line, side in table.warnings],
        asked=_renuncios_to_ask_view(table)
        if table.options.renuncio_costs == "when_proved"
        else UNSET,
        between={side: list(span) for side, span in spans.items()} or UNSET,
    )


def _renuncios_to_ask_view(table: Table) -> list[AskedData]:
    return [
        AskedData(line=one.line, seat=one.seat, rule=one.rule.value, trick=one.trick)
        for one in renuncios_to_ask(table)
    ]


def phase_of_partida(table: Table) -> str:
    """Phase of a partida: waiting, dealing, free, arrastre, counting or decided."""
    deal = table.deal
    if table.decided is not None:
        return "decided"
    if deal is None or deal.is_counted:
        return "waiting"
    if deal.is_played_out or table.claim is not None:
        return "counting"
    if deal.trump < 0:
        return "dealing"
    return "arrastre" if deal.in_arrastre else "free"


def malas_y_buenas_view(points: int) -> SaidData:
    """A total in malas or buenas, as players say it."""
    number, is_buenas = malas_y_buenas(points)
    return SaidData(points=number, buenas=is_buenas)


def _deal_view(table: Table, deal: Deal) -> DealData:
    options = table.options
    scores = scores_without_called_totals(table, [deal])
    items = score_items(deal, options.last_trick_points, table.ruled_out)
    return DealData(
        number=deal.number,
        line=deal.line,
        dealer=deal.dealer,
        mano=deal.seats_from_mano[0],
        turn=None if table.decided else deal.turn,
        trump=SUITS[deal.trump] if deal.trump >= 0 else "",
        pinta=TOKENS[deal.pinta] if deal.pinta != NO_CARD else "",
        pinta_lies=deal.lies,
        stock=deal.stock,
        hands={
            seat: HandData(size=size, known=[TOKENS[card] for card in cards_in(held)])
            for seat, size, held in zip(deal.seats, deal.sizes, deal.held, strict=True)
        },
        on_table=[play_view(play) for play in deal.laid],
        tricks=[trick_view(number, trick) for number, trick in enumerate(deal.tricks, 1)],
        cantes=[cante_view(cante) for cante in deal.cantes],
        items=[msgspec.to_builtins(item) for item in items],
        scores={
            side: DealScoreData(
                cards=score.cards, ultimas=score.ultimas, cantes=score.cantes, ruled=score.ruled
            )
            for side, score in scores.items()
        },
        counted=deal.is_counted,
    )


def play_view(play: Play) -> PlayData:
    """View of a card that was played to the table."""
    return PlayData(seat=play.seat, card=TOKENS[play.card], line=play.line)


def trick_view(number: int, trick: ClosedTrick) -> TrickData:
    """View of a closed trick with its number in the deal."""
    return TrickData(
        number=number,
        plays=[play_view(play) for play in trick.plays],
        taker=trick.taker,
        points=trick.points,
        line=trick.line,
    )


def cante_view(cante: Cante) -> CanteData:
    """View of a cante as it was announced."""
    return CanteData(
        line=cante.line,
        seat=cante.seat,
        suit="" if cante.suit == HIDDEN else SUITS[cante.suit],
        points=cante.points,
        void=cante.void,
    )
