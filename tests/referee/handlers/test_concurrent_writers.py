"""Idempotency keys and concurrent writers: retries repeat nothing, and no write is lost."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from referee.application import Referee
from referee.errors import KeyReused, Stale
from referee.events import EncuentroOpened, PlayersSeated
from referee.log.ports import Address
from referee.log.streams import Answer, WriteMetadata
from tests.support.servers.one_log import (
    A_WINS,
    ENCUENTRO,
    LATE,
    META,
    NOW,
    PARTIDA,
    PROFILE,
    assert_contiguous,
    keyed,
    new_log,
    new_referee,
)


@pytest.fixture
def log(address: Address) -> Address:
    new_log(address).close()
    return address


@pytest.fixture
def referee(log: Address) -> Iterator[Referee]:
    opened = new_referee(log)
    yield opened
    opened.close()


# --- keys ----------------------------------------------------------------------------------------


def test_the_same_key_and_body_get_the_same_answer_and_nothing_twice(referee: Referee) -> None:
    first = referee.encuentros.record_partida_acts(PARTIDA, [LATE, A_WINS], keyed("k"), expected=0)
    again = referee.encuentros.record_partida_acts(PARTIDA, [LATE, A_WINS], keyed("k"), expected=0)
    assert again.replayed
    assert not first.replayed
    for name in ("id", "version", "position", "lines", "events"):
        assert getattr(again, name) == getattr(first, name)
    assert referee.encuentros.partida_by_id(PARTIDA).version == 2


def test_a_key_is_remembered_by_another_process_and_by_the_other_writes(
    referee: Referee, log: Address
) -> None:
    opened = referee.encuentros.open(EncuentroOpened(PROFILE), keyed("o"))
    started = referee.encuentros.start_partida(opened.id, keyed("s"), expected=1)
    later = new_referee(log)
    assert later.encuentros.open(EncuentroOpened(PROFILE), keyed("o")).id == opened.id
    replayed = later.encuentros.start_partida(opened.id, keyed("s"), expected=1)
    assert (replayed.replayed, replayed.events) == (True, started.events)
    later.close()


def test_the_same_key_with_another_body_is_refused(referee: Referee) -> None:
    referee.encuentros.record_partida_acts(PARTIDA, [LATE], keyed("k"))
    with pytest.raises(KeyReused):
        referee.encuentros.record_partida_acts(PARTIDA, [A_WINS], keyed("k", "another body"))
    assert referee.encuentros.partida_by_id(PARTIDA).version == 1


def test_a_key_belongs_to_its_device_and_a_refused_request_uses_none_up(referee: Referee) -> None:
    with pytest.raises(Stale):
        referee.encuentros.record_partida_acts(PARTIDA, [LATE], keyed("k"), expected=7)
    referee.encuentros.record_partida_acts(PARTIDA, [LATE], keyed("k"))
    other = WriteMetadata("owner", "phone", NOW, "k", "other")
    assert not referee.encuentros.record_partida_acts(PARTIDA, [LATE], other).replayed
    assert referee.encuentros.partida_by_id(PARTIDA).version == 2


def test_a_key_recorded_between_the_look_for_it_and_the_draft_is_an_answer_not_a_refusal(
    referee: Referee, log: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    rival = new_referee(log)
    other_thread: list[Callable[[], object]] = [
        lambda: rival.encuentros.record_partida_acts(PARTIDA, [LATE], keyed("k"), expected=0)
    ]
    look: Any = referee.recorder

    def look_early(key: str) -> Any:
        if other_thread:
            other_thread.pop()()
            return None
        return found(key)

    found = look.receipt_by_keys_or_none
    monkeypatch.setattr(look, "receipt_by_keys_or_none", look_early)
    answer = referee.encuentros.record_partida_acts(PARTIDA, [LATE], keyed("k"), expected=0)
    assert (answer.replayed, answer.version) == (True, 1)
    rival.close()


# --- rivals --------------------------------------------------------------------------------------


def rivals(number: int, task: Callable[[int], Any]) -> list[Any]:
    """Results of threads that begin at the same moment; exceptions are results."""
    start = threading.Barrier(number)

    def one(n: int) -> Any:
        start.wait()
        try:
            return task(n)
        except Exception as e:
            return e

    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(one, range(number)))


@pytest.mark.parametrize("expected", [0, None])
def test_of_rivals_with_one_key_exactly_one_records(referee: Referee, expected: int | None) -> None:
    answers = rivals(
        8, lambda _: referee.encuentros.record_partida_acts(PARTIDA, [LATE], keyed("k"), expected)
    )
    assert all(isinstance(a, Answer) for a in answers), answers
    assert [a.replayed for a in answers].count(False) == 1
    assert {a.version for a in answers} == {1}
    assert referee.encuentros.partida_by_id(PARTIDA).version == 1


def test_of_rivals_at_one_version_exactly_one_records(referee: Referee, log: Address) -> None:
    others = [new_referee(log) for _ in range(7)]
    crowd = [referee, *others]
    answers = rivals(
        8, lambda n: crowd[n].encuentros.record_partida_acts(PARTIDA, [LATE], keyed(f"k{n}"), 0)
    )
    assert [type(a) for a in answers].count(Answer) == 1
    stale = [a for a in answers if isinstance(a, Stale)]
    assert len(stale) == 7
    assert {s.version for s in stale} == {1}
    for one in others:
        one.close()


def test_rivals_without_a_version_all_record_one_after_another(referee: Referee) -> None:
    answers = rivals(
        8,
        lambda n: [referee.encuentros.record_partida_acts(PARTIDA, [LATE], META) for _ in range(5)],
    )
    assert not [a for a in answers if isinstance(a, Exception)]
    lines = sorted(line for batch in answers for a in batch for line in a.lines)
    assert lines == list(range(1, 41))
    assert_contiguous(referee, PARTIDA)


@pytest.fixture
def behind(referee: Referee, log: Address) -> Iterator[Referee]:
    """Another writer, with a cache from before an act with the key ``k``."""
    rival = new_referee(log)
    assert (
        rival.encuentros.partida_by_id(PARTIDA).version,
        rival.encuentros.encuentro(ENCUENTRO).win,
    ) == (0, None)
    referee.encuentros.record_partida_acts(PARTIDA, [LATE], keyed("k"), 0)
    yield rival
    rival.close()


def test_one_who_is_behind_answers_what_was_answered(behind: Referee) -> None:
    answer = behind.encuentros.record_partida_acts(PARTIDA, [LATE], keyed("k"), 0)
    assert (answer.replayed, answer.version) == (True, 1)
    assert behind.encuentros.partida_by_id(PARTIDA).version == 1


def test_one_who_is_behind_sees_that_a_key_was_used(behind: Referee) -> None:
    with pytest.raises(KeyReused):
        behind.encuentros.record_partida_acts(PARTIDA, [LATE], keyed("k", "other"), 0)
    assert behind.encuentros.partida_by_id(PARTIDA).version == 1


def test_one_who_is_behind_sees_it(behind: Referee) -> None:
    with pytest.raises(Stale) as stale:
        behind.encuentros.record_partida_acts(PARTIDA, [LATE], keyed("other"), 0)
    assert stale.value.version == behind.encuentros.partida_by_id(PARTIDA).version == 1


def test_a_conflict_on_the_encuentro_alone_does_not_make_the_partida_stale(
    referee: Referee, log: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    rival = new_referee(log)
    seated = PlayersSeated({"A1": "a", "B1": "b", "A2": "c", "B2": "d"})
    notes: list[Callable[[], object]] = [
        lambda: rival.encuentros.record_encuentro_act(ENCUENTRO, seated, META)
    ]
    put = referee.events.put

    def put_late(*args: Any, **kwargs: Any) -> Any:
        if notes:
            notes.pop()()
        return put(*args, **kwargs)

    monkeypatch.setattr(referee.events, "put", put_late)
    answer = referee.encuentros.record_partida_acts(PARTIDA, [A_WINS], META, expected=0)
    assert answer.version == 1
    assert_contiguous(referee, ENCUENTRO)
    assert referee.encuentros.encuentro(ENCUENTRO).partidas[0].winner == "A"
    assert dict(referee.encuentros.encuentro(ENCUENTRO).seats) == seated.seats
    rival.close()


def _append(path: str, device: str, number: int) -> None:
    referee = new_referee(path)
    for n in range(number):
        referee.encuentros.record_partida_acts(
            PARTIDA, [LATE], WriteMetadata("owner", device, NOW, str(n), "body")
        )
    referee.close()


def test_two_processes_write_one_partida_without_a_hole_or_a_double(
    log: Address, referee: Referee
) -> None:
    spawn = multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=_append, args=(str(log), name, 200)) for name in ("one", "two")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
        assert writer.exitcode == 0
    history = referee.history(PARTIDA)
    assert_contiguous(referee, PARTIDA)
    assert [r.line for r in history] == list(range(401))
    assert sorted(
        {(r.device, [h.device for h in history].count(r.device)) for r in history[1:]}
    ) == [
        ("one", 200),
        ("two", 200),
    ]
