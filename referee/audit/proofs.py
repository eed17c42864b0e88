"""The proof of an encuentro: its events, and evidence that a signed checkpoint covers each.

Made from a log, checked from the file alone. The form is that of ``docs/operating/audit.md``.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal
from uuid import UUID

import msgspec

from referee.audit.checkpoint import (
    BadCheckpoint,
    Checkpoint,
    LogKey,
    decode_base64_or_empty,
    read_checkpoint,
    read_key,
    verify_checkpoint,
)
from referee.audit.differences import AuditDifference
from referee.log.merkle import (
    HASH_BYTES,
    LARGEST,
    Subtree,
    Unreadable,
    canonical_json,
    entry_bytes_of_event,
    inclusion_path,
    is_included,
    leaf_hash,
    parse_event_json,
    refuse_fraction,
)
from referee.log.ports import AuditedRows

FORMAT: Final = "guinote-proof/1"
_ID: Final = ("encuentro", "number")
DEEPEST: Final = 100


class ProvedEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event of a proof: as it is stored, its entry, and its path to the root."""

    index: int
    stream: str
    version: int
    name: str
    state: dict[str, Any]
    entry: str
    path: tuple[str, ...]


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a proof file holds. ``recorded``: events of the encuentro when it was made."""

    format: Literal["guinote-proof/1"]
    encuentro: str
    key: str
    checkpoint: str
    recorded: int
    events: tuple[ProvedEvent, ...]


class NotSigned(Exception):  # noqa: N818 - it says what the encuentro is
    """Error: no signed checkpoint covers an event of the encuentro yet."""


# --- making --------------------------------------------------------------------------------------


def proof_of_encuentro(
    log: AuditedRows, streams: Sequence[UUID], key: LogKey, note: str, subtree: Subtree
) -> Proof:
    """Proof of an encuentro under a checkpoint. ``streams``: those of the encuentro, its own first.

    ``subtree``: roots over leaves of this log.

    :raises NotSigned: the checkpoint is older than the encuentro, or is not of this log
    """
    signed = read_checkpoint(note)
    size = signed.size
    if size > log.tree().size or subtree(0, size) != signed.root:
        raise NotSigned(signed.origin)
    placed: list[tuple[int, UUID, int]] = []
    for stream in streams:
        placed += (
            (index, stream, n) for n, index in enumerate(log.leaf_indices_of_stream(stream), 1)
        )
    rows = {
        (stream, version): (name, state)
        for stream in streams
        for version, name, state in log.stream_rows_to_version(stream, 2**62)
    }
    events = [
        _make_proved_event(
            index,
            stream,
            version,
            *rows[stream, version],
            path=_compute_path_in_base64(index, size, subtree),
        )
        for index, stream, version in sorted(placed)
        if index < size
    ]
    if not events:
        raise NotSigned(str(streams[0]))
    return Proof(FORMAT, str(streams[0]), key.text, note, len(placed), tuple(events))


def _compute_path_in_base64(index: int, size: int, subtree: Subtree) -> tuple[str, ...]:
    return tuple(base64.b64encode(h).decode() for h in inclusion_path(index, size, subtree))


def _make_proved_event(
    index: int, stream: UUID, version: int, name: str, state: bytes, path: tuple[str, ...]
) -> ProvedEvent:
    value = parse_event_json(state)
    entry = entry_bytes_of_event(stream.hex, version, name, canonical_json(value)).decode()
    return ProvedEvent(index, stream.hex, version, name, value, entry, path)


# --- checking ------------------------------------------------------------------------------------


def read_proof(text: bytes) -> Proof:
    """The proof in a file.

    :raises Unreadable: it holds none
    """
    try:
        proof = msgspec.convert(parse_strict_json(text), Proof)
        if str(UUID(proof.encuentro)) != proof.encuentro or not proof.events:
            raise Unreadable(proof.encuentro)
        for event in proof.events:
            canonical_json(event.state)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Unreadable(str(error)) from None
    return proof


def leaf_of_event(event: ProvedEvent) -> bytes:
    """Leaf hash of an event of a proof, computed again from its content."""
    form = canonical_json(event.state)
    return leaf_hash(entry_bytes_of_event(event.stream, event.version, event.name, form))


def proof_differences(proof: Proof, key: LogKey | None = None) -> Iterator[AuditDifference]:
    """Differences that a check of a proof finds.

    ``key``: the public key that the verifier trusts.
    """
    try:
        held: LogKey | None = read_key(proof.key)
    except BadCheckpoint:
        yield AuditDifference("key_malformed")
        held = key
    if key is not None and held not in (None, key):
        yield AuditDifference("other_key")
    signer = held if key is None else key
    checkpoint: Checkpoint | None = None
    if signer is not None:
        try:
            checkpoint = verify_checkpoint(proof.checkpoint, signer)
        except BadCheckpoint as bad:
            yield AuditDifference(bad.code)
    yield from inclusion_differences(proof.events, checkpoint)
    yield from _order_differences(proof)
    yield from _stream_set_differences(proof)
    if proof.recorded < len(proof.events):
        yield AuditDifference("count_differs")


def _make_difference(what: str, event: ProvedEvent) -> AuditDifference:
    return AuditDifference(what, event.index, event.stream, event.version)


def inclusion_differences(
    events: Sequence[ProvedEvent], checkpoint: Checkpoint | None
) -> Iterator[AuditDifference]:
    """Differences found by hashing each entry again along its path to the root."""
    for event in events:
        entry = entry_bytes_of_event(
            event.stream, event.version, event.name, canonical_json(event.state)
        )
        if entry != event.entry.encode("utf-8", "replace"):
            yield _make_difference("entry_differs", event)
        if checkpoint is None:
            continue
        size, root = checkpoint.size, checkpoint.root
        path = _read_path_or_none(event.path)
        if path is None or not is_included(leaf_hash(entry), event.index, size, path, root):
            yield _make_difference("not_included", event)


def _read_path_or_none(path: Sequence[str]) -> list[bytes] | None:
    found = [decode_base64_or_empty(one) for one in path]
    return found if all(len(one) == HASH_BYTES for one in found) else None


def _order_differences(proof: Proof) -> Iterator[AuditDifference]:
    """Differences where indices do not rise or a stream lacks a version."""
    last, lengths = -1, dict[str, int]()
    for event in proof.events:
        if event.index <= last:
            yield _make_difference("index_order", event)
        if event.version != lengths.get(event.stream, 0) + 1:
            yield _make_difference("version_gap", event)
        last, lengths[event.stream] = event.index, event.version


def _stream_set_differences(proof: Proof) -> Iterator[AuditDifference]:
    """Differences unless the streams are its own and those whose first event names it, once."""
    own = UUID(proof.encuentro).hex
    firsts: dict[str, ProvedEvent] = {}
    for event in proof.events:
        known = firsts.setdefault(event.stream, event)
        if event.version == 1 and known.version != 1:
            firsts[event.stream] = event
    seen: set[bytes] = set()
    if own not in firsts:
        yield AuditDifference("stream_missing", None, own)
    for stream, first in sorted(firsts.items(), key=lambda one: one[1].index):
        if stream == own:
            continue
        fact = first.state.get("fact")
        of, number = (fact.get(field) for field in _ID) if isinstance(fact, dict) else ("", None)
        kind = canonical_json([first.name.rpartition(".")[0], number])
        if first.version != 1 or of != proof.encuentro:
            yield _make_difference("foreign_stream", first)
        elif kind in seen:
            yield _make_difference("stream_twice", first)
        seen.add(kind)


def parse_strict_json(text: bytes) -> Any:
    """Value of a strict JSON text: UTF-8, whole numbers only, no key twice, not nested too deeply.

    :raises Unreadable: it is none, or one that two readers could read in two ways
    """
    try:
        value = json.loads(
            text.decode(),
            object_pairs_hook=_refuse_repeats,
            parse_int=_parse_bounded_int,
            parse_float=refuse_fraction,
            parse_constant=refuse_fraction,
        )
        json.dumps(value, ensure_ascii=False).encode()  # a lone surrogate is not UTF-8
    except (ValueError, RecursionError) as error:
        raise Unreadable(str(error)) from None
    if _is_too_deep(value):
        raise Unreadable("too deep")
    return value


def _refuse_repeats(members: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(members)
    if len(found) < len(members):
        raise Unreadable("a key twice")
    return found


def _parse_bounded_int(digits: str) -> int:
    number = int(digits)
    if abs(number) > LARGEST:
        raise Unreadable(digits)
    return number


def _is_too_deep(value: Any) -> bool:
    """Whether objects and lists are nested too deeply."""
    level = [value]
    for _ in range(DEEPEST + 1):
        inner: list[Any] = []
        for one in level:
            if isinstance(one, dict):
                inner += one.values()
            elif isinstance(one, list):
                inner += one
        level = inner
    return bool(level)
