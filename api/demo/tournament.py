"""The tournament of the demonstration: eight pairs, Swiss, in the middle of its second round."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from referee.aggregates.tournament.entries import commit_draw
from referee.aggregates.tournament.state import Meeting, Tournament
from referee.application import Referee
from referee.events import PersonId
from referee.events.tournament import (
    ClockStarted,
    LotsDrawn,
    PairEntered,
    ResultTold,
    RoundDrawn,
    TableCalled,
    TablesAssigned,
    TournamentAct,
    TournamentOpened,
    TournamentPlan,
)
from referee.log.mapper import timestamp
from referee.log.streams import WriteMetadata
from referee.people.persons import Persons

PLAN: Final = TournamentPlan("swiss", rounds=3, minutes=50)
_SEED: Final = "guinote-demo-sorteo"
_SEEDED_COUNT: Final = 2
_COTOS: Final = ((2, 0), (2, 1), (0, 2), (1, 2))
_PARTIDAS: Final = ((8, 3), (9, 7), (2, 8), (6, 9))


class DemoTournament:
    """One tournament, from its opening to its second round."""

    def __init__(self, referee: Referee, persons: Persons, meta: WriteMetadata) -> None:
        self._referee, self._persons, self._meta = referee, persons, meta
        self._id = UUID(int=0)
        self._chance = random.Random("guinote demo tournament")  # noqa: S311 - made-up results

    def play(self, opened: TournamentOpened, players: Sequence[PersonId]) -> None:
        """Record entries, a committed and revealed draw, a whole round and half of the next."""
        self._id = self._referee.tournaments.open(opened, self._meta).id
        pairs = zip(players[::2], players[1::2], strict=True)
        self._do(*(PairEntered("", pair) for pair in pairs))
        kept = self._persons.put_text(_SEED)
        self._do(
            commit_draw(self._now, str(self._id), _SEED, kept=kept, seeded_count=_SEEDED_COUNT)
        )
        self._do(LotsDrawn(_SEED))
        self._do(RoundDrawn(0))
        self._tell(self._round(1))
        self._do(RoundDrawn(0))
        running = self._round(2)
        tables = tuple((one.id, at) for at, one in enumerate(running, 1))
        self._do(TablesAssigned(tables), *(TableCalled(one.id) for one in running))
        self._do(ClockStarted(2, PLAN.minutes, timestamp(self._meta.at)))
        self._tell(running[:1])
        self._referee.tournaments.hold_meeting(self._id, running[-1].id, self._meta)

    def _tell(self, meetings: Sequence[Meeting]) -> None:
        """Results on paper."""
        for one in meetings:
            cotos, partidas = self._chance.choice(list(zip(_COTOS, _PARTIDAS, strict=True)))
            winner = one.pairs[cotos[0] < cotos[1]]
            self._do(ResultTold(one.id, winner, cotos, partidas))

    @property
    def _now(self) -> Tournament:
        return self._referee.tournaments.tournament(self._id)

    def _round(self, number: int) -> list[Meeting]:
        return [one for one in self._now.meetings.values() if one.round == number]

    def _do(self, *acts: TournamentAct) -> None:
        self._referee.tournaments.direct(self._id, acts, self._meta)
