"""Every projection of this program, in the order in which they are written."""

from __future__ import annotations

from projections.audit_trail import AuditTrailProjection
from projections.board.projection import BoardProjection
from projections.cases.projection import CasesProjection
from projections.club_rules import ClubRulesProjection
from projections.leagues.projection import LeaguesProjection
from projections.legality.findings import LegalityProjection
from projections.players import PlayersProjection
from projections.publication import PublicationProjection
from projections.puzzles import PuzzlesProjection
from projections.rankings.projection import RankingsProjection
from projections.ratings.projection import RatingsProjection
from projections.roads import RoadsProjection
from projections.runner.projection import Projection
from projections.scores.projection import ScoresProjection
from projections.seasons.projection import SeasonsProjection
from projections.tournaments.projection import TournamentsProjection


def every_projection() -> tuple[Projection, ...]:
    """New objects of every projection, those before others that read their rows."""
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
        PublicationProjection(),
        RankingsProjection(),
    )
