"""Accounts and keys: sessions and devices, offers, and files of an earlier version."""

from __future__ import annotations

import secrets
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from referee.access.keys import (
    DAY_S,
    IDLE_S,
    LASTS_S,
    USE_NOTED_EVERY_S,
    Keys,
    NameTaken,
    Offer,
    TokenKind,
)
from referee.access.passwords import LONGEST_PASSWORD
from referee.access.security_log import SECURITY_LAYOUT
from referee.access.tables import ACCESS_LAYOUT
from referee.log.ports import Address
from referee.store import server
from referee.store.databases import column_names, copy_tables, open_database
from tests.referee.access.clock import SetClock
from tests.support.servers.own_postgres import Server

BEFORE = """
CREATE TABLE account (holder TEXT PRIMARY KEY, name TEXT UNIQUE COLLATE NOCASE, password TEXT)
    WITHOUT ROWID;
CREATE TABLE token (hash BLOB PRIMARY KEY, kind TEXT, holder TEXT, until REAL) WITHOUT ROWID;
CREATE TABLE offer (hash BLOB PRIMARY KEY, kind TEXT, role TEXT, encuentro TEXT, by TEXT, until REAL)
    WITHOUT ROWID;
CREATE TABLE failure (place TEXT, at REAL);
INSERT INTO token VALUES
    (x'9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', 'session', 'ana', 1e9);
INSERT INTO offer VALUES
    (x'9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', 'invitation', 'arbiter', '',
     'ana', 1e9);
"""
"""A file as it was made before sessions had a name; token and invitation are ``test``."""


@pytest.fixture
def clock() -> SetClock:
    return SetClock(1_000.0)


@pytest.fixture
def keys(address: Address, clock: SetClock) -> Iterator[Keys]:
    with closing(Keys(address, clock=clock, random=secrets.token_bytes)) as made:
        yield made


def test_a_file_of_before_opens_with_its_sessions_and_invitations(
    tmp_path: Path, clock: SetClock
) -> None:
    path = tmp_path / "access.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(BEFORE)
    for _ in range(2):  # the second time there is nothing to add
        with closing(Keys(path, clock=clock, random=secrets.token_bytes)) as keys:
            keys.tables.seal_every_row()
            assert keys.holder_id_of_token("test") == "ana"
            (session,), (offer,) = keys.all_valid_tokens(), keys.offers()
            assert (session.holder, session.agent, session.since) == ("ana", "", None)
            assert offer.offer == Offer("arbiter", "", "ana")
            assert len(session.id) == len(offer.id) == 16
    with closing(Keys(path, clock=clock, random=secrets.token_bytes)) as keys:
        keys.end_sign_ins("ana", only=session.id)
        keys.withdraw_offer(offer.id)
        assert (keys.holder_id_of_token("test"), keys.find_offer("invitation", "test")) == (
            None,
            None,
        )


def test_a_session_says_when_it_began_and_when_it_was_used_last(
    keys: Keys, clock: SetClock
) -> None:
    token = keys.give_token("session", "ana", agent="Firefox")
    clock.now += USE_NOTED_EVERY_S
    keys.holder_id_of_token(token)
    assert keys.all_valid_tokens()[0].used == 1_000  # not yet worth a write
    clock.now += 1
    keys.holder_id_of_token(token)
    (session,) = keys.all_valid_tokens()
    assert (session.since, session.used, session.agent) == (1_000, clock.now, "Firefox")
    assert token not in repr(session)
    clock.now += 31 * DAY_S
    assert keys.all_valid_tokens() == []


@pytest.mark.parametrize("kind", ["session", "device", "app", "app_session"])
def test_what_is_not_used_for_long_ends_and_what_is_used_every_week_stays(
    keys: Keys, clock: SetClock, kind: TokenKind
) -> None:
    token = keys.give_token(kind, "ana")
    begun = clock.now
    while clock.now + 7 * DAY_S < begun + LASTS_S[kind]:
        clock.now += 7 * DAY_S
        assert keys.holder_id_of_token(token) == "ana"
    clock.now = begun + LASTS_S[kind] + 1
    assert keys.holder_id_of_token(token) is None
    unused = keys.give_token(kind, "ana")
    clock.now += IDLE_S[kind] + 1
    assert (keys.holder_id_of_token(unused), keys.all_valid_tokens()) == (None, [])


