"""The book of the lobby: invitations, requests for a club, codes by mail, sign-ins of the owner.

A request is an invitation that waits for the owner's yes: both are one row, and the code of its
address is the only way to it. A code by mail makes an invitation of its own, without the owner.
Codes are kept as hashes, and no address of mail is kept for them: its hash counts for a day.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Mapping
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias, cast

from api.accounts.mail import normal_mail_address
from referee.store.databases import open_database
from referee.store.ports import Layout, Statements

InvitationState: TypeAlias = Literal["asked", "refused", "open", "making", "used"]
"""``making``: a club is being made, or a process died while it was."""
Signup: TypeAlias = Literal["off", "asked", "mail"]
"""Who makes a club uninvited: nobody; who asks the owner; or who has mail, by a code."""
MailState: TypeAlias = Literal["going", "failed", "over"]
"""Of a mail with a code. ``going``: or gone. ``over``: there is none with a code that is good."""
CodeVerdict: TypeAlias = Literal["right", "wrong", "over"]
"""What a typed code is. ``over``: there is no mail with one, or no longer."""
DAY_S: Final = 86_400.0
GOOD_FOR_S: Final = 14 * DAY_S
SIGNED_IN_S: Final = DAY_S / 2
MOST_WAITING: Final = 100
MOST_OF_A_NETWORK: Final = 3
"""Requests that a network may make in a day."""
PROOF_GOOD_FOR_S: Final = 15 * 60.0
MOST_TRIES: Final = 5
"""Codes that may be typed for one mail."""
MOST_MAILS: Final = 100
"""Codes and addresses of requests that are sent in a day."""
MOST_MAILS_OF_NETWORK: Final = 5
MOST_ATTEMPTS_OF_NETWORK: Final = 20
"""Mails that a network may have sent in a day, with those that failed, which count here alone."""
MOST_MAILS_TO_ADDRESS: Final = 3
FILE: Final = "lobby.sqlite"
_CODE_BYTES: Final = 16
_ID_BYTES: Final = 6
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS invitation
    (hash BLOB PRIMARY KEY, id TEXT UNIQUE, state TEXT, since REAL, until REAL, short TEXT,
     name TEXT, example TEXT, contact TEXT, words TEXT, lang TEXT, network TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS owner_sign_in (hash BLOB PRIMARY KEY, mark TEXT, until REAL)
    WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS choice (name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS proof
    (hash BLOB PRIMARY KEY, code BLOB, until REAL, tries INTEGER, lang TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS mailed (mark BLOB, network TEXT, at REAL);
CREATE TABLE IF NOT EXISTS proven (hash BLOB PRIMARY KEY) WITHOUT ROWID;
"""
_COLUMNS: Final = "id, state, since, until, short, name, example, contact, words, lang"
_SIGNUP: Final[Mapping[Signup, str]] = {"asked": "signup", "mail": "signup_by_mail"}
_MAILED: Final = "SELECT count(*) FROM mailed WHERE"
_FAILED: Final = b""
"""The mark, or the code, of a mail that could not be sent."""
_TRY: Final = "UPDATE proof SET tries = tries + 1 WHERE hash = ? AND until > ? AND tries < ?"


def _create_tables(db: sqlite3.Connection) -> None:
    db.executescript(_TABLES)


LOBBY_LAYOUT: Final = Layout(
    "lobby",
    ("invitation", "owner_sign_in", "choice", "proof", "mailed", "proven"),
    _create_tables,
    (),
)


class TooManyRequests(Exception):  # noqa: N818 - what is the case
    """Too many requests or mails lately: from one network, to one address, or in all."""


class Invitation(NamedTuple):
    """An invitation to make a club, or a request for one. Times: seconds since 1970.

    ``short``, ``name``: of the club that was asked for or made; ``example``: of the made-up one.
    """

    id: str
    state: InvitationState
    since: float
    until: float
    short: str
    name: str
    example: str
    contact: str
    words: str
    lang: str


