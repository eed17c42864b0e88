"""Cards that a seat cannot see, shuffled: a deal as the seat may imagine it from what it saw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from referee import events as ev
from referee.rules.cards import BIT, CANTE_PAIR, CARD, TOKENS, Card, Mask, cards_in, mask_of
from referee.rules.seats import Seat
from referee.table.readings import StandingAct
from referee.table.state import Deal

if TYPE_CHECKING:
    import random

_STOCK: Final = -1
_TRIES: Final = 100


def acts_with_unseen_cards_shuffled(
    seat: Seat, deal: Deal, acts: Iterable[StandingAct], chance: random.Random
) -> Iterator[ev.TableAct]:
    """Acts of a partida, with the cards of its last deal that a seat cannot see shuffled.

    Nobody gets a card that would make a renuncio of what was played. ``ValueError`` if not every
    card of the deal is known.
    """
    acts = tuple(acts)
    if (
        not all(map(deal.is_hand_known, deal.seats))
        or len(deal.stock_cards) < deal.stock - deal.lies
    ):
        raise ValueError("not every card of the deal is known, so none can be laid anew")
    other = _replacements(deal, deal.place_of_seat(seat), _cards_in_view(deal, seat, acts), chance)
    for one in acts:
        yield _replace_cards_of_act(one.act, other) if one.line >= deal.line else one.act


def _cards_in_view(deal: Deal, seat: Seat, acts: Iterable[StandingAct]) -> Mask:
    """Cards whose place a seat knows: its own, those laid, and those that were shown."""
    seen = deal.held[deal.place_of_seat(seat)] | deal.played | mask_of(deal.swapped_away)
    for one in acts:
        match one.act:
            case ev.PintaTurned(card) if one.line >= deal.line:
                seen |= BIT[CARD[card]]
            case ev.CardsShown(_, cards) if one.line >= deal.line:
                seen |= mask_of(CARD[card] for card in cards)
            case _:
                pass
    for cante in deal.cantes:
        seen |= CANTE_PAIR[cante.suit] if cante.suit >= 0 and not cante.void else 0
    return seen


def _replacements(deal: Deal, own: int, seen: Mask, chance: random.Random) -> dict[str, str]:
    """Token of the card to put in place of each unseen card; empty if no arrangement was found."""
    owners = {card: _STOCK for card in deal.stock_cards if not BIT[card] & seen}
    for place, held in enumerate(deal.held):
        owners |= dict.fromkeys(cards_in(held & ~seen) if place != own else (), place)
    barred = dict.fromkeys((_STOCK, *range(len(deal.seats))), 0)
    for suspect in deal.suspects:
        barred[deal.place_of_seat(suspect.seat)] |= suspect.accusers
    for _ in range(_TRIES):
        if (found := _assign_cards_or_none(owners, barred, chance)) is not None:
            return {TOKENS[place]: TOKENS[card] for place, card in found.items()}
    return {}


def _assign_cards_or_none(
    owners: dict[Card, int], barred: dict[int, Mask], chance: random.Random
) -> dict[Card, Card] | None:
    """A random card for the place of each card, most restricted first; None if one fits nowhere."""
    cards = list(owners)
    chance.shuffle(cards)
    cards.sort(key=lambda card: -sum(bool(BIT[card] & mask) for mask in barred.values()))
    free, found = list(owners), dict[Card, Card]()
    for card in cards:
        fitting = [place for place in free if not barred[owners[place]] & BIT[card]]
        if not fitting:
            return None
        place = chance.choice(fitting)
        free.remove(place)
        found[place] = card
    return found


def _replace_cards_of_act(act: ev.TableAct, other: dict[str, str]) -> ev.TableAct:
    """The act, its cards of a hand, stock or draw replaced; other acts as they are."""
    match act:
        case ev.HandEntered(_, cards) | ev.StockEntered(cards):
            return replace(act, cards=tuple(other.get(card, card) for card in cards))
        case ev.CardDrawn(_, card) | ev.WrongDraw(_, _, card):
            return replace(act, card=other.get(card, card))
        case _:
            return act
