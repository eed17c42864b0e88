"""The settings of the club: what it chose, act by act. Each choice can always be made."""

from __future__ import annotations

from typing import Final, assert_never

import msgspec
from msgspec.structs import replace

from referee import events as ev

USUAL_TIME_ZONE: Final = "Europe/Madrid"
"""Time zone of a club that chose none: that of mainland Spain."""


class ClubSettings(msgspec.Struct, frozen=True):
    """What the club chose; None: nothing yet. ``version`` counts the acts."""

    four_eyes: ev.FourEyes | None = None
    time_zone: str | None = None
    league_audience: ev.LeagueAudience | None = None
    puzzle_audience: ev.PuzzleAudience | None = None
    deal_luck: ev.DealLuck | None = None
    record_audience: ev.RecordAudience | None = None
    study_consent: ev.StudyConsent | None = None
    name: ev.TextId = ""
    colour: str = ""
    logo: ev.TextId = ""
    version: int = 0

    @property
    def four_eyes_choice_in_force(self) -> ev.FourEyes:
        """The choice of the club on acts that want two persons.

        By default the absence of the second is only noted.
        """
        return self.four_eyes or "noted"

    @property
    def time_zone_in_force(self) -> str:
        """Name of the time zone of the club."""
        return self.time_zone or USUAL_TIME_ZONE

    @property
    def league_audience_in_force(self) -> ev.LeagueAudience:
        """Who sees seasons, evenings and their results; by default only the club."""
        return self.league_audience or "club"

    @property
    def puzzle_audience_in_force(self) -> ev.PuzzleAudience:
        """Who is shown the problem of the week; a club that chose nothing has none."""
        return self.puzzle_audience or "nobody"

    @property
    def deal_luck_in_force(self) -> ev.DealLuck:
        """Whether seasons show the luck of the deals; by default they do not."""
        return self.deal_luck or "hidden"

    @property
    def record_audience_in_force(self) -> ev.RecordAudience:
        """Who sees the record of a decided partida; of a club that chose nothing, everybody."""
        return self.record_audience or "everybody"

    @property
    def study_consent_in_force(self) -> ev.StudyConsent:
        """Whether partidas may be exported for study; by default they may not."""
        return self.study_consent or "none"

    def is_already_chosen(self, act: ev.SettingsAct) -> bool:
        """Whether an act would change nothing, because it states the choice that is in force."""
        return evolve(self, act) == replace(self, version=self.version + 1)


INITIAL: Final = ClubSettings()


def evolve(state: ClubSettings, event: ev.SettingsAct) -> ClubSettings:
    """The settings after one event."""
    state = replace(state, version=state.version + 1)
    match event:
        case ev.FourEyesChosen(choice):
            state = replace(state, four_eyes=choice)
        case ev.TimeZoneChosen(zone):
            state = replace(state, time_zone=zone)
        case ev.LeagueAudienceChosen(audience):
            state = replace(state, league_audience=audience)
        case ev.PuzzleAudienceChosen(audience):
            state = replace(state, puzzle_audience=audience)
        case ev.DealLuckChosen(choice):
            state = replace(state, deal_luck=choice)
        case ev.RecordAudienceChosen(audience):
            state = replace(state, record_audience=audience)
        case ev.StudyConsentChosen(choice):
            state = replace(state, study_consent=choice)
        case ev.ClubNamed() | ev.ClubColourChosen() | ev.ClubLogoChosen():
            state = _with_brand(state, event)
        case _:
            assert_never(event)
    return state


def _with_brand(
    state: ClubSettings, event: ev.ClubNamed | ev.ClubColourChosen | ev.ClubLogoChosen
) -> ClubSettings:
    """The settings with another name, colour or logo."""
    match event:
        case ev.ClubNamed(name):
            return replace(state, name=name)
        case ev.ClubColourChosen(colour):
            return replace(state, colour=colour)
        case ev.ClubLogoChosen(logo):
            return replace(state, logo=logo)
        case _:
            assert_never(event)
