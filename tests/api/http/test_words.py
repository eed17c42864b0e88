"""Languages: four languages with the same texts, and none missing."""

from __future__ import annotations

import json
import re
import string
import typing
from collections import Counter

import pytest

from api.http.folders import text_files
from api.http.languages import LANGUAGES, card_name, say, texts_of_language
from api.http.problems import PROBLEMS
from referee import events
from referee.rules.articles import Rule
from referee.rules.cards import TOKENS
from referee.rules.profile.profile import Basis
from tests.support.places import ROOT

API = ROOT / "api"


def wanted() -> set[str]:
    """Keys that the program may ask for."""
    kinds = {
        tag(one)
        for family in (events.PartidaAct, events.EncuentroAct, events.CaseAct)
        for one in typing.get_args(family)
    }
    conclusions = {
        tag(one)
        for one in (*typing.get_args(events.PartidaEvent), *typing.get_args(events.EncuentroEvent))
        if issubclass(one, events.Conclusion)
    }
    return {
        *(f"rule.{rule}" for rule in Rule),
        *(f"problem.{code}" for code in PROBLEMS),
        *(f"problem.{code}.detail" for code in PROBLEMS),
        *(f"act.{kind}" for kind in kinds),
        *(f"conclusion.{kind}" for kind in conclusions),
        *(f"basis.{one}" for one in typing.get_args(Basis)),
        *(f"how.{how}" for how in typing.get_args(events.How)),
        *(f"incident.{one}" for one in typing.get_args(events.Incident)),
    }


def tag(struct: typing.Any) -> str:
    return str(struct.__struct_config__.tag)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_rule_problem_and_act_has_a_text(lang: str) -> None:
    assert wanted() - set(texts_of_language(lang)) == set()


def homes(lang: str) -> list[tuple[str, str]]:
    """Families of texts with the room of their file; duplicates are listed twice."""
    return sorted(
        (family, file.parents[1].name)
        for file in text_files(lang)
        for family, _ in json.loads(file.read_text("utf-8"), object_pairs_hook=list)
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_family_of_texts_is_in_one_file_of_each_language(lang: str) -> None:
    times = Counter(family for family, _ in homes(lang))
    assert [family for family, n in times.items() if n > 1] == []
    assert homes(lang) == homes("es")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_languages_have_the_same_texts(lang: str) -> None:
    assert set(texts_of_language(lang)) == set(texts_of_language("es"))
    assert [key for key, text in texts_of_language(lang).items() if not text.strip()] == []


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_languages_say_the_same_facts(lang: str) -> None:
    differing = {
        key
        for key, text in texts_of_language(lang).items()
        if placeholders(text) != placeholders(texts_of_language("es")[key])
    }
    assert differing == set()


def test_every_text_that_a_template_asks_for_is_there() -> None:
    asked = {
        key
        for template in API.rglob("templates/**/*.html")
        for key in re.findall(
            r"""["']((?:page|language)\.[a-z_]+)["']""", template.read_text("utf-8")
        )
    }
    assert asked
    assert asked - set(texts_of_language("es")) == set()


OF_PAGES = ("page", "common", "tablet", "board", "replay")


def test_every_text_that_a_script_asks_for_is_there() -> None:
    scripts = [one.read_text("utf-8") for one in API.rglob("static/**/*.js")]
    asked = set(
        re.findall(
            rf"""["'`]((?:{"|".join(OF_PAGES)})\.[a-z_.0-9]*[a-z0-9])["'`]""", "".join(scripts)
        )
    )
    assert asked - set(texts_of_language("es")) == set()


def test_no_text_of_a_page_is_forgotten() -> None:
    scripts = [*API.rglob("templates/**/*.html"), *API.rglob("static/**/*.js")]
    sources = [*scripts, *API.rglob("*.py")]
    source = "".join(one.read_text("utf-8") for one in sources)
    unused = {
        key
        for key in texts_of_language("es")
        if key.split(".")[0] in OF_PAGES
        and f'"{key}"' not in source
        and f"'{key}'" not in source
        and f"`{key.rpartition('.')[0]}.${{" not in source  # `family.${what}` asks for all of them
    }
    assert unused == set()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_card_has_a_name(lang: str) -> None:
    assert len({card_name(token, lang) for token in TOKENS}) == len(TOKENS)


SAID = [
    (
        "es",
        "rule.card-played-before",
        {"card": "RO"},
        "El rey de oros ya se ha jugado en este reparto.",
    ),
    ("ca", "rule.hand-too-large", {"cards": 7}, "Són massa cartes: 7."),
    (
        "en",
        "act.hand",
        {"seat": "A1", "cards": ["AO", "3B"]},
        "A1's cards: ace of oros, three of bastos",
    ),
    ("fr", "act.cante", {"seat": "B2", "suit": "E"}, "B2 annonce espadas"),
    (
        "es",
        "rule.card-elsewhere",
        {"card": "2O"},
        "no puede tener el dos de oros: está en otro sitio (–).",
    ),
    (
        "fr",
        "rule.card-elsewhere",
        {"card": "2O", "seat": "A1", "where": "pinta"},
        "A1 ne peut pas avoir le deux d'oros : la carte est ailleurs (c'est la pinta).",
    ),
    ("es", "act.ruling", {"text": "AO"}, "Resolución: AO"),
    ("en", "no.such.text", {}, "no.such.text"),
]


@pytest.mark.parametrize(("lang", "key", "facts", "text"), SAID)
def test_facts_are_put_into_words(lang: str, key: str, facts: dict[str, object], text: str) -> None:
    assert say(key, lang, **facts) == text


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "code",
    "already_playing bad_draw bad_tournament method_not_allowed not_decided not_found refused "
    "too_many".split(),
)
def test_an_error_of_a_page_says_what_happened_what_is_safe_and_what_to_do(
    lang: str, code: str
) -> None:
    said = texts_of_language(lang)[f"problem.{code}.detail"]
    assert len(re.findall(r"[,:;.](?:\s|$)", said)) >= 3, said
