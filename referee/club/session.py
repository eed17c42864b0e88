"""A club evening as a decider: who is there, who plays whom, which tables were opened."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, assert_never

import msgspec
from msgspec.structs import replace

from referee.club.session_tables import seal_of, side_size, tables_by_seed, tables_by_strength
from referee.errors import Refused
from referee.events import (
    DrawnSide,
    PersonId,
    PlayerCame,
    PlayerLeft,
    SessionAct,
    SessionClosed,
    SessionOpened,
    TablesDrawn,
    TablesOpened,
    options_from,
)
from referee.rules.articles import Rule
from referee.rules.seats import SIDES


class Session(msgspec.Struct, frozen=True):
    """An evening folded from its log.

    ``present``: who is there now, in the order in which they came. ``encuentros``: those of every
    table opened. ``played``: persons of the tables opened. ``version`` counts the acts.
    """

    opened: SessionOpened | None = None
    present: tuple[PersonId, ...] = ()
    draws: tuple[TablesDrawn, ...] = ()
    is_waiting: bool = False
    encuentros: tuple[str, ...] = ()
    played: tuple[PersonId, ...] = ()
    is_closed: bool = False
    version: int = 0

    @property
    def waiting(self) -> TablesDrawn | None:
        """The last draw if its tables are not opened yet."""
        return self.draws[-1] if self.is_waiting else None

    @property
    def attended(self) -> tuple[PersonId, ...]:
        """Persons who played or are still there."""
        return tuple(dict.fromkeys((*self.played, *self.present)))


INITIAL: Final = Session()


def evolve(state: Session, event: SessionAct) -> Session:
    """The evening after one event. It never refuses: only ``decide`` checks rules."""
    state = replace(state, version=state.version + 1)
    match event:
        case SessionOpened():
            return replace(state, opened=event)
        case PlayerCame(person):
            return replace(state, present=(*state.present, person))
        case PlayerLeft(person):
            return replace(state, present=tuple(one for one in state.present if one != person))
        case TablesDrawn():
            return replace(state, draws=(*state.draws, event), is_waiting=True)
        case TablesOpened(encuentros):
            drawn = state.draws[-1].tables if state.draws else ()
            persons = (one for table in drawn for side in table.sides for one in side)
            played = tuple(dict.fromkeys((*state.played, *persons)))
            opened = (*state.encuentros, *encuentros)
            return replace(state, encuentros=opened, played=played, is_waiting=False)
        case SessionClosed():
            return replace(state, is_closed=True)
        case _:
            assert_never(event)


def players_of(state: Session) -> int:
    """How many play at a table."""
    assert state.opened is not None
    return options_from(state.opened.profile.options).players


def table_draw_seal(state: Session) -> str:
    """Text that the next draw mixes with its seed."""
    assert state.opened is not None
    return seal_of(state.opened.date, len(state.draws) + 1)


def by_seed(state: Session, seed: str, together: Iterable[DrawnSide] = ()) -> TablesDrawn:
    """Tables of those who are there, drawn from a seed."""
    kept = tuple(together)
    drawn = tables_by_seed(seed, table_draw_seal(state), state.present, kept, players_of(state))
    return TablesDrawn("seed", drawn[: _room(state)], seed=seed, together=kept)


def by_strength(
    state: Session, strengths: dict[PersonId, int], together: Iterable[DrawnSide] = ()
) -> TablesDrawn:
    """Tables of equals, of those who are there; ``strengths`` has each of them."""
    kept = tuple(together)
    drawn = tables_by_strength(strengths, kept, players_of(state))
    return TablesDrawn("strength", drawn[: _room(state)], together=kept, strengths=strengths)


def _room(state: Session) -> int | None:
    """Number of tables in the room; None if there is no limit."""
    assert state.opened is not None
    return state.opened.tables or None


def decide(act: SessionAct, state: Session) -> tuple[SessionAct, ...]:
    """The act that was asked to be recorded.

    :raises Refused: it cannot be true
    """
    if state.is_closed or (isinstance(act, SessionOpened) and state.opened is not None):
        raise Refused(Rule.SESSION_CLOSED)
    match act:
        case PlayerCame(person) if person in state.present:
            raise Refused(Rule.PLAYER_PRESENT, person=person)
        case PlayerLeft(person) if person not in state.present:
            raise Refused(Rule.PLAYER_ABSENT, person=person)
        case TablesDrawn():
            _refuse_wrong_tables(act, state)
        case TablesOpened() if state.waiting is None:
            raise Refused(Rule.NO_TABLES)
        case _:
            pass
    return (act,)


def _refuse_wrong_tables(act: TablesDrawn, state: Session) -> None:
    """Nothing, if the tables can be played at, and are those that seed or strengths give."""
    if not act.tables:
        raise Refused(Rule.NO_TABLES)
    players = players_of(state)
    sides = [side for table in act.tables for side in table.sides]
    seated = [one for side in sides for one in side]
    for person in [*seated, *(one for side in act.together for one in side), *act.strengths]:
        if person not in state.present:
            raise Refused(Rule.PLAYER_ABSENT, person=person)
    numbers = [table.number for table in act.tables]
    is_full = all(len(table.sides) == len(SIDES[players]) for table in act.tables)
    has_pairs = all(len(side) == side_size(players) for side in (*sides, *act.together))
    kept = [one for side in act.together for one in side]
    has_twice = any(len(set(all_)) < len(all_) for all_ in (seated, numbers, kept))
    if not (is_full and has_pairs) or has_twice:
        raise Refused(Rule.TABLES_INCOMPLETE)
    if act.method == "strength" and set(act.strengths) != set(state.present):
        raise Refused(Rule.TABLES_OTHERWISE)
    if act.method != "hand" and act != _again(act, state):
        raise Refused(Rule.TABLES_OTHERWISE)


def _again(act: TablesDrawn, state: Session) -> TablesDrawn:
    """The same draw, recomputed."""
    if act.method == "seed":
        return by_seed(state, act.seed, act.together)
    return by_strength(state, act.strengths, act.together)
