"""The ``guinote`` command. Machine output goes to stdout, progress to stderr; ``-`` is stdin."""

from __future__ import annotations

import os
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Final

import click

from api.server.data_folder import DEFAULT_FOLDER, FOLDER_VARIABLE, LOG_VARIABLE, Files
from api.server.faults.exits import STORE_ERRORS, end_process
from referee.release import RELEASE

PLACES: Final = {
    "access": "api.cli.access:access",
    "analyse": "api.cli.evidence:analyse_arrastres",
    "audit": "api.cli.audit:audit",
    "backup": "api.cli.data:backup",
    "cases": "api.cli.cases:cases",
    "certificate": "api.cli.serve:certificate",
    "clubs": "api.cli.clubs:clubs",
    "compare": "api.cli.evidence:compare",
    "demo": "api.cli.demo:fill_with_demo",
    "demonstration": "api.cli.demo:serve_demonstration",
    "draw": "api.cli.draws:draw",
    "evidence": "api.cli.evidence:evidence",
    "export": "api.cli.data:export_record_or_tables",
    "house": "api.cli.verify:show_house_facts",
    "import": "api.cli.data:import_text_record",
    "lawful": "api.cli.evidence:print_lawful_cards",
    "move": "api.cli.data:move",
    "notary": "api.cli.audit:notary",
    "pack": "api.cli.data:pack",
    "persons": "api.cli.persons:persons",
    "profiles": "api.cli.evidence:show_profiles",
    "ranking": "api.cli.rankings:ranking",
    "rebuild": "api.cli.data:rebuild",
    "record": "api.cli.data:record",
    "referee": "api.cli.evidence:referee",
    "replay": "api.cli.replay:replay",
    "restore": "api.cli.data:restore",
    "security": "api.cli.security:show_security_log",
    "serve": "api.cli.serve:serve",
    "settings": "api.cli.settings:change_and_show_settings",
    "token": "api.cli.access:token",
    "trial-restore": "api.cli.verify:trial_restore",
    "unpack": "api.cli.data:unpack",
    "verify": "api.cli.verify:verify",
}
"""Where each command is. Only the one that is asked for is imported, so that it starts sooner."""


class Commands(click.Group):
    """Commands that are imported when they are asked for; errors of the store are one line."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Names of the commands, sorted."""
        return sorted(PLACES)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Command of this name; None if there is none."""
        if name not in PLACES:
            return None
        command = resolve_name(PLACES[name])
        assert isinstance(command, click.Command)
        return command

    def invoke(self, context: click.Context) -> Any:
        """Run the command that was asked for; an error of a store ends it with one line.

        :raises SystemExit: a store cannot be used, which a line on stderr says
        """
        try:
            return super().invoke(context)
        except STORE_ERRORS as error:
            data: Path = context.params["data"]
            where = Files(data, os.environ.get(LOG_VARIABLE, ""))
            from api.server.faults.start_check import failure_line_and_code  # noqa: PLC0415 - only a failure needs it

            if (found := failure_line_and_code(error, where)) is None:
                raise
            end_process(*found)


@click.group(cls=Commands, invoke_without_command=True)
@click.option(
    "--data",
    envvar=FOLDER_VARIABLE,
    default=DEFAULT_FOLDER,
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the log, the views and the names.",
)
@click.version_option(RELEASE, prog_name="guinote", message="%(prog)s %(version)s")
@click.pass_context
def main(context: click.Context, data: Path) -> None:
    """Scores and referees guiñote: encuentros, partidas, disputed hands.

    Without a command it serves, and opens the browser.
    """
    context.obj = data
    if context.invoked_subcommand is None:
        serve = resolve_name(PLACES["serve"])
        with serve.make_context("serve", ["--open"], parent=context) as alone:
            serve.invoke(alone)
