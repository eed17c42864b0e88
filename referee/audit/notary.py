"""The notary: signs the tree over the log, and only if it extends the tree that it signed last.

It has a folder of its own, which the server need not be able to read. The folder holds the private
key, what was signed last, and an append-only file of all checkpoints. The notary does not trust the
store: it extends the tree that it signed last, of which it keeps the frontier itself, and computes
each new leaf from its event. It also reads leaves again that it signed before: all of them, or some
at each signing and the others after them, so that a signing of a long log is no longer than of a
short one.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from referee.audit.checkpoint import (
    BadCheckpoint,
    LogKey,
    SigningKey,
    is_valid_origin,
    parse_signing_key,
    split_notes,
)
from referee.audit.differences import AuditDifference
from referee.audit.publication import Published
from referee.audit.walk import NO_LEAVES, Events, Leaves, walk_events_and_leaves
from referee.log.durable import create_private_file_if_missing, write_file_atomically
from referee.log.merkle import EMPTY_ROOT, Tree
from referee.log.ports import AuditedRows
from referee.system import ports

KEY: Final = "notary.key"
SIGNED: Final = "signed.json"
CHECKPOINTS: Final = "checkpoints"
RETIRED: Final = "retired"
"""File with the public key of a notary that was retired; its private key is gone."""
_LOCK: Final = "lock"
_PRIVATE: Final = 0o600
_SEED_BYTES: Final = 32
REREAD: Final = 50_000
"""Signed leaves that are read again at each signing by a notary that signs again and again: a fifth
of a second of a processor."""
_LAST_NOTE_BYTES: Final = 4_096
"""More than a note can have."""
OF_ANOTHER: Final = frozenset({"in_use", "other_notary"})
"""Codes with which the log is left to another notary."""


class NotaryRefusal(Exception):  # noqa: N818 - it says what the notary does
    """Error: why the notary does not sign the log, as a stable code, and where the fault is.

    ``origin_malformed``, ``other_origin``, ``other_notary``, ``key_malformed``, ``in_use``,
    ``state_missing``, ``log_shorter``, ``root_differs``, ``retired``, ``still_named``, or a
    code of a verified log. With the codes of ``OF_ANOTHER`` nothing is wrong with the log: another
    notary signs it.
    """

    def __init__(self, code: str, difference: AuditDifference | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.difference = difference


class SignedState(msgspec.Struct, frozen=True):
    """The tree that was signed last. ``position``: log position of its last event.

    ``frontier``: of the tree, in base64; a version before this one did not note it.
    """

    size: int = 0
    root: str = base64.b64encode(EMPTY_ROOT).decode()
    position: int = 0
    frontier: str = ""

    @property
    def tree_or_none(self) -> Tree | None:
        """The Merkle tree that was signed last; None if its frontier is not known."""
        tree = Tree(self.size, base64.b64decode(self.frontier))
        return tree if base64.b64encode(tree.root).decode() == self.root else None


class Notary:
    """Signs checkpoints of one log; only one process at a time may use its folder.

    ``random``: secret bytes for a new key. ``origin``: name of the log, which can never change.
    """

    def __init__(
        self, folder: Path, random: Callable[[int], bytes], origin: str | None = None
    ) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder = folder
        self._again = SignedLeaves()
        self._lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, _PRIVATE)
        if not ports.try_lock(self._lock):
            os.close(self._lock)
            raise NotaryRefusal("in_use")
        try:
            self._key = self._read_or_create_key(random, origin)
        except BaseException:
            self.close()
            raise

    @property
    def key(self) -> LogKey:
        """The public key."""
        return self._key.public

    def close(self) -> None:
        """Release the folder of the notary for another process."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def destroy_private_key(self) -> None:
        """Destroy the private key for ever; checkpoints and the public key are kept.

        The public key is written down first, so that a crash leaves either of them.
        """
        write_file_atomically(self._folder / RETIRED, f"{self.key.text}\n", _PRIVATE)
        file = self._folder / KEY
        with file.open("r+b") as opened:
            opened.write(bytes(file.stat().st_size))
            opened.flush()
            os.fsync(opened.fileno())
        file.unlink()

    def _read_or_create_key(self, random: Callable[[int], bytes], origin: str | None) -> SigningKey:
        """The private key from its file, which is created the first time."""
        refuse_retired(self._folder)
        file = self._folder / KEY
        if not file.exists():
            seed = random(_SEED_BYTES)
            name = origin or f"guinote/{SigningKey('guinote', seed).public.id.hex()}"
            if not is_valid_origin(name):
                raise NotaryRefusal("origin_malformed")
            write_file_atomically(file, SigningKey(name, seed).text + "\n", _PRIVATE)
        try:
            key = parse_signing_key(file.read_text("utf-8"))
        except (BadCheckpoint, UnicodeError):
            raise NotaryRefusal("key_malformed") from None
        if origin not in (None, key.name):
            raise NotaryRefusal("other_origin")
        return key

    def sign(self, log: AuditedRows, reread: int | None = None) -> str | None:
        """Sign a new checkpoint of the log; None if the tree has not changed since the last one.

        ``reread``: most signed leaves that are read again; None: all of them.
        The signed state is written before the checkpoint, so it is not lost in a crash.

        :raises Refusal: the tree is not the one signed last with more leaves
        """
        last = self._last_state()
        tree, position = self._verify_tree_of_log(log, last, reread)
        note = self._key.sign_checkpoint(tree.size, tree.root)
        if note == self._latest_note() or not tree.size:
            return None
        root, frontier = (base64.b64encode(one).decode() for one in (tree.root, tree.frontier))
        now = msgspec.json.encode(SignedState(tree.size, root, position, frontier)).decode()
        write_file_atomically(self._folder / SIGNED, now, _PRIVATE)
        file_of_notes = self._folder / CHECKPOINTS
        create_private_file_if_missing(file_of_notes)
        with file_of_notes.open("ab") as file:
            file.write(note.encode())
            file.flush()
            os.fsync(file.fileno())
        return note

    def checkpoint_notes(self) -> list[str]:
        """Signed note of every checkpoint, the latest last."""
        file = self._folder / CHECKPOINTS
        return split_notes(file.read_text("utf-8")) if file.exists() else []

    def publish(self, published: Published) -> None:
        """Put the latest checkpoint and the public key where every server can show them."""
        published.put(self.key.text, self._latest_note())

    def refuse_unsignable_log(self, log: AuditedRows, reread: int | None = None) -> None:
        """Raise an error if ``sign`` would refuse the log; nothing is signed.

        :raises NotaryRefusal: it would not
        """
        self._verify_tree_of_log(log, self._last_state(), reread)

    def _latest_note(self) -> str | None:
        """Signed note of the latest checkpoint, from the end of the file; None if there is none."""
        file = self._folder / CHECKPOINTS
        if not file.exists():
            return None
        with file.open("rb") as opened:
            opened.seek(max(0, file.stat().st_size - _LAST_NOTE_BYTES))
            found = split_notes(opened.read().decode("utf-8", "replace"))
        return found[-1] if found else None

    def _last_state(self) -> SignedState:
        """What was signed last; an error if a checkpoint exists and this state is lost."""
        file = self._folder / SIGNED
        if file.exists():
            return msgspec.json.decode(file.read_bytes(), type=SignedState)
        if self._latest_note():
            raise NotaryRefusal("state_missing")
        return SignedState()

    def _verify_tree_of_log(
        self, log: AuditedRows, last: SignedState, reread: int | None
    ) -> tuple[Tree, int]:
        """Tree of a log that continues what was signed, and its last position; else an error."""
        wrong: list[AuditDifference] = []
        with log.hold_snapshot():
            stored, position = log.tree(), log.last_position()
            if stored.size < last.size:
                raise NotaryRefusal("log_shorter", AuditDifference("log_shorter", last.size))
            signed = last.tree_or_none
            read = self._again.reread_signed_leaves(log, last, None if signed is None else reread)
            leaves = Leaves(log, wrong.append, tree=signed or read)
            for _ in walk_events_and_leaves(
                Events(log, wrong.append, after=last.position), leaves, wrong.append
            ):
                pass
        if leaves.tree != stored:
            wrong.append(AuditDifference("frontier_differs", stored.size))
        if wrong:
            raise NotaryRefusal(wrong[0].what, wrong[0])
        return leaves.tree, position


