"""Frozen profiles and their values: writing and reading agree."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Literal

import pytest

from api.profiles.words import frozen_option_rows
from projections.legality.findings import article_of_rule
from referee.aggregates.case import ground_of_option
from referee.aggregates.encuentro import freeze_profile
from referee.events import FrozenProfile, article_of_option
from referee.rules.articles import Rule
from referee.rules.profile.options import (
    EARLIER_LAW,
    EDITIONS,
    OPTION_NAMES,
    Options,
    option_field,
    option_names_of_edition,
    option_values,
)
from referee.rules.profile.profile import (
    PROFILE_IDS,
    Article,
    BadProfile,
    OptionEntry,
    UnknownProfile,
    different_options,
    freeze,
    hash_of_values,
    is_intact,
    options_of_frozen_profile,
    profile,
    profile_by_id_at_edition,
    profile_with_options_or_newest,
    profiles,
    profiles_of_every_edition,
)
from referee.rules.profile.values import (
    SPECS,
    Spec,
    Value,
    _kind_and_choices,
    _option_specs,
    parse_value,
    plain_value,
    print_value,
    read_json_value,
)

PUBLISHED = Path(__file__).parents[2] / "golden" / "profiles.json"
ALL_TABLES = [
    (one.id, players, deck) for one in profiles() for players in one.players for deck in one.decks
]


@pytest.mark.parametrize(("profile_id", "players", "deck"), ALL_TABLES)
def test_a_frozen_profile_thaws_to_the_same_options(
    profile_id: str, players: int, deck: int
) -> None:
    table = json.loads(json.dumps(freeze(profile(profile_id), players, deck)))
    assert options_of_frozen_profile(table) == profile(profile_id).options(players, deck)
    assert is_intact(table)
    assert (table["players"], table["deck"]) == (players, deck)
    assert set(table["basis"]) == set(table["sections"]) == set(OPTION_NAMES)


@pytest.mark.parametrize("profile_id", PROFILE_IDS)
def test_a_profile_read_again_is_the_same_article_by_article(profile_id: str) -> None:
    again = profile.__wrapped__(profile_id)
    assert again == profile(profile_id)
    assert (again.id, again.base) == (profile_id, None)
    assert set(again.entries) == set(OPTION_NAMES)


def test_the_hash_is_the_same_for_the_same_values_and_differs_with_any_change() -> None:
    hashes = {freeze(profile(profile_id), n, deck)["hash"] for profile_id, n, deck in ALL_TABLES}
    assert len(hashes) == len(ALL_TABLES)
    club = profile("club")
    assert freeze(club, 4)["hash"] == freeze(club, 4)["hash"]
    one = freeze(club.changed("casa", "1", {"tute": True}), 4)["hash"]
    assert one == freeze(club.changed("casa", "1", {"tute": True}, "Casa"), 4)["hash"]
    assert one != freeze(club.changed("casa", "2", {"tute": True}), 4)["hash"]
    assert one != freeze(club.changed("otra", "1", {"tute": True}), 4)["hash"]


def digest_of(name: str, edition: str) -> str:
    """Hash that a table states, and that of all of it; ``name``: as in ``guinyot 4 40``."""
    profile_id, players, deck = name.split()
    table = freeze(profile(profile_id, edition), int(players), int(deck))
    canonical = json.dumps(table, sort_keys=True, ensure_ascii=False)
    return f"{table['hash']} {sha256(canonical.encode()).hexdigest()}"


@pytest.mark.parametrize(("edition", "published"), json.loads(PUBLISHED.read_text()).items())
def test_a_published_edition_is_frozen_for_ever(edition: str, published: dict[str, str]) -> None:
    """With every value, article and basis: a new one needs a new edition."""
    for name, digest in published.items():
        assert digest_of(name, edition) == digest, name


def test_every_edition_is_published() -> None:
    published = json.loads(PUBLISHED.read_text())
    tables = [f"{name} {players} {deck}" for name, players, deck in ALL_TABLES]
    new = [edition for edition in EDITIONS if edition not in published]
    missing = {edition: {name: digest_of(name, edition) for name in tables} for edition in new}
    assert not missing, f"add to {PUBLISHED.name}: {json.dumps(missing, indent=1)}"
    assert tuple(published) == EDITIONS
    assert all(set(names) == set(tables) for names in published.values())


def test_a_profile_of_an_earlier_edition_is_as_it_was_before_the_later_options() -> None:
    old, new = profile("guinyot", "2026-1"), profile("guinyot")
    assert (old.id_at_edition, new.id_at_edition) == ("guinyot@2026-1", "guinyot")
    assert set(old.entries) == set(option_names_of_edition("2026-1"))
    assert {"cante_40_shown", "vueltas_end"} <= set(new.entries) - set(old.entries)
    assert (old.options().renuncio_costs, new.options().renuncio_costs) == (
        "when_denounced",
        "when_proved",
    )
    assert (old.options().law, new.options().law) == (1, 2)
    assert profile("escuela", "2026-1").basis("renuncio_cases") == "stated"
    assert profile("escuela").basis("renuncio_cases") == "inferred"
    assert different_options(old, new, 4) == ("renuncio_costs",)
    assert profile_by_id_at_edition("guinyot@2026-1") == old
    assert profile_by_id_at_edition("guinyot") == profile("guinyot")
    assert old.article("vueltas_end") == Article("guinyot", "", "silent")
    with pytest.raises(KeyError):
        old.article("no_such_option")
    for unknown in ("guinyot@2026", "nadie"):
        with pytest.raises(UnknownProfile):
            profile_by_id_at_edition(unknown)


def test_a_clubs_own_profile_stays_on_the_edition_of_its_base() -> None:
    own = profile("club", "2026-1").changed("casa", "1", {"tute": True})
    table = freeze(own, 4)
    assert "renuncio_costs" not in table["options"]
    assert profile_with_options_or_newest(table["options"], "club").edition == "2026-1"
    with pytest.raises(BadProfile) as bad:
        profile("club", "2026-1").changed("casa", "1", {"vueltas_end": "at_target"})
    assert [(one.code, one.options) for one in bad.value.problems] == [
        ("unknown-option", ("vueltas_end",))
    ]


def test_the_hash_is_made_of_canonical_json() -> None:
    text = '{"edition":"1","id":"\u00f1","options":{"a":"b c","z":[1,true]}}'
    expected = sha256(text.encode()).hexdigest()
    assert hash_of_values("\u00f1", "1", {"z": [1, True], "a": "b c"}) == expected


def test_a_frozen_profile_has_the_articles_for_its_players() -> None:
    tables = [freeze(profile("sin-mazo"), players) for players in (4, 3, 2)]
    assert [table["basis"]["hand_size"] for table in tables] == ["stated", "silent", "inferred"]
    assert {table["sections"]["pinta_from"] for table in tables} >= {"", "La Couleur d’Atout"}


@pytest.mark.parametrize("name", OPTION_NAMES)
def test_a_frozen_profile_with_any_value_altered_is_not_intact(name: str) -> None:
    table = freeze(profile("guinyot"), 4)
    assert not is_intact({**table, "options": {**table["options"], name: "altered"}})


def test_a_finding_rests_on_its_own_case_of_a_renuncio() -> None:
    """Talking stands in the list of ``escuela``, though the list does not name every case."""
    escuela = freeze_profile(profile("escuela"), 4)
    assert source_of(escuela, "renuncio_cases") == ("escuela", "EL RENUNCIO", "inferred")
    for rule in (Rule.TALK, Rule.SIGNAL, Rule.OUT_OF_TURN_IN_ARRASTRE):
        found = article_of_rule(rule, escuela)
        assert found is not None
        assert (found.option, found.basis) == ("renuncio_cases", "stated")
    own = {"renuncio_cases": ["follow", "talk"]}
    casa = freeze_profile(profile("escuela").changed("casa", "1", own), 4)
    based = freeze_profile(profile("escuela").changed("casa", "1", {"tute": True}), 4)
    whole, kept = article_of_rule(Rule.TALK, casa), article_of_rule(Rule.TALK, based)
    assert whole is not None
    assert kept is not None
    assert (whole.profile, whole.basis) == ("casa", "stated")
    assert (kept.profile, kept.basis) == ("escuela", "stated")


def test_bases_of_cases_are_in_no_frozen_profile_and_name_every_case() -> None:
    """Published editions keep their bytes; see also the test of the golden file above."""
    for one in profiles():
        for edition in profiles_of_every_edition(one.id):
            assert "cases" not in freeze(edition, 4)
            for name, entries in edition.entries.items():
                for entry in entries.values():
                    cases = entry.article.cases
                    assert not cases or tuple(cases) == entry.value, name
                    assert not cases or entry.article.basis in cases.values()


def test_a_table_older_than_an_option_is_still_readable() -> None:
    table = freeze(profile("guinyot"), 4)
    older = {name: value for name, value in table["options"].items() if name != "tute"}
    known = replace(profile("guinyot").options(), law=EARLIER_LAW)
    assert options_of_frozen_profile({**table, "options": {**older, "gone": 1}}) == known


def test_an_article_of_a_frozen_profile_names_the_rulebook_it_stands_in() -> None:
    own = freeze_profile(profile("guinyot").changed("casa", "1", {"tute": True}), 4)
    assert own.base == "guinyot"
    assert source_of(own, "tute") == ("casa", "", "stated")
    assert source_of(own, "cante_window") == ("guinyot", "Càntics", "stated")
    assert source_of(own, "cut_min") == ("guinyot", "", "silent")
    assert article_of_option(own, "no_such_option") is None


def test_articles_that_a_profile_took_from_club_are_cited_as_those_of_club() -> None:
    """``club`` has no rulebook with sections: its source is recorded, never guessed."""
    own = freeze_profile(profile("club").changed("casa", "1", {"tute": True}), 4)
    assert source_of(own, "undertrump") == ("club", "", "stated")
    assert source_of(own, "tute") == ("casa", "", "stated")
    for name in OPTION_NAMES:
        assert ground_of_option(own, name, "stated").profile == source_of(own, name)[0], name
    finding = article_of_rule(Rule.UNDERTRUMP, own)
    assert finding is not None
    assert (finding.profile, finding.option) == ("club", "undertrump")
    assert [row.article.profile for row in frozen_option_rows(own, "es")] == [
        own.sources[name] for name in OPTION_NAMES
    ]


def source_of(frozen: FrozenProfile, option: str) -> tuple[str, str, str]:
    found = article_of_option(frozen, option)
    assert found is not None
    return found["profile"], found["section"], found["basis"]


@pytest.mark.parametrize("name", OPTION_NAMES)
def test_every_default_reads_back_from_its_text_and_from_json(name: str) -> None:
    default = SPECS[name].default
    assert parse_value(name, print_value(name, default)) == default
    assert (
        read_json_value(name, list(default) if isinstance(default, tuple) else default) == default
    )


def test_every_option_is_described() -> None:
    assert tuple(SPECS) == OPTION_NAMES == tuple(option_values(Options()))
    assert all(spec.about for spec in SPECS.values())


WHAT_OPTIONS_HOLD = [
    Spec("swap", "The siete (48 cards: nueve) of trump may take the pinta", True, "flag"),
    Spec("deck", "Cards in the deck", 40, "choice", (40, 48)),
    Spec("min_malas", SPECS["min_malas"].about, 0, "number", (), 0, 65),
    Spec("cut_min", "Cards that a cut leaves in each part, at least", 4, "number", (), 1, 19),
    Spec("cantes_per_side", SPECS["cantes_per_side"].about, 2, "choice", (2, 0)),
    Spec("swap_by", "Who may swap", "qualifying_side", "choice", ("qualifying_side", "leader")),
    Spec(
        "renuncio_cases",
        "Breaches that are renuncio",
        ("follow", "beat", "trump"),
        "set",
        ("follow", "beat", "trump", "out_of_turn_in_arrastre", "talk"),
    ),
]


@pytest.mark.parametrize("expected", WHAT_OPTIONS_HOLD, ids=lambda spec: spec.name)
def test_what_an_option_may_hold_is_read_from_its_type(expected: Spec) -> None:
    """Recomputed: it equals the table that the module made when it was loaded."""
    assert _option_specs()[expected.name] == SPECS[expected.name] == expected


def test_the_kind_of_an_option_is_that_of_its_annotation() -> None:
    assert _kind_and_choices("swap", bool) == ("flag", ())
    assert _kind_and_choices("target", int) == ("number", ())
    assert _kind_and_choices("cantes_per_side", int) == ("choice", (2, 0))
    assert _kind_and_choices("deck", Literal[40, 48]) == ("choice", (40, 48))
    assert _kind_and_choices("cases", tuple[Literal["a", "b"], ...]) == ("set", ("a", "b"))


def test_an_option_carries_its_default_and_its_description() -> None:
    field = option_field(7, "Tantos of the seven")
    assert (field.default, field.metadata["about"]) == (7, "Tantos of the seven")


@pytest.mark.parametrize(
    ("name", "value", "text", "held"),
    [
        ("cantes_per_side", 0, "no_limit", 0),
        ("cantes_per_side", 2, "2", 2),
        ("min_malas", 0, "0", 0),
        ("tute", False, "false", False),
        ("renuncio_cases", ("follow", "talk"), "follow,talk", ["follow", "talk"]),
        ("undertrump", "free", "free", "free"),
    ],
)
def test_a_value_is_printed_as_it_is_typed_and_held_as_plain_json(
    name: str, value: Value, text: str, held: object
) -> None:
    assert print_value(name, value) == text
    assert plain_value(value) == held
    assert type(plain_value(value)) is type(held)


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
    assert entry == OptionEntry(30, Article("guinyot", "Les deu d'últimes", "stated"))
