"""Credentials of people and devices: passwords, tokens and codes, all of them hashed.

They are in tables of their own, apart from the log. The log says who may do what; these tables only
identify the caller. Nobody can sign in with what they hold: a token has 256 bits and is kept as its
SHA-256, a password as scrypt.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Literal, NamedTuple, TypeAlias

from eventsourcing.persistence import IntegrityError, PersistenceError
from werkzeug.security import check_password_hash, generate_password_hash

from referee.access.passwords import LONGEST_PASSWORD, BadPassword, password_fault
from referee.access.tables import OF_A_HOLDER, AccessTables, SealKey
from referee.events import HolderId, Role
from referee.log.ports import Address
from referee.store.ports import Statements

TokenKind: TypeAlias = Literal["session", "device", "app", "app_session"]
"""``app``: a token that somebody made for an app; ``app_session``: of somebody who signed in by
one."""
OfferKind: TypeAlias = Literal["invitation", "pairing"]
Notice: TypeAlias = Literal["weak_password", "factor_removed", "password_reset", "password_by_mail"]
"""What an account is told when its user signs in."""

DAY_S: Final = 86_400.0
LASTS_S: Final[dict[TokenKind | OfferKind, float]] = {
    "session": 30 * DAY_S,
    "device": 90 * DAY_S,
    "app": 90 * DAY_S,
    "app_session": 30 * DAY_S,
    "invitation": 7 * DAY_S,
    "pairing": 300.0,
}
IDLE_S: Final[dict[TokenKind, float]] = {
    "session": 14 * DAY_S,
    "device": 45 * DAY_S,
    "app": 366 * DAY_S,
    "app_session": 14 * DAY_S,
}
"""A token that was not used for so long has expired: a club that meets every week keeps its own."""
RENEWED_S: Final = 90 * DAY_S
"""A sign-in of an app is renewed for so long after its password was typed."""
OF_APPS: Final[frozenset[TokenKind]] = frozenset({"app", "app_session"})
APP_PREFIX: Final = "guinote_"
"""Beginning of the tokens of apps, by which a scanner finds one that was published."""
SYMBOLS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Characters of a code; those that are easily confused with others are left out."""
CODE_LENGTH: Final = 8
LONGEST_NAME: Final = 80
USE_NOTED_EVERY_S: Final = 300.0
"""The last use of a token is written at most this often, so that reading stays cheap."""
_IDLE: Final = " ".join(f"WHEN '{kind}' THEN {idle}" for kind, idle in IDLE_S.items())
_VALID: Final = f"until >= :now AND COALESCE(used, :now) >= :now - CASE kind {_IDLE} END"
"""Condition of a token that has not expired at a moment ``now``."""
_TOKEN_BYTES: Final = 32
_HOLDER_BYTES: Final = 8
HASH_METHOD = "scrypt:32768:8:1"
"""Of passwords: 32 MB and a tenth of a second each. Only the tests set a cheaper one."""
_ENDED: Final = (
    "INSERT INTO ended (hash, until) SELECT hash, until FROM token WHERE {which}"
    " ON CONFLICT DO NOTHING"
)
_MADE_BY: Final = ("offer", "reset")
"""Tables with what a holder made for others, by the column ``by``."""
_NOBODY: Final = f"$nobody${'0' * 128}"
"""Hash that no password has. It is checked for unknown names, so that they take the same time."""


class NameTaken(Exception):  # noqa: N818 - it says what the name is
    """Another account has this name."""


class Offer(NamedTuple):
    """The role that a code or a link gives to whoever takes it. ``by``: who offered it."""

    role: Role
    encuentro: str
    by: str


class OpenOffer(NamedTuple):
    """An offer that nobody has taken, without its secret. ``until``: seconds since 1970, UTC."""

    id: str
    kind: OfferKind
    offer: Offer
    until: float


class KnownToken(NamedTuple):
    """What a valid token says. ``mark``: what it depends on besides its time, if anything.

    Of an ``app_session`` the mark is its scopes.
    """

    id: str
    kind: TokenKind
    holder: HolderId
    mark: str


class OpenToken(NamedTuple):
    """A session, a paired device or a token of an app, without its secret.

    ``agent``: the browser, in a word or two, or the name of an app's token; ``since`` and ``used``:
    sign-in and last use, in seconds since 1970, UTC, None in files of before, or if never used;
    ``mark``: as in :class:`KnownToken`.
    """

    id: str
    kind: TokenKind
    holder: HolderId
    agent: str
    since: float | None
    used: float | None
    until: float
    mark: str


