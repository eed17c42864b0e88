"""Frames of a replay: the table after each act, and what is known of every hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from projections.facts import PartidaEventData
from projections.scores.partidas import PartidaData, partida_view, phase_of_partida
from projections.views import view_as
from referee.aggregates.partida import Partida, fold
from referee.events import CardToken, SeatName, SideName
from referee.log.mapper import RecordedEvent
from referee.rules.cards import (
    BIT,
    SUITS,
    TOKENS,
    Mask,
    cards_in,
    index_of_winning_card,
    sort_cards,
)
from referee.rules.evidence.questions import Knowledge
from referee.rules.evidence.sights import Sight
from referee.rules.evidence.verdicts import Evidence
from referee.rules.seats import Seat
from referee.table.counts import partida_totals
from referee.table.readings import StandingAct, table_after_act
from referee.table.state import NO_CARD, Deal, Line, Play, Table

SEEN, DEDUCED, POSSIBLE, NOT = "s", "d", "p", "-"


Frame: TypeAlias = Mapping[str, Any]
"""State of a table as flat JSON values by name; they are compared one by one."""


class FrameData(msgspec.Struct, frozen=True, kw_only=True):
    """What an act changed in a frame of the replay; null: a value that was removed.

    ``laid``: seat, card and line of each card on the table. ``A1`` to ``C1``: one letter for each
    card of the deck.
    """

    deal: int | UnsetType = UNSET
    phase: str | UnsetType = UNSET
    vueltas: bool | UnsetType = UNSET
    score: dict[SideName, int] | UnsetType = UNSET
    decided: SideName | UnsetType | None = UNSET
    turn: SeatName | UnsetType | None = UNSET
    best: SeatName | UnsetType | None = UNSET
    pinta: CardToken | UnsetType | None = UNSET
    trump: str | UnsetType | None = UNSET
    lies: bool | UnsetType | None = UNSET
    stock: int | UnsetType | None = UNSET
    laid: list[tuple[SeatName, CardToken, int]] | UnsetType | None = UNSET
    tricks: int | UnsetType | None = UNSET
    sizes: list[int] | UnsetType | None = UNSET
    A1: str | UnsetType | None = UNSET
    B1: str | UnsetType | None = UNSET
    A2: str | UnsetType | None = UNSET
    B2: str | UnsetType | None = UNSET
    C1: str | UnsetType | None = UNSET


class ReplayStep(NamedTuple):
    """A step of a replay: an act, the table after it, and its frame."""

    entry: StandingAct
    table: Table
    frame: Frame


def steps_of(state: Partida) -> Iterator[ReplayStep]:
    """Steps of a replay: every act that was not taken back, in order of play."""
    table, watching, deals = state.table_at_start, _Watching(), 0
    for entry in state.standing_acts:
        before = table.deal
        table = table_after_act(table, entry.line, entry.act)
        if table.deal is not None and (before is None or before.line != table.deal.line):
            deals += 1
        yield ReplayStep(
            entry, table, _frame(table, deals, watching.knowledge_of_each_hand(table.deal))
        )


def deck_by_suit(deck: Mask) -> list[str]:
    """Tokens of a deck in the order of a frame: by suit, high to low."""
    return [TOKENS[card] for card in sort_cards(cards_in(deck))]


class _Watching:
    """Evidence about the hands of the running deal, extended with each card that is seen."""

    def __init__(self) -> None:
        self._evidence = Evidence()
        self._seen: tuple[Sight, ...] = ()

    def knowledge_of_each_hand(self, deal: Deal | None) -> tuple[Knowledge, ...]:
        """Knowledge about each hand of a deal, from the cards seen so far."""
        sights = () if deal is None else deal.sights
        if sights[: len(self._seen)] != self._seen:
            self._evidence, self._seen = Evidence(), ()
        self._evidence.see_all(sights[len(self._seen) :])
        self._seen = sights
        return self._evidence.knowledge()


def _frame(table: Table, number: int, known: tuple[Knowledge, ...]) -> Frame:
    """State of the table as a flat mapping of JSON values."""
    deal = table.deal
    frame: Frame = {
        "deal": number,
        "phase": phase_of_partida(table),
        "vueltas": table.in_vueltas,
        "score": partida_totals(table),
        "decided": None if table.decided is None else table.decided.winner,
    }
    if deal is None:
        return frame
    hands = zip(deal.seats, deal.held, known, strict=True)
    order = list(sort_cards(cards_in(deal.deck)))
    return {
        **frame,
        "turn": None if table.decided or table.claim else deal.turn,
        "best": _seat_winning_so_far(table, deal),
        "pinta": TOKENS[deal.pinta] if deal.pinta != NO_CARD else "",
        "trump": SUITS[deal.trump] if deal.trump >= 0 else "",
        "lies": deal.lies,
        "stock": deal.stock,
        "laid": [seat_token_and_line(play) for play in deal.laid],
        "tricks": len(deal.tricks),
        "sizes": list(deal.sizes),
        **{seat: _hand_knowledge_letters(order, held, hand) for seat, held, hand in hands},
    }


def seat_token_and_line(play: Play) -> list[str | int]:
    """A card on the table: its seat, its token, its line."""
    return [play.seat, TOKENS[play.card], play.line]


def _seat_winning_so_far(table: Table, deal: Deal) -> Seat | None:
    """Seat whose card wins the unfinished trick so far; None if no card lies."""
    if not deal.laid or deal.trump < 0:
        return None
    cards = [play.card for play in deal.laid]
    return deal.laid[index_of_winning_card(cards, deal.trump, table.options.sota_caballo)].seat


def _hand_knowledge_letters(order: list[int], held: Mask, known: Knowledge) -> str:
    """Knowledge of a hand as one letter for each card of the deck.

    Seen, deduced, possible, or not in it.
    """
    letters = []
    for card in order:
        bit = BIT[card]
        if held & bit:
            letters.append(SEEN)
        elif known.certain & bit:
            letters.append(DEDUCED)
        else:
            letters.append(POSSIBLE if known.possible & bit else NOT)
    return "".join(letters)


def frame_changes(before: Frame, after: Frame) -> FrameData:
    """Values of a frame that differ from the frame before; removed values are None."""
    gone = {name: None for name in before if name not in after}
    new = {n: v for n, v in after.items() if n not in before or before[n] != v}
    return msgspec.convert({**gone, **new}, FrameData)


def state_at_line(history: Sequence[RecordedEvent], line: Line | None) -> Partida:
    """State of a partida after a line; None: after the last one.

    ``history`` is the whole stream; ``LookupError`` for a line that it does not have.
    """
    known = [recorded for recorded in history if line is None or recorded.line <= line]
    if not known or (line is not None and not 0 <= line == known[-1].line):
        raise LookupError(line)
    return fold(recorded.event for recorded in known)  # type: ignore[misc]  # a stream of a partida holds its events only


class PastPartidaData(PartidaData, frozen=True):
    """Official view of a partida after a line, with the act of that line.

    ``lines``: Number of all lines.
    """

    line: int
    lines: int
    act: PartidaEventData | None


def partida_view_at_line(history: Sequence[RecordedEvent], line: Line | None) -> PastPartidaData:
    """Official view of a partida after a line, with the act of that line.

    Raises ``LookupError`` like ``state_at_line``.
    """
    state = state_at_line(history, line)
    at = history[-1].line if line is None else line
    act = next((one for one in history if one.line == at and at), None)
    return view_as(
        PastPartidaData,
        partida_view(state),
        line=at,
        lines=history[-1].line,
        act=None if act is None else msgspec.to_builtins(act.event),
    )
