"""The partida as a decider: commands, recorded acts, and their conclusions.

The state keeps the acts as they were recorded and as they stand after corrections; ``evolve``
checks no rules, so old logs stay readable under every edition of the rules. ``referee.table``
defines what the acts mean.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import NamedTuple, assert_never

import msgspec
from msgspec.structs import replace

from referee import events as ev
from referee.aggregates.commands import Amend, Follow, PartidaCommand, Record, Undo
from referee.errors import Refused
from referee.rules.articles import Rule
from referee.rules.profile.options import LAW
from referee.rules.seats import Seat
from referee.table.conclusions import dealer_of_next_partida
from referee.table.possible import refuse_impossible
from referee.table.readings import StandingAct, TableReading, empty_table, table_after_act
from referee.table.state import Line, Table

_NOT_OPENED = "a partida is opened before anything is recorded"


class RecordedAct(msgspec.Struct, frozen=True):
    """An act at the line it took, as it was recorded."""

    line: Line
    act: ev.PartidaAct


class Partida(msgspec.Struct, frozen=True):
    """A partida folded from its log.

    ``version`` counts the acts; ``log`` holds them as recorded, ``reading`` as they stand now, with
    the table that they give; ``stated`` are the conclusions that stand.
    """

    opened: ev.PartidaOpened | None = None
    reading: TableReading | None = None
    version: int = 0
    log: tuple[RecordedAct, ...] = ()
    stated: tuple[ev.TableConclusion, ...] = ()
    dealer_due: Seat = ""

    @property
    def table_at_start(self) -> Table:
        """The table before the first deal, under the options of the partida."""
        assert self.reading is not None, _NOT_OPENED
        return self.reading.start

    @property
    def standing_acts(self) -> tuple[StandingAct, ...]:
        """The acts as they stand now, in order of play."""
        return self.reading.acts if self.reading else ()

    @property
    def table(self) -> Table:
        """The table after all acts.

        Under the earlier law, with the conclusions that the log has.
        """
        assert self.reading is not None, _NOT_OPENED
        table = self.reading.table()
        if table.options.law == LAW or _are_equal_conclusions(table.conclusions, self.stated):
            return table
        won = next((one for one in self.stated if isinstance(one, ev.PartidaWon)), None)
        return replace(table, conclusions=self.stated, decided=won)

    @property
    def conclusions_from_acts(self) -> tuple[ev.TableConclusion, ...]:
        """Conclusions that follow from the acts, which may differ from those on the log."""
        assert self.reading is not None, _NOT_OPENED
        return self.reading.table().conclusions


INITIAL = Partida()
BESIDE_PLAY = (
    ev.CardDrawn,
    ev.CardsShown,
    ev.HandEntered,
    ev.StockEntered,
    ev.WrongDealFound,
    ev.WrongDraw,
)
"""Acts that tell where cards are, besides those that are laid."""


def evolve(state: Partida, event: ev.PartidaEvent) -> Partida:
    """The partida after one event. It never refuses: only ``decide`` checks rules."""
    match event:
        case ev.PartidaOpened():
            start = empty_table(ev.options_from(event.options), event.dealer_due)
            due = event.dealer_due
            return replace(state, opened=event, reading=TableReading(start), dealer_due=due)
        case ev.DealerDue():
            due = event.seat
            reading = state.reading and TableReading(
                replace(state.table_at_start, dealer_due=due), state.standing_acts
            )
            return replace(state, reading=reading, dealer_due=due)
        case ev.ConclusionRevised():
            stated = tuple(c for c in state.stated if c != event.revised)
            return replace(state, stated=stated)
        case ev.LogAmended():
            line = state.version + 1
            log = (*state.log, RecordedAct(line, event))
            reading = state.reading and TableReading(
                state.table_at_start, acts_after_corrections(log)
            )
            return replace(state, version=line, log=log, reading=reading)
        case ev.Act():
            line = state.version + 1
            log = (*state.log, RecordedAct(line, event))
            reading = state.reading and state.reading.reading_after_act(StandingAct(line, event))
            return replace(state, version=line, log=log, reading=reading)
        case _:
            return replace(state, stated=(*state.stated, event))


def fold(events: Iterable[ev.PartidaEvent], state: Partida = INITIAL) -> Partida:
    """The partida after these events."""
    for event in events:
        state = evolve(state, event)
    return state


def fold_acts(opened: ev.PartidaOpened, acts: Iterable[ev.PartidaAct]) -> Partida:
    """A partida folded from its acts alone, as a text record has them.

    Its conclusions are computed from them.
    """
    state = fold([opened, *acts])
    return replace(state, stated=state.conclusions_from_acts)


def lines_of_withdrawn_amendments(log: Iterable[RecordedAct]) -> set[Line]:
    """Lines of amendments that a later standing amendment takes back."""
    taken_back: set[Line] = set()
    for recorded in reversed(tuple(log)):
        if isinstance(recorded.act, ev.LogAmended) and recorded.line not in taken_back:
            taken_back |= {c.line for c in recorded.act.changes if c.how == "withdraw"}
    return taken_back


def acts_after_corrections(log: Iterable[RecordedAct]) -> tuple[StandingAct, ...]:
    """The acts as they stand after all corrections, in order of play."""
    recorded = tuple(log)
    taken_back = lines_of_withdrawn_amendments(recorded)
    entries: list[tuple[Line, ev.TableAct | None]] = []
    for one in recorded:
        if not isinstance(one.act, ev.LogAmended):
            entries.append((one.line, one.act))
        elif one.line not in taken_back:
            for change in one.act.changes:
                _apply_change(entries, one.line, change)
    return tuple(StandingAct(line, act) for line, act in entries if act is not None)


def _apply_change(
    entries: list[tuple[Line, ev.TableAct | None]], line: Line, change: ev.Change
) -> None:
    """Apply one correction to the entries.

    A withdrawn act keeps its place, so that acts can be inserted before it.
    """
    place = next((i for i, (at, _) in enumerate(entries) if at == change.line), None)
    if place is None:
        return
    if change.how == "insert":
        entries.insert(place, (line, change.act))
    else:
        entries[place] = (change.line, change.act if change.how == "replace" else None)


class Decision(NamedTuple):
    """Events that a command appends, and the partida after them."""

    events: tuple[ev.PartidaEvent, ...]
    state: Partida


def decide(command: PartidaCommand, state: Partida) -> Decision:
    """The act that was asked to be recorded, and the conclusions that change with it.

    With them comes the partida after them, so that its table is read once.

    :raises Refused: if it cannot be true.
    """
    match command:
        case Record(act):
            _refuse_ruling_on_unknown_line(state, act)
            refuse_impossible(state.table, act)
            return _decision_with_conclusions(state, act, evolve(state, act))
        case Amend(changes, text):
            return _decide_amendment(state, ev.LogAmended(changes, text))
        case Undo():
            line = latest_undoable_line(state.log)
            if line is None:
                raise Refused(Rule.NOTHING_TO_UNDO)
            return _decide_amendment(state, ev.LogAmended((ev.Change(line, "withdraw"),)))
        case _:
            assert_never(command)


def _decision_with_conclusions(state: Partida, act: ev.PartidaAct, after: Partida) -> Decision:
    """The decision on an act.

    The act, the conclusions that change with it, and the partida after both.
    """
    changes = _conclusion_changes(state, after.conclusions_from_acts)
    return Decision((act, *changes), fold(changes, after))


def _conclusion_changes(
    state: Partida, concluded: tuple[ev.TableConclusion, ...]
) -> tuple[ev.PartidaEvent, ...]:
    """Events that revise conclusions and state new ones; none if the act changes no conclusion."""
    if concluded == state.conclusions_from_acts:
        return ()
    gone = tuple(ev.ConclusionRevised(old) for old in state.stated if old not in concluded)
    return (*gone, *(new for new in concluded if new not in state.stated))


def _are_equal_conclusions(
    one: tuple[ev.TableConclusion, ...], other: tuple[ev.TableConclusion, ...]
) -> bool:
    """Whether these are the same conclusions, in any order."""
    return len(one) == len(other) and all(each in other for each in one)


def _decide_amendment(state: Partida, amendment: ev.LogAmended) -> Decision:
    line = state.version + 1
    _refuse_bad_changes(state, amendment)
    log = (*state.log, RecordedAct(line, amendment))
    acts = acts_after_corrections(log)
    table = state.table_at_start
    for entry in acts:
        try:
            refuse_impossible(table, entry.act)
        except Refused as refused:
            if not _was_impossible_when_recorded(state, entry, refused):
                raise Refused(refused.rule, **{**refused.facts, "line": entry.line}) from None
        table = table_after_act(table, entry.line, entry.act)
    reading = TableReading(state.table_at_start, acts, (len(acts), table))
    return _decision_with_conclusions(
        state, amendment, replace(state, version=line, log=log, reading=reading)
    )


def _was_impossible_when_recorded(state: Partida, entry: StandingAct, refused: Refused) -> bool:
    """Whether an act was recorded although this rule refuses it: when the law was milder.

    A correction of another line does not stumble over it.
    """
    table = state.table_at_start
    for before in state.standing_acts:
        if before == entry:
            try:
                refuse_impossible(table, entry.act)
            except Refused as already:
                return already.rule == refused.rule
        table = table_after_act(table, before.line, before.act)
    return False


def _refuse_ruling_on_unknown_line(state: Partida, act: ev.TableAct) -> None:
    """Refuse a ruling about the act of a line that is not on the log."""
    match act:
        case ev.RulingGiven(effect="annul_act" | "renuncio", line=line) if (
            not 1 <= line <= state.version
        ):
            raise Refused(Rule.LINE_UNKNOWN, line=line, lines=state.version)
        case _:
            pass


def _refuse_bad_changes(state: Partida, amendment: ev.LogAmended) -> None:
    standing_lines = {entry.line for entry in state.standing_acts}
    amendments = {r.line for r in state.log if isinstance(r.act, ev.LogAmended)}
    if not amendment.changes or sum(c.how == "insert" for c in amendment.changes) > 1:
        raise Refused(Rule.NOT_AMENDABLE, line=state.version + 1)
    for change in amendment.changes:
        if change.act is not None:
            _refuse_ruling_on_unknown_line(state, change.act)
        if not 1 <= change.line <= state.version:
            raise Refused(Rule.LINE_UNKNOWN, line=change.line, lines=state.version)
        is_act = change.line in standing_lines
        may = {
            "replace": is_act and change.act is not None,
            "insert": change.act is not None and (is_act or change.line not in amendments),
            "withdraw": change.act is None
            and (
                is_act
                or (
                    change.line in amendments
                    and change.line not in lines_of_withdrawn_amendments(state.log)
                )
            ),
        }
        if not may[change.how]:
            raise Refused(Rule.NOT_AMENDABLE, line=change.line)


def latest_undoable_line(log: tuple[RecordedAct, ...]) -> Line | None:
    """The latest line that can be undone; repeated undos go further back.

    Only standing acts and corrections count. A correction that only withdraws lines, the latest at
    that time among them, is itself an undo of them.
    """
    lines: list[Line] = []
    for place, recorded in enumerate(log):
        gone = _lines_of_pure_withdrawal(recorded.act)
        if gone and _latest_standing_line(lines, log[:place]) in gone:
            lines = [line for line in lines if line not in gone]
        else:
            lines.append(recorded.line)
    return _latest_standing_line(lines, log)


def _latest_standing_line(lines: list[Line], log: tuple[RecordedAct, ...]) -> Line | None:
    """The last of some lines that still stands; None if none does."""
    taken_back = lines_of_withdrawn_amendments(log)
    stands = {entry.line for entry in acts_after_corrections(log)}
    stands |= {r.line for r in log if isinstance(r.act, ev.LogAmended) and r.line not in taken_back}
    return next((line for line in reversed(lines) if line in stands), None)


def _lines_of_pure_withdrawal(act: ev.PartidaAct) -> frozenset[Line]:
    """Lines that an act withdraws, if it does nothing else."""
    if not isinstance(act, ev.LogAmended) or any(c.how != "withdraw" for c in act.changes):
        return frozenset()
    return frozenset(change.line for change in act.changes)


def partida_under_newest_law_or_none(state: Partida) -> Partida | None:
    """The partida as today's law would judge it; None if it was opened under that law."""
    assert state.opened is not None
    start = state.table_at_start
    if start.options.law == LAW:
        return None
    options = dataclasses.replace(start.options, law=LAW)
    return replace(
        state, reading=TableReading(replace(start, options=options), state.standing_acts)
    )


def may_earlier_law_differ(state: Partida) -> bool:
    """Whether a program of the earlier law may have understood the cards of a partida differently.

    It read hands in part and the order of draws in another way, and concluded from that. What it
    wrote stands; where nothing but the cards laid was recorded, both read the same.
    """
    return state.table_at_start.options.law != LAW and any(
        isinstance(a.act, BESIDE_PLAY) for a in state.standing_acts
    )


def follow_command_of_partida(state: Partida) -> Follow:
    """How the partida stands, for its encuentro to follow."""
    assert state.opened is not None
    table = state.table
    won = table.decided
    number = state.opened.number
    if won is None:
        return Follow(number, "", "undecided", {})
    return Follow(number, won.winner, won.how, dict(won.totals), won.whole_match)


def dealer_due_next_partida(state: Partida) -> Seat:
    """Seat due to deal the next partida; empty if the record does not say."""
    return dealer_of_next_partida(state.table)
