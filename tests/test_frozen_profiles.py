"""Frozen profiles and the values in them: what is written down reads back as it was."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest

from referee.rules.option_values import SPECS, parse_value, print_value, read_value
from referee.rules.options import OPTION_NAMES, Options
from referee.rules.profile import (
    Article,
    Entry,
    article_of,
    frozen,
    is_intact,
    profile,
    profiles,
    thaw,
)

CLUB_HASH = "647260186709ad30bd56ec61823f29625e4d087868788c76ef573dfc542ed415"
ALL_TABLES = [
    (one.id, players, deck) for one in profiles() for players in one.players for deck in one.decks
]


@pytest.mark.parametrize(("house", "players", "deck"), ALL_TABLES)
def test_a_frozen_profile_thaws_to_the_same_options(house: str, players: int, deck: int) -> None:
    table = json.loads(json.dumps(frozen(profile(house), players, deck)))
    assert thaw(table) == profile(house).options(players, deck)
    assert is_intact(table)
    assert (table["players"], table["deck"]) == (players, deck)
    assert set(table["basis"]) == set(table["sections"]) == set(OPTION_NAMES)


def test_the_hash_is_the_same_for_the_same_values_and_differs_with_any_change() -> None:
    hashes = {frozen(profile(house), n, deck)["hash"] for house, n, deck in ALL_TABLES}
    assert len(hashes) == len(ALL_TABLES)
    club = profile("club")
    assert frozen(club, 4)["hash"] == frozen(club, 4)["hash"]
    one = frozen(club.changed("casa", "1", {"tute": True}), 4)["hash"]
    assert one == frozen(club.changed("casa", "1", {"tute": True}, "Casa"), 4)["hash"]
    assert one != frozen(club.changed("casa", "2", {"tute": True}), 4)["hash"]
    assert one != frozen(club.changed("otra", "1", {"tute": True}), 4)["hash"]


def test_the_hash_of_club_is_the_one_published() -> None:
    """Frozen for ever: a new value needs a new edition."""
    assert frozen(profile("club"), 4)["hash"] == CLUB_HASH


@pytest.mark.parametrize("name", OPTION_NAMES)
def test_a_frozen_profile_with_any_value_altered_is_not_intact(name: str) -> None:
    table = frozen(profile("guinyot"), 4)
    assert not is_intact({**table, "options": {**table["options"], name: "altered"}})


def test_a_table_older_than_an_option_is_still_readable() -> None:
    table = frozen(profile("guinyot"), 4)
    older = {name: value for name, value in table["options"].items() if name != "tute"}
    assert thaw({**table, "options": {**older, "gone": 1}}) == profile("guinyot").options()


def test_an_article_of_a_frozen_profile_names_the_rulebook_it_stands_in() -> None:
    own = profile("guinyot").changed("casa", "1", {"tute": True})
    table = frozen(own, 4)
    assert table["base"] == "guinyot"
    assert article_of(table, "tute") == Article("casa", "", "stated")
    assert article_of(table, "cante_window") == Article("guinyot", "Càntics", "stated")
    assert article_of(table, "cut_min") == Article("guinyot", "", "silent")
    with pytest.raises(KeyError):
        article_of(table, "no_such_option")


@pytest.mark.parametrize("name", OPTION_NAMES)
def test_every_default_reads_back_from_its_text_and_from_json(name: str) -> None:
    default = SPECS[name].default
    assert parse_value(name, print_value(name, default)) == default
    assert read_value(name, list(default) if isinstance(default, tuple) else default) == default


def test_every_option_is_described() -> None:
    assert tuple(SPECS) == OPTION_NAMES == tuple(f.name for f in fields(Options))
    assert all(spec.about for spec in SPECS.values())


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("swap", "TRUE", True),
        ("deck", "48", 48),
        ("cantes_per_side", "no_limit", 0),
        ("cantes_per_side", "0", 0),
        ("deal_packets", "3+3", "3+3"),
        ("renuncio_cases", " talk , follow,talk", ("follow", "talk")),
        ("renuncio_cases", "", ()),
        ("min_malas", "65", 65),
    ],
)
def test_a_value_is_read_from_the_text_of_a_command_line(
    name: str, text: str, value: object
) -> None:
    assert parse_value(name, text) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("swap", "yes"),
        ("deck", "52"),
        ("min_malas", "-1"),
        ("min_malas", "66"),
        ("min_malas", "٣"),
        ("undertrump", "true"),
        ("renuncio_cases", "follow,shout"),
        ("cantes_per_side", "1"),
    ],
)
def test_a_text_that_is_no_value_is_refused(name: str, text: str) -> None:
    with pytest.raises(ValueError, match=f"^{name}$"):
        parse_value(name, text)


def test_a_text_for_no_option_is_a_failed_look_up() -> None:
    with pytest.raises(KeyError):
        parse_value("no_such_option", "1")


def test_an_entry_is_a_value_with_its_article() -> None:
    entry = profile("guinyot").entries["min_malas"][3]
    assert entry == Entry(30, Article("guinyot", "Les deu d'últimes", "stated"))
