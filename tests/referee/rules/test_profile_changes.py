"""A club's own profile: what a change gives, and all that is refused at once."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.rules.profile.checks import read_changes_and_problems
from referee.rules.profile.options import OPTION_NAMES
from referee.rules.profile.profile import (
    PROFILE_IDS,
    Article,
    BadProfile,
    Profile,
    freeze,
    options_of_frozen_profile,
    profile,
)
from referee.rules.profile.values import SPECS, Spec
from tests.support.servers.long_runs import RUNS


def values_of(spec: Spec) -> st.SearchStrategy[object]:
    """Any value that an option may hold, as JSON has it."""
    match spec.kind:
        case "flag":
            return st.booleans()
        case "number":
            return st.integers(spec.low, spec.high)
        case "set":
            return st.lists(st.sampled_from(spec.choices), unique=True)
    return st.sampled_from(spec.choices)


ALL_VALUES = {name: values_of(spec) for name, spec in SPECS.items()}
FEW_CHANGES = st.lists(st.sampled_from(OPTION_NAMES), max_size=4, unique=True).flatmap(
    lambda names: st.fixed_dictionaries({name: ALL_VALUES[name] for name in names})
)

ANY_CHANGES = FEW_CHANGES | st.fixed_dictionaries({}, optional=ALL_VALUES)


def test_all_problems_are_reported_at_once() -> None:
    changes = {"tutte": True, "target": "101", "swap": False, "deck": [40, 50]}
    with pytest.raises(BadProfile) as refusal:
        profile("guinyot").changed("La Casa", "", changes)
    assert [problem.code for problem in refusal.value.problems] == [
        "id-malformed",
        "edition-malformed",
        "unknown-option",
        "wrong-value",
        "wrong-value",
        "two-for-seven-without-swap",
    ]


def test_a_value_that_cannot_be_read_is_not_called_a_contradiction_too() -> None:
    changes = {"deck": "48", "hand_size": 10, "pinta_from": "dealers_last_card", "players": 4}
    changes |= {"deal_packets": "one_by_one", "duties_from": "first_trick", "swap": "no"}
    with pytest.raises(BadProfile) as refusal:
        profile("club").changed("casa", "1", changes)
    assert [(p.code, p.options) for p in refusal.value.problems] == [
        ("wrong-value", ("deck",)),
        ("wrong-value", ("swap",)),
    ]


def test_a_contradiction_names_the_tables_that_it_concerns() -> None:
    with pytest.raises(BadProfile) as refusal:
        profile("sin-mazo").changed("casa", "1", {"swap": True})
    assert refusal.value.problems[0].facts == {"tables": ((4, 40), (3, 40))}


@pytest.mark.parametrize("bad", ["", "Casa", "la casa", "-casa", "casa-", "ñ", "c" * 65, "../a"])
def test_an_id_is_a_plain_word(bad: str) -> None:
    with pytest.raises(BadProfile) as refusal:
        profile("club").changed(bad, "1", {})
    assert [problem.code for problem in refusal.value.problems] == ["id-malformed"]
    assert refusal.value.problems[0].options == ()
    assert profile("club").changed("c" * 64, "2026-1.b", {}).id == "c" * 64


@pytest.mark.parametrize("bad", ["", " 1", "1 ", "1/2", "-1", "1-", "1" * 65])
def test_an_edition_is_a_word_with_points_and_hyphens(bad: str) -> None:
    with pytest.raises(BadProfile) as refusal:
        profile("club").changed("casa", bad, {})
    assert [(p.code, p.options) for p in refusal.value.problems] == [("edition-malformed", ())]
    assert profile("club").changed("casa", "1" * 64, {}).edition == "1" * 64


def test_what_a_club_changes_the_club_states() -> None:
    own = profile("guinyot").changed(
        "casa", "2026-3", {"min_malas": 25, "camas_per_coto": 3, "players": 4}, "La casa"
    )
    assert (own.id, own.edition, own.base, own.title) == ("casa", "2026-3", "guinyot", "La casa")
    assert own.players == (4,)
    assert own.options().min_malas == own.values["min_malas"] == 25
    assert own.article("min_malas") == Article("casa", "", "stated")
    assert own.article("players") == Article("casa", "", "stated")
    assert own.article("target") == profile("guinyot").article("target")
    assert profile("guinyot").options().min_malas == 30


def test_a_changed_option_has_no_alternatives_left() -> None:
    own = profile("escuela").changed("casa", "1", {"camas_per_coto": 5, "cotos_to_win": 1})
    assert not own.alternatives
    assert profile("escuela").alternatives == {"camas_per_coto": (4, 5), "cotos_to_win": (1,)}


def test_the_options_that_are_changed_are_named() -> None:
    assert read_changes_and_problems({}).names == frozenset()
    assert read_changes_and_problems({"players": 4, "tute": True}).names == {"players", "tute"}
    assert read_changes_and_problems({"deck": [48, 40], "swap": "no"}).names == {"deck"}


def test_an_option_left_alone_keeps_its_alternatives() -> None:
    own = profile("escuela").changed("casa", "1", {"cotos_to_win": 1})
    assert own.alternatives == {"camas_per_coto": (4, 5)}
    assert own.title == ""


def test_a_copy_of_a_copy_remembers_who_changed_what() -> None:
    mother = profile("guinyot").changed("madre", "1", {"min_malas": 25})
    daughter = mother.changed("hija", "1", {"target": 121})
    assert daughter.base == "madre"
    assert [daughter.article(name).profile for name in ("min_malas", "target", "swap")] == [
        "madre",
        "hija",
        "guinyot",
    ]


def test_a_value_may_be_given_by_number_of_players() -> None:
    own = profile("sin-mazo").changed("casa", "1", {"tute": {"4": False, 2: True}})
    assert [own.options(players).tute for players in (4, 3, 2)] == [False, True, True]
    assert own.values["tute"] == {4: False, 3: True, 2: True}


def test_players_and_decks_may_be_several_the_default_first() -> None:
    own = profile("club").changed("casa", "1", {"players": [2, 4, 3], "deck": [48, 40]})
    assert own.options() == own.options(2, 48)
    assert [(o.players, o.deck) for o in own.options_of_every_table()] == [
        (2, 48),
        (2, 40),
        (4, 48),
        (4, 40),
        (3, 48),
        (3, 40),
    ]
    assert own.basis("deck", 3) == "stated"
    assert {players: entry.value for players, entry in own.entries["deck"].items()} == {
        4: 48,
        3: 48,
        2: 48,
    }
    assert {players: entry.value for players, entry in own.entries["players"].items()} == {
        4: 4,
        3: 3,
        2: 2,
    }


@settings(max_examples=100 * RUNS, deadline=None)
@example("sin-mazo", {"players": 3, "deck": 48})
@given(st.sampled_from(PROFILE_IDS), ANY_CHANGES)
def test_any_change_gives_a_playable_profile_or_names_the_options_at_fault(
    base: str, changes: dict[str, object]
) -> None:
    try:
        own = profile(base).changed("casa", "1", changes)
    except BadProfile as refusal:
        assert refusal.problems
        named = [set(problem.options) for problem in refusal.problems]
        assert all(len(options) == 2 and options <= set(OPTION_NAMES) for options in named)
        assert set().union(*named) & set(changes)
        return
    assert_playable(own, changes)


def assert_playable(own: Profile, changes: dict[str, object]) -> None:
    """Every table of the profile deals out, holds what was changed, and freezes."""
    for options in own.options_of_every_table():
        assert options.hand_size * options.players <= options.deck
        assert options.stock_size % options.players == 0
        assert options.has_stock == (options.duties_from == "stock_empty")
        assert not (options.swap and not options.has_stock)
        assert options_of_frozen_profile(freeze(own, options.players, options.deck)) == options
        for name, given_value in changes.items():
            held = getattr(options, name)
            if isinstance(given_value, list):
                assert set(held) == set(given_value)
            else:
                assert held == given_value
