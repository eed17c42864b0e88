"""Kinds of streams: one for each aggregate, with the ids of streams that follow from others.

A kind says how a stream of it begins, how it is folded, and by which events it is told from the
others. A new aggregate is a module in ``referee/aggregates/`` and a line here.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID, uuid5

from referee import events as ev
from referee.aggregates import (
    access,
    case,
    club,
    club_rules,
    encuentro,
    house,
    partida,
    publication,
    ranking,
    road,
    season,
    session,
    settings,
    webhooks,
)
from referee.aggregates.league import state as league
from referee.aggregates.publication import INITIAL as PUBLICATION_BEGINNING
from referee.aggregates.publication import Publication
from referee.aggregates.ranking import INITIAL as RANKING_BEGINNING
from referee.aggregates.ranking import Ranking
from referee.aggregates.tournament import evolution as tournament
from referee.aggregates.tournament.state import INITIAL as TOURNAMENT_BEGINNING
from referee.aggregates.tournament.state import Tournament
from referee.events.tournament import TournamentOpened
from referee.log.streams import StreamKind

PARTIDA: StreamKind[partida.Partida] = StreamKind(partida.INITIAL, partida.evolve, ev.PartidaOpened)
ENCUENTRO: StreamKind[encuentro.Encuentro] = StreamKind(
    encuentro.INITIAL, encuentro.evolve, ev.EncuentroOpened
)
CASE: StreamKind[case.Case] = StreamKind(case.INITIAL, case.evolve, ev.CaseOpened)
SEASON: StreamKind[season.Season] = StreamKind(season.INITIAL, season.evolve, ev.SeasonOpened)
SESSION: StreamKind[session.Session] = StreamKind(session.INITIAL, session.evolve, ev.SessionOpened)
TOURNAMENT: StreamKind[Tournament] = StreamKind(
    TOURNAMENT_BEGINNING, tournament.evolve, TournamentOpened
)
LEAGUE: StreamKind[league.TeamLeague] = StreamKind(league.INITIAL, league.evolve, ev.LeagueOpened)
ROAD: StreamKind[road.Road] = StreamKind(road.INITIAL, road.evolve, ev.RoadOpened)
RANKING: StreamKind[Ranking] = StreamKind(RANKING_BEGINNING, ranking.evolve, ev.RankingOpened)
PUBLICATION: StreamKind[Publication] = StreamKind(
    PUBLICATION_BEGINNING, publication.evolve, ev.PublicationAct
)
CLUB: StreamKind[club.Club] = StreamKind(club.INITIAL, club.evolve, ev.ClubAct)
RULES: StreamKind[club_rules.RulesOfClub] = StreamKind(
    club_rules.INITIAL, club_rules.evolve, ev.RulesAct
)
SETTINGS: StreamKind[settings.ClubSettings] = StreamKind(
    settings.INITIAL, settings.evolve, ev.SettingsAct
)
WEBHOOKS: StreamKind[webhooks.Webhooks] = StreamKind(
    webhooks.INITIAL, webhooks.evolve, ev.WebhookAct
)
ACCESS: StreamKind[access.Access] = StreamKind(access.INITIAL, access.evolve, ev.AccessAct)
HOUSE: StreamKind[house.House] = StreamKind(house.INITIAL, house.evolve, ev.HouseAct)

# A club has one stream of each of these kinds.
CLUB_ID: Final = UUID("6c1e6a2e-0f0a-5c55-9b52-6a756761646f")
RULES_ID: Final = UUID("6c1e6a2e-0f0a-5c55-9b52-6e6f726d6173")
SETTINGS_ID: Final = UUID("6c1e6a2e-0f0a-5c55-9b52-616a75737465")
ACCESS_ID: Final = UUID("6c1e6a2e-0f0a-5c55-9b52-6775696e6f74")
WEBHOOKS_ID: Final = UUID("6c1e6a2e-0f0a-5c55-9b52-617669736f73")
PUBLICATION_ID: Final = UUID("6c1e6a2e-0f0a-5c55-9b52-7075626c6963")
HOUSE_ID: Final = UUID("1f0d9a53-6f2b-5d0e-8a41-63617361676e")


def partida_id(encuentro_id: UUID, number: int) -> UUID:
    """Id of the n-th partida of an encuentro, computed from its id and the number."""
    return uuid5(encuentro_id, str(number))


def case_id(encuentro_id: UUID, number: int) -> UUID:
    """Id of the n-th case of an encuentro, computed from the id of the encuentro and the number."""
    return uuid5(encuentro_id, f"case {number}")


def table_encuentro_id(session_id: UUID, version: int, number: int) -> UUID:
    """Id of the encuentro of a table that a session opens with its act of this version."""
    return uuid5(session_id, f"table {version} {number}")
