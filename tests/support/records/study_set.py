"""A data set for a study: a club that agreed, and partidas of players who choose by chance.

They lay any lawful card, but keep a rey and a sota of one suit together as long as they can,
announce all they may, and say in the vueltas that they have 101.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from api.server import wiring
from projections.study.export import StudyExport, export_study, study_log_if_agreed
from referee.aggregates.commands import Record
from referee.aggregates.encuentro import freeze_profile
from referee.application import Referee
from referee.events import (
    EncuentroOpened,
    PlayersSeated,
    StudyConsent,
    StudyConsentChosen,
    TableAct,
)
from referee.kinds import partida_id
from referee.library import Card, Deal, Partida
from referee.log.streams import WriteMetadata
from referee.rules.profile.profile import profile
from referee.rules.seats import SEATS

PARTIDAS = 300
META = WriteMetadata("owner", "owner", datetime(2026, 10, 2, 18, tzinfo=UTC))


def made_set(folder: Path, partidas: int = PARTIDAS) -> Path:
    """The tables of a new club, written into a folder in this one."""
    where = wiring.files_of_folder(folder / "club")
    with closing(wiring.open_referee(where)) as referee:
        agree(referee, "given")
        for seed in range(partidas):
            record_partida(referee, UUID(int=seed + 1), played_at_random(seed))
    export(folder / "club", folder / "tables")
    return folder / "tables"


def agree(referee: Referee, choice: StudyConsent) -> None:
    referee.settings.record_settings_acts([StudyConsentChosen(choice)], META)


def export(data: Path, tables: Path) -> StudyExport:
    log = study_log_if_agreed(wiring.files_of_folder(data).log)
    assert log is not None
    return export_study([log], tables, lambda *_: None)


def played_at_random(seed: int) -> Partida:
    """A partida of four, played to its end."""
    chance, partida = random.Random(seed), Partida()
    while partida.outcome is None:
        partida.push(Deal.random(chance.getrandbits(32), dealer=partida.dealer))
        while partida.whose_turn and not ends_by_claim(partida):
            if partida.tricks and not partida.trick:
                announce(partida)
            partida.push(chance.choice(cards_to_lay(partida)))
        if partida.outcome is None:
            partida.push("cuenta")
    return partida


def cards_to_lay(partida: Partida) -> list[Card]:
    """Lawful cards, without those of a cante if there are others."""
    seat = partida.whose_turn
    assert seat is not None
    kept = {one for suit in partida.hand(seat).cantes for one in (f"R{suit}", f"S{suit}")}
    return [one for one in partida.lawful if str(one) not in kept] or list(partida.lawful)


def announce(partida: Partida) -> None:
    """Whatever the seats may announce, one after the other."""
    for seat in partida.seats:
        while found := partida.announcements(seat):
            partida.push(found[0])


def ends_by_claim(partida: Partida) -> bool:
    """Whether a side of the vueltas has 101 and says so."""
    if partida.trick or not partida._table.in_vueltas:
        return False
    there = [side for side, points in partida.score.items() if points >= 101]
    if there:
        partida.push(f"101 {there[0]}1")
    return partida.outcome is not None


def record_partida(referee: Referee, encuentro: UUID, partida: Partida) -> None:
    """Record a partida as the only one of an encuentro, in one write."""
    acts: Sequence[TableAct] = [entry.act for entry in partida._state.standing_acts]
    service = referee.encuentros
    rules = freeze_profile(profile("club"), len(partida.seats))
    service.open(EncuentroOpened(rules), META, encuentro)
    service.record_encuentro_act(
        encuentro, PlayersSeated({seat: f"person-{seat}" for seat in SEATS[4]}), META
    )
    service.start_partida(encuentro, META)
    service.record_partida_acts(partida_id(encuentro, 1), [Record(act) for act in acts], META)