def refuse_retired(folder: Path) -> None:
    """Raise an error if the notary of a folder was retired: no new key is made there.

    :raises NotaryRefusal: it is one
    """
    if (folder / RETIRED).exists() and not (folder / KEY).exists():
        raise NotaryRefusal("retired")


class SignedLeaves:
    """Checks again the leaves that were signed, some at each call; at the end it begins anew."""

    def __init__(self) -> None:
        self._read = NO_LEAVES
        self._signed = SignedState()

    def reread_signed_leaves(self, log: AuditedRows, last: SignedState, most: int | None) -> Tree:
        """Read further signed leaves again; returns the Merkle tree of those read so far.

        ``most``: How many, None for all.

        :raises NotaryRefusal: they are not what was signed
        """
        if most is None or self._read.size == self._signed.size:
            self._read, self._signed = NO_LEAVES, last
        goal, wrong = self._signed, list[AuditDifference]()
        leaves = Leaves(log, wrong.append, tree=self._read)
        left = goal.size - self._read.size
        expected = left if most is None else min(left, most)
        for _ in islice(leaves, expected):
            pass
        if leaves.size < self._read.size + expected:
            raise NotaryRefusal("log_shorter", AuditDifference("log_shorter", goal.size))
        self._read = leaves.tree
        is_whole = self._read.size == goal.size
        if is_whole and base64.b64encode(self._read.root).decode() != goal.root:
            raise NotaryRefusal("root_differs", AuditDifference("root_differs", goal.size))
        if wrong:
            raise NotaryRefusal(wrong[0].what, wrong[0])
        return self._read
