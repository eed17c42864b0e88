"""Cantes that public facts alone disprove.

Public of a running deal are its announcements: the pinta and who swapped it, the cantes and the
cards shown with them, and how many tricks are closed. The cards laid, drawn and entered are not:
no act that names them is read here, so two logs that differ only in these give the same answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import dropwhile

from referee import events as ev
from referee.rules.cards import BIT, CANTE_PAIR, CARD, SUITS, Card, Mask, cards_in
from referee.rules.profile.options import EARLIER_LAW, Options, card_for_swap
from referee.rules.seats import Seat
from referee.table.readings import StandingAct
from referee.table.state import HIDDEN, NO_CARD, Cante, Deal, Line


def lines_of_false_cantes(
    deal: Deal, acts: Iterable[StandingAct], options: Options
) -> frozenset[Line]:
    """Lines of the cantes of a running deal that public facts prove false.

    ``acts``: Those of the partida.

    None under the earlier law, which let a cante count that was disproved later.
    """
    if options.law == EARLIER_LAW:
        return frozenset()
    seen = _PublicCards(deal, options)
    cantes = {cante.line: cante for cante in deal.cantes}
    for entry in dropwhile(lambda entry: entry.line != deal.line, acts):
        if isinstance(entry.act, ev.CanteAnnounced):
            seen.hear(cantes[entry.line], entry.act)
        else:
            seen.note_pinta_act(entry.act)
    return frozenset(cante.line for cante in deal.cantes if seen.disproves(cante))


@dataclass
class _PublicCards:
    """What the public knows of the cards: the pinta on the table, and cards of known seats.

    ``keepers``: seats that have, or had, a card; ``lay``: lines of cantes sung while a card of
    theirs lay on the table.
    """

    deal: Deal
    options: Options
    lying: Card = NO_CARD
    keepers: dict[Card, Seat] = field(default_factory=dict)
    lay: set[Line] = field(default_factory=set)

    def note_pinta_act(self, act: ev.TableAct) -> None:
        """Note a pinta that is turned, swapped or drawn."""
        match act:
            case ev.PintaTurned() if self.options.pinta_from == "dealers_last_card":
                self.keepers[CARD[act.card]] = self.deal.dealer
            case ev.PintaTurned():
                self.lying = CARD[act.card]
            case ev.PintaSwapped():
                self.keepers[self.lying] = act.seat
                trump = self.deal.trump
                self.lying = CARD[act.card] if act.card else card_for_swap(self.options, trump)
            case ev.CardDrawn() | ev.WrongDraw() if self._takes_pinta(act):
                self.lying = NO_CARD
            case _:
                pass

    def hear(self, cante: Cante, act: ev.CanteAnnounced) -> None:
        """Note a cante, and its cards if they are shown."""
        pair = _cante_cards(cante)
        if (
            self.lying != NO_CARD
            and self._is_pinta_undrawn_at_cante(cante)
            and pair & BIT[self.lying]
        ):
            self.lay.add(cante.line)
        elif act.suit and act.shown is True:
            for card in cards_in(pair):
                self.keepers.setdefault(card, act.seat)

    def disproves(self, cante: Cante) -> bool:
        """Whether a cante is false.

        In each possible suit, rey or sota lay on the table or is another seat's.

        A card never goes from hand to hand; what is laid down for the pinta is no rey or sota.
        """
        sides = (suit for suit in range(len(SUITS)) if suit != self.deal.trump)
        pairs = [CANTE_PAIR[suit] for suit in (sides if cante.suit == HIDDEN else (cante.suit,))]
        return cante.line in self.lay or all(
            self._is_any_card_elsewhere(pair, cante.seat) for pair in pairs
        )

    def _is_any_card_elsewhere(self, pair: Mask, seat: Seat) -> bool:
        """Whether one of the cards is known to be, or to have been, in another hand."""
        return any(self.keepers.get(card, seat) != seat for card in cards_in(pair))

    def _takes_pinta(self, act: ev.CardDrawn | ev.WrongDraw) -> bool:
        """Whether everybody saw that this draw took the pinta."""
        is_early = isinstance(act, ev.WrongDraw) and act.fault == "pinta_early"
        return is_early or (bool(act.card) and CARD[act.card] == self.lying)

    def _is_pinta_undrawn_at_cante(self, cante: Cante) -> bool:
        """Whether the last draw cannot have come yet when a cante was sung."""
        stock = self.options.stock_size
        return not stock or cante.trick * self.options.players < stock


def _cante_cards(cante: Cante) -> Mask:
    """Rey and sota of the suit of a cante; no card for a hidden suit."""
    return 0 if cante.suit == HIDDEN else CANTE_PAIR[cante.suit]
