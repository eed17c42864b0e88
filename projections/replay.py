"""The replay: how a partida stood after any of its lines, from the log itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from projections.table import official
from referee import partida
from referee.store import Recorded


def at_line(history: Sequence[Recorded], line: int) -> dict[str, Any]:
    """The official view as it was right after a line, with the act of that line.

    ``history`` is the whole stream; ``LookupError`` for a line that it does not have.
    """
    known = [recorded for recorded in history if recorded.line <= line]
    if line < 0 or not known or (line and known[-1].line != line):
        raise LookupError(line)
    state = partida.fold(recorded.event for recorded in known)  # type: ignore[misc]  # a stream of a partida holds its events only
    act = next((r for r in known if r.line == line and line), None)
    return {
        **official(state),
        "line": line,
        "lines": history[-1].line,
        "act": None if act is None else msgspec.to_builtins(act.event),
    }
