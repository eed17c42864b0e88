"""Wall clocks that step while a house serves."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from urllib.parse import urlencode

from tests.chaos.houses import ChaosHouse
from tests.chaos.strikes.lasting import LASTS_S
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

HOUR_S, DAY_S = 3600, 86400
_GUESSES = 6


def clock_forward(house: ChaosHouse) -> None:
    """An hour ahead, where wrong secrets are tried, and back."""
    with _right_again(house):
        _step(house, HOUR_S)
        _assert_waits_a_minute(house.computers[0])
    _assert_waits_a_minute(house.computers[0])


def clock_back(house: ChaosHouse) -> None:
    """A day back, and right again."""
    with _right_again(house):
        _step(house, -DAY_S)
        _assert_waits_a_minute(house.computers[0])


def clock_years_back(house: ChaosHouse) -> None:
    """Three years back, as a computer without a battery starts: readiness says it; right again."""
    with _right_again(house):
        _step(house, -3 * 365 * DAY_S)
        wait_for(lambda: _clock(house.computers[0]) == "late", "a clock that is said to be behind")
    wait_for(lambda: _clock(house.computers[0]) == "ok", "a clock that is right")


def clocks_apart(house: ChaosHouse) -> None:
    """The first computer an hour ahead, the others a day back."""
    with _right_again(house):
        _step(house, HOUR_S, -DAY_S)
        for computer in house.computers:
            _assert_waits_a_minute(computer)


@contextmanager
def _right_again(house: ChaosHouse) -> Iterator[None]:
    """The clocks are right at the end, also of a check that fails: other faults follow."""
    try:
        yield
    finally:
        _step(house, 0)


def _clock(computer: Served) -> str:
    """What readiness says of the clock."""
    return str(computer.ask("GET", "/readyz")[1]["parts"]["clock"]["status"])


def _step(house: ChaosHouse, ahead_s: int, of_the_others: int | None = None) -> None:
    """Step the clocks, and let them stay so for a while."""
    for computer, libc in zip(house.computers, house.libcs, strict=True):
        is_first = computer is house.computers[0] or of_the_others is None
        libc.tell(ahead_s=ahead_s if is_first else of_the_others or 0)
    time.sleep(LASTS_S)


def _assert_waits_a_minute(computer: Served) -> None:
    """Assert that whoever tried too many passwords of an account waits no longer than at other times."""
    headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "Sec-Fetch-Site": "same-origin",
    }
    form = urlencode({"name": secrets.token_hex(8), "password": "not the right one"})
    for _ in range(_GUESSES):
        connection = computer.connection()
        connection.request("POST", "/entrar", form, headers)
        answer = connection.getresponse()
        connection.close()
    assert answer.status == HTTPStatus.TOO_MANY_REQUESTS, answer.status
    assert int(answer.headers["Retry-After"]) <= 60, "locked out by a clock"
