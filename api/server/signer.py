"""The notary at work: it signs the log of a house, by a command or beside a server."""

from __future__ import annotations

import base64
import logging
import secrets
import sqlite3
import sys
import threading
import urllib.request
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from eventsourcing.persistence import PersistenceError

from api.server import wiring
from api.server.data_folder import Files
from api.server.side_processes import EVERY_S
from referee.aggregates.access import OWNER
from referee.audit.auditor import Auditor
from referee.audit.checkpoint import read_checkpoint
from referee.audit.notary import (
    KEY,
    OF_ANOTHER,
    REREAD,
    Notary,
    NotaryRefusal,
    refuse_retired,
)
from referee.audit.one_notary import OneNotary
from referee.audit.publication import Published
from referee.log.ports import NoTables
from referee.log.streams import WriteMetadata

UNUSABLE: Final = "unusable"
"""Why a notary beside a server waits that cannot read or write its folder."""
_URL_TIMEOUT_S: Final = 10

_log = logging.getLogger(__name__)


def notary_of_house(
    where: Files, keys: Path, origin: str | None, published: Published, *, is_new: bool
) -> OneNotary:
    """The notary that signs the log of a house.

    The log is opened for writing when its key must be named.
    """

    def record_notary_key(key: str, *, instead_of: str) -> None:
        with closing(wiring.open_referee_of_any_house(where)) as referee:
            meta = WriteMetadata(OWNER, "console", wiring.now())
            referee.house.name_notary(key, meta, instead_of=instead_of)

    return OneNotary(
        *(
            where.log,
            published,
            lambda: Notary(keys, secrets.token_bytes, origin),
            record_notary_key,
        ),
        has_key=(keys / KEY).exists,
        is_new=is_new,
    )


class Signer:
    """Signs a log with its notary.

    ``url``: where each checkpoint is sent as well. ``tell``: called with what was signed.
    ``is_attached``: it is beside a server, and tries again whatever prevented it.
    """

    def __init__(
        self,
        found: OneNotary,
        where: Files,
        url: str | None = None,
        *,
        tell: Callable[[object], None] = lambda _: None,
        is_attached: bool = True,
    ) -> None:
        self._found, self._where, self._url = found, where, url
        self._tell, self._is_attached = tell, is_attached

    def sign(self, reread: int | None) -> None:
        """Sign once, and publish the checkpoint."""
        note = self._found.sign_and_publish(reread)
        if note is None:
            return
        with closing(Auditor(self._where.log, self._where.folder)) as auditor:
            auditor.compute_tree_hashes()
        signed = read_checkpoint(note)
        root = base64.b64encode(signed.root).decode()
        self._tell({"origin": signed.origin, "size": signed.size, "root": root})
        if self._url is not None:
            _send_checkpoint(self._url, note)

    def sign_repeatedly(self, published: Published, has_ended: Callable[[], bool]) -> None:
        """Sign repeatedly until told to end.

        While another notary signs the log, wait and say so once.

        ``has_ended``: waits, and returns whether it was for the last time.
        """
        said: str | None = ""
        try:
            while True:
                code = self._sign_or_failure_code()
                if code not in (None, said):
                    said = code
                    with suppress(OSError):  # a full disk: the line says it
                        published.put_idle_reason(said or "")
                    _log.warning("the notary does not sign this log: %s", said or "not any more")
                if has_ended():
                    return
        finally:
            published.put_idle_reason("")

    def _sign_or_failure_code(self) -> str | None:
        """Try to sign once; returns the code of what prevented it, empty if it was signed.

        Beside a server whatever prevents it is said and tried again the next time; None of a store
        that does not answer.
        """
        try:
            self.sign(REREAD)
        except NotaryRefusal as refusal:
            if refusal.code not in OF_ANOTHER and not self._is_attached:
                raise
            return refusal.code
        except (PersistenceError, NoTables, OSError, sqlite3.Error) as error:
            if not self._is_attached:
                raise
            _log.warning("not signed yet: %s", error)
            return UNUSABLE if isinstance(error, OSError) else None
        return ""


def sign_until_stop(where: Files, keys: Path, stop: threading.Event) -> None:
    """Sign the log repeatedly in a thread of the server, until ``stop`` is set."""
    try:
        with (
            closing(Published(where.log, where.folder)) as published,
            closing(notary_of_house(where, keys, None, published, is_new=False)) as found,
        ):
            refuse_retired(keys)
            Signer(found, where).sign_repeatedly(published, lambda: stop.wait(EVERY_S))
    except NotaryRefusal as refusal:
        _log.error("the notary does not sign: %s", refusal.code)


def _send_checkpoint(url: str, note: str) -> None:
    """Send a checkpoint to a URL.

    A failure is only reported, since the checkpoint is stored already.
    """
    headers = {"Content-Type": "text/plain; charset=utf-8"}
    request = urllib.request.Request(url, note.encode(), headers, method="POST")  # noqa: S310 - the command checks it
    try:
        with urllib.request.urlopen(request, timeout=_URL_TIMEOUT_S):  # noqa: S310 - as above
            pass
    except OSError as error:
        sys.stderr.write(f"not sent: {error}\n")
