"""Contradictions and wrong values: each is refused, and the refusal names the options."""

from __future__ import annotations

import pytest

from referee.rules.profile.checks import CONTRADICTIONS, choices_or_bounds, contradictions
from referee.rules.profile.profile import PROFILE_IDS, BadProfile, profile
from referee.rules.profile.values import NO_LIMIT, SPECS

# A change that is refused: base, changes, and the codes with the options they name.
REFUSED: list[tuple[str, dict[str, object], dict[str, tuple[str, ...]]]] = [
    (
        "club",
        {"hand_size": 13, "deal_packets": "one_by_one", "players": 4},
        {"hands-exceed-deck": ("hand_size", "deck"), "swap-nothing-undealt": ("swap", "hand_size")},
    ),
    (
        "club",
        {"deck": 48, "hand_size": 10, "deal_packets": "one_by_one"},
        {"ten-of-48": ("hand_size", "deck")},
    ),
    (
        "sin-mazo",
        {"deal_packets": "3+3"},
        {"packets-do-not-fit": ("deal_packets", "hand_size")},
    ),
    (
        "club",
        {"hand_size": 10, "deal_packets": "one_by_one", "swap": False},
        {"no-card-to-turn": ("pinta_from", "hand_size")},
    ),
    (
        "club",
        {"hand_size": 10, "deal_packets": "one_by_one", "players": 4},
        {
            "no-card-to-turn": ("pinta_from", "hand_size"),
            "swap-nothing-undealt": ("swap", "hand_size"),
        },
    ),
    (
        "sin-mazo",
        {"hand_size": 6, "players": 4},
        {"dealers-last-card-before-stock": ("pinta_from", "hand_size")},
    ),
    (
        "sin-mazo",
        {"pinta_from": "leftover_card", "players": 4},
        {
            "leftover-without-three": ("pinta_from", "players"),
            "leftover-not-one": ("pinta_from", "hand_size"),
        },
    ),
    (
        "sin-mazo",
        {"three_deck": "one_dos_out"},
        {
            "leftover-not-turned": ("three_deck", "pinta_from"),
            "leftover-not-one": ("pinta_from", "hand_size"),
        },
    ),
    (
        "guinyot",
        {"three_deck": "leftover_on_table"},
        {"leftover-not-turned": ("three_deck", "pinta_from")},
    ),
    (
        "sin-mazo",
        {"hand_size": {"3": 10}},
        {"leftover-not-one": ("pinta_from", "hand_size")},
    ),
    (
        "sin-mazo",
        {"deck": 48, "players": 3},
        {
            "leftover-of-48": ("pinta_from", "deck"),
            "leftover-not-one": ("pinta_from", "hand_size"),
        },
    ),
    ("sin-mazo", {"swap": True}, {"swap-without-stock": ("swap", "pinta_from")}),
    ("guinyot", {"swap": False}, {"two-for-seven-without-swap": ("two_for_seven", "swap")}),
    ("club", {"duties_from": "first_trick"}, {"duties-with-stock": ("duties_from", "pinta_from")}),
    (
        "sin-mazo",
        {"duties_from": {4: "stock_empty"}},
        {"duties-await-no-stock": ("duties_from", "pinta_from")},
    ),
    ("club", {"renuncio": "follow"}, {"unknown-option": ("renuncio",)}),
    ("club", {"swap_rank": 7}, {"unknown-option": ("swap_rank",)}),
]
WRONG_VALUES: list[tuple[str, object]] = [
    ("swap", "true"),
    ("swap", 1),
    ("min_malas", True),
    ("min_malas", -1),
    ("min_malas", 66),
    ("min_malas", 30.0),
    ("cut_min", 0),
    ("cut_min", 20),
    ("target", 0),
    ("target", 231),
    ("last_trick_points", 9),
    ("last_trick_points", 11),
    ("partidas_per_cama", 0),
    ("partidas_per_cama", 10),
    ("camas_per_coto", 0),
    ("camas_per_coto", 9),
    ("cotos_to_win", 0),
    ("cotos_to_win", 4),
    ("fixed_partidas", 0),
    ("fixed_partidas", 100),
    ("cantes_per_player", 0),
    ("cantes_per_player", 4),
    ("cantes_per_side", 1),
    ("cantes_per_side", False),
    ("hand_size", 7),
    ("hand_size", None),
    ("hand_size", {}),
    ("hand_size", {"5": 6}),
    ("hand_size", {"4": "6"}),
    ("undertrump", "maybe"),
    ("undertrump", ["free"]),
    ("renuncio_cases", "follow"),
    ("renuncio_cases", ["shout"]),
    ("renuncio_cases", [["follow"]]),
    ("players", 5),
    ("players", []),
    ("players", [4, 4]),
    ("players", True),
    ("players", ["4"]),
    ("deck", 52),
    ("deck", {"4": 40}),
]


