"""Pages of the examples: each rule with its record, and both values replayed, in every language."""

from __future__ import annotations

import json

import pytest

from api.examples.records import RuleRecord, outcome_in_tag, play_record, rule_records_by_name
from api.examples.words import what_happens_in_words
from api.http.grammar import Phrase
from api.http.languages import LANGUAGES, option_words, say, value_words
from referee.rules.profile.options import OPTION_NAMES
from referee.rules.profile.profile import PROFILE_IDS
from tests.support.html import Html
from tests.support.servers.http_table import HttpTable

RECORDS = rule_records_by_name()
each_language = pytest.mark.parametrize("lang", LANGUAGES)


@pytest.fixture(scope="module")
def table(shared_table: HttpTable) -> HttpTable:
    return shared_table


def shown(table: HttpTable, path: str, lang: str = "es") -> Html:
    """A page as a stranger sees it."""
    visitor = table.app.test_client()
    answer = visitor.get(path, headers={"Accept-Language": lang, "Accept": "text/html"})
    assert answer.status_code == 200, path
    return Html(answer.text)


def replayed(table: HttpTable, name: str, which: str) -> str:
    """The outcome that a replay of a record shows, as the tags of a record write it."""
    page = shown(table, f"/reglas/ejemplos/{name}/{which}")
    won = json.loads(page.one("#replay-data").text())["outcome"]
    return f"{won['winner']} {won['how']}" if won else "undecided"


def sides(page: Html) -> list[str]:
    """What the page says of each value."""
    return [" ".join(one.text(deep=True, separator=" ").split()) for one in page.all(".side-of")]


@each_language
@pytest.mark.parametrize("one", RECORDS.values(), ids=RECORDS)
def test_an_example_says_what_happens_and_what_comes_out_under_each_value(
    table: HttpTable, one: RuleRecord, lang: str
) -> None:
    page = shown(table, f"/reglas/ejemplos/{one.name}", lang)
    assert page.text("h1") == option_words(one.option, lang)
    assert page.count(".side-of") == (1 if one.contrary is None else 2)
    told = [f"{one.html}" for one in page.all(".side-of :is(.outcome, .noted)")]
    assert told
    assert len(set(told)) > 1 or one.contrary is None
    assert page.count(".acts li") == sum(len(partida.acts) for partida in one.record.partidas)
    assert page.all("details pre")[-1].text() == one.text


@pytest.mark.parametrize(
    "one", [one for one in RECORDS.values() if one.contrary is not None], ids=lambda one: one.name
)
def test_both_replays_show_what_the_option_decides(table: HttpTable, one: RuleRecord) -> None:
    assert one.contrary is not None
    outcomes = []
    for which, record in (("repeticion", one.record), ("contraria", one.contrary)):
        outcomes.append(replayed(table, one.name, which))
        assert outcomes[-1] == outcome_in_tag(play_record(record), "winner")
    assert (len(set(outcomes)) == 2) == (one.differs == "winner")


@each_language
def test_the_list_leads_to_every_example(table: HttpTable, lang: str) -> None:
    page = shown(table, "/reglas/ejemplos", lang)
    links = page.values("dl.options a", "href")
    assert links == [f"/reglas/ejemplos/{name}" for name in RECORDS]
    assert "/reglas/ejemplos" in shown(table, "/reglas", lang).values("main a", "href")


@pytest.mark.parametrize("profile_id", PROFILE_IDS)
def test_every_option_of_a_profile_leads_to_its_example(table: HttpTable, profile_id: str) -> None:
    links = shown(table, f"/reglas/{profile_id}").values("dl.options a", "href")
    assert links == [f"/reglas/ejemplos/{name}" for name in OPTION_NAMES]
    assert set(OPTION_NAMES) <= set(RECORDS)


def test_the_page_of_a_rule_says_who_has_each_value(table: HttpTable) -> None:
    here, there = sides(shown(table, "/reglas/ejemplos/beat_partner"))
    assert here.startswith("Sí Así en: Escuela de guiñote, Guiñote sin mazo Ganan Andrés y Joaquín")
    assert there.startswith("No Así en: Normas comunes,")
    assert "Ganan Pilar y Nieves" in there
    here, there = sides(shown(table, "/reglas/ejemplos/duties_from"))
    assert value_words("pinta_from", "first_stock_card", "es") in there
    assert value_words("pinta_from", "first_stock_card", "es") not in here


@pytest.mark.parametrize("one", RECORDS.values(), ids=RECORDS)
def test_a_record_says_what_happens_as_its_page_does_in_english(one: RuleRecord) -> None:
    codes = {code: Phrase(code) for code in ("A1", "B1", "C1", "A2", "B2", "A", "B")}
    assert say(f"example.{one.name}", "en", **codes) == one.record.tags["About"]


def test_what_happens_is_said_with_the_players_of_the_table() -> None:
    assert what_happens_in_words(RECORDS["overtrump"], "es") == (
        "Andrés ya había fallado. Nieves falló más bajo y tenía un triunfo más alto."
    )
    assert what_happens_in_words(RECORDS["claim_in"], "fr").endswith("celle d'Andrés et Joaquín.")


@pytest.mark.parametrize(
    "path", ["nada", "overtrump/nada", "last_trick_points/contraria", "nada/repeticion"]
)
def test_what_there_is_not_is_not_found(table: HttpTable, path: str) -> None:
    assert table.app.test_client().get(f"/reglas/ejemplos/{path}").status_code == 404
