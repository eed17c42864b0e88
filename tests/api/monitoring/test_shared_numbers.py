"""Numbers in shared memory: every worker adds to its own row, and none is lost."""

from __future__ import annotations

import os
import threading

from api.monitoring.measures import BUCKETS_S, Counted, SharedNumbers, Timed


def test_what_processes_and_threads_add_is_all_there() -> None:
    numbers = SharedNumbers()
    acts = Counted(numbers, "acts", "")
    times = Timed(numbers, "times", "")
    numbers.allocate_memory()
    children = []
    for row in (numbers.find_free_row([]), numbers.find_free_row([0])):
        if child := os.fork():
            children.append(child)
            continue
        numbers.use_row(row)
        threads = [threading.Thread(target=_add, args=(acts, times)) for _ in range(4)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        os._exit(0)
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0]
    assert list(acts.samples()) == [((), 2 * 4 * 2_000.0)]
    ((_, counts, seconds),) = times.samples()
    assert (sum(counts), seconds) == (2 * 4 * 2_000.0, 2 * 4 * 2_000 * 0.25)


def _add(acts: Counted, times: Timed) -> None:
    for _ in range(2_000):
        acts.add()
        times.add(0.25)


def test_a_worker_that_takes_the_row_of_another_goes_on_counting_and_has_no_streams() -> None:
    numbers = SharedNumbers()
    acts = Counted(numbers, "acts", "")
    streams = Counted(numbers, "streams", "", kind="gauge")
    numbers.allocate_memory()
    assert [numbers.find_free_row(taken) for taken in ([], [0], [0, 2], [1])] == [0, 1, 1, 0]
    numbers.use_row(1)
    acts.add(amount=3.0)
    streams.set_gauge_of_process(5.0)
    assert [value for _, value in streams.samples()] == [5.0]
    numbers.use_row(1)
    assert [value for _, value in streams.samples()] == [0.0]
    acts.add()
    assert [value for _, value in acts.samples()] == [4.0]


def test_a_time_is_in_the_first_part_that_holds_it() -> None:
    numbers = SharedNumbers()
    times = Timed(numbers, "times", "", ("route",), [("a",), ("b",)])
    numbers.allocate_memory()
    for seconds in (BUCKETS_S[0], BUCKETS_S[0] * 1.01, 1_000.0):
        times.add(seconds, "a")
    ((labels, counts, _),) = times.samples()
    assert labels == ("a",)
    assert list(counts) == [1.0, 1.0, *[0.0] * (len(BUCKETS_S) - 2), 1.0]
