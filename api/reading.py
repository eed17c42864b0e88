"""Reading: what routes and pages ask the read side."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from api.house import house
from api.problems import Problem
from api.writing import finding_view
from projections.audit import trail
from referee import partida as partidas
from referee.application import partida_id


def partida(encuentro_id: UUID, number: int) -> dict[str, Any]:
    state = house().referee.partida(partida_id(encuentro_id, number))
    return {"version": state.version}


def findings(encuentro_id: UUID, number: int) -> dict[str, Any]:
    state = house().referee.partida(partida_id(encuentro_id, number))
    return {"version": state.version, "findings": [finding_view(f) for f in partidas.table_of(state).findings]}


def replay(encuentro_id: UUID, number: int, line: int | None) -> dict[str, Any]:
    return partida(encuentro_id, number)


def encuentro(encuentro_id: UUID) -> dict[str, Any]:
    state = house().referee.encuentro(encuentro_id)
    return {"id": str(encuentro_id), "version": state.version}


def encuentros(cursor: str, limit: int) -> dict[str, Any]:
    return {"items": [], "next": None}


def audit(stream: UUID, cursor: str, limit: int) -> dict[str, Any]:
    """One page of the audit trail of a stream."""
    if cursor and not (cursor.isascii() and cursor.isdigit() and len(cursor) < 10):
        raise Problem("invalid", errors={"query": {"cursor": ["not one of ours"]}})
    with house().reads.reading() as rows:
        entries = trail(rows, stream, int(cursor or 0), limit + 1)
    if not entries and not cursor:
        house().referee.history(stream)
    more = len(entries) > limit
    return {"items": entries[:limit], "next": str(entries[limit - 1].version) if more else None}


def board(encuentro_id: UUID) -> tuple[dict[str, Any], str]:
    house().referee.encuentro(encuentro_id)
    return {}, "x"
