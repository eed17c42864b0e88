"""Preview of a ruling or a correction in the tournament of an encuentro."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from uuid import UUID

from api.http.languages import language, say
from api.http.services import current_services
from api.previews.shapes import OutlookData, TournamentOutlookData
from projections.tournaments.view import tournament_view
from referee.aggregates.tournament.decider import change_of
from referee.aggregates.tournament.evolution import evolve
from referee.aggregates.tournament.state import Meeting, Tournament
from referee.errors import NotFound
from referee.handlers.encuentros import EncuentroState


def tournament_with(side: EncuentroState, encuentro_id: UUID) -> OutlookData:
    """The tournament of an encuentro, with the state of the encuentro replaced."""
    opened = side.encuentro.opened
    if opened is None or not opened.held_in:
        return {}
    with suppress(NotFound):  # it is held in something else
        state = current_services().referee.tournaments.tournament(UUID(opened.held_in))
        meeting = state.meeting_of_encuentro(str(encuentro_id))
        if meeting is not None:
            return {"tournament": _were(opened.held_in, state, meeting, side)}
    return {}


def _were(
    tournament: str, state: Tournament, meeting: Meeting, side: EncuentroState
) -> TournamentOutlookData:
    event = change_of(meeting, side.encuentro)
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


def words(gone: OutlookData, new: OutlookData) -> Iterator[str]:
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
