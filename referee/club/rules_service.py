"""Rules of the club: one stream for all its sets of rules."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from referee.club import rules
from referee.club.rules import RulesOfClub
from referee.events import RulesAct
from referee.log.streams import Answer, PendingWrite, StreamKind, WriteMetadata, refuse_stale
from referee.log.writer import Writer

RULES: StreamKind[RulesOfClub] = StreamKind(rules.INITIAL, rules.evolve, RulesAct)
RULES_ID: Final = UUID("6c1e6a2e-0f0a-5c55-9b52-6e6f726d6173")
"""Id of the one stream of a club in which its rules are recorded."""


class RulesService:
    """Reads and records the rules of the club."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def rules(self) -> RulesOfClub:
        """The sets of rules as they stand now."""
        return self._writer.stream_or_empty(RULES, RULES_ID).state

    def note(self, act: RulesAct, meta: WriteMetadata, expected: int | None = None) -> Answer:
        """Record an act.

        :raises Refused: it cannot be so
        :raises Stale: the rules are at another version than expected
        """

        def draft() -> PendingWrite:
            stream = self._writer.stream_or_empty(RULES, RULES_ID)
            refuse_stale(stream.state.version, expected)
            return PendingWrite(*RULES.grow(stream, rules.decide(act, stream.state)))

        return self._writer.write(draft, meta)
