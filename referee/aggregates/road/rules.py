"""Rules of roads by their ids: why something cannot be recorded."""

from __future__ import annotations

from enum import StrEnum


class RoadRule(StrEnum):
    """Why something cannot be recorded in a road to a final."""

    ROAD_OPEN = "road-open"
    PLACES_NUMBER = "places-number"
    PLACES_FULL = "places-full"
    FINAL_UNKNOWN = "final-unknown"
    TOURNAMENT_UNKNOWN = "tournament-unknown"
    TOURNAMENT_TWICE = "tournament-twice"
    QUALIFIER_UNKNOWN = "qualifier-unknown"
    QUALIFIER_RUNNING = "qualifier-running"
    QUALIFIER_HERE = "qualifier-here"
    QUALIFIER_ELSEWHERE = "qualifier-elsewhere"
    KEY_KNOWN = "key-known"
    KEY_UNTRUSTED = "key-untrusted"
    KEY_OTHER = "key-other"
    TOURNAMENT_OTHER = "tournament-other"
    LIST_USED = "list-used"
    LIST_OLDER = "list-older"
    LIST_SAME = "list-same"
    LIST_EMPTY = "list-empty"
    LISTED_TWICE = "listed-twice"
    PLAYER_HAS_PLACE = "player-has-place"
    ENTRY_UNKNOWN = "entry-unknown"
    RENOUNCED_ALREADY = "renounced-already"
    NOT_RENOUNCED = "not-renounced"
    FINAL_CURRENT = "final-current"
    FINAL_OTHERWISE = "final-otherwise"
    FIELD_BROKEN = "field-broken"
    LINE_BROKEN = "line-broken"
    PAIRS_OF = "pairs-of"
