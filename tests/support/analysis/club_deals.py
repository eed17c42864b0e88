"""Encuentros of one partida each, played card by card in random play, a week after week."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

from msgspec.structs import replace

from api.http.services import Services
from referee.aggregates.commands import Record
from referee.aggregates.encuentro import freeze_profile
from referee.events import EncuentroOpened, PlayersSeated
from referee.kinds import partida_id
from referee.log.streams import WriteMetadata
from referee.rules.profile.options import Options
from referee.rules.profile.profile import profile
from referee.rules.seats import SEATS
from tests.support.records.dealt_out import Player
from tests.support.waiting import wait_for

PEOPLE = ("Aldonza Quijano", "Bartolo Centella", "Crispina Ledesma", "Dulcinea Zabalza")
META = WriteMetadata("owner", "console", datetime(2026, 11, 20, 20, 15, tzinfo=UTC))
_ONE_PARTIDA = {"camas_per_coto": 1, "cotos_to_win": 1}


def played_out(
    services: Services,
    seeds: Sequence[int],
    last: date,
    people: Sequence[str] = PEOPLE,
    held_in: str = "",
) -> list[UUID]:
    """Encuentros of these seeds, a week apart, the last on a day, each won with its partida."""
    referee = services.referee
    frozen = freeze_profile(profile("club"), 4)
    frozen = replace(frozen, options={**frozen.options, **_ONE_PARTIDA})
    persons = [services.persons.add_person(name) for name in people]
    found = []
    for week, seed in enumerate(seeds):
        day = (last - timedelta(weeks=len(seeds) - 1 - week)).isoformat()
        encuentro = UUID(int=seed + 1, version=4)
        opened = EncuentroOpened(frozen, date=day, held_in=held_in, table=3)
        referee.encuentros.open(opened, META, encuentro)
        turn = seed % 4  # partners change from week to week
        seated = dict(zip(SEATS[4], (*persons[turn:], *persons[:turn]), strict=True))
        referee.encuentros.record_encuentro_act(encuentro, PlayersSeated(seated), META)
        referee.encuentros.start_partida(encuentro, META)
        acts = Player(Options(), seed).partida()
        referee.encuentros.record_partida_acts(
            partida_id(encuentro, 1), [Record(act) for act in acts], META
        )
        found.append(encuentro)
    wait_for(lambda: services.reads.position() >= referee.position(), "views that followed")
    return found
