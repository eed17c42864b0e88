"""Whether all pairs can meet a new opponent: a maximum matching, updated as pairs are removed.

Edmonds' search for augmenting paths with blossoms, over the pairs that have not met.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from referee.aggregates.tournament.field import Pair

_Links = dict[Pair, Pair]


class Matching:
    """A maximum matching of pairs that have not met."""

    def __init__(self, pairs: Iterable[Pair], met: Mapping[Pair, Collection[Pair]]) -> None:
        self._met = met
        self._mate: _Links = {}
        self._pairs: dict[Pair, None] = dict.fromkeys(pairs)
        free = list(self._pairs)
        while free:
            pair = free.pop(0)
            place = next((i for i, other in enumerate(free) if other not in met[pair]), None)
            if place is not None:
                self._join(pair, free.pop(place))
        for pair in self._pairs:
            if pair not in self._mate:
                self._augment(pair)

    @property
    def alone(self) -> int:
        """Least number of pairs without an opponent."""
        return len(self._pairs) - len(self._mate)

    @property
    def opponents(self) -> Mapping[Pair, Pair]:
        """The opponent of each pair that has one."""
        return self._mate

    def take(self, one: Pair, other: Pair) -> bool:
        """Remove two pairs if all others still have an opponent, and return whether they do.

        The matching must be perfect before.
        """
        mates = (self._mate[one], self._mate[other])
        before = None
        if mates[0] != other and mates[1] in self._met[mates[0]]:
            before = dict(self._mate)
        for pair in (one, other):
            del self._pairs[pair]
            del self._mate[pair]
        if mates[0] == other:
            return True
        for pair in mates:
            del self._mate[pair]
        if before is None:
            self._join(*mates)
        elif not self._augment(mates[0]):
            self._mate = before
            self._pairs |= {one: None, other: None}
            return False
        return True

    def _join(self, one: Pair, other: Pair) -> None:
        self._mate[one] = other
        self._mate[other] = one

    def _augment(self, root: Pair) -> bool:
        """Whether an augmenting path from here was found; it is applied to the matching."""
        search = _Search(root, self._mate)
        for pair in search.queue:
            met = self._met[pair]
            for other in self._pairs:
                if other == pair or other in met or search.is_looked_at(pair, other):
                    continue
                if search.is_outer(other):
                    search.contract(pair, other)
                elif search.reach(pair, other):
                    self._turn(search.reached_from, other)
                    return True
        return False

    def _turn(self, reached_from: _Links, end: Pair) -> None:
        here: Pair | None = end
        while here is not None:
            before = reached_from[here]
            following = self._mate.get(before)
            self._join(here, before)
            here = following


class _Search:
    """A tree of alternating paths; a blossom (an odd cycle) is contracted to its base."""

    def __init__(self, root: Pair, mate: Mapping[Pair, Pair]) -> None:
        self.root = root
        self.queue = [root]
        self.reached_from: _Links = {}
        self._mate = mate
        self._outer = {root}
        self._base: _Links = {}
        self._members: dict[Pair, list[Pair]] = {}

    def _base_of(self, pair: Pair) -> Pair:
        return self._base.get(pair, pair)

    def is_looked_at(self, pair: Pair, other: Pair) -> bool:
        """Whether this step leads to a vertex that was visited."""
        return self._base_of(pair) == self._base_of(other) or self._mate.get(pair) == other

    def is_outer(self, pair: Pair) -> bool:
        """Whether a path of even length leads here."""
        mate = self._mate.get(pair)
        return pair == self.root or (mate is not None and mate in self.reached_from)

    def reach(self, pair: Pair, other: Pair) -> bool:
        """Step to an unvisited pair and on to its opponent; returns whether it has none."""
        if other in self.reached_from:
            return False
        self.reached_from[other] = pair
        mate = self._mate.get(other)
        if mate is None:
            return True
        self._add(mate)
        return False

    def _add(self, pair: Pair) -> None:
        if pair not in self._outer:
            self._outer.add(pair)
            self.queue.append(pair)

    def contract(self, one: Pair, other: Pair) -> None:
        """Contract the blossom that this step closes."""
        base = self._meeting_point(one, other)
        ring: dict[Pair, None] = {}
        for start, child in ((one, other), (other, one)):
            self._mark(start, base, child, ring)
        for old in ring:
            for member in self._members.pop(old, [old]):
                self._base[member] = base
                self._members.setdefault(base, [base] if base not in ring else []).append(member)
                self._add(member)

    def _meeting_point(self, one: Pair, other: Pair) -> Pair:
        seen = set()
        here = self._base_of(one)
        while True:
            seen.add(here)
            if here == self.root:
                break
            here = self._base_of(self.reached_from[self._mate[here]])
        here = self._base_of(other)
        while here not in seen:
            here = self._base_of(self.reached_from[self._mate[here]])
        return here

    def _mark(self, pair: Pair, base: Pair, child: Pair, ring: dict[Pair, None]) -> None:
        while self._base_of(pair) != base:
            mate = self._mate[pair]
            ring[self._base_of(pair)] = ring[self._base_of(mate)] = None
            self.reached_from[pair] = child
            child = mate
            pair = self.reached_from[mate]
