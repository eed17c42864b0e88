"""Acts of one principal in a proof, where the club may want two.

They are no differences: a club with a single official may have them noted. A verifier says so in
words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias
from uuid import UUID

import msgspec

from referee import events as ev
from referee.aggregates import case as cases
from referee.aggregates import result as results
from referee.aggregates.case import Case
from referee.aggregates.result import Outcome, Result
from referee.audit.proofs import ProvedEvent
from referee.log.mapper import CODEC, UnknownName
from referee.log.merkle import canonical

SecondAct: TypeAlias = Literal["confirmed", "reopened", "decided"]
_ANY_OUTCOME: Final = Outcome(None, ())


class OnePrincipal(msgspec.Struct, frozen=True):
    """An act, the second of two, that the principal of the first one did. ``side``: if it has one.

    ``index``, ``stream``, ``version``: the place of its event, as in a difference.
    """

    noted: SecondAct
    side: ev.SideName
    index: int
    stream: str
    version: int


def acts_of_one_principal(events: Sequence[ProvedEvent], own: str) -> Iterator[OnePrincipal]:
    """Each of them in the events of a proof, in order. ``own``: stream of the encuentro itself."""
    result, files = Result(), dict[str, Case]()
    before: list[Result] = []
    for one in events:
        event, file = _event_of(one), files.get(one.stream, cases.INITIAL)
        match event:
            case ev.ResultConfirmed(side=side) if results.is_of_one_principal(result, event):
                yield OnePrincipal("confirmed", side, one.index, one.stream, one.version)
            case ev.ResultReopened() if results.is_of_one_principal(result, event):
                yield OnePrincipal("reopened", "", one.index, one.stream, one.version)
            case ev.AppealDecided() if cases.is_of_one_principal(file, event):
                yield OnePrincipal("decided", "", one.index, one.stream, one.version)
            case _:
                pass
        if one.stream == own:
            result = _after(result, event, before)
        elif isinstance(event, ev.CaseAct):
            files[one.stream] = cases.evolve(file, event)


def _after(result: Result, event: ev.Event | None, before: list[Result]) -> Result:
    """The result after an event. ``before``: results before the scores told and not taken back."""
    match event:
        case ev.FinalScoreTold():
            before.append(result)
        case ev.FinalScoreWithdrawn() if before:
            return results.restore(result, before.pop())
        case _ if isinstance(event, ev.ResultAct):
            return results.evolve(result, event, _ANY_OUTCOME)
        case _:
            pass
    return result


def _event_of(one: ProvedEvent) -> ev.Event | None:
    """The event that was stored; None if it cannot be read, which is a difference of its own."""
    try:
        return CODEC.decode(UUID(one.stream), one.version, one.name, canonical(one.state)).event
    except (UnknownName, msgspec.MsgspecError, ValueError):
        return None
