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

from referee.access.tables import AccessTables
from referee.store.ports import Statements

MINUTE_S: Final = 60.0
HOUR_S: Final = 3600.0


class Limit(NamedTuple):
    """At most so many bookings within so many seconds."""

    number: int
    within_s: float


class AttemptSubject(NamedTuple):
    """What an attempt counts for, and with which limits.

    ``lets_right_in``: at the limit the secret is evaluated all the same, and a right one is taken.
    """

    name: str
    limits: tuple[Limit, ...]
    lets_right_in: bool = False


class Reached(NamedTuple):
    """A limit of a subject that is reached, and the moment at which it no longer is."""

    subject: str
    limit: Limit
    until: float


class Booking(NamedTuple):
    """An attempt that may be evaluated. ``over``: the limit at which a wrong one is refused."""

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


def password_subjects(name: str, address: str, browser: str) -> Subjects:
    """Subjects of a password from a browser that never signed in to the account.

    ``browser``: the cookie that it was given with the form; empty if it has none.
    """
    account, guesser = _digest(name), _digest(browser) if browser else address
    return (
        AttemptSubject(f"password {account} {guesser}", ONE_GUESSER),
        AttemptSubject(f"password {account} all of {address}", ONE_HOUSE),
        AttemptSubject(f"password {account}", ONE_ACCOUNT),
        AttemptSubject(f"password of any {address}", PASSWORDS_OF_ADDRESS, lets_right_in=True),
    )


def subjects_of_known_browser(name: str, browser: str) -> Subjects:
    """Subjects of a password from a browser that has signed in to the account before."""
    return (AttemptSubject(f"known {_digest(name)} {_digest(browser)}", ONE_GUESSER),)


def own_password_subjects(holder: str, token: str) -> Subjects:
    """Subjects of the current password of somebody who is signed in with a token."""
    return (AttemptSubject(f"own {holder} {_digest(token)}", ONE_GUESSER),)


def second_factor_subjects(holder: str, address: str) -> Subjects:
    """Subjects of a code of a second factor; whoever tries one knows the password."""
    return (
        AttemptSubject(f"second {holder} {address}", ONE_GUESSER),
        AttemptSubject(f"second {holder}", TWO_GUESSERS),
    )


def subjects_of_factor_in_known_browser(holder: str, browser: str) -> Subjects:
    """Subjects of such a code from a browser that has signed in to the account before."""
    return (AttemptSubject(f"second known {holder} {_digest(browser)}", ONE_GUESSER),)


def pairing_subjects(address: str) -> Subjects:
    """Subjects of a code of a pairing."""
    return (AttemptSubject(f"pairing {address}", ONE_ADDRESS, lets_right_in=True),)


def side_code_subjects(encuentro: str, side: str, address: str) -> Subjects:
    """Subjects of the code of a side."""
    name = f"code {encuentro} {side} {address}"
    return (AttemptSubject(name, ONE_GUESSER, lets_right_in=True),)


def strong_secret_subjects(address: str) -> Subjects:
    """Subjects of a token, an invitation or a private address."""
    return (AttemptSubject(f"token {address}", ONE_ADDRESS, lets_right_in=True),)


def entry_subjects(address: str) -> Subjects:
    """Subjects of a pair that enters a tournament by itself."""
    return (AttemptSubject(f"entry {address}", PAIRS_OF_ADDRESS),)


def of_forgotten(who: str, address: str) -> Subjects:
    """Subjects of a link by mail for a forgotten password. ``who``: a name or an address."""
    return (
        AttemptSubject(f"forgotten {_digest(who)}", LINKS_BY_MAIL),
        AttemptSubject(f"forgotten of any {address}", PASSWORDS_OF_ADDRESS),
    )


class TooManyAttempts(Exception):  # noqa: N818 - it says what is the case
    """A limit is reached. ``is_news``: nobody was refused for it within its time."""

    def __init__(self, retry_after_s: float, *, is_news: bool) -> None:
        super().__init__()
        self.retry_after_s, self.is_news = retry_after_s, is_news


class Attempts:
    """Bookings beside the accounts and keys. ``clock``: seconds since 1970, UTC."""

    def __init__(
        self, tables: AccessTables, clock: Callable[[], float], random: Callable[[int], bytes]
    ) -> None:
        self._tables, self._clock, self._random = tables, clock, random

    def book(self, subjects: Subjects) -> Booking:
        """Book an attempt, before it is evaluated.

        At a limit that lets a right secret in, it is booked for what has stricter limits alone.

        :raises TooManyAttempts: it is not to be evaluated; nothing was booked
        """
        now = self._clock()
        strict = tuple(one for one in subjects if not one.lets_right_in)
        loose = tuple(one for one in subjects if one.lets_right_in)
        with self._tables.connection() as db:  # so that a flood of refused attempts writes nothing
            is_ahead = _is_ahead(db, now)
            over, refused = _find_reached(db, loose, now), _find_reached(db, strict, now)
        if not is_ahead and refused is not None:
            raise self.refusal(refused)
        if not is_ahead and over is not None and not strict:
            return Booking("", over)
        with self._tables.transaction() as db:
            db.execute("DELETE FROM attempt WHERE at <= ?", (now - _LONGEST_S,))
            if is_ahead:  # else they would count until the clock is there again
                db.execute("UPDATE attempt SET at = ? WHERE at > ?", (now, now))
            over, refused = _find_reached(db, loose, now), _find_reached(db, strict, now)
            if refused is None:
                counted = strict if over is not None else subjects
                return Booking(self._book(db, counted, now), over)
        raise self.refusal(refused)

    def take_back(self, booking: Booking) -> None:
        """Delete a booking, because the secret was right or was not evaluated."""
        if booking.id:
            with self._tables.transaction() as db:
                db.execute("DELETE FROM attempt WHERE booking = ?", (booking.id,))

    def refusal(self, reached: Reached) -> TooManyAttempts:
        """The refusal at a limit: of an attempt, or of a wrong secret that was evaluated."""
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


def _is_ahead(db: Statements, now: float) -> bool:
    """Whether an attempt was booked by a clock that was ahead."""
    asked = "SELECT 1 FROM attempt WHERE at > ? LIMIT 1"
    return db.execute(asked, (now + _CLOCKS_DIFFER_S,)).fetchone() is not None


def _find_reached(db: Statements, subjects: Subjects, now: float) -> Reached | None:
    """A subject with a limit that is reached."""
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
    """A name or a secret as it stands in a subject; case makes no difference."""
    return hashlib.sha256(text.casefold().encode()).hexdigest()[:16]
