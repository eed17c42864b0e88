"""The pages of the manual in a language: the texts of a task, with the words of the pages in them.

A text names a button by the key of its words, ``{season.go}``, and a command in backticks. So the
manual calls a button as its page does, in every language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from markupsafe import Markup, escape

from api.help.tasks import TASKS, Task
from api.http.languages import texts

NAMED: Final = re.compile(r"\{([a-z_0-9.]+)\}")
"""The key of words that a text of the manual quotes."""
_COMMAND: Final = re.compile(r"`([^`]+)`")


class Trouble(NamedTuple):
    """What may go wrong at a task, and what helps."""

    case: Markup
    then: Markup


class TaskPage(NamedTuple):
    """A page of the manual in a language; ``pictures``: file and words of each."""

    name: str
    task: Task
    title: str
    purpose: str
    steps: tuple[Markup, ...]
    troubles: tuple[Trouble, ...]
    pictures: tuple[tuple[str, str], ...]

    @property
    def path(self) -> str:
        """Its address."""
        return f"/ayuda/{self.name}"

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
    cases = _numbered(lang, f"{at}.if", ".case")
    thens = _numbered(lang, f"{at}.if", ".then")
    return TaskPage(
        name,
        task,
        words[f"{at}.title"],
        words[f"{at}.for"],
        tuple(_numbered(lang, f"{at}.steps")),
        tuple(Trouble(case, then) for case, then in zip(cases, thens, strict=True)),
        tuple((one, words[f"{at}.picture.{one}"]) for one in task.pictures),
    )


def every_page(lang: str) -> tuple[TaskPage, ...]:
    """The whole manual in its order."""
    return tuple(task_page(name, lang) for name in TASKS)


def _numbered(lang: str, at: str, end: str = "") -> Iterator[Markup]:
    """Texts of a language with these numbered keys, from 1 on."""
    words, number = texts(lang), 1
    while (key := f"{at}.{number}{end}") in words:
        yield _said(words[key], lang)
        number += 1


def _said(text: str, lang: str) -> Markup:
    """A text of the manual with the words that it quotes, and its commands, marked."""
    words = texts(lang)
    marked = NAMED.sub(lambda found: f"<b>{escape(words[found[1]])}</b>", str(escape(text)))
    return Markup(_COMMAND.sub(r"<code>\1</code>", marked))  # noqa: S704 - our own texts, escaped
