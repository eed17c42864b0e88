"""Files that one house gives to another.

An event of its log with the proof that a signed checkpoint covers it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar
from uuid import UUID

import msgspec

from referee.audit.checkpoint import BadCheckpoint, LogKey, read_key, verify_checkpoint
from referee.audit.proofs import (
    NotSigned,
    Proof,
    ProvedEvent,
    inclusion_differences,
    parse_strict_json,
)
from referee.log.mapper import CODEC
from referee.log.merkle import Unreadable, canonical_json

_AT: Final = re.compile(r"`\$\.?([^`]*)`")
_LINE: Final = re.compile(r"pairs\[(\d+)\]")
FileT = TypeVar("FileT")
EventT = TypeVar("EventT")


class BrokenFile(Exception):  # noqa: N818 - an answer about a file
    """Error: a file is not as another house signed it. ``field``: the part that is wrong."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field

    @property
    def pair_number_or_zero(self) -> int:
        """Number of the pair that is wrong, from 1; 0 if another part of the file is wrong."""
        found = _LINE.match(self.field)
        return int(found[1]) + 1 if found else 0


def parse_file_into_type(text: bytes, form: type[FileT]) -> FileT:
    """Content of a file, converted to a type.

    :raises BrokenFile: it has another form
    """
    try:
        return msgspec.convert(parse_strict_json(text), form)
    except msgspec.ValidationError as error:
        found = _AT.search(str(error))
        raise BrokenFile(found[1] if found and found[1] else "file") from None
    except Unreadable:
        raise BrokenFile("file") from None


def verify_event_under_checkpoint(key: str, checkpoint: str, event: ProvedEvent) -> LogKey:
    """The key of a file whose event is under the checkpoint that it signed.

    :raises BrokenFile: it is not so
    """
    try:
        signer = read_key(key)
    except BadCheckpoint:
        raise BrokenFile("key") from None
    try:
        signed = verify_checkpoint(checkpoint, signer)
    except BadCheckpoint:
        raise BrokenFile("checkpoint") from None
    wrong = {one.what for one in inclusion_differences((event,), signed)}
    if "entry_differs" in wrong:
        raise BrokenFile("event")
    if wrong:
        raise BrokenFile("event.path")
    return signer


def decode_proved_event(event: ProvedEvent) -> object:
    """The event inside an entry of a proof, decoded."""
    state = msgspec.json.encode(event.state)
    return CODEC.decode_row(UUID(event.stream), event.version, event.name, state).event


def require_last_event_of_kind(
    proof: Proof, stored: str, kind: type[EventT]
) -> tuple[ProvedEvent, EventT]:
    """The last event of a kind in a proof. ``stored``: its name in the log, without the version.

    :raises NotSigned: there is none under the checkpoint
    """
    issued = [one for one in proof.events if one.name.startswith(f"{stored}.")]
    if not issued:
        raise NotSigned(proof.encuentro)
    event = decode_proved_event(issued[-1])
    assert isinstance(event, kind)
    return issued[-1], event


def digests_of_facts(facts: Iterable[Sequence[str]], nonce: str) -> tuple[str, ...]:
    """Digest of each fact with a secret nonce, so that nobody can guess the facts."""
    return tuple(hashlib.sha256(canonical_json([nonce, *one])).hexdigest() for one in facts)
