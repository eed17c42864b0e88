"""Every norm of the rulebooks has something that carries it and a test, and the page shows them."""

from __future__ import annotations

import ast
import runpy
from dataclasses import replace
from functools import cache

import pytest

from referee.rules.articles import Rule
from referee.rules.profile.options import OPTION_NAMES
from referee.rules.profile.profile import profile
from tests.support.places import ROOT

GENERATOR = runpy.run_path(str(ROOT / "docs" / "generate_sentences.py"))
sentences, rulebooks = GENERATOR["sentences"], GENERATOR["rulebooks"]
IDS = [one.id for one in rulebooks()]
ALLOWED = {"players": "players", "deck": "decks"}
"""Options of which a profile has no value, but several that a table may choose from."""


@cache
def names_of_tests(path: str) -> set[str]:
    """Names of the tests in a file; none if there is no such file."""
    file = ROOT / path
    if not (path.startswith("tests/") and file.is_file()):
        return set()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {one.name for one in tree.body if isinstance(one, ast.FunctionDef)}


def values_at(one, name: str, players: int) -> set:
    """Values of an option at a table of so many players, those of its alternatives among them."""
    if name in ALLOWED:
        return set(getattr(one, ALLOWED[name]))
    return {one.entries[name][players].value, *one.alternatives.get(name, ())}


def meant(one, said) -> tuple[int, ...]:
    """Numbers of players of which a sentence speaks."""
    return (said.players,) if said.players else one.players


def option_faults(one, said) -> list[str]:
    """What is wrong with an option and its value."""
    if said.by not in OPTION_NAMES:
        return ["no such option"]
    if not set(meant(one, said)) <= set(one.players):
        return ["no such players"]
    at = meant(one, said)
    wrong = {
        "not the value of the profile": any(
            said.value not in values_at(one, said.by, n) for n in at
        ),
        "the profile has the rulebook silent": any(one.basis(said.by, n) == "silent" for n in at),
    }
    return [fault for fault, is_so in wrong.items() if is_so]


def carrier_faults(one, said) -> list[str]:
    """What is wrong with that which carries a sentence."""
    match said.carrier:
        case "option":
            return option_faults(one, said)
        case "rule":
            return [] if said.by in set(Rule) else ["no such rule"]
        case "fact":
            is_module = said.by.endswith(".py") and (ROOT / said.by).is_file()
            return [] if is_module else ["no such module"]
    return [] if said.by.endswith(".") else ["no reason"]


def faults(one, said) -> list[str]:
    """What is wrong with a sentence."""
    found = carrier_faults(one, said)
    if not (said.section and said.says.endswith(".")):
        found.append("no sentence")
    if said.carrier != "not_representable":
        path, _, name = said.test.partition("::")
        if not name.startswith("test_") or name not in names_of_tests(path):
            found.append("no such test")
    return found


def untold(one, found) -> list[tuple[str, int]]:
    """Options whose value the rulebook states, without a sentence of that value and section."""
    told = {
        (said.by, said.value, said.section, players)
        for said in found
        if said.carrier == "option"
        for players in meant(one, said)
    }
    stated = [
        (name, one.entries[name][players].value, one.article(name, players).section, players)
        for name in OPTION_NAMES
        for players in one.players
        if one.basis(name, players) == "stated"
    ]
    return [(name, players) for name, *_, players in (row for row in stated if row not in told)]


def test_the_page_is_up_to_date():
    assert GENERATOR["PAGE"].read_text(encoding="utf-8") == GENERATOR["page"](), "make pages"


@pytest.mark.parametrize("name", IDS)
def test_each_sentence_is_carried_and_shown(name):
    one = profile(name)
    wrong = {said.says: found for said in sentences(name) if (found := faults(one, said))}
    assert wrong == {}


@pytest.mark.parametrize("name", IDS)
def test_no_sentence_is_there_twice(name):
    rows = [(said.section, said.says) for said in sentences(name)]
    assert [row for row in rows if rows.count(row) > 1] == []


@pytest.mark.parametrize("name", IDS)
def test_what_a_rulebook_states_has_a_sentence_of_its_section(name):
    assert untold(profile(name), sentences(name)) == []


