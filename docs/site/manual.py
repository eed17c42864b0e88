"""The manual as pages of the site: what the program serves at ``/ayuda``, in two languages."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final, TypeAlias

from markupsafe import Markup

from api.help.pages import PICTURES, TaskPage, task_page
from api.help.tasks import READERS, TASKS, task_names_of_reader
from api.http.languages import texts_of_language

LANGUAGES: Final = {"en": "In English", "es": "En español"}
Entry: TypeAlias = dict[str, "str | list[Entry]"]
"""A title of the navigation, with its page or with more titles."""


def write(pages: Path) -> list[Entry]:
    """Write the manual and its pictures; what the navigation has of it."""
    folder = pages / "manual"
    shutil.copytree(PICTURES, folder / "pictures")
    return [{title: _write_language(folder / lang, lang)} for lang, title in LANGUAGES.items()]


def _write_language(folder: Path, lang: str) -> list[Entry]:
    """The manual in one language."""
    words = texts_of_language(lang)
    folder.mkdir(parents=True)
    index = [f"# {words['help.title']}", words["help.lead"]]
    entries: list[Entry] = [{words["help.all"]: f"manual/{lang}/index.md"}]
    for reader in READERS:
        role = words[f"help.role.{reader}"]
        tasks = [task_page(name, lang) for name in task_names_of_reader(reader)]
        rows = [f"- [{one.title}]({one.name}.md): {one.purpose}" for one in tasks]
        index += [f"## {role}", words[f"help.role_lead.{reader}"], "\n".join(rows)]
        entries.append({role: [{one.title: f"manual/{lang}/{one.name}.md"} for one in tasks]})
    (folder / "index.md").write_text("\n\n".join(index) + "\n", encoding="utf-8")
    for name in TASKS:
        text = _page(task_page(name, lang), lang)
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return entries


def _page(task: TaskPage, lang: str) -> str:
    """A task: its steps, its pictures, what may go wrong, what else helps."""
    words = texts_of_language(lang)
    parts = [f"# {task.title}", task.purpose]
    parts.append("\n".join(f"{n}. {_inline(step)}" for n, step in enumerate(task.steps, 1)))
    parts += [f"![{one.words}](../pictures/{one.name}.webp)" for one in task.pictures]
    if task.columns:
        rows = "\n".join(f"| {one.name} | {one.counts} |" for one in task.columns)
        parts.append(f"| | |\n|---|---|\n{rows}")
    if task.troubles:
        parts.append(f"## {words['help.if']}")
        parts += [f"**{_inline(one.case)}**\n\n{_inline(one.then)}" for one in task.troubles]
    also = [task_page(name, lang) for name in task.task.also]
    rows = "\n".join(f"- [{one.title}]({one.name}.md)" for one in also)
    return "\n\n".join([*parts, f"## {words['help.also']}", rows]) + "\n"


def _inline(text: Markup) -> str:
    """A text of the manual as Markdown, which leaves its marks and reads no signs in the rest."""
    return str(text).replace("*", "\\*").replace("_", "\\_")