@pytest.mark.parametrize("kind", ["session", "device"])
def test_a_token_stays_when_the_clock_steps_an_hour_forward_and_a_day_back(
    keys: Keys, clock: SetClock, kind: TokenKind
) -> None:
    token, right = keys.give_token(kind, "ana"), clock.now
    for step in (3600, -DAY_S, 0):
        clock.now = right + step
        assert keys.holder_id_of_token(token) == "ana"
        assert keys.holder_id_of_token(keys.give_token(kind, "blas")) == "blas"
    clock.now = right + IDLE_S[kind] - DAY_S
    assert keys.holder_id_of_token(token) == "ana"


def test_a_password_that_is_longer_than_any_is_wrong_whatever_it_begins_with(keys: Keys) -> None:
    longest = "una frase larga " * 12 + "del bar."
    assert len(longest) == LONGEST_PASSWORD
    ana = keys.open_account("Ana", longest)
    assert (
        keys.find_account_by_password("Ana", longest),
        keys.find_account_by_password("Ana", longest + "x"),
    ) == (ana, None)


COST_OF_PASSWORDS = """
import hashlib, secrets, sys, time
from pathlib import Path
costs, scrypt = [], hashlib.scrypt
hashlib.scrypt = lambda *a, **by: costs.append((by["n"], by["r"])) or scrypt(*a, **by)
from referee.access.keys import Keys
keys = Keys(Path(sys.argv[1]), clock=time.time, random=secrets.token_bytes)
keys.open_account("Pilar", "caballo de copas")
print(keys.find_account_by_password("Pilar", "sota de bastos"), keys.find_account_by_password("Nadie", "caballo de copas"), *costs)
"""


