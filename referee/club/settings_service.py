"""Settings: one stream for the whole club."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from referee.club import settings
from referee.club.settings import ClubSettings
from referee.events import FourEyes, PuzzleAudience, SettingsAct
from referee.log.streams import Answer, PendingWrite, StreamKind, WriteMetadata, refuse_stale
from referee.log.writer import Writer

SETTINGS: StreamKind[ClubSettings] = StreamKind(settings.INITIAL, settings.evolve, SettingsAct)
SETTINGS_ID: Final = UUID("6c1e6a2e-0f0a-5c55-9b52-616a75737465")
"""Id of the one stream of a club in which its settings are recorded."""


class SettingsService:
    """Reads and records the settings of the club."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

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

        def draft() -> PendingWrite:
            stream = self._writer.stream_or_empty(SETTINGS, SETTINGS_ID)
            refuse_stale(stream.state.version, expected)
            after, placed = SETTINGS.grow(stream, acts)
            return PendingWrite(after, placed)

        return self._writer.write(draft, meta)
