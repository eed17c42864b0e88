"""Commands to what the club publishes, and to rankings between clubs."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from referee.aggregates.publication import Publication
from referee.aggregates.publication import decide as decide_publication
from referee.aggregates.ranking import Ranking
from referee.aggregates.ranking import decide as decide_ranking
from referee.events.rankings import PublicationAct, RankingAct, RankingOpened
from referee.handlers.handler import Handler
from referee.kinds import PUBLICATION, PUBLICATION_ID, RANKING
from referee.log.streams import Answer, PendingWrite, WriteMetadata


class PublicationHandler(Handler):
    """Reads and records what the club publishes."""

    def publication(self) -> Publication:
        """State of what the club publishes: who agreed, what went out; empty at first."""
        return self._writer.stream_or_empty(PUBLICATION, PUBLICATION_ID).state

    def record(
        self, acts: Sequence[PublicationAct], meta: WriteMetadata, expected: int | None = None
    ) -> Answer:
        """Record acts about what the club publishes, all or none.

        :raises Refused: one of them cannot be so
        :raises Stale: it is at another version than expected
        """
        return self._writer.plan_and_save(self._plan_acts, meta, acts, expected)

    def _plan_acts(self, acts: Sequence[PublicationAct], expected: int | None) -> PendingWrite:
        stream = self._writer.stream_or_empty(PUBLICATION, PUBLICATION_ID, expected)
        return PendingWrite(*PUBLICATION.grow_and_place_by_acts(stream, acts, decide_publication))


class RankingHandler(Handler):
    """Reads and records rankings between clubs."""

    def ranking_between_clubs(self, ranking_id: UUID) -> Ranking:
        """A ranking as it stands now.

        :raises NotFound: no ranking has this id
        """
        return self._writer.stream(RANKING, ranking_id).state

    def open(self, opened: RankingOpened, meta: WriteMetadata) -> Answer:
        """Record a new ranking; the answer has its id."""
        return self._writer.plan_and_save(self._plan_opening, meta, self._writer.new_id(), opened)

    def record(
        self,
        ranking_id: UUID,
        acts: Sequence[RankingAct],
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """Record acts of a ranking, all or none.

        :raises Refused: one of them is impossible
        :raises Stale: it is at another version than expected
        """
        return self._writer.plan_and_save(self._plan_acts, meta, ranking_id, acts, expected)

    def state_after_acts(self, ranking_id: UUID, acts: Sequence[RankingAct]) -> Ranking:
        """The ranking as it would stand after some acts; nothing is recorded.

        :raises Refused: one of them is impossible
        """
        state: Ranking = self._plan_acts(ranking_id, acts, None).main.state
        return state

    def _plan_opening(self, ranking_id: UUID, opened: RankingOpened) -> PendingWrite:
        return PendingWrite(
            *RANKING.grow_and_place_by_acts(
                RANKING.empty_stream(ranking_id), (opened,), decide_ranking
            )
        )

    def _plan_acts(
        self, ranking_id: UUID, acts: Sequence[RankingAct], expected: int | None
    ) -> PendingWrite:
        stream = self._writer.stream(RANKING, ranking_id, expected)
        return PendingWrite(*RANKING.grow_and_place_by_acts(stream, acts, decide_ranking))