def test_a_guess_costs_32_megabytes_and_as_much_for_a_name_that_nobody_has(tmp_path: Path) -> None:
    """In a process of its own, since those of the tests hash cheaply."""
    command = [sys.executable, "-c", COST_OF_PASSWORDS, tmp_path / "keys.db"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert said == "None None (32768, 8) (32768, 8) (32768, 8)\n"


def test_sessions_end_one_by_one_all_but_one_or_all(keys: Keys) -> None:
    first, second, third = (keys.give_token("session", "ana") for _ in range(3))
    other = keys.give_token("session", "blas")
    by_agent = {keys.give_token("session", "ana", agent="x"): "x"}
    (named,) = [one.id for one in keys.all_valid_tokens() if one.agent]
    keys.end_sign_ins("blas", only=named)  # somebody else's
    assert keys.holder_id_of_token(next(iter(by_agent))) == "ana"
    keys.end_sign_ins("ana", only=named)
    assert [keys.holder_id_of_token(one) for one in (*by_agent, first)] == [None, "ana"]
    keys.end_sign_ins("ana", but=second)
    assert [keys.holder_id_of_token(one) for one in (first, second, third)] == [None, "ana", None]
    keys.end_sign_ins("ana")
    assert [keys.holder_id_of_token(one) for one in (second, other)] == [None, "blas"]


def test_offers_are_listed_without_their_secret_and_withdrawn(keys: Keys, clock: SetClock) -> None:
    link = keys.make_offer("invitation", Offer("arbiter", "", "ana"))
    code = keys.make_offer("pairing", Offer("scorer", "table", "blas"))
    soon, later = keys.offers()
    assert (soon.kind, soon.offer, soon.until) == (
        "pairing",
        Offer("scorer", "table", "blas"),
        1_300,
    )
    assert later.kind == "invitation"
    assert not {link, code} & set(map(str, (*soon, *later)))
    keys.withdraw_offer(later.id)
    assert keys.try_use_up_offer("invitation", link) is None
    assert keys.try_use_up_offer("pairing", code) is not None


def test_nothing_of_a_forgotten_holder_is_left(keys: Keys) -> None:
    link = keys.make_offer("invitation", Offer("arbiter", "", "ana"))
    mine = keys.make_offer("invitation", Offer("arbiter", "", "blas"))
    token = keys.give_token("session", "ana")
    keys.forget_holders("ana")
    assert keys.holder_id_of_token(token) is None
    assert keys.find_offer("invitation", link) is None
    assert keys.find_offer("invitation", mine) is not None


def test_nothing_of_a_forgotten_account_stays_in_the_file_or_its_journal(
    tmp_path: Path, clock: SetClock
) -> None:
    files = [tmp_path / "access.sqlite", tmp_path / "access.sqlite-wal"]
    names = [f"Nombre{place:03}Imborrable" for place in range(60)]
    with closing(Keys(files[0], clock=clock, random=secrets.token_bytes)) as keys:
        holders = [keys.open_account(name, "caballo de copas") for name in names]
        assert any(names[0].encode() in one.read_bytes() for one in files)
        with closing(Keys(files[0], clock=clock, random=secrets.token_bytes)) as other:
            assert len(other.account_names()) == 60  # another process has the file open
            keys.forget_holders(holders[0], *holders[7:40])
            kept = b"".join(one.read_bytes() for one in files)
            assert [name for name in names if name.encode() in kept] == [*names[1:7], *names[40:]]
            assert list(other.account_names().values()) == [*names[1:7], *names[40:]]


def test_rows_of_a_forgotten_account_are_gone_from_the_pages_of_the_database(
    postgres: Server, clock: SetClock
) -> None:
    place = postgres.new_address()
    with closing(Keys(place, clock=clock, random=secrets.token_bytes)) as keys:
        for number in range(3):
            keys.forget_holders(keys.open_account(f"Nombre{number}", "caballo de copas"))
        with keys.tables.connection() as db:
            (size,) = db.execute("SELECT pg_relation_size('account')").fetchone()
    assert size == 0  # a row that is only deleted keeps its page


def test_what_a_reader_kept_from_being_swept_is_swept_at_the_next_start(
    postgres: Server, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "SWEEP_WAITS", "50ms")
    place = postgres.new_address()

    def size(keys: Keys) -> int:
        with keys.tables.connection() as db:
            return int(db.execute("SELECT pg_relation_size('account')").fetchone()[0])

    with (
        closing(Keys(place, clock=clock, random=secrets.token_bytes)) as keys,
        closing(open_database(place, SECURITY_LAYOUT)) as reader,
    ):
        holder = keys.open_account("Pilar", "caballo de copas")
        with reader.transaction() as db:  # a transaction, as of a backup
            db.execute("SELECT COUNT(*) FROM account")
            keys.forget_holders(holder)
        assert keys.account_names() == {}
        assert size(keys) > 0
    with closing(Keys(place, clock=clock, random=secrets.token_bytes)) as keys:
        assert size(keys) == 0


def test_names_of_accounts_differ_by_more_than_their_case(keys: Keys) -> None:
    """A to Z alone, in both engines: what else is one letter depends on the language."""
    ana = keys.open_account("Ana Ángel", "caballo de copas")
    with pytest.raises(NameTaken):
        keys.open_account("ana ÁNGEL", "caballo de copas")
    keys.open_account("ANA ángel", "caballo de copas")
    assert (
        keys.holder_id_by_name("aNA Ángel")
        == keys.find_account_by_password("ANA Ángel", "caballo de copas")
        == ana
    )
    assert list(keys.account_names().values()) == ["Ana Ángel", "ANA ángel"]


def test_a_file_and_a_database_have_the_same_columns_and_rows_move_with_their_seals(
    tmp_path: Path, postgres: Server, clock: SetClock
) -> None:
    places = (tmp_path / "access.sqlite", postgres.new_address(), tmp_path / "again.sqlite")
    sealed = partial(Keys, clock=clock, random=secrets.token_bytes, key=lambda: b"k" * 32)
    with closing(sealed(places[0])) as keys:
        holder, token = (
            keys.open_account("Pilar", "caballo de copas"),
            keys.give_token("device", "ana"),
        )
        link = keys.make_offer("invitation", Offer("arbiter", "", holder))
    stores = [open_database(place, ACCESS_LAYOUT) for place in places]
    found = []
    for store in stores:
        with store.connection() as db:
            found.append({table: sorted(column_names(db, table)) for table in ACCESS_LAYOUT.tables})
    assert found[0] == found[1]
    for source, target in pairwise(stores):
        copy_tables(source, target, ACCESS_LAYOUT)
    for store in stores:
        store.close()
    for place in places:
        with closing(sealed(place)) as keys:
            assert keys.tables.wrong_rows() == []
            assert keys.find_account_by_password("Pilar", "caballo de copas") == holder
            assert keys.holder_id_of_token(token) == "ana"
            assert keys.find_offer("invitation", link) == Offer("arbiter", "", holder)
