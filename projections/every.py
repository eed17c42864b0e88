"""Every view of this program, in the order in which they are written."""

from __future__ import annotations

from projections.audit import Audit
from projections.club import Members
from projections.tables import Tables
from projections.tournaments import Tournaments
from projections.views import View


def every_view() -> tuple[View, ...]:
    """New views, with nothing kept in memory. What is counted by player asks who he is first."""
    return (Audit(), Members(), Tables(), Tournaments())
