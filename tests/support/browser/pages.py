"""Pages in a real browser with a real server: helpers for content and accessibility."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page
from playwright.sync_api import Error as PlaywrightError

from api.http.languages import LANGUAGES, texts_of_language
from tests.support.browser.in_browser import described
from tests.support.servers.long_runs import IS_LONG
from tests.support.servers.served import ROOT, Served
from tests.support.waiting import wait_for

TABLET: dict[str, Any] = {"viewport": {"width": 1024, "height": 768}, "has_touch": True}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
TELEVISION: dict[str, Any] = {"viewport": {"width": 1920, "height": 1080}}
HEAVIEST_PICTURE = 60_000
_REFUSED = re.compile(r"responded with a status of 4\d\d")
_ARRIVES = """(wanted) => fetch("/healthz", { cache: "no-store" })
  .then(() => true, () => false).then((arrives) => arrives === wanted)"""
_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_CONTRAST = {"type": "rule", "values": ["color-contrast"]}
_LOOK = """(options) => axe.run(options).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => [id, html])))"""
_IS_THERE = """document.readyState !== 'loading'
  && [...document.querySelectorAll("link[rel=stylesheet]")].every((one) => one.sheet)"""
"""A new page has no root for a moment, and its style sheets may still be on the way."""
_SAID = """() => {
  const named = ["aria-label", "title", "placeholder", "alt"];
  const named_texts = (one) => named.map((name) => one.getAttribute(name) ?? "").join(" ");
  const heard = (one) => [...one.querySelectorAll("*"), one].map(named_texts).join("") + one.textContent;
  const tapped = [...document.querySelectorAll("a[href], button, summary")];
  return {
    lang: document.documentElement.lang,
    title: document.title.trim(),
    text: [document.title, document.body.innerText, ...[...document.querySelectorAll("*")].map(named_texts)].join("\\n"),
    nameless: tapped.filter((one) => one.checkVisibility() && !heard(one).trim()).map((one) => one.outerHTML),
  };
}"""
_KEY = re.compile(r"(?<![\w./@-])[a-z_]+(?:\.[a-z0-9_]+)+(?![\w/@-])")
_SECTIONS = {key.partition(".")[0] for key in texts_of_language(LANGUAGES[0])}
WORKER_WAITS = """(() => {
  const workers = navigator.serviceWorker;
  if (!workers || location.protocol === "about:" || sessionStorage.isKept) return;
  const register = workers.register.bind(workers);
  const waiting = [];
  workers.register = (...asked) => new Promise((done, failed) => {
    waiting.push(() => register(...asked).then(done, failed));
  });
  window.keepPage = () => {
    sessionStorage.isKept = "yes";
    workers.register = register;
    waiting.splice(0).forEach((go) => go());
  };
})()"""
"""The service worker is not made before ``kept_offline``, as on a slow line: it fetches every file again."""


@contextmanager
def site(folder: Path, root: Path = ROOT, **settings: str) -> Iterator[Served]:
    """A gunicorn of this test alone over a data folder; ``root``: where the program is."""
    served = Served(folder, is_forked=True, **settings)
    served.root = root
    served.start()
    try:
        yield served
    finally:
        served.kill_all()


def address(served: Served, path: str) -> str:
    """Address of a page of a site."""
    return f"http://127.0.0.1:{served.port}{served.prefix}{path}"


def sign_in(context: BrowserContext, served: Served) -> None:
    """The browser has the owner's cookie; the form that gives it has tests of its own."""
    answer = context.request.post(
        address(served, "/entrar"), form={"token": served.token}, max_redirects=0
    )
    assert answer.status == 303, answer.text()


class Visit:
    """A page of a site, and what went wrong on it since it was last opened."""

    def __init__(
        self, browser: Browser, served: Served, *, signed_in: bool = False, **settings: Any
    ) -> None:
        self.served = served
        self.context = browser.new_context(**{"locale": "es-ES", **settings})
        self.context.add_init_script(WORKER_WAITS)
        if signed_in:
            sign_in(self.context, served)
        self._cookies = self.context.cookies()
        self.page = self.context.new_page()
        self._size = self.page.viewport_size
        self._complaints: list[str] = []
        self._asked: list[str] = []
        self.page.on("pageerror", lambda error: self._complaints.append(str(error)))
        self.page.on("console", self._heard)
        self.page.on("request", lambda request: self._asked.append(request.url))

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._complaints.append(message.text)

    def open(self, path: str) -> None:
        """Open an address of the site."""
        self._complaints.clear()
        self._asked.clear()
        self.page.goto(address(self.served, path))

    def check(self, refusals: int = 0) -> None:
        """No errors, no requests to other hosts, and so many answers with a status of 4xx."""
        complaints = [text for text in self._complaints if "net::ERR" not in text]
        refused = [text for text in complaints if _REFUSED.search(text)]
        assert len(refused) == refusals, refused
        wrong = [text for text in complaints if text not in refused]
        assert not wrong, wrong
        ours = (address(self.served, "/"), "data:", "blob:")
        foreign = [url for url in self._asked if not url.startswith(ours)]
        assert not foreign, foreign

    def reset(self) -> None:
        """Leave the page, with the size and the cookies that it began with and no storage."""
        self.page.evaluate("localStorage.clear(); sessionStorage.clear()")
        self.page.goto("about:blank")
        if self._size is not None and self._size != self.page.viewport_size:
            self.page.set_viewport_size(self._size)
        self.context.clear_cookies()
        self.context.add_cookies(self._cookies)


