"""The documentation site: built without a warning, and what a newcomer asks is two clicks away."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath
from threading import Thread
from urllib.parse import unquote
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page

import dev
from docs.site.build import build, server_of
from tests.support.html import Html

with Path(__file__).with_name("questions.tsv").open(encoding="utf-8") as _rows:
    QUESTIONS = list(csv.DictReader(_rows, delimiter="\t"))
LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}
CLICKED = ".md-content a, .md-tabs a"
"""What a reader sees of a page without opening a menu."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built anew; a warning of mkdocs fails here."""
    folder = tmp_path_factory.mktemp("docs")
    dev.prepare_site()
    build(dev.MKDOCS, folder)
    return folder


@cache
def parsed(file: Path) -> Html:
    return Html(file.read_text(encoding="utf-8"))


@cache
def ids_of(file: Path) -> frozenset[str | None]:
    return frozenset(parsed(file).values("[id]", "id"))


def pages(site: Path) -> Iterator[Path]:
    """Every page but the one that a server shows for what is not there."""
    yield from (one for one in sorted(site.rglob("*.html")) if one.name != "404.html")


def target_of(page: Path, link: str, site: Path) -> tuple[Path, str]:
    """File and heading to which a link of a page leads."""
    path, _, heading = link.partition("#")
    here = page.relative_to(site).as_posix()
    return site / (normpath(join(dirname(here), unquote(path))) if path else here), unquote(heading)


def test_every_link_leads_to_what_is_there(site: Path) -> None:
    broken, seen = [], 0
    for page in pages(site):
        for link in set(parsed(page).values("a[href]", "href")):
            if link and not re.match(r"[a-z]+:", link):
                seen += 1
                file, heading = target_of(page, link, site)
                is_there = file.is_file() and (not heading or heading in ids_of(file))
                broken += [(page.relative_to(site).as_posix(), link)] * (not is_there)
    assert not broken
    assert seen > 10_000


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    missing = []
    for page in pages(site):
        for element, name in LOADED.items():
            for link in parsed(page).values(f"{element}[{name}]", name):
                file, _ = target_of(page, link or "", site)
                missing += [(page.name, link)] * (not file.is_file())
    assert not missing
    sheets = "".join(one.read_text(encoding="utf-8") for one in site.rglob("*.css"))
    assert not re.findall(r"url\(\"?https?:|@import", sheets)


def test_every_page_has_a_title_of_its_own_in_its_language(site: Path) -> None:
    titles = {page: parsed(page).text("title") for page in pages(site)}
    folders = {(page.parent, title) for page, title in titles.items()}
    assert len(folders) == len(titles) > 150


def test_text_that_looks_like_a_list_or_a_table_has_become_one(site: Path) -> None:
    """Markdown of a checkout and that of the site differ in what begins a list."""
    raw = re.compile(r"^(?:\||\d+\. |- )|\n(?:\||\s*- |\s*\d+\. )")
    assert not [
        (page.name, text[:60])
        for page in pages(site)
        for one in parsed(page).all("article p")
        if raw.search(text := one.text())
    ]


def test_a_site_that_was_built_is_served(site: Path) -> None:
    with server_of(site, ("127.0.0.1", 0)) as server:
        Thread(target=server.handle_request, daemon=True).start()
        with urlopen(f"http://127.0.0.1:{server.server_port}/start/app.html") as answer:
            assert "A first request" in answer.read().decode()


def test_there_are_ten_questions() -> None:
    assert len({row["question"] for row in QUESTIONS}) == len(QUESTIONS) >= 10


@pytest.mark.parametrize("row", QUESTIONS, ids=[row["question"] for row in QUESTIONS])
def test_a_newcomer_finds_the_answer_within_two_clicks(site: Path, row: dict[str, str]) -> None:
    page, clicks = site / row["start"], row["pages"].split()
    assert 1 <= len(clicks) <= 2
    for click in clicks:
        links = {
            target_of(page, link or "", site)[0] for link in parsed(page).values(CLICKED, "href")
        }
        assert site / click in links, f"{page.name} does not lead to {click}"
        page = site / click
    assert row["found"] in parsed(page).text("article")


def search(page: Page, file: Path, words: str) -> list[str]:
    """Titles that the search of a page finds."""
    page.goto(file.as_uri())
    page.locator("input.md-search__input").press_sequentially(words)
    page.locator(".md-search-result__item").first.wait_for(state="attached")
    return page.locator(".md-search-result__item h1").all_text_contents()


def test_a_browser_without_a_network_searches_in_both_languages(
    site: Path, browser: Browser
) -> None:
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    assert "Backups" in search(page, site / "index.html", "backup")
    assert "Copias de seguridad" in search(page, site / "law" / "law.html", "copias")
    assert not [one for one in asked if not one.startswith(("file:", "data:", "blob:", "about:"))]
    page.close()


def test_no_page_is_wider_than_a_phone(site: Path, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 740})
    wide = []
    for name in ("index", "reference/commands", "reference/http/types", "law/profiles"):
        page.goto((site / f"{name}.html").as_uri())
        width = page.evaluate("document.documentElement.scrollWidth")
        wide += [(name, width)] * (width > 360)
    page.close()
    assert not wide
