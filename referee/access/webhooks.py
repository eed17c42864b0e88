"""Deliveries of webhooks, stored beside the log: secrets, how far each got, and the last messages.

The log is the queue: a webhook has the position up to which its receiver has everything, and what
comes after that is still to be sent. A secret is sealed under a derived key, bound to its webhook.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from referee.access.attempts import HOUR_S, MINUTE_S
from referee.access.tables import AccessTables
from referee.events import WebhookId
from referee.people.master_key import Altered, Seal
from referee.store.ports import Statements

MessageStage: TypeAlias = Literal["delivered", "failed", "skipped"]

PREFIX: Final = "whsec_"
"""What a secret begins with, after the Standard Webhooks specification."""
FORMER_S: Final = 24 * HOUR_S
"""Time for which messages are signed with the former secret as well."""
RETRIES_S: Final = (
    *(5.0, 30.0, 2 * MINUTE_S, 10 * MINUTE_S, 30 * MINUTE_S),
    *(HOUR_S, 2 * HOUR_S, 4 * HOUR_S, 8 * HOUR_S, 16 * HOUR_S, 24 * HOUR_S, 24 * HOUR_S),
)
"""Time after each failure until the next attempt; after the last one the webhook is stopped."""
MESSAGES_KEPT: Final = 50
"""Messages of each webhook that are remembered."""
_SECRET_BYTES: Final = 32
_TABLE, _FORMER = "webhook", "webhook former"
_COLUMNS: Final = "id, position, mark, tries, failing_since, next_at, stopped_at, test"
_FRESH: Final = "tries = 0, failing_since = NULL, next_at = 0, stopped_at = NULL"
_PUT_MESSAGE: Final = (
    "INSERT INTO webhook_message (webhook, id, kind, position, at, tries, answer, stage)"
    " VALUES (?, ?, ?, ?, ?, 1, ?, ?) ON CONFLICT (webhook, id) DO UPDATE SET at = excluded.at,"
    " tries = webhook_message.tries + 1, answer = excluded.answer, stage = excluded.stage"
)
_SETTLED: Final = "SELECT 1 FROM webhook_message WHERE webhook = ? AND id = ? AND stage <> 'failed'"
_FORGET_OLD: Final = (
    "DELETE FROM webhook_message WHERE webhook = ? AND id NOT IN"
    " (SELECT id FROM webhook_message WHERE webhook = ? ORDER BY at DESC, position DESC LIMIT ?)"
)


class LogPlace(NamedTuple):
    """A place in the log.

    Its position, and the salt of the event there, which recognises the event.

    Without a ``mark`` any event may be there.
    """

    position: int
    mark: str


class WebhookProgress(NamedTuple):
    """Up to which place of the log a webhook was sent messages, and its failures.

    ``place``: its receiver has all up to there. ``tries``: failures in a row, since
    ``failing_since``; ``next_at``: nothing is sent before; ``stopped_at``: nothing is sent any
    more; ``test``: id of a test that is still to be sent.
    """

    webhook: WebhookId
    place: LogPlace
    tries: int
    failing_since: float | None
    next_at: float
    stopped_at: float | None
    test: str

    def is_due(self, now: float) -> bool:
        """Whether the next message may be sent now.

        A wait longer than any was noted by a clock that was ahead, and is not waited for.
        """
        is_waiting = 0 < self.next_at - now <= max(RETRIES_S)
        return bool(self.test) or (self.stopped_at is None and not is_waiting)


class SentMessage(NamedTuple):
    """A message at its last attempt. ``answer``: HTTP status, or a code for the failure."""

    id: str
    kind: str
    position: int
    at: float
    tries: int
    answer: str
    stage: MessageStage


class Deliveries:
    """Secrets, progress and last messages of webhooks. ``clock``: seconds since 1970.

    ``seal``: Opened at first use.
    """

    def __init__(
        self,
        tables: AccessTables,
        seal: Callable[[], Seal],
        clock: Callable[[], float],
        random: Callable[[int], bytes],
    ) -> None:
        self._tables, self._seal = tables, seal
        self._clock, self._random = clock, random

    # --- webhooks ------------------------------------------------------------------------------

    def new_webhook_id(self) -> WebhookId:
        """New random id for a webhook."""
        return f"w{self._random(8).hex()}"

    def start_deliveries(self, webhook: WebhookId, place: LogPlace) -> str:
        """Store a webhook that gets messages about events after a place of the log.

        Returns its secret, shown once.
        """
        secret = self._new_secret()
        sealed = self._seal().seal_text_under_new_key(_TABLE, webhook, secret)
        with self._tables.transaction() as db:
            db.execute(
                "INSERT INTO webhook (id, wrapped, sealed, position, mark, tries, next_at, test)"
                " VALUES (?, ?, ?, ?, ?, 0, 0, '')",
                (webhook, *sealed, *place),
            )
        return secret

    def renew_secret(self, webhook: WebhookId, place: LogPlace) -> str:
        """Store and return a new secret of a webhook; the former one still signs for a day.

        ``place``: Where to begin if the webhook is not stored.
        """
        former = next(iter(self.secrets(webhook)), "")
        if not self._is_stored(webhook):
            return self.start_deliveries(webhook, place)
        secret = self._new_secret()
        sealed = self._seal().seal_text_under_new_key(_TABLE, webhook, secret)
        kept = (
            self._seal().seal_text_under_new_key(_FORMER, webhook, former)
            if former
            else (None, None)
        )
        with self._tables.transaction() as db:
            db.execute(
                "UPDATE webhook SET wrapped = ?, sealed = ?, former_wrapped = ?, former_sealed = ?,"
                " former_until = ? WHERE id = ?",
                (*sealed, *kept, self._clock() + FORMER_S, webhook),
            )
            self._tables.note_bytes_to_erase(db)
        self._tables.erase_bytes_of_deleted_rows()
        return secret

    def remove_webhook(self, webhook: WebhookId) -> None:
        """Delete a webhook with its secret and its messages."""
        with self._tables.transaction() as db:
            db.execute("DELETE FROM webhook_message WHERE webhook = ?", (webhook,))
            db.execute("DELETE FROM webhook WHERE id = ?", (webhook,))
            self._tables.note_bytes_to_erase(db)
        self._tables.erase_bytes_of_deleted_rows()

    def secrets(self, webhook: WebhookId) -> tuple[str, ...]:
        """Secrets that sign the messages of a webhook: its own, and for a day the former one.

        None if they were sealed under another master key.
        """
        asked = (
            "SELECT wrapped, sealed, former_wrapped, former_sealed FROM webhook WHERE id = ?",
            "SELECT 1 FROM webhook WHERE id = ? AND former_until BETWEEN ? AND ?",
        )
        now = self._clock()
        latest = now + 2 * FORMER_S  # a later moment was noted by a clock that was ahead
        with self._tables.connection() as db:
            row = db.execute(asked[0], (webhook,)).fetchone()
            is_former_good = db.execute(asked[1], (webhook, now, latest)).fetchone()
        if row is None:
            return ()
        found = [self._unseal_or_empty(_TABLE, webhook, row[:2])]
        if is_former_good:
            found.append(self._unseal_or_empty(_FORMER, webhook, row[2:]))
        return tuple(one for one in found if one)

    # --- how far they were told ----------------------------------------------------------------

    def progress_by_webhook(self) -> dict[WebhookId, WebhookProgress]:
        """Progress of each webhook: up to which place of the log it was sent messages."""
        with self._tables.connection() as db:
            rows = db.execute(f"SELECT {_COLUMNS} FROM webhook").fetchall()  # noqa: S608 - literals
        return {row[0]: _progress_of_row(row) for row in rows}

    def restart_at(self, webhook: WebhookId, place: LogPlace) -> None:
        """Continue a webhook at a place of the log, and drop unsent messages before it.

        A stopped webhook runs again.
        """
        self._update(webhook, f"position = ?, mark = ?, {_FRESH}", place)

    def note_nothing_to_send(self, webhook: WebhookId, before: LogPlace, place: LogPlace) -> None:
        """Note that nothing is to be sent up to a place, unless the webhook has moved meanwhile."""
        with self._tables.transaction() as db:
            db.execute(
                "UPDATE webhook SET position = ?, mark = ? WHERE id = ? AND position = ?",
                (*place, webhook, before.position),
            )

    def make_due_now(self, webhook: WebhookId) -> None:
        """Let waiting messages of a webhook be sent at once; a stopped webhook runs again."""
        self._update(webhook, _FRESH)

    def request_test(self, webhook: WebhookId) -> None:
        """Request a test message, which is sent before all waiting messages."""
        self._update(webhook, "test = ?", (f"test_{self._random(12).hex()}",))

    def settle(
        self, webhook: WebhookId, message: SentMessage, before: LogPlace, place: LogPlace
    ) -> None:
        """Note a message as delivered, or given up, and the place up to which all is done.

        Nothing is noted if the webhook is not at the place ``before``: it was removed, or somebody
        gave up what waited.
        """
        with self._tables.transaction() as db:
            if _failure_count_at_place(db, webhook, before) is not None:
                self._put_message(db, webhook, message)
                db.execute(
                    f"UPDATE webhook SET position = ?, mark = ?, {_FRESH} WHERE id = ?",  # noqa: S608 - literals
                    (*place, webhook),
                )

    def note_failed(
        self, webhook: WebhookId, message: SentMessage, before: LogPlace, *, is_final: bool
    ) -> None:
        """Record a failed attempt.

        It is repeated later, or the webhook is stopped if it was the last.

        Nothing is noted if the message is no longer to be sent, as in ``settle``. ``is_final``: it
        is stopped whatever was before.
        """
        now = self._clock()
        with self._tables.transaction() as db:
            tries = _failure_count_at_place(db, webhook, before)
            if tries is None or db.execute(_SETTLED, (webhook, message.id)).fetchone():
                return
            self._put_message(db, webhook, message)
            pause_s = None if is_final else pause_after_s(tries)
            db.execute(
                "UPDATE webhook SET tries = ?, failing_since = COALESCE(failing_since, ?),"
                " next_at = ?, stopped_at = ? WHERE id = ?",
                (
                    *(tries + 1, now),
                    *((0.0, now) if pause_s is None else (now + pause_s, None)),
                    webhook,
                ),
            )

    def note_tested(self, webhook: WebhookId, message: SentMessage) -> None:
        """Record how a test message ended, unless the webhook was removed; it is not repeated."""
        with self._tables.transaction() as db:
            if db.execute("SELECT 1 FROM webhook WHERE id = ?", (webhook,)).fetchone():
                self._put_message(db, webhook, message)
                ended = "UPDATE webhook SET test = '' WHERE id = ? AND test = ?"
                db.execute(ended, (webhook, message.id))

    def messages(self, webhook: WebhookId) -> list[SentMessage]:
        """Last messages of a webhook, the latest first."""
        with self._tables.connection() as db:
            rows = db.execute(
                "SELECT id, kind, position, at, tries, answer, stage FROM webhook_message"
                " WHERE webhook = ? ORDER BY at DESC, position DESC",
                (webhook,),
            ).fetchall()
        return [SentMessage(*row) for row in rows]

    def ids_of_settled(self, webhook: WebhookId) -> frozenset[str]:
        """Ids of the last messages of a webhook that were delivered or given up."""
        return frozenset(one.id for one in self.messages(webhook) if one.stage != "failed")

    # --- inside ------------------------------------------------------------------------------

    def _is_stored(self, webhook: WebhookId) -> bool:
        return webhook in self.progress_by_webhook()

    def _update(self, webhook: WebhookId, what: str, values: Sequence[Any] = ()) -> None:
        with self._tables.transaction() as db:
            db.execute(f"UPDATE webhook SET {what} WHERE id = ?", (*values, webhook))  # noqa: S608 - literals

    def _put_message(self, db: Statements, webhook: WebhookId, message: SentMessage) -> None:
        about = (message.id, message.kind, message.position, message.at)
        db.execute(_PUT_MESSAGE, (webhook, *about, message.answer, message.stage))
        db.execute(_FORGET_OLD, (webhook, webhook, MESSAGES_KEPT))

    def _new_secret(self) -> str:
        return PREFIX + base64.b64encode(self._random(_SECRET_BYTES)).decode()

    def _unseal_or_empty(self, table: str, webhook: WebhookId, sealed: Sequence[Any]) -> str:
        try:
            return self._seal().unseal_text(table, webhook, *sealed)
        except Altered:
            return ""


def pause_after_s(tries: int) -> float | None:
    """Seconds until the next attempt, by the number of failures before this one.

    None if there is no next attempt.

    >>> pause_after_s(0), pause_after_s(2), pause_after_s(12)
    (5.0, 120.0, None)
    """
    return RETRIES_S[tries] if tries < len(RETRIES_S) else None


def _failure_count_at_place(db: Statements, webhook: WebhookId, place: LogPlace) -> int | None:
    """Number of failures in a row of a webhook; None if it is not at this place of the log."""
    asked = "SELECT tries FROM webhook WHERE id = ? AND position = ?"
    row = db.execute(asked, (webhook, place.position)).fetchone()
    return None if row is None else int(row[0])


def _progress_of_row(row: Sequence[Any]) -> WebhookProgress:
    webhook, position, mark, *more = row
    return WebhookProgress(webhook, LogPlace(position, mark), *more)
