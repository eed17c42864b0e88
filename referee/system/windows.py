"""The side of Windows. What its files and sockets lack is done without, and said here.

Files are private by their place: the folder of a user is closed to all others but administrators.
A mode means nothing, and a folder is not flushed: NTFS writes names to its own journal.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

ENDS: Final = (signal.SIGINT, signal.SIGTERM)
"""Signals by which somebody ends a program."""
_EXCLUSIVE: Final = 2
_AT_ONCE: Final = 1
_HELD_BY_ANOTHER: Final = 33
"""ERROR_LOCK_VIOLATION."""
_HELD_FOR_A_MOMENT: Final = frozenset({5, 32})
"""ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION: somebody has the file open."""
_MOMENT_S: Final = 5.0
_NAP_S: Final = 0.01
_LAST_BYTES: Final = frozenset({b"", b"\x15"})
"""Nothing, or the alert by which TLS ends; no request of HTTP begins so."""
_FOLDER_LOCK: Final = "folder.lock"
_BEHIND_ALL: Final = 1 << 30
"""Place of the locked byte: others cannot read what is locked, and no file is so long."""


class _Overlapped(ctypes.Structure):
    """OVERLAPPED: the place in a file."""

    _fields_ = (
        ("internal", ctypes.c_void_p),
        ("internal_high", ctypes.c_void_p),
        ("offset", ctypes.c_uint32),
        ("offset_high", ctypes.c_uint32),
        ("event", ctypes.c_void_p),
    )


# --- locks ---------------------------------------------------------------------------------------


@cache
def _kernel() -> Any:
    return ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined]  # only Windows has it


def _handle(descriptor: int) -> ctypes.c_void_p:
    import msvcrt  # noqa: PLC0415 - only Windows has it

    return ctypes.c_void_p(msvcrt.get_osfhandle(descriptor))  # type: ignore[attr-defined]  # as above


def _take(descriptor: int, flags: int) -> bool:
    place = _Overlapped(offset=_BEHIND_ALL)
    if _kernel().LockFileEx(_handle(descriptor), flags, 0, 1, 0, ctypes.byref(place)):
        return True
    code = ctypes.get_last_error()  # type: ignore[attr-defined]  # as above
    if code == _HELD_BY_ANOTHER:
        return False
    raise ctypes.WinError(code)  # type: ignore[attr-defined]  # as above


def lock(descriptor: int) -> None:
    """Wait for the lock of an open file; the system frees it when the process dies."""
    _take(descriptor, _EXCLUSIVE)


def try_lock(descriptor: int) -> bool:
    """Take the lock of an open file, if no other opening of the file has it."""
    return _take(descriptor, _EXCLUSIVE | _AT_ONCE)


def try_share(descriptor: int) -> bool:
    """Take the lock of an open file beside others that share it, unless one has it alone."""
    return _take(descriptor, _AT_ONCE)


def unlock(descriptor: int) -> None:
    """Free the lock of an open file."""
    place = _Overlapped(offset=_BEHIND_ALL)
    _kernel().UnlockFileEx(_handle(descriptor), 0, 1, 0, ctypes.byref(place))


def is_locked(descriptor: int) -> bool:
    """Whether another process, or another opening of the file, holds its lock."""
    if not _take(descriptor, _AT_ONCE):
        return True
    unlock(descriptor)
    return False


def open_folder_lock(folder: Path) -> int:
    """A descriptor to lock a folder by: of a file in it, since a folder cannot be opened."""
    return os.open(folder / _FOLDER_LOCK, os.O_RDWR | os.O_CREAT)


# --- files ---------------------------------------------------------------------------------------


def set_mode(descriptor: int, mode: int) -> None:
    """A mode means nothing here."""


def others_may_read(mode: int) -> bool:
    """A mode does not say it here."""
    del mode
    return False


def sync_folder(folder: Path) -> None:
    """A folder is not flushed here."""


def place_new(made: Path, file: Path) -> None:
    """Give a file its name, unless another has it.

    :raises FileExistsError: another file has it
    """
    made.rename(file)  # unlike a replacement, it keeps an existing file


def replace(made: Path, file: Path) -> None:
    """Put a file in the place of another, as soon as nobody has that open to read it."""
    end = time.monotonic() + _MOMENT_S
    while True:
        try:
            made.replace(file)
        except PermissionError as error:
            is_open = getattr(error, "winerror", None) in _HELD_FOR_A_MOMENT
            if not is_open or time.monotonic() >= end:
                raise
            time.sleep(_NAP_S)
        else:
            return


def identity(path: Path) -> tuple[int, int] | None:
    """The same for every file: whoever has one open keeps another from its place."""
    del path
    return None


def is_on_read_only_disk(path: Path) -> bool:
    """The system does not say it without a write."""
    del path
    return False


def allow_files(most: int) -> None:
    """Let this process have so many files open: here there is no such bound."""
    del most


# --- sockets -------------------------------------------------------------------------------------


def take_port(listener: socket.socket) -> None:
    """Let a listener have its port alone; it is free at once after a restart anyway."""
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)  # type: ignore[attr-defined]  # only Windows has it


def share_port(listener: socket.socket) -> None:
    """One process serves here, so there is nobody to share it with."""
    take_port(listener)


def give_up_after(connection: socket.socket, silence_ms: int) -> None:
    """The system gives up by itself, later than was asked for."""


def hung_up(connections: Iterable[int]) -> list[int]:
    """Those of some descriptors whose peer has closed the connection."""
    return [one for one in connections if _has_hung_up(one)]


def _has_hung_up(connection: int) -> bool:
    """Whether nothing more comes; the connection does not block."""
    try:
        asked = socket.socket(fileno=connection)
    except OSError:
        return True
    try:
        return asked.recv(1, socket.MSG_PEEK) in _LAST_BYTES
    except BlockingIOError:
        return False
    except OSError:
        return True
    finally:
        with suppress(OSError):
            asked.detach()


def interface_addresses() -> list[str]:
    """The system tells them by its own name (``own_addresses``)."""
    return []
