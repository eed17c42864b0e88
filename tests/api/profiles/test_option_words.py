"""Words of options: every option and every value that a profile can have, in four languages."""

from __future__ import annotations

import pytest

from api.http.languages import LANGUAGES, option_words, texts_of_language, value_words
from referee.rules.profile.options import OPTION_NAMES
from referee.rules.profile.profile import profiles
from referee.rules.profile.values import SPECS, Spec, Value
from referee.table.comparison import EDITION

PLURAL = ("yes", "no", "none", "with_players")


def choices(spec: Spec) -> list[str | int]:
    """Choices of an option, if it has a list of them."""
    return list(spec.choices) if spec.kind in ("choice", "set") else []


def words_of(spec: Spec, choice: Value, lang: str) -> str:
    return value_words(spec.name, (str(choice),) if spec.kind == "set" else choice, lang)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", OPTION_NAMES)
def test_an_option_and_each_of_its_choices_has_words_of_its_own(name: str, lang: str) -> None:
    assert option_words(name, lang)
    spec = SPECS[name]
    said = [words_of(spec, choice, lang) for choice in choices(spec)]
    assert len(set(said)) == len(said)
    raw = {choice for choice in choices(spec) if isinstance(choice, str) and "_" in choice}
    assert not raw & set(said)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_two_options_are_called_the_same(lang: str) -> None:
    assert len({option_words(name, lang) for name in OPTION_NAMES}) == len(OPTION_NAMES)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_option_or_value_has_words_that_nothing_asks_for(lang: str) -> None:
    asked = {f"option.{name}" for name in OPTION_NAMES} | {f"value.{one}" for one in PLURAL}
    for spec in SPECS.values():
        asked |= {f"value.{spec.name}.{one}" for one in choices(spec) if isinstance(one, str)}
    asked.add("value.cantes_per_side.no_limit")
    asked.add(f"option.{EDITION}")  # a comparison names the edition among the options
    there = {key for key in texts_of_language(lang) if key.startswith(("option.", "value."))}
    assert there == asked


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_value_of_the_six_profiles_can_be_said(lang: str) -> None:
    for profile in profiles():
        for name, value in profile.values.items():
            assert value_words(name, value, lang)
        for name, others in profile.alternatives.items():
            assert all(value_words(name, other, lang) for other in others)


@pytest.mark.parametrize(
    ("name", "value", "lang", "words"),
    [
        ("overtrump", True, "es", "sí"),
        ("overtrump", False, "fr", "non"),
        ("target", 101, "ca", "101"),
        ("cantes_per_side", 0, "es", "sin límite"),
        ("cantes_per_side", 2, "es", "2"),
        ("deal_packets", "3+3", "en", "three by three"),
        ("renuncio_cases", (), "es", "nada"),
        ("renuncio_cases", ("follow", "beat"), "es", "no asistir, no montar"),
        ("hand_size", {4: 10, 2: 6}, "en", "with 4 players: 10; with 2 players: 6"),
    ],
)
def test_a_value_is_said_as_players_say_it(name: str, value: Value, lang: str, words: str) -> None:
    assert value_words(name, value, lang) == words


def test_a_choice_that_an_option_does_not_have_has_no_words() -> None:
    with pytest.raises(KeyError):
        value_words("undertrump", "sometimes", "es")
    with pytest.raises(KeyError):
        option_words("no_such_option", "es")
