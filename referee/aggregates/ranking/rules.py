"""Rules of rankings by their ids: why something cannot be recorded."""

from __future__ import annotations

from enum import StrEnum


class RankingRule(StrEnum):
    """Why something cannot be recorded in a ranking between clubs."""

    RANKING_OPEN = "ranking-open"
    RANKED_CLUB_UNKNOWN = "ranked-club-unknown"
    RANKED_CLUBS_MANY = "ranked-clubs-many"
    RANKED_KEY_KNOWN = "ranked-key-known"
    RANKED_KEY_OTHER = "ranked-key-other"
    PUBLICATION_OLDER = "publication-older"
    PUBLICATION_SAME = "publication-same"
    PUBLICATION_BROKEN = "publication-broken"
    NAMES_ERASED = "names-erased"
