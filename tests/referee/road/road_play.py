"""Roads for the tests: acts recorded one after another, as the handler records them."""

from __future__ import annotations

from referee.aggregates.road import INITIAL, Road, decide, entries_of_road, evolve
from referee.events.road import ListTaken, QualifierAdded, RoadAct, RoadOpened
from referee.events.tournament import ListedPair

FINAL = "11111111-1111-4111-8111-111111111111"
KEY = "guinote/9f86d081+9f86d081+AQAB"


class RoadPlay:
    """A road to which acts are done. A pair is named by a letter, its players by it twice."""

    def __init__(self, places: int = 8) -> None:
        self.state: Road = INITIAL
        self.do(RoadOpened("name", FINAL, places))

    def do(self, *acts: RoadAct) -> None:
        for act in acts:
            (event,) = decide(act, self.state)
            self.state = evolve(self.state, event)

    def qualify(self, tournament: str, places: int, pairs: str) -> None:
        """A qualifier of this house, and its list."""
        self.do(QualifierAdded("bar", places, tournament))
        self.do(ListTaken(str(len(self.state.qualifiers)), listed(pairs)))

    def standings(self) -> dict[str, str]:
        """How each pair on the road stands, by its place: ``1-a``."""
        return {one.id: one.standing for one in entries_of_road(self.state)}

    def holding(self) -> str:
        """Letters of those with a place, in the order of the road."""
        return "".join(one.players[0][0] for one in entries_of_road(self.state) if one.has_place)


def players(letter: str) -> tuple[str, str]:
    return f"{letter}1", f"{letter}2"


def listed(pairs: str) -> tuple[ListedPair, ...]:
    """A list of pairs, the best first."""
    return tuple(ListedPair(at, one, players(one)) for at, one in enumerate(pairs, 1))