@pytest.mark.parametrize(("base", "changes", "expected"), REFUSED)
def test_a_contradiction_is_refused_with_its_options_named(
    base: str, changes: dict[str, object], expected: dict[str, tuple[str, ...]]
) -> None:
    with pytest.raises(BadProfile) as refusal:
        profile(base).changed("casa", "1", changes)
    assert {problem.code: problem.options for problem in refusal.value.problems} == expected


def test_every_contradiction_has_its_test() -> None:
    tested = {code for _, _, expected in REFUSED for code in expected}
    assert {row.code for row in CONTRADICTIONS} <= tested
    assert len({row.code for row in CONTRADICTIONS}) == len(CONTRADICTIONS)


@pytest.mark.parametrize(("name", "value"), WRONG_VALUES)
def test_a_value_of_the_wrong_type_or_range_is_refused(name: str, value: object) -> None:
    with pytest.raises(BadProfile) as refusal:
        profile("club").changed("casa", "1", {name: value})
    (problem,) = refusal.value.problems
    assert (problem.code, problem.options) == ("wrong-value", (name,))
    assert problem.facts["given"] == value
    assert problem.facts["allowed"]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("swap", (True, False)),
        ("min_malas", (0, 65)),
        ("deck", (40, 48)),
        ("undertrump", ("free", "forced")),
        ("cantes_per_side", (2, 0)),
        ("renuncio_cases", ("follow", "beat", "trump", "out_of_turn_in_arrastre", "talk")),
    ],
)
def test_a_refusal_names_the_allowed_values(name: str, values: tuple[object, ...]) -> None:
    assert choices_or_bounds(SPECS[name]) == values
    with pytest.raises(BadProfile) as refusal:
        profile("club").changed("casa", "1", {name: "nonsense"})
    assert refusal.value.problems[0].facts == {"given": "nonsense", "allowed": values}


@pytest.mark.parametrize(
    ("name", "edges"),
    [
        ("cut_min", (1, 19)),
        ("target", (1, 230)),
        ("min_malas", (0, 65)),
        ("partidas_per_cama", (1, 9)),
        ("camas_per_coto", (1, 8)),
        ("cotos_to_win", (1, 3)),
        ("fixed_partidas", (1, 99)),
        ("cantes_per_player", (1, 2)),
        ("cantes_per_side", (2, NO_LIMIT)),
    ],
)
def test_a_number_may_reach_both_ends_of_its_range(name: str, edges: tuple[int, int]) -> None:
    for edge in edges:
        own = profile("club").changed("casa", "1", {name: edge})
        assert getattr(own.options(), name) == edge


def test_forced_undertrumping_needs_no_duty_to_overtrump() -> None:
    own = profile("club").changed("casa", "1", {"undertrump": "forced", "overtrump": False})
    assert (own.options().undertrump, own.options().overtrump) == ("forced", False)


@pytest.mark.parametrize("profile_id", PROFILE_IDS)
def test_no_profile_contradicts_itself(profile_id: str) -> None:
    assert [
        contradictions(options) for options in profile(profile_id).options_of_every_table()
    ] == [()] * len(profile(profile_id).options_of_every_table())
