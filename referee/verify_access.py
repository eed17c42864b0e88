"""Access on a log, decided again act by act."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee import access
from referee.errors import Refused
from referee.events import AccessAct
from referee.store import Recorded
from referee.verify_streams import Difference, difference, misplaced


def verify_access(history: Sequence[Recorded]) -> Iterator[Difference]:
    """Acts that could not be done when they were recorded, and what is no act of access."""
    yield from misplaced(history, AccessAct)
    state = access.INITIAL
    for at in history:
        if not isinstance(at.event, AccessAct):
            yield difference(at, "foreign_event", at.event)
            return
        try:
            (event,) = access.decide(at.event, state)
        except Refused:
            yield difference(at, "impossible_act", at.event)
            return
        state = access.evolve(state, event)
