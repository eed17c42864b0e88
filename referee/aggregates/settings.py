"""The settings of the club: what it chose, act by act. Each choice can always be made."""

from __future__ import annotations

from typing import Final, assert_never

import msgspec
from msgspec.structs import replace

from referee.events import (
    ClubColourChosen,
    ClubLogoChosen,
    ClubNamed,
    DealLuck,
    DealLuckChosen,
    FourEyes,
    FourEyesChosen,
    LeagueAudience,
    LeagueAudienceChosen,
    PuzzleAudience,
    PuzzleAudienceChosen,
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
    puzzle_audience: PuzzleAudience | None = None
    deal_luck: DealLuck | None = None
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

    @property
    def puzzle_audience_in_force(self) -> PuzzleAudience:
        """Who is shown the problem of the week; a club that chose nothing has none."""
        return self.puzzle_audience or "nobody"

    @property
    def deal_luck_in_force(self) -> DealLuck:
        """Whether seasons show the luck of the deals; not those of a club that chose nothing."""
        return self.deal_luck or "hidden"

    def has_chosen(self, act: SettingsAct) -> bool:
        """Whether the club chose this, and nothing else since."""
        return evolve(self, act) == replace(self, version=self.version + 1)


INITIAL: Final = ClubSettings()


def evolve(state: ClubSettings, event: SettingsAct) -> ClubSettings:
    """The settings after one event."""
    state = replace(state, version=state.version + 1)
    match event:
        case FourEyesChosen(choice):
            state = replace(state, four_eyes=choice)
        case TimeZoneChosen(zone):
            state = replace(state, time_zone=zone)
        case LeagueAudienceChosen(audience):
            state = replace(state, league_audience=audience)
        case PuzzleAudienceChosen(audience):
            state = replace(state, puzzle_audience=audience)
        case DealLuckChosen(choice):
            state = replace(state, deal_luck=choice)
        case ClubNamed(name):
            state = replace(state, name=name)
        case ClubColourChosen(colour):
            state = replace(state, colour=colour)
        case ClubLogoChosen(logo):
            state = replace(state, logo=logo)
        case _:
            assert_never(event)
    return state
