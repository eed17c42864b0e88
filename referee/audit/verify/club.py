"""Access, the club, its rules and its settings on a log, decided again act by act."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import UnionType
from typing import Any, TypeVar

from referee import events as ev
from referee.aggregates import access, club
from referee.aggregates import club_rules as rules
from referee.audit.checkpoint import is_key
from referee.audit.verify.streams import StreamDifference, difference, find_misplaced
from referee.errors import Refused
from referee.log.mapper import RecordedEvent

DecidedT = TypeVar("DecidedT")


def verify_access(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """Acts that were impossible when they were recorded, and events not about access.

    An act that names another author than its envelope was impossible too.
    """
    for at in history:
        if isinstance(at.event, ev.AccessAct) and at.event.by not in ("", at.by):
            yield difference(at, "impossible_act", at.event)
            return
    yield from _decide_again(history, ev.AccessAct, access.INITIAL, access.decide, access.evolve)


def verify_club(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """Acts that were impossible when they were recorded, and events not about the club."""
    yield from _decide_again(history, ev.ClubAct, club.INITIAL, club.decide, club.evolve)


def verify_rules(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """Acts that were impossible when they were recorded, and events not about rules."""
    yield from _decide_again(history, ev.RulesAct, rules.INITIAL, rules.decide, rules.evolve)


def verify_settings(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """Events not about the settings of the club, and what is wrong with their lines."""
    yield from _all_of(history, ev.SettingsAct)


def verify_house(history: Sequence[RecordedEvent]) -> Iterator[StreamDifference]:
    """Events not about the house, what is wrong with their lines, and acts that nobody can make.

    These are a founding that is not the first act, a notary without a public key, and an older copy
    that was not shorter than what was signed.
    """
    yield from _all_of(history, ev.HouseAct)
    for at in history:
        if not _may_be(at):
            yield difference(at, "impossible_act", at.event)


def _may_be(at: RecordedEvent) -> bool:
    match at.event:
        case ev.HouseFounded():
            return at.line == 1
        case ev.HouseRestored(signed, kept):
            return kept < signed
        case ev.NotaryNamed(key):
            return is_key(key)
    return True


def _all_of(
    history: Sequence[RecordedEvent], acts: type[Any] | UnionType
) -> Iterator[StreamDifference]:
    """For a stream whose acts can always be made."""
    yield from find_misplaced(history, acts)
    yield from (
        difference(one, "foreign_event", one.event)
        for one in history
        if not isinstance(one.event, acts)
    )


def _decide_again(
    history: Sequence[RecordedEvent],
    acts: type[Any] | UnionType,
    state: DecidedT,
    decide: Callable[[Any, DecidedT], tuple[Any, ...]],
    evolve: Callable[[DecidedT, Any], DecidedT],
) -> Iterator[StreamDifference]:
    yield from find_misplaced(history, acts)
    for at in history:
        if not isinstance(at.event, acts):
            yield difference(at, "foreign_event", at.event)
            return
        try:
            (event,) = decide(at.event, state)
        except Refused:
            yield difference(at, "impossible_act", at.event)
            return
        state = evolve(state, event)
