"""Attempts to guess a secret: booked before they are evaluated, with limits by subject."""

from __future__ import annotations

import math
import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from referee.access import attempts, keys
from referee.access.attempts import (
    KNOWN_S,
    Attempts,
    AttemptSubject,
    KnownBrowsers,
    Limit,
    TooManyAttempts,
)
from referee.access.tables import AccessTables
from referee.log.ports import Address
from tests.referee.access.clock import SetClock

ADDRESSES = [f"10.0.{high}.{low}" for high in range(2) for low in range(250)]


@pytest.fixture
def clock() -> SetClock:
    return SetClock(1_790_000_000.0)


@pytest.fixture
def tables(address: Address) -> Iterator[AccessTables]:
    with closing(AccessTables(address)) as found:
        yield found


@pytest.fixture
def tried(tables: AccessTables, clock: SetClock) -> Attempts:
    return Attempts(tables, clock, secrets.token_bytes)


def booked(tried: Attempts, subjects: attempts.Subjects, times: int) -> int:
    """How many of so many attempts in turn are booked."""
    done = 0
    for _ in range(times):
        try:
            tried.book_or_refuse(subjects)
        except TooManyAttempts:
            continue
        done += 1
    return done


def refused(tried: Attempts, subjects: attempts.Subjects) -> TooManyAttempts:
    with pytest.raises(TooManyAttempts) as caught:
        tried.book_or_refuse(subjects)
    return caught.value


def test_a_burst_in_two_processes_books_no_more_than_the_limit(
    address: Address, clock: SetClock
) -> None:
    with closing(AccessTables(address)) as first, closing(AccessTables(address)) as second:
        workers = [Attempts(one, clock, secrets.token_bytes) for one in (first, second)]
        subjects = attempts.password_attempt_subjects("ana", "10.0.0.1", "")
        with ThreadPoolExecutor(24) as pool:
            counts = pool.map(lambda n: booked(workers[n % 2], subjects, 1), range(120))
            assert sum(counts) == attempts.ONE_GUESSER[0].number


def test_a_right_secret_counts_for_nothing(tried: Attempts) -> None:
    subjects = attempts.password_attempt_subjects("ana", "10.0.0.1", "")
    for _ in range(99):
        tried.take_back(tried.book_or_refuse(subjects))
    assert booked(tried, subjects, 9) == 5


def test_who_failed_five_times_waits_until_a_minute_is_over(
    tried: Attempts, clock: SetClock
) -> None:
    subjects = attempts.password_attempt_subjects("ana", "10.0.0.1", "")
    assert booked(tried, subjects, 5) == 5
    clock.now += 20
    assert refused(tried, subjects).retry_after_s == 40
    clock.now += 40
    assert booked(tried, subjects, 1) == 1


@pytest.mark.parametrize("ahead_s", [61.0, 3600.0, 1e9])
def test_a_clock_that_was_ahead_locks_nobody_out_and_gives_no_attempt_more(
    tried: Attempts, clock: SetClock, ahead_s: float
) -> None:
    subjects = attempts.password_attempt_subjects("ana", "10.0.0.1", "")
    clock.now += ahead_s
    assert booked(tried, subjects, 9) == 5
    clock.now -= ahead_s
    again = refused(tried, subjects)
    assert (again.retry_after_s, again.is_news) == (60, ahead_s >= 3600)
    assert not refused(tried, subjects).is_news
    clock.now += 60
    assert booked(tried, subjects, 9) == 5


def test_what_a_clock_that_is_a_little_ahead_has_booked_counts(
    tried: Attempts, clock: SetClock
) -> None:
    subjects = attempts.password_attempt_subjects("ana", "10.0.0.1", "")
    clock.now += 30
    booked(tried, subjects, 5)
    clock.now -= 30
    assert refused(tried, subjects).retry_after_s == 90


def test_an_hour_allows_less_than_sixty_times_a_minute(tried: Attempts, clock: SetClock) -> None:
    subjects, done = attempts.password_attempt_subjects("ana", "10.0.0.1", ""), 0
    for _ in range(60):
        done += booked(tried, subjects, 9)
        clock.now += 61
    assert 20 <= done <= 21


def test_all_strangers_together_have_a_limit_at_one_account(tried: Attempts) -> None:
    done = sum(
        booked(tried, attempts.password_attempt_subjects("ana", one, ""), 5) for one in ADDRESSES
    )
    assert done == attempts.ONE_ACCOUNT[0].number