@pytest.mark.parametrize("name", IDS)
def test_what_else_a_rulebook_allows_has_a_sentence(name):
    one = profile(name)
    told = {(said.by, said.value) for said in sentences(name)}
    wanted = [(key, set(others)) for key, others in one.alternatives.items()]
    wanted += [(key, {value}) for key in ALLOWED for value in getattr(one, ALLOWED[key])]
    assert [key for key, others in wanted if not any((key, v) in told for v in others)] == []


def test_every_rulebook_has_its_file_and_every_file_its_rulebook():
    assert {path.stem for path in GENERATOR["FOLDER"].glob("*.toml")} == set(IDS)


# --- the checks above find what is wrong ---------------------------------------------------------

HERE = "tests/project/test_sentences_page.py"
GOOD = GENERATOR["Sentence"](
    section="Càntics",
    says="One cante each.",
    carrier="option",
    by="cantes_per_player",
    value=1,
    test=f"{HERE}::test_the_page_is_up_to_date",
)
WRONG = [
    ({}, []),
    ({"by": "cantes"}, ["no such option"]),
    ({"value": 2}, ["not the value of the profile"]),
    ({"players": 5}, ["no such players"]),
    ({"by": "misdeal", "value": "redeal_then_pass"}, ["the profile has the rulebook silent"]),
    ({"by": "partidas_per_cama", "value": 7}, []),
    ({"by": "deck", "value": 48}, ["not the value of the profile"]),
    ({"carrier": "rule", "by": "beat"}, []),
    ({"carrier": "rule", "by": "BEAT"}, ["no such rule"]),
    ({"carrier": "fact", "by": "referee/rules/cards.py"}, []),
    ({"carrier": "fact", "by": "referee/rules"}, ["no such module"]),
    ({"carrier": "not_representable", "by": "Nobody records it.", "test": ""}, []),
    ({"carrier": "not_representable", "by": "", "test": ""}, ["no reason"]),
    ({"says": "One cante each"}, ["no sentence"]),
    ({"section": ""}, ["no sentence"]),
    ({"test": f"{HERE}::test_no_such_thing"}, ["no such test"]),
    ({"test": f"{HERE}::faults"}, ["no such test"]),
    ({"test": "tests/no_such_file.py::test_the_page_is_up_to_date"}, ["no such test"]),
]


@pytest.mark.parametrize("change, found", WRONG)
def test_what_is_wrong_with_a_sentence_is_found(change, found):
    assert faults(profile("guinyot"), replace(GOOD, **change)) == found


def test_a_value_for_other_players_is_found():
    said = replace(GOOD, by="hand_size", value=10)
    not_of_all = ["not the value of the profile", "the profile has the rulebook silent"]
    assert faults(profile("sin-mazo"), said) == not_of_all
    assert faults(profile("sin-mazo"), replace(said, players=4)) == []
    silent = replace(said, value=13, players=3)
    assert faults(profile("sin-mazo"), silent) == ["the profile has the rulebook silent"]


def test_an_option_without_its_sentence_is_found():
    found = sentences("guinyot")
    fewer = [said for said in found if said.by != "swap_window"]
    assert untold(profile("guinyot"), fewer) == [("swap_window", n) for n in (4, 3, 2)]
    elsewhere = [replace(s, section="Càntics") if s.by == "swap_window" else s for s in found]
    assert untold(profile("guinyot"), elsewhere) == [("swap_window", n) for n in (4, 3, 2)]


ROW = {
    "section": "Càntics",
    "says": "One each.",
    "rule": "cante-late",
    "test": "tests/x.py::test_x",
}
BROKEN = [
    ({"fact": "referee/rules/cards.py"}, "two carriers"),
    ({"rule": None}, "no carrier"),
    ({"test": None}, "no test"),
    ({"note": "text"}, "an unknown key"),
    ({"players": 4}, "players of no option"),
    ({"rule": None, "option": "swap"}, "an option without its value"),
    ({"rule": None, "option": "swap", "value": "yes"}, "an unfit value"),
    ({"rule": None, "not_representable": "Nobody records it."}, "a test of what cannot be shown"),
]


@pytest.mark.parametrize("change, about", BROKEN, ids=[about for _, about in BROKEN])
def test_a_row_with_wrong_keys_is_refused(change, about):
    row = {key: value for key, value in {**ROW, **change}.items() if value is not None}
    read = GENERATOR["_sentence"]
    assert read(ROW).by == "cante-late"
    with pytest.raises(ValueError):
        read(row)
