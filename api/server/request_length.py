"""Length of the first request in the bytes that came: whether it is whole."""

from __future__ import annotations

import re
from typing import Final

from api.http.bodies import MAX_BYTES

MOST_OF_A_HEAD: Final = 64 * 1024
_END: Final = b"\r\n\r\n"
_LENGTH: Final = re.compile(rb"\r\ncontent-length:[ \t]*(\d+)[ \t]*(?=\r\n)", re.IGNORECASE)
_CODING: Final = re.compile(rb"\r\ntransfer-encoding[ \t]*:", re.IGNORECASE)


class RefusedEarly(Exception):  # noqa: N818 - it says what became of it
    """A request that is not read further. ``status``: the status line of the answer."""

    def __init__(self, status: str) -> None:
        super().__init__(status)
        self.status = status


def request_length(received: bytes | bytearray) -> int:
    r"""Bytes of the first request; 0 if it is not whole yet.

    A body that is too large is left out: its stated length is enough to refuse it.

    >>> head = b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n"
    >>> [request_length(came) for came in (head[:-1], head + b"{", head + b"{}", head + b"{}GET")]
    [0, 0, 40, 40]

    :raises RefusedEarly: the head is too long, or the length of the body is not stated
    """
    end = received.find(_END)
    if end > MOST_OF_A_HEAD or (end < 0 and len(received) > MOST_OF_A_HEAD):
        raise RefusedEarly("431 Request Header Fields Too Large")
    if end < 0:
        return 0
    head = received[: end + 2]
    if _CODING.search(head):
        raise RefusedEarly("411 Length Required")
    stated = _LENGTH.findall(head)
    body = int(stated[0]) if len(stated) == 1 else 0  # of two, gunicorn refuses the request
    whole = end + len(_END) + (body if body <= MAX_BYTES else 0)
    return whole if len(received) >= whole else 0


def has_head(received: bytes | bytearray) -> bool:
    """Whether the head of a request is whole, though perhaps not its body."""
    return _END in received
