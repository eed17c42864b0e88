"""Cost of the tree: CPU of an act's leaves; speed of the notary, of proofs, of verification.

``python -m benchmarks.log.audit --events 30000`` prints a table. Figures are processor time:
median of the rounds, with the lowest and the highest.
"""

from __future__ import annotations

import argparse
import secrets
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from uuid import UUID, uuid4

import msgspec

from benchmarks.log.store import commands, meta
from referee.aggregates.commands import Record
from referee.aggregates.encuentro import freeze_profile
from referee.application import Referee
from referee.audit.auditor import Auditor, TrustedNotes, audit_log_from_start, audit_proof
from referee.audit.notary import Notary
from referee.audit.publication import Published
from referee.audit.verification import verify_log
from referee.errors import Refused
from referee.events import EncuentroOpened, ResultEntered
from referee.kinds import partida_id
from referee.log.sqlite import recorder as sqlite
from referee.log.sqlite.recorder import create_tables
from referee.log.stores import open_for_audit
from referee.rules.profile.profile import profile

ACTS = 100
PARTIDAS = 3


class Timed:
    """Wraps a function and measures its processor time in its thread."""

    def __init__(self, function: Callable[..., object]) -> None:
        self.function, self.times = function, list[float]()

    def __call__(self, *given: object) -> object:
        start = time.thread_time()
        found = self.function(*given)
        self.times.append((time.thread_time() - start) * 1000)
        return found


def table(referee: Referee) -> UUID:
    """A new encuentro with a partida begun."""
    opened = EncuentroOpened(freeze_profile(profile("club"), 4, 40))
    encuentro = referee.encuentros.open(opened, meta()).id
    referee.encuentros.start_partida(encuentro, meta())
    return encuentro


def act_rows(path: Path) -> list[tuple[str, list[float]]]:
    """CPU of a recorded act, and of its leaves alone."""
    create_tables(path)
    whole = sqlite.grow_tree
    leaves, acts = Timed(whole), []
    sqlite.grow_tree = leaves  # type: ignore[assignment]  # it takes and gives the same
    try:
        with closing(Referee(path, salt=secrets.token_bytes, new_id=uuid4)) as referee:
            for _ in range(5):
                partida = partida_id(table(referee), 1)
                for n, command in enumerate(commands()[:ACTS]):
                    record = Timed(referee.encuentros.record_partida_acts)
                    record(partida, [command], meta(f"key-{n:05}-{partida}"), n)
                    acts += record.times
    finally:
        sqlite.grow_tree = whole
    return [("an act recorded, CPU ms", acts), ("its leaves, CPU ms", leaves.times)]


def large_log(path: Path, events: int) -> UUID:
    """A log of ``events`` events, mostly acts of finished deals, and one of its encuentros."""
    create_tables(path)
    with closing(Referee(path, salt=secrets.token_bytes, new_id=uuid4)) as referee:
        while (referee.position()) < events:
            encuentro = table(referee)
            for number in range(1, PARTIDAS + 1):
                partida = partida_id(encuentro, number)
                with suppress(Refused):  # it may be decided before its end
                    for command in [*commands(), Record(ResultEntered("AB"[number % 2]))]:
                        referee.encuentros.record_partida_acts(partida, [command], meta())
                if number < PARTIDAS:
                    referee.encuentros.start_partida(encuentro, meta())
    return encuentro


def rounds(task: Callable[[], object], count: int) -> list[float]:
    """Processor time of each run of a task, in seconds."""
    times = []
    for _ in range(count):
        start = time.process_time()
        task()
        times.append(time.process_time() - start)
    return times


def log_rows(folder: Path, events: int, count: int) -> list[tuple[str, list[float]]]:
    """Signing, proving and verifying a log."""
    path = folder / "log.sqlite"
    encuentro = large_log(path, events)
    with closing(Notary(folder / "keys", secrets.token_bytes)) as notary:
        with closing(open_for_audit(path)) as log:
            first = rounds(lambda: notary.sign(log), 1)
            signing = rounds(lambda: notary.sign(log), count)
            size = log.tree().size
        notary.publish(Published(path, folder))
        kept = TrustedNotes(notary.key, tuple(notary.checkpoint_notes()))
    with closing(Auditor(path, folder)) as auditor:
        proof = msgspec.json.encode(auditor.prove_encuentro(encuentro))
        proving = rounds(lambda: auditor.prove_encuentro(encuentro), count)
    proved = audit_proof(proof, kept)
    whole = audit_log_from_start(path, kept)
    if proved.wrong or whole.wrong:
        sys.exit(f"differences: {proved.wrong} {whole.wrong}")

    def leaves() -> None:
        with closing(open_for_audit(path)) as log, log.hold_snapshot():
            verify_log(log)

    return [
        ("events of the log", [size]),
        ("events a CPU second, events and leaves", [size / t for t in rounds(leaves, count)]),
        (
            "events a CPU second, with every conclusion",
            [size / t for t in rounds(lambda: audit_log_from_start(path, kept), count)],
        ),
        ("first checkpoint of it, CPU ms", [t * 1000 for t in first]),
        ("a checkpoint later, CPU ms", [t * 1000 for t in signing]),
        (f"a proof of {proved.events} events, CPU ms", [t * 1000 for t in proving]),
        ("the same, bytes an event", [len(proof) / proved.events]),
        (
            "verified, CPU ms",
            [t * 1000 for t in rounds(lambda: audit_proof(proof, kept), count)],
        ),
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--events", type=int, default=30_000)
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = act_rows(folder / "acts.sqlite")
        rows += log_rows(folder, asked.events, asked.rounds)
    for what, found in rows:
        middle, low, high = statistics.median(found), min(found), max(found)
        sys.stdout.write(f"{what:<46}{middle:>12,.3f}  [{low:,.3f}-{high:,.3f}]\n")


if __name__ == "__main__":
    main()
