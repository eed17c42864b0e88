"""A log with two encuentros, signed several times, and the resguardos of its pairs."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from uuid import UUID

from referee.aggregates.commands import Amend, Record, Undo
from referee.aggregates.encuentro import freeze_profile
from referee.application import Referee
from referee.audit.auditor import Auditor, TrustedNotes
from referee.audit.checkpoint import LogKey
from referee.audit.notary import Notary
from referee.audit.publication import Published
from referee.audit.resguardo import Resguardo, resguardo_from_proof
from referee.events import (
    Change,
    EncuentroOpened,
    IncidentNoted,
    PlayersSeated,
    ResultEntered,
    TimeCalled,
)
from referee.kinds import partida_id
from referee.log.sqlite.recorder import create_tables
from referee.log.stores import open_for_audit
from referee.log.streams import WriteMetadata
from referee.rules.profile.profile import profile
from tests.support.servers.one_log import NOW, new_referee

ORIGIN = "club.example/mesas"
FIRST, SECOND = UUID(int=1), UUID(int=2)
SEATS = {"A1": "p1", "B1": "p2", "A2": "p3", "B2": "p4"}


def counted(first: int = 1) -> Callable[[int], bytes]:
    """Replacement of random bytes: numbers that count up."""
    numbers = itertools.count(first)
    return lambda n: next(numbers).to_bytes(n, "big")


class SignedLog:
    """A data folder, a notary beside it, and what is kept outside: key, notes, resguardos."""

    def __init__(self, folder: Path, *, origin: str = ORIGIN, chance: int = 1) -> None:
        self.data, self.keys = folder / "data", folder / "keys"
        self.data.mkdir(parents=True)
        self.log = self.data / "log.sqlite"
        create_tables(self.log)
        self.notary = Notary(self.keys, counted(chance), origin)
        self.notes: list[str] = []
        self.resguardos: list[Resguardo] = []
        self.reread: int | None = None
        self._acts = itertools.count(1)

    @property
    def key(self) -> LogKey:
        return self.notary.key

    def meta(self) -> WriteMetadata:
        """Each act a minute after the one before, with a key of its own."""
        act = next(self._acts)
        return WriteMetadata("owner", "tablet", NOW + timedelta(minutes=act), f"key-{act}", "body")

    def sign(self) -> str | None:
        with closing(open_for_audit(self.log)) as log:
            note = self.notary.sign(log, self.reread)
        self.notary.publish(Published(self.log, self.data))
        self.notes += [note] if note else []
        return note

    def take_home(self, encuentro: UUID) -> None:
        self.resguardos.append(resguardo_from_proof(self.proof(encuentro)))

    def proof(self, encuentro: UUID):
        with closing(Auditor(self.log, self.data)) as auditor:
            return auditor.prove_encuentro(encuentro)

    def kept(self) -> TrustedNotes:
        return TrustedNotes(self.key, tuple(self.notes), tuple(self.resguardos))

    def play(self, referee: Referee, encuentro: UUID) -> None:
        """An encuentro with two partidas, one corrected, and something taken back."""
        opened = EncuentroOpened(freeze_profile(profile("club"), 4, 40), date="2026-11-21")
        referee.encuentros.open(opened, self.meta(), encuentro)
        referee.encuentros.record_encuentro_act(encuentro, PlayersSeated(SEATS), self.meta())
        for number in (1, 2):
            referee.encuentros.start_partida(encuentro, self.meta())
            partida = partida_id(encuentro, number)
            for act in (
                IncidentNoted("late", "A1"),
                IncidentNoted("talk", "B2", "3O"),
                TimeCalled(),
            ):
                referee.encuentros.record_partida_acts(partida, [Record(act)], self.meta())
            change = Change(2, "replace", IncidentNoted("talk", "B1", "3O"))
            referee.encuentros.record_partida_acts(partida, [Amend((change,))], self.meta())
            referee.encuentros.record_partida_acts(
                partida, [Record(IncidentNoted("other", "A2"))], self.meta()
            )
            referee.encuentros.record_partida_acts(partida, [Undo()], self.meta())
            referee.encuentros.record_partida_acts(
                partida, [Record(ResultEntered("AB"[number - 1]))], self.meta()
            )

    def close(self) -> None:
        self.notary.close()


def signed_log(folder: Path, *, origin: str = ORIGIN, chance: int = 1, salt: int = 1) -> SignedLog:
    """An unaltered data folder with two encuentros, signed after each, and once between."""
    made = SignedLog(folder, origin=origin, chance=chance)
    with closing(new_referee(made.log, salt)) as referee:
        for encuentro in (FIRST, SECOND):
            made.play(referee, encuentro)
            assert made.sign()
            made.take_home(encuentro)
    return made
