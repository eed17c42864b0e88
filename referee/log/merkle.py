"""The Merkle tree over the log (RFC 6962, SHA-256).

Hashes, roots, and proofs of inclusion and of extension.

A tree is stored as its frontier: the roots of its complete subtrees, the largest first. That is
enough to append leaves and to compute the root; proofs also need the hashes of the leaves.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias

import msgspec
import rfc8785

Frontier: TypeAlias = tuple[bytes, ...]
Subtree: TypeAlias = Callable[[int, int], bytes]
"""Root over the leaves from a first index to a last one, which is excluded."""

HASH_BYTES: Final = 32
EMPTY_ROOT: Final = hashlib.sha256(b"").digest()
SMALLEST: Final = 256
"""Leaves of the smallest subtree whose root is kept."""
_BLOCKS: Final = 4
"""Smallest whole subtrees of which the leaves are kept: a path is in one, and in the last one."""


def leaf_hash(entry: bytes) -> bytes:
    """Hash of the leaf for an entry of the log."""
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Hash of two subtrees.

    >>> node_hash(leaf_hash(b""), leaf_hash(bytes(1))).hex()[:8]
    'fac54203'
    """
    return hashlib.sha256(b"\x01" + left + right).digest()


# --- growing -------------------------------------------------------------------------------------


def frontier_after_leaf(frontier: Frontier, size: int, leaf: bytes) -> Frontier:
    """New frontier of a Merkle tree of ``size`` leaves with the hash of one more leaf."""
    kept = len(frontier)
    while size & 1:
        kept -= 1
        leaf = node_hash(frontier[kept], leaf)
        size >>= 1
    return (*frontier[:kept], leaf)


def root_of_frontier(frontier: Frontier) -> bytes:
    """Root hash of the Merkle tree that has this frontier."""
    if not frontier:
        return EMPTY_ROOT
    root = frontier[-1]
    for whole in reversed(frontier[:-1]):
        root = node_hash(whole, root)
    return root


def pack_frontier(frontier: Frontier) -> bytes:
    """Bytes in which a frontier of the Merkle tree is stored: its hashes, one after another."""
    return b"".join(frontier)


def unpack_frontier(stored: bytes) -> Frontier:
    """Frontier of the Merkle tree from its stored bytes."""
    return tuple(stored[i : i + HASH_BYTES] for i in range(0, len(stored), HASH_BYTES))


def root_of_leaves(leaves: Sequence[bytes]) -> bytes:
    """Root hash of the Merkle tree over these leaf hashes."""
    frontier: Frontier = ()
    for size, leaf in enumerate(leaves):
        frontier = frontier_after_leaf(frontier, size, leaf)
    return root_of_frontier(frontier)


class Subtrees:
    """Roots of parts of a log, read once: those of larger whole subtrees are kept.

    ``read``: hashes of the leaves from a first index to a last one, which is excluded. ``whole``:
    roots of the smallest whole subtrees from the first leaf on, as an earlier one had them.
    ``tree``: one over the same leaves, whose subtrees are then not worked out again.
    """

    def __init__(
        self,
        read: Callable[[int, int], Sequence[bytes]],
        whole: bytes = b"",
        tree: Tree | None = None,
    ) -> None:
        self._read = read
        self._whole = bytearray(whole)
        self._kept = frontier_roots_by_leaf_range(tree) if tree else {}
        self._blocks: dict[int, tuple[Sequence[bytes], dict[tuple[int, int], bytes]]] = {}

    @property
    def packed_smallest_roots(self) -> bytes:
        """Roots of the smallest whole subtrees from the first leaf on, one after another."""
        return bytes(self._whole)

    def __call__(self, first: int, last: int) -> bytes:
        """Root over the leaves from a first index to a last one, which is excluded."""
        count = last - first
        if count < SMALLEST:
            return self._root_inside_smallest_subtree(first, last)
        if count == SMALLEST:
            return self._root_of_smallest_subtree(first)
        if (kept := self._kept.get((first, last))) is not None:
            return kept
        middle = first + _size_of_left(count)
        root = node_hash(self(first, middle), self(middle, last))
        if count & (count - 1) == 0:
            self._kept[first, last] = root
        return root

    def _root_of_smallest_subtree(self, first: int) -> bytes:
        """Root hash of one complete subtree of the smallest size that is kept."""
        place = first // SMALLEST * HASH_BYTES
        if place < len(self._whole):
            return bytes(self._whole[place : place + HASH_BYTES])
        root = root_of_leaves(self._read(first, first + SMALLEST))
        if place == len(self._whole):
            self._whole += root
        return root

    def _root_inside_smallest_subtree(self, first: int, last: int) -> bytes:
        """Root hash of leaves within one complete subtree of the smallest size.

        Those used last are kept.
        """
        begin = first // SMALLEST * SMALLEST
        leaves, roots = self._blocks.pop(begin, ((), {}))
        if last - begin > len(leaves):
            leaves, roots = self._read(begin, begin + SMALLEST), {}
        self._blocks[begin] = leaves, roots
        if len(self._blocks) > _BLOCKS:
            del self._blocks[next(iter(self._blocks))]
        if (kept := roots.get((first, last))) is None:
            kept = roots[first, last] = root_of_leaves(leaves[first - begin : last - begin])
        return kept


