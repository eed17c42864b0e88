"""Functions of the operating system on POSIX: Linux and macOS."""

from __future__ import annotations

import fcntl
import os
import resource
import select
import signal
import socket
import struct
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

ENDS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals by which somebody ends a program."""
_OTHERS: Final = 0o077
_ADDRESS_OF_INTERFACE: Final = 0x8915
"""SIOCGIFADDR of Linux; other systems answer with an error."""
_HUNG_UP: Final = getattr(select, "POLLRDHUP", select.POLLHUP)
_SILENCE: Final = getattr(socket, "TCP_USER_TIMEOUT", None)


# --- locks ---------------------------------------------------------------------------------------


def lock(descriptor: int) -> None:
    """Wait until this process has the exclusive lock of an open file.

    The system releases it when the process dies.
    """
    fcntl.flock(descriptor, fcntl.LOCK_EX)


def try_lock(descriptor: int) -> bool:
    """Take the exclusive lock of an open file without waiting; returns whether it was free."""
    return _try_flock(descriptor, fcntl.LOCK_EX)


def try_lock_shared(descriptor: int) -> bool:
    """Take a shared lock of an open file without waiting.

    Returns False if somebody has it exclusively.
    """
    return _try_flock(descriptor, fcntl.LOCK_SH)


def _try_flock(descriptor: int, how: int) -> bool:
    try:
        fcntl.flock(descriptor, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def unlock(descriptor: int) -> None:
    """Free the lock of an open file."""
    fcntl.flock(descriptor, fcntl.LOCK_UN)


def is_locked(descriptor: int) -> bool:
    """Whether another process, or another opening of the file, holds its lock."""
    return not _try_flock(descriptor, fcntl.LOCK_SH)


def open_folder_lock(folder: Path) -> int:
    """File descriptor of a folder, by which the folder itself can be locked."""
    return os.open(folder, os.O_RDONLY | os.O_CLOEXEC)


# --- files ---------------------------------------------------------------------------------------


def set_mode(descriptor: int, mode: int) -> None:
    """Give an open file its mode, whatever the umask."""
    os.fchmod(descriptor, mode)


def is_mode_open_to_others(mode: int) -> bool:
    """Whether a file with this mode can be read by others than its owner."""
    return bool(mode & _OTHERS)


def sync_folder(folder: Path) -> None:
    """Flush a folder, so that its file names survive a power cut."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def rename_if_free(made: Path, file: Path) -> None:
    """Rename a new file to its final name, unless that name is taken.

    The new file may stay there as well.

    :raises FileExistsError: another file has it
    """
    os.link(made, file)  # a replacement would overwrite an existing file


def replace(made: Path, file: Path) -> None:
    """Put a file in the place of another."""
    made.replace(file)


def file_identity_or_none(path: Path) -> tuple[int, int] | None:
    """Device and number of the file at a path, None without one; another file has others."""
    try:
        about = path.stat()
    except OSError:
        return None
    return about.st_dev, about.st_ino


def is_on_read_only_disk(path: Path) -> bool:
    """Whether the disk of a file is mounted read-only."""
    return bool(os.statvfs(path).f_flag & os.ST_RDONLY)


def raise_open_file_limit(most: int) -> None:
    """Raise the limit of open files of this process to a number, as far as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


# --- sockets -------------------------------------------------------------------------------------


def set_port_exclusive(listener: socket.socket) -> None:
    """Let a listening socket use its port alone, and at once after a restart."""
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def set_port_shared(listener: socket.socket) -> None:
    """Let a listening socket share its port with other processes of this user."""
    set_port_exclusive(listener)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)


def set_silence_timeout(connection: socket.socket, silence_ms: int) -> None:
    """Let the system close a connection whose peer has not answered for a time."""
    if connection.family != socket.AF_UNIX and _SILENCE is not None:
        connection.setsockopt(socket.IPPROTO_TCP, _SILENCE, silence_ms)


def find_hung_up_descriptors(connections: Iterable[int]) -> list[int]:
    """Descriptors of those connections whose peer has closed them."""
    asked = select.poll()
    for connection in connections:
        asked.register(connection, _HUNG_UP)
    return [connection for connection, _ in asked.poll(0)]


def interface_addresses() -> list[str]:
    """Addresses of the network interfaces of this computer, where the system tells them."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for _, name in socket.if_nameindex():
            wanted = struct.pack("256s", name.encode()[:15])
            with suppress(OSError):  # an interface without an address
                answer = fcntl.ioctl(asked, _ADDRESS_OF_INTERFACE, wanted)
                found.append(socket.inet_ntoa(answer[20:24]))
    return found
