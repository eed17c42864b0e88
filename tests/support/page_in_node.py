"""The tablet in node, driven with the words of a browser's driver: no layout, and a hundredth of the time.

For tests of what the tablet shows and records. What a finger, a keyboard or a screen does is for a browser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Self

from tests.support.javascript import HERE, NodePage, node_page
from tests.support.outbox import cookie_of
from tests.support.servers.served import Served

_CALL = "([name, given]) => driven[name](...given)"
_OPEN = f"""async (given) => {{
  globalThis.driven = await import("{(HERE / "node" / "driven.mjs").as_uri()}");
  await driven.visit(...given);
}}"""


class PageInNode:
    """A page of the tablet that is signed in; one table is shown after another, as in a club."""

    def __init__(self, node: NodePage, served: Served) -> None:
        self.node = node
        node.evaluate(_OPEN, [f"http://127.0.0.1:{served.port}", cookie_of(served), "/arbitro/"])

    def ask(self, name: str, *given: Any) -> Any:
        """Call of a function of ``driven.mjs``."""
        return self.node.evaluate(_CALL, [name, given])

    def evaluate(self, script: str, given: Any = None) -> Any:
        """Value of a script, or what its function returns."""
        return self.node.evaluate(script, given)

    def locator(self, css: str) -> Found:
        """All elements of a selector."""
        return Found(self).locator(css)

    def get_by_role(self, role: str, **named: Any) -> Found:
        """All elements that are read out as these."""
        return Found(self).get_by_role(role, **named)

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
        assert self.ask("wrong") == []

    def network(self, *, is_on: bool) -> None:
        """Cut the network, or give it back."""
        self.node.evaluate(_NETWORK, is_on)


_NETWORK = f"""(isOn) => import("{(HERE / "node" / "site.mjs").as_uri()}").then((one) => one.network(isOn))"""


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

    def tap(self) -> None:
        self.page.ask("done", self.steps, "tap")

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
def tablet_in_node(served: Served) -> Iterator[PageInNode]:
    """The tablet of a service, in a process of its own."""
    with node_page() as node:
        yield PageInNode(node, served)
