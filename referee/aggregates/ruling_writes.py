"""Whether a write gives, changes or takes back a ruling, which a scorer may not do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from referee.aggregates.commands import Amend, PartidaCommand, Record, Undo
from referee.aggregates.partida import RecordedAct, acts_after_corrections, latest_undoable_line
from referee.events import Change, LogAmended, RulingGiven
from referee.table.state import Line


def is_ruling_write(command: PartidaCommand, ask: Callable[[], Sequence[RecordedAct]]) -> bool:
    """Whether a command gives, changes or takes back a ruling.

    ``ask`` returns the log before the command; it is called for corrections only.
    """
    match command:
        case Record(act):
            return isinstance(act, RulingGiven)
        case Amend(changes):
            return has_ruling_change(changes, ask())
        case Undo():
            log = ask()
            line = latest_undoable_line(tuple(log))
            return line is not None and _is_line_about_ruling(line, log)


def has_ruling_change(changes: Iterable[Change], log: Sequence[RecordedAct]) -> bool:
    """Whether changes of a log give, change or take back a ruling."""
    return any(
        isinstance(change.act, RulingGiven)
        or (change.how != "insert" and _is_line_about_ruling(change.line, log))
        for change in changes
    )


def _is_line_about_ruling(line: Line, log: Sequence[RecordedAct]) -> bool:
    """Whether a line is or was a ruling, or is a correction of one."""
    if not 1 <= line <= len(log):
        return False
    if any(
        isinstance(one.act, RulingGiven) for one in acts_after_corrections(log) if one.line == line
    ):
        return True
    recorded = log[line - 1].act
    if isinstance(recorded, LogAmended):
        return has_ruling_change(recorded.changes, log)
    return isinstance(recorded, RulingGiven)
