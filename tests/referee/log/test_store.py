"""Events in the store: names, envelopes, older versions."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, get_args
from uuid import UUID

import msgspec
import pytest

from referee import events
from referee.events import CardPlayed, CountEntered, Event, LogAmended, RulingGiven, TimeCalled
from referee.log.mapper import (
    CODEC,
    Codec,
    EventMapper,
    NoTranscoder,
    RecordedEvent,
    UnknownName,
    Unstorable,
    event_classes_by_name,
    next_version_name,
    timestamp_of_datetime,
)
from referee.log.names import NAMES, SINCE
from referee.log.upcasts import UPCASTS
from referee.release import RELEASE, release_as_number
from tests.support.places import ROOT

STREAM = UUID("6f1c2a54-0d7a-4a51-9a0a-4b7f5c1f3e11")
SAMPLES = ROOT / "tests" / "golden" / "events"


def recorded(event: Event, version: int = 1, line: int = 1) -> RecordedEvent:
    return RecordedEvent(
        STREAM, version, line, "2026-11-21T20:15:00.000Z", "owner", "tablet", "s" * 22, event
    )


def every_event() -> set[type[Any]]:
    """Leaves of the union of events."""
    found: set[type[Any]] = set()
    waiting: list[Any] = [Event]
    while waiting:
        one = waiting.pop()
        if parts := get_args(one):
            waiting += parts
        else:
            found.add(one)
    return found


# --- names ---------------------------------------------------------------------------------------


def test_every_event_has_one_stored_name_and_it_is_our_own() -> None:
    assert set(NAMES.values()) == every_event()
    assert len(set(NAMES.values())) == len(NAMES)
    for name, cls in NAMES.items():
        assert name.rpartition(".")[0] == cls.__name__
        assert ":" not in name


OF_0_1_0 = ROOT / "tests" / "golden" / "names-0.1.0.txt"


def test_a_name_that_an_earlier_release_cannot_read_says_which_release_brought_it() -> None:
    assert set(NAMES) - set(SINCE) <= set(OF_0_1_0.read_text().split())
    assert not set(SINCE) & set(OF_0_1_0.read_text().split())
    assert set(SINCE) <= set(event_classes_by_name())
    assert all(release_as_number(one) <= release_as_number(RELEASE) for one in SINCE.values())


def test_every_event_has_a_frozen_sample() -> None:
    assert {path.stem for path in SAMPLES.glob("*.json")} == set(event_classes_by_name())


def samples(name: str) -> list[dict[str, Any]]:
    """The frozen samples of a stored name."""
    return json.loads((SAMPLES / f"{name}.json").read_text())


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_frozen_sample_means_what_it_meant_and_is_written_as_it_was(name: str) -> None:
    for sample in samples(name):
        state = sample["state"].encode()
        found = CODEC.decode_row(STREAM, 5, name, state)
        fields = msgspec.structs.fields(type(found.event))
        meaning = json.loads(
            msgspec.json.encode({f.encode_name: getattr(found.event, f.name) for f in fields})
        )
        assert sample["means"] == {field: meaning.get(field) for field in sample["means"]}
        assert set(meaning) >= set(sample["means"])
        assert CODEC.encode_with_name(found) == (name, state)


@pytest.mark.parametrize("older", sorted(UPCASTS))
def test_a_frozen_sample_of_an_older_version_means_what_that_of_the_next_one_does(
    older: str,
) -> None:
    olds, news = samples(older), samples(next_version_name(older))
    assert len(olds) <= len(news)  # what is new has a sample of its own, after these
    for before, now in zip(olds, news, strict=False):
        assert before["means"].items() >= json.loads(before["state"])["fact"].items()
        found, newer = (
            CODEC.decode_row(STREAM, 5, name, one["state"].encode())
            for name, one in ((older, before), (next_version_name(older), now))
        )
        assert found == newer
        assert CODEC.event_name_in_log(found.event) != older


def test_a_name_that_is_not_in_the_table_is_an_error_and_imports_nothing() -> None:
    for name in ("this:s", "referee.events:CardPlayed", "CardPlayed", "CardPlayed.9", ""):
        with pytest.raises(UnknownName):
            CODEC.decode_row(STREAM, 1, name, b"{}")


def test_a_body_with_more_than_the_event_has_is_an_error() -> None:
    _, state = CODEC.encode_with_name(recorded(CardPlayed("A1", "3O")))
    with pytest.raises(msgspec.ValidationError):
        CODEC.decode_row(STREAM, 1, "CardPlayed.1", state.replace(b'"card"', b'"cards"'))


# --- envelope ------------------------------------------------------------------------------------


def test_the_envelope_holds_who_when_where_and_the_fact_without_its_kind() -> None:
    name, state = CODEC.encode_with_name(recorded(CardPlayed("A1", "3O")))
    assert name == "CardPlayed.1"
    assert json.loads(state) == {
        "at": "2026-11-21T20:15:00.000Z",
        "by": "owner",
        "on": "tablet",
        "line": 1,
        "salt": "s" * 22,
        "fact": {"seat": "A1", "card": "3O"},
    }


def test_an_event_without_fields_is_an_empty_body() -> None:
    assert CODEC.encode_without_kind(TimeCalled()) == b"{}"


def test_equal_facts_are_equal_bytes_whatever_the_order_of_their_totals() -> None:
    one = CODEC.encode_with_name(recorded(CountEntered({"A": 1, "B": 2})))
    assert one == CODEC.encode_with_name(recorded(CountEntered({"B": 2, "A": 1})))


def test_the_mapper_of_the_library_gives_back_what_it_was_given() -> None:
    mapper = EventMapper(NoTranscoder())
    one = recorded(LogAmended((events.Change(1, "replace", CardPlayed("A1", "AO")),)))
    row = mapper.to_stored_event(one)
    assert row.topic == "LogAmended.1"
    assert mapper.to_domain_event(row) == one


def test_whole_numbers_beyond_what_json_keeps_are_refused() -> None:
    largest = recorded(CountEntered({"A": 2**53 - 1}))
    name, state = CODEC.encode_with_name(largest)
    assert CODEC.decode_row(STREAM, 1, name, state) == largest
    broken: Any = 1.5
    for total in (2**53, -(2**53), broken):
        with pytest.raises(Unstorable):
            CODEC.encode_with_name(recorded(CountEntered({"A": total})))


def test_a_float_in_a_row_is_refused() -> None:
    name, state = CODEC.encode_with_name(recorded(RulingGiven("points", "t" * 32, points=3)))
    with pytest.raises(msgspec.ValidationError):
        CODEC.decode_row(STREAM, 1, name, state.replace(b'"points":3', b'"points":3.5'))


def test_a_moment_is_stored_in_utc() -> None:
    madrid = timezone(timedelta(hours=1))
    assert (
        timestamp_of_datetime(datetime(2026, 11, 21, 21, 15, tzinfo=madrid))
        == "2026-11-21T20:15:00.000Z"
    )
    assert (
        timestamp_of_datetime(datetime(2026, 11, 21, 20, 15, tzinfo=UTC))
        == "2026-11-21T20:15:00.000Z"
    )


# --- older versions ------------------------------------------------------------------------------


def test_an_older_version_is_brought_to_the_present_one_step_by_step() -> None:
    """Invented versions: -1 had the card as two fields, 0 called the seat a chair."""

    def join_card(body: dict[str, Any]) -> dict[str, Any]:
        return {"chair": body["chair"], "card": body["rank"] + body["suit"]}

    def name_seat(body: dict[str, Any]) -> dict[str, Any]:
        return {"seat": body["chair"], "card": body["card"]}

    codec = Codec(NAMES, {"CardPlayed.-1": join_card, "CardPlayed.0": name_seat})
    for name, fact in (
        ("CardPlayed.-1", {"chair": "A1", "rank": "3", "suit": "O"}),
        ("CardPlayed.0", {"chair": "A1", "card": "3O"}),
    ):
        envelope = {"at": "t", "by": "b", "on": "d", "line": 7, "salt": "s", "fact": fact}
        found = codec.decode_row(STREAM, 9, name, json.dumps(envelope).encode())
        assert found == RecordedEvent(STREAM, 9, 7, "t", "b", "d", "s", CardPlayed("A1", "3O"))
    assert next_version_name("CardPlayed.0") == "CardPlayed.1"


@pytest.mark.parametrize("subject", ["table", "table three", "desk 3", "", 3, None])
def test_an_older_body_that_was_never_written_is_a_wrong_body(subject: object) -> None:
    fact = {} if subject is None else {"subject": subject}
    envelope = {"at": "t", "by": "b", "on": "d", "line": 7, "salt": "s", "fact": fact}
    with pytest.raises(msgspec.ValidationError):
        CODEC.decode_row(STREAM, 1, "AddressRenewed.1", json.dumps(envelope).encode())


def test_a_chain_of_upcasts_that_does_not_reach_the_present_is_an_error() -> None:
    codec = Codec(NAMES, {"CardPlayed.-2": lambda body: body})
    envelope = b'{"at":"t","by":"b","on":"d","line":7,"salt":"s","fact":{}}'
    with pytest.raises(UnknownName, match=r"CardPlayed\.-1"):
        codec.decode_row(STREAM, 1, "CardPlayed.-2", envelope)
