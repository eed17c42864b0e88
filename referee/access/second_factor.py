"""The second factor of an account: codes of an authenticator (TOTP), and codes for recovery.

The secret is sealed under a derived key, bound to the account. Of a code for recovery only the
hash is kept. A code is good once: the last step of time is kept, a code for recovery is deleted.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Final, Literal, TypeAlias

import pyotp
from pyotp.utils import strings_equal

from referee.access.keys import SYMBOLS, hash_of_secret
from referee.access.tables import AccessTables
from referee.events import HolderId
from referee.people.master_key import Altered, Seal

FactorStage: TypeAlias = Literal["proposed", "active"]

RECOVERY_CODES: Final = 10
WAITING_S: Final = 300.0
"""Time between the right password and the code."""
PROPOSED_S: Final = 900.0
"""Time to enter the secret into an authenticator and to type its first code."""
_STEP_S: Final = 30
_RECOVERY_LENGTH: Final = 24
_GROUP: Final = 4
_SECRET_BYTES: Final = 20
_TOKEN_BYTES: Final = 32
_PUT: Final = (
    "INSERT INTO factor (holder, stage, wrapped, sealed, step, until) VALUES (?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (holder, stage) DO UPDATE SET wrapped = excluded.wrapped,"
    " sealed = excluded.sealed, step = excluded.step, until = excluded.until"
)


class SecondFactors:
    """Second factors beside the accounts and keys. ``clock``: seconds since 1970, UTC.

    ``seal``: the seal of the secrets, opened at its first use.
    """

    def __init__(
        self,
        tables: AccessTables,
        seal: Callable[[], Seal],
        clock: Callable[[], float],
        random: Callable[[int], bytes],
    ) -> None:
        self._tables, self._seal, self._clock, self._random = tables, seal, clock, random

    # --- setting it up -----------------------------------------------------------------------

    def holders(self) -> frozenset[HolderId]:
        """Accounts that have a second factor."""
        with self._tables.connection() as db:
            rows = db.execute("SELECT holder FROM factor WHERE stage = 'active'").fetchall()
        return frozenset(holder for (holder,) in rows)

    def recovery_codes_left(self, holder: HolderId) -> int:
        """Number of recovery codes of an account that are not used yet."""
        with self._tables.connection() as db:
            asked = "SELECT COUNT(*) FROM recovery WHERE holder = ?"
            (number,) = db.execute(asked, (holder,)).fetchone()
        return int(number)

    def propose(self, holder: HolderId) -> str:
        """Store a new secret for an authenticator app as proposed, and return it.

        It becomes active when a code of it was typed.
        """
        secret = base64.b32encode(self._random(_SECRET_BYTES)).decode()
        sealed, until = (
            self._seal().seal_text_under_new_key("factor", holder, secret),
            self._clock() + PROPOSED_S,
        )
        with self._tables.transaction() as db:
            db.execute(_PUT, (holder, "proposed", *sealed, 0, until))
        return secret

    def proposal(self, holder: HolderId) -> str | None:
        """Secret that was proposed to an account and is not active yet; None if it has expired."""
        found = self._find_secret_and_step(holder, "proposed")
        return found[0] if found else None

    def confirm(self, holder: HolderId, code: str) -> list[str] | None:
        """Make the proposed secret active.

        Returns new recovery codes, or None if the code is wrong.
        """
        found = self._find_secret_and_step(holder, "proposed")
        step = self._step_of_code(*found, code) if found else None
        if step is None:
            return None
        with self._tables.transaction() as db:
            taken = db.execute(
                "DELETE FROM factor WHERE holder = ? AND stage = 'proposed' AND until >= ?"
                " RETURNING wrapped, sealed",
                (holder, self._clock()),
            ).fetchone()
            if taken is None:  # the form was sent twice at once
                return None
            db.execute(_PUT, (holder, "active", *taken, step, None))
            self._tables.seals.write_seals(db, "account", "holder = ?", holder)
        return self.new_recovery_codes(holder)

    def new_recovery_codes(self, holder: HolderId) -> list[str]:
        """Store and return new recovery codes of an account; the earlier ones become invalid."""
        codes = [self._new_recovery_code() for _ in range(RECOVERY_CODES)]
        with self._tables.transaction() as db:
            db.execute("DELETE FROM recovery WHERE holder = ?", (holder,))
            rows = [(hash_of_secret(f"{holder} {code}"), holder) for code in codes]
            db.executemany("INSERT INTO recovery (hash, holder) VALUES (?, ?)", rows)
            self._tables.seals.write_seals(db, "recovery", "holder = ?", holder)
        groups = range(0, _RECOVERY_LENGTH, _GROUP)
        return ["-".join(code[at : at + _GROUP] for at in groups) for code in codes]

    def remove(self, holder: HolderId) -> bool:
        """Remove the second factor of an account; returns whether it had one."""
        with self._tables.transaction() as db:
            db.execute("DELETE FROM recovery WHERE holder = ?", (holder,))
            db.execute("DELETE FROM factor WHERE holder = ? AND stage = 'proposed'", (holder,))
            removed = db.execute("DELETE FROM factor WHERE holder = ?", (holder,)).rowcount
            self._tables.seals.write_seals(db, "account", "holder = ?", holder)
            return removed > 0

    # --- signing in --------------------------------------------------------------------------

    def begin_sign_in(self, holder: HolderId) -> str:
        """Store a sign-in that waits for its code, after the right password; returns its token."""
        token, now = self._random(_TOKEN_BYTES).hex(), self._clock()
        with self._tables.transaction() as db:
            db.execute("DELETE FROM waiting WHERE until < ?", (now,))
            row = (hash_of_secret(token), holder, now + WAITING_S)
            db.execute("INSERT INTO waiting (hash, holder, until) VALUES (?, ?, ?)", row)
            self._tables.seals.write_seals(db, "waiting", "hash = ?", row[0])
        return token

    def waiting_account(self, token: str) -> HolderId | None:
        """Account whose sign-in still needs a code of the second factor.

        None if the token is unknown or expired.
        """
        with self._tables.connection() as db:
            found = self._tables.seals.select_genuine_rows(
                db,
                "waiting",
                "holder",
                "hash = ? AND until >= ?",
                (hash_of_secret(token), self._clock()),
            )
        return str(found[0][0]) if found else None

    def forget_waiting_sign_in(self, token: str) -> None:
        """Delete the token of a sign-in that needed a code of the second factor."""
        with self._tables.transaction() as db:
            db.execute("DELETE FROM waiting WHERE hash = ?", (hash_of_secret(token),))

    def use_code(self, holder: HolderId, code: str) -> bool:
        """Use a code of the second factor once, from the authenticator or a recovery code.

        Returns whether it is right.
        """
        found = self._find_secret_and_step(holder, "active")
        if found is None:
            return False
        step = self._step_of_code(*found, code)
        with self._tables.transaction() as db:
            if step is not None:
                used = db.execute(
                    "UPDATE factor SET step = ? WHERE holder = ? AND stage = 'active' AND step < ?",
                    (step, holder, step),
                )
                return used.rowcount > 0
            plain = code.upper().replace("-", "").replace(" ", "")
            of_code = "hash = ?", (hash_of_secret(f"{holder} {plain}"),)
            is_good = bool(self._tables.seals.select_genuine_rows(db, "recovery", "hash", *of_code))
            if is_good:
                db.execute("DELETE FROM recovery WHERE hash = ?", of_code[1])
            return is_good

    # --- inside ------------------------------------------------------------------------------

    def _find_secret_and_step(self, holder: HolderId, stage: FactorStage) -> tuple[str, int] | None:
        """Secret of an account and the last time step used; an empty secret if its key is lost."""
        with self._tables.connection() as db:
            row = db.execute(
                "SELECT wrapped, sealed, step FROM factor"
                " WHERE holder = ? AND stage = ? AND (until IS NULL OR until >= ?)",
                (holder, stage, self._clock()),
            ).fetchone()
        if row is None:
            return None
        wrapped, sealed, step = row
        try:
            return self._seal().unseal_text("factor", holder, wrapped, sealed), step
        except Altered:
            return "", step

    def _step_of_code(self, secret: str, last: int, code: str) -> int | None:
        """Time step of the authenticator to which a code belongs.

        None if it is wrong, too old or used.
        """
        if not secret:
            return None
        totp, typed = pyotp.TOTP(secret), code.replace(" ", "")
        now = int(self._clock()) // _STEP_S
        return next(
            (
                step
                for step in (now, now - 1, now + 1)
                if step > last and strings_equal(totp.generate_otp(step), typed)
            ),
            None,
        )

    def _new_recovery_code(self) -> str:
        number = int.from_bytes(self._random(_TOKEN_BYTES), "big")
        signs = len(SYMBOLS)
        return "".join(SYMBOLS[number // signs**at % signs] for at in range(_RECOVERY_LENGTH))