@contextmanager
def visiting(
    browser: Browser,
    served: Served,
    path: str,
    *,
    signed_in: bool = False,
    refusals: int = 0,
    **settings: Any,
) -> Iterator[Page]:
    """A page of a site; it must have no errors, and make no requests to other hosts.

    ``refusals``: expected number of answers with a status of 4xx.
    """
    visit = Visit(browser, served, signed_in=signed_in, **settings)
    try:
        with described(visit.context):
            visit.open(path)
            yield visit.page
            visit.check(refusals)
    finally:
        visit.context.close()


def kept_offline(page: Page) -> None:
    """The service worker of the page is made, and keeps it."""
    page.evaluate("window.keepPage?.()")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")


def cut_off(page: Page) -> None:
    """Cut the network, and wait until it is cut: the page knows before the network process does."""
    page.context.set_offline(True)
    page.wait_for_function(_ARRIVES, arg=False, polling=20)


def connect(page: Page) -> None:
    """End the cut of the network, and wait until requests arrive again."""
    page.context.set_offline(False)
    page.wait_for_function(_ARRIVES, arg=True, polling=20)


def no_violations(page: Page) -> None:
    """No violation of WCAG 2.2 AA that axe finds, and no missing text."""
    in_words(page)
    _look(page, _RULES)


def enough_contrast(page: Page) -> None:
    """Enough contrast of all texts: what other colours can break."""
    _look(page, _CONTRAST)


def _look(page: Page, rules: object) -> None:
    """No violation of any of these rules of axe."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate(_LOOK, {"runOnly": rules, "resultTypes": ["violations"]})
    assert not found, found


LOOKED_AT = LANGUAGES if IS_LONG else (LANGUAGES[0], LANGUAGES[-1])
"""Languages in which the layout of a page is measured: the first, and that of the longest words."""

READ = LANGUAGES if IS_LONG else LANGUAGES[:1]
"""Languages in which a page whose layout is not measured is opened in a browser; a long run: all.

That all languages have the same texts, and that a page has its own, is tested without a browser
(``test_people_not_codes.py``).
"""


def no_violations_in_any_language(page: Page) -> None:
    """``no_violations`` in one language, ``in_words`` in the others; in a long run all of both.

    For what looks alike in every language: structure and contrast do not depend on it.
    """
    if is_looked_at(page):
        no_violations(page)
    else:
        in_words(page)


def is_looked_at(page: Page) -> bool:
    """Whether structure and contrast of a page are looked at in its language."""
    return IS_LONG or page.evaluate("document.documentElement.lang") == LANGUAGES[0]


def in_words(page: Page) -> None:
    """Language and title are set, no text is missing, and all targets have a name."""
    wait_for(lambda: page.evaluate(_IS_THERE), "a page with its style sheets", PlaywrightError)
    said = page.evaluate(_SAID)
    assert said["lang"] in LANGUAGES, said["lang"]
    assert said["title"]
    assert said["nameless"] == []
    assert missing_texts(said["text"]) == []


def missing_texts(text: str) -> list[str]:
    """Keys of the language files that stand in a text where their own text should be."""
    return [key for key in _KEY.findall(text) if key.partition(".")[0] in _SECTIONS]


def weight(
    browser: Browser, served: Served, path: str, *, is_live: bool = False, **settings: Any
) -> int:
    """Bytes of HTML, CSS and JavaScript of a page as sent at its first visit.

    The network of a page that ``is_live`` never rests.
    """
    with visiting(browser, served, path, **settings) as page:
        page.wait_for_load_state("load" if is_live else "networkidle")
        return weight_of(page)


def weight_of(page: Page, size: str = "encodedBodySize") -> int:
    """Bytes of HTML, CSS and JavaScript that an open page was sent; pictures have a bound each."""
    return int(page.evaluate(_WEIGHT, size))


_WEIGHT = r"""(size) => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
    .filter((one) => !/^\/api\/|\.(svg|png|webp|woff2)$/.test(new URL(one.name).pathname))
    .reduce((sum, one) => sum + one[size], 0)"""
