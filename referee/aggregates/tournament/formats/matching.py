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
                self._match_two(pair, free.pop(place))
        for pair in self._pairs:
            if pair not in self._mate:
                self._augment(pair)

    @property
    def alone_count(self) -> int:
        """Least number of pairs without an opponent."""
        return len(self._pairs) - len(self._mate)

    @property
    def opponent_by_pair(self) -> Mapping[Pair, Pair]:
        """The opponent of each pair that has one."""
        return self._mate

    def try_remove_opponents(self, one: Pair, other: Pair) -> bool:
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
            self._match_two(*mates)
        elif not self._augment(mates[0]):
            self._mate = before
            self._pairs |= {one: None, other: None}
            return False
        return True

    def _match_two(self, one: Pair, other: Pair) -> None:
        self._mate[one] = other
        self._mate[other] = one

    def _augment(self, root: Pair) -> bool:
        """Look for an augmenting path from a pair and apply it to the matching.

        Returns whether there is one.
        """
        search = _Search(root, self._mate)
        for pair in search.queue:
            met = self._met[pair]
            for other in self._pairs:
                if other == pair or other in met or search.is_step_in_blossom_or_match(pair, other):
                    continue
                if search.is_outer(other):
                    search.contract(pair, other)
                elif search.try_reach_free_pair(pair, other):
                    self._flip_path(search.reached_from, other)
                    return True
        return False

    def _flip_path(self, reached_from: _Links, end: Pair) -> None:
        here: Pair | None = end
        while here is not None:
            before = reached_from[here]
            following = self._mate.get(before)
            self._match_two(here, before)
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

    def _blossom_base(self, pair: Pair) -> Pair:
        return self._base.get(pair, pair)

    def is_step_in_blossom_or_match(self, pair: Pair, other: Pair) -> bool:
        """Whether this step stays in a blossom or follows a pairing, and so leads nowhere new."""
        return (
            self._blossom_base(pair) == self._blossom_base(other) or self._mate.get(pair) == other
        )

    def is_outer(self, pair: Pair) -> bool:
        """Whether a path of even length leads here."""
        mate = self._mate.get(pair)
        return pair == self.root or (mate is not None and mate in self.reached_from)

    def try_reach_free_pair(self, pair: Pair, other: Pair) -> bool:
        """Step to a pair not yet reached, and queue its opponent; returns whether it has none."""
        if other in self.reached_from:
            return False
        self.reached_from[other] = pair
        mate = self._mate.get(other)
        if mate is None:
            return True
        self._queue_as_outer(mate)
        return False

    def _queue_as_outer(self, pair: Pair) -> None:
        if pair not in self._outer:
            self._outer.add(pair)
            self.queue.append(pair)

    def contract(self, one: Pair, other: Pair) -> None:
        """Contract the blossom that this step closes."""
        base = self._common_base(one, other)
        ring: dict[Pair, None] = {}
        for start, child in ((one, other), (other, one)):
            self._mark_blossom_path(start, base, child, ring)
        for old in ring:
            for member in self._members.pop(old, [old]):
                self._base[member] = base
                self._members.setdefault(base, [base] if base not in ring else []).append(member)
                self._queue_as_outer(member)

    def _common_base(self, one: Pair, other: Pair) -> Pair:
        seen = set()
        here = self._blossom_base(one)
        while True:
            seen.add(here)
            if here == self.root:
                break
            here = self._blossom_base(self.reached_from[self._mate[here]])
        here = self._blossom_base(other)
        while here not in seen:
            here = self._blossom_base(self.reached_from[self._mate[here]])
        return here

    def _mark_blossom_path(
        self, pair: Pair, base: Pair, child: Pair, ring: dict[Pair, None]
    ) -> None:
        while self._blossom_base(pair) != base:
            mate = self._mate[pair]
            ring[self._blossom_base(pair)] = ring[self._blossom_base(mate)] = None
            self.reached_from[pair] = child
            child = mate
            pair = self.reached_from[mate]
