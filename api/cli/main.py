"""The ``guinote`` command. Machine output goes to stdout, progress to stderr; ``-`` is stdin."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

import click
import msgspec

from api.cli import browser
from api.cli.access import access, owner_token, token
from api.cli.audit import commands as audit_commands
from api.cli.bench import content_of, referee_over
from api.cli.cases import cases
from api.cli.certificate import certificate as make_certificate
from api.cli.clubs import clubs, clubs_option
from api.cli.data import commands
from api.cli.demo import demo, demonstration
from api.cli.draws import draw
from api.cli.evidence import (
    analyse,
    changed_options,
    compare,
    evidence,
    observed_alone,
)
from api.cli.persons import persons
from api.cli.rankings.group import ranking
from api.cli.referee_command import CannotReferee, FileReferee, chosen_profile, referee_file
from api.cli.replay import replay
from api.cli.security import show_security
from api.cli.settings import show_settings
from api.cli.verify import show_house, trial_restore, verify
from api.http.access.owner import TokenElsewhere
from api.profiles.rest import profile_row, profile_view
from api.server import serve_settings, wiring
from api.server.certificates import TLS_VARIABLES
from api.server.clubs.birth import first_link
from api.server.clubs.folder import CLUBS_VARIABLE, ClubsFolder
from api.server.data_folder import FOLDER_VARIABLE, LOG_VARIABLE, Files
from api.server.faults.exits import STORE_ERRORS, end
from api.server.faults.read_only import fault_of_writing
from api.server.faults.start_check import check_stores, ending_of
from api.server.restoration.swap import finish_restoration
from api.server.side_processes import NOTARY_VARIABLE, SIGNING_VARIABLE, keys_of
from referee.release import RELEASE
from referee.rules.lawful import answer_line
from referee.rules.profile.profile import UnknownProfile, profile, profiles


class Commands(click.Group):
    """Command group that prints errors of the store as one line."""

    def invoke(self, context: click.Context) -> Any:
        """Run the command that was asked for.

        :raises SystemExit: a store cannot be used, which a line on stderr says
        """
        try:
            return super().invoke(context)
        except STORE_ERRORS as error:
            data: Path = context.params["data"]
            where = Files(data, os.environ.get(LOG_VARIABLE, ""))
            if (found := ending_of(error, where)) is None:
                raise
            end(*found)


@click.group(cls=Commands, invoke_without_command=True)
@click.option(
    "--data",
    envvar=FOLDER_VARIABLE,
    default=wiring.DEFAULT_FOLDER,
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
        with serve.make_context("serve", ["--open"], parent=context) as alone:
            serve.invoke(alone)


for command in (
    *commands,
    *audit_commands,
    access,
    show_house,
    persons,
    evidence,
    analyse,
    compare,
    replay,
    cases,
    demo,
    demonstration,
    draw,
    verify,
    trial_restore,
    make_certificate,
    show_security,
    show_settings,
    clubs,
    token,
    ranking,
):
    main.add_command(command)


@main.command()
@click.option(
    "--bind",
    envvar="GUINOTE_BIND",
    default=serve_settings.bind,
    show_default=serve_settings.DEFAULT_BIND,
)
@click.option(
    "--tls",
    nargs=2,
    type=click.Path(path_type=Path),
    metavar="CERT KEY",
    help="Serve HTTPS with this certificate (and what it is signed by) and this key, both in PEM.",
)
@click.option(
    "--notary/--no-notary",
    "signs",
    default=True,
    envvar=SIGNING_VARIABLE,
    show_default=True,
    help="Sign the log beside the server; one notary signs a log.",
)
@click.option(
    "--one-process/--processes",
    "is_one",
    default=os.name == "nt",
    envvar="GUINOTE_ONE_PROCESS",
    show_default="on Windows",
    help="Serve in one process, with the views and the notary as its threads.",
)
@click.option("--open", "opens", is_flag=True, help="Open the browser.")
@clubs_option
@click.pass_obj
def serve(  # noqa: PLR0913 - its options
    data: Path,
    bind: str,
    tls: tuple[Path, Path] | None,
    *,
    signs: bool,
    is_one: bool,
    opens: bool,
    clubs: Path | None,
) -> None:
    """Serve the pages and the API, of one club or with --clubs of many."""
    certificate, key = map(str, tls or (os.environ.get(n, "") for n in TLS_VARIABLES))
    try:
        if certificate or key:
            serve_settings.check_tls(Path(certificate), Path(key))
    except serve_settings.BadTls as bad:
        raise click.ClickException(str(bad)) from None
    scheme = "https" if certificate else "http"
    told = dict(zip(("GUINOTE_BIND", *TLS_VARIABLES), (bind, certificate, key), strict=True))
    told[SIGNING_VARIABLE] = "on" if signs else "off"
    if clubs is not None:
        _serve_clubs(clubs, told, f"{scheme}://{bind}/", is_one=is_one)
        return
    if opens and browser.is_house(f"{scheme}://{bind}"):
        browser.show(f"{scheme}://{bind}/")  # started twice: by two clicks
        return
    where = _usable_files(data)
    may_write = fault_of_writing(where.folder) is None
    link = first_link(data, f"{scheme}://{bind}") if may_write else None
    click.echo(f"{scheme}://{bind}/  data: {where.folder}", err=True)
    if link:
        click.echo(f"first admin (works once): {link}", err=True)
    if sys.stderr.isatty():
        with suppress(TokenElsewhere, *STORE_ERRORS):
            click.echo(f"owner token: {owner_token(where)}", err=True)
    os.environ |= told | {FOLDER_VARIABLE: str(data)}
    os.environ[NOTARY_VARIABLE] = str(keys_of(data, Path(wiring.DEFAULT_FOLDER)))
    if opens:
        browser.open_when_served(f"{scheme}://{bind}", link or f"{scheme}://{bind}/")
    _run_server(bind, is_one=is_one)


def _serve_clubs(folder: Path, told: dict[str, str], address: str, *, is_one: bool) -> None:
    """Serve the clubs of an installation. ``told``: settings for its processes.

    :raises click.ClickException: in one process, as on Windows
    """
    if is_one:
        raise click.ClickException("many clubs are served by several processes, on Linux")
    os.environ |= told | {CLUBS_VARIABLE: str(folder)}
    from api.server import serving  # noqa: PLC0415 - gunicorn is of POSIX alone

    click.echo(f"{address}  clubs: {folder}, at {ClubsFolder(folder).place_of('NAME')}", err=True)
    serving.run()


def _usable_files(data: Path) -> Files:
    """Files of a data folder, after a backup that waits was swapped in and every store looked at.

    :raises SystemExit: one cannot be used
    """
    where = wiring.files(data)
    finish_restoration(where)
    check_stores(where)
    return where


def _run_server(bind: str, *, is_one: bool) -> None:
    """Serve with either server; the other is not read."""
    if not is_one:
        from api.server import serving  # noqa: PLC0415 - gunicorn is of POSIX alone

        serving.run()
        return
    from api.server.alone import one_process  # noqa: PLC0415 - as above

    try:
        one_process.run(bind)
    except one_process.AddressTaken as taken:
        raise click.ClickException(str(taken)) from None


@main.command("profiles")
@click.argument("name", required=False, metavar="[ID]")
def show_profiles(name: str | None) -> None:
    """List the profiles, or show one with the value, article and basis of every option."""
    if name is None:
        for one in profiles():
            click.echo(json.dumps(msgspec.to_builtins(profile_row(one)), ensure_ascii=False))
        return
    try:
        view = msgspec.to_builtins(profile_view(profile(name)))
        click.echo(json.dumps(view, ensure_ascii=False, indent=2))
    except UnknownProfile:
        raise click.ClickException(f"no profile {name!r}") from None


@main.command()
@click.argument("source", type=click.File(encoding="utf-8"), default="-")
@click.pass_context
def lawful(context: click.Context, source: TextIO) -> None:
    """Answer which cards may be played: JSON lines in, JSON lines out."""
    has_failed = False
    for line in source:
        found = answer_line(line)
        has_failed = has_failed or "error" in found
        click.echo(json.dumps(found, ensure_ascii=False))
    context.exit(1 if has_failed else 0)


@main.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--profile", "name", default=None, help="Profile to judge by; club if none is said.")
@changed_options
@observed_alone
@click.option("--store", help="Log to record into: a file, or a postgresql:// address.")
@click.pass_context
def referee(
    context: click.Context,
    files: tuple[str, ...],
    name: str | None,
    changes: tuple[str, ...],
    *,
    observed: bool,
    store: str | None,
) -> None:
    """Record partidas of files act by act and judge them, one JSON line each."""
    try:
        chosen = chosen_profile(name or "club", changes) if name or changes else None
    except CannotReferee as fault:
        click.echo(json.dumps(msgspec.to_builtins({"error": fault.view()}), ensure_ascii=False))
        context.exit(1)
    has_failed = False
    with referee_over(store) as found:
        bench = FileReferee(found, wiring.now)
        game = 0
        for file in files:
            for view in referee_file(bench, content_of(file), chosen, observed=observed):
                game += 1
                has_failed = has_failed or "error" in view
                line = {"game": game, "file": file, **view}
                click.echo(json.dumps(msgspec.to_builtins(line), ensure_ascii=False))
    context.exit(1 if has_failed else 0)
