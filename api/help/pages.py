"""The pages of the manual: its index, a page for each task, and a booklet for each reader."""

from __future__ import annotations

from flask import Blueprint, Response, g, request

from api.help.manual import TaskPage, task_page
from api.help.tasks import READERS, TASKS, TaskReader, tasks_of
from api.html.pages import page
from api.html.ways import may_go, way_to
from api.http.access import guard
from api.http.languages import language
from referee.errors import NotFound

blp = Blueprint("help", __name__)


@blp.get("/ayuda")
@guard.open_to_all
def index() -> Response:
    """Every task, by who does it"""
    pages = {reader: _pages(reader) for reader in READERS}
    has_tablet = may_go(getattr(g, "actor", None), way_to("tablet").path)
    return page("help/index.html", pages=pages, tour_of="arbitro" if has_tablet else "")


@blp.get("/ayuda/<string(maxlength=40):task>")
@guard.open_to_all
def show(task: str) -> Response:
    """How a task is done"""
    if task not in TASKS:
        raise NotFound(task)
    shown = task_page(task, language())
    way = shown.task.way
    also = [task_page(one, language()) for one in shown.task.also]
    there = way_to(way) if way else None
    if there and not may_go(getattr(g, "actor", None), there.path):
        there = None
    return page("help/task.html", shown=shown, also=also, there=there)


@blp.get("/ayuda/librillo")
@guard.open_to_all
def booklet() -> Response:
    """All tasks of a reader, a sheet of A4 each; ``para`` says of whom"""
    asked = request.args.get("para", READERS[0])
    readers = [one for one in READERS if one == asked]
    if not readers:
        raise NotFound(asked)
    return page("help/booklet.html", reader=readers[0], pages=_pages(readers[0]))


def _pages(reader: TaskReader) -> list[TaskPage]:
    return [task_page(name, language()) for name in tasks_of(reader)]
