"""Scores across deals, vueltas, partidas and cotos."""

from __future__ import annotations

from typing import Any

import msgspec

from projections.official.cases import whole
from referee.encuentro import result as encuentro_result
from referee.encuentro.encuentro import Encuentro, options_of, result_stage, standing_of
from referee.encuentro.partida import Partida, table_of
from referee.rules.articles import Rule
from referee.rules.seats import SIDES
from referee.table.counting import partida_scores, partida_totals

TABLE = (
    "CREATE TABLE deal_score (partida TEXT, deal INTEGER, side TEXT, cards INTEGER,"
    " ultimas INTEGER, cantes INTEGER, ruled INTEGER, total INTEGER, counted INTEGER,"
    " PRIMARY KEY (partida, deal, side)) WITHOUT ROWID"
)


def score_rows(partida: str, state: Partida) -> list[tuple[object, ...]]:
    """Rows of the scores of a partida: of each deal, with the total of the partida after it."""
    table = table_of(state)
    rows: list[tuple[object, ...]] = []
    for index, deal in enumerate(table.all_deals):
        totals = partida_totals(table, table.all_deals[: index + 1])
        rows += [
            (
                partida,
                deal.number,
                side,
                score.cards,
                score.ultimas,
                score.cantes,
                score.ruled,
                totals.get(side, 0),
                deal.is_counted,
            )
            for side, score in partida_scores(table, [deal]).items()
        ]
    return rows


def encuentro_view(encuentro: str, state: Encuentro) -> dict[str, Any]:
    """An encuentro: profile, seats, partidas with their outcome, and what they add up to."""
    assert state.opened is not None
    opened, now, options = state.opened, standing_of(state), options_of(state)
    return {
        "id": encuentro,
        "version": state.version,
        "date": opened.date,
        "place": opened.place,
        "held_in": opened.held_in,
        "players": options.players,
        "profile": msgspec.to_builtins(opened.profile),
        "seats": dict(state.seats),
        "draws": [msgspec.to_builtins(draw) for draw in state.draws],
        "partidas": [
            {**msgspec.to_builtins(p), "flagged": p.partida in state.flagged}
            for p in state.partidas
        ],
        "standing": standing_view(state),
        "beyond": list(now.beyond),
        "findings": [
            {"rule": Rule.LATER_PARTIDA_STANDS.value, "partida": number} for number in state.flagged
        ],
        "decided": None if state.won is None else {"winner": state.won.winner},
        "conclusions": [msgspec.to_builtins(one) for one in state.stated],
        "result": result_view(state),
    }


def result_view(state: Encuentro) -> dict[str, Any]:
    """Where the result is on its way to be official, who said what, and how its cases stand."""
    result = state.result
    stands = encuentro_result.stands(result, state.outcome)
    sides = SIDES[options_of(state).players]
    return {
        "stage": result_stage(state),
        "stands": stands,
        "reported": whole(result.reported),
        "confirmed": [
            {"by": one.by, "side": one.side, "with": "code" if one.code else "device"}
            for one in result.confirmed
        ],
        "missing": list(encuentro_result.missing(result, sides) if stands else sides),
        "official": whole(result.official),
        "reopened": [whole(one) for one in result.reopened],
        "codes": sorted({one.side for one in result.codes}),
        "cases": [
            {"case": one.case, "partida": one.partida, "stage": one.stage} for one in result.cases
        ],
    }


def standing_view(state: Encuentro) -> dict[str, Any]:
    """Partidas and camas of the running coto, and cotos, of each side."""
    now = standing_of(state)
    return {
        "partidas": now.partidas,
        "camas": now.camas,
        "cotos": now.cotos,
        "made": [{"coto": m.coto, "winner": m.winner, "partida": m.partida} for m in now.made],
    }
