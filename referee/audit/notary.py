"""The notary: signs the tree over the log, and only if it extends the tree that it signed last.

It has a folder of its own, which the server need not be able to read. The folder holds the private
key, what was signed last, and an append-only file of all checkpoints. The notary does not trust the
store: it computes the root from the leaves, and each leaf that was not signed before from its
event.
"""

from __future__ import annotations

import base64
import fcntl
import os
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from referee.audit.checkpoint import (
    BadCheckpoint,
    LogKey,
    SigningKey,
    is_origin,
    read_signing_key,
    split_notes,
)
from referee.audit.differences import AuditDifference
from referee.audit.walk import Events, HashedRow, Leaves, walk
from referee.log.merkle import EMPTY_ROOT, Tree
from referee.log.ports import AuditedRows

KEY: Final = "notary.key"
SIGNED: Final = "signed.json"
CHECKPOINTS: Final = "checkpoints"
PUBLISHED_NOTE: Final = "log.checkpoint"
PUBLISHED_KEY: Final = "log.vkey"
_LOCK: Final = "lock"
_PRIVATE: Final = 0o600
_PUBLIC: Final = 0o644
_SEED_BYTES: Final = 32


class NotaryRefusal(Exception):  # noqa: N818 - it says what the notary does
    """Why the notary does not sign: a stable code, and where the fault is.

    ``origin_malformed``, ``other_origin``, ``other_notary``, ``key_malformed``, ``in_use``,
    ``state_missing``, ``log_shorter``, ``root_differs``, or a code of a verified log.
    """

    def __init__(self, code: str, difference: AuditDifference | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.difference = difference


class SignedState(msgspec.Struct, frozen=True):
    """What was signed last. ``position``: of the last event under it; the next come after it."""

    size: int = 0
    root: str = base64.b64encode(EMPTY_ROOT).decode()
    position: int = 0


class Notary:
    """One log's notary; one process at a time has its folder.

    ``random``: secret bytes for a new key. ``origin``: name of the log, which can never change.
    """

    def __init__(
        self, folder: Path, random: Callable[[int], bytes], origin: str | None = None
    ) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder = folder
        self._lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, _PRIVATE)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._lock)
            raise NotaryRefusal("in_use") from None
        try:
            self._key = self._opened(random, origin)
        except BaseException:
            self.close()
            raise

    @property
    def key(self) -> LogKey:
        """The public key."""
        return self._key.public

    def close(self) -> None:
        """Let another process have the folder."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def _opened(self, random: Callable[[int], bytes], origin: str | None) -> SigningKey:
        """The private key from its file, which is created the first time."""
        file = self._folder / KEY
        if not file.exists():
            seed = random(_SEED_BYTES)
            name = origin or f"guinote/{SigningKey('guinote', seed).public.id.hex()}"
            if not is_origin(name):
                raise NotaryRefusal("origin_malformed")
            replace_file(file, SigningKey(name, seed).text + "\n", _PRIVATE)
        try:
            key = read_signing_key(file.read_text("utf-8"))
        except (BadCheckpoint, UnicodeError):
            raise NotaryRefusal("key_malformed") from None
        if origin not in (None, key.name):
            raise NotaryRefusal("other_origin")
        return key

    def sign(self, log: AuditedRows) -> str | None:
        """A new checkpoint of the tree; None if the tree is the same as at the last one.

        The signed state is written before the checkpoint, so it is not lost in a crash.

        :raises Refusal: the tree is not the one signed last with more leaves
        """
        last = self._last()
        tree, position = _extended(log, last)
        note = self._key.sign(tree.size, tree.root)
        if note in self.checkpoints()[-1:] or not tree.size:
            return None
        root = base64.b64encode(tree.root).decode()
        now = msgspec.json.encode(SignedState(tree.size, root, position)).decode()
        replace_file(self._folder / SIGNED, now, _PRIVATE)
        with (self._folder / CHECKPOINTS).open("a", encoding="utf-8") as file:
            file.write(note)
            file.flush()
            os.fsync(file.fileno())
        return note

    def checkpoints(self) -> list[str]:
        """Every checkpoint that was signed, the latest last."""
        file = self._folder / CHECKPOINTS
        return split_notes(file.read_text("utf-8")) if file.exists() else []

    def publish(self, folder: Path) -> None:
        """Put the latest checkpoint and the public key where the server can show them."""
        replace_file(folder / PUBLISHED_KEY, self.key.text + "\n", _PUBLIC)
        for note in self.checkpoints()[-1:]:
            replace_file(folder / PUBLISHED_NOTE, note, _PUBLIC)

    def _last(self) -> SignedState:
        file = self._folder / SIGNED
        if file.exists():
            return msgspec.json.decode(file.read_bytes(), type=SignedState)
        if self.checkpoints():
            raise NotaryRefusal("state_missing")
        return SignedState()


def _extended(log: AuditedRows, last: SignedState) -> tuple[Tree, int]:
    """The tree of a log, and the position of its last event."""
    wrong: list[AuditDifference] = []
    with log.moment():
        stored, position = log.tree(), log.last()
        leaves = Leaves(log, wrong.append, {last.size})
        every: Iterator[HashedRow] = iter(leaves)
        for _ in islice(every, last.size):
            pass
        root = leaves.roots.get(last.size)
        if root is None:
            raise NotaryRefusal("log_shorter", AuditDifference("log_shorter", last.size))
        if base64.b64encode(root).decode() != last.root:
            raise NotaryRefusal("root_differs", AuditDifference("root_differs", last.size))
        new = Events(log, wrong.append, after=last.position)
        for _ in walk(new, every, wrong.append):
            pass
    if leaves.tree != stored:
        wrong.append(AuditDifference("frontier_differs", stored.size))
    if wrong:
        raise NotaryRefusal(wrong[0].what, wrong[0])
    return leaves.tree, position


def replace_file(file: Path, text: str, mode: int) -> None:
    """Replace the text of a file atomically, and flush it to the disk."""
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
            opened.write(text)
            opened.flush()
            os.fsync(descriptor)
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
