"""Which passwords are good enough."""

from __future__ import annotations

import secrets
from contextlib import closing
from pathlib import Path

import pytest
from zxcvbn.frequency_lists import FREQUENCY_LISTS

from referee.access.keys import Keys
from referee.access.passwords import (
    LONGEST_PASSWORD,
    SHORTEST_PASSWORD,
    WORDS_OF_THE_CLUB,
    BadPassword,
    is_in_leak_table,
    pack_leaked_passwords,
    password_fault,
    read_leaks,
)
from tests.support.places import ROOT

GOOD = [
    "caballo de copas",
    "sota y caballo",
    "las diez de últimas son nuestras",
    "xk7-mmq2-rr9w",
    "a1b2c3d4e5f6g7h8i9j0" * 10,
]
TRIVIAL = [
    *("aaaaaaaaaaaa", "abcabcabcabc", "123456789012", "abcdefghijkl", "qwertyuiopas"),
    *("passwordpassword", "1q2w3e4r5t6y", "contraseña123", "Contrasenya 2026"),
    *("guinote12345", "Guiñote-2026!", "clubguinote12", "guinote2026guinote"),
    *("pilarlopez12", "Pilar.López.1", "zaragoza2026"),
]
LEAKED = ["nEMvXyHeqDd5OQxyXYZI", "pfqwtd27121988", "6215MILA6215", "msoracle32re"]
"""Passwords of leaks that are not easily guessed otherwise."""


@pytest.mark.parametrize("password", GOOD)
def test_a_long_phrase_is_welcome(password: str) -> None:
    assert password_fault(password, "Pilar López") is None


@pytest.mark.parametrize("password", TRIVIAL)
def test_what_everybody_would_try_is_refused(password: str) -> None:
    assert password_fault(password, "Pilar López") == "common"


def test_no_common_password_of_twelve_signs_is_taken() -> None:
    common = [one for one in FREQUENCY_LISTS["passwords"] if len(one) >= SHORTEST_PASSWORD]
    assert len(common) > 200
    assert [one for one in common if password_fault(one, "Pilar") is None] == []


@pytest.mark.parametrize("password", LEAKED)
def test_what_is_known_from_a_leak_is_refused(password: str) -> None:
    assert password_fault(password, "Pilar") == "leaked"
    assert password_fault(f"{password}, sota", "Pilar") is None


def test_the_table_of_leaks_is_larger_than_what_is_tried_first() -> None:
    table, lists = read_leaks(), FREQUENCY_LISTS["passwords"]
    rows = [table[at : at + 5] for at in range(0, len(table), 5)]
    assert rows == sorted(set(rows))
    assert len(rows) > 40_000  # ASVS wants 3,000 that are long enough
    assert [one for one in lists if len(one) > 11 and not is_in_leak_table(table, one)] == []


def test_a_table_of_leaks_has_what_it_was_made_of_and_no_more() -> None:
    table = pack_leaked_passwords([*LEAKED, LEAKED[0]])
    assert len(table) == 5 * len(LEAKED)
    assert [is_in_leak_table(table, one.upper()) for one in LEAKED] == [True] * len(LEAKED)
    assert [is_in_leak_table(table, one) for one in (*GOOD, "", "zzzz")] == [False] * (
        len(GOOD) + 2
    )
    assert not is_in_leak_table(b"", LEAKED[0])


def test_the_page_on_access_names_the_words_that_are_not_counted() -> None:
    page = (ROOT / "docs" / "operating" / "access.md").read_text("utf-8")
    assert [one for one in WORDS_OF_THE_CLUB if f"`{one}`" not in page] == []


def test_a_password_has_at_least_twelve_signs_and_at_most_two_hundred() -> None:
    phrase = "la sota de oros no gana al tres " * 7
    assert password_fault(phrase[: SHORTEST_PASSWORD - 1], "Pilar") == "length"
    assert password_fault(phrase[: LONGEST_PASSWORD + 1], "Pilar") == "length"
    assert password_fault(phrase[:31], "Pilar") is None


def test_a_weak_password_is_neither_taken_nor_changed_to(tmp_path: Path) -> None:
    keys = Keys(tmp_path / "access.sqlite", clock=lambda: 1.0, random=secrets.token_bytes)
    with closing(keys):
        with pytest.raises(BadPassword):
            keys.open_account("Pilar", "pilarpilarpilar")
        holder = keys.open_account("Pilar", GOOD[0])
        with pytest.raises(BadPassword):
            keys.change_password(holder, "Pilar-Pilar-12")
        assert keys.find_account_by_password("Pilar", GOOD[0]) == holder
