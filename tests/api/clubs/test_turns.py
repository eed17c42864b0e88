"""Turns of the clubs in a worker, and which of them are open."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.http.services import ProcessServices, Services
from api.server.clubs.pool import OpenClub, OpenClubs
from api.server.clubs.turns import (
    A_SECOND,
    AT_MOST,
    AT_ONCE,
    FEW,
    MOST_WAITING,
    NO_CLUB,
    WATCHERS,
    FairTurns,
    TooManyWaiting,
    turn_key,
)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_host_that_floods_waits_and_another_begins_at_once() -> None:
    turns = FairTurns[int](Clock())
    begun = [one for number in range(100) for one in turns.add_and_take_requests("flood", number)]
    assert begun == list(range(AT_ONCE))
    assert turns.add_and_take_requests("calm", 1000) == [1000]
    assert turns.end_and_take_requests("flood") == [AT_ONCE]
    assert turns.end_and_take_requests("calm") == []


def test_a_host_that_has_asked_for_many_has_one_answered_at_one_time_until_it_pauses() -> None:
    clock = Clock()
    turns = FairTurns[int](clock)
    busy = [
        one for number in range(3 * FEW) for one in turns.add_and_take_requests("flood", number)
    ]
    most = [len(busy)]
    while busy:
        busy.pop()
        busy += turns.end_and_take_requests("flood")
        most.append(len(busy))
    assert most[: FEW - 2] == [AT_ONCE] * (FEW - 2)
    assert most[FEW:] == [1] * (2 * FEW) + [0]
    clock.now += 3 * FEW / A_SECOND
    assert [turns.add_and_take_requests("flood", number) for number in range(3)] == [[0], [1], []]


def test_a_host_is_answered_so_many_in_a_second_for_long_and_no_more() -> None:
    clock = Clock()
    turns, answered = FairTurns[int](clock), 0
    while clock.now < 60:
        begun = turns.take_requests_due_now()
        for number in range(20):
            with suppress(TooManyWaiting):
                begun += turns.add_and_take_requests("flood", number)
        while begun:
            answered += 1
            begun += turns.end_and_take_requests("flood")
            begun.pop()
        clock.now += 0.1
    assert AT_MOST + 59 * A_SECOND <= answered <= AT_MOST + 60 * A_SECOND


def test_so_many_wait_and_another_is_refused() -> None:
    turns = FairTurns[int](Clock())
    for number in range(AT_ONCE + MOST_WAITING):
        turns.add_and_take_requests("flood", number)
    with pytest.raises(TooManyWaiting):
        turns.add_and_take_requests("flood", -1)
    assert turns.add_and_take_requests("calm", 0) == [0]


@pytest.mark.parametrize(
    ("target", "turn"),
    [
        ("/sota/", "sota"),
        ("http://a.example/sota/?x=1", "sota"),
        ("/sota#/x", "sota"),
        ("/", NO_CLUB),
        ("/livez", WATCHERS),
    ],
)
def test_a_turn_is_of_the_path_that_is_answered(target: str, turn: str) -> None:
    request = f"GET {target} HTTP/1.1\r\nHost: a.example\r\n\r\n".encode()
    for begun in (request, b"\r\n" + request):
        found = turn_key(begun, lambda _, path: "sota" if path.split("/")[1] == "sota" else None)
        assert found == turn


@given(st.lists(st.sampled_from(["ask a", "ask b", "end", "look"]), max_size=200))
def test_every_request_begins_once_in_its_order(done: list[str]) -> None:
    clock, numbers = Clock(), count()
    turns, begun, asked = FairTurns[tuple[str, int]](clock), [], []
    busy: list[str] = []

    def note(found: list[tuple[str, int]]) -> None:
        begun.extend(found)
        busy.extend(host for host, _ in found)

    for one in done:
        clock.now += 0.01
        if one.startswith("ask"):
            asked.append((one[-1], next(numbers)))
            note(turns.add_and_take_requests(one[-1], asked[-1]))
        elif one == "end" and busy:
            note(turns.end_and_take_requests(busy.pop(0)))
        else:
            note(turns.take_requests_due_now())
        assert all(busy.count(host) <= AT_ONCE for host in "ab")
    while busy:
        note(turns.end_and_take_requests(busy.pop(0)))
    assert not turns.has_queue
    for host in "ab":
        assert [one for one in begun if one[0] == host] == [one for one in asked if one[0] == host]


# --- which clubs are open ------------------------------------------------------------------------


class ClosedServices(ProcessServices):
    """Notes whether it was closed."""

    is_closed = False

    def open_services(self, closing: ExitStack) -> Services:
        raise AssertionError("nobody asks")

    def close(self) -> None:
        self.is_closed = True


def test_clubs_that_are_idle_too_many_or_shut_are_closed_and_none_in_use() -> None:
    made: dict[str, ClosedServices] = {}
    there = {"a", "b", "c", "d"}

    def make(name: str) -> OpenClub:
        made[name] = ClosedServices()
        return OpenClub(name, made[name], {})

    told: list[list[str]] = []
    clubs = OpenClubs(make, there.__contains__, told.append, most=2, idle_s=60)
    used = clubs.enter("a")
    for name in "bcd":
        with clubs.use_club(name):
            pass
    clubs.close_idle_and_shut_clubs()
    assert told[-1] == ["a", "d"]
    assert [name for name, one in made.items() if one.is_closed] == ["b", "c"]
    there.clear()
    clubs.close_idle_and_shut_clubs()
    assert told[-1] == []
    assert not made["a"].is_closed, "somebody still uses it"
    there.add("a")
    first, again = made["a"], clubs.enter("a")
    assert again is not used
    clubs.leave(used)
    assert first.is_closed
    assert not made["a"].is_closed
