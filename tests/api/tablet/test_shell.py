"""The tablet as an application: installation, offline start in the last language, updates."""

from __future__ import annotations

import re
import shutil
import struct
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import TimeoutError as NotInTime

from api.http.folders import static_file_path
from api.http.languages import LANGUAGES, texts_of_language
from tests.support.browser.in_browser import FLAGS, program
from tests.support.browser.pages import (
    TABLET,
    address,
    connect,
    cut_off,
    kept_offline,
    no_violations,
    no_violations_in_any_language,
    sign_in,
    site,
    visiting,
)
from tests.support.browser.tablets import OPENED, Club, Tablet, tablet
from tests.support.read_pages import HEAVIEST_PAGE, Reader
from tests.support.servers.served import ROOT, Served
from tests.support.waiting import LONGEST_MS

STATIC = ROOT / "api" / "tablet" / "static"
_VIEW = re.compile(r'(\w+|""): \(\) => (?:dressed\("(\w+)", )?import\("\./([\w/]+\.js)"\)')
NEVER_ENDS = 'scope.addEventListener("fetch", (it) => it.waitUntil(new Promise(() => {})));'


def kept(page: Page) -> list[str]:
    """Addresses that the worker keeps."""
    kept_offline(page)
    script = """async () => {
      const names = (await caches.keys()).filter((name) => name !== "tablet-language");
      const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return lists.flat().map((request) => new URL(request.url).pathname);
    }"""
    return list(page.evaluate(script))


def test_the_tablet_opens_without_network_in_the_last_language_and_in_every_other(
    browser: Browser, served: Served
) -> None:
    where, home = Club(served).encuentro(), address(served, "/arbitro/")
    with visiting(browser, served, "/arbitro/?lang=fr", signed_in=True, locale="pt-PT") as page:
        kept(page)
        cut_off(page)
        page.goto(home)
        assert page.get_attribute("html", "lang") == "fr"
        for lang in reversed(LANGUAGES):
            page.goto(f"{home}?lang={lang}")
            page.goto(home)
            page.wait_for_selector("button.sync")
            assert page.get_attribute("html", "lang") == lang
            assert page.title().startswith(texts_of_language(lang)["tablet.title"])
            no_violations_in_any_language(page)
        opens_by_itself(page, where)


def opens_by_itself(page: Page, encuentro: str) -> None:
    """A table that could not be asked for without a network is there when that is back."""
    page.evaluate("(id) => { location.hash = `#/mesa/${id}`; }", encuentro)
    expect(page.locator("main")).to_contain_text(
        texts_of_language("es")["tablet.table.problem_later"]
    )
    expect(page.locator("button.sync")).to_have_attribute("data-status", "offline")
    no_violations(page)
    connect(page)
    expect(page.locator("main section.table")).to_be_visible()
    expect(page.locator("button.sync")).to_have_attribute("data-status", "sent")


def test_a_browser_offers_to_install_it_and_its_worker_keeps_what_it_needs(
    browser: Browser, served: Served, tmp_path: Path
) -> None:
    context = browser.browser_type.launch_persistent_context(
        str(tmp_path), executable_path=program(), args=FLAGS, locale="ca-ES", **TABLET
    )
    sign_in(context, served)
    base = address(served, "")
    one = Tablet(context, base, Club(served).encuentro()).open()
    asked: list[str] = []
    one.page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    one.keep_offline().record(*OPENED)
    one.sent().reload()
    nothing_of_the_api_is_kept(kept(one.page), asked)
    assert one.faults == []
    devtools = context.new_cdp_session(one.page)
    assert devtools.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    found: dict[str, Any] = devtools.send("Page.getAppManifest")
    assert found["errors"] == []
    assert '"lang": "ca"' in found["data"]
    context.close()


def nothing_of_the_api_is_kept(here: list[str], asked: list[str]) -> None:
    """All files of the tablet are kept, its pages in each language, and nothing else."""
    files = {path for path in asked if path.startswith("/static/")}
    modules = [f"/static/{file.relative_to(STATIC).as_posix()}" for file in STATIC.rglob("*.js")]
    assert files | set(modules) <= set(here)
    assert {path for path in here if not path.startswith("/static/")} == {
        f"/arbitro/{path}{lang}" for path in ("", "ayuda/") for lang in LANGUAGES
    }