class Keys:
    """Accounts, tokens and offers. All processes share them."""

    def __init__(
        self,
        address: Address,
        *,
        clock: Callable[[], float],
        random: Callable[[int], bytes],
        key: SealKey = bytes,
    ) -> None:
        """Open the tables, made if they are not there. ``clock``: seconds since 1970, UTC.

        ``key``: of the seals of the rows.
        """
        self._clock, self._random = clock, random
        self.tables = AccessTables(address, key)

    def close(self) -> None:
        """Close the tables."""
        self.tables.close()

    # --- accounts ----------------------------------------------------------------------------

    def open_account(self, name: str, password: str) -> HolderId:
        """Store a new account, which may do nothing until a role is granted; returns its id.

        :raises NameTaken: another account has the name
        :raises BadPassword: it is not good enough
        """
        hashed = _check_and_hash_password(password, name)
        holder = self.new_holder_id()
        try:
            with self.tables.transaction() as db:
                db.execute(
                    "INSERT INTO account (holder, name, password) VALUES (?, ?, ?)",
                    (holder, name, hashed),
                )
                self.tables.seals.write_seals(db, "account", "holder = ?", holder)
        except IntegrityError:
            raise NameTaken(name) from None
        return holder

    def find_account_by_password(self, name: str, password: str) -> HolderId | None:
        """Id of the account with this name and password; None if there is none.

        A wrong name takes as long as a right one.
        """
        with self.tables.connection() as db:
            found = self.tables.seals.select_genuine_rows(
                db, "account", "holder, password", "lower(name) = ?", (lower_ascii_letters(name),)
            )
        row = found[0] if found else None
        hashed = row[1] if row else HASH_METHOD + _NOBODY
        is_right = check_password_hash(hashed, password[:LONGEST_PASSWORD])
        is_whole = len(password) <= LONGEST_PASSWORD
        return str(row[0]) if row and is_right and is_whole else None

    def change_password(self, holder: HolderId, password: str) -> None:
        """Store another password; every sign-in and reset link of the account ends.

        A link for a forgotten one is worth nothing any more.

        :raises BadPassword: it is not good enough
        """
        hashed = _check_and_hash_password(password, self.account_names().get(holder, ""))
        with self.tables.transaction() as db:
            db.execute("UPDATE account SET password = ? WHERE holder = ?", (hashed, holder))
            self.tables.seals.write_seals(db, "account", "holder = ?", holder)
            for table in ("token", "known_browser", "waiting", "reset"):
                db.execute(f"DELETE FROM {table} WHERE holder = ?", (holder,))  # noqa: S608 - literals
            db.execute("DELETE FROM notice WHERE holder = ? AND what = 'weak_password'", (holder,))

    def add_notice(self, holder: HolderId, what: Notice) -> None:
        """Store a notice for an account, which its user is shown at the next sign-in."""
        with self.tables.transaction() as db:
            noted = "INSERT INTO notice (holder, what) VALUES (?, ?) ON CONFLICT DO NOTHING"
            db.execute(noted, (holder, what))

    def notices(self, holder: HolderId) -> list[Notice]:
        """Notices that are stored for an account."""
        with self.tables.connection() as db:
            rows = db.execute(
                "SELECT what FROM notice WHERE holder = ? ORDER BY what", (holder,)
            ).fetchall()
        return [what for (what,) in rows]

    def forget_notices_but_weak_password(self, holder: HolderId) -> None:
        """Delete the notices of an account, except that its password is weak."""
        with self.tables.transaction() as db:
            db.execute("DELETE FROM notice WHERE holder = ? AND what <> 'weak_password'", (holder,))

    def account_names(self) -> dict[HolderId, str]:
        """Name of every account."""
        with self.tables.connection() as db:
            return dict(
                db.execute("SELECT holder, name FROM account ORDER BY lower(name)").fetchall()
            )

    def holder_id_by_name(self, name: str) -> HolderId | None:
        """Id of the account with a name, in upper or lower case; None if there is none."""
        with self.tables.connection() as db:
            asked = "SELECT holder FROM account WHERE lower(name) = ?"
            row = db.execute(asked, (lower_ascii_letters(name),)).fetchone()
        return str(row[0]) if row else None

    def forget_holders(self, *holders: HolderId) -> None:
        """Delete holders with their accounts, tokens and offers, without a trace of the bytes.

        No byte of it stays in the tables, except that their tokens have ended.
        """
        with self.tables.transaction() as db:
            for holder in holders:
                db.execute(_ENDED.format(which="holder = ?"), (holder,))
                for table in OF_A_HOLDER:
                    db.execute(f"DELETE FROM {table} WHERE holder = ?", (holder,))  # noqa: S608 - literals
                for table in _MADE_BY:
                    db.execute(f"DELETE FROM {table} WHERE by = ?", (holder,))  # noqa: S608 - literals
            self.tables.note_bytes_to_erase(db)
        self.tables.erase_bytes_of_deleted_rows()

    def new_holder_id(self) -> HolderId:
        """A new id for a holder."""
        return self._new_id()

    # --- tokens ------------------------------------------------------------------------------

    def give_token(
        self,
        kind: TokenKind,
        holder: HolderId,
        *,
        agent: str = "",
        mark: str = "",
        lasts_s: float | None = None,
    ) -> str:
        """Store a new token of a holder, valid while its kind lasts if it is used; returns it."""
        token, now = self._new_secret(), self._clock()
        token = APP_PREFIX + token if kind in OF_APPS else token
        until = now + (LASTS_S[kind] if lasts_s is None else lasts_s)
        used = None if kind == "app" else now
        row = (hash_of_secret(token), kind, holder, until, self._new_id(), mark, agent, now, used)
        with self.tables.transaction() as db:
            db.execute(f"DELETE FROM token WHERE NOT ({_VALID})", {"now": now})  # noqa: S608 - literals
            db.execute("DELETE FROM ended WHERE until < ?", (now,))
            db.execute(
                "INSERT INTO token (hash, kind, holder, until, id, mark, agent, since, used)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )
            self.tables.seals.write_seals(db, "token", "hash = ?", row[0])
        return token

    def renew_app_sign_in_token(self, token: str) -> tuple[str, float] | None:
        """Replace the sign-in token of an app; returns the new one and until when it is valid.

        None: it has ended meanwhile.
        """
        new, old, now = APP_PREFIX + self._new_secret(), hash_of_secret(token), self._clock()
        with self.tables.transaction() as db:
            found = self.tables.seals.select_genuine_rows(
                db,
                "token",
                "since",
                f"hash = :old AND kind = 'app_session' AND {_VALID}",
                {"old": old, "now": now},
            )
            if not found:
                return None
            until = min(now + LASTS_S["app_session"], found[0][0] + RENEWED_S)
            db.execute(_ENDED.format(which="hash = ?"), (old,))
            row = (hash_of_secret(new), now, until, old)
            db.execute("UPDATE token SET hash = ?, used = ?, until = ? WHERE hash = ?", row)
            self.tables.seals.write_seals(db, "token", "hash = ?", row[0])
        return new, until

    def read_token_and_note_use(self, token: str) -> KnownToken | None:
        """Content of a valid token, whose use is noted; None if it is unknown or has expired.

        Of an app's token only the day of its use is noted: it is nobody's diary.
        """
        hashed, now = hash_of_secret(token), self._clock()
        with self.tables.connection() as db:
            found = self.tables.seals.select_genuine_rows(
                db,
                "token",
                "id, kind, holder, mark, used",
                f"hash = :hash AND {_VALID}",
                {"hash": hashed, "now": now},
            )
        if not found:
            return None
        *said, used = found[0]
        known = KnownToken(*said)
        moment = now - now % DAY_S if known.kind == "app" else now
        if used is None or moment - used > USE_NOTED_EVERY_S:
            with (  # it is read as well
                suppress(sqlite3.OperationalError, PersistenceError),
                self.tables.transaction() as db,
            ):
                db.execute("UPDATE token SET used = ? WHERE hash = ?", (moment, hashed))
        return known

    def holder_id_of_token(self, token: str) -> HolderId | None:
        """Id of the holder of a token, whose use is noted; None if it is unknown or has expired."""
        found = self.read_token_and_note_use(token)
        return found.holder if found else None

    def all_valid_tokens(self) -> list[OpenToken]:
        """Every valid token of a sign-in, a device or an app, those used last first."""
        with self.tables.connection() as db:
            rows = db.execute(
                "SELECT id, kind, holder, agent, since, used, until, mark FROM token"  # noqa: S608 - literals
                f" WHERE {_VALID} ORDER BY used DESC, id",
                {"now": self._clock()},
            ).fetchall()
        return [OpenToken(*row) for row in rows]

    def delete_token_by_secret(self, token: str) -> None:
        """Delete a token, given by its secret; it is not noted as ended."""
        with self.tables.transaction() as db:
            db.execute("DELETE FROM token WHERE hash = ?", (hash_of_secret(token),))

    def end_sign_ins(self, holder: HolderId, *, only: str = "", but: str = "") -> None:
        """End tokens of a holder: all, only the id ``only``, or all but the token ``but``."""
        which = "holder = ? AND ? IN ('', id) AND hash <> ?"
        with self.tables.transaction() as db:
            for statement in (_ENDED, "DELETE FROM token WHERE {which}"):
                db.execute(statement.format(which=which), (holder, only, hash_of_secret(but)))

    def was_token_ended(self, token: str) -> bool:
        """Whether a token was ended or replaced by somebody before it expired.

        An unknown token was not: the tables may be an older copy.
        """
        with self.tables.connection() as db:
            found = db.execute(
                "SELECT 1 FROM ended WHERE hash = ?", (hash_of_secret(token),)
            ).fetchone()
        return found is not None

    # --- offers ------------------------------------------------------------------------------

    def make_offer(self, kind: OfferKind, offered: Offer) -> str:
        """Make an offer of a role; returns its secret, which can be used once.

        A token in a link, or a code to type.
        """
        secret, now = (
            self._new_secret() if kind == "invitation" else self._new_code(),
            self._clock(),
        )
        row = (hash_of_secret(secret), kind, *offered, now + LASTS_S[kind], self._new_id())
        with self.tables.transaction() as db:
            db.execute("DELETE FROM offer WHERE until < ?", (now,))
            db.execute(
                "INSERT INTO offer (hash, kind, role, encuentro, by, until, id)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                row,
            )
            self.tables.seals.write_seals(db, "offer", "hash = ?", row[0])
        return secret

    def find_offer(self, kind: OfferKind, secret: str) -> Offer | None:
        """The offer behind a secret, which stays open; None if it is unknown, used or expired."""
        with self.tables.connection() as db:
            return self._find_offer(db, kind, secret)

    def try_use_up_offer(self, kind: OfferKind, secret: str) -> Offer | None:
        """Delete an offer and return it, granting nothing; None if unknown, used or expired."""
        with self.tables.transaction() as db:
            found = self._find_offer(db, kind, secret)
            db.execute(
                "DELETE FROM offer WHERE hash = ? AND kind = ?", (hash_of_secret(secret), kind)
            )
        return found

    def offers(self) -> list[OpenOffer]:
        """Every open offer, those that expire first at the beginning."""
        with self.tables.connection() as db:
            rows = db.execute(
                "SELECT id, kind, role, encuentro, by, until FROM offer WHERE until >= ?"
                " ORDER BY until, id",
                (self._clock(),),
            ).fetchall()
        return [OpenOffer(key, kind, Offer(*offer), until) for key, kind, *offer, until in rows]

    def withdraw_offer(self, offer_id: str) -> None:
        """Delete an offer."""
        with self.tables.transaction() as db:
            db.execute("DELETE FROM offer WHERE id = ?", (offer_id,))

    def withdraw_offers_and_links(self, by: HolderId) -> None:
        """Delete every offer and every password link that a holder made."""
        with self.tables.transaction() as db:
            for table in _MADE_BY:
                db.execute(f"DELETE FROM {table} WHERE by = ?", (by,))  # noqa: S608 - literals

    def _find_offer(self, db: Statements, kind: OfferKind, secret: str) -> Offer | None:
        found = self.tables.seals.select_genuine_rows(
            db,
            "offer",
            "role, encuentro, by",
            "hash = ? AND kind = ? AND until >= ?",
            (hash_of_secret(secret), kind, self._clock()),
        )
        return Offer(*found[0]) if found else None

    # --- inside ------------------------------------------------------------------------------

    def _new_id(self) -> str:
        return self._random(_HOLDER_BYTES).hex()

    def _new_secret(self) -> str:
        return self._random(_TOKEN_BYTES).hex()

    def _new_code(self) -> str:
        number = int.from_bytes(self._random(_HOLDER_BYTES), "big")
        symbols = [
            SYMBOLS[number // len(SYMBOLS) ** at % len(SYMBOLS)] for at in range(CODE_LENGTH)
        ]
        return "".join(symbols)


def lower_ascii_letters(name: str) -> str:
    """Name in the form in which names are compared.

    Only the letters A to Z in lower case, as both databases do it.

    >>> lower_ascii_letters("PILAR Álvarez")
    'pilar Álvarez'
    """
    return name.encode().lower().decode()


def hash_of_secret(secret: str) -> bytes:
    """What the tables of access keep of a secret with enough chance of its own: its SHA-256."""
    return hashlib.sha256(secret.encode()).digest()


def _check_and_hash_password(password: str, name: str) -> str:
    fault = password_fault(password, name)
    if fault is not None:
        raise BadPassword(fault)
    return generate_password_hash(password, HASH_METHOD)
