"""The list of contraries has each option that a paper states, and each can be planted."""

from __future__ import annotations

import tomllib
from dataclasses import asdict

import pytest

from referee.rules.profile.options import OPTION_NAMES
from referee.rules.profile.profile import profiles
from referee.rules.profile.values import SPECS
from tests.referee.profiles.planted_options import LISTED, PROFILES, contraries
from tests.support.places import ROOT


def has_one_value(option: str) -> bool:
    """Whether an option can hold one value only, so that it has no contrary."""
    spec = asdict(SPECS[option])
    return len(spec["choices"]) == 1 or (spec["kind"], spec["low"]) == ("number", spec["high"])


def test_each_stated_value_of_each_profile_has_its_contrary():
    stated = {
        (one.id, option, one.entries[option][players].value)
        for one in profiles()
        for option in OPTION_NAMES
        for players in one.players
        if one.basis(option, players) == "stated" and not has_one_value(option)
    }
    wanted = sorted((profile, option) for profile, option, _ in stated)
    assert sorted((one.profile, one.option) for one in contraries()) == wanted
    assert len({(one.profile, one.option, one.value) for one in contraries()}) == len(wanted)


@pytest.mark.parametrize("name", [one.id for one in profiles()])
def test_a_contrary_changes_its_option_alone(name):
    text = (ROOT / PROFILES / f"{name}.toml").read_text(encoding="utf-8")
    before = tomllib.loads(text)
    for one in contraries():
        if one.profile == name:
            after = tomllib.loads(one.planted(text))
            head = {key for key in before if before[key] != after[key]}
            changed = {
                key for key in before["option"] if before["option"][key] != after["option"][key]
            }
            assert (head - {"option"}, changed) == (
                ({LISTED[one.option]}, set()) if one.option in LISTED else (set(), {one.option})
            )


# Players and decks are in no table; without a stock the duties hold from the first trick anyway.
OF_SEVERAL = ("test_a_profile_allows_the_players", "test_values_that_depend_on_the_players")


@pytest.mark.parametrize("one", contraries(), ids=lambda one: f"{one.profile}-{one.option}")
def test_the_test_that_finds_a_contrary_is_named_for_its_option(one):
    path, _, name = one.test.partition("::")
    assert (ROOT / path).is_file()
    assert one.option in name or name.startswith(OF_SEVERAL)
    assert one.profile in name
