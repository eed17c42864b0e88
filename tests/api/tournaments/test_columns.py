"""Each column of a tournament has one definition: its title, below the table, and in the manual."""

from __future__ import annotations

import pytest

from api.http.languages import LANGUAGES, texts_of_language
from tests.support.demonstrated import demonstrated
from tests.support.html import Html
from tests.support.servers.http_table import HttpTable


@pytest.fixture(scope="module")
def swiss(tmp_path_factory: pytest.TempPathFactory) -> HttpTable:
    return demonstrated(tmp_path_factory.mktemp("columns"))


def definitions(lang: str) -> dict[str, str]:
    """The definition of each column of a tournament, by its name."""
    words, at = texts_of_language(lang), "tournament_page.about."
    keys = [key.removeprefix(at) for key in words if key.startswith(at)]
    return {words[f"tournament_page.{key}"]: words[at + key] for key in keys}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_column_of_the_standings_says_what_it_counts(swiss: HttpTable, lang: str) -> None:
    tournament = swiss.get("/api/v1/tournaments").json["items"][0]["id"]
    answer = swiss.client.get(f"/torneos/{tournament}/clasificacion?lang={lang}")
    page, known = Html(answer.text), definitions(lang)
    titles = [one for one in page.values("table.standings th[scope=col]", "title") if one]
    assert len(titles) == 6
    below = dict(zip(page.texts("dl.about dt"), page.texts("dl.about dd"), strict=True))
    assert list(below.values()) == titles
    assert below.items() <= known.items()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("task", "family"), [("temporada", "season"), ("seguir-en-directo", "tournament_page")]
)
def test_the_manual_defines_the_columns_in_the_same_words(
    swiss: HttpTable, task: str, family: str, lang: str
) -> None:
    page, words = Html(swiss.client.get(f"/ayuda/{task}?lang={lang}").text), texts_of_language(lang)
    defined = [
        words[key]
        for key in words
        if key.startswith(f"{family}.about.") and not key.endswith(".title")
    ]
    assert len(defined) > 6
    assert set(defined) <= set(page.texts(".troubles dd"))
