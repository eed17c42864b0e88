"""What everybody may see of a tournament: nothing in it is secret, only what is decided counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from projections.official.cases import whole
from projections.tournaments.rounds import Rounds, clock_view, outcome_view
from referee.tournament.field import Pair
from referee.tournament.formats.bracket import tie_meeting_id, tie_round, ties_now
from referee.tournament.formats.knock_out import Tie, champion
from referee.tournament.formats.placing import (
    KnockOutPlace,
    group_tables,
    knock_out_table,
    table_of,
)
from referee.tournament.formats.standings import StandingsRow
from referee.tournament.history import points_of
from referee.tournament.state import Meeting, Tournament, TournamentEntry, circle_of, groups_of


def short_view(tournament: str, state: Tournament) -> dict[str, Any]:
    """A tournament in a list; name and place by the ids of their texts."""
    opened = state.opened
    assert opened is not None
    return {
        "id": tournament,
        "name": opened.name,
        "place": opened.place,
        "date": opened.date,
        "stage": state.stage,
        "format": opened.plan.format,
        "pairs": len(state.entries),
    }


def tournament_view(
    tournament: str, state: Tournament, rounds: Rounds | None = None
) -> dict[str, Any]:
    """A tournament: pairs, draw, rounds, tables, brackets, what is to be settled, the champion.

    As ``msgspec`` encodes it: items of a table are left as they are, rounds are encoded already.
    ``rounds``: what was encoded of them before.
    """
    opened = state.opened
    assert opened is not None
    ties = ties_now(state)
    table = table_of(state) if state.plan.format in ("swiss", "round_robin") else ()
    placed = knock_out_table(state, ties) if ties else ()
    return {
        **short_view(tournament, state),
        "profile": {"id": opened.profile.id, "edition": opened.profile.edition},
        "plan": whole(opened.plan),
        "version": state.version,
        "pairs": [_pair(one) for one in state.entries.values()],
        "draw": _draw(state),
        "rounds": (rounds or Rounds()).of(state),
        "groups": _groups(state),
        "standings": [_row(row) for row in table] or [_placed(row) for row in placed],
        "bracket": list(_bracket(state, ties)),
        "pending": [_pending(one) for one in state.pending()],
        "champion": _champion(state, ties, table),
    }


def _pair(entry: TournamentEntry) -> dict[str, Any]:
    return {
        "pair": entry.pair,
        "players": list(entry.players),
        "strength": entry.strength,
        "since": entry.since,
        "until": entry.until or 0,
        "is_withdrawn": entry.until is not None,
    }


def _draw(state: Tournament) -> dict[str, Any] | None:
    """The draw; its seed once it was revealed."""
    committed, drawn = state.committed, state.drawn
    if committed is None:
        return None
    return {
        "commitment": committed.commitment,
        "word_from": committed.word_from,
        "heads": committed.heads,
        "seed": None if drawn is None else drawn.seed,
        "word": None if drawn is None else drawn.word,
        "order": [] if drawn is None else list(drawn.order),
    }


def hall_view(tournament: str, state: Tournament) -> dict[str, Any] | None:
    """What a hall is told: who is called to which table, and the clock of the round that is played.

    None if nobody is called and no clock runs. The name by the id of its text, players by theirs.
    """
    opened = state.opened
    assert opened is not None
    waiting = [one for one in state.meetings.values() if one.is_open]
    called = [one for one in waiting if one.is_called and not one.encuentro]
    played = max((one.round for one in waiting), default=0)
    clock = clock_view(state.clocks.get(played))
    is_running = clock is not None and clock["stopped"] is None
    if not (called or is_running):
        return None
    return {
        "id": tournament,
        "name": opened.name,
        "date": opened.date,
        "round": played,
        "clock": clock if is_running else None,
        "calls": [_call(state, one) for one in sorted(called, key=lambda one: one.table)],
    }


def _call(state: Tournament, one: Meeting) -> dict[str, Any]:
    pairs = [{"pair": pair, "players": list(state.entries[pair].players)} for pair in one.pairs]
    return {"table": one.table, "pairs": pairs}


# --- what is to be settled ---------------------------------------------------------------------


def _pending(one: Meeting) -> dict[str, Any]:
    return {
        "meeting": one.id,
        "pairs": list(one.pairs),
        "was": outcome_view(one.counts),
        "now": outcome_view(one.told),
    }


# --- tables and brackets -------------------------------------------------------------------------


def _groups(state: Tournament) -> list[dict[str, Any]]:
    if state.plan.format != "groups":
        return []
    found = zip(groups_of(state), group_tables(state), strict=True)
    return [
        {"number": number, "pairs": list(pairs), "standings": [_row(row) for row in rows]}
        for number, (pairs, rows) in enumerate(found, 1)
    ]


def _row(row: StandingsRow) -> dict[str, Any]:
    return {
        "place": row.place,
        "pair": row.pair,
        "points": points_of(row.points),
        "by": row.by,
        "items": row.items,
        "rounds": row.points,
    }


def _placed(row: KnockOutPlace) -> dict[str, Any]:
    """A place in a knock-out, in the shape of a row of a table; its only item is the last round."""
    items = [{"criterion": "round", "value": row.round}]
    return {
        "place": row.place,
        "pair": row.pair,
        "points": 0,
        "by": row.by,
        "items": items,
        "rounds": [],
    }


def _bracket(state: Tournament, ties: Sequence[Tie]) -> Iterator[dict[str, Any]]:
    final = max((tie.id[1] for tie in ties if tie.id[0] == "main"), default=0)
    for tie in ties:
        bracket, number, place = tie.id
        played_in = tie_round(state, tie.id, final)
        yield {
            "bracket": bracket,
            "round": number,
            "place": place,
            "number": played_in,
            "meeting": tie_meeting_id(played_in, tie) if all(tie.pairs) else "",
            "pairs": list(tie.pairs),
            "winner": tie.winner,
        }


def _champion(state: Tournament, ties: Sequence[Tie], table: Sequence[StandingsRow]) -> Pair | None:
    """Who won, once nothing is left to play; nobody if several share the first place."""
    if ties:
        return champion(ties)
    if not state.rounds or any(one.is_open for one in state.meetings.values()):
        return None
    is_swiss = state.plan.format == "swiss"
    last = state.plan.rounds if is_swiss else len(circle_of(state))
    if not (state.is_closed or len(state.rounds) == last):
        return None
    first = [row.pair for row in table if row.place == 1]
    return first[0] if len(first) == 1 else None
