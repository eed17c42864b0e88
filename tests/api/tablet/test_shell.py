"""The tablet as an application: installation, offline start in the last language, updates."""

from __future__ import annotations

import shutil
import struct
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from api.http.folders import static_file
from api.http.languages import LANGUAGES, texts
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
from tests.support.browser.tablets import OPENED, Club, tablet
from tests.support.servers.served import ROOT, Served

STATIC = ROOT / "api" / "tablet" / "static"
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


def test_the_tablet_opens_without_network_in_every_language(
    browser: Browser, served: Served
) -> None:
    with visiting(browser, served, "/arbitro/", signed_in=True, locale="pt-PT") as page:
        kept(page)
        cut_off(page)
        for lang in LANGUAGES:
            page.goto(address(served, f"/arbitro/?lang={lang}"))
            page.goto(address(served, "/arbitro/"))
            page.wait_for_selector("button.sync")
            assert page.get_attribute("html", "lang") == lang
            assert page.title().startswith(texts(lang)["tablet.title"])
            no_violations_in_any_language(page)


def test_the_language_chosen_with_network_is_the_one_without(
    browser: Browser, served: Served
) -> None:
    with visiting(browser, served, "/arbitro/?lang=fr", signed_in=True) as page:
        kept(page)
        cut_off(page)
        page.goto(address(served, "/arbitro/"))
        assert page.get_attribute("html", "lang") == "fr"


def test_the_worker_keeps_what_the_tablet_needs_and_nothing_of_the_api(
    browser: Browser, served: Served
) -> None:
    where = Club(served).encuentro()
    with tablet(browser, served, where) as one:
        asked: list[str] = []
        one.page.on("request", lambda request: asked.append(urlsplit(request.url).path))
        one.keep_offline().record(*OPENED)
        one.sent().reload()
        here = kept(one.page)
        files = {path for path in asked if path.startswith("/static/")}
        modules = [
            f"/static/{file.relative_to(STATIC).as_posix()}" for file in STATIC.rglob("*.js")
        ]
        assert files | set(modules) <= set(here)
        assert {path for path in here if not path.startswith("/static/")} == {
            f"/arbitro/{path}{lang}" for path in ("", "ayuda/") for lang in LANGUAGES
        }


def test_a_table_that_could_not_be_asked_for_opens_by_itself(
    browser: Browser, served: Served
) -> None:
    where = Club(served).encuentro()
    with visiting(browser, served, "/arbitro/", signed_in=True) as page:
        kept(page)
        cut_off(page)
        page.evaluate("(where) => { location.hash = `#/mesa/${where}`; }", where)
        expect(page.locator("main")).to_contain_text(texts("es")["tablet.table.problem_later"])
        expect(page.locator("button.sync")).to_have_attribute("data-status", "offline")
        no_violations(page)
        connect(page)
        expect(page.locator("main section.table")).to_be_visible()
        expect(page.locator("button.sync")).to_have_attribute("data-status", "sent")


def test_a_browser_offers_to_install_it(browser: Browser, served: Served, tmp_path: Path) -> None:
    context = browser.browser_type.launch_persistent_context(
        str(tmp_path), executable_path=program(), args=FLAGS, locale="ca-ES", **TABLET
    )
    sign_in(context, served)
    page = context.new_page()
    page.goto(address(served, "/arbitro/"))
    kept(page)
    devtools = context.new_cdp_session(page)
    assert devtools.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    found: dict[str, Any] = devtools.send("Page.getAppManifest")
    assert found["errors"] == []
    assert '"lang": "ca"' in found["data"]
    context.close()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_manifest_is_in_the_language_of_the_reader_and_its_icons_are_what_it_says(
    served: Served, lang: str
) -> None:
    _, about = served.ask("GET", "/arbitro/manifest.webmanifest", headers={"Accept-Language": lang})
    assert (about["lang"], about["description"]) == (lang, texts(lang)["tablet.about"])
    pictures = [icon for icon in about["icons"] if icon["type"] == "image/png"]
    assert {(icon["sizes"], icon["purpose"]) for icon in pictures} == {
        ("192x192", "any"),
        ("512x512", "any"),
        ("512x512", "maskable"),
    }
    for icon in pictures:
        content = static_file(icon["src"].removeprefix("/static/")).read_bytes()
        width, height = struct.unpack(">II", content[16:24])
        assert f"{width}x{height}" == icon["sizes"]


@pytest.mark.parametrize("work", ["", NEVER_ENDS], ids=["ends", "never-ends"])
def test_a_new_version_waits_until_it_is_asked_for_and_not_at_a_table(
    browser: Browser, tmp_path: Path, work: str
) -> None:
    club = tmp_path / "club"
    for room in ("api", "referee", "projections"):
        shutil.copytree(ROOT / room, club / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "gunicorn.conf.py", club)
    with (club / "api" / "tablet" / "static" / "tablet" / "worker.js").open("a") as worker:
        worker.write(work)
    with site(tmp_path / "data", root=club) as served:
        where = Club(served).encuentro()
        with tablet(browser, served, where) as one:
            one.keep_offline()
            served.kill_all()
            words = club / "api" / "tablet" / "lang" / "es.json"
            before = texts("es")["tablet.title"]
            words.write_text(words.read_text("utf-8").replace(before, "La otra"), "utf-8")
            served.start()
            one.page.evaluate("navigator.serviceWorker.ready.then((worker) => worker.update())")
            one.page.wait_for_function(
                "() => navigator.serviceWorker.ready.then((worker) => worker.waiting !== null)"
            )
            one.reload()
            assert one.page.title().startswith(before)
            one.page.click("button.sync")
            button = one.page.get_by_role("button", name=texts("es")["tablet.sync.new_version"])
            assert button.is_disabled()
            one.page.keyboard.press("Escape")
            one.page.goto(f"{one.base}/arbitro/#/")
            one.page.click("button.sync")
            button.click()
            one.page.wait_for_function("() => document.title.startsWith('La otra')")
