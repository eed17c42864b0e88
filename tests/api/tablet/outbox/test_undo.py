"""Undo takes back the same line on the tablet and in the service."""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec

from referee.aggregates import partida
from referee.aggregates.commands import Amend, PartidaCommand, Record, Undo
from referee.aggregates.encuentro import freeze_profile
from referee.errors import Refused
from referee.events import Change, IncidentNoted, LogAmended, PartidaOpened
from referee.rules.profile.profile import profile
from tests.support.javascript import NodePage

HISTORIES, LENGTH = 120, 25
_LATEST = """async (logs) => {
  const { latestLine } = await import("/static/tablet/outbox/commands.js");
  return logs.map(latestLine);
}"""


def some(chance: random.Random, version: int) -> PartidaCommand:
    """A random command."""
    act, line = IncidentNoted("other", text=str(version)), chance.randint(1, max(version, 1))
    withdrawal = Change(line, "withdraw")
    ways: list[PartidaCommand] = [
        *[Record(act)] * 3,
        *[Undo()] * 3,
        Amend((withdrawal,)),
        Amend((withdrawal, Change(chance.randint(1, max(version, 1)), "withdraw"))),
        Amend((withdrawal,), "why"),
        Amend((Change(line, "replace", act),)),
        Amend((Change(line, "insert", act),)),
    ]
    return chance.choice(ways)


def states(seed: int) -> Iterator[partida.Partida]:
    """A partida after each command of a random history."""
    options = freeze_profile(profile("club"), 4, 40).options
    opened = PartidaOpened(encuentro="e", number=1, options=options, profile_hash="", dealer_due="")
    state, chance = partida.fold([opened]), random.Random(seed)
    for _ in range(LENGTH):
        try:
            state = partida.decide(some(chance, state.version), state).state
        except Refused:
            continue
        yield state


def taken_back(state: partida.Partida) -> int | None:
    """Line that the service takes back now."""
    try:
        amended = partida.decide(Undo(), state).events[0]
    except Refused:
        return None
    assert isinstance(amended, LogAmended)
    return amended.changes[0].line


def test_undo_takes_back_the_line_that_the_service_would(node: NodePage) -> None:
    every = [state for seed in range(HISTORIES) for state in states(seed)]
    logs = [
        [{"line": one.line, "act": msgspec.to_builtins(one.act)} for one in state.log]
        for state in every
    ]
    assert node.evaluate(_LATEST, logs) == [taken_back(state) for state in every]
