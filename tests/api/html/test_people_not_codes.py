"""Pages name people and cards; codes of seats and numbers of lines are small print alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Final

import pytest

from tests.api.html.test_offered import Walk
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


class PageText(HTMLParser):
    """What a page says, without small print, what is typed, and the codes of programs."""

    LEFT_OUT = ("script", "style", "textarea", "code", "svg")
    EMPTY = ("input", "br", "img", "meta", "link", "hr", "use", "path", "col", "wbr", "source")

    def __init__(self, html: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self._left_out = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        is_left_out = tag in self.LEFT_OUT or "fine" in given.get("class", "").split()
        if not self._left_out and not is_left_out:
            self.said += [given[name] for name in ("aria-label", "alt", "title") if name in given]
        if tag not in self.EMPTY and (self._left_out or is_left_out):
            self._left_out += 1

    def handle_endtag(self, tag: str) -> None:
        if self._left_out and tag not in self.EMPTY:
            self._left_out -= 1

    def handle_data(self, data: str) -> None:
        if not self._left_out:
            self.said.append(data)


def shown(html: str) -> str:
    return " ".join(PageText(html).said)


def test_no_page_names_a_seat_or_an_act_by_its_code(used: HttpTable) -> None:
    walk = Reading(used, used.owner())
    walk.walk()
    for rule in OF_A_TABLE:
        assert walk.visited[rule], rule
    assert len(walk.read) > 60
    said = []
    for path in walk.read:
        for lang in LANGUAGES:
            headers = {**walk.headers, "Accept-Language": lang}
            text = shown(walk.client.get(path, headers=headers).text)
            said += [
                (lang, path, one.group(), text[max(0, one.start() - 40) : one.end() + 20])
                for one in CODES.finditer(text)
            ]
    assert not said, "\n".join(map(str, said[:40]))


def test_the_walk_would_find_a_code() -> None:
    found = CODES.findall(shown("<p>B2 juega, línea 32, gana B</p><small class='fine'>A1</small>"))
    assert found == ["B2", "línea 3", "gana B"]
