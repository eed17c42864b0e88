"""Child process of ``test_kill``: records without end, and prints each acknowledged act.

A result and its undoing in turn, so that every transaction writes the partida and its encuentro.
"""

from __future__ import annotations

import secrets
import sys
from datetime import UTC, datetime
from uuid import UUID, uuid4

from referee.aggregates.commands import Record, Undo
from referee.application import Referee
from referee.events import ResultEntered
from referee.log.streams import WriteMetadata


def turn(referee: Referee, partida: UUID) -> Record | Undo:
    """What is recorded next: a result, or that it is taken back."""
    return (
        Undo()
        if referee.encuentros.partida_by_id(partida).standing_acts
        else Record(ResultEntered("A"))
    )


def main(path: str, partida: str, device: str) -> None:
    """Append, acknowledge, append; each key is announced before it is tried."""
    referee = Referee(path, salt=secrets.token_bytes, new_id=uuid4)
    while True:
        key = secrets.token_hex(8)
        print("try", key, flush=True)
        meta = WriteMetadata("owner", device, datetime.now(UTC), key, "body")
        answer = referee.encuentros.record_partida_acts(
            UUID(partida), [turn(referee, UUID(partida))], meta
        )
        print("kept", key, *answer.lines, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
