"""The settings of the club: what it chose, act by act. Each choice can always be made."""

from __future__ import annotations

from typing import Final, assert_never

import msgspec
from msgspec.structs import replace

from referee.events import (
    ClubColourChosen,
    ClubLogoChosen,
    ClubNamed,
    FourEyes,
    FourEyesChosen,
    LeagueAudience,
    LeagueAudienceChosen,
    SettingsAct,
    TextId,
    TimeZoneChosen,
)

USUAL_TIME_ZONE: Final = "Europe/Madrid"
"""Time zone of a club that chose none: that of mainland Spain."""


class ClubSettings(msgspec.Struct, frozen=True):
    """What the club chose; None: nothing yet. ``version`` counts the acts."""

    four_eyes: FourEyes | None = None
    time_zone: str | None = None
    league_audience: LeagueAudience | None = None
    name: TextId = ""
    colour: str = ""
    logo: TextId = ""
    version: int = 0

    @property
    def four_eyes_in_force(self) -> FourEyes:
        """What the club chose about two persons; a club that chose nothing has them noted."""
        return self.four_eyes or "noted"

    @property
    def time_zone_in_force(self) -> str:
        """Name of the time zone of the club."""
        return self.time_zone or USUAL_TIME_ZONE

    @property
    def league_audience_in_force(self) -> LeagueAudience:
        """Who finds the league; of a club that chose nothing, only the club."""
        return self.league_audience or "club"

    def has_chosen(self, act: SettingsAct) -> bool:
        """Whether the club chose this, and nothing else since."""
        return evolve(self, act) == replace(self, version=self.version + 1)


INITIAL: Final = ClubSettings()


def evolve(state: ClubSettings, event: SettingsAct) -> ClubSettings:
    """The settings after one event."""
    version = state.version + 1
    match event:
        case FourEyesChosen(choice):
            return replace(state, four_eyes=choice, version=version)
        case TimeZoneChosen(zone):
            return replace(state, time_zone=zone, version=version)
        case LeagueAudienceChosen(audience):
            return replace(state, league_audience=audience, version=version)
        case ClubNamed(name):
            return replace(state, name=name, version=version)
        case ClubColourChosen(colour):
            return replace(state, colour=colour, version=version)
        case ClubLogoChosen(logo):
            return replace(state, logo=logo, version=version)
        case _:
            assert_never(event)
