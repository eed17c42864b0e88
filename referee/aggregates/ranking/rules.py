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
    PUBLICATION_LARGE = "publication-large"
    UPLOAD_BAD = "upload-bad"
    UPLOAD_GONE = "upload-gone"
    RANKING_BROKEN = "ranking-broken"
    RANKING_NOT_COMPUTED = "ranking-not-computed"
    NAMES_ERASED = "names-erased"
    ADDRESS_NONE = "address-none"
    ADDRESS_BAD = "address-bad"
    ADDRESS_UNKNOWN = "address-unknown"
    ADDRESS_INSIDE = "address-inside"
    ADDRESS_CLOSED = "address-closed"
    ADDRESS_CERTIFICATE = "address-certificate"
    ADDRESS_SLOW = "address-slow"
    ADDRESS_BROKEN = "address-broken"
    ADDRESS_STATUS = "address-status"
    READING_OFF = "reading-off"
    READING_BUSY = "reading-busy"
