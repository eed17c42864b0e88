"""When a result is agreed with, and when it does not stand any more."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple, get_args

from referee import events as ev
from referee.aggregates import encuentro as encuentros
from referee.aggregates.result import ResultStage

RESULT_EVENTS: Final[tuple[type[ev.Fact], ...]] = (
    *get_args(ev.ResultAct),
    ev.CaseFollowed,
    ev.EncuentroRuled,
    ev.FinalScoreTold,
    ev.FinalScoreWithdrawn,
    ev.OutcomeFollowed,
    ev.EncuentroWon,
    ev.EncuentroRevised,
)
"""Events that may change the stage of a result."""
_AGREED: Final[frozenset[ResultStage]] = frozenset(("confirmed", "official"))


class Agreement(NamedTuple):
    """A change of whether a result is agreed with. ``is_corrected``: it was before, as it was."""

    stage: ResultStage
    is_corrected: bool


def agreement(events: Iterable[Any]) -> Agreement | None:
    """What the last event of an encuentro changes: the result is agreed with, or no longer is."""
    state, stages = encuentros.INITIAL, list[ResultStage](["open"])
    for event in events:
        state = encuentros.evolve(state, event)
        stages.append(encuentros.result_stage(state))
    *_, before, now = stages
    if (before in _AGREED) == (now in _AGREED):
        return None
    return Agreement(now, any(one in _AGREED for one in stages[:-1]))
