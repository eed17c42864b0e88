"""Attempts to guess a secret: booked before they are evaluated, and counted by all processes.

An attempt is booked under every subject that it counts for (an account, an address), in the
transaction that compares their counts with the limits. So a burst gets no more attempts than a
guesser who takes turns. A booking is taken back if the secret was right, and else counts until it
is old.

A secret of few bits (a password, a code of a second step) is not evaluated at a limit. Others have
bits enough to be evaluated as fast as the service can: who knows one is let in at a limit too, and
a wrong one is answered that there were too many. The arithmetic is in docs/operating/access.md.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from referee.access.keys import hash_of_secret, lower_ascii_letters
from referee.access.tables import AccessTables
from referee.events import HolderId
from referee.store.ports import Statements

KNOWN_S: Final = 365 * 86_400.0
_COOKIE_BYTES: Final = 32
_REMEMBERED: Final = (
    "INSERT INTO known_browser (hash, holder, until) VALUES (?, ?, ?)"
    " ON CONFLICT (hash, holder) DO UPDATE SET until = excluded.until"
)


class KnownBrowsers:
    """Cookies of browsers that signed in to accounts before. ``clock``: seconds since 1970, UTC."""

    def __init__(
        self, tables: AccessTables, clock: Callable[[], float], random: Callable[[int], bytes]
    ) -> None:
        self._tables, self._clock, self._random = tables, clock, random

    def knows(self, cookie: str, name: str) -> bool:
        """Whether the browser with this cookie has signed in to the account of this name."""
        with self._tables.connection() as db:
            found = db.execute(
                "SELECT 1 FROM known_browser JOIN account USING (holder)"
                " WHERE hash = ? AND until >= ? AND lower(name) = ?",
                (hash_of_secret(cookie), self._clock(), lower_ascii_letters(name)),
            ).fetchone()
        return found is not None

    def remember_under_new_cookie(self, cookie: str, holder: HolderId) -> str:
        """Record that a browser signed in to an account, and replace its cookie.

        Returns its new cookie, with its earlier accounts.
        """
        made, now = self._random(_COOKIE_BYTES).hex(), self._clock()
        old, new = hash_of_secret(cookie), hash_of_secret(made)
        with self._tables.transaction() as db:
            db.execute("DELETE FROM known_browser WHERE until < ?", (now,))
            db.execute("UPDATE known_browser SET hash = ? WHERE hash = ?", (new, old))
            row = (new, holder, now + KNOWN_S)
            db.execute(_REMEMBERED, row)
        return made


MINUTE_S: Final = 60.0
HOUR_S: Final = 3600.0


class Limit(NamedTuple):
    """At most so many bookings within so many seconds."""

    number: int
    within_s: float


class AttemptSubject(NamedTuple):
    """Something that attempts are counted for, such as an account or an address, with its limits.

    ``lets_right_in``: at the limit the secret is evaluated all the same, and a right one is taken.
    """

    name: str
    limits: tuple[Limit, ...]
    lets_right_in: bool = False


class Reached(NamedTuple):
    """A limit that is reached for a subject, and when it ends."""

    subject: str
    limit: Limit
    until: float


class Booking(NamedTuple):
    """An attempt that was counted and may be evaluated.

    ``over``: The limit at which a wrong secret is refused.
    """

    id: str
    over: Reached | None


Subjects: TypeAlias = tuple[AttemptSubject, ...]
ONE_GUESSER: Final = (Limit(5, MINUTE_S), Limit(20, HOUR_S))
"""One browser at one account, or one address at one code of a side."""
ONE_HOUSE: Final = (Limit(60, HOUR_S),)
"""All unknown browsers of an address, at one account: fewer than the account has for everybody."""
TWO_GUESSERS: Final = (Limit(40, HOUR_S),)
"""All addresses together, at the second factor of an account whose password they know."""
ONE_ACCOUNT: Final = (Limit(100, HOUR_S),)
"""All unknown browsers together, at one account."""
PASSWORDS_OF_ADDRESS: Final = (Limit(60, MINUTE_S), Limit(600, HOUR_S))
"""One address, at all accounts: it may be the router of a whole club."""
LINKS_BY_MAIL: Final = (Limit(5, HOUR_S),)
"""All addresses together, at links by mail to one account."""
ONE_ADDRESS: Final = (Limit(300, MINUTE_S), Limit(3000, HOUR_S))
"""One address, at secrets that are evaluated in any case: a bar of 100 phones sends far fewer."""
PAIRS_OF_ADDRESS: Final = (Limit(60, MINUTE_S), Limit(600, HOUR_S))
"""One address, at entries of pairs: a bar where 200 pairs enter in an evening sends fewer."""
_LONGEST_S: Final = HOUR_S
_CLOCKS_DIFFER_S: Final = MINUTE_S
"""What is booked later than this after now was booked by a clock that was wrong."""
_BOOKING_BYTES: Final = 8
_BLOCKED: Final = "INSERT INTO blocked (subject, until) VALUES (?, ?) ON CONFLICT DO NOTHING"


def password_attempt_subjects(name: str, address: str, browser: str) -> Subjects:
    """What an attempt at a password counts for, from a browser that never signed in to the account.

    ``browser``: the cookie that it was given with the form; empty if it has none.
    """
    account, guesser = _digest(name), _digest(browser) if browser else address
    return (
        AttemptSubject(f"password {account} {guesser}", ONE_GUESSER),
        AttemptSubject(f"password {account} all of {address}", ONE_HOUSE),
        AttemptSubject(f"password {account}", ONE_ACCOUNT),
        AttemptSubject(f"password of any {address}", PASSWORDS_OF_ADDRESS, lets_right_in=True),
    )


def password_attempt_subjects_if_known(name: str, browser: str) -> Subjects:
    """Subjects of a password from a browser that has signed in to the account before."""
    return (AttemptSubject(f"known {_digest(name)} {_digest(browser)}", ONE_GUESSER),)


def own_password_attempt_subjects(holder: str, token: str) -> Subjects:
    """Subjects of the current password of somebody who is signed in with a token."""
    return (AttemptSubject(f"own {holder} {_digest(token)}", ONE_GUESSER),)


def factor_code_attempt_subjects(holder: str, address: str) -> Subjects:
    """Subjects of a code of a second factor; whoever tries one knows the password."""
    return (
        AttemptSubject(f"second {holder} {address}", ONE_GUESSER),
        AttemptSubject(f"second {holder}", TWO_GUESSERS),
    )


def factor_attempt_subjects_if_known(holder: str, browser: str) -> Subjects:
    """Subjects of such a code from a browser that has signed in to the account before."""
    return (AttemptSubject(f"second known {holder} {_digest(browser)}", ONE_GUESSER),)


def device_pairing_attempt_subjects(address: str) -> Subjects:
    """What an attempt at the pairing code of a device counts for."""
    return (AttemptSubject(f"pairing {address}", ONE_ADDRESS, lets_right_in=True),)


def side_code_attempt_subjects(encuentro: str, side: str, address: str) -> Subjects:
    """What an attempt at the code of a side of an encuentro counts for."""
    name = f"code {encuentro} {side} {address}"
    return (AttemptSubject(name, ONE_GUESSER, lets_right_in=True),)


def strong_secret_attempt_subjects(address: str) -> Subjects:
    """What an attempt at a token, an invitation or a private web address counts for."""
    return (AttemptSubject(f"token {address}", ONE_ADDRESS, lets_right_in=True),)


def entry_attempt_subjects(address: str) -> Subjects:
    """What the entry of a pair into a tournament by itself counts for."""
    return (AttemptSubject(f"entry {address}", PAIRS_OF_ADDRESS),)


def forgotten_password_attempt_subjects(who: str, address: str) -> Subjects:
    """What a request for a link by mail counts for, after a forgotten password.

    ``who``: A name or a mail address.
    """
    return (
        AttemptSubject(f"forgotten {_digest(who)}", LINKS_BY_MAIL),
        AttemptSubject(f"forgotten of any {address}", PASSWORDS_OF_ADDRESS),
    )


class TooManyAttempts(Exception):  # noqa: N818 - it says what is the case
    """Error: a limit of attempts is reached.

    ``is_news``: This is the first refusal within the time of the limit.
    """

    def __init__(self, retry_after_s: float, *, is_news: bool) -> None:
        super().__init__()
        self.retry_after_s, self.is_news = retry_after_s, is_news


class Attempts:
    """Counts attempts to guess secrets, in the tables of accounts.

    ``clock``: Seconds since 1970, UTC.
    """

    def __init__(
        self, tables: AccessTables, clock: Callable[[], float], random: Callable[[int], bytes]
    ) -> None:
        self._tables, self._clock, self._random = tables, clock, random

    def book_or_refuse(self, subjects: Subjects) -> Booking:
        """Count an attempt before its secret is evaluated; an error if a limit is reached.

        At a limit that lets a right secret in, it is booked for what has stricter limits alone.

        :raises TooManyAttempts: it is not to be evaluated; nothing was booked
        """
        now = self._clock()
        strict = tuple(one for one in subjects if not one.lets_right_in)
        loose = tuple(one for one in subjects if one.lets_right_in)
        with self._tables.connection() as db:  # so that a flood of refused attempts writes nothing
            is_ahead = _has_future_attempt(db, now)
            over, refused = (
                _find_reached_limit(db, loose, now),
                _find_reached_limit(db, strict, now),
            )
        if not is_ahead and refused is not None:
            raise self.make_and_note_refusal(refused)
        if not is_ahead and over is not None and not strict:
            return Booking("", over)
        with self._tables.transaction() as db:
            db.execute("DELETE FROM attempt WHERE at <= ?", (now - _LONGEST_S,))
            if is_ahead:  # else they would count until the clock is there again
                db.execute("UPDATE attempt SET at = ? WHERE at > ?", (now, now))
            over, refused = (
                _find_reached_limit(db, loose, now),
                _find_reached_limit(db, strict, now),
            )
            if refused is None:
                counted = strict if over is not None else subjects
                return Booking(self._book(db, counted, now), over)
        raise self.make_and_note_refusal(refused)

    def take_back(self, booking: Booking) -> None:
        """Remove a counted attempt, because its secret was right or was not evaluated."""
        if booking.id:
            with self._tables.transaction() as db:
                db.execute("DELETE FROM attempt WHERE booking = ?", (booking.id,))

    def make_and_note_refusal(self, reached: Reached) -> TooManyAttempts:
        """Make the error for a reached limit, and store that it was refused."""
        (subject, limit, until), now = reached, self._clock()
        with self._tables.connection() as db:
            found = db.execute("SELECT until FROM blocked WHERE subject = ?", (subject,)).fetchone()
        is_news = found is None or not now < found[0] <= now + _LONGEST_S
        if is_news:
            with self._tables.transaction() as db:
                past, ahead = now, now + _LONGEST_S
                db.execute("DELETE FROM blocked WHERE until <= ? OR until > ?", (past, ahead))
                is_news = bool(db.execute(_BLOCKED, (subject, now + limit.within_s)).rowcount)
        return TooManyAttempts(max(1.0, until - now), is_news=is_news)

    def _book(self, db: Statements, subjects: Subjects, now: float) -> str:
        booking = self._random(_BOOKING_BYTES).hex()
        rows = [(booking, subject.name, now) for subject in subjects]
        db.executemany("INSERT INTO attempt (booking, subject, at) VALUES (?, ?, ?)", rows)
        return booking


def _has_future_attempt(db: Statements, now: float) -> bool:
    """Whether an attempt is stored with a moment in the future: a clock was ahead."""
    asked = "SELECT 1 FROM attempt WHERE at > ? LIMIT 1"
    return db.execute(asked, (now + _CLOCKS_DIFFER_S,)).fetchone() is not None


def _find_reached_limit(db: Statements, subjects: Subjects, now: float) -> Reached | None:
    """First limit that the attempts of one of these subjects have reached; None if none has."""
    for subject in subjects:
        for limit in subject.limits:
            row = db.execute(
                "SELECT at FROM attempt WHERE subject = ? AND at > ?"
                " ORDER BY at DESC LIMIT 1 OFFSET ?",
                (subject.name, now - limit.within_s, limit.number - 1),
            ).fetchone()
            if row is not None:
                return Reached(subject.name, limit, row[0] + limit.within_s)
    return None


def _digest(text: str) -> str:
    """Hash of a name or secret for the key of a subject; upper and lower case give the same."""
    return hashlib.sha256(text.casefold().encode()).hexdigest()[:16]
