"""What a player who is signed in sees of their own: their place, their latest result."""

from __future__ import annotations

from uuid import UUID

from api.club import reading as club_reading
from api.home.league import League
from api.http.access.roles import Actor
from api.http.names import words_of
from api.http.services import current_services
from api.seasons import views
from api.seasons.views import SeasonPlayerData
from referee.errors import NotFound


def own_season(actor: Actor, league: League) -> SeasonPlayerData | None:
    """The season of the one player who has the name of the account; None if there is no one.

    An account is not tied to a player: only what everybody sees is shown by it.
    """
    name = current_services().keys.names().get(actor.by, "")
    named = [one for one in club_reading.players(name) if words_of(one.name) == words_of(name)]
    if not name or len(named) != 1:
        return None
    try:
        return views.player(UUID(league.id), named[0].player)
    except NotFound:
        return None
