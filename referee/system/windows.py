"""Functions of the operating system on Windows, with what it lacks left out.

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


def _lock_file(descriptor: int, flags: int) -> bool:
    place = _Overlapped(offset=_BEHIND_ALL)
    if _kernel().LockFileEx(_handle(descriptor), flags, 0, 1, 0, ctypes.byref(place)):
        return True
    code = ctypes.get_last_error()  # type: ignore[attr-defined]  # as above
    if code == _HELD_BY_ANOTHER:
        return False
    raise ctypes.WinError(code)  # type: ignore[attr-defined]  # as above


def lock(descriptor: int) -> None:
    """Wait until this process has the exclusive lock of an open file.

    The system releases it when the process dies.
    """
    _lock_file(descriptor, _EXCLUSIVE)


def try_lock(descriptor: int) -> bool:
    """Take the exclusive lock of an open file without waiting; returns whether it was free."""
    return _lock_file(descriptor, _EXCLUSIVE | _AT_ONCE)


def try_lock_shared(descriptor: int) -> bool:
    """Take a shared lock of an open file without waiting.

    Returns False if somebody has it exclusively.
    """
    return _lock_file(descriptor, _AT_ONCE)


def unlock(descriptor: int) -> None:
    """Free the lock of an open file."""
    place = _Overlapped(offset=_BEHIND_ALL)
    _kernel().UnlockFileEx(_handle(descriptor), 0, 1, 0, ctypes.byref(place))


def is_locked(descriptor: int) -> bool:
    """Whether another process, or another opening of the file, holds its lock."""
    if not _lock_file(descriptor, _AT_ONCE):
        return True
    unlock(descriptor)
    return False


def open_folder_lock(folder: Path) -> int:
    """File descriptor by which a folder is locked.

    Of a file in it, since Windows cannot open a folder.
    """
    return os.open(folder / _FOLDER_LOCK, os.O_RDWR | os.O_CREAT)


# --- files ---------------------------------------------------------------------------------------


def set_mode(descriptor: int, mode: int) -> None:
    """Does nothing: Windows has no mode of a file."""


def is_mode_open_to_others(mode: int) -> bool:
    """False: on Windows the mode of a file does not say who may read it."""
    del mode
    return False


def sync_folder(folder: Path) -> None:
    """Does nothing: Windows cannot flush a folder."""


def rename_if_free(made: Path, file: Path) -> None:
    """Rename a new file to its final name, unless that name is taken.

    :raises FileExistsError: another file has it
    """
    made.rename(file)  # unlike a replacement, it keeps an existing file


def replace(made: Path, file: Path) -> None:
    """Put a file in the place of another, after waiting until nobody has that one open."""
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


def file_identity_or_none(path: Path) -> tuple[int, int] | None:
    """None for every file: an open file cannot be replaced on Windows."""
    del path
    return None


def is_on_read_only_disk(path: Path) -> bool:
    """False: Windows does not tell this without a write."""
    del path
    return False


def raise_open_file_limit(most: int) -> None:
    """Does nothing: Windows has no such limit on open files."""
    del most


# --- sockets -------------------------------------------------------------------------------------


def set_port_exclusive(listener: socket.socket) -> None:
    """Let a listening socket use its port alone; on Windows it is free at once after a restart."""
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)  # type: ignore[attr-defined]  # only Windows has it


def set_port_shared(listener: socket.socket) -> None:
    """Let a listening socket use its port alone: on Windows only one process serves."""
    set_port_exclusive(listener)


def set_silence_timeout(connection: socket.socket, silence_ms: int) -> None:
    """Does nothing: Windows closes a connection to a silent peer by itself, but later."""


def find_hung_up_descriptors(connections: Iterable[int]) -> list[int]:
    """Descriptors of those connections whose peer has closed them."""
    return [one for one in connections if _has_hung_up(one)]


def _has_hung_up(connection: int) -> bool:
    """Whether the peer has closed a connection, which must not block."""
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
    """An empty list: on Windows the addresses are found by the computer's own name."""
    return []
