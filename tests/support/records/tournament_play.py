"""Tournaments for the tests: acts recorded one after another, results by strength."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from projections.tournaments.view import tournament_view
from referee.aggregates.tournament.decider import decide
from referee.aggregates.tournament.entries import pairs_by_strength
from referee.aggregates.tournament.evolution import evolve
from referee.aggregates.tournament.lots import commitment_of_lots
from referee.aggregates.tournament.state import INITIAL, Meeting, Tournament, lots_to_draw
from referee.events import FrozenProfile
from referee.events.tournament import (
    CorrectionSettled,
    DrawCommitted,
    Format,
    LotsDrawn,
    PairEntered,
    PhaseBegun,
    ResultTold,
    RoundDrawn,
    TournamentAct,
    TournamentOpened,
    TournamentPlan,
)

PROFILE = FrozenProfile("club", "2026", "h" * 64, {"players": 4, "deck": 40})
SEED = "5eed" * 8
ID = "6f1c2a54-0d7a-4a51-9a0a-4b7f5c1f3e11"
PLANS: dict[Format, dict[str, Any]] = {
    "swiss": {"rounds": 3},
    "round_robin": {},
    "knock_out": {},
    "groups": {"groups": 2, "qualify": 2},
}


class Play:
    """A tournament to which acts are done; every event is kept."""

    def __init__(
        self, plan: TournamentPlan | Format = "swiss", pairs: int = 8, **more: Any
    ) -> None:
        if not isinstance(plan, TournamentPlan):
            plan = TournamentPlan(plan, **{**PLANS[plan], **more})
        self.events: list[Any] = []
        self.state: Tournament = INITIAL
        self.do(TournamentOpened("name", PROFILE, plan))
        for _ in range(pairs):
            self.enter()

    def do(self, act: TournamentAct) -> Any:
        (event,) = decide(act, self.state)
        self.tell(event)
        return event

    def tell(self, event: Any) -> None:
        self.events.append(event)
        self.state = evolve(self.state, event)

    def enter(self, strength: int | None = None) -> None:
        number = self.state.entered + 1
        players = (f"{number}a", f"{number}b")
        self.do(PairEntered("", players, 1000 - number if strength is None else strength))

    def draw(self, seeded: int | None = None, word_from: str = "") -> None:
        count = len(self.state.entries) if seeded is None else seeded
        about = DrawCommitted(ID, pairs_by_strength(self.state), "", "sealed", count, word_from)
        commitment = commitment_of_lots(lots_to_draw(self.state, about), SEED).commitment
        self.do(DrawCommitted(ID, (), commitment, "sealed", count, word_from))
        self.do(LotsDrawn(SEED, "4711" if word_from else ""))

    def open(self) -> list[Meeting]:
        return [one for one in self.state.meetings.values() if one.is_open]

    def win(self, meeting: str, winner: str, **more: Any) -> None:
        self.do(ResultTold(meeting, winner, **more))

    def play_open(self, wins: Callable[[Meeting], str] | None = None) -> None:
        """Play open meetings until none is left; by default the lower number wins."""
        while self.open():
            for one in self.open():
                winner = min(one.pairs, key=int) if wins is None else wins(one)
                cotos = (2, 1) if winner == one.pairs[0] else (1, 2)
                self.win(one.id, winner, cotos=cotos)

    def play_out(self) -> None:
        """Every round to the end."""
        plan = self.state.plan
        if plan.format != "knock_out":
            while len(self.state.rounds) < self.rounds():
                self.do(RoundDrawn(0))
                self.play_open()
        if plan.format == "groups":
            self.do(PhaseBegun())
        self.play_open()

    def rounds(self) -> int:
        plan = self.state.plan
        if plan.format == "swiss":
            return plan.rounds
        size = -(-len(self.state.entries) // max(1, plan.groups))
        return size - 1 + size % 2

    def settle(self, meeting: str, what: Any) -> Any:
        return self.do(CorrectionSettled(meeting, what))

    def view(self) -> Any:
        """The public view, as it is read."""
        return msgspec.json.decode(msgspec.json.encode(tournament_view(ID, self.state)))
