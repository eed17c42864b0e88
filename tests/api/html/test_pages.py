"""Common parts of all pages: drawings, libraries, accessibility."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser

from tests.api.cases.test_actas import disputed_partida
from tests.api.encuentros.test_pages import noted_partida
from tests.support.browser.kept_pages import kept_page, no_violations_in_any_scheme
from tests.support.browser.pages import READ, address, site
from tests.support.places import ROOT
from tests.support.read_pages import HEAVIEST_PAGE, Reader
from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import Served

VENDOR = ROOT / "api" / "tablet" / "static" / "tablet" / "vendor"


class Club(NamedTuple):
    """A site with data."""

    served: Served
    partida: str
    """Encuentro of a partida with tricks, a cante, a finding and a correction."""
    case: str
    """Encuentro of a partida with a case."""


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    folder = tmp_path_factory.mktemp("site")
    table = HttpTable(folder)
    encuentros = [where.split("/")[4] for where in (noted_partida(table), disputed_partida(table))]
    table.close()
    with site(folder) as served:
        yield Club(served, *encuentros)


def test_the_cards_are_as_they_are_drawn() -> None:
    done = subprocess.run([sys.executable, ROOT / "docs" / "draw_cards.py", "--check"], check=False)
    assert done.returncode == 0


def test_the_libraries_are_the_ones_that_the_licences_name() -> None:
    digest = hashlib.sha256((VENDOR / "ui.js").read_bytes()).hexdigest()
    assert digest in (VENDOR / "LICENCES.txt").read_text("utf-8")


PAGES = {
    "login": "/entrar",
    "profiles": "/reglas",
    "profile": "/reglas/club",
    "difference": "/reglas/club/y/guinyot",
    "home": "/",
    "encuentro": "/e/{0.case}",
    "partida": "/e/{0.partida}/p/1",
    "profile in force": "/e/{0.partida}/reglas",
    "acta": "/e/{0.case}/acta",
    "acta of a case": "/e/{0.case}/c/1/acta",
}


@pytest.mark.parametrize("lang", READ)
def test_pages_are_readable_in_light_and_dark_colours(
    browser: Browser, club: Club, lang: str
) -> None:
    with kept_page(browser, club.served, f"/reglas?lang={lang}", signed_in=True) as page:
        for path in PAGES.values():
            page.goto(address(club.served, path.format(club)))
            no_violations_in_any_scheme(page)


def test_no_page_is_heavy(club: Club) -> None:
    reader = Reader(club.served, signed_in=True)
    for name, path in PAGES.items():
        assert 1_000 < reader.weight(path.format(club)) < HEAVIEST_PAGE, name
