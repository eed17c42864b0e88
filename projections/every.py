"""Every view of this program, in the order in which they are written."""

from __future__ import annotations

from projections.follower.views import View
from projections.official.trail import TrailRows
from projections.rows.club_rules import ClubRulesRows
from projections.rows.encuentros import EncuentroRows
from projections.seasons.club import ClubRows
from projections.tournaments.rows import TournamentRows


def every_view() -> tuple[View, ...]:
    """New views with empty caches. Players come before the views that count by player."""
    return (TrailRows(), ClubRows(), ClubRulesRows(), EncuentroRows(), TournamentRows())
