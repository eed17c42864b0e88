"""The owner's token, with all permissions: a file of the data folder, made at the first start."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

TOKEN_FILE = "owner.token"  # noqa: S105 - the name of a file


class Owner:
    """The owner's token in its file, readable by nobody else; made at the first start."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / TOKEN_FILE
        self._seen: tuple[int, int] | None = None
        self._hash = b""

    def token(self) -> str:
        """The token; made if there is none yet."""
        if not self.file.exists():
            with self._written() as beside, suppress(FileExistsError):
                os.link(beside, self.file)  # unlike a replacement, it keeps an existing file
        return self.file.read_text("ascii").strip()

    def rotate(self) -> str:
        """Replace the token; the old one becomes invalid."""
        with self._written() as beside:
            beside.replace(self.file)
        return self.token()

    @contextmanager
    def _written(self) -> Iterator[Path]:
        """A temporary file with a new token, flushed to the disk before it is renamed."""
        self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside = self.file.with_name(f"{self.file.name}.{secrets.token_hex(8)}")
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(secrets.token_urlsafe(32) + "\n")
                file.flush()
                os.fsync(descriptor)
            yield beside
        finally:
            beside.unlink(missing_ok=True)

    def knows(self, token: str) -> bool:
        """Whether this is the owner's token, compared in constant time."""
        return hmac.compare_digest(hashlib.sha256(token.encode()).digest(), self._token_hash())

    def mark(self) -> str:
        """What a sign-in with this token carries: another one after the token is replaced."""
        return hmac.new(self._token_hash(), b"sign-in", hashlib.sha256).hexdigest()

    def is_marked(self, mark: str) -> bool:
        """Whether a sign-in was made with the current token."""
        return hmac.compare_digest(mark.encode(), self.mark().encode())

    def _token_hash(self) -> bytes:
        """Hash of the token in the file, read again when the file has changed."""
        try:
            about = self.file.stat()
        except FileNotFoundError:
            self.token()
            about = self.file.stat()
        seen = (about.st_mtime_ns, about.st_ino)
        if seen != self._seen:
            token = self.token().encode() or secrets.token_bytes(32)  # an empty file has no token
            self._hash = hashlib.sha256(token).digest()
            self._seen = seen
        return self._hash
