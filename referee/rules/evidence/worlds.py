"""Worlds: all possible distributions of the unseen cards, stored as one of them plus its exchanges.

Every card lies in one *place*: what a seat had in hand up to some moment, what it drew after that,
or the stock. A place has a number of cards and a mask of those that may lie there. A sight only
removes cards from such masks, so the possible distributions are the perfect matchings of cards and
places. One of them is kept as a witness; which card may lie where then follows from the cycles of
exchanges that the witness allows. That is exact: no sampling, no bound on the cards.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.rules.cards import Mask

Place = int
Places = int
"""A set of places as a bit mask."""

STOCK: Place = 0
ASIDE: Place = 1
"""Cards that a wrong deal leaves unaccounted for."""


class Impossible(Exception):  # noqa: N818 - it says what the record is
    """No distribution of the cards is possible."""


class Worlds:
    """Places with their sizes, the cards that may lie in each, and a witness.

    ``seats`` is the number of hands; the first place of seat ``i`` is ``2 + i``.
    """

    __slots__ = ("may", "owner", "sizes", "witness")

    def __init__(self, deck: Mask, sizes: tuple[int, ...], stock: int) -> None:
        aside = deck.bit_count() - sum(sizes) - stock
        self.owner = [-1, -1, *range(len(sizes))]
        self.sizes = [stock, aside, *sizes]
        self.may = [deck] * len(self.sizes)
        self.witness = [0] * len(self.sizes)
        self._assign_cards(deck)

    def copy(self) -> Worlds:
        """A copy that can be narrowed independently."""
        new = Worlds.__new__(Worlds)
        new.owner = self.owner[:]
        new.sizes = self.sizes[:]
        new.may = self.may[:]
        new.witness = self.witness[:]
        return new

    # --- what may be -----------------------------------------------------------------------------

    @property
    def placed_cards(self) -> Mask:
        """Cards that lie in some place."""
        found = 0
        for cards in self.witness:
            found |= cards
        return found

    def places_of_seat(self, seat: int) -> Places:
        """Every place of a seat, as a mask of places."""
        return sum(1 << place for place, owner in enumerate(self.owner) if owner == seat)

    def first_place_of(self, seat: int) -> Place:
        """Place of the cards that a seat was dealt."""
        return len((STOCK, ASIDE)) + seat

    def last_place_of(self, seat: int) -> Place:
        """Place of a seat that was opened last."""
        return self.places_of_seat(seat).bit_length() - 1

    def possible_cards_by_place(self) -> list[Mask]:
        """For each place, the cards that are there in some world.

        While hands count more cards than there are, nothing follows from their sizes.
        """
        if min(self.sizes) < 0:
            return [may & self.placed_cards for may in self.may]
        reach = self._reachable_places()
        movable = {places: self._witness_cards(places) for places in set(reach)}
        return [may & movable[places] for may, places in zip(self.may, reach, strict=True)]

    def _reachable_places(self) -> list[Places]:
        """For each place, the places that can be reached by moving cards."""
        steps = []
        for cards in self.witness:
            step = 0
            for to, may in enumerate(self.may) if cards else ():
                if cards & may:
                    step |= 1 << to
            steps.append(step)
        for middle, onward in enumerate(steps):
            bit = 1 << middle
            for place, step in enumerate(steps) if onward else ():
                if step & bit:
                    steps[place] = step | onward
        return steps

    def has_world_with_cards(self, inside: Mask, places: Places, outside: Mask = 0) -> bool:
        """Whether some world has all of ``inside`` within these places and none of ``outside``."""
        within = self._witness_cards(places)
        if inside & ~within == 0 and not outside & within:
            return True
        try:
            self.copy().require(inside, places, outside)
        except Impossible:
            return False
        return True

    def _witness_cards(self, places: Places) -> Mask:
        found = 0
        for place in _places_in(places):
            found |= self.witness[place]
        return found

    # --- what is seen ----------------------------------------------------------------------------

    def require(self, inside: Mask, places: Places, outside: Mask = 0) -> None:
        """Keep the worlds with all of ``inside`` within these places and none of ``outside``.

        :raises Impossible: there is none
        """
        loose = 0
        for place, cards in enumerate(self.witness):
            gone = outside if places >> place & 1 else inside
            if gone:
                self.may[place] &= ~gone
                loose |= cards & gone
                self.witness[place] = cards & ~gone
        self._assign_cards(loose)

    def take_out(self, card: Mask, places: Places) -> None:
        """Remove a card from one of these places, and reduce the size of the place.

        There must be one place, or the card must be known to be in it.

        :raises Impossible: it cannot lie there
        """
        self.require(card, places)
        place = next((p for p in _places_in(places) if self.witness[p] & card), -1)
        if place < 0:
            raise Impossible
        self.witness[place] &= ~card
        self.sizes[place] -= 1
        self.may = [may & ~card for may in self.may]

    def draw(self, place: Place) -> None:
        """Move an unseen card from the stock to a place."""
        self.resize_by(place, 1)

    def put_back_in_stock(self, place: Place) -> None:
        """Move the card of a draw that was not made from its place back to the stock."""
        self.sizes[STOCK] += 1
        self.sizes[place] -= 1
        loose, self.witness[place] = self.witness[place], 0
        self._assign_cards(loose)

    def open_empty_place(self, seat: int, may: Mask) -> Place:
        """A new place of a seat, empty as yet, for what it draws from now on."""
        self.owner.append(seat)
        self.sizes.append(0)
        self.may.append(may)
        self.witness.append(0)
        return len(self.owner) - 1

    def merge(self, places: Places, into: Place) -> None:
        """Move all cards of these places into one; the others stay empty and without a seat."""
        for place in _places_in(places & ~(1 << into)):
            self.sizes[into] += self.sizes[place]
            self.may[into] |= self.may[place]
            self.witness[into] |= self.witness[place]
            self.owner[place], self.sizes[place], self.may[place], self.witness[place] = -1, 0, 0, 0

    def put_in(self, cards: Mask, place: Place) -> None:
        """Put cards that were in no place into this one."""
        self.sizes[place] += cards.bit_count()
        self.may[place] |= cards
        self.witness[place] |= cards

    def split_off_card(self, place: Place) -> Place:
        """Move one card of a place, nobody knows which, to a new place."""
        self.owner.append(-1)
        self.sizes.append(1)
        self.may.append(self.may[place])
        self.sizes[place] -= 1
        card = self.witness[place] & -self.witness[place]
        self.witness[place] ^= card
        self.witness.append(card)
        return len(self.owner) - 1

    def resize_by(self, place: Place, more: int) -> None:
        """Change the size of a place; the difference comes from the stock.

        Without a stock the cards are set aside, or are missing until another hand gets smaller.
        """
        from_stock = min(more, self.sizes[STOCK]) if self.sizes[STOCK] else 0
        self.sizes[place] += more
        self.sizes[STOCK] -= from_stock
        self.sizes[ASIDE] -= more - from_stock
        loose = 0
        for at, size in enumerate(self.sizes):
            while self.witness[at].bit_count() > max(size, 0):
                bit = self.witness[at] & -self.witness[at]
                self.witness[at] ^= bit
                loose |= bit
        self._assign_cards(loose)

    # --- the witness -----------------------------------------------------------------------------

    def _assign_cards(self, loose: Mask) -> None:
        """Assign loose cards to allowed places, moving other cards where there is room."""
        while loose:
            card = loose & -loose
            loose ^= card
            self._assign_card(card)

    def _assign_card(self, card: Mask) -> None:
        """Assign one card along a shortest path over full places to one with room."""
        queue = [place for place, may in enumerate(self.may) if may & card]
        for place in queue:
            if self.witness[place].bit_count() < self.sizes[place]:
                self.witness[place] |= card
                return
        came = dict.fromkeys(queue, -1)
        for place in queue:
            for other, may in enumerate(self.may):
                if other not in came and self.witness[place] & may:
                    came[other] = place
                    if self.witness[other].bit_count() < self.sizes[other]:
                        self._move_along_path(card, other, came)
                        return
                    queue.append(other)
        raise Impossible

    def _move_along_path(self, card: Mask, place: Place, came: dict[Place, Place]) -> None:
        while (before := came[place]) >= 0:
            moved = self.witness[before] & self.may[place]
            moved &= -moved
            self.witness[before] ^= moved
            self.witness[place] |= moved
            place = before
        self.witness[place] |= card


def _places_in(mask: int) -> Iterator[int]:
    """Numbers of the places in a mask, lowest first."""
    while mask:
        bit = mask & -mask
        yield bit.bit_length() - 1
        mask ^= bit
