"""Every projection of this program, in the order in which they are written."""

from __future__ import annotations

from projections.audit_trail.projection import AuditTrailProjection
from projections.board.projection import BoardProjection
from projections.cases.projection import CasesProjection
from projections.club_rules.projection import ClubRulesProjection
from projections.leagues.projection import LeaguesProjection
from projections.legality.projection import LegalityProjection
from projections.players.projection import PlayersProjection
from projections.puzzles.projection import PuzzlesProjection
from projections.ratings.projection import RatingsProjection
from projections.roads.projection import RoadsProjection
from projections.runner.projection import Projection
from projections.scores.projection import ScoresProjection
from projections.seasons.projection import SeasonsProjection
from projections.tournaments.projection import TournamentsProjection


def every_projection() -> tuple[Projection, ...]:
    """New projections with empty caches; players and seasons before the ratings that read them."""
    return (
        AuditTrailProjection(),
        PlayersProjection(),
        ClubRulesProjection(),
        LegalityProjection(),
        ScoresProjection(),
        BoardProjection(),
        CasesProjection(),
        SeasonsProjection(),
        RatingsProjection(),
        PuzzlesProjection(),
        TournamentsProjection(),
        LeaguesProjection(),
        RoadsProjection(),
    )