def _size_of_left(count: int) -> int:
    """Number of leaves of the left subtree: the largest power of two below ``count``."""
    return 1 << (count - 1).bit_length() - 1


# --- proving -------------------------------------------------------------------------------------


def inclusion_path(index: int, size: int, subtree: Subtree) -> list[bytes]:
    """Hashes that lead from a leaf to the root of a tree, the deepest first."""
    assert 0 <= index < size, (index, size)
    path: list[bytes] = []
    first, last = 0, size
    while last - first > 1:
        middle = first + _size_of_left(last - first)
        if index < middle:
            path.append(subtree(middle, last))
            last = middle
        else:
            path.append(subtree(first, middle))
            first = middle
    return path[::-1]


def consistency_path(old: int, new: int, subtree: Subtree) -> list[bytes]:
    """Hashes which prove that a tree of ``new`` leaves extends one of ``old`` leaves."""
    assert 0 < old <= new, (old, new)
    path: list[bytes] = []
    first, last, is_whole = 0, new, True
    while old != last:
        middle = first + _size_of_left(last - first)
        if old <= middle:
            path.append(subtree(middle, last))
            last = middle
        else:
            path.append(subtree(first, middle))
            first, is_whole = middle, False
    if not is_whole:
        path.append(subtree(first, last))
    return path[::-1]


# --- checking ------------------------------------------------------------------------------------


