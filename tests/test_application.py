"""The only writer: receipts, versions, rivals, and what is saved together."""

from __future__ import annotations

import itertools
import multiprocessing
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from referee.application import Answer, Meta, Referee, partida_id
from referee.commands import Amend, PartidaCommand, Record, Undo
from referee.durable import NotDurable
from referee.errors import KeyReused, NotFound, Refused, Stale
from referee.events import (
    CardPlayed,
    Change,
    DealerDue,
    DealStarted,
    EncuentroOpened,
    FrozenProfile,
    IncidentNoted,
    OutcomeFollowed,
    PartidaOpened,
    PartidaStarted,
    PartidaWon,
    PintaTurned,
    PlayersSeated,
    ResultEntered,
    TimeCalled,
)
from referee.rules.articles import Rule
from referee.sqlite import NoTables, create_tables

NOW = datetime(2026, 11, 21, 20, 15, tzinfo=UTC)
META = Meta("owner", "tablet", NOW)
PROFILE = FrozenProfile("club", "2026", "hash-of-club", {"players": 4, "deck": 40})
ENCUENTRO = UUID(int=1)
PARTIDA = partida_id(ENCUENTRO, 1)
LATE = Record(IncidentNoted("late", "A1"))
A_WINS = Record(ResultEntered("A"))


def keyed(key: str, digest: str = "body") -> Meta:
    return Meta("owner", "tablet", NOW, key, digest)


