"""Pages name people and cards; codes of seats and numbers of lines are small print alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Final
from urllib.parse import parse_qsl

import pytest

from tests.api.html.test_offered import Walk
from tests.support.browser.pages import missing_texts
from tests.support.html import Html
from tests.support.servers.every_write import used_club
from tests.support.servers.http_table import HttpTable

CODES: Final = re.compile(
    r"\b[ABC][12]\b"
    r"|\b(?:l[ií]ne[ae]s?|l[íi]ni(?:a|es)|lignes?|lines?) \d"
    r"|\b(?:gana|guanya|bando|bàndol|side|camp|équipe) [ABC]\b"
    r"|\b[ABC] (?:wins|gagne)\b",
    re.IGNORECASE,
)
"""A seat by its code, an act by its line, a side by its letter."""
LANGUAGES: Final = ("es", "ca", "en", "fr")
OF_A_TABLE: Final = (
    "/e/<encuentro_id>",
    "/e/<encuentro_id>/acta",
    "/e/<encuentro_id>/c",
    "/e/<encuentro_id>/c/<c>",
    "/e/<encuentro_id>/c/<c>/acta",
    "/e/<encuentro_id>/p/<n>",
    "/repeticion/<encuentro_id>/<n>",
    "/mesa/<encuentro_id>",
)


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpTable]:
    """A club that has been through everything, with something at each stage."""
    with used_club(tmp_path_factory.mktemp("named")) as table:
        yield table


class Reading(Walk):
    """A walk that sends no form, and keeps the address of every page."""

    def __init__(self, table: HttpTable, headers: dict[str, str]) -> None:
        super().__init__(table, headers)
        self.read: list[str] = []

    def _visit(self, path: str) -> None:
        page = self._get(path)
        if page is None:
            return
        self.read.append(path)
        for link in page.links:
            self._go_on(link)


LEFT_OUT: Final = "script, style, textarea, code, svg, .fine"
"""What is small print, typed, or for programs."""
SAID_BESIDE: Final = ("aria-label", "alt", "title")


@cache
def shown(html: str) -> str:
    """What a page says, without small print, what is typed, and the codes of programs."""
    page = Html(html)
    for one in page.all(LEFT_OUT):
        one.decompose()
    beside = [page.values(f"[{name}]", name) for name in SAID_BESIDE]
    said = page.tree.root.text(deep=True, separator=" ") if page.tree.root else ""
    return " ".join((said, *filter(None, chain(*beside))))


def queried(path: str) -> dict[str, str]:
    return dict(parse_qsl(path.partition("?")[2]))


@pytest.fixture(scope="module")
def pages(used: HttpTable) -> dict[tuple[str, str], str]:
    """HTML of every page of the club that a walk finds, by language and path.

    The walk has chosen a language on its way, so that ``Accept-Language`` would say nothing.
    """
    walk = Reading(used, used.owner())
    walk.walk()
    for rule in OF_A_TABLE:
        assert walk.visited[rule], rule
    assert len(walk.read) > 60
    return {
        (lang, path): walk.client.get(
            path.partition("?")[0],
            headers=walk.headers,
            query_string={**queried(path), "lang": lang},
        ).text
        for path in walk.read
        for lang in LANGUAGES
    }


def test_no_page_names_a_seat_or_an_act_by_its_code(pages: dict[tuple[str, str], str]) -> None:
    said = []
    for where, html in pages.items():
        text = shown(html)
        said += [
            (where, one.group(), text[max(0, one.start() - 40) : one.end() + 20])
            for one in CODES.finditer(text)
        ]
    assert not said, "\n".join(map(str, said[:40]))


def test_every_page_has_a_language_a_title_and_every_text(
    pages: dict[tuple[str, str], str],
) -> None:
    wrong = []
    for (lang, path), html in pages.items():
        has_language = f'<html lang="{lang}"' in html
        has_title = re.search(r"<title>[^<]*\w[^<]*</title>", html)
        missing = missing_texts(shown(html))
        has_language = has_language or path == "/verificador"  # one file, which asks the browser
        if missing or not has_language or not has_title:
            wrong.append((lang, path, missing or html[:200]))
    assert not wrong, "\n".join(map(str, wrong[:40]))


def test_the_walk_would_find_a_code() -> None:
    found = CODES.findall(shown("<p>B2 juega, línea 32, gana B</p><small class='fine'>A1</small>"))
    assert found == ["B2", "línea 3", "gana B"]


def test_no_way_back_stands_twice(pages: dict[tuple[str, str], str]) -> None:
    twice = [
        where
        for where, html in pages.items()
        if len(above := Html(html).values("nav.crumbs a", "href")) > len(set(above))
    ]
    assert twice == []
