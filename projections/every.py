"""Every view of this program, in the order in which they are written."""

from __future__ import annotations

from projections.follower.views import View
from projections.official.trail import Audit
from projections.rows.encuentros import Tables
from projections.seasons.club import Members
from projections.tournaments.rows import Tournaments


def every_view() -> tuple[View, ...]:
    """New views, with nothing kept in memory. What is counted by player asks who he is first."""
    return (Audit(), Members(), Tables(), Tournaments())
