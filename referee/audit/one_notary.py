"""At most one notary for a log: it holds a lock of the log, and the log names its key.

Without that, two computers over one log would each publish checkpoints, and the key on the wall
would be that of one of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final, Protocol

from referee.aggregates.house import INITIAL, House, evolve
from referee.audit.notary import Notary, NotaryRefusal
from referee.audit.publication import Published
from referee.kinds import HOUSE_ID
from referee.log.mapper import CODEC, log_version_for_names
from referee.log.ports import Address, AuditedRows
from referee.log.stores import is_postgres, open_for_audit
from referee.system import ports


class NotaryLock(Protocol):
    """Lock that lets one process at a time be the notary of a log."""

    def try_acquire(self) -> bool:
        """Take the lock if it is free; returns whether this process holds it.

        :raises Exception: of the engine, which does not answer
        """
        ...

    def close(self) -> None:
        """Release the lock."""
        ...


class FolderLock:
    """Lock of the notary of a log in a file: that of the folder of the file."""

    def __init__(self, log: str | Path) -> None:
        self._folder = ports.open_folder_lock(Path(log).resolve().parent)
        self._is_ours = False

    def try_acquire(self) -> bool:
        """Take the lock if it is free; returns whether this process holds it."""
        self._is_ours = self._is_ours or ports.try_lock(self._folder)
        return self._is_ours

    def close(self) -> None:
        """Release the lock."""
        if self._folder >= 0:
            os.close(self._folder)
            self._folder, self._is_ours = -1, False


def notary_lock(address: Address) -> NotaryLock:
    """The lock for the notary of a log, not taken yet."""
    if not is_postgres(address):
        return FolderLock(address)
    from referee.log.postgres.notary_lock import ServerLock  # noqa: PLC0415 - only PostgreSQL needs it

    return ServerLock(str(address))


_EVERY: Final = 2**62
_NAMING: Final = log_version_for_names(["NotaryNamed.1"])
"""A log that earlier releases can read stays so: until then the published key counts as named."""


class Naming(Protocol):
    """Records in the log that a key was named, unless it is not ``instead_of`` that was."""

    def __call__(self, key: str, *, instead_of: str) -> None:
        """Record it."""
        ...


class OneNotary:
    """Notary of a log, which signs only if no other process or key is the notary of it.

    ``opened``: opens its folder, in which a first key is made; ``has_key``: whether it has one.
    ``is_new``: its key is signed with from now on though the log names another.
    """

    def __init__(
        self,
        address: Address,
        published: Published,
        opened: Callable[[], Notary],
        name: Naming,
        *,
        has_key: Callable[[], bool],
        is_new: bool = False,
    ) -> None:
        self._address, self._published = address, published
        self._opened, self._name, self._has_key = opened, name, has_key
        self._is_new = is_new
        self._lock = notary_lock(address)
        self._notary: Notary | None = None

    def sign_and_publish(self, reread: int | None) -> str | None:
        """Sign a checkpoint and publish it; returns the checkpoint, None if nothing changed.

        :raises NotaryRefusal: another notary signs the log, or it cannot be signed
        """
        if not self._lock.try_acquire():
            raise NotaryRefusal("in_use")
        notary = self._open_and_name_notary(reread)
        with closing(open_for_audit(self._address)) as log:
            note = notary.sign(log, reread)
        notary.publish(self._published)
        return note

    def retire_replaced_notary(self) -> None:
        """Retire the notary of the folder, whose key another one has replaced.

        :raises NotaryRefusal: a process has the folder, or the log still names its key
        """
        with closing(open_for_audit(self._address)) as log:
            named = house_state_in_log(log).notary or self._public_key_of_earlier_release()
        self._notary = notary = self._notary or self._opened()
        if named == notary.key.text:
            raise NotaryRefusal("still_named")
        notary.destroy_private_key()

    def close(self) -> None:
        """Release the lock and the folder, so that another process can sign."""
        if self._notary is not None:
            self._notary.close()
        self._lock.close()

    def _open_and_name_notary(self, reread: int | None) -> Notary:
        """The notary whose key the log names; at the first time the key is recorded in the log."""
        with closing(open_for_audit(self._address)) as log:
            house, is_empty = house_state_in_log(log), not log.tree().size
            is_of_before = log.log_version() < _NAMING
            named = house.notary or self._public_key_of_earlier_release()
            if named and not self._is_new and not (self._notary or self._has_key()):
                raise NotaryRefusal("other_notary")  # and no key is made
            self._notary = notary = self._notary or self._opened()
            key = notary.key.text
            if named not in ("", key) and not self._is_new:
                raise NotaryRefusal("other_notary")
            if is_empty or house.notary == key or (is_of_before and not self._is_new):
                return notary
            notary.refuse_unsignable_log(log, reread)
        self._name(key, instead_of=house.notary)
        self._is_new = False
        with closing(open_for_audit(self._address)) as log:
            if house_state_in_log(log).notary != key:
                raise NotaryRefusal("other_notary")
        return notary

    def _public_key_of_earlier_release(self) -> str:
        """Public key that an earlier release published without naming it in the log.

        Empty if there is none.
        """
        shown = self._published.key()
        return shown.text.strip() if shown else ""


def house_state_in_log(log: AuditedRows) -> House:
    """State of the house, folded from its events on the log."""
    state = INITIAL
    for version, name, stored in log.stream_rows_to_version(HOUSE_ID, _EVERY):
        event = CODEC.decode_row(HOUSE_ID, version, name, stored).event
        state = evolve(state, event)  # type: ignore[arg-type]  # the stream has no other events
    return state
