"""Differences that an audit can find: stable codes, and the place."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import msgspec

AuditProgress: TypeAlias = Callable[[int, int], None]
"""Called with the events verified so far, and all there are."""


class AuditDifference(msgspec.Struct, frozen=True):
    """A difference from what was recorded: a stable code, and where it is.

    ``index``: number of a leaf, or the size of a checkpoint. None of what is not known.
    """

    what: str
    index: int | None = None
    stream: str | None = None
    version: int | None = None


OF_THE_EVENTS = (
    "malformed_row",
    "unreadable_state",
    "not_as_written",
    "version_gap",
    "leaf_differs",
    "event_without_leaf",
    "leaf_without_event",
    "order_differs",
)
OF_THE_TREE = (
    "index_gap",
    "tree_size_differs",
    "frontier_differs",
    "receipt_astray",
    "receipt_differs",
    "receipt_twice",
)
OF_CHECKPOINTS = (
    "key_malformed",
    "checkpoint_malformed",
    "other_origin",
    "not_signed_by_key",
    "bad_signature",
    "log_shorter",
    "root_differs",
)
OF_THE_STORE = ("store_unsound", "conclusions_unreadable")
OF_A_PROOF = (
    "proof_malformed",
    "other_key",
    "entry_differs",
    "not_included",
    "index_order",
    "foreign_stream",
    "stream_twice",
    "stream_missing",
    "count_differs",
)
OF_A_RESGUARDO = ("resguardo_malformed", "other_encuentro", "head_differs", "events_missing")
"""Every code, by what it is about. ``docs/operating/audit.md`` says what each means."""
