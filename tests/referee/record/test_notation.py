"""The text record: printing and parsing agree, and every faulty text gets its errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.events import Change, ClaimMade, DealStarted, IncidentNoted, LogAmended, PartidaAct
from referee.record import (
    Code,
    FindingText,
    PartidaText,
    TextRecord,
    Unprintable,
    find_record_errors,
    normal_record,
    parse_act,
    parse_record,
    print_act,
    print_record,
    read_record,
    replace_text_ids,
)
from referee.record.grammar import FORMS
from referee.rules.profile.profile import freeze, profile
from tests.support.places import ROOT
from tests.support.records.any_record import KINDS, PACKS, acts, records
from tests.support.servers.long_runs import RUNS

HERE = ROOT / "tests"
EXAMPLES = sorted((HERE / "records").glob("*.guinote"))
MANUAL = (HERE.parent / "docs" / "law" / "record.md").read_text(encoding="utf-8")
QR_BYTES = 2953
CLUB = freeze(profile("club"), 4)["options"]


@given(records)
@settings(max_examples=50 * RUNS, deadline=None, suppress_health_check=list(HealthCheck))
def test_what_is_printed_is_read_back(record: TextRecord) -> None:
    text = print_record(record)
    back = parse_record(text)
    assert back == normal_record(record)
    assert print_record(back) == text
    assert normal_record(back) == back
    assert parse_record(text.encode()) == back


@given(acts, st.sampled_from(PACKS))
@settings(max_examples=67 * RUNS, deadline=None, suppress_health_check=list(HealthCheck))
def test_an_act_alone_is_read_back(act: PartidaAct, pack: Any) -> None:
    alone = normal_record(TextRecord(partidas=(PartidaText(1, (act,)),), texts={"x1": "voy"}))
    written = print_act(alone.partidas[0].acts[0], alone.texts, pack)
    assert parse_act(written, pack) == (alone.partidas[0].acts[0], alone.texts)


@given(st.permutations(range(3)), records)
@settings(max_examples=10 * RUNS, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_order_of_names_and_findings_changes_no_byte(
    order: list[int], record: TextRecord
) -> None:
    noticed = [FindingText(3, "beat", "A1"), FindingText(1, "talk"), FindingText(1, "beat")]
    seats = {"A1": "Pilar", "B1": "Nieves", "A2": "Blas"}
    one = msgspec.structs.replace(
        record, seats=seats, partidas=(PartidaText(1, (), tuple(noticed)),)
    )
    other = msgspec.structs.replace(
        record,
        seats=dict(list(seats.items())[i] for i in order),
        partidas=(PartidaText(1, (), tuple(noticed[i] for i in order)),),
    )
    assert print_record(one) == print_record(other)


def test_every_kind_of_act_has_a_form() -> None:
    assert {form.act for form in FORMS} == set(KINDS)
    assert {form.word for form in FORMS if form.word}.isdisjoint({"linea", "antes", "quita"})


def test_erased_and_kept_texts_are_renamed_for_an_importer() -> None:
    record = parse_record('pausa "se va la luz"\nsigue\npausa ?')
    names = iter(["id-1", "id-2"])
    asked: list[str | None] = []

    def name(said: str | None) -> str:
        asked.append(said)
        return next(names)

    renamed = replace_text_ids(record, name)
    assert asked == ["se va la luz", None]
    assert renamed.texts == {"id-1": "se va la luz"}
    assert [getattr(act, "text", "") for act in renamed.partidas[0].acts] == ["id-1", "", "id-2"]
    assert print_record(renamed) == print_record(record)


UNPRINTABLE = [
    TextRecord(pack="tarot"),  # type: ignore[arg-type]  # what no type lets through
    TextRecord(players=5),
    TextRecord(seats={"D1": "Pilar"}),
    TextRecord(tags={"profile": "club"}),
    TextRecord(tags={"Round": "1", "round": "2"}),
    TextRecord(tags={"no name": "1"}),
    TextRecord(options={"Tute!": True}),
    TextRecord(place="\ud800"),
    TextRecord(partidas=(PartidaText(1), PartidaText(1))),
    TextRecord(partidas=(PartidaText(10**9),)),
    TextRecord(partidas=(PartidaText(1, (DealStarted("D1"),)),)),
    TextRecord(partidas=(PartidaText(1, (IncidentNoted("grito"),)),)),  # type: ignore[arg-type]  # as above
    TextRecord(partidas=(PartidaText(1, (DealStarted("A1", removed="2X"),)),)),
    TextRecord(partidas=(PartidaText(1, (LogAmended((Change(1, "replace"),)),)),)),
    TextRecord(partidas=(PartidaText(1, (), (FindingText(1, "Not an id"),)),)),
]


@pytest.mark.parametrize("record", UNPRINTABLE)
def test_what_no_record_can_hold_is_not_printed(record: TextRecord) -> None:
    with pytest.raises(Unprintable):
        print_record(record)


# --- examples ------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_canonical(path: Path) -> None:
    written = path.read_bytes()
    assert print_record(parse_record(written)).encode() == written
    assert len(written) < QR_BYTES


@pytest.mark.parametrize(
    "name", ["abierta", "observada", "correcciones", "francesa", "mano-a-mano"]
)
def test_an_example_is_possible_under_the_profile_it_names(name: str) -> None:
    read = read_record((HERE / "records" / f"{name}.guinote").read_bytes())
    under = freeze(
        profile(read.record.profile, read.record.edition), read.record.players, read.record.deck
    )
    assert under["hash"] == read.record.hash
    assert find_record_errors(read, under["options"]) == ()


def test_the_examples_use_every_word() -> None:
    used = (HERE / "records" / "todo.guinote").read_text(encoding="utf-8").split()
    for form in FORMS:
        assert not form.word or form.word in used


def deal_alone(name: str) -> str:
    """The first deal of an example, and a claim at its end."""
    record = parse_record((HERE / "records" / f"{name}.guinote").read_bytes())
    acts = record.partidas[0].acts
    second = [line for line, act in enumerate(acts) if isinstance(act, DealStarted)][1]
    first = PartidaText(1, (*acts[:second], ClaimMade("B1")))
    return print_record(msgspec.structs.replace(record, partidas=(first,)))


@pytest.mark.parametrize(("name", "title"), [("abierta", "open"), ("observada", "observed")])
def test_a_whole_deal_fits_a_code_of_which_the_manual_states_the_size(
    name: str, title: str
) -> None:
    deal = len(deal_alone(name).encode())
    whole = (HERE / "records" / f"{name}.guinote").stat().st_size
    assert f"| {title} | {deal} | {whole} |" in MANUAL
    assert 2 * deal < QR_BYTES


def test_the_manual_shows_canonical_records_and_names_every_word_and_code() -> None:
    shown = [block.split("```")[0] for block in MANUAL.split("```guinote\n")[1:]]
    assert shown
    for block in shown:
        assert print_record(parse_record(block)) == block
    for word in (*(form.word for form in FORMS), *Code):
        assert str(word) in MANUAL


# --- what cannot have happened -------------------------------------------------------------------

START = "reparto B2\npinta 4O\nA1 AC  B1 3C  A2 5C  B2 7B\n"
IMPOSSIBLE = [
    ("A1 AO", "no-deal", 1, 1),
    (START + "A1 AC", "card-played-before", 4, 1),
    (START + "+ A1 ?  B1 9O", "card-not-in-deck", 4, 9),
    (START + "enmienda\n  linea 4 es B1 AC", "card-played-before", 4, 1),
    (START + "enmienda\n  linea 40 es B1 AC", "line-unknown", 4, 1),
    ('[Players "4"]\nreparto C1', "seat-unknown", 2, 1),
]


@pytest.mark.parametrize(("written", "rule", "line", "column"), IMPOSSIBLE)
def test_an_impossible_act_is_reported_with_its_place(
    written: str, rule: str, line: int, column: int
) -> None:
    errors = find_record_errors(read_record(written), CLUB)
    assert [(e.kind, e.code, e.line, e.column) for e in errors] == [
        ("impossible", rule, line, column)
    ]


def test_a_refused_act_is_passed_over() -> None:
    written = START + "A1 AC\nA1 3C\nenmienda\n  quita 3"
    errors = find_record_errors(read_record(written), CLUB)
    assert [(e.code, e.line) for e in errors] == [
        ("card-played-before", 4),
        ("card-played-before", 5),
    ]
