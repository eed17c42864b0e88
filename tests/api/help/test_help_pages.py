"""The manual in a browser: on a phone, by keyboard and screen reader, and on paper."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from api.help.tasks import READERS, TASKS, task_names_of_reader
from api.http.languages import LANGUAGES
from tests.support.browser.in_browser import running
from tests.support.browser.pages import LOOKED_AT, PHONE, TABLET, no_violations, site, visiting
from tests.support.servers.served import Served

pytestmark = pytest.mark.page
_EVERY_TASK = """async ([readers, langs]) => {
  const booklets = await Promise.all(langs.flatMap((lang) => readers.map(async (reader) => {
    const answer = await fetch(`/ayuda/librillo?para=${reader}&lang=${lang}`);
    const read = new DOMParser().parseFromString(await answer.text(), "text/html");
    return [...read.querySelectorAll("article.sheet")].map((sheet) => Object.assign(sheet, { lang }));
  })));
  for (const sheet of booklets.flat()) sheet.querySelector(".pictures")?.remove();
  document.querySelector("main").replaceChildren(...booklets.flat());
}"""
_TALLER_THAN_THE_SCREEN = """(last) => [...document.querySelectorAll("article.sheet")]
  .map((sheet) => [
    Math.round(sheet.querySelector(last).getBoundingClientRect().bottom - sheet.getBoundingClientRect().top),
    `${sheet.lang} ${sheet.id}`,
  ])
  .filter(([height]) => height > innerHeight - document.querySelector("main").offsetTop)"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with site(tmp_path_factory.mktemp("manual")) as made:
        yield made


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running() as started:
        yield started


def fits(page: Page) -> bool:
    """Whether nothing of the page is beside the screen."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_from_a_page_one_tap_leads_to_its_help_on_a_phone(served: Served, browser: Browser) -> None:
    with visiting(browser, served, "/entrar", **PHONE) as page:
        page.locator("header.top .round-button").click()
        page.wait_for_url("**/ayuda/entrar-y-contrasena")
        assert page.locator(".steps > li").count() >= 3
        assert fits(page)
        no_violations(page)


@pytest.mark.parametrize("lang", LOOKED_AT)
def test_index_and_booklet_fit_a_phone(served: Served, browser: Browser, lang: str) -> None:
    with visiting(browser, served, f"/ayuda?lang={lang}", **PHONE) as page:
        assert page.locator(".readers li a").count() == sum(
            len(task_names_of_reader(one)) for one in READERS
        )
        assert fits(page)
        no_violations(page)
        page.locator(".print a").nth(1).click()
        page.wait_for_url("**/ayuda/librillo?para=arbitro")
        assert fits(page)
        no_violations(page)


def test_the_text_of_a_task_is_a_screen_of_a_tablet_and_its_steps_one_of_a_phone(
    served: Served, browser: Browser
) -> None:
    """In every language, below the bar and without pictures, all in one page."""
    with visiting(browser, served, "/ayuda/librillo?para=arbitro", **TABLET) as page:
        page.evaluate(_EVERY_TASK, [READERS, LANGUAGES])
        assert page.locator("article.sheet").count() == len(TASKS) * len(LANGUAGES)
        assert page.evaluate(_TALLER_THAN_THE_SCREEN, ".troubles") == []
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate(_TALLER_THAN_THE_SCREEN, ".steps") == []


def test_a_booklet_is_a_sheet_of_paper_a_task(served: Served, browser: Browser) -> None:
    with visiting(browser, served, "/ayuda/librillo?para=arbitro") as page:
        printed = page.pdf(format="A4", prefer_css_page_size=True)
        pages = printed.count(b"/Type /Page") - printed.count(b"/Type /Pages")
        assert pages == 1 + len(task_names_of_reader("arbitro")), (
            "a sheet of contents, and one a task"
        )
