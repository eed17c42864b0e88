"""``guinote serve``, and ``guinote certificate`` for who serves HTTPS in a local network."""

from __future__ import annotations

import json
import os
import re
import sys
import threading
import time
import urllib.request
import webbrowser
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Final

import click

from api.cli.access import owner_token
from api.cli.clubs import clubs_option
from api.http.access.tokens import TokenElsewhere
from api.server import certificates, serve_settings, wiring
from api.server.certificates import TLS_VARIABLES
from api.server.clubs.birth import make_first_admin_link
from api.server.clubs.folder import CLUBS_VARIABLE, ClubsFolder
from api.server.data_folder import DEFAULT_FOLDER, FOLDER_VARIABLE, Files
from api.server.faults.exits import STORE_ERRORS
from api.server.faults.read_only import fault_of_trial_write
from api.server.faults.start_check import check_stores_or_exit
from api.server.restoration.swap import finish_restoration
from api.server.side_processes import NOTARY_VARIABLE, SIGNING_VARIABLE, notary_folder_of

AWAITED_S: Final = 60.0
_ASKED_EVERY_S: Final = 0.2
_PATIENCE_S: Final = 2.0


def is_house_served(root: str) -> bool:
    """Whether a house is served at an address; one with HTTPS is not asked."""
    if not root.startswith("http:"):
        return False
    try:
        with urllib.request.urlopen(f"{root}/livez", timeout=_PATIENCE_S) as answer:  # noqa: S310 - our own
            return bool(answer.status == HTTPStatus.OK)
    except (OSError, ValueError):
        return False


def open_page(page: str) -> None:
    """Open a page in the browser of this computer, or print its address if there is none."""
    if not webbrowser.open(page):
        click.echo(f"open this in a browser: {page}", err=True)


def open_when_served(root: str, page: str) -> None:
    """Start a thread that opens a page once a house is served there, within a minute."""

    def open_page_once_served() -> None:
        until = time.monotonic() + AWAITED_S
        while time.monotonic() < until:
            if is_house_served(root):
                open_page(page)
                return
            time.sleep(_ASKED_EVERY_S)

    threading.Thread(target=open_page_once_served, name="browser", daemon=True).start()


_NAME = re.compile(r"(?=.{1,63}\Z)[a-z0-9]([a-z0-9.-]*[a-z0-9])?")


@click.command()
@click.option(
    "--bind",
    envvar="GUINOTE_BIND",
    default=serve_settings.bind_address,
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
            serve_settings.refuse_bad_tls(Path(certificate), Path(key))
    except serve_settings.BadTls as bad:
        raise click.ClickException(str(bad)) from None
    scheme = "https" if certificate else "http"
    told = dict(zip(("GUINOTE_BIND", *TLS_VARIABLES), (bind, certificate, key), strict=True))
    told[SIGNING_VARIABLE] = "on" if signs else "off"
    if clubs is not None:
        _serve_clubs(clubs, told, f"{scheme}://{bind}/", is_one=is_one)
        return
    if opens and is_house_served(f"{scheme}://{bind}"):
        open_page(f"{scheme}://{bind}/")  # started twice: by two clicks
        return
    where = _restore_and_check_stores(data)
    may_write = fault_of_trial_write(where.folder) is None
    link = make_first_admin_link(data, f"{scheme}://{bind}") if may_write else None
    click.echo(f"{scheme}://{bind}/  data: {where.folder}", err=True)
    if link:
        click.echo(f"first admin (works once): {link}", err=True)
    if sys.stderr.isatty():
        with suppress(TokenElsewhere, *STORE_ERRORS):
            click.echo(f"owner token: {owner_token(where)}", err=True)
    os.environ |= told | {FOLDER_VARIABLE: str(data)}
    os.environ[NOTARY_VARIABLE] = str(notary_folder_of(data, Path(DEFAULT_FOLDER)))
    if opens:
        open_when_served(f"{scheme}://{bind}", link or f"{scheme}://{bind}/")
    _run_server(bind, is_one=is_one)


def _serve_clubs(folder: Path, told: dict[str, str], address: str, *, is_one: bool) -> None:
    """Serve the clubs of an installation. ``told``: settings for its processes.

    :raises click.ClickException: in one process, as on Windows
    """
    if is_one:
        raise click.ClickException("many clubs are served by several processes, on Linux")
    os.environ |= told | {CLUBS_VARIABLE: str(folder)}
    from api.server import serving  # noqa: PLC0415 - gunicorn is of POSIX alone

    click.echo(
        f"{address}  clubs: {folder}, at {ClubsFolder(folder).usual_host_and_path_of_club('NAME')}",
        err=True,
    )
    serving.run()


def _restore_and_check_stores(data: Path) -> Files:
    """Files of a data folder, after a waiting backup was restored and every store was checked.

    :raises SystemExit: one cannot be used
    """
    where = wiring.files_of_folder(data)
    finish_restoration(where)
    check_stores_or_exit(where)
    return where


def _run_server(bind: str, *, is_one: bool) -> None:
    """Serve with gunicorn, or in one process; only the chosen server is imported."""
    if not is_one:
        from api.server import serving  # noqa: PLC0415 - gunicorn is of POSIX alone

        serving.run()
        return
    from api.server.alone import one_process  # noqa: PLC0415 - as above

    try:
        one_process.serve_house(bind)
    except one_process.AddressTaken as taken:
        raise click.ClickException(str(taken)) from None


@click.command()
@click.argument("hosts", nargs=-1, required=True, metavar="HOST...")
@click.option(
    "--out",
    default="tls",
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the certificates; the root in it signs again when one is there.",
)
def certificate(hosts: tuple[str, ...], out: Path) -> None:
    """Make a certificate for serve --tls, and the root that tablets install once.

    HOST: names and addresses of this server as they are typed into a browser.
    """
    lower = tuple(dict.fromkeys(host.lower() for host in hosts))
    if wrong := [host for host in lower if not _is_host(host)]:
        raise click.ClickException(f"{wrong[0]!r} is no name or address of a host")
    try:
        made = certificates.write_certificate_files(out, lower, wiring.now())
    except certificates.OtherHosts as other:
        raise click.ClickException(
            f"the root in {out} is not for {other}: choose another folder with --out, and install "
            "its root on the tablets"
        ) from None
    except OSError as wrong_file:
        raise click.ClickException(str(wrong_file)) from None
    found = {"root": made.root, "certificate": made.certificate, "key": made.key}
    click.echo(json.dumps({name: str(file) for name, file in found.items()}))


def _is_host(host: str) -> bool:
    return certificates.ip_address_of(host) is not None or _NAME.fullmatch(host) is not None
