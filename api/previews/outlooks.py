"""Preview of a ruling or a correction in the tables of an evening and of its season."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from sqlite3 import Cursor
from typing import Final
from uuid import UUID

from api.http.languages import language, say
from api.http.services import current_services
from api.previews.shapes import OutlookData, StandingsRowData, TournamentOutlookData
from api.seasons.points import StandingLineData, merge_target_by_id, standings_view
from api.seasons.views import scoring_of_session
from projections.seasons import pairs, results
from projections.seasons import projection as seasons
from projections.seasons.standings import (
    SeasonStanding,
    Span,
    standings_of_tallies,
    tallies_with_replaced_results,
    tally_by_competitor,
)
from projections.seasons.views import SessionData
from projections.tournaments.view import tournament_view
from referee.aggregates.tournament.decider import outcome_event_if_changed
from referee.aggregates.tournament.evolution import evolve
from referee.aggregates.tournament.state import Meeting, Tournament
from referee.errors import NotFound
from referee.handlers.encuentros import EncuentroState, partida_number


def tournament_outlook(side: EncuentroState, encuentro_id: UUID) -> OutlookData:
    """Outlook with the tournament of an encuentro in this state; empty if it is in none."""
    opened = side.encuentro.opened
    if opened is None or not opened.held_in:
        return {}
    with suppress(NotFound):  # it is held in something else
        state = current_services().referee.tournaments.tournament(UUID(opened.held_in))
        meeting = state.meeting_of_encuentro(str(encuentro_id))
        if meeting is not None:
            return {
                "tournament": _tournament_outlook_after_meeting(
                    opened.held_in, state, meeting, side
                )
            }
    return {}


def _tournament_outlook_after_meeting(
    tournament: str, state: Tournament, meeting: Meeting, side: EncuentroState
) -> TournamentOutlookData:
    event = outcome_event_if_changed(meeting, side.encuentro)
    view = tournament_view(tournament, state if event is None else evolve(state, event))
    tables = [view.standings, *(group.standings for group in view.groups)]
    return {
        "rows": [
            {"pair": row.pair, "place": row.place, "points": row.points}
            for rows in tables
            for row in rows
        ],
        "bracket": [
            {
                "bracket": tie.bracket,
                "round": tie.round,
                "place": tie.place,
                "pairs": tie.pairs,
                "winner": tie.winner,
            }
            for tie in view.bracket
        ],
        "pending": [one.meeting for one in view.pending],
        "champion": view.champion,
    }


def tournament_difference_words(gone: OutlookData, new: OutlookData) -> Iterator[str]:
    """Texts of changed rows, of ties with another winner, and of pending corrections."""
    lang = language()
    before, after = gone.get("tournament", {}), new.get("tournament", {})
    old = {row["pair"]: row for row in before.get("rows", ())}
    for row in after.get("rows", ()):
        was = old.get(row["pair"], row)
        facts = {"pair": row["pair"], "before": was["points"], "after": row["points"]}
        yield say("preview.tournament", lang, **facts, place=was["place"], now=row["place"])
    for tie in after.get("bracket", ()):
        if all(tie["pairs"]):
            one, other = tie["pairs"]
            winner = tie["winner"] or "…"
            yield say("preview.tournament_tie", lang, one=one, other=other, winner=winner)
    if after.get("pending"):
        yield say("preview.tournament_pending", lang)


SPANS: Final[tuple[Span, ...]] = ("session", "season")


def standings_outlook(side: EncuentroState, encuentro_id: UUID) -> OutlookData:
    """Outlook with the tables of evening and season, the encuentro in this state; or empty."""
    opened = side.encuentro.opened
    if opened is None or not opened.held_in:
        return {}
    with current_services().reads.reading() as rows:
        evening = seasons.find_session_view(rows, UUID(opened.held_in))
        if evening is None:
            return {}  # a tournament has a table of its own
        found = {
            span: _span_standings_with_state(rows, span, evening, side, str(encuentro_id))
            for span in SPANS
            if span == "session" or evening.season
        }
    outlook: OutlookData = {}
    for span, table in found.items():
        outlook[span] = {"rows": [_standings_row(row) for row in standings_view(table, evening.of)]}
    return outlook


def _span_standings_with_state(
    rows: Cursor, span: Span, evening: SessionData, side: EncuentroState, encuentro: str
) -> list[SeasonStanding]:
    feats = results.seat_tallies_of_encuentro(rows, encuentro)
    if side.partida is not None:
        feats[partida_number(side.partida)] = results.seat_tallies_of_partida(side.partida)
    kept = merge_target_by_id(rows, evening.of)
    span_id = evening.id if span == "session" else evening.season
    if evening.of == "pairs":
        playing = pairs.pair_by_side_of_encuentro(rows, encuentro)
        gone = results.results_of_encuentro(rows, "held_pair", evening.id, encuentro)
        new = pairs.pair_results_from_encuentro(encuentro, side.encuentro, feats, playing)
    else:
        gone = results.results_of_encuentro(rows, "held", evening.id, encuentro)
        new = results.player_results(encuentro, side.encuentro, feats)
    before = tally_by_competitor(rows, span, span_id, kept, evening.of)
    changed = tallies_with_replaced_results(before, gone, new, kept)
    return standings_of_tallies(changed, scoring_of_session(rows, evening))


def _standings_row(row: StandingLineData) -> StandingsRowData:
    return {
        "place": row.place,
        "person": row.person,
        "pair": row.pair,
        "name": row.name,
        "points": row.points,
        "items": row.items,
    }


def _id_of_row(row: StandingsRowData) -> str:
    return row["person"] or row["pair"]


def standings_difference_words(gone: OutlookData, new: OutlookData) -> Iterator[str]:
    """Sentences on the rows of standings that change: player, points and place before and after."""
    lang = language()
    for span in SPANS:
        before = {_id_of_row(row): row for row in gone.get(span, {}).get("rows", ())}
        for row in new.get(span, {}).get("rows", ()):
            old = before.get(_id_of_row(row), row)
            name = row["name"] or say("grammar.nameless", lang)
            facts = {"name": name, "before": old["points"], "after": row["points"]}
            places = {"place": old["place"], "now": row["place"]}
            yield say(f"preview.{span}", lang, **facts, **places)
