"""The replay as one file: it opens from the disk, and makes no requests."""

from __future__ import annotations

import lzma
import re
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser

from api.http.languages import LANGUAGES
from api.http.table_names import TableNames
from api.replay.file import bundle_three_scripts, replay_html
from api.replay.replays import ReplayRequest, ReplaySource, replay_of
from referee.aggregates.encuentro import freeze_profile
from referee.aggregates.partida import fold
from referee.rules.profile.options import Options
from referee.rules.profile.profile import profile
from tests.support.browser import in_browser
from tests.support.browser.pages import no_violations
from tests.support.browser.replayed import whole
from tests.support.places import ROOT
from tests.support.records.dealt_out import opened

CLUB = freeze_profile(profile("club"), 4, 40)
NAMES = {"A1": "Pilar </script><b>", "B1": "Andrés", "A2": "Concha", "B2": "Joaquín"}


def written(folder: Path, asked: ReplayRequest | None = None, *, observed: bool = True) -> Path:
    state = fold([opened(Options()), *whole(11, observed=observed)])
    path = folder / "partida.html"
    path.write_text(
        replay_html(
            replay_of(ReplaySource(state, CLUB, TableNames(4, NAMES)), asked or ReplayRequest())
        ),
        "utf-8",
    )
    return path


def test_a_file_of_now_or_of_before_opens_from_the_disk_without_requests(
    browser: Browser, tmp_path: Path
) -> None:
    path = written(tmp_path)
    with in_browser.opened(browser, path.as_uri(), offline=True) as page:
        assert page.locator(".seat").count() == 4
        assert page.locator(".beside .verdict.unlawful").count() == 1
        page.keyboard.press("Home")
        page.keyboard.press("PageDown")
        page.keyboard.press("PageDown")
        assert page.locator(".trick li").count() == 4
        assert page.locator(".trick use").first.evaluate("use => use.getBBox().width") > 10
        page.locator(".sheet a[data-line]").first.click()
        assert "#linea=" in page.url
        assert page.locator("h1").inner_text() == "Repetición de la partida 1"
        assert "Pilar </script><b>" in page.locator(".south .name").inner_text()
        no_violations(page)
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(f"{path.as_uri()}#linea=7")
    assert page.locator(".acts [aria-current]").get_attribute("data-line") == "7"
    context.close()
    kept = ROOT / "tests" / "golden" / "data" / "2026-11-23-replay.html.xz"
    path = tmp_path / "before.html"
    path.write_bytes(lzma.decompress(kept.read_bytes()))
    with in_browser.opened(browser, path.as_uri(), offline=True) as page:
        told = page.locator("body").inner_text()
        assert "Gana B, por renuncio" in told
        assert "edición 2026-1. Anotado hasta la línea 67." in told
        page.keyboard.press("End")
        assert page.locator(".acts [aria-current]").get_attribute("data-line") == "67"


@pytest.mark.parametrize(
    ("lang", "words"), [("es", "12 de octubre"), ("en", "12 October"), ("fr", "12 octobre")]
)
def test_a_partida_of_a_day_says_the_day_in_the_language_of_the_file(lang, words):
    state = fold([opened(Options()), *whole(11, observed=True)])
    source = ReplaySource(state, CLUB, TableNames(4, NAMES), "2026-10-12")
    assert words in replay_html(replay_of(source, ReplayRequest(lang=lang)))


def test_nothing_in_it_leads_outside(tmp_path):
    text = written(tmp_path).read_text("utf-8")
    assert not re.findall(r'(?:src|href)="(?!#|\?)[^"]+"', text)
    assert re.findall(r"https?://[^\s\"'<]+", text.replace("http://www.w3.org/2000/svg", "")) == []
    assert not re.search(r"^\s*(import|export) ", "".join(bundle_three_scripts()), re.MULTILINE)
    policy = text.split("Content-Security-Policy", 1)[1].split(">", 1)[0]
    assert "unsafe" not in policy.replace("script-src &#39;wasm-unsafe-eval&#39; ", "")


def test_the_same_replay_gives_the_same_bytes_and_few_of_them(tmp_path):
    one = written(tmp_path).read_bytes()
    assert one == written(tmp_path).read_bytes()
    assert len(one) < 215_000  # 17,900 of them the engine, 33,000 the modules that ask it


def test_a_file_of_a_seat_holds_nothing_that_it_did_not_see(tmp_path):
    acts = whole(11, observed=False)
    hands = [one for one in acts if msgspec.to_builtins(one)["kind"] == "hand"]
    text = written(tmp_path, ReplayRequest(seat="A1"), observed=False).read_text("utf-8")
    assert len(hands) > 4
    assert text.count("Cartas de Pilar") > 0
    assert not re.search(r"Cartas de (Andrés|Concha|Joaquín)|Mazo:", text)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_is_in_the_language_that_it_was_made_in(lang):
    state = fold([opened(Options()), *whole(11, observed=True)])
    replay = replace(replay_of(ReplaySource(state, CLUB), ReplayRequest()), lang=lang)
    assert f'<html lang="{lang}"' in replay_html(replay)