class Wish(NamedTuple):
    """A request for a club without an invitation: names of the club, contact, words, language."""

    short: str
    name: str
    contact: str
    words: str
    lang: str


_NOTHING: Final = Wish("", "", "", "", "")
"""What who is invited has asked for."""


class LobbyBook:
    """The lobby's database file, which all processes share. ``clock``: seconds since 1970."""

    def __init__(self, folder: Path, clock: Callable[[], float]) -> None:
        self._database, self._clock = open_database(folder / FILE, LOBBY_LAYOUT), clock

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    # --- invitations ---------------------------------------------------------------------------

    def create_invitation(self) -> str:
        """Store a new invitation, and return its code."""
        with self._database.transaction() as db:
            self._forget_expired(db)
            return self._add_invitation(db, "open", _NOTHING, "")

    def store_club_request(self, wish: Wish, network: str) -> str:
        """Store a request for a club, and return its code. ``network``: of the sender, or empty.

        :raises TooManyRequests: no more are taken for now
        """
        with self._database.transaction() as db:
            self._forget_expired(db)
            since, counted = self._clock() - DAY_S, "SELECT count(*) FROM invitation WHERE "
            of_network = db.execute(f"{counted}network = ? AND since > ?", (network, since))
            too_many = bool(network) and of_network.fetchone()[0] >= MOST_OF_A_NETWORK
            waiting = db.execute(f"{counted}state = 'asked'").fetchone()[0]
            if too_many or waiting >= MOST_WAITING:
                raise TooManyRequests
            db.execute("UPDATE invitation SET network = '' WHERE since <= ?", (since,))
            return self._add_invitation(db, "asked", wish, network)

    def _add_invitation(
        self, db: Statements, state: InvitationState, wish: Wish, network: str, code: str = ""
    ) -> str:
        now, code = self._clock(), code or secrets.token_urlsafe(_CODE_BYTES)
        db.execute(
            "INSERT INTO invitation VALUES (?, ?, ?, ?, ?, ?, ?, '', ?, ?, ?, ?)",
            (
                *(_hash(code), secrets.token_hex(_ID_BYTES), state, now, now + GOOD_FOR_S),
                *(wish.short, wish.name, wish.contact, wish.words, wish.lang, network),
            ),
        )
        return code

    def _forget_expired(self, db: Statements) -> None:
        """Delete invitations whose time is over, and marks of deleted ones."""
        db.execute("DELETE FROM invitation WHERE until <= ?", (self._clock(),))
        db.execute("DELETE FROM proven WHERE hash NOT IN (SELECT hash FROM invitation)")

    def find(self, code: str) -> Invitation | None:
        """The invitation, or the request, of a code that is still good."""
        found = self._select("hash = ?", _hash(code))
        return found[0] if found else None

    def find_by_id_in_state(self, id_: str, state: InvitationState) -> Invitation | None:
        """The invitation or request of this id, if it is in this state."""
        found = self._select("id = ? AND state = ?", id_, state)
        return found[0] if found else None

    def invitations_in(self, state: InvitationState) -> list[Invitation]:
        """Invitations and requests in this state, the oldest first."""
        return self._select("state = ?", state)

    def _select(self, which: str, *values: object) -> list[Invitation]:
        asked = f"SELECT {_COLUMNS} FROM invitation WHERE {which} AND until > ? ORDER BY since"  # noqa: S608 - literals
        with self._database.connection() as db:
            rows = db.execute(asked, (*values, self._clock())).fetchall()
        return [Invitation(*cast("tuple[str, InvitationState]", row[:2]), *row[2:]) for row in rows]

    def note_club_in_making(self, code: str, short: str, name: str) -> None:
        """Note that the club of an invitation is being made, with its names."""
        self._update_invitations(
            "state = 'making', short = ?, name = ?", "hash = ?", short, name, _hash(code)
        )

    def note_club_made(self, code: str, example: str) -> None:
        """Note that the club of an invitation was made; delete contact and words of the request."""
        change = "state = 'used', example = ?, contact = '', words = ''"
        self._update_invitations(change, "hash = ?", example, _hash(code))

    def note_club_not_made(self, code: str) -> None:
        """Note that the club could not be made: the invitation can be used again."""
        self._update_invitations("state = 'open'", "hash = ?", _hash(code))

    def approve_request(self, id_: str) -> None:
        """Approve a request: its code makes a club from now on; contact and words are deleted."""
        change = "state = 'open', until = ?, contact = '', words = ''"
        until = self._clock() + GOOD_FOR_S
        self._update_invitations(change, "id = ? AND state = 'asked'", until, id_)

    def refuse_request(self, id_: str) -> None:
        """Refuse a request; its contact and words are deleted."""
        change = "state = 'refused', contact = '', words = ''"
        self._update_invitations(change, "id = ? AND state = 'asked'", id_)

    def withdraw_invitation(self, id_: str) -> None:
        """Let nobody use an invitation any more."""
        self._update_invitations("until = 0", "id = ? AND state = 'open'", id_)

    def _update_invitations(self, change: str, which: str, *values: object) -> None:
        with self._database.transaction() as db:
            db.execute(f"UPDATE invitation SET {change} WHERE {which}", values)  # noqa: S608 - literals

    # --- mails and codes in them ----------------------------------------------------------------

    def count_mail_or_refuse(self, address: str, network: str) -> None:
        """Count a mail that is about to be sent because somebody asked for it.

        :raises TooManyRequests: no mail is sent for now
        """
        with self._database.transaction() as db:
            self._count_mail_or_refuse(db, address, network)

    def _count_mail_or_refuse(self, db: Statements, address: str, network: str) -> None:
        now, mark = self._clock(), _hash_of_address(address)
        db.execute("DELETE FROM mailed WHERE at <= ?", (now - DAY_S,))
        of_network = f"{_MAILED} network = ? AND network != ''"
        counts = (
            (f"{_MAILED} mark = ?", (mark,), MOST_MAILS_TO_ADDRESS),
            (f"{of_network} AND mark != ?", (network, _FAILED), MOST_MAILS_OF_NETWORK),
            (of_network, (network,), MOST_ATTEMPTS_OF_NETWORK),
            (f"{_MAILED} mark != ?", (_FAILED,), MOST_MAILS),
        )
        if any(db.execute(asked, of).fetchone()[0] >= most for asked, of, most in counts):
            raise TooManyRequests
        db.execute("INSERT INTO mailed VALUES (?, ?, ?)", (mark, network, now))

    def note_unsent_mail(self, address: str, key: str = "") -> None:
        """Note that a counted mail was not sent. ``key``: of the code in it, if it had one."""
        last = "SELECT max(rowid) FROM mailed WHERE mark = ?"
        with self._database.transaction() as db:
            db.execute(
                f"UPDATE mailed SET mark = ? WHERE rowid = ({last})",  # noqa: S608 - literals
                (_FAILED, _hash_of_address(address)),
            )
            db.execute("UPDATE proof SET code = ? WHERE hash = ?", (_FAILED, _hash(key)))

    def create_mail_key_and_code(self, address: str, network: str, lang: str) -> tuple[str, str]:
        """Store a new code to mail to an address, which is not stored; returns key and code.

        :raises TooManyRequests: no mail is sent for now
        """
        key, code = secrets.token_urlsafe(_CODE_BYTES), f"{secrets.randbelow(10**6):06}"
        now = self._clock()
        with self._database.transaction() as db:
            db.execute("DELETE FROM proof WHERE until <= ?", (now,))
            self._count_mail_or_refuse(db, address, network)
            proof = (_hash(key), _hash(key + code), now + PROOF_GOOD_FOR_S, lang)
            db.execute("INSERT INTO proof VALUES (?, ?, ?, 0, ?)", proof)
        return key, code

    def mail_state_by_key(self, key: str) -> MailState:
        """What became of the mail with the code for a key."""
        asked = "SELECT code FROM proof WHERE hash = ? AND until > ? AND tries < ?"
        with self._database.connection() as db:
            found = db.execute(asked, (_hash(key), self._clock(), MOST_TRIES)).fetchone()
        if found is None:
            return "over"
        return "failed" if bytes(found[0]) == _FAILED else "going"

    def redeem_mail_code(self, key: str, code: str) -> CodeVerdict:
        """Compare a typed code with the mailed one; if right, the key is now an invitation."""
        hash_ = _hash(key)
        with self._database.transaction() as db:
            if not db.execute(_TRY, (hash_, self._clock(), MOST_TRIES)).rowcount:
                return "over"
            asked = "SELECT code, lang FROM proof WHERE hash = ?"
            right, lang = db.execute(asked, (hash_,)).fetchone()
            if not compare_digest(bytes(right), _hash(key + code)):
                return "wrong"
            db.execute("DELETE FROM proof WHERE hash = ?", (hash_,))
            self._add_invitation(db, "open", _NOTHING._replace(lang=lang), "", key)
            db.execute("INSERT INTO proven VALUES (?)", (hash_,))
            return "right"

    # --- who may make a club without an invitation ----------------------------------------------

    def signup_mode(self) -> Signup:
        """Who may make a club without an invitation: nobody, whoever asks the owner, or by mail."""
        with self._database.connection() as db:
            names = {name for (name,) in db.execute("SELECT name FROM choice").fetchall()}
        return next((one for one, name in _SIGNUP.items() if name in names), "off")

    def is_signup_open(self) -> bool:
        """Whether a club can be had without an invitation: on request to the owner, or by mail."""
        return self.signup_mode() != "off"

    def set_signup_mode(self, signup: Signup) -> None:
        """Set who may make a club without an invitation; unless it is by mail, mailed codes end."""
        with self._database.transaction() as db:
            if signup != "mail":
                db.execute("DELETE FROM proof")
                by_mail = "hash IN (SELECT hash FROM proven)"
                db.execute(f"DELETE FROM invitation WHERE state != 'used' AND {by_mail}")  # noqa: S608 - literals
            for one, name in _SIGNUP.items():
                kept = "INSERT INTO choice VALUES (?) ON CONFLICT DO NOTHING"
                gone = "DELETE FROM choice WHERE name = ?"
                db.execute(kept if one == signup else gone, (name,))

    # --- the owner ------------------------------------------------------------------------------

    def create_sign_in_cookie(self, mark: str) -> str:
        """Store a sign-in of the owner; returns its cookie. ``mark``: of the token shown."""
        cookie, now = secrets.token_urlsafe(2 * _CODE_BYTES), self._clock()
        with self._database.transaction() as db:
            db.execute("DELETE FROM owner_sign_in WHERE until <= ?", (now,))
            row = (_hash(cookie), mark, now + SIGNED_IN_S)
            db.execute("INSERT INTO owner_sign_in VALUES (?, ?, ?)", row)
        return cookie

    def token_mark_or_empty(self, cookie: str) -> str:
        """Mark of the token with which an owner signed in, by cookie; empty if there is none."""
        asked = "SELECT mark FROM owner_sign_in WHERE hash = ? AND until > ?"
        with self._database.connection() as db:
            found = db.execute(asked, (_hash(cookie), self._clock())).fetchone()
        return str(found[0]) if found else ""

    def sign_out(self, cookie: str) -> None:
        """End a sign-in."""
        with self._database.transaction() as db:
            db.execute("DELETE FROM owner_sign_in WHERE hash = ?", (_hash(cookie),))


def _hash_of_address(address: str) -> bytes:
    return _hash(f"mail {normal_mail_address(address)}")


def _hash(secret: str) -> bytes:
    return sha256(secret.encode()).digest()
