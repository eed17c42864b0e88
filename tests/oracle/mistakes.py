"""Slips of the recorder: whether one of them would explain a breach (section 6).

A slip: two seats exchanged within a trick, or a card taken for a neighbour on the pad, where the suits
are rows. The record with the slip put right must be possible and in order, without this breach
and without a new one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from tests.oracle.law import SUITS, accusers, lawful_cards
from tests.oracle.reading import Act, Deal, laid, once
from tests.oracle.worlds import known_of, worlds_of

PAD = {40: "24567CSR3A", 48: "2456789CSR3A"}
"""Places of the ranks in a row of the pad."""
SHOWS = ("cartas", "ensena", "ahora")


@once
def is_slip(deal: Deal, play: Act) -> bool:
    """Whether one slip would explain the breach of this play."""
    before = seen_breaches(deal) | {play.line}
    for changes in _slips(deal, play):
        acts = [
            act._replace(cards=(changes[act.line],)) if act.line in changes else act
            for act in deal.acts
        ]
        other = Deal(deal.rules, acts)
        if _is_orderly(other) and play.line not in seen_breaches(other) < before:
            if worlds_of(other):
                return True
    return False


def seen_breaches(deal: Deal) -> set[int]:
    """Lines of the plays against a card that the same hand held, as shown or laid later."""
    known, later = known_of(deal, True), {seat: set[str]() for seat in deal.rules.seats}
    public = {move.card: move.seat for move in known.moves} | {known.lying: known.last_drawer}
    if not known.last_drawer:
        public[known.lying] = known.moves[-1].seat
    played = {act.cards[0] for act in deal.acts if act.word == "play"}
    for card, seat in public.items():
        if seat and card not in played:
            later[seat].add(card)
    for act in deal.acts:
        if act.word in SHOWS:
            later[act.seat] |= set(act.cards) - played
    found = set()
    for act in reversed(deal.acts):
        if act.word == "play":
            number, before = deal.position(act)
            if number <= deal.gaps:
                break
            hand = {*later[act.seat], *act.cards}
            may = lawful_cards(hand, laid(before), act.seat, deal.trump, deal.rules)
            if act.cards[0] not in may:
                found.add(act.line)
            later[act.seat] |= set(act.cards)
    return found


def _slips(deal: Deal, play: Act) -> Iterator[dict[int, str]]:
    """What one slip changes: the card that was really laid at each line.

    It is one in the trick of the play, or of a card that proves the breach: entered as another where
    it proves, or laid before and entered as another then.
    """
    plays = [act for act in deal.acts if act.word == "play"]
    number, before = deal.position(play)
    against = accusers(play.cards[0], laid(before), play.seat, deal.trump, deal.rules)
    proofs = [act for act in plays if act.seat == play.seat and act.cards[0] in against]
    near = {act.line for act in (*deal.tricks[number - 1], *proofs)}
    for trick in deal.tricks:
        if any(act.line in near for act in trick):
            for one, other in combinations(trick, 2):
                yield {one.line: other.cards[0], other.line: one.cards[0]}
    where = {act.cards[0]: act.line for act in plays}
    for act in plays:
        for card in _neighbours(act.cards[0], deal):
            changes = {act.line: card} | ({where[card]: act.cards[0]} if card in where else {})
            if near & changes.keys() or (act.seat == play.seat and card in against):
                yield changes


def _neighbours(card: str, deal: Deal) -> Iterator[str]:
    """Cards beside a card on the pad."""
    ranks, at = PAD[deal.rules.deck], PAD[deal.rules.deck].index(card[0])
    row = SUITS.index(card[1])
    for rank in ranks[max(at - 1, 0) : at] + ranks[at + 1 : at + 2]:
        yield rank + card[1]
    for suit in SUITS[max(row - 1, 0) : row] + SUITS[row + 1 : row + 2]:
        yield card[0] + suit


def _is_orderly(deal: Deal) -> bool:
    try:
        deal.assert_orderly()
    except AssertionError:
        return False
    return True
