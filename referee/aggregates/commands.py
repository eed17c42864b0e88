"""Commands: what a user asks to record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from referee import events as ev


@dataclass(frozen=True, slots=True)
class Record:
    """Record an act that happened at the table."""

    act: ev.TableAct


@dataclass(frozen=True, slots=True)
class Amend:
    """Correct earlier lines, all together or not at all."""

    changes: tuple[ev.Change, ...]
    text: ev.TextId = ""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the latest line that still stands."""


PartidaCommand: TypeAlias = Record | Amend | Undo


def command_to_repeat_act(act: ev.PartidaAct) -> PartidaCommand:
    """The command that records an act of a log once more."""
    return Amend(act.changes, act.text) if isinstance(act, ev.LogAmended) else Record(act)


@dataclass(frozen=True, slots=True)
class Note:
    """Record an act of the encuentro itself, under what the club chose about two persons."""

    act: ev.EncuentroAct
    four_eyes: ev.FourEyes = "noted"


@dataclass(frozen=True, slots=True)
class Follow:
    """Take over how a partida of the encuentro stands now."""

    partida: int
    winner: str
    how: ev.How
    totals: dict[str, int]
    whole_match: bool = False


@dataclass(frozen=True, slots=True)
class FollowCase:
    """Take over how a case of the encuentro stands now; ``lines`` of the partida are its own."""

    case: int
    partida: int
    stage: ev.CaseStage
    lines: tuple[int, ...] = ()


EncuentroCommand: TypeAlias = Note | Follow | FollowCase


@dataclass(frozen=True, slots=True)
class Submit:
    """Record an act of a case, judged under the frozen profile of its encuentro.

    ``four_eyes``: what the club chose about two persons.
    """

    act: ev.CaseAct
    profile: ev.FrozenProfile
    four_eyes: ev.FourEyes = "noted"
