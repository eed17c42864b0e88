"""The pages of the manual in a language: the texts of a task, with the words of the pages in them.

A text names a button by the key of its words, ``{season.go}``, and a command in backticks. So the
manual calls a button as its page does, in every language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from markupsafe import Markup, escape

from api.help.tasks import TASKS, Task
from api.http.access.prefix import prefix
from api.http.languages import texts

NAMED: Final = re.compile(r"\{([a-z_0-9.]+)\}")
"""The key of words that a text of the manual quotes."""
PICTURES: Final = Path(__file__).with_name("static") / "help" / "pictures"
"""Folder of the pictures, ``{name}.webp`` each; the tests of the tasks take them."""
_SIZE: Final = slice(24, 30)
"""Where the head of an extended WebP file has its width and height less 1, three bytes each."""
_OF_A_PHONE: Final = 2 * 390
"""Pixels across a picture of a phone at most."""
_TABLE_OF: Final = {"temporada": "season", "seguir-en-directo": "tournament_page"}
"""The family of texts that defines the columns of the table that a task is about."""
_COMMAND: Final = re.compile(r"`([^`]+)`")


class Trouble(NamedTuple):
    """What may go wrong at a task, and what helps."""

    case: Markup
    then: Markup


class Picture(NamedTuple):
    """A picture of a task: name of its file, what it shows in words, its pixels."""

    name: str
    words: str
    width: int
    height: int


class Column(NamedTuple):
    """A column of a table that a task is about, and what it counts: the words of that table."""

    name: str
    counts: str


class TaskPage(NamedTuple):
    """A page of the manual in a language."""

    name: str
    task: Task
    title: str
    purpose: str
    steps: tuple[Markup, ...]
    troubles: tuple[Trouble, ...]
    pictures: tuple[Picture, ...]
    columns: tuple[Column, ...] = ()

    @property
    def path(self) -> str:
        """Its address."""
        return f"{prefix()}/ayuda/{self.name}"

    @property
    def has_wide_pictures(self) -> bool:
        """Whether they were taken on a tablet, or on a wall."""
        return self.task.way == "tablet" or any(one.width > _OF_A_PHONE for one in self.pictures)

    @property
    def words(self) -> str:
        """All that it says, without marks, for the search."""
        parts = (*self.steps, *(one for trouble in self.troubles for one in trouble))
        return " ".join((self.title, self.purpose, *(part.striptags() for part in parts)))


@cache
def task_page(name: str, lang: str) -> TaskPage:
    """A page by the name of its task. ``KeyError``: there is none."""
    task, words = TASKS[name], texts(lang)
    at = f"help.task.{name}"
    cases = _text_series(lang, f"{at}.if", ".case")
    thens = _text_series(lang, f"{at}.if", ".then")
    return TaskPage(
        name,
        task,
        words[f"{at}.title"],
        words[f"{at}.for"],
        tuple(_text_series(lang, f"{at}.steps")),
        tuple(Trouble(case, then) for case, then in zip(cases, thens, strict=True)),
        tuple(_pictures((one, words[f"{at}.picture.{one}"]) for one in task.pictures)),
        tuple(_columns(_TABLE_OF.get(name, ""), lang)),
    )


def every_page(lang: str) -> tuple[TaskPage, ...]:
    """The whole manual in its order."""
    return tuple(task_page(name, lang) for name in TASKS)


def _columns(family: str, lang: str) -> Iterator[Column]:
    """The columns of a table, as the page of the table defines them."""
    words, at = texts(lang), f"{family}.about."
    for key in words if family else ():
        if key.startswith(at) and (name := key.removeprefix(at)) != "title":
            yield Column(words[f"{family}.{name}"], words[key])


def _pictures(named: Iterable[tuple[str, str]]) -> Iterator[Picture]:
    """Pictures with the size that their files say; one that was never taken is left out."""
    for name, words in named:
        file = PICTURES / f"{name}.webp"
        if file.exists():
            size = file.read_bytes()[_SIZE]
            width, height = (int.from_bytes(one, "little") + 1 for one in (size[:3], size[3:]))
            yield Picture(name, words, width, height)


def _text_series(lang: str, at: str, end: str = "") -> Iterator[Markup]:
    """Texts of a language with these numbered keys, from 1 on."""
    words, number = texts(lang), 1
    while (key := f"{at}.{number}{end}") in words:
        yield _mark_quotes(words[key], lang)
        number += 1


def _mark_quotes(text: str, lang: str) -> Markup:
    """A text of the manual with the words that it quotes, and its commands, marked."""
    words = texts(lang)
    marked = NAMED.sub(lambda found: f"<b>{escape(words[found[1]])}</b>", str(escape(text)))
    return Markup(_COMMAND.sub(r"<code>\1</code>", marked))  # noqa: S704 - our own texts, escaped
