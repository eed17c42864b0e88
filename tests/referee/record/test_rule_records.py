"""Every option of every profile has a record that it decides, with the contrary value beside it."""

from __future__ import annotations

from collections import defaultdict

import pytest
from msgspec.structs import replace

from api.examples.records import (
    RuleRecord,
    contrary_options,
    outcome_in_tag,
    play_record,
    profile_ids_with_value,
    records_folder,
    rule_records_by_name,
)
from referee.events import CardPlayed
from referee.record import (
    ReadRecord,
    TextPlace,
    TextRecord,
    find_record_errors,
    parse_record,
    print_record,
)
from referee.record.profiles import CannotImport, frozen_profile_of_record
from referee.rules.profile.options import OPTION_NAMES
from referee.rules.profile.profile import profiles
from referee.rules.profile.values import RANGES, plain_value
from tests.support.places import ROOT

RECORDS = rule_records_by_name()
FIXED = {"last_trick_points", "vueltas_dealer"}
"""Options that can hold one value only."""


def outcomes(one: RuleRecord, here: TextRecord, there: TextRecord | None) -> tuple[str, str]:
    """What the option decides under its value and under the contrary; empty where there is none."""
    other = outcome_in_tag(play_record(there), one.differs) if there is not None else ""
    return outcome_in_tag(play_record(here), one.differs), other


def as_written(one: RuleRecord) -> tuple[str, str]:
    return one.record.tags["Outcome"], one.record.tags.get("Otherwise", "")


def may_be(record: TextRecord) -> bool:
    """Whether nothing in a record is impossible, and every partida before the last is over."""
    read = ReadRecord(record, defaultdict(lambda: TextPlace(1, 1)))
    if find_record_errors(read, frozen_profile_of_record(record).options):
        return False
    return all(state.table.decided for state in play_record(record).partidas[:-1])


@pytest.mark.parametrize("one", RECORDS.values(), ids=RECORDS)
def test_a_record_comes_out_as_it_is_written_under_both_values(one):
    assert print_record(parse_record(one.text)) == one.text
    assert may_be(one.record)
    assert one.contrary is None or may_be(one.contrary)
    assert outcomes(one, one.record, one.contrary) == as_written(one)
    assert len(set(as_written(one))) == 2


@pytest.mark.parametrize("one", RECORDS.values(), ids=RECORDS)
def test_under_the_contrary_the_option_is_another_and_no_more_than_has_to_be(one):
    """Of several options that change, the profile would contradict itself without each."""
    if one.contrary is None:
        assert one.option in FIXED
        return
    changes = contrary_options(one.record)
    assert one.name.split("-")[0] == one.option
    assert next(iter(changes)) == one.option
    here, there = (
        frozen_profile_of_record(one.record).options,
        frozen_profile_of_record(one.contrary).options,
    )
    assert {name for name in here if here[name] != there[name]} == set(changes)
    for name in set(changes) - {one.option}:
        options = {key: value for key, value in one.contrary.options.items() if key != name}
        with pytest.raises(CannotImport) as caught:
            frozen_profile_of_record(replace(one.contrary, options=options))
        assert caught.value.code == "profile"


@pytest.mark.parametrize("one", RECORDS.values(), ids=RECORDS)
def test_no_line_but_a_card_can_be_left_out_of_a_record(one):
    """A card that was left out would make the others fall out of turn."""
    for at, partida in enumerate(one.record.partidas):
        for line, act in enumerate(partida.acts):
            if isinstance(act, CardPlayed) or act in partida.acts[line + 1 : line + 2]:
                continue
            left = replace(partida, acts=partida.acts[:line] + partida.acts[line + 1 :])
            rows = (*one.record.partidas[:at], left, *one.record.partidas[at + 1 :])
            here = replace(one.record, partidas=rows)
            there = one.contrary and replace(one.contrary, partidas=rows)
            if may_be(here) and outcomes(one, here, there) == as_written(one):
                assert there is not None, (line + 1, act)
                assert not may_be(there), (line + 1, act)


def test_every_option_has_a_record_and_every_record_an_option():
    assert {one.option for one in RECORDS.values()} == set(OPTION_NAMES)
    assert {one.option for one in RECORDS.values() if one.contrary is None} == FIXED


def test_every_value_of_every_profile_is_on_one_side_of_a_record():
    """Of a number the value of some profile, since there is no end of them."""
    shown: dict[str, list[object]] = defaultdict(list)
    for one in RECORDS.values():
        for record in (one.record, one.contrary or one.record):
            for name in (one.option, *contrary_options(one.record)):
                shown[name].append(frozen_profile_of_record(record).options[name])
    for profile in profiles():
        for name in OPTION_NAMES:
            held = {"players": profile.players, "deck": profile.decks}.get(name) or tuple(
                plain_value(profile.option_entry(name, players).value)
                for players in profile.players
            )
            if name not in RANGES:
                assert [one for one in held if one not in shown[name]] == [], (profile.id, name)
    for name in RANGES:
        assert any(profile_ids_with_value(name, value, 4) for value in shown[name]), name


def test_the_records_are_those_of_the_manual():
    assert records_folder() == ROOT / "docs" / "law" / "records"
    assert {file.name for file in records_folder().iterdir()} == {
        f"{name}.guinote" for name in RECORDS
    }
