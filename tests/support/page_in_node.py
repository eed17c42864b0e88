"""Pages in node, driven with the words of a browser's driver: no layout, and a hundredth of the time.

For tests of what scripts show and record. What a finger, a keyboard or a screen does is for a browser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatch
from typing import Any, Self

from tests.support.javascript import HERE, NodePage, kept_node
from tests.support.servers.cookies import cookie_of
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

_CALL = "([name, given]) => driven[name](...given)"
_DRIVEN = f"""async () => {{
  globalThis.driven = await import("{(HERE / "node" / "driven.mjs").as_uri()}");
}}"""


class PageInNode:
    """A page of a service; its links and forms lead to others."""

    def __init__(self, node: NodePage, served: Served | None = None) -> None:
        self.node, self.served = node, served
        node.evaluate(_DRIVEN)
        self.ask("wrong")  # of a page that was left

    def visit(
        self, path: str, *, signed_in: bool = False, languages: Sequence[str] = ("es-ES",)
    ) -> Self:
        """Open a page as somebody who is new here, or as the owner of the service."""
        assert self.served
        cookies = cookie_of(self.served) if signed_in else ""
        self.ask(
            "visit",
            f"http://127.0.0.1:{self.served.port}",
            cookies,
            self.served.prefix + path,
            list(languages),
        )
        return self

    def open_file(self, address: str) -> Self:
        """Open a page that is saved in a file."""
        self.ask("openFile", address)
        return self

    def ask(self, name: str, *given: Any) -> Any:
        """Call of a function of ``driven.mjs``."""
        return self.node.evaluate(_CALL, [name, given])

    def evaluate(self, script: str, given: Any = None) -> Any:
        """Value of a script, or what its function returns."""
        return self.node.evaluate(script, given)

    def wait_for_function(self, script: str, *, arg: Any = None) -> None:
        """Wait until a script gives what is true."""
        self.node.wait_for(script, arg)

    @property
    def url(self) -> str:
        """Address of the page, once it is there."""
        return str(self.ask("where")["url"])

    @property
    def status(self) -> int:
        """Status of the answer that brought the page."""
        return int(self.ask("where")["status"])

    def title(self) -> str:
        return str(self.ask("where")["title"])

    def goto(self, path: str) -> None:
        """Open an address with the cookies of now."""
        self.ask("go", path)

    def reload(self) -> None:
        self.ask("reload")

    def wait_for_url(self, pattern: str) -> None:
        """Wait until the address is like this: ``**/casa``."""
        wait_for(lambda: fnmatch(self.url, pattern), pattern)

    def press(self, key: str) -> None:
        """Press a key where the focus is: ``Enter``."""
        self.ask("key", key)

    def fill(self, css: str, text: str) -> None:
        self.locator(css).fill(text)

    def click(self, css: str) -> None:
        self.locator(css).click()

    def select_option(self, css: str, value: str) -> None:
        self.locator(css).select_option(value)

    def locator(self, css: str) -> Found:
        """All elements of a selector."""
        return Found(self).locator(css)

    def get_by_role(self, role: str, **named: Any) -> Found:
        """All elements that are read out as these."""
        return Found(self).get_by_role(role, **named)

    def get_by_label(self, text: str) -> Found:
        """Fields whose label begins with a text."""
        return Found(self).get_by_label(text)

    @contextmanager
    def at(self, view: str) -> Iterator[None]:
        """A view of the tablet; then the list of tables, and nothing went wrong."""
        self.ask("go", view)
        try:
            yield
        finally:
            self.network(is_on=True)
            self.ask("go", "#/")
        expect(self.locator("main .club")).to_be_visible()
        self.is_well()

    def is_well(self) -> None:
        """No script failed since this was last asked."""
        wrong = self.ask("wrong")
        assert wrong == [], "\n".join(wrong)

    def network(self, *, is_on: bool) -> None:
        """Cut the network, or give it back."""
        self.ask("network", is_on)


class Found:
    """Elements of a page, looked for whenever they are used."""

    def __init__(self, page: PageInNode, *steps: list[Any]) -> None:
        self.page, self.steps = page, steps

    def _then(self, *step: Any) -> Self:
        return type(self)(self.page, *self.steps, list(step))

    def locator(self, css: str) -> Self:
        return self._then("css", css)

    def get_by_role(self, role: str, *, name: str | None = None, exact: bool = True) -> Self:
        assert exact
        return self._then("role", role, name)

    def get_by_label(self, text: str) -> Self:
        return self._then("label", text)

    def filter(self, *, has_text: str) -> Self:
        return self._then("text", has_text)

    def nth(self, place: int) -> Self:
        return self._then("nth", place)

    @property
    def first(self) -> Self:
        return self.nth(0)

    @property
    def last(self) -> Self:
        return self.nth(-1)

    def all(self) -> list[Self]:
        return [self.nth(place) for place in range(self.count())]

    def count(self) -> int:
        return int(self.page.ask("read", self.steps, "count"))

    def all_inner_texts(self) -> list[str]:
        return list(self.page.ask("read", self.steps, "texts"))

    def values(self, attribute: str) -> list[str]:
        """This attribute of each."""
        return list(self.page.ask("read", self.steps, "values", attribute))

    def inner_text(self) -> str:
        return str(self.page.ask("one", self.steps, "texts"))

    def get_attribute(self, name: str) -> str | None:
        value = self.page.ask("one", self.steps, "values", name)
        return None if value is None else str(value)

    def input_value(self) -> str:
        return str(self.page.ask("one", self.steps, "properties", "value"))

    def is_visible(self) -> bool:
        """Whether there is one that no attribute hides."""
        return any(self.page.ask("read", self.steps, "visible"))

    def tap(self) -> None:
        self.page.ask("done", self.steps, "tap")

    click = tap

    def fill(self, text: str) -> None:
        self.page.ask("done", self.steps, "fill", text)

    def select_option(self, value: str) -> None:
        """Choose an option by its value or its label."""
        self.page.ask("done", self.steps, "choose", value)

    def check(self) -> None:
        self.page.ask("done", self.steps, "check", True)

    def uncheck(self) -> None:
        self.page.ask("done", self.steps, "check", False)

    def press(self, key: str) -> None:
        self.page.ask("done", self.steps, "type", key)

    @contextmanager
    def pressed(self) -> Iterator[None]:
        """A finger is on it during the block."""
        self.page.ask("done", self.steps, "press")
        yield
        self.page.ask("release")

    def press_sequentially(self, text: str) -> None:
        self.page.ask("done", self.steps, "write", text)


class Expected:
    """Checks with the names that a browser's driver gives them; each is waited for."""

    def __init__(self, found: Found) -> None:
        self._found = found

    def __getattr__(self, name: str) -> Callable[..., None]:
        def check(*given: Any) -> None:
            sent = [
                {"pattern": one.pattern} if isinstance(one, re.Pattern) else one for one in given
            ]
            isTrue = not name.startswith("not_")
            self._found.page.ask(
                "expected", self._found.steps, isTrue, name.removeprefix("not_"), *sent
            )

        return check


def expect(found: Found) -> Expected:
    """Checks of what is found."""
    return Expected(found)


@contextmanager
def page_in_node(
    served: Served | None = None, path: str = "", *, signed_in: bool = False
) -> Iterator[PageInNode]:
    """Pages of a service or saved ones, which no other test sees; none of their scripts fails.

    It begins with the page at ``path``, if that is given.
    """
    with kept_node() as node:
        page = PageInNode(node, served)
        if path:
            page.visit(path, signed_in=signed_in)
        yield page
        page.is_well()


@contextmanager
def tablet_in_node(served: Served) -> Iterator[PageInNode]:
    """The tablet of a service; one table is shown after another, as in a club."""
    with page_in_node(served, "/arbitro/", signed_in=True) as page:
        yield page
