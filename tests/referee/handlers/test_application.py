"""The only writer: receipts, versions, concurrent writers, transactions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from referee.aggregates.commands import Amend, PartidaCommand, Record, Undo
from referee.aggregates.partida import INITIAL, follow_command_of_partida
from referee.application import Referee
from referee.errors import NotFound, Refused, Stale
from referee.events import (
    CardPlayed,
    Change,
    DealerDue,
    DealStarted,
    EncuentroOpened,
    OutcomeFollowed,
    PartidaOpened,
    PartidaStarted,
    PartidaWon,
    PintaTurned,
    PlayersSeated,
    ResultEntered,
    TimeCalled,
)
from referee.kinds import partida_id
from referee.log.durable import NotDurable
from referee.log.ports import Address, NoTables
from referee.log.streams import Answer
from referee.rules.articles import Rule
from tests.support.servers.one_log import (
    A_WINS,
    ENCUENTRO,
    LATE,
    META,
    PARTIDA,
    PROFILE,
    new_ids,
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


def kinds(answer: Answer) -> list[str]:
    return [type(r.event).__name__ for r in answer.events]


# --- opening -------------------------------------------------------------------------------------


def test_an_encuentro_opens_under_a_random_id_or_the_one_it_is_given(referee: Referee) -> None:
    answer = referee.encuentros.open(EncuentroOpened(PROFILE), META)
    assert (answer.version, answer.lines, answer.replayed) == (1, (1,), False)
    assert answer.id not in (ENCUENTRO, PARTIDA)
    assert referee.encuentros.encuentro(answer.id).opened == EncuentroOpened(PROFILE)
    with pytest.raises(Stale) as stale:
        referee.encuentros.open(EncuentroOpened(PROFILE), META, ENCUENTRO)
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
        referee.encuentros.record_encuentro_act(ENCUENTRO, seated, META, expected=1)
    assert stale.value.version == 2
    answer = referee.encuentros.record_encuentro_act(ENCUENTRO, seated, META, expected=2)
    assert (answer.version, answer.lines) == (3, (3,))


def test_nothing_is_found_under_an_id_of_another_kind_or_none(referee: Referee) -> None:
    for ask in (referee.encuentros.partida_by_id, referee.encuentros.encuentro, referee.history):
        with pytest.raises(NotFound):
            ask(UUID(int=99))
    for _ in range(2):
        with pytest.raises(NotFound):
            referee.encuentros.partida_by_id(ENCUENTRO)
        with pytest.raises(NotFound):
            referee.encuentros.encuentro(PARTIDA)
    with pytest.raises(NotFound):
        referee.encuentros.record_partida_acts(ENCUENTRO, [LATE], META)


# --- recording -----------------------------------------------------------------------------------


def test_acts_take_lines_and_conclusions_carry_the_line_of_their_act(referee: Referee) -> None:
    referee.encuentros.record_partida_acts(PARTIDA, [LATE], META, expected=0)
    answer = referee.encuentros.record_partida_acts(PARTIDA, [LATE, A_WINS], META, expected=1)
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
        referee.encuentros.record_partida_acts(
            PARTIDA, [*deal, Record(CardPlayed("B1", "3C"))], META
        )
    assert refused.value.rule is Rule.CARD_PLAYED_BEFORE
    assert refused.value.facts["command"] == 3
    assert referee.encuentros.partida_by_id(PARTIDA).version == 0
    referee.encuentros.record_partida_acts(PARTIDA, deal, META)
    with pytest.raises(Refused) as alone:
        referee.encuentros.record_partida_acts(PARTIDA, [Record(CardPlayed("B1", "3C"))], META)
    assert "command" not in alone.value.facts


def test_the_encuentro_follows_in_the_same_transaction_and_back_again(referee: Referee) -> None:
    referee.encuentros.record_partida_acts(PARTIDA, [A_WINS], META)
    assert referee.encuentros.encuentro(ENCUENTRO).partidas[0].winner == "A"
    undone = referee.encuentros.record_partida_acts(PARTIDA, [Undo()], META)
    assert undone.events[-1].event == OutcomeFollowed(1, "", "undecided", {})
    assert referee.encuentros.encuentro(ENCUENTRO).partidas[0] == OutcomeFollowed(
        1, "", "undecided", {}
    )
    assert referee.encuentros.encuentro(ENCUENTRO).version == 2


def test_an_act_that_changes_no_outcome_leaves_the_encuentro_alone(referee: Referee) -> None:
    answer = referee.encuentros.record_partida_acts(
        PARTIDA, [LATE, Record(DealStarted("A1"))], META
    )
    assert {r.originator_id for r in answer.events} == {PARTIDA}


def test_a_preview_saves_nothing_and_says_what_recording_says(referee: Referee) -> None:
    commands: list[PartidaCommand] = [A_WINS]
    before = len(referee.history(ENCUENTRO)) + len(referee.history(PARTIDA))
    preview = referee.encuentros.preview_partida_acts(PARTIDA, commands)
    stood, stands = (
        follow_command_of_partida(side.partida or INITIAL)
        for side in (preview.before, preview.after)
    )
    assert (stood.how, stands.winner, preview.version_to_confirm) == ("undecided", "A", 0)
    assert before == len(referee.history(ENCUENTRO)) + len(referee.history(PARTIDA))
    answer = referee.encuentros.record_partida_acts(PARTIDA, commands, META)
    said = [r.event for r in answer.events]
    assert said == [*preview.events, *preview.encuentro_events]
    assert isinstance(said[1], PartidaWon)


def test_listeners_hear_of_every_commit_after_it(referee: Referee) -> None:
    heard: list[tuple[int, int]] = []
    referee.on_commit.append(lambda answer: heard.append((answer.position, _length(referee))))
    first = referee.encuentros.record_partida_acts(PARTIDA, [LATE], META)
    with pytest.raises(Stale):
        referee.encuentros.record_partida_acts(PARTIDA, [LATE], META, expected=0)
    assert heard == [(first.position, 2)]


def _length(referee: Referee) -> int:
    return len(referee.history(PARTIDA))


# --- the next dealer -----------------------------------------------------------------------------


def with_dealers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the seat of the winner deal the next partida, whatever the rules say of it."""
    from referee.aggregates import partida

    def due_after(state: Any) -> str:
        return {"A": "A1", "B": "B1"}.get(partida.follow_command_of_partida(state).winner, "")

    monkeypatch.setattr(partida, "dealer_due_next_partida", due_after)


