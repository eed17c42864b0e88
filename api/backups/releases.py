"""Releases, as known without internet: the changes in this one, and which one was here before.

How the program was installed is told by where it runs, so that a page can say how it is updated.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

import msgspec

from referee.log.durable import FILE_MODE, write_file_atomically
from referee.release import RELEASE

OPENED: Final = "opened.json"
_CHANGES: Final = "CHANGELOG.md"
_HEADING: Final = re.compile(r"^## \[(.+?)\].*\n", re.MULTILINE)
_ITEM: Final = re.compile(r"^- (.*(?:\n  .*)*)", re.MULTILINE)
_LINK: Final = re.compile(r"\[([^\]]+)\]\([^)]*\)")

Installation: TypeAlias = Literal["windows", "container", "systemd", "pipx", "source"]
"""How the program came to this computer."""
INSTALLATIONS: Final[tuple[Installation, ...]] = get_args(Installation)
_OF_CONTAINERS: Final = ("/.dockerenv", "/run/.containerenv")


class OpenedData(msgspec.Struct, frozen=True):
    """The release that opens the data now, and what was before it.

    ``views``: the version of each view; ``before``: the release that opened the data until then,
    empty if none is known; ``rebuilt``: views that were worked out anew for this one.
    """

    release: str
    since: datetime
    views: dict[str, int]
    before: str = ""
    rebuilt: tuple[str, ...] = ()


def read_last_opening_or_none(folder: Path) -> OpenedData | None:
    """The record in a data folder of the release that opened it last.

    None if there is no such record.
    """
    try:
        return msgspec.json.decode((folder / OPENED).read_bytes(), type=OpenedData)
    except (OSError, msgspec.MsgspecError):
        return None


def record_running_release(folder: Path, views: Mapping[str, int], now: datetime) -> None:
    """Record that this release opens the data of a folder, unless that is recorded already."""
    last = read_last_opening_or_none(folder)
    if last is not None and (last.release, last.views) == (RELEASE, views):
        return
    before = last.release if last is not None else ""
    changed = [name for name, version in views.items() if last and last.views.get(name) != version]
    opened = OpenedData(RELEASE, now, dict(views), before, tuple(changed))
    write_file_atomically(folder / OPENED, msgspec.json.encode(opened).decode(), FILE_MODE)


@cache
def changelog_of_release(release: str) -> tuple[str, ...]:
    """Entries of the changelog about a release, as plain texts."""
    packed = Path(__file__).with_name(_CHANGES)
    file = packed if packed.exists() else Path(__file__).parents[2] / _CHANGES
    try:
        text = file.read_text("utf-8")
    except OSError:
        return ()
    parts = dict(_changelog_sections(text))
    said = parts.get(release) or parts.get("Unreleased") or ""
    return tuple(_strip_markdown(one) for one in _ITEM.findall(said))


def _changelog_sections(text: str) -> Sequence[tuple[str, str]]:
    r"""Sections of a changelog by their release.

    >>> _changelog_sections("## [0.2.0] - 2026-11-25\n- One.\n## [0.1.0]\n- Other.\n")
    [('0.2.0', '- One.\n'), ('0.1.0', '- Other.\n')]
    """
    _, *found = _HEADING.split(text)
    return list(zip(found[::2], found[1::2], strict=True))


def _strip_markdown(entry: str) -> str:
    r"""An entry without the marks of its text.

    >>> _strip_markdown("*Mesas* has a [way](docs/a.md):\n  `guinote`")
    'Mesas has a way: guinote'
    """
    said = _LINK.sub(r"\1", " ".join(entry.split()))
    return re.sub(r"[*`](\S(?:[^*`]*\S)?)[*`]", r"\1", said)


def installation_kind() -> Installation:
    """How this program was installed."""
    if os.name == "nt":
        return "windows"
    if any(map(os.path.exists, _OF_CONTAINERS)):
        return "container"
    if os.environ.get("INVOCATION_ID"):
        return "systemd"
    return "pipx" if "pipx" in Path(sys.prefix).parts else "source"
