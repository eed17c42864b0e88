"""The application: services for each noun of the club, around one writer."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from referee.access.service import AccessService
from referee.club.house_service import HouseService
from referee.club.player_service import PlayerService
from referee.club.rules_service import RulesService
from referee.club.season_service import SeasonService
from referee.club.settings_service import SettingsService
from referee.encuentro.case_service import CaseService
from referee.encuentro.service import EncuentroService
from referee.log.ports import Address
from referee.log.writer import Writer
from referee.tournament.service import TournamentService


class Referee:
    """The services of the write side: one for each kind of stream, around one writer."""

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
        self.log = Writer(address, salt=salt, new_id=new_id, kept=kept)
        self.house = HouseService(self.log)
        self.settings = SettingsService(self.log)
        self.roles = AccessService(self.log)
        two_persons = (self.settings.four_eyes, self.roles.principal)
        self.encuentros = EncuentroService(self.log, *two_persons)
        self.cases = CaseService(self.log, *two_persons)
        self.players = PlayerService(self.log)
        self.rules = RulesService(self.log)
        self.seasons = SeasonService(self.log)
        self.tournaments = TournamentService(self.log)

    def close(self) -> None:
        """Close the log."""
        self.log.close()
