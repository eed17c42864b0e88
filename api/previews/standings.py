"""Preview of a ruling or a correction in the tables of an evening and of its season."""

from __future__ import annotations

from collections.abc import Iterator
from sqlite3 import Cursor
from typing import Final
from uuid import UUID

from api.http.languages import language, say
from api.http.services import current_services
from api.previews.shapes import OutlookData, StandingsRowData
from api.seasons.points import StandingLineData, merges_of, table_view
from api.seasons.views import scoring_for
from projections.seasons import pairs, results
from projections.seasons import projection as seasons
from projections.seasons.standings import SeasonStanding, Span, table_of, tallies, tallies_with
from projections.seasons.views import SessionData
from referee.aggregates.partida import Partida
from referee.handlers.encuentros import EncuentroState

SPANS: Final[tuple[Span, ...]] = ("session", "season")


def standings_with(side: EncuentroState, encuentro_id: UUID) -> OutlookData:
    """Tables of the evening and the season of an encuentro, with its state replaced."""
    opened = side.encuentro.opened
    if opened is None or not opened.held_in:
        return {}
    with current_services().reads.reading() as rows:
        evening = seasons.session_row(rows, UUID(opened.held_in))
        if evening is None:
            return {}  # a tournament has a table of its own
        found = {
            span: _table(rows, span, evening, side, str(encuentro_id))
            for span in SPANS
            if span == "session" or evening.season
        }
    outlook: OutlookData = {}
    for span, table in found.items():
        outlook[span] = {"rows": [_short(row) for row in table_view(table, evening.of)]}
    return outlook


def _table(
    rows: Cursor, span: Span, evening: SessionData, side: EncuentroState, encuentro: str
) -> list[SeasonStanding]:
    feats = results.seat_tallies_at(rows, encuentro)
    if side.partida is not None:
        feats[_number(side.partida)] = results.seat_tallies(side.partida)
    kept = merges_of(rows, evening.of)
    span_id = evening.id if span == "session" else evening.season
    if evening.of == "pairs":
        playing = pairs.pairs_at(rows, encuentro)
        gone = results.results_of(rows, "held_pair", evening.id, encuentro)
        new = pairs.pair_results(encuentro, side.encuentro, feats, playing)
    else:
        gone = results.results_of(rows, "held", evening.id, encuentro)
        new = results.player_results(encuentro, side.encuentro, feats)
    before = tallies(rows, span, span_id, kept, evening.of)
    changed = tallies_with(before, gone, new, kept)
    return table_of(changed, scoring_for(rows, evening))


def _number(state: Partida) -> int:
    assert state.opened is not None
    return state.opened.number


def _short(row: StandingLineData) -> StandingsRowData:
    return {
        "place": row.place,
        "person": row.person,
        "pair": row.pair,
        "name": row.name,
        "points": row.points,
        "items": row.items,
    }


def _who(row: StandingsRowData) -> str:
    return row["person"] or row["pair"]


def words(gone: OutlookData, new: OutlookData) -> Iterator[str]:
    """Texts of the changed rows: player, points and place before and after."""
    lang = language()
    for span in SPANS:
        before = {_who(row): row for row in gone.get(span, {}).get("rows", ())}
        for row in new.get(span, {}).get("rows", ()):
            old = before.get(_who(row), row)
            name = row["name"] or say("grammar.nameless", lang)
            facts = {"name": name, "before": old["points"], "after": row["points"]}
            places = {"place": old["place"], "now": row["place"]}
            yield say(f"preview.{span}", lang, **facts, **places)
