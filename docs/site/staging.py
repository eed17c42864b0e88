"""The pages of the source as pages of the site: where each lies, and links that hold there.

A page links to what lies beside it in the source. On the site a page is a page, a picture is
copied, and any other file is shown as text, so that no link needs the internet.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
AT_THE_TOP: Final = {
    "CONTRIBUTING.md": "developing/contributing.md",
    "SECURITY.md": "operating/security.md",
    "CHANGELOG.md": "developing/changelog.md",
    "README.md": "start/readme.md",
}
"""Pages that lie outside ``docs``, and their places on the site."""
NOT_SHOWN: Final = frozenset({"docs/package.md"})
"""It is what a package registry shows."""
UNSEARCHED: Final = frozenset({"CHANGELOG.md", "docs/law/sentences.md", "docs/operating/asvs.md"})
"""Long lists, whose words would hide the page that answers."""
_UNSEARCHED_HEAD: Final = "---\nsearch:\n  exclude: true\n---\n\n"
_LAST_HEAD: Final = "---\nsearch:\n  boost: 0.2\n---\n\n"
"""Of a decision, which says why and not how: it is found after the other pages."""
PICTURES: Final = frozenset({".png", ".webp", ".svg"})
_FENCE: Final = re.compile(r"(?ms)^( *)```.*?^\1```[^\n]*$")
_LINK: Final = re.compile(r"(?P<head>\]\()(?P<path>[^)\s#:]+)(?P<anchor>#[^)\s]*)?(?=\))")


class Unlinked(Exception):  # noqa: N818 - it says what the page is
    """A page links to what is not there."""


def page_of(path: str) -> str | None:
    """Place of a page of the source on the site; None if it is no page of it.

    >>> page_of("CONTRIBUTING.md"), page_of("docs/law/index.md"), page_of("LICENSE")
    ('developing/contributing.md', 'law/index.md', None)
    """
    if path in AT_THE_TOP:
        return AT_THE_TOP[path]
    inside = path.startswith("docs/") and path.endswith(".md") and path not in NOT_SHOWN
    return path.removeprefix("docs/") if inside else None


def sources() -> Iterator[str]:
    """Every page of the source that the site shows."""
    yield from AT_THE_TOP
    for path in sorted((ROOT / "docs").rglob("*.md")):
        name = path.relative_to(ROOT).as_posix()
        if page_of(name):
            yield name


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """A page whose text was changed, and whose blocks of code were not."""
    parts, last = [], 0
    for block in _FENCE.finditer(text):
        parts += [change(text[last : block.start()]), block[0]]
        last = block.end()
    return "".join([*parts, change(text[last:])])


def copy_pages(pages: Path) -> None:
    """Copy every page and what it links to."""
    for source in sources():
        place = page_of(source)
        assert place
        text = (ROOT / source).read_text(encoding="utf-8")
        text = outside_code(text, lambda part, at=source: _with_links(part, at, pages))
        head = _UNSEARCHED_HEAD if source in UNSEARCHED else _LAST_HEAD if "/adr/" in source else ""
        target = pages / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(head + text, encoding="utf-8")


def _with_links(text: str, source: str, pages: Path) -> str:
    """A text of a page, its links as they are on the site."""
    here = PurePosixPath(source).parent
    place = page_of(source) or ""

    def link(found: re.Match[str]) -> str:
        target = normpath(str(here / found["path"]))
        there = page_of(target) or copy_of(target, pages)
        return (
            f"{found['head']}{relpath(there, PurePosixPath(place).parent)}{found['anchor'] or ''}"
        )

    return _LINK.sub(link, text)


def copy_of(path: str, pages: Path) -> str:
    """Place on the site of a file that is no page; it is copied there.

    :raises Unlinked: there is no such file
    """
    file = ROOT / path
    if not file.is_file():
        raise Unlinked(path)
    place = f"files/{path}" if file.suffix in PICTURES else f"files/{path}.txt"
    target = pages / place
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, target)
    return place
