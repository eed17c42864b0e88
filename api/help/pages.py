"""The pages of the manual: its index, a page for each task, and a booklet for each reader."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from flask import Blueprint, Response, g, request
from markupsafe import Markup, escape

from api.help.tasks import READERS, TASKS, Task, TaskReader, task_names_of_reader
from api.html.pages import page
from api.html.ways import link_to_page, may_open
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.languages import language, texts_of_language
from referee.errors import NotFound

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
        """Address of the page of a task."""
        return f"{prefix()}/ayuda/{self.name}"

    @property
    def has_wide_pictures(self) -> bool:
        """Whether the pictures of a task were taken on a tablet or on a wall screen."""
        return self.task.way == "tablet" or any(one.width > _OF_A_PHONE for one in self.pictures)

    @property
    def words(self) -> str:
        """All the text of the page of a task without markup, for the search."""
        parts = (*self.steps, *(one for trouble in self.troubles for one in trouble))
        return " ".join((self.title, self.purpose, *(part.striptags() for part in parts)))


@cache
def task_page(name: str, lang: str) -> TaskPage:
    """A page by the name of its task. ``KeyError``: there is none."""
    task, words = TASKS[name], texts_of_language(lang)
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
        tuple(_columns_of_table(_TABLE_OF.get(name, ""), lang)),
    )


def every_page(lang: str) -> tuple[TaskPage, ...]:
    """The whole manual in its order."""
    return tuple(task_page(name, lang) for name in TASKS)


def _columns_of_table(family: str, lang: str) -> Iterator[Column]:
    """Names and definitions of the columns of a table, as the page of the table has them."""
    words, at = texts_of_language(lang), f"{family}.about."
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
    """Texts with these numbered keys, from 1 on, with their quotes filled in."""
    words, number = texts_of_language(lang), 1
    while (key := f"{at}.{number}{end}") in words:
        yield _fill_in_quotes(words[key], lang)
        number += 1


def _fill_in_quotes(text: str, lang: str) -> Markup:
    """A text with its quoted keys replaced by their words in bold, and its commands marked."""
    words = texts_of_language(lang)
    marked = NAMED.sub(lambda found: f"<b>{escape(words[found[1]])}</b>", str(escape(text)))
    return Markup(_COMMAND.sub(r"<code>\1</code>", marked))  # noqa: S704 - our own texts, escaped


blp = Blueprint("help", __name__)


@blp.get("/ayuda")
@guard.open_to_all
def show_index() -> Response:
    """The page with every task of the manual, by who does it"""
    pages = {reader: _task_pages_of_reader(reader) for reader in READERS}
    has_tablet = may_open(getattr(g, "actor", None), link_to_page("tablet").path)
    return page("help/index.html", pages=pages, tour_of="arbitro" if has_tablet else "")


@blp.get("/ayuda/<string(maxlength=40):task>")
@guard.open_to_all
def show_task(task: str) -> Response:
    """The page that says how a task is done"""
    if task not in TASKS:
        raise NotFound(task)
    shown = task_page(task, language())
    way = shown.task.way
    also = [task_page(one, language()) for one in shown.task.also]
    there = link_to_page(way) if way else None
    if there and not may_open(getattr(g, "actor", None), there.path):
        there = None
    return page("help/task.html", shown=shown, also=also, there=there)


@blp.get("/ayuda/librillo")
@guard.open_to_all
def show_booklet() -> Response:
    """The page to print with all tasks of a kind of reader, which ``para`` names"""
    asked = request.args.get("para", READERS[0])
    readers = [one for one in READERS if one == asked]
    if not readers:
        raise NotFound(asked)
    return page("help/booklet.html", reader=readers[0], pages=_task_pages_of_reader(readers[0]))


def _task_pages_of_reader(reader: TaskReader) -> list[TaskPage]:
    return [task_page(name, language()) for name in task_names_of_reader(reader)]
