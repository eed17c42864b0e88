"""The application: services for each noun of the club, around one writer."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from referee.access.service import AccessService
from referee.club.player_service import PlayerService
from referee.club.season_service import SeasonService
from referee.encuentro.case_service import CaseService
from referee.encuentro.service import EncuentroService
from referee.log.ports import Address
from referee.log.writer import Writer
from referee.tournament.service import TournamentService


class Referee:
    """The law and the log of a house, by what is asked of it."""

    def __init__(
        self,
        address: Address,
        *,
        salt: Callable[[int], bytes],
        new_id: Callable[[], UUID],
        kept: int = 512,
    ) -> None:
        """Open the log at an address.

        ``salt``: random bytes, of a number. ``kept``: how many states stay in memory.
        """
        self.log = Writer(address, salt=salt, new_id=new_id, kept=kept)
        self.encuentros = EncuentroService(self.log)
        self.cases = CaseService(self.log)
        self.players = PlayerService(self.log)
        self.seasons = SeasonService(self.log)
        self.tournaments = TournamentService(self.log)
        self.roles = AccessService(self.log)

    def close(self) -> None:
        """Close the log."""
        self.log.close()
