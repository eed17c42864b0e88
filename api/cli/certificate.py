"""The command that makes a certificate for a club with a local network."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click

from api.server import certificates, wiring

_NAME = re.compile(r"(?=.{1,63}\Z)[a-z0-9]([a-z0-9.-]*[a-z0-9])?")


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
        made = certificates.make_certificate(out, lower, wiring.now())
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
    return certificates.address_of(host) is not None or _NAME.fullmatch(host) is not None
