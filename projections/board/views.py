"""The public view of an encuentro: only what everybody at the table knows.

It is built from public facts alone. Of a running deal these are the announcements: the pinta, the
phase, the cantes, how many tricks are closed, and the last trick while its points help nobody.
Points appear when the deal is counted or a claim is judged, and with them which
cantes are void; before that a cante is void only if public facts disprove it. Hands, findings,
versions and positions are not used.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias, final

import msgspec
from msgspec import UNSET, UnsetType

from projections.board.public_cantes import lines_of_false_cantes
from projections.facts import FactData, register_fact_mark
from projections.legality.evidence import RenuncioData, deciding_renuncio
from projections.scores.encuentros import (
    FinalScoresData,
    OutcomeData,
    StandingData,
    WinnerData,
    possible_final_scores_view,
    standing_view,
)
from projections.scores.partidas import SaidData, malas_y_buenas_view, phase_of_partida
from referee.aggregates.encuentro import Encuentro, options_of, result_stage
from referee.aggregates.partida import Partida
from referee.aggregates.result import is_denied
from referee.events import CardToken, PersonId, SeatName, SideName, VueltasBegun
from referee.rules.cards import SUITS, TOKENS, Pack
from referee.table.counts import partida_totals
from referee.table.state import HIDDEN, NO_CARD, Deal, Line, Table


@final
class FixedFormatData(msgspec.Struct, frozen=True):
    """Format of an encuentro of a fixed number of partidas."""

    partidas: int


@final
class CotosFormatData(msgspec.Struct, frozen=True):
    """Format of an encuentro that ends when a side has won a number of cotos."""

    partidas_per_cama: int
    camas_per_coto: int
    cotos: int


MatchFormatData: TypeAlias = Annotated[
    FactData, register_fact_mark("stored", "MatchFormat", FixedFormatData | CotosFormatData)
]


class ProfileIdData(msgspec.Struct, frozen=True):
    """A profile by its id and edition."""

    id: str
    edition: str


class PublicFactsData(msgspec.Struct, frozen=True, kw_only=True):
    """Public data of an encuentro without its players and its running partida.

    ``is_called_off``: it is not played; else left out.
    ``table``: number of its table in the room; 0 if it has none.
    """

    id: str
    date: str
    table: int
    players: int
    profile: ProfileIdData
    pack: Pack
    format: MatchFormatData
    partidas: list[OutcomeData]
    standing: StandingData
    final: FinalScoresData
    decided: WinnerData | None
    result: str | None
    is_called_off: bool | UnsetType = UNSET


class PublicEncuentroData(PublicFactsData, frozen=True):
    """The public view of an encuentro; players by their ids."""

    seats: dict[SeatName, PersonId]


class PublicCanteData(msgspec.Struct, frozen=True):
    """A cante as announced; an empty suit for a hidden one.

    ``void``: it counts nothing. Until the deal is counted or a claim judged, by public facts only.
    """

    seat: SeatName
    suit: str
    points: int
    void: bool


class PublicLaidData(msgspec.Struct, frozen=True):
    """A card of the last trick, and who laid it."""

    seat: SeatName
    card: CardToken


class PublicTrickData(msgspec.Struct, frozen=True):
    """The last closed trick: who took it, and its cards in order, if they were recorded."""

    taker: SeatName
    cards: list[PublicLaidData]


class PublicDealData(msgspec.Struct, frozen=True):
    """What everybody knows of a deal: its announcements.

    ``closed``: tricks that are closed; ``tricks``: those of a whole deal. ``last``: the last of
    them; None where its points would help a side count.
    """

    number: int
    dealer: SeatName
    mano: SeatName
    pinta: CardToken
    cantes: list[PublicCanteData]
    closed: int
    tricks: int
    last: PublicTrickData | None


class PublicPartidaData(msgspec.Struct, frozen=True):
    """The public view of a partida. ``renuncio``: the one that decided the partida."""

    number: int
    phase: str
    vueltas: bool
    dealer_due: SeatName
    totals: dict[SideName, int]
    said: dict[SideName, SaidData]
    decided: bool
    renuncio: RenuncioData | None
    deal: PublicDealData | None


class PublicTableData(PublicEncuentroData, frozen=True):
    """The public view of an encuentro, its latest partida in it."""

    partida: PublicPartidaData | None


def public_encuentro(encuentro: str, state: Encuentro) -> PublicEncuentroData:
    """Public data of an encuentro without its running partida."""
    assert state.opened is not None
    return PublicEncuentroData(
        id=encuentro,
        date=state.opened.date,
        table=state.opened.table,
        players=options_of(state).players,
        profile=ProfileIdData(id=state.opened.profile.id, edition=state.opened.profile.edition),
        pack=options_of(state).pack,
        format=_match_format(state),
        seats=dict(state.seats),
        partidas=[
            OutcomeData(partida=p.partida, winner=p.winner, how=p.how, totals=p.totals)
            for p in state.partidas
            if p.how != "undecided"
        ],
        standing=standing_view(state),
        final=possible_final_scores_view(state),
        decided=None if state.win is None else WinnerData(winner=state.win.winner),
        result=public_result_stage(state),
        is_called_off=state.is_called_off or UNSET,
    )


def _match_format(state: Encuentro) -> MatchFormatData:
    """Format of an encuentro: a number of partidas, or of cotos."""
    options = options_of(state)
    if options.match_format == "fixed_partidas":
        return {"partidas": options.fixed_partidas}
    return {
        "partidas_per_cama": options.partidas_per_cama,
        "camas_per_coto": options.camas_per_coto,
        "cotos": options.cotos_to_win,
    }


def public_result_stage(state: Encuentro) -> str | None:
    """Stage of the result of an encuentro for the public, without its cases.

    None if there is no result.

    That a side does not agree was said at the table, so it is public.
    """
    if state.win is None:
        return None
    stage = result_stage(state)
    if stage != "disputed":
        return stage
    return "disputed" if is_denied(state.result, state.outcome_with_partidas) else "provisional"


def public_partida(state: Partida) -> PublicPartidaData:
    """Public data of a partida: announcements, and the score as last counted."""
    assert state.opened is not None
    table = state.table
    totals, now = _public_totals(table), _public_phase(table)
    return PublicPartidaData(
        number=state.opened.number,
        phase=now,
        vueltas=any(isinstance(one, VueltasBegun) for one in table.conclusions),
        dealer_due=table.dealer_due if now == "waiting" else "",
        totals=totals,
        said={side: malas_y_buenas_view(points) for side, points in totals.items()},
        decided=table.decided is not None,
        renuncio=deciding_renuncio(table),
        deal=None if table.deal is None else _public_deal(state, table.deal),
    )


def _public_phase(table: Table) -> str:
    """The phase; the end of the draws is public once it is certain, at the latest with the lead."""
    now, deal = phase_of_partida(table), table.deal
    other = None if deal is None else deal.otherwise
    is_supposed = other is not None and not other.in_arrastre
    return "free" if now == "arrastre" and is_supposed else now


def _public_totals(table: Table) -> dict[str, int]:
    if table.decided is not None:
        return dict(table.decided.totals)
    counted = [deal for deal in table.all_deals if deal.is_counted]
    return partida_totals(table, counted) if counted else {}


def _public_deal(state: Partida, deal: Deal) -> PublicDealData:
    void = _public_void_cante_lines(state, deal) if deal.cantes else frozenset()
    return PublicDealData(
        number=deal.number,
        dealer=deal.dealer,
        mano=deal.seats_from_mano[0],
        pinta=TOKENS[deal.pinta] if deal.pinta != NO_CARD else "",
        cantes=[
            PublicCanteData(
                seat=cante.seat,
                suit="" if cante.suit == HIDDEN else SUITS[cante.suit],
                points=cante.points,
                void=cante.line in void,
            )
            for cante in deal.cantes
        ],
        closed=len(deal.tricks),
        tricks=state.table.options.trick_count,
        last=_public_last_trick(state.table, deal),
    )


def _public_last_trick(table: Table, deal: Deal) -> PublicTrickData | None:
    """The last trick, shown only where that helps nobody to count.

    In a first deal without claims, or after the end.

    Elsewhere sides count in their heads, and a phone that collects tricks would count for them.
    """
    helps_count = table.in_vueltas or table.options.claim_in == "any_deal"
    if not deal.tricks or (table.decided is None and helps_count):
        return None
    last = deal.tricks[-1]
    laid: list[PublicLaidData] = [
        PublicLaidData(seat=play.seat, card=TOKENS[play.card]) for play in last.plays
    ]
    return PublicTrickData(taker=last.taker, cards=laid)


def _public_void_cante_lines(state: Partida, deal: Deal) -> frozenset[Line]:
    """Lines of the void cantes of a deal, as far as the public knows."""
    table = state.table
    if table.decided is None and not table.is_deal_settled(deal):
        return lines_of_false_cantes(deal, state.standing_acts, table.options)
    return frozenset(c.line for c in deal.cantes if c.void or c.line in table.ruled_out)
