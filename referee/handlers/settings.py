"""Commands to the settings of the club."""

from __future__ import annotations

from collections.abc import Sequence

from referee.aggregates.settings import ClubSettings
from referee.events import FourEyes, PuzzleAudience, SettingsAct
from referee.handlers.handler import Handler
from referee.kinds import SETTINGS, SETTINGS_ID
from referee.log.streams import Answer, PendingWrite, WriteMetadata


class SettingsHandler(Handler):
    """Reads and records the settings of the club."""

    def settings(self) -> ClubSettings:
        """The settings as they stand now."""
        return self._writer.stream_or_empty(SETTINGS, SETTINGS_ID).state

    def four_eyes(self) -> FourEyes:
        """What the club chose about two persons, as it is in force now."""
        return self.settings().four_eyes_in_force

    def time_zone(self) -> str:
        """Name of the time zone of the club, as it is in force now."""
        return self.settings().time_zone_in_force

    def is_league_public(self) -> bool:
        """Whether everybody finds the league, also without an account."""
        return self.settings().league_audience_in_force == "everybody"

    def puzzle_audience(self) -> PuzzleAudience:
        """Who is shown the problem of the week, as it is in force now."""
        return self.settings().puzzle_audience_in_force

    def is_deal_luck_shown(self) -> bool:
        """Whether seasons show the luck of the deals."""
        return self.settings().deal_luck_in_force == "shown"

    def choose(
        self, acts: Sequence[SettingsAct], meta: WriteMetadata, expected: int | None = None
    ) -> Answer:
        """Record choices that were made together.

        :raises Stale: the settings are at another version than expected
        """
        return self._writer.write(self._plan, meta, acts, expected)

    def _plan(self, acts: Sequence[SettingsAct], expected: int | None) -> PendingWrite:
        stream = self._writer.stream_or_empty(SETTINGS, SETTINGS_ID, expected)
        return PendingWrite(*SETTINGS.grow(stream, acts))
