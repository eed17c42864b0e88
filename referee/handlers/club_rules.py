"""Commands to the rules of the club."""

from __future__ import annotations

from referee.aggregates import club_rules as rules
from referee.aggregates.club_rules import RulesOfClub
from referee.events import RulesAct
from referee.handlers.handler import Handler
from referee.kinds import RULES, RULES_ID
from referee.log.streams import Answer, PendingWrite, WriteMetadata


class RulesHandler(Handler):
    """Reads and records the rules of the club."""

    def rules(self) -> RulesOfClub:
        """The sets of rules as they stand now."""
        return self._writer.stream_or_empty(RULES, RULES_ID).state

    def note(self, act: RulesAct, meta: WriteMetadata, expected: int | None = None) -> Answer:
        """Record an act.

        :raises Refused: it cannot be so
        :raises Stale: the rules are at another version than expected
        """
        return self._writer.write(self._plan, meta, act, expected)

    def _plan(self, act: RulesAct, expected: int | None) -> PendingWrite:
        stream = self._writer.stream_or_empty(RULES, RULES_ID, expected)
        return PendingWrite(*RULES.grow(stream, rules.decide(act, stream.state)))
