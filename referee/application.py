"""The application: commands in, one transaction, an answer out."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from referee.handlers.cases import CaseHandler
from referee.handlers.club import (
    AccessHandler,
    HouseHandler,
    PlayerHandler,
    RulesHandler,
    SettingsHandler,
    WebhookHandler,
)
from referee.handlers.encuentros import EncuentroHandler
from referee.handlers.leagues import LeagueHandler
from referee.handlers.rankings import PublicationHandler, RankingHandler
from referee.handlers.roads import RoadHandler
from referee.handlers.seasons import SeasonHandler
from referee.handlers.tournaments import TournamentHandler
from referee.log.ports import Address
from referee.log.writer import Writer


class Referee(Writer):
    """The write side: an application of ``eventsourcing`` that opens the log and appends to it.

    A handler for each aggregate records, as in ``referee.encuentros.record_encuentro_act``.
    """

    def __init__(
        self,
        address: Address,
        *,
        salt: Callable[[int], bytes],
        new_id: Callable[[], UUID],
        kept: int = 512,
    ) -> None:
        """Open the log at an address.

        ``salt``: returns a number of random bytes. ``kept``: number of states kept in memory.
        """
        super().__init__(address, salt=salt, new_id=new_id, kept=kept)
        self.house = HouseHandler(self)
        self.settings = SettingsHandler(self)
        self.roles = AccessHandler(self)
        two_persons = (self.settings.four_eyes_choice, self.roles.principal_id_of_holder)
        self.encuentros = EncuentroHandler(self, *two_persons)
        self.cases = CaseHandler(self, *two_persons)
        self.players = PlayerHandler(self)
        self.rules = RulesHandler(self)
        self.seasons = SeasonHandler(self)
        self.tournaments = TournamentHandler(self)
        self.leagues = LeagueHandler(self)
        self.webhooks = WebhookHandler(self)
        self.roads = RoadHandler(self, self.tournaments)
        self.publication = PublicationHandler(self)
        self.rankings = RankingHandler(self)
