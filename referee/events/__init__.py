"""Events of the log: acts that happened at a table, and official conclusions from them.

An act takes a line of its stream and advances its version; a conclusion carries the line of the
act it follows from. Fields are plain: seats ``"A1"``, sides ``"A"``, cards ``"3O"``, suits
``"O"``. Names of persons and free texts are not here, only the random ids under which the erasable
store keeps them. ``kind`` is the name of an act on the wire.
"""

from __future__ import annotations

from typing import TypeAlias

from referee.events.acts import *
from referee.events.base import *
from referee.events.case import *
from referee.events.club import *
from referee.events.conclusions import *
from referee.events.encuentro import *
from referee.events.fees import *
from referee.events.league import LeagueAct as LeagueAct
from referee.events.league import LeagueOpened as LeagueOpened
from referee.events.rankings import PublicationAct as PublicationAct
from referee.events.rankings import RankingAct as RankingAct
from referee.events.rankings import RankingOpened as RankingOpened
from referee.events.road import RoadAct as RoadAct
from referee.events.road import RoadOpened as RoadOpened
from referee.events.season import *
from referee.events.tournament import TournamentAct as TournamentAct
from referee.events.tournament import TournamentEvent as TournamentEvent
from referee.events.tournament import TournamentOpened as TournamentOpened

Event: TypeAlias = (
    PartidaEvent
    | EncuentroEvent
    | CaseEvent
    | AccessAct
    | ClubAct
    | RulesAct
    | SeasonAct
    | SessionAct
    | SettingsAct
    | HouseAct
    | TournamentEvent
    | LeagueAct
    | RoadAct
    | WebhookAct
    | PublicationAct
    | RankingAct
)
