"""Pages as a browser parses them, asked by CSS selectors; what needs no layout needs no browser."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser, LexborNode

LEFT_OUT = "script, style, template, noscript"


class Html:
    """A page. What is found is a node of the parser, with ``attributes`` and ``html``."""

    def __init__(self, text: str) -> None:
        self.tree = LexborHTMLParser(text)

    def all(self, css: str) -> list[LexborNode]:
        """Elements, in the order of the page."""
        return self.tree.css(css)

    def one(self, css: str) -> LexborNode:
        """The only element of this kind."""
        found = self.all(css)
        assert len(found) == 1, (css, [one.html for one in found])
        return found[0]

    def count(self, css: str) -> int:
        """Number of elements."""
        return len(self.all(css))

    def values(self, css: str, name: str) -> list[str | None]:
        """An attribute of each element."""
        return [one.attributes.get(name) for one in self.all(css)]

    def texts(self, css: str) -> list[str]:
        """Text of each element, in one line."""
        return [text_of(one) for one in self.all(css)]

    def text(self, css: str = "body") -> str:
        """Text of the only element of this kind, in one line."""
        return text_of(self.one(css))


def text_of(node: LexborNode) -> str:
    """Text of an element in one line, without scripts."""
    copy = LexborHTMLParser(node.html or "")
    for left_out in copy.css(LEFT_OUT):
        left_out.decompose()
    return " ".join((copy.root.text(deep=True) if copy.root else "").split())
