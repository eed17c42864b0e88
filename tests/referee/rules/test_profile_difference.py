"""What changes for a table that goes from one profile to another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.rules.profile.options import OPTION_NAMES
from referee.rules.profile.profile import BadProfile, different_options, profile


def test_the_same_profile_differs_in_nothing():
    assert different_options(profile("club"), profile("club"), 4) == ()


def test_options_that_differ_are_named_in_their_order():
    other = profile("club").changed("casa", "1.0.0", {"target": 121, "swap": False})
    assert different_options(profile("club"), other, 4) == ("swap", "target")
    assert different_options(other, profile("club"), 2) == ("swap", "target")


def test_decks_differ_if_others_are_allowed():
    one = profile("club")
    other = replace(one, decks=(48,))
    assert different_options(one, other, 4) == ("deck",)
    assert different_options(replace(one, decks=(40, 48)), one, 4) == ("deck",)


def test_every_name_is_that_of_an_option_but_players():
    found = different_options(profile("club"), profile("sin-mazo"), 4)
    assert list(found) == [name for name in OPTION_NAMES if name in found]
    assert "players" not in found
    assert {"hand_size", "pinta_from", "duties_from"} <= set(found)


def test_a_number_of_players_that_one_is_not_for_is_refused():
    with pytest.raises(BadProfile):
        different_options(profile("club"), profile("guinyot"), 3)
    with pytest.raises(BadProfile):
        different_options(profile("guinyot"), profile("club"), 3)
