"""Random honest histories of a club: no audit may find a difference in them.

``PYTHONPATH=. python tests/referee/audit/logs/honest.py 3000`` runs so many of them; seeds count up from the second word.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
import threading
from contextlib import closing
from pathlib import Path
from uuid import UUID

import msgspec

from api.server import wiring
from api.server.backup import restore_backup, write_backup
from api.server.data_folder import Files
from referee.aggregates.encuentro import freeze_profile
from referee.audit.auditor import AuditProblem, TrustedNotes, audit_log_from_start, audit_proof
from referee.audit.proofs import NotSigned
from referee.errors import Refused
from referee.events import EncuentroOpened, PlayersSeated
from referee.kinds import partida_id
from referee.people.persons import Persons
from referee.rules.profile.profile import profile
from tests.support.proofs.signed_log import SignedLog
from tests.support.records.dealt_out import TABLES
from tests.support.records.playing import Crowd, options_of
from tests.support.servers.one_log import META, new_referee

STEPS = 40
IN_MEMORY = Path("/dev/shm")
"""A memory file system, where flushing is fast; histories do not test the disk."""


class Club:
    """Tables with random acts; a notary, backups, erasures, restarts."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance = random.Random(seed)
        self.signed = SignedLog(folder, chance=seed + 1)
        self.where = Files(self.signed.data)
        self.persons: Persons = wiring.open_persons(self.where)
        self.referee = new_referee(self.signed.log, 1)
        self.salt = 1
        self.crowds: dict[UUID, Crowd] = {}
        self.names: list[str] = []
        self.backups: list[Path] = []
        self.open_table()

    def open_table(self) -> None:
        table = self.chance.choice(TABLES)
        name, players, deck = table
        opened = EncuentroOpened(freeze_profile(profile(name), players, deck))
        encuentro = UUID(int=len(self.crowds) + 1)
        self.referee.encuentros.open(opened, META, encuentro)
        self.crowds[encuentro] = Crowd(options_of(table), self.chance.randrange(2**32))
        seats = self.crowds[encuentro].table.seats
        people = {seat: self.persons.add_person(f"Ñoño {seat}") for seat in seats}
        self.referee.encuentros.record_encuentro_act(encuentro, PlayersSeated(people), META)
        self.names += people.values()
        self.referee.encuentros.start_partida(encuentro, META)

    def happens(self) -> None:
        """One random step, mostly at a table."""
        things = [self.sign, self.take_home, self.erase, self.copy, self.start_again, self.at_once]
        thing = self.chance.random()
        if thing < 0.75:
            self.act(self.chance.choice(list(self.crowds)), self.chance)
        elif thing < 0.8:
            self.open_table()
        else:
            self.chance.choice(things)()

    def act(self, encuentro: UUID, chance: random.Random) -> None:
        """An act, several, a correction, or the next partida; or nothing, if it is refused."""
        crowd = self.crowds[encuentro]
        played = len(self.referee.encuentros.encuentro(encuentro).partidas)
        partida = partida_id(encuentro, chance.randint(1, played))
        crowd.state = self.referee.encuentros.partida_by_id(partida)
        try:
            if chance.random() < 0.1:
                self.referee.encuentros.start_partida(encuentro, META)
            else:
                commands = [crowd.command() for _ in range(chance.choice([1, 1, 3]))]
                self.referee.encuentros.record_partida_acts(partida, commands, META)
        except Refused:
            pass

    def at_once(self) -> None:
        """Continue at all tables at the same time."""
        seeds = {one: self.chance.randrange(2**32) for one in self.crowds}
        writers = [
            threading.Thread(target=self.act, args=(one, random.Random(seed)))
            for one, seed in seeds.items()
        ]
        for one in writers:
            one.start()
        for one in writers:
            one.join()

    def sign(self) -> None:
        self.signed.sign()

    def take_home(self) -> None:
        try:
            self.signed.take_home(self.chance.choice(list(self.crowds)))
        except NotSigned:
            pass

    def erase(self) -> None:
        self.persons.erase(self.chance.choice(self.names))

    def copy(self) -> None:
        self.backups.append(self.signed.data.parent / f"backup-{len(self.backups)}")
        write_backup(self.where, self.backups[-1])

    def start_again(self) -> None:
        self.referee.close()
        self.salt += 100_000
        self.referee = new_referee(self.signed.log, self.salt)

    def close(self) -> None:
        for one in (self.referee, self.persons, self.signed):
            one.close()

    # --- audits ---------------------------------------------------------------------------

    def wrong(self) -> list[AuditProblem]:
        """Differences of the log, of the proof of each table, and of the latest backup restored."""
        self.signed.sign()
        found = list(audit_log_from_start(self.signed.log, self.signed.kept()).wrong)
        for encuentro in self.crowds:
            proof = msgspec.json.encode(self.signed.proof(encuentro))
            held = tuple(one for one in self.signed.resguardos if one.encuentro == encuentro)
            found += audit_proof(
                proof, TrustedNotes(self.signed.key, tuple(self.signed.notes), held)
            ).wrong
        if self.backups:
            found += self.restored()
        return found

    def restored(self) -> list[AuditProblem]:
        """Differences of a restored backup, by the checkpoints from before it."""
        new = Files(self.signed.data.parent / "restored")
        new.folder.mkdir()
        shutil.copy(self.where.master_key_file, new.master_key_file)
        restore_backup(self.backups[-1], new)
        alone = audit_log_from_start(new.log, TrustedNotes())
        notes = tuple(n for n in self.signed.notes if int(n.split("\n")[1]) <= alone.events)
        return [
            *alone.wrong,
            *audit_log_from_start(new.log, TrustedNotes(self.signed.key, notes)).wrong,
        ]


def history(seed: int) -> list[AuditProblem]:
    """Differences that an audit finds in one honest history."""
    where = IN_MEMORY if IN_MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(dir=where) as name:
        with closing(Club(Path(name) / "club", seed)) as club:
            for _ in range(STEPS):
                club.happens()
            return club.wrong()


if __name__ == "__main__":
    count, first = (*map(int, sys.argv[1:]), 0, 0)[:2]
    for seed in range(first, first + count):
        if wrong := history(seed):
            sys.exit(f"seed {seed}: {wrong}")
        if not (seed + 1) % 100:
            print(f"{seed + 1 - first} honest histories, no difference", flush=True)
