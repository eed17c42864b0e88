"""The replay: state of a partida after any of its lines, read from the log."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from projections.facts import PartidaEventData
from projections.scores.partidas import PartidaData, official
from referee.aggregates.partida import Partida, fold
from referee.log.mapper import RecordedEvent
from referee.table.state import Line


def state_at(history: Sequence[RecordedEvent], line: Line | None) -> Partida:
    """State of a partida after a line; None: after the last one.

    ``history`` is the whole stream; ``LookupError`` for a line that it does not have.
    """
    known = [recorded for recorded in history if line is None or recorded.line <= line]
    if not known or (line is not None and not 0 <= line == known[-1].line):
        raise LookupError(line)
    return fold(recorded.event for recorded in known)  # type: ignore[misc]  # a stream of a partida holds its events only


class PastPartidaData(PartidaData):
    """The official view after a line, with the act of that line; ``lines``: how many there are."""

    line: int
    lines: int
    act: PartidaEventData | None


def at_line(history: Sequence[RecordedEvent], line: Line | None) -> PastPartidaData:
    """The official view of the state from ``state_at``, with the act of that line.

    Raises ``LookupError`` like ``state_at``.
    """
    state = state_at(history, line)
    at = history[-1].line if line is None else line
    act = next((one for one in history if one.line == at and at), None)
    return {
        **official(state),
        "line": at,
        "lines": history[-1].line,
        "act": None if act is None else msgspec.to_builtins(act.event),
    }