def test_a_stranger_stops_neither_another_account_nor_another_address(tried: Attempts) -> None:
    booked(tried, attempts.password_attempt_subjects("ana", "10.0.0.1", ""), 99)
    assert booked(tried, attempts.password_attempt_subjects("blas", "10.0.0.1", ""), 1) == 1
    assert booked(tried, attempts.password_attempt_subjects("ana", "10.0.0.2", ""), 1) == 1
    assert booked(tried, attempts.password_attempt_subjects_if_known("ana", "cookie"), 1) == 1
    assert booked(tried, attempts.password_attempt_subjects_if_known("ana", "cookie"), 9) == 4


def test_one_address_cannot_try_a_password_at_every_account(tried: Attempts) -> None:
    names = [f"member{number}" for number in range(99)]
    over = [
        tried.book_or_refuse(attempts.password_attempt_subjects(one, "10.0.0.1", "")).over
        for one in names
    ]
    assert over[:60] == [None] * 60
    assert all(over[60:])  # a right one is still taken


def test_one_address_cannot_use_up_the_limit_of_an_account(tried: Attempts) -> None:
    browsers = [f"made {number}" for number in range(99)]
    done = [
        booked(tried, attempts.password_attempt_subjects("ana", "10.0.0.1", one), 1)
        for one in browsers
    ]
    assert sum(done) == attempts.ONE_HOUSE[0].number
    assert booked(tried, attempts.password_attempt_subjects("ana", "10.0.0.2", ""), 5) == 5


def test_over_a_limit_that_lets_right_secrets_in_a_flood_writes_nothing(
    tried: Attempts, tables: AccessTables
) -> None:
    subjects = attempts.side_code_attempt_subjects("table", "A", "10.0.0.1")
    over = [tried.book_or_refuse(subjects).over is not None for _ in range(99)]
    assert over == [False] * 5 + [True] * 94
    with tables.connection() as db:
        assert db.execute("SELECT count(*) FROM attempt").fetchone() == (5,)


def test_the_first_refusal_is_news_and_the_next_are_not(tried: Attempts, clock: SetClock) -> None:
    subjects = (AttemptSubject("one", (Limit(1, 60.0),)),)
    tried.book_or_refuse(subjects)
    assert [refused(tried, subjects).is_news for _ in range(3)] == [True, False, False]
    clock.now += 61
    tried.book_or_refuse(subjects)
    assert refused(tried, subjects).is_news


def test_what_was_booked_is_forgotten_after_an_hour_and_names_nobody(
    tried: Attempts, tables: AccessTables, clock: SetClock
) -> None:
    tried.book_or_refuse(attempts.password_attempt_subjects("Pilar", "10.0.0.1", ""))
    clock.now += 3601
    tried.book_or_refuse(attempts.password_attempt_subjects("Blas", "10.0.0.1", ""))
    with tables.connection() as db:
        rows = db.execute("SELECT subject FROM attempt").fetchall()
    assert len(rows) == 4
    assert not [row for row in rows if "pilar" in row[0].lower() or "blas" in row[0].lower()]


@pytest.mark.parametrize(
    ("guesses_an_hour", "hours_a_year", "bits", "most"),
    [
        # a code of a side, kept as a slow hash: a worker with all it has, day and night
        (100 * 3600, 24 * 365, 8 * math.log2(len(keys.SYMBOLS)), 0.005),
        # the codes of pairings, ten a day, each for its five minutes, as fast as a house answers
        (1000 * 3600, 3650 / 12, keys.CODE_LENGTH * math.log2(len(keys.SYMBOLS)), 0.005),
        # a password of the least strength, from everywhere, at the limit of its account
        (attempts.ONE_ACCOUNT[0].number, 24 * 365, 30, 0.001),
    ],
)
def test_a_code_is_not_guessed_in_a_year(
    guesses_an_hour: float, hours_a_year: float, bits: float, most: float
) -> None:
    assert 0 < guesses_an_hour * hours_a_year / 2**bits < most


def test_a_browser_is_known_at_its_accounts_for_a_year(address: Address, clock: SetClock) -> None:
    with closing(keys.Keys(address, clock=clock, random=secrets.token_bytes)) as made:
        known = KnownBrowsers(made.tables, clock, secrets.token_bytes)
        ana, blas = (made.open_account(name, "caballo de copas") for name in ("Ana", "Blas"))
        first = known.remember_under_new_cookie("planted", ana)
        assert known.knows(first, "ANA")
        assert not known.knows("planted", "Ana")
        assert not known.knows(first, "Blas")
        second = known.remember_under_new_cookie(first, blas)
        assert not known.knows(first, "Ana")
        assert known.knows(second, "Ana")
        assert known.knows(second, "Blas")
        made.change_password(ana, "otra frase larga")
        assert not known.knows(second, "Ana")
        clock.now += KNOWN_S + 1
        assert not known.knows(second, "Blas")