def new_referee(path: Path) -> Referee:
    numbers = itertools.count(1)
    return Referee(path, salt=lambda n: next(numbers).to_bytes(n, "big"), new_id=_ids())


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log with one encuentro and its first partida."""
    create_tables(tmp_path / "log.db")
    referee = new_referee(tmp_path / "log.db")
    referee.open_encuentro(EncuentroOpened(PROFILE), META, ENCUENTRO)
    referee.start_partida(ENCUENTRO, META)
    referee.close()
    return tmp_path / "log.db"


@pytest.fixture
def referee(log: Path) -> Iterator[Referee]:
    opened = new_referee(log)
    yield opened
    opened.close()


def kinds(answer: Answer) -> list[str]:
    return [type(r.event).__name__ for r in answer.events]


def assert_contiguous(referee: Referee, stream: UUID) -> None:
    history = referee.history(stream)
    assert [r.originator_version for r in history] == list(range(1, len(history) + 1))


# --- opening -------------------------------------------------------------------------------------


def test_an_encuentro_opens_under_a_random_id_or_the_one_it_is_given(referee: Referee) -> None:
    answer = referee.open_encuentro(EncuentroOpened(PROFILE), META)
    assert (answer.version, answer.lines, answer.replayed) == (1, (1,), False)
    assert answer.id not in (ENCUENTRO, PARTIDA)
    assert referee.encuentro(answer.id).opened == EncuentroOpened(PROFILE)
    with pytest.raises(Stale) as stale:
        referee.open_encuentro(EncuentroOpened(PROFILE), META, ENCUENTRO)
    assert stale.value.version == 2


def test_a_partida_opens_with_its_encuentro_in_one_transaction(referee: Referee) -> None:
    started, opened = referee.history(ENCUENTRO)[1], referee.history(PARTIDA)[0]
    assert (started.event, started.line) == (PartidaStarted(1), 2)
    assert opened.event == PartidaOpened(str(ENCUENTRO), 1, PROFILE.options, PROFILE.hash)
    assert (opened.line, opened.originator_version) == (0, 1)
    assert started.salt != opened.salt
    assert len(opened.salt) == 22


def test_who_is_seated_is_noted_at_the_version_that_was_seen(referee: Referee) -> None:
    seated = PlayersSeated({"A1": "a", "B1": "b", "A2": "c", "B2": "d"})
    with pytest.raises(Stale) as stale:
        referee.note(ENCUENTRO, seated, META, expected=1)
    assert stale.value.version == 2
    answer = referee.note(ENCUENTRO, seated, META, expected=2)
    assert (answer.version, answer.lines) == (3, (3,))


def test_nothing_is_found_under_an_id_of_another_kind_or_none(referee: Referee) -> None:
    for ask in (referee.partida, referee.encuentro, referee.history):
        with pytest.raises(NotFound):
            ask(UUID(int=99))
    for _ in range(2):
        with pytest.raises(NotFound):
            referee.partida(ENCUENTRO)
        with pytest.raises(NotFound):
            referee.encuentro(PARTIDA)
    with pytest.raises(NotFound):
        referee.record(ENCUENTRO, [LATE], META)


# --- recording -----------------------------------------------------------------------------------


def test_acts_take_lines_and_conclusions_carry_the_line_of_their_act(referee: Referee) -> None:
    referee.record(PARTIDA, [LATE], META, expected=0)
    answer = referee.record(PARTIDA, [LATE, A_WINS], META, expected=1)
    assert (answer.id, answer.version, answer.lines) == (PARTIDA, 3, (2, 3))
    assert kinds(answer)[:4] == ["IncidentNoted", "ResultEntered", "PartidaWon", "OutcomeFollowed"]
    assert [r.line for r in answer.events][:4] == [2, 3, 3, 2]
    assert answer.position == 4 + len(answer.events)
    assert {(r.at, r.by, r.device) for r in answer.events} == {
        ("2026-11-21T20:15:00.000Z", "owner", "tablet")
    }
    assert answer.events[:3] == tuple(referee.history(PARTIDA)[2:])


def test_a_batch_is_recorded_whole_or_not_at_all(referee: Referee) -> None:
    deal = [Record(DealStarted("B2")), Record(PintaTurned("7O")), Record(CardPlayed("A1", "3C"))]
    with pytest.raises(Refused) as refused:
        referee.record(PARTIDA, [*deal, Record(CardPlayed("B1", "3C"))], META)
    assert refused.value.rule is Rule.CARD_PLAYED_BEFORE
    assert refused.value.facts["command"] == 3
    assert referee.partida(PARTIDA).version == 0
    referee.record(PARTIDA, deal, META)
    with pytest.raises(Refused) as alone:
        referee.record(PARTIDA, [Record(CardPlayed("B1", "3C"))], META)
    assert "command" not in alone.value.facts


def test_the_encuentro_follows_in_the_same_transaction_and_back_again(referee: Referee) -> None:
    referee.record(PARTIDA, [A_WINS], META)
    assert referee.encuentro(ENCUENTRO).partidas[0].winner == "A"
    undone = referee.record(PARTIDA, [Undo()], META)
    assert undone.events[-1].event == OutcomeFollowed(1, "", "undecided", {})
    assert referee.encuentro(ENCUENTRO).partidas[0] == OutcomeFollowed(1, "", "undecided", {})
    assert referee.encuentro(ENCUENTRO).version == 2


def test_an_act_that_changes_no_outcome_leaves_the_encuentro_alone(referee: Referee) -> None:
    answer = referee.record(PARTIDA, [LATE, Record(DealStarted("A1"))], META)
    assert {r.originator_id for r in answer.events} == {PARTIDA}


def test_a_preview_saves_nothing_and_says_what_recording_says(referee: Referee) -> None:
    commands: list[PartidaCommand] = [A_WINS]
    before = len(referee.history(ENCUENTRO)) + len(referee.history(PARTIDA))
    preview = referee.preview(PARTIDA, commands)
    assert (preview.before.how, preview.after.winner) == ("undecided", "A")
    assert before == len(referee.history(ENCUENTRO)) + len(referee.history(PARTIDA))
    answer = referee.record(PARTIDA, commands, META)
    said = [r.event for r in answer.events]
    assert said == [*preview.events, *preview.encuentro_events]
    assert isinstance(said[1], PartidaWon)


def test_listeners_hear_of_every_commit_after_it(referee: Referee) -> None:
    heard: list[tuple[int, int]] = []
    referee.on_commit.append(lambda position: heard.append((position, _length(referee))))
    first = referee.record(PARTIDA, [LATE], META)
    with pytest.raises(Stale):
        referee.record(PARTIDA, [LATE], META, expected=0)
    assert heard == [(first.position, 2)]


def _length(referee: Referee) -> int:
    return len(referee.history(PARTIDA))


# --- the next dealer -----------------------------------------------------------------------------


def with_dealers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the seat of the winner deal the next partida, whatever the rules say of it."""
    from referee import partida

    def due_after(state: Any) -> str:
        return {"A": "A1", "B": "B1"}.get(partida.outcome(state).winner, "")

    monkeypatch.setattr(partida, "due_after", due_after)