def test_the_next_partida_records_its_dealer_and_again_when_it_changes(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_dealers(monkeypatch)
    second = partida_id(ENCUENTRO, 2)
    referee.encuentros.record_partida_acts(PARTIDA, [A_WINS], META)
    referee.encuentros.start_partida(ENCUENTRO, META)
    assert referee.encuentros.partida_by_id(second).dealer_due == "A1"
    referee.encuentros.record_partida_acts(second, [LATE], META)
    b_wins = Amend((Change(1, "replace", ResultEntered("B")),))
    answer = referee.encuentros.record_partida_acts(PARTIDA, [b_wins], META)
    recorded = referee.history(second)[-1]
    assert (recorded.event, recorded.line) == (DealerDue("B1"), 1)
    assert answer.events[-1] == recorded
    assert referee.encuentros.partida_by_id(second).dealer_due == "B1"
    again = referee.encuentros.record_partida_acts(
        PARTIDA, [Amend((Change(1, "replace", ResultEntered("B")),))], META
    )
    assert "DealerDue" not in kinds(again)


def test_a_start_that_saw_an_older_dealer_is_drafted_again(
    referee: Referee, log: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at partida 1 and the commit of partida 2, partida 1 is amended."""
    with_dealers(monkeypatch)
    referee.encuentros.record_partida_acts(PARTIDA, [A_WINS], META)
    rival = new_referee(log)
    amend: list[Callable[[], object]] = [
        lambda: rival.encuentros.record_partida_acts(
            PARTIDA, [Amend((Change(1, "replace", ResultEntered("B")),))], META
        )
    ]
    put = referee.events.put

    def put_late(*args: Any, **kwargs: Any) -> Any:
        if amend:
            amend.pop()()
        return put(*args, **kwargs)

    monkeypatch.setattr(referee.events, "put", put_late)
    referee.encuentros.start_partida(ENCUENTRO, META)
    assert referee.encuentros.partida_by_id(partida_id(ENCUENTRO, 2)).dealer_due == "B1"
    assert not amend
    rival.close()


def test_a_partida_cached_before_its_dealer_was_recorded_is_extended_afterwards(
    referee: Referee, log: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The version is the same, since there was no act: only the stream is longer."""
    with_dealers(monkeypatch)
    second, rival = partida_id(ENCUENTRO, 2), new_referee(log)
    referee.encuentros.record_partida_acts(PARTIDA, [A_WINS], META)
    referee.encuentros.start_partida(ENCUENTRO, META)
    assert (
        rival.encuentros.partida_by_id(second).dealer_due,
        rival.encuentros.encuentro(ENCUENTRO).win,
    ) == ("A1", None)
    referee.encuentros.record_partida_acts(
        PARTIDA, [Amend((Change(1, "replace", ResultEntered("B")),))], META
    )
    assert rival.encuentros.record_partida_acts(second, [LATE], META, expected=0).version == 1
    recorded = [type(one.event).__name__ for one in referee.history(second)]
    assert recorded == ["PartidaOpened", "DealerDue", "IncidentNoted"]
    rival.close()


# --- the cache and the file ----------------------------------------------------------------------


def test_a_state_kept_in_memory_is_as_fresh_as_the_log(referee: Referee, log: Address) -> None:
    rival = new_referee(log)
    for version in range(1, 6):
        (referee if version % 2 else rival).encuentros.record_partida_acts(
            PARTIDA, [LATE], META, expected=version - 1
        )
        assert referee.encuentros.partida_by_id(PARTIDA) == rival.encuentros.partida_by_id(PARTIDA)
    rival.close()


def test_few_states_are_kept_and_all_are_found(log: Address) -> None:
    small = Referee(log, salt=bytes, new_id=new_ids(), kept=2)
    opened = [small.encuentros.open(EncuentroOpened(PROFILE), META).id for _ in range(5)]
    for one in opened * 2:
        assert small.encuentros.encuentro(one).version == 1
    small.close()


def test_the_environment_of_the_process_says_nothing_about_the_store(
    log: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (
        ("PERSISTENCE_MODULE", "eventsourcing.popo"),
        ("SQLITE_DBNAME", ":memory:"),
        ("COMPRESSOR_TOPIC", "zlib"),
        ("IS_SNAPSHOTTING_ENABLED", "y"),
    ):
        monkeypatch.setenv(name, value)
    opened = new_referee(log)
    assert opened.encuentros.encuentro(ENCUENTRO).version == 2
    opened.close()


def test_a_referee_does_not_open_a_file_that_is_not_durable_or_not_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NoTables):
        new_referee(tmp_path / "absent.db")
    from referee.log import durable

    def tampered(name: str) -> Sequence[tuple[str, str, str | int]]:
        return tuple((n, "NORMAL" if n == name else v, w) for n, v, w in durable.SETTINGS)

    monkeypatch.setattr(durable, "SETTINGS", tampered("synchronous"))
    with pytest.raises(NotDurable, match="synchronous"):
        new_log(tmp_path / "log.db")


def test_time_may_be_called_without_deciding_anything(referee: Referee) -> None:
    referee.encuentros.record_partida_acts(PARTIDA, [Record(TimeCalled())], META)
    assert referee.encuentros.encuentro(ENCUENTRO).partidas[0].how == "undecided"
