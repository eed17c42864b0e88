"""The HTTP reference: a page for each subject of the OpenAPI document, its types and its errors."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from api.document.pages import (
    AnswerDisplay,
    DocumentDisplay,
    KeyDisplay,
    TypeDisplay,
    TypePart,
    WholeOperation,
)
from api.server import wiring
from docs.site.manual import Entry

FOLDER: Final = "reference/http"
HEAD: Final = """# The HTTP interface, operation by operation

Made from the OpenAPI document of this release, which every service has at `/api/openapi.json`.
How requests, versions, keys and errors work together is in [HTTP](../../developing/http.md).
"""
TYPES: Final = "# Types of requests and answers\n\nEach type once; operations link to it.\n"


def write(pages: Path) -> list[Entry]:
    """Write the reference; what the navigation has of it."""
    display = _display()
    folder = pages / FOLDER
    folder.mkdir(parents=True)
    entries: list[Entry] = [{"All operations": f"{FOLDER}/index.md"}]
    index, types = [HEAD], dict[str, TypeDisplay]()
    for subject, heads in display.by_subject().items():
        found = [one for head in heads if (one := display.operation(head.id))]
        types |= {one.name: one for operation in found for one in operation.types}
        name, title = subject.replace("_", "-"), subject.replace("_", " ").capitalize()
        entries.append({title: f"{FOLDER}/{name}.md"})
        text = "\n\n".join([f"# {title}", *(_operation(one) for one in found)])
        (folder / f"{name}.md").write_text(text + "\n", encoding="utf-8")
        rows = [f"- [{_title(one)}]({name}.md#{one.head.id}): {one.head.summary}" for one in found]
        index += [f"## {title}", "\n".join(rows)]
    entries.append({"Types": f"{FOLDER}/types.md"})
    body = [_type(types[name]) for name in sorted(types)]
    (folder / "index.md").write_text("\n\n".join(index) + "\n", encoding="utf-8")
    (folder / "types.md").write_text("\n\n".join([TYPES, *body]) + "\n", encoding="utf-8")
    return entries


def _display() -> DocumentDisplay:
    """The document of this release, as its own pages show it."""
    with tempfile.TemporaryDirectory() as folder:
        app = wiring.app(folder, with_projector=False)
        return DocumentDisplay(app.extensions["document"].content)


def _title(one: WholeOperation) -> str:
    return f"{one.head.method.upper()} `{one.head.path}`"


def _operation(one: WholeOperation) -> str:
    parts = [f"## {_title(one)} {{ #{one.head.id} }}", _words(one.head.summary) + "."]
    parts += [_words(one.about)] * bool(one.about)
    parts += ["**Deprecated.**"] * one.head.is_deprecated
    parts.append("Anybody may ask." if one.head.is_open else "Needs a token or a sign-in.")
    parts += [_keys(one.parameters)] * bool(one.parameters)
    if one.body:
        parts.append(f"**Request:** {_kind(one.body, 'types.md')}")
        parts += [_example(one.sent)] * bool(one.sent)
    parts += [_answer(answer) for answer in one.answers]
    parts += [_example(one.answered)] * bool(one.answered)
    rows = "\n".join(f"- {_error(answer)}" for answer in one.errors)
    parts.append(f'??? note "Errors"\n\n{_indented(rows)}')
    return "\n\n".join(parts)


def _answer(one: AnswerDisplay) -> str:
    kind = f": {_kind(one.kind, 'types.md')}" if one.kind else ""
    return f"**Answer {one.status}:** {_words(one.about)}{kind}"


def _error(one: AnswerDisplay) -> str:
    codes = ", ".join(f"`{code}`" for code in one.codes)
    return f"{one.status}: {_words(one.about)} {codes}".rstrip()


def _type(one: TypeDisplay) -> str:
    parts = [f"## {one.name} {{ #{one.name} }}"]
    parts += [_words(one.about)] * bool(one.about)
    parts += [_kind(one.kind, "")] * bool(one.kind)
    parts += [_keys(one.keys)] * bool(one.keys)
    return "\n\n".join(parts)


def _keys(keys: Iterable[KeyDisplay]) -> str:
    """A table of keys or parameters."""
    rows = ["| name | kind | meaning |", "|---|---|---|"]
    for one in keys:
        required = "*required*" * one.is_required
        parts = (_kind(one.kind, "types.md"), required, one.place, _cell(one.limits))
        kind = ", ".join(part for part in parts if part)
        rows.append(f"| `{one.name}` | {kind} | {_words(one.meaning)} |".replace("\n", " "))
    return "\n".join(rows)


def _kind(parts: tuple[TypePart, ...], page: str) -> str:
    """A type in words, its names as links."""
    return "".join(
        f"[{part.text}]({page}#{part.text})" if part.of_type else _cell(part.text) for part in parts
    )


def _cell(text: str) -> str:
    """A text without signs that a table or Markdown would read."""
    return re.sub(r"([\\|*_\[\]<>^{}])", r"\\\1", text)


def _words(text: str) -> str:
    return " ".join(text.replace("``", "`").split()).replace("|", "\\|")


def _example(text: str) -> str:
    return f"```json\n{text}\n```"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
