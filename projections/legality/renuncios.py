"""The renuncio that decided a partida: which card, where, and what proves it."""

from __future__ import annotations

from typing import TypedDict

from referee.events import CardToken, SeatName
from referee.rules.cards import TOKENS
from referee.table.accusations import earliest_proved_renuncio, renuncios_of
from referee.table.state import NO_CARD, Deal, Line, Table


class RenuncioData(TypedDict):
    """A renuncio that decided a partida.

    ``card``: that was laid; empty for conduct. ``proof``: the card that proves it; empty where
    there is none.
    """

    line: int
    seat: SeatName
    rule: str
    deal: int
    trick: int
    card: CardToken
    proof: CardToken


def deciding_renuncio(table: Table) -> RenuncioData | None:
    """The proved renuncio that decided a partida; None where something else did."""
    is_lost = table.decided is not None and table.decided.how == "renuncio"
    if not is_lost or table.options.renuncio_penalty == "replay_deal":
        return None
    found = earliest_proved_renuncio(table)
    if found is None:
        return None
    line, seat = found
    for deal in table.all_deals:
        for one in renuncios_of(table, deal):
            if one.line == line:
                return {
                    "line": line,
                    "seat": seat,
                    "rule": one.rule.value,
                    "deal": deal.number,
                    "trick": one.trick,
                    "card": _card_of_play(deal, line),
                    "proof": _card_of_proof(deal, line),
                }
    return None


def _card_of_play(deal: Deal, line: Line) -> CardToken:
    return next((TOKENS[one.card] for one in deal.plays if one.line == line), "")


def _card_of_proof(deal: Deal, line: Line) -> CardToken:
    proofs = (one.proof for one in deal.breaches if one.line == line)
    return next((TOKENS[card] for card in proofs if card != NO_CARD), "")
