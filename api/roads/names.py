"""Names on the list of another house: who of the road or of this house is meant, and who is new."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from api.club.name_matches import KnownNames
from api.club.views import players
from api.http.names import fold_name
from api.http.services import PendingTexts, current_services
from referee.aggregates.road import Road
from referee.events import PersonId
from referee.events.road import QualifierId


class ListNames:
    """Who is meant by the names of a list.

    A pair with both names of one on the road is that pair. Another name means the player of the
    house who alone has it; but those who share it on this list are all new, and so is a namesake of
    somebody who came to the road otherwise, unless it is one of ``same``.
    """

    def __init__(
        self,
        state: Road,
        qualifier: QualifierId,
        pairs: Sequence[tuple[str, ...]],
        same: Iterable[str] = (),
    ) -> None:
        own = state.qualifiers.get(qualifier)
        self._pairs, self._same = pairs, {*map(fold_name, same)}
        self._known = KnownNames(players())
        before = [one.players for one in own.taken.pairs] if own and own.taken else []
        others = [one.players for one in state.invitations.values()]
        for one in state.qualifiers.values():
            if one.id != qualifier and one.taken is not None:
                others += [listed.players for listed in one.taken.pairs]
        on_road = dict.fromkeys([*before, *others])
        self._names = current_services().persons.names_of({w: None for p in on_road for w in p})
        self._there = self._by_names(on_road)
        self._others = dict.fromkeys(who for pair in others for who in pair)
        self._times = Counter(self._identity(name) for names in pairs for name in names)

    def persons(self, put: PendingTexts) -> list[tuple[PersonId, ...]]:
        """The players of each pair; new ones are stored."""
        there = {names: iter(found) for names, found in self._there.items()}
        found: list[tuple[PersonId, ...]] = [
            next(there.get(_fold_names(names), iter(())), ()) or tuple(map(self._meant, names))
            for names in self._pairs
        ]
        both = zip(self._pairs, found, strict=True)
        new = [n for names, pair in both for n, who in zip(names, pair, strict=False) if not who]
        made = iter(put.persons(new))
        return [tuple(who or next(made) for who in pair) for pair in found]

    def namesakes(self) -> list[str]:
        """Names that are taken as new, though one person of another list has them."""
        strange = [names for names in self._pairs if _fold_names(names) not in self._there]
        every = [
            name for names in strange for name in names if self._times[self._identity(name)] == 1
        ]
        return [one for one in every if len(self._elsewhere(one)) == 1 and not self._meant(one)]

    def _by_names(
        self, pairs: Iterable[tuple[PersonId, ...]]
    ) -> dict[tuple[str, ...], list[tuple[PersonId, ...]]]:
        found = defaultdict(list)
        for pair in pairs:
            found[_fold_names(self._names[one] or one for one in pair)].append(pair)
        return dict(found)

    def _meant(self, name: str) -> PersonId:
        """Who has a name; empty for somebody new."""
        if self._times[self._identity(name)] > 1:
            return ""
        if elsewhere := self._elsewhere(name):
            is_same = fold_name(name) in self._same and len(elsewhere) == 1
            return elsewhere[0] if is_same else ""
        return self._of_house(name)

    def _elsewhere(self, name: str) -> list[PersonId]:
        """Persons with a name who came to the road otherwise."""
        folded, here = fold_name(name), self._of_house(name)
        return [
            one
            for one in self._others
            if one == here or fold_name(self._names[one] or "") == folded
        ]

    def _of_house(self, name: str) -> PersonId:
        found = self._known.same(name)
        return found[0].player if len(found) == 1 else ""

    def _identity(self, name: str) -> str:
        return self._of_house(name) or fold_name(name)


def _fold_names(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(map(fold_name, names)))
