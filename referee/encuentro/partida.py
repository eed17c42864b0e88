"""The partida as a decider: what is asked, what is recorded, what follows from it.

The state keeps the acts as they were recorded and as they stand after corrections; ``evolve`` runs
no rule, so that no edition of the rules can make an old log unreadable. What the acts mean is the
business of ``referee.table``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

import msgspec
from msgspec.structs import replace

from referee.encuentro.commands import Amend, Follow, PartidaCommand, Record, Undo
from referee.errors import Refused
from referee.events import (
    Act,
    Change,
    ConclusionRevised,
    DealerDue,
    LogAmended,
    PartidaAct,
    PartidaEvent,
    PartidaOpened,
    RulingGiven,
    TableAct,
    TableConclusion,
    options_from,
)
from referee.rules.articles import Rule
from referee.rules.seats import Seat
from referee.table.concluding import dealer_of_next_partida
from referee.table.possible import refuse_impossible
from referee.table.reading import LazyTable, StandingAct, advance, empty_table
from referee.table.state import Line, Table


class RecordedAct(msgspec.Struct, frozen=True):
    """An act at the line it took, as it was recorded."""

    line: Line
    act: PartidaAct


class Partida(msgspec.Struct, frozen=True):
    """A partida folded from its log.

    ``version`` counts the acts; ``log`` holds them as recorded, ``acts`` as they stand now, in
    order of play, and ``table`` what they mean; ``stated`` are the conclusions that stand.
    """

    opened: PartidaOpened | None = None
    start: Table | None = None
    version: int = 0
    log: tuple[RecordedAct, ...] = ()
    acts: tuple[StandingAct, ...] = ()
    table: LazyTable | None = None
    stated: tuple[TableConclusion, ...] = ()
    dealer_due: Seat = ""


INITIAL = Partida()


def evolve(state: Partida, event: PartidaEvent) -> Partida:
    """The partida after one event. Total: no rule, no refusal."""
    match event:
        case PartidaOpened():
            start = empty_table(options_from(event.options), event.dealer_due)
            due = event.dealer_due
            return read_anew(replace(state, opened=event, start=start, dealer_due=due))
        case DealerDue():
            due = replace(state.start, dealer_due=event.seat) if state.start else None
            return read_anew(replace(state, start=due, dealer_due=event.seat))
        case ConclusionRevised():
            stated = tuple(c for c in state.stated if c != event.revised)
            return replace(state, stated=stated)
        case LogAmended():
            line = state.version + 1
            log = (*state.log, RecordedAct(line, event))
            return read_anew(replace(state, version=line, log=log, acts=standing(log)))
        case Act():
            line = state.version + 1
            act = StandingAct(line, event)
            return replace(
                state,
                version=line,
                log=(*state.log, RecordedAct(line, event)),
                acts=(*state.acts, act),
                table=state.table and state.table.after(act),
            )
        case _:
            return replace(state, stated=(*state.stated, event))


def read_anew(state: Partida) -> Partida:
    """The same with its table read from the first act; for a changed start, or changed acts."""
    table = None if state.start is None else LazyTable.of(state.start, state.acts)
    return replace(state, table=table)


def fold(events: Iterable[PartidaEvent], state: Partida = INITIAL) -> Partida:
    """The partida after these events."""
    for event in events:
        state = evolve(state, event)
    return state


def withdrawn(log: Iterable[RecordedAct]) -> set[Line]:
    """Lines of amendments that a later standing amendment takes back."""
    taken_back: set[Line] = set()
    for recorded in reversed(tuple(log)):
        if isinstance(recorded.act, LogAmended) and recorded.line not in taken_back:
            taken_back |= {c.line for c in recorded.act.changes if c.how == "withdraw"}
    return taken_back


def standing(log: Iterable[RecordedAct]) -> tuple[StandingAct, ...]:
    """The acts as they stand after all corrections, in order of play."""
    recorded = tuple(log)
    taken_back = withdrawn(recorded)
    entries: list[tuple[Line, TableAct | None]] = []
    for one in recorded:
        if not isinstance(one.act, LogAmended):
            entries.append((one.line, one.act))
        elif one.line not in taken_back:
            for change in one.act.changes:
                _apply(entries, one.line, change)
    return tuple(StandingAct(line, act) for line, act in entries if act is not None)


def _apply(entries: list[tuple[Line, TableAct | None]], line: Line, change: Change) -> None:
    """One correction; a withdrawn act keeps its place, so that others can be put before it."""
    place = next((i for i, (at, _) in enumerate(entries) if at == change.line), None)
    if place is None:
        return
    if change.how == "insert":
        entries.insert(place, (line, change.act))
    else:
        entries[place] = (change.line, change.act if change.how == "replace" else None)


def table_of(state: Partida) -> Table:
    """The table as the standing acts tell it."""
    assert state.table is not None, "a partida is opened before anything is recorded"
    return state.table.read()


def decide(command: PartidaCommand, state: Partida) -> tuple[PartidaEvent, ...]:
    """The act that was asked to be recorded, and the conclusions that change with it.

    :raises Refused: if it cannot be true.
    """
    match command:
        case Record(act):
            _refuse_unknown_line(state, act)
            refuse_impossible(table_of(state), act)
            after = table_of(evolve(state, act))
            return (act, *_difference(state.stated, after.conclusions))
        case Amend(changes, text):
            return _amended(state, LogAmended(changes, text))
        case Undo():
            line = latest_line(state.log)
            if line is None:
                raise Refused(Rule.NOTHING_TO_UNDO)
            return _amended(state, LogAmended((Change(line, "withdraw"),)))
        case _:
            assert_never(command)


def _difference(
    stated: tuple[TableConclusion, ...], concluded: tuple[TableConclusion, ...]
) -> tuple[PartidaEvent, ...]:
    gone = tuple(ConclusionRevised(old) for old in stated if old not in concluded)
    return (*gone, *(new for new in concluded if new not in stated))


def _amended(state: Partida, amendment: LogAmended) -> tuple[PartidaEvent, ...]:
    line = state.version + 1
    _refuse_bad_changes(state, amendment)
    acts = standing((*state.log, RecordedAct(line, amendment)))
    assert state.start is not None
    table = state.start
    for entry in acts:
        try:
            refuse_impossible(table, entry.act)
        except Refused as refused:
            raise Refused(refused.rule, **{**refused.facts, "line": entry.line}) from None
        table = advance(table, entry.line, entry.act)
    return (amendment, *_difference(state.stated, table.conclusions))


def _refuse_unknown_line(state: Partida, act: TableAct) -> None:
    """Refused if a ruling annuls the act of a line that is not on the log."""
    match act:
        case RulingGiven(effect="annul_act", line=line) if not 1 <= line <= state.version:
            raise Refused(Rule.LINE_UNKNOWN, line=line, lines=state.version)
        case _:
            pass


def _refuse_bad_changes(state: Partida, amendment: LogAmended) -> None:
    standing_lines = {entry.line for entry in state.acts}
    amendments = {r.line for r in state.log if isinstance(r.act, LogAmended)}
    if not amendment.changes or sum(c.how == "insert" for c in amendment.changes) > 1:
        raise Refused(Rule.NOT_AMENDABLE, line=state.version + 1)
    for change in amendment.changes:
        if change.act is not None:
            _refuse_unknown_line(state, change.act)
        if not 1 <= change.line <= state.version:
            raise Refused(Rule.LINE_UNKNOWN, line=change.line, lines=state.version)
        is_act = change.line in standing_lines
        may = {
            "replace": is_act and change.act is not None,
            "insert": change.act is not None and (is_act or change.line not in amendments),
            "withdraw": change.act is None
            and (is_act or (change.line in amendments and change.line not in withdrawn(state.log))),
        }
        if not may[change.how]:
            raise Refused(Rule.NOT_AMENDABLE, line=change.line)


def latest_line(log: tuple[RecordedAct, ...]) -> Line | None:
    """The latest line that can be taken back; one undo after the other steps further back.

    What stands counts: an act, or a correction. A correction that only withdraws the line that was
    the latest then is a step back itself.
    """
    lines: list[Line] = []
    for place, recorded in enumerate(log):
        top = _top(lines, log[:place]) if _is_withdrawal(recorded.act) else None
        if top is not None and recorded.act == _withdrawal(top, recorded.act):
            lines.remove(top)
        else:
            lines.append(recorded.line)
    return _top(lines, log)


def _top(lines: list[Line], log: tuple[RecordedAct, ...]) -> Line | None:
    taken_back = withdrawn(log)
    stands = {entry.line for entry in standing(log)}
    stands |= {r.line for r in log if isinstance(r.act, LogAmended) and r.line not in taken_back}
    return next((line for line in reversed(lines) if line in stands), None)


def _is_withdrawal(act: PartidaAct) -> bool:
    return isinstance(act, LogAmended) and all(c.how == "withdraw" for c in act.changes)


def _withdrawal(line: Line, like: PartidaAct) -> LogAmended:
    """Withdrawal of one line, with the reason of another act."""
    return LogAmended((Change(line, "withdraw"),), getattr(like, "text", ""))


def outcome(state: Partida) -> Follow:
    """How the partida stands, for its encuentro to follow."""
    assert state.opened is not None
    table = table_of(state)
    won = table.decided
    number = state.opened.number
    if won is None:
        return Follow(number, "", "undecided", {})
    return Follow(number, won.winner, won.how, dict(won.totals), won.whole_match)


def due_after(state: Partida) -> Seat:
    """Seat due to deal the next partida; empty when the record does not tell."""
    return dealer_of_next_partida(table_of(state))
