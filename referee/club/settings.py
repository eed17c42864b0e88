"""The settings of the club: what it chose, act by act. Each choice can always be made."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from referee.events import FourEyes, SettingsAct


class ClubSettings(msgspec.Struct, frozen=True):
    """What the club chose; None: nothing yet. ``version`` counts the acts."""

    four_eyes: FourEyes | None = None
    version: int = 0

    @property
    def four_eyes_in_force(self) -> FourEyes:
        """What the club chose about two persons; a club that chose nothing has them noted."""
        return self.four_eyes or "noted"


INITIAL: Final = ClubSettings()


def evolve(state: ClubSettings, event: SettingsAct) -> ClubSettings:
    """The settings after one event."""
    return replace(state, four_eyes=event.choice, version=state.version + 1)
