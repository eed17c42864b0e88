"""Cards matched with slots: whether there is a world, without listing worlds."""

from __future__ import annotations

from dataclasses import dataclass, field

Slots = int
"""A set of slots, a bit for each."""


@dataclass
class Matching:
    """Cards in slots, no more in one than it has; ``free`` are those with room left."""

    room: dict[Slots, int]
    free: Slots
    lies: dict[str, Slots] = field(default_factory=dict)

    def copy(self) -> Matching:
        """The same, to be changed."""
        return Matching(self.room.copy(), self.free, self.lies.copy())

    def put(self, card: str, allowed: dict[str, Slots]) -> bool:
        """Find a slot for a card, moving others where needed."""
        return self._put(card, allowed, [0])

    def _put(self, card: str, allowed: dict[str, Slots], seen: list[Slots]) -> bool:
        """Put a card, without the slots ``seen`` by this augmenting path."""
        if free := allowed[card] & self.free:
            self._lay(card, free & -free)
            return True
        while rest := allowed[card] & ~seen[0]:
            slot = rest & -rest
            seen[0] |= slot
            for other in [one for one, at in self.lies.items() if at == slot]:
                if self._put(other, allowed, seen):
                    self.lies[card] = slot
                    return True
        return False

    def _lay(self, card: str, slot: Slots) -> None:
        self.lies[card] = slot
        self.room[slot] -= 1
        if not self.room[slot]:
            self.free &= ~slot

    def take(self, card: str) -> None:
        """Take a card out of its slot."""
        slot = self.lies.pop(card)
        self.room[slot] += 1
        self.free |= slot