def is_included(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """Whether a path leads from a leaf at its index to a root (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    at, last, found = index, size - 1, leaf
    for other in path:
        if not last:
            return False
        if at & 1 or at == last:
            found = node_hash(other, found)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            found = node_hash(found, other)
        at, last = at >> 1, last >> 1
    return not last and found == root


def is_extension(
    old: int, old_root: bytes, new: int, new_root: bytes, path: Sequence[bytes]
) -> bool:
    """Whether a path proves that a tree extends an older one (RFC 9162, 2.1.4.2)."""
    if old == new:
        return not path and old_root == new_root
    if not 0 < old < new or not path:
        return old == 0 and not path
    rest = list(path) if old & (old - 1) else [old_root, *path]
    at, last = old - 1, new - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    older = newer = rest[0]
    for other in rest[1:]:
        if not last:
            return False
        if at & 1 or at == last:
            older, newer = node_hash(other, older), node_hash(other, newer)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            newer = node_hash(newer, other)
        at, last = at >> 1, last >> 1
    return not last and older == old_root and newer == new_root


class Unreadable(ValueError):  # noqa: N818 - it says what the state is
    """A state that no event can have: not JSON, with a fraction, or with too large a number."""


def refuse_fraction(text: str) -> NoReturn:
    """Always raise ``Unreadable``: called for a number with a point or an exponent."""
    raise Unreadable(text)


LARGEST: Final = 2**53 - 1
"""Largest whole number that every reader of JSON reads exactly."""


_decode: Final = msgspec.json.Decoder(float_hook=refuse_fraction).decode


_encode: Final = msgspec.json.Encoder(order="sorted").encode


_MAY_BE_INEXACT: Final = re.compile(rb"[0-9]{16}").search


def parse_event_json(text: bytes | str) -> Any:
    """Value of the JSON of a stored event; an error if it is not JSON or has a fraction.

    :raises Unreadable: it is not JSON, or has a fraction in it
    """
    try:
        return _decode(text)
    except msgspec.MsgspecError as error:
        raise Unreadable(str(error)) from None
    except (RecursionError, UnicodeError) as error:
        raise Unreadable(type(error).__name__) from None


def canonical_json(value: Any) -> bytes:
    """RFC 8785 form of a JSON value without fractions.

    Plain ASCII text takes a faster path with the same result.

    >>> canonical_json({"v": 1, "c": "ñ"}).decode()
    '{"c":"ñ","v":1}'

    :raises Unreadable: a whole number is beyond 2^53 - 1
    """
    quick = _encode(value)
    if quick.isascii() and not _MAY_BE_INEXACT(quick):
        return quick
    try:
        return rfc8785.dumps(value)
    except rfc8785.CanonicalizationError as error:
        raise Unreadable(str(error)) from None


def commitment_of_event(name: str, state: bytes) -> str:
    """Hash of a stored name and of the canonical JSON of an event, as base64url text.

    It binds without showing the content.
    """
    whole = b'{"s":' + state + b',"t":' + canonical_json(name) + b"}"
    return base64.urlsafe_b64encode(hashlib.sha256(whole).digest())[:-1].decode()


def entry_bytes_of_event(stream: str, version: int, name: str, state: bytes) -> bytes:
    """Bytes of the log entry of an event, of which the leaf hash is taken.

    ``stream``: Its id as 32 hex digits; ``state``: canonical JSON.
    """
    return canonical_json({"c": commitment_of_event(name, state), "o": stream, "v": version})


def leaf_hash_of_event(stream: str, version: int, name: str, state: bytes) -> bytes:
    """Leaf hash of a stored event.

    :raises Unreadable: it is not the state of an event
    """
    return leaf_hash(
        entry_bytes_of_event(stream, version, name, canonical_json(parse_event_json(state)))
    )


def is_as_short_as_canonical(state: bytes, canonical_state: bytes) -> bool:
    """Whether stored JSON is as long as its canonical form, so without needless bytes.

    Equal to the canonical JSON except for the order of keys.

    A duplicate key, a blank or an unneeded escape would make them longer.
    """
    return len(state) == len(canonical_state)


StoredRow: TypeAlias = tuple[str, int, str, bytes]
"""Hex id of the stream, place in the stream, stored name, stored bytes."""


class Tree(NamedTuple):
    """The tree as it is stored: the number of its leaves, and its frontier packed into bytes."""

    size: int = 0
    frontier: bytes = b""

    @property
    def root(self) -> bytes:
        """Root of the tree."""
        return root_of_frontier(unpack_frontier(self.frontier))


class Leaf(NamedTuple):
    """A leaf as it is stored: its number from 0 without a gap, its event, and its hash."""

    number: int
    stream: str
    version: int
    hash: bytes


def frontier_roots_by_leaf_range(tree: Tree) -> dict[tuple[int, int], bytes]:
    """Root hashes in the frontier of a tree, each by the range of its leaves.

    First, and one after the last.

    >>> list(frontier_roots_by_leaf_range(Tree(6, bytes(2 * HASH_BYTES))))
    [(0, 4), (4, 6)]
    """
    powers = [1 << n for n in reversed(range(tree.size.bit_length())) if tree.size >> n & 1]
    ends = list(accumulate(powers))
    return dict(zip(pairwise([0, *ends]), unpack_frontier(tree.frontier), strict=False))


def tree_and_leaves_after_events(
    tree: Tree, events: Iterable[StoredRow]
) -> tuple[Tree, list[Leaf]]:
    """Merkle tree after more events are appended in their order, and the leaves of these events.

    :raises Unreadable: one is not the state of an event
    """
    frontier: Frontier = unpack_frontier(tree.frontier)
    leaves: list[Leaf] = []
    for number, (stream, version, name, state) in enumerate(events, tree.size):
        leaf = Leaf(number, stream, version, leaf_hash_of_event(stream, version, name, state))
        frontier = frontier_after_leaf(frontier, number, leaf.hash)
        leaves.append(leaf)
    return Tree(tree.size + len(leaves), pack_frontier(frontier)), leaves