def test_a_browser_translates_nothing_that_scripts_write_and_the_readers_own_language_is_offered(
    browser: Browser, served: Served
) -> None:
    with visiting(browser, served, "/arbitro/?lang=es#/", signed_in=True, locale="ca-ES") as page:
        expect(page.locator("html")).to_have_attribute("translate", "no")
        page.get_by_role("link", name="Llegir en català").click()
        expect(page.locator("html")).to_have_attribute("lang", "ca")
        expect(page.locator(".offered")).to_have_count(0)
        page.goto(address(served, "/sala/"))
        expect(page.locator("html")).to_have_attribute("translate", "no")


def test_no_view_is_heavier_than_a_page_may_be(served: Served) -> None:
    reader = Reader(served, signed_in=True)
    main = (STATIC / "tablet" / "main.js").read_text()
    views = _VIEW.findall(main)
    assert len(views) == len(re.findall(r"=> .*import\(", main)) > 4
    shell = reader.weight("/arbitro/", "/static/tablet/main.js")
    for view, sheet, module in views:
        files = ["main.js", module, *([f"{sheet}.css"] if sheet else [])]
        heavy = reader.weight("/arbitro/", *(f"/static/tablet/{file}" for file in files))
        assert 20_000 < shell < heavy < HEAVIEST_PAGE, (view, heavy)
    assert 1_000 < reader.weight("/arbitro/ayuda/") < HEAVIEST_PAGE


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_manifest_is_in_the_language_of_the_reader_and_its_icons_are_what_it_says(
    served: Served, lang: str
) -> None:
    _, about = served.ask("GET", "/arbitro/manifest.webmanifest", headers={"Accept-Language": lang})
    assert (about["lang"], about["description"]) == (lang, texts_of_language(lang)["tablet.about"])
    pictures = [icon for icon in about["icons"] if icon["type"] == "image/png"]
    assert {(icon["sizes"], icon["purpose"]) for icon in pictures} == {
        ("192x192", "any"),
        ("512x512", "any"),
        ("512x512", "maskable"),
    }
    for icon in pictures:
        content = static_file_path(icon["src"].removeprefix("/static/")).read_bytes()
        width, height = struct.unpack(">II", content[16:24])
        assert f"{width}x{height}" == icon["sizes"]


def test_new_versions_of_the_worker_wait_until_they_are_asked_for_and_not_at_a_table(
    browser: Browser, tmp_path: Path
) -> None:
    club = tmp_path / "club"
    for room in ("api", "referee", "projections"):
        shutil.copytree(ROOT / room, club / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "gunicorn.conf.py", club)
    with site(tmp_path / "data", root=club) as served:
        with tablet(browser, served, Club(served).encuentro()) as one:
            one.keep_offline()
            before = texts_of_language("es")["tablet.title"]
            for after, work in (("La otra", NEVER_ENDS), ("La tercera", "")):
                served.kill_all()
                publish(club / "api" / "tablet", before, after, work)
                served.start()
                takes_over(one, before, after)
                before = after
                one.open()


def publish(room: Path, before: str, after: str, work: str) -> None:
    """A version with another title, whose worker does this too."""
    words = room / "lang" / "es.json"
    words.write_text(words.read_text("utf-8").replace(before, after), "utf-8")
    with (room / "static" / "tablet" / "worker.js").open("a") as worker:
        worker.write(work)


def wait_for_new_version(page: Page) -> None:
    """Ask for it each second, as a browser may never answer a question, or all those of a page."""
    page.wait_for_function(
        "() => navigator.serviceWorker.ready.then((worker) => (worker.update(), !!worker.waiting))",
        polling=1000,
        timeout=LONGEST_MS / 2,
    )


def takes_over(one: Tablet, before: str, after: str) -> None:
    """The new version waits at a table and after a reload, until it is asked for in the list."""
    page = one.page
    try:
        wait_for_new_version(page)
    except NotInTime:
        one.reload()
        wait_for_new_version(page)
    one.reload()
    assert page.title().startswith(before)
    page.click("button.sync")
    button = page.get_by_role("button", name=texts_of_language("es")["tablet.sync.new_version"])
    assert button.is_disabled()
    page.keyboard.press("Escape")
    page.goto(f"{one.base}/arbitro/#/")
    page.click("button.sync")
    button.click()
    page.wait_for_function("(title) => document.title.startsWith(title)", arg=after)
