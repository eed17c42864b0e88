"""``guinote access``: accounts and devices, managed on the server itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import cast, get_args

import click

from api.cli.security import note_command
from api.server import wiring
from api.server.house import fault_of_accounts, house_facts
from referee.access.admission import Admission
from referee.access.keys import Keys, Offer
from referee.aggregates.access import OWNER
from referee.application import Referee
from referee.errors import Refused
from referee.events import Role
from referee.log.streams import WriteMetadata


@contextmanager
def _open(data: Path) -> Iterator[tuple[Referee, Keys]]:
    where = wiring.files(data)
    with closing(wiring.open_referee(where)) as referee, closing(wiring.open_keys(where)) as keys:
        yield referee, keys


@click.group()
def access() -> None:
    """Who may do what: accounts and devices."""


@access.command("give-up")
@click.pass_obj
def give_up(data: Path) -> None:
    """Begin with no accounts, if the file of them is lost and no backup has it.

    Whoever had one needs another, which `guinote access invite` offers, and each tablet is paired
    again. What they did stays recorded under their old ids.
    """
    where = wiring.files(data)
    if not fault_of_accounts(where, house_facts(where)):
        raise click.ClickException("the accounts are not lost: guinote access list shows them")
    with closing(wiring.open_keys(where)):
        click.echo(json.dumps({"given_up": "accounts"}))
    note_command(data, "restored", detail="no accounts")


@access.command("list")
@click.pass_obj
def list_holders(data: Path) -> None:
    """Print every account and device, one JSON line each."""
    with _open(data) as (referee, keys):
        names, with_second = keys.names(), wiring.open_factors(wiring.files(data), keys).holders()
        for holder, one in referee.roles.access().holders.items():
            click.echo(
                json.dumps(
                    {
                        "holder": holder,
                        "name": names.get(holder),
                        **one._asdict(),
                        "has_second_factor": holder in with_second,
                    },
                    ensure_ascii=False,
                )
            )


@access.command("invite")
@click.option("--role", type=click.Choice(get_args(Role)), required=True)
@click.option("--encuentro", default="", help="Id of the only table that the role is good for.")
@click.option("--root", default="http://127.0.0.1:8000", show_default=True, help="Address of us.")
@click.pass_obj
def invite(data: Path, role: str, encuentro: str, root: str) -> None:
    """Print a link by which one person opens an account, once, within seven days."""
    offer = Offer(cast("Role", role), encuentro, OWNER)
    with _open(data) as (referee, keys):
        try:
            secret = Admission(referee.roles, keys).offer("invitation", offer)
        except Refused as refused:
            raise click.ClickException(refused.rule.value) from None
        note_command(data, "offer_made", detail=role)
        click.echo(f"{root.rstrip('/')}/alta#{secret}")


@access.command("revoke")
@click.argument("holder")
@click.option("--let-in", "with_let_in", is_flag=True, help="Also revoke whom they let in.")
@click.pass_obj
def revoke(data: Path, holder: str, *, with_let_in: bool) -> None:
    """Let an account or a device do nothing any more; with --let-in also whom it let in."""
    with _open(data) as (referee, keys):
        others = referee.roles.let_in(holder)
        chosen = [holder, *others] if with_let_in else [holder]
        try:
            meta = WriteMetadata(OWNER, "console", wiring.now())
            Admission(referee.roles, keys).revoke(chosen, meta)
        except Refused as refused:
            raise click.ClickException(f"{refused.rule.value}: {holder}") from None
    for one in chosen:
        note_command(data, "revoked", about=one)
    for one in others if not with_let_in else ():
        click.echo(f"still in, let in by them: {one}", err=True)


@access.command("take-off-second-factor")
@click.argument("holder")
@click.pass_obj
def take_off_second_factor(data: Path, holder: str) -> None:
    """Let an account sign in with its password alone; it is told at its next sign-in."""
    with _open(data) as (_, keys):
        if not wiring.open_factors(wiring.files(data), keys).remove(holder):
            raise click.ClickException(f"no second factor: {holder}")
        keys.note(holder, "factor_removed")
    note_command(data, "second_factor_changed", about=holder, detail="off")
