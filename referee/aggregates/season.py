"""A season as a decider: its dates and its rule of points."""

from __future__ import annotations

from typing import Final, assert_never

import msgspec
from msgspec.structs import replace

from referee import events as ev
from referee.aggregates import fees
from referee.errors import Refused
from referee.rules.articles import Rule


class Season(msgspec.Struct, frozen=True):
    """A season folded from its log; ``version`` counts the acts, ``calendar`` its days to come."""

    opened: ev.SeasonOpened | None = None
    scoring: ev.SeasonScoring = ev.SeasonScoring()
    calendar: tuple[ev.PlannedSession, ...] = ()
    fees: fees.Fees = fees.NO_FEES
    is_closed: bool = False
    version: int = 0


INITIAL: Final = Season()


def evolve(state: Season, event: ev.SeasonAct) -> Season:
    """The season after one event. It never refuses: only ``decide`` checks rules."""
    version = state.version + 1
    match event:
        case ev.SeasonOpened():
            return replace(state, opened=event, scoring=event.scoring, version=version)
        case ev.ScoringSet(scoring):
            return replace(state, scoring=scoring, version=version)
        case ev.CalendarSet(sessions):
            return replace(state, calendar=sessions, version=version)
        case ev.FeesSet() | ev.FeePaid() | ev.PaymentTakenBack():
            return replace(state, fees=fees.evolve(state.fees, event), version=version)
        case ev.SeasonClosed():
            return replace(state, is_closed=True, version=version)
        case _:
            assert_never(event)


def decide(act: ev.SeasonAct, state: Season) -> tuple[ev.SeasonAct, ...]:
    """The act that was asked to be recorded.

    :raises Refused: the season is closed, or somebody paid twice or where nothing is paid
    """
    if isinstance(act, ev.FeesAct):
        fees.refuse_impossible_fees_act(
            act, state.fees, "persons" if state.opened is None else state.opened.of
        )
        return (act,)
    if state.is_closed or (isinstance(act, ev.SeasonOpened) and state.opened is not None):
        raise Refused(Rule.SEASON_CLOSED)
    return (act,)
