"""The reference of commands, settings and the library, made from the program itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from api.cli.main import main
from docs.site.manual import Entry
from docs.site.staging import ROOT
from referee import library, rules

COMMANDS: Final = """# Commands

Made from the help of `guinote` itself. `guinote COMMAND --help` prints the same. In a checkout,
`python3 dev.py COMMAND` runs a command.
"""
SETTINGS: Final = """# Settings

Environment variables of the service. They are those of
[operations](../operating/operations.md#processes-and-settings).
"""
LIBRARY: Final = """# The names of guinote-law

Made from the docstrings. [The law from Python](../law/library.md) explains them with examples. The
distribution `guinote-law` has them in `guinote_law`; the service has them in `referee.library`.
"""
LAW: Final = """# More names of referee.rules

Made from the docstrings. What `referee.rules` has beside [the names of guinote-law](library.md).
"""


def write(pages: Path) -> list[Entry]:
    """Write the reference; what the navigation has of it, for who runs servers."""
    folder = pages / "reference"
    folder.mkdir(exist_ok=True)
    texts = {"commands": _commands(), "settings": _settings()}
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return [{"Commands": "reference/commands.md"}, {"Settings": "reference/settings.md"}]


def write_library(pages: Path) -> list[Entry]:
    """Write the reference of the library; what the navigation has of it."""
    folder = pages / "reference"
    ours, laws = set(library.__all__), set(rules.__all__)
    shown = {
        "library": (LIBRARY, "referee.library", ours),
        "rules": (LAW, "referee.rules", laws - ours),
    }
    for name, (head, module, names) in shown.items():
        blocks = [f"::: {module}.{one}" for one in sorted(names)]
        (folder / f"{name}.md").write_text("\n\n".join([head, *blocks]) + "\n", encoding="utf-8")
    return [
        {"Names of guinote-law": "reference/library.md"},
        {"More names of referee.rules": "reference/rules.md"},
    ]


def _commands() -> str:
    context = click.Context(main, info_name="guinote")
    return "\n\n".join([COMMANDS, *_command(context, main, 2)]) + "\n"


def _command(context: click.Context, command: click.Command, level: int) -> Iterator[str]:
    """A command with its options, and those inside it."""
    yield f"{'#' * level} {context.command_path}"
    formatter = context.make_formatter()
    command.format_usage(context, formatter)
    yield f"```text\n{formatter.getvalue().strip()}\n```"
    yield re.sub(r"\s*\n\s*\n\s*", "\n\n", (command.help or "").strip())
    rows = [
        f"| `{record[0]}` | {record[1]} |".replace("\n", " ")
        for one in command.get_params(context)
        if (record := one.get_help_record(context)) and "--help" not in record[0]
    ]
    if rows:
        yield "\n".join(["| option | meaning |", "|---|---|", *rows])
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _command(click.Context(inner, context, name), inner, min(level + 1, 4))


def _settings() -> str:
    page = (ROOT / "docs/operating/operations.md").read_text(encoding="utf-8")
    head, _, after = page.partition("| variable | means | usual |\n")
    assert head != page
    table = after.split("\n\n")[0]
    table = re.sub(r"\]\((#[^)]*)\)", r"](../operating/operations.md\1)", table)
    table = re.sub(r"\]\((?!\.\./)([\w-]+\.md)", r"](../operating/\1", table)
    return f"{SETTINGS}\n| variable | means | usual |\n{table}\n"
