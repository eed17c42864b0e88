"""Events about the settings of the club: what it decides for all its tables."""

from __future__ import annotations

from typing import Literal, TypeAlias

from referee.events.base import Act, TextId

FourEyes: TypeAlias = Literal["required", "noted"]
"""Where the law wants two persons: the second is required, or its absence is noted."""

LeagueAudience: TypeAlias = Literal["everybody", "club"]
"""Who finds seasons, evenings and their results: everybody without an account, or the club."""

PuzzleAudience: TypeAlias = Literal["everybody", "club", "nobody"]
"""Who is shown the problem of the week: everybody, who may read the records, or there is none."""


DealLuck: TypeAlias = Literal["shown", "hidden"]
"""Whether season pages show what each pair was dealt in arrastre beside what it made."""


class FourEyesChosen(Act, frozen=True, tag="four_eyes"):
    """The club chose whether two principals are required where the law wants two persons."""

    choice: FourEyes


class TimeZoneChosen(Act, frozen=True, tag="time_zone"):
    """The club chose the time zone of its pages, sheets and files: a name of the tz database."""

    zone: str


class LeagueAudienceChosen(Act, frozen=True, tag="league_audience"):
    """The club chose who finds its league: everybody, or only who may read its records."""

    audience: LeagueAudience


class PuzzleAudienceChosen(Act, frozen=True, tag="puzzle_audience"):
    """The club chose whether it has a problem of the week, and who is shown it."""

    audience: PuzzleAudience


class DealLuckChosen(Act, frozen=True, tag="deal_luck"):
    """The club chose whether seasons show the luck of the deals."""

    choice: DealLuck


class ClubNamed(Act, frozen=True, tag="club_named"):
    """The name that the pages carry; empty: none of the club's own."""

    name: TextId = ""


class ClubColourChosen(Act, frozen=True, tag="club_colour"):
    """The colour of the club, as ``#1f5c43``; empty: that of the program."""

    colour: str = ""


class ClubLogoChosen(Act, frozen=True, tag="club_logo"):
    """The logo of the club, a picture kept as a text; empty: none."""

    logo: TextId = ""


SettingsAct: TypeAlias = (
    FourEyesChosen
    | TimeZoneChosen
    | LeagueAudienceChosen
    | PuzzleAudienceChosen
    | DealLuckChosen
    | ClubNamed
    | ClubColourChosen
    | ClubLogoChosen
)
