"""Comparison of a log with its Merkle leaves: events by position and leaves by index, side by side.

Nothing here trusts the store: a row may hold anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, zip_longest
from typing import Any, Final, NamedTuple, TypeAlias

from referee.audit.differences import AuditDifference
from referee.log.merkle import (
    HASH_BYTES,
    Frontier,
    Tree,
    Unreadable,
    canonical_json,
    entry_bytes_of_event,
    frontier_after_leaf,
    is_as_short_as_canonical,
    leaf_hash,
    pack_frontier,
    parse_event_json,
    root_of_frontier,
    unpack_frontier,
)
from referee.log.ports import AuditedRows, Unsound

Tell: TypeAlias = Callable[[AuditDifference], None]
EventKey: TypeAlias = tuple[str, int]

NO_LEAVES: Final = Tree()
_PAGE: Final = 1_000
_NOTHING: Final = bytes(HASH_BYTES)
_BEFORE_ALL: Final = -(2**62)
_ID_DIGITS: Final = 32
_LARGEST: Final = 2**53 - 1
"""Beyond it a whole number has no canonical form."""


class HashedRow(NamedTuple):
    """An event or a leaf: which event it is, and its hash. ``number``: that of a leaf."""

    key: EventKey
    hash: bytes
    number: int = -1


def walk_events_and_leaves(
    events: Iterable[HashedRow], leaves: Iterable[HashedRow], tell: Tell
) -> Iterator[tuple[EventKey, bytes]]:
    """Yield each event with its leaf if both agree, and report the others with ``tell``.

    Memory is constant while they agree; from the first difference on, everything is kept.
    """
    left, right = iter(events), iter(leaves)
    for event, leaf in zip_longest(left, right):
        if event is None or leaf is None or event.key != leaf.key:
            _report_rest(_prepend(event, left), _prepend(leaf, right), tell)
            return
        _compare_hash(event.hash, leaf, tell)
        yield event.key, leaf.hash


def _prepend(first: HashedRow | None, rest: Iterator[HashedRow]) -> Iterator[HashedRow]:
    return rest if first is None else chain((first,), rest)


def _compare_hash(hashed: bytes, leaf: HashedRow, tell: Tell) -> None:
    if hashed not in (leaf.hash, _NOTHING):  # nothing: an unreadable row, reported before
        tell(AuditDifference("leaf_differs", leaf.number, *leaf.key))


def _report_rest(events: Iterator[HashedRow], leaves: Iterator[HashedRow], tell: Tell) -> None:
    """Report all differences after the first event that does not fit its leaf."""
    by_key: dict[EventKey, list[tuple[int, bytes]]] = {}
    for place, event in enumerate(events):
        by_key.setdefault(event.key, []).append((place, event.hash))
    last = -1
    for leaf in leaves:
        if not by_key.get(leaf.key):
            tell(AuditDifference("leaf_without_event", leaf.number, *leaf.key))
            continue
        place, hashed = by_key[leaf.key].pop(0)
        _compare_hash(hashed, leaf, tell)
        if place < last:
            tell(AuditDifference("order_differs", leaf.number, *leaf.key))
        last = max(place, last)
    for key, unmatched in by_key.items():
        for _ in unmatched:
            tell(AuditDifference("event_without_leaf", None, *key))


# --- events --------------------------------------------------------------------------------------


class Events:
    """Events of a log by position, each hashed. ``lengths``: how many each stream has.

    ``after``: position after which to begin; what came before is taken to be right.
    """

    def __init__(self, log: AuditedRows, tell: Tell, after: int | None = None) -> None:
        self.lengths: dict[str, int] = {}
        self._log, self._tell, self._after = log, tell, after

    def __iter__(self) -> Iterator[HashedRow]:
        first = _BEFORE_ALL if self._after is None else self._after + 1
        for _, stream, version, name, state in _read_rows(self._log.read_from, first):
            yield self._check_and_hash_row(stream, version, name, state)

    def _check_and_hash_row(self, stream: Any, version: Any, name: Any, state: Any) -> HashedRow:
        if (
            not _has_event_key_form(stream, version)
            or not isinstance(name, str)
            or type(state) is not bytes
        ):
            key = (str(stream), version if isinstance(version, int) else -1)
            self._tell(AuditDifference("malformed_row", None, *key))
            return HashedRow(key, _NOTHING)
        before = 0 if self._after is None else version - 1
        if version != self.lengths.get(stream, before) + 1:
            self._tell(AuditDifference("version_gap", None, stream, version))
        self.lengths[stream] = version
        try:
            form = canonical_json(parse_event_json(state))
        except Unreadable:
            self._tell(AuditDifference("unreadable_state", None, stream, version))
            return HashedRow((stream, version), _NOTHING)
        if not is_as_short_as_canonical(state, form):
            self._tell(AuditDifference("not_as_written", None, stream, version))
        return HashedRow(
            (stream, version), leaf_hash(entry_bytes_of_event(stream, version, name, form))
        )


def _has_event_key_form(stream: object, version: object) -> bool:
    """Whether a stream id and a version have the form in which they are written."""
    is_id = isinstance(stream, str) and len(stream) == _ID_DIGITS and stream.isalnum()
    return is_id and type(version) is int and abs(version) <= _LARGEST


def _read_rows(
    read: Callable[[int, int], Iterable[Any]], first: int = _BEFORE_ALL
) -> Iterator[Any]:
    """Rows from ``first`` on, read some at a time; an error if they do not come in order.

    :raises Unsound: they are in another order, so that there might be no end of them
    """
    while page := list(read(first, _PAGE)):
        for row in page:
            if row[0] < first:
                raise Unsound(str(row[0]))
            first = row[0] + 1
        yield from page


# --- leaves --------------------------------------------------------------------------------------


class Leaves:
    """Leaves of a log by index, and the tree that they make.

    ``roots``: root of the tree when it had each of the ``sizes``, as far as it came.
    ``tree``: of the leaves before the first one that is read.
    """

    def __init__(
        self, log: AuditedRows, tell: Tell, sizes: Iterable[int] = (), tree: Tree = NO_LEAVES
    ) -> None:
        self.size = tree.size
        self.roots: dict[int, bytes] = {}
        self._frontier: Frontier = unpack_frontier(tree.frontier)
        self._log, self._tell, self._sizes = log, tell, frozenset(sizes)
        self._keep_root()

    @property
    def tree(self) -> Tree:
        """The tree of the leaves so far."""
        return Tree(self.size, pack_frontier(self._frontier))

    def __iter__(self) -> Iterator[HashedRow]:
        expected = self.size
        first = expected or _BEFORE_ALL
        for index, stream, version, stored in _read_rows(self._log.leaf_rows, first):
            if index != expected:
                self._tell(AuditDifference("index_gap", index))
            expected = index + 1
            yield self._add(index, stream, version, stored)

    def _add(self, index: int, stream: Any, version: Any, stored: Any) -> HashedRow:
        is_hash = isinstance(stored, bytes) and len(stored) == HASH_BYTES
        if not is_hash or not _has_event_key_form(stream, version):
            self._tell(AuditDifference("malformed_row", index))
        leaf = stored if is_hash else _NOTHING
        self._frontier = frontier_after_leaf(self._frontier, self.size, leaf)
        self.size += 1
        self._keep_root()
        return HashedRow((str(stream), version if isinstance(version, int) else -1), leaf, index)

    def _keep_root(self) -> None:
        if self.size in self._sizes:
            self.roots[self.size] = root_of_frontier(self._frontier)
