"""The resguardo: what a pair takes home, one line of text under a QR code.

It holds a whole signed checkpoint, and the head of one encuentro: how many events it had, and the
root over their leaves alone.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from typing import Final
from urllib.parse import unquote
from uuid import UUID

import msgspec

from referee.audit.checkpoint import DASH, BadCheckpoint, read_checkpoint
from referee.audit.differences import AuditDifference
from referee.audit.proofs import Proof, leaf_of_event
from referee.log.merkle import root_of_leaves

FORMAT: Final = "guinote-resguardo/1"
IN_ADDRESS: Final = "#resguardo="
"""What a resguardo follows in an address: no server is sent this part."""
_PARTS: Final = 8


class BadResguardo(ValueError):  # noqa: N818 - an answer about a text
    """A text that is no resguardo."""


class Resguardo(msgspec.Struct, frozen=True):
    """A signed checkpoint, and the head of an encuentro that it covers."""

    note: str
    encuentro: UUID
    count: int
    head: bytes

    @property
    def text(self) -> str:
        """The resguardo as one line of text, which is also in its QR code."""
        origin, size, root = self.note.split("\n")[:3]
        signature = next(
            line.split(" ")[2]
            for line in self.note.split("\n\n")[-1].split("\n")
            if line.startswith(f"{DASH} {origin} ")
        )
        head = base64.b64encode(self.head).decode()
        parts = (FORMAT, origin, size, root, signature, str(self.encuentro), str(self.count), head)
        return " ".join(parts)


def resguardo_from_proof(proof: Proof) -> Resguardo:
    """The resguardo of an encuentro as its proof has it."""
    head = root_of_leaves([leaf_of_event(event) for event in proof.events])
    return Resguardo(proof.checkpoint, UUID(proof.encuentro), len(proof.events), head)


def read_resguardo(text: str) -> Resguardo:
    """The resguardo that a text or a web address contains.

    :raises BadResguardo: it is none
    """
    line = unquote(text.strip().rpartition(IN_ADDRESS)[2])
    parts = line.split(" ")
    if len(parts) != _PARTS or parts[0] != FORMAT:
        raise BadResguardo(text)
    _, origin, size, root, signature, encuentro, count, head = parts
    note = f"{origin}\n{size}\n{root}\n\n{DASH} {origin} {signature}\n"
    try:
        read_checkpoint(note)
        found = Resguardo(note, UUID(encuentro), int(count), base64.b64decode(head, validate=True))
    except (BadCheckpoint, ValueError):
        raise BadResguardo(text) from None
    if found.text != line:
        raise BadResguardo(text)
    return found


def resguardo_differences(
    held: Resguardo, encuentro: UUID, leaves: Sequence[bytes]
) -> Iterator[AuditDifference]:
    """Differences between a resguardo and the leaves of its encuentro, which come by rising index.

    Its checkpoint is checked with the other checkpoints, against the log and the key.
    """
    if held.encuentro != encuentro:
        yield AuditDifference("other_encuentro", None, held.encuentro.hex)
    elif held.count > len(leaves):
        yield AuditDifference("events_missing", None, held.encuentro.hex, held.count)
    elif root_of_leaves(leaves[: held.count]) != held.head:
        yield AuditDifference("head_differs", None, held.encuentro.hex, held.count)
