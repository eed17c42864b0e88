"""Checkpoints: size and root of the log as a signed note (C2SP tlog-checkpoint, Ed25519)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from typing import Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from referee.log.merkle import HASH_BYTES, LARGEST

ED25519: Final = b"\x01"
DASH: Final = "—"
_NAME: Final = re.compile(r"[^\s+\x00-\x1f\x7f-\x9f\ufeff]{1,200}")
_SIZE: Final = re.compile(r"0|[1-9][0-9]{0,15}")
_SECRET: Final = "PRIVATE+KEY+"  # noqa: S105 - how such a key begins
_BLANK: Final = " \t\r\n"
_ID_BYTES: Final = 4


class BadCheckpoint(ValueError):  # noqa: N818 - an answer about a text
    """A text that is not a checkpoint signed by the key: ``code`` says why.

    ``key_malformed``, ``checkpoint_malformed``, ``other_origin``, ``not_signed_by_key``,
    ``bad_signature``.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Checkpoint(msgspec.Struct, frozen=True):
    """Size and root of a log of one origin."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """Text of a checkpoint, which is what gets signed."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


class LogKey(msgspec.Struct, frozen=True):
    """Public key of a log; its name is the origin."""

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        """First four bytes of every signature by this key, which identify the key."""
        return hashlib.sha256(self.name.encode() + b"\n" + ED25519 + self.public).digest()[
            :_ID_BYTES
        ]

    @property
    def text(self) -> str:
        """The public key as one line of text."""
        return f"{self.name}+{self.id.hex()}+{base64.b64encode(ED25519 + self.public).decode()}"


class SigningKey(msgspec.Struct, frozen=True):
    """Private key of a log. ``seed``: 32 secret bytes."""

    name: str
    seed: bytes

    @property
    def public(self) -> LogKey:
        """Public key that belongs to this private key."""
        private = Ed25519PrivateKey.from_private_bytes(self.seed)
        return LogKey(self.name, private.public_key().public_bytes_raw())

    @property
    def text(self) -> str:
        """The private key as one line of text, as it is stored in its file."""
        secret = base64.b64encode(ED25519 + self.seed).decode()
        return f"{_SECRET}{self.name}+{self.public.id.hex()}+{secret}"

    def sign_checkpoint(self, size: int, root: bytes) -> str:
        """Signed note of a checkpoint, for a Merkle tree of this size and root."""
        text = Checkpoint(self.name, size, root).text
        signature = Ed25519PrivateKey.from_private_bytes(self.seed).sign(text.encode())
        return print_note(text, self.name, self.public.id + signature)


def print_note(text: str, name: str, signature: bytes) -> str:
    """Text of a signed note with one signature, which begins with the id of its key."""
    return f"{text}\n{DASH} {name} {base64.b64encode(signature).decode()}\n"


# --- reading -------------------------------------------------------------------------------------


def is_valid_origin(name: str) -> bool:
    """Whether a name may be the origin of a log: no blank, no plus sign, no invisible character."""
    return bool(_NAME.fullmatch(name))


def read_key(text: str) -> LogKey:
    """The public key that a line of text stands for.

    :raises BadCheckpoint: it is none
    """
    name, key_id, body = _key_parts(text.strip(_BLANK))
    key = LogKey(name, body)
    if key_id != key.id.hex():
        raise BadCheckpoint("key_malformed")
    return key


def is_public_key(text: str) -> bool:
    """Whether a text is a public key in its one-line form."""
    try:
        return read_key(text).text == text
    except BadCheckpoint:
        return False


def parse_signing_key(text: str) -> SigningKey:
    """The private key that a file holds.

    :raises BadCheckpoint: it holds none
    """
    given = text.strip(_BLANK)
    name, key_id, body = _key_parts(given.removeprefix(_SECRET))
    key = SigningKey(name, body)
    if not given.startswith(_SECRET) or key_id != key.public.id.hex():
        raise BadCheckpoint("key_malformed")
    return key


def _key_parts(text: str) -> tuple[str, str, bytes]:
    """Name, id and the 32 bytes of a key."""
    name, key_id, encoded = (*text.split("+", 2), "", "")[:3]
    body = decode_base64_or_empty(encoded)
    if not is_valid_origin(name) or len(body) != HASH_BYTES + 1 or body[:1] != ED25519:
        raise BadCheckpoint("key_malformed")
    return name, key_id, body[1:]


def decode_base64_or_empty(text: str) -> bytes:
    """Bytes of a base64 text; empty if the text is not in canonical form."""
    try:
        found = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""
    return found if base64.b64encode(found).decode() == text else b""


def verify_note(note: str, key: LogKey) -> str:
    """Text of a note after the key's signature was verified; signatures by other keys are ignored.

    :raises BadCheckpoint: the key did not sign it
    """
    text, blank, signatures = note.rpartition("\n\n")
    lines = signatures.split("\n")
    is_whole = bool(blank and text) and not lines.pop() and bool(lines)
    if not is_whole or not all(one.startswith(DASH) for one in lines):
        raise BadCheckpoint("checkpoint_malformed")
    for line in lines:
        dash, name, encoded = (*line.split(" "), "", "")[:3]
        signature = decode_base64_or_empty(encoded)
        if dash == DASH and name == key.name and signature[:_ID_BYTES] == key.id:
            try:
                public = Ed25519PublicKey.from_public_bytes(key.public)
                public.verify(signature[_ID_BYTES:], f"{text}\n".encode())
            except InvalidSignature:
                raise BadCheckpoint("bad_signature") from None
            return f"{text}\n"
    raise BadCheckpoint("not_signed_by_key")


def read_checkpoint(note: str) -> Checkpoint:
    """The checkpoint of a note; its signature is not checked.

    :raises BadCheckpoint: it is none
    """
    origin, size, encoded = (*note.split("\n"), "", "")[:3]
    root = decode_base64_or_empty(encoded)
    is_size = _SIZE.fullmatch(size) and int(size) <= LARGEST
    if not is_valid_origin(origin) or not is_size or len(root) != HASH_BYTES:
        raise BadCheckpoint("checkpoint_malformed")
    return Checkpoint(origin, int(size), root)


def verify_checkpoint(note: str, key: LogKey) -> Checkpoint:
    """The checkpoint in a note, after its signature by the key was verified.

    :raises BadCheckpoint: it is malformed, of another log, or not signed by the key
    """
    found = read_checkpoint(note)
    if found.origin != key.name:
        raise BadCheckpoint("other_origin")
    verify_note(note, key)
    return found


def split_notes(text: str) -> list[str]:
    """The signed notes of a text that holds several, one after another."""
    notes: list[str] = []
    lines: list[str] = []
    for line in text.split("\n"):
        if lines and lines[-1].startswith(DASH) and not line.startswith(DASH):
            notes.append("\n".join([*lines, ""]))
            lines = []
        if lines or line:
            lines.append(line)
    if any(lines):
        notes.append("\n".join([*lines, ""]))
    return notes
