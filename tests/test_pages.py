"""What all pages share: the drawings, the libraries, and that everybody can use them."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from api.i18n import LANGUAGES
from tests.in_browser import running
from tests.pages import HEAVIEST_PAGE, no_violations, site, visiting, weight
from tests.served import Served

ROOT = Path(__file__).parent.parent
VENDOR = ROOT / "api" / "static" / "vendor"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running() as started:
        yield started


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with site(tmp_path_factory.mktemp("site")) as one:
        yield one


def test_the_cards_are_as_they_are_drawn() -> None:
    done = subprocess.run([sys.executable, ROOT / "docs" / "draw_cards.py", "--check"], check=False)
    assert done.returncode == 0


def test_the_libraries_are_the_ones_that_the_licences_name() -> None:
    digest = hashlib.sha256((VENDOR / "ui.js").read_bytes()).hexdigest()
    assert digest in (VENDOR / "LICENCES.txt").read_text("utf-8")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("path", ["/entrar", "/reglas", "/reglas/club", "/reglas/club/y/guinyot"])
def test_everybody_can_use_the_pages(
    browser: Browser, served: Served, path: str, lang: str
) -> None:
    with visiting(browser, served, f"{path}?lang={lang}") as page:
        no_violations(page)


@pytest.mark.parametrize("path", ["/", "/entrar", "/reglas/club"])
def test_no_page_is_heavy(browser: Browser, served: Served, path: str) -> None:
    assert 1_000 < weight(browser, served, path, signed_in=True) < HEAVIEST_PAGE