def test_the_next_partida_is_told_its_dealer_and_told_again_when_it_changes(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_dealers(monkeypatch)
    second = partida_id(ENCUENTRO, 2)
    referee.record(PARTIDA, [A_WINS], META)
    referee.start_partida(ENCUENTRO, META)
    assert referee.partida(second).dealer_due == "A1"
    referee.record(second, [LATE], META)
    b_wins = Amend((Change(1, "replace", ResultEntered("B")),))
    answer = referee.record(PARTIDA, [b_wins], META)
    told = referee.history(second)[-1]
    assert (told.event, told.line) == (DealerDue("B1"), 1)
    assert answer.events[-1] == told
    assert referee.partida(second).dealer_due == "B1"
    again = referee.record(PARTIDA, [Amend((Change(1, "replace", ResultEntered("B")),))], META)
    assert "DealerDue" not in kinds(again)


def test_a_start_that_saw_an_older_dealer_is_drafted_again(
    referee: Referee, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at partida 1 and the commit of partida 2, another writer amends partida 1."""
    with_dealers(monkeypatch)
    referee.record(PARTIDA, [A_WINS], META)
    rival = new_referee(log)
    amend: list[Callable[[], object]] = [
        lambda: rival.record(PARTIDA, [Amend((Change(1, "replace", ResultEntered("B")),))], META)
    ]
    put = referee.events.put

    def put_late(*args: Any, **kwargs: Any) -> Any:
        if amend:
            amend.pop()()
        return put(*args, **kwargs)

    monkeypatch.setattr(referee.events, "put", put_late)
    referee.start_partida(ENCUENTRO, META)
    assert referee.partida(partida_id(ENCUENTRO, 2)).dealer_due == "B1"
    assert not amend
    rival.close()


# --- keys ----------------------------------------------------------------------------------------


def test_the_same_key_and_body_get_the_same_answer_and_nothing_twice(referee: Referee) -> None:
    first = referee.record(PARTIDA, [LATE, A_WINS], keyed("k"), expected=0)
    again = referee.record(PARTIDA, [LATE, A_WINS], keyed("k"), expected=0)
    assert again.replayed
    assert not first.replayed
    for name in ("id", "version", "position", "lines", "events"):
        assert getattr(again, name) == getattr(first, name)
    assert referee.partida(PARTIDA).version == 2


def test_a_key_is_remembered_by_another_process_and_by_the_other_writes(
    referee: Referee, log: Path
) -> None:
    opened = referee.open_encuentro(EncuentroOpened(PROFILE), keyed("o"))
    started = referee.start_partida(opened.id, keyed("s"), expected=1)
    later = new_referee(log)
    assert later.open_encuentro(EncuentroOpened(PROFILE), keyed("o")).id == opened.id
    replayed = later.start_partida(opened.id, keyed("s"), expected=1)
    assert (replayed.replayed, replayed.events) == (True, started.events)
    later.close()


def test_the_same_key_with_another_body_is_refused(referee: Referee) -> None:
    referee.record(PARTIDA, [LATE], keyed("k"))
    with pytest.raises(KeyReused):
        referee.record(PARTIDA, [A_WINS], keyed("k", "another body"))
    assert referee.partida(PARTIDA).version == 1


def test_a_key_belongs_to_its_device_and_a_refused_request_uses_none_up(referee: Referee) -> None:
    with pytest.raises(Stale):
        referee.record(PARTIDA, [LATE], keyed("k"), expected=7)
    referee.record(PARTIDA, [LATE], keyed("k"))
    other = Meta("owner", "phone", NOW, "k", "other")
    assert not referee.record(PARTIDA, [LATE], other).replayed
    assert referee.partida(PARTIDA).version == 2


# --- rivals --------------------------------------------------------------------------------------


def rivals(number: int, task: Callable[[int], Any]) -> list[Any]:
    """Results of threads that begin at the same moment; exceptions are results."""
    start = threading.Barrier(number)

    def one(n: int) -> Any:
        start.wait()
        try:
            return task(n)
        except Exception as e:  # noqa: BLE001 - what it is is asserted
            return e

    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(one, range(number)))


@pytest.mark.parametrize("expected", [0, None])
def test_of_rivals_with_one_key_exactly_one_records(referee: Referee, expected: int | None) -> None:
    answers = rivals(8, lambda _: referee.record(PARTIDA, [LATE], keyed("k"), expected))
    assert all(isinstance(a, Answer) for a in answers), answers
    assert [a.replayed for a in answers].count(False) == 1
    assert {a.version for a in answers} == {1}
    assert referee.partida(PARTIDA).version == 1


def test_of_rivals_at_one_version_exactly_one_records(referee: Referee, log: Path) -> None:
    others = [new_referee(log) for _ in range(7)]
    crowd = [referee, *others]
    answers = rivals(8, lambda n: crowd[n].record(PARTIDA, [LATE], keyed(f"k{n}"), 0))
    assert [type(a) for a in answers].count(Answer) == 1
    stale = [a for a in answers if isinstance(a, Stale)]
    assert len(stale) == 7
    assert {s.version for s in stale} == {1}
    for one in others:
        one.close()


def test_rivals_without_a_version_all_record_one_after_another(referee: Referee) -> None:
    answers = rivals(8, lambda n: [referee.record(PARTIDA, [LATE], META) for _ in range(5)])
    assert not [a for a in answers if isinstance(a, Exception)]
    lines = sorted(line for batch in answers for a in batch for line in a.lines)
    assert lines == list(range(1, 41))
    assert_contiguous(referee, PARTIDA)


def test_a_conflict_on_the_encuentro_alone_does_not_make_the_partida_stale(
    referee: Referee, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rival = new_referee(log)
    seated = PlayersSeated({"A1": "a", "B1": "b", "A2": "c", "B2": "d"})
    notes: list[Callable[[], object]] = [lambda: rival.note(ENCUENTRO, seated, META)]
    put = referee.events.put

    def put_late(*args: Any, **kwargs: Any) -> Any:
        if notes:
            notes.pop()()
        return put(*args, **kwargs)

    monkeypatch.setattr(referee.events, "put", put_late)
    answer = referee.record(PARTIDA, [A_WINS], META, expected=0)
    assert answer.version == 1
    assert_contiguous(referee, ENCUENTRO)
    assert referee.encuentro(ENCUENTRO).partidas[0].winner == "A"
    assert dict(referee.encuentro(ENCUENTRO).seats) == seated.seats
    rival.close()


def _append(path: str, device: str, number: int) -> None:
    referee = new_referee(Path(path))
    for n in range(number):
        referee.record(PARTIDA, [LATE], Meta("owner", device, NOW, str(n), "body"))
    referee.close()


def test_two_processes_write_one_partida_without_a_hole_or_a_double(
    log: Path, referee: Referee
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


# --- the cache and the file ----------------------------------------------------------------------


def test_a_state_kept_in_memory_is_as_fresh_as_the_log(referee: Referee, log: Path) -> None:
    rival = new_referee(log)
    for version in range(1, 6):
        (referee if version % 2 else rival).record(PARTIDA, [LATE], META, expected=version - 1)
        assert referee.partida(PARTIDA) == rival.partida(PARTIDA)
    rival.close()


def test_few_states_are_kept_and_all_are_found(log: Path) -> None:
    small = Referee(log, salt=bytes, new_id=_ids(), kept=2)
    opened = [small.open_encuentro(EncuentroOpened(PROFILE), META).id for _ in range(5)]
    for one in opened * 2:
        assert small.encuentro(one).version == 1
    small.close()


def _ids() -> Callable[[], UUID]:
    numbers = itertools.count(1000)
    return lambda: UUID(int=next(numbers))


def test_the_environment_of_the_process_says_nothing_about_the_store(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (
        ("PERSISTENCE_MODULE", "eventsourcing.popo"),
        ("SQLITE_DBNAME", ":memory:"),
        ("COMPRESSOR_TOPIC", "zlib"),
        ("IS_SNAPSHOTTING_ENABLED", "y"),
    ):
        monkeypatch.setenv(name, value)
    opened = new_referee(log)
    assert opened.encuentro(ENCUENTRO).version == 2
    opened.close()


def test_a_referee_does_not_open_a_file_that_is_not_durable_or_not_made(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NoTables):
        new_referee(tmp_path / "absent.db")
    from referee import durable

    def tampered(name: str) -> Sequence[tuple[str, str, str | int]]:
        return tuple((n, "NORMAL" if n == name else v, w) for n, v, w in durable.SETTINGS)

    monkeypatch.setattr(durable, "SETTINGS", tampered("synchronous"))
    with pytest.raises(NotDurable, match="synchronous"):
        new_referee(log)


def test_time_may_be_called_without_deciding_anything(referee: Referee) -> None:
    referee.record(PARTIDA, [Record(TimeCalled())], META)
    assert referee.encuentro(ENCUENTRO).partidas[0].how == "undecided"
