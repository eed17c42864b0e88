"""``guinote access`` and ``guinote token``: accounts, devices and tokens, on the server itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import cast, get_args
from uuid import UUID

import click

from api.cli.bench import print_json
from api.cli.security import note_command
from api.http.access.origins import read_origins
from api.http.access.tokens import Owner, TokenElsewhere, valid_app_tokens
from api.server import wiring
from api.server.data_folder import Files
from api.server.house import fault_of_accounts, house_facts
from referee.access.admission import Admission
from referee.access.keys import LONGEST_NAME, Keys, Offer
from referee.aggregates.access import DAYS_OF_TOKEN, MOST_ORIGINS, OWNER
from referee.application import Referee
from referee.errors import NotFound, Refused
from referee.events import Role, Scope, TokenMade
from referee.log.stores import is_postgres
from referee.log.streams import WriteMetadata


@contextmanager
def _open_referee_and_keys(data: Path) -> Iterator[tuple[Referee, Keys]]:
    """The write side and the accounts of a data folder, open within the block."""
    where = wiring.files_of_folder(data)
    with (
        closing(wiring.open_referee(where)) as referee,
        closing(wiring.open_accounts(where)) as keys,
    ):
        yield referee, keys


@click.group()
def access() -> None:
    """Who may do what: accounts and devices."""


@access.command("give-up")
@click.pass_obj
def start_without_accounts(data: Path) -> None:
    """Begin with no accounts, if the file of them is lost and no backup has it.

    Whoever had one needs another, which `guinote access invite` offers, and each tablet is paired
    again. What they did stays recorded under their old ids.
    """
    where = wiring.files_of_folder(data)
    if not fault_of_accounts(where, house_facts(where)):
        raise click.ClickException("the accounts are not lost: guinote access list shows them")
    with closing(wiring.open_accounts(where)):
        click.echo(json.dumps({"given_up": "accounts"}))
    note_command(data, "restored", detail="no accounts")


@access.command("list")
@click.pass_obj
def list_holders(data: Path) -> None:
    """Print every account and device, one JSON line each."""
    with _open_referee_and_keys(data) as (referee, keys):
        names, with_second = (
            keys.account_names(),
            wiring.open_second_factors(wiring.files_of_folder(data), keys).holders(),
        )
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
def print_account_invitation(data: Path, role: str, encuentro: str, root: str) -> None:
    """Print a link by which one person opens an account, once, within seven days."""
    offer = Offer(cast("Role", role), encuentro, OWNER)
    with _open_referee_and_keys(data) as (referee, keys):
        try:
            secret = Admission(referee.roles, keys).make_offer("invitation", offer)
        except Refused as refused:
            raise click.ClickException(refused.rule.value) from None
        note_command(data, "offer_made", detail=role)
        click.echo(f"{root.rstrip('/')}/alta#{secret}")


@access.command("revoke")
@click.argument("holder")
@click.option("--let-in", "with_let_in", is_flag=True, help="Also revoke whom they let in.")
@click.pass_obj
def revoke_holder(data: Path, holder: str, *, with_let_in: bool) -> None:
    """Take every right from an account or a device; with --let-in also from whom it let in."""
    with _open_referee_and_keys(data) as (referee, keys):
        others = referee.roles.active_descendants_of_holder(holder)
        chosen = [holder, *others] if with_let_in else [holder]
        try:
            meta = WriteMetadata(OWNER, "console", wiring.now())
            Admission(referee.roles, keys).revoke_holders(chosen, meta)
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
    with _open_referee_and_keys(data) as (_, keys):
        if not wiring.open_second_factors(wiring.files_of_folder(data), keys).remove(holder):
            raise click.ClickException(f"no second factor: {holder}")
        keys.add_notice(holder, "factor_removed")
    note_command(data, "second_factor_changed", about=holder, detail="off")


@click.group()
def token() -> None:
    """The owner's token, and the tokens of apps."""


@token.command("show")
@click.pass_obj
def show_owner_token(data: Path) -> None:
    """Print the owner's token; it is made if there is none."""
    try:
        click.echo(owner_token(wiring.files_of_folder(data)))
    except TokenElsewhere as elsewhere:
        raise click.ClickException(str(elsewhere)) from None


def owner_token(where: Files) -> str:
    """The owner's token of a house, made if there is none.

    :raises TokenElsewhere: another computer of the house has it
    """
    if not is_postgres(where.accounts):
        return Owner(where.folder).token()
    with closing(wiring.open_accounts(where)) as keys:
        return wiring.owner_token_of(where, lambda: keys).token()


@token.command("rotate")
@click.pass_obj
def rotate_owner_token(data: Path) -> None:
    """Replace the owner's token; the old one and what was made with it become invalid."""
    where = wiring.files_of_folder(data)
    with closing(wiring.open_accounts(where)) as keys:
        click.echo(wiring.owner_token_of(where, lambda: keys).rotate())
        keys.end_sign_ins(OWNER)
        keys.withdraw_offers_and_links(OWNER)  # who knew the old token may have made some
    note_command(data, "owner_token_changed")


@token.command("make")
@click.argument("name")
@click.option("--scope", "scopes", type=click.Choice(get_args(Scope)), multiple=True, required=True)
@click.option("--encuentro", default="", help="Id of the only table where it is good.")
@click.option("--days", type=click.IntRange(DAYS_OF_TOKEN.start, DAYS_OF_TOKEN[-1]), default=90)
@click.option("--origin", "origins", multiple=True, help="Site whose pages may use it.")
@click.pass_obj
def print_new_app_token(
    data: Path, name: str, *, scopes: list[str], encuentro: str, days: int, origins: list[str]
) -> None:
    """Make a token for an app, with the given scopes; print it once, and its id on stderr."""
    where, name = wiring.files_of_folder(data), name.strip()
    chosen = tuple(cast("Scope", one) for one in get_args(Scope) if one in scopes)
    if not (name.isprintable() and 0 < len(name) <= LONGEST_NAME):
        raise click.ClickException(f"a name has 1 to {LONGEST_NAME} characters")
    sites = _origins_of_option(origins)
    with _open_referee_and_keys(data) as (referee, keys):
        table = _encuentro_id_of_option(referee, encuentro)
        act = TokenMade(keys.new_holder_id(), chosen, days, table, sites)
        mark = wiring.owner_token_of(where, lambda: keys).mark()
        meta = WriteMetadata(OWNER, "console", wiring.now())
        click.echo(Admission(referee.roles, keys).make_app_token(act, name, mark, meta))
    click.echo(f"id: {act.token}", err=True)
    note_command(data, "token_made", about=act.token, detail=" ".join(chosen))


def _origins_of_option(origins: list[str]) -> tuple[str, ...]:
    """Origins of the option, normalised, without duplicates.

    :raises click.ClickException: one is none, or there are too many
    """
    try:
        sites = tuple(dict.fromkeys(read_origins(",".join(origins))))
    except ValueError as wrong:
        raise click.ClickException(str(wrong)) from None
    if len(sites) > MOST_ORIGINS:
        raise click.ClickException(f"a token names {MOST_ORIGINS} sites at most")
    return sites


def _encuentro_id_of_option(referee: Referee, encuentro: str) -> str:
    """Id of the encuentro named by an option, which the log must have; empty for an empty option.

    :raises click.ClickException: there is none
    """
    if not encuentro:
        return ""
    try:
        found = UUID(encuentro)
        referee.encuentros.encuentro(found)
    except (ValueError, NotFound):
        raise click.ClickException(f"no such encuentro: {encuentro}") from None
    return str(found)


@token.command("list")
@click.pass_obj
def list_app_tokens(data: Path) -> None:
    """Print every token of an app that may be used now, one JSON line each, without its secret."""
    with _open_referee_and_keys(data) as (referee, keys):
        owner = wiring.owner_token_of(wiring.files_of_folder(data), lambda: keys)
        for one, held in valid_app_tokens(referee.roles.access(), keys, owner):
            line = {
                "id": one.holder,
                "name": one.agent,
                "scopes": held.scopes,
                "encuentro": held.encuentro,
                "origins": held.origins,
                "by": held.by,
                "made": _day_text(one.since),
                "used": _day_text(one.used),
                "until": _day_text(one.until),
            }
            print_json(line)


def _day_text(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).date().isoformat()


@token.command("revoke")
@click.argument("token_id", metavar="ID")
@click.pass_obj
def revoke_app_token(data: Path, token_id: str) -> None:
    """Take every right from a token of an app, given by its id."""
    with _open_referee_and_keys(data) as (referee, keys):
        held = referee.roles.access().active_holder(token_id)
        if held is None or held.kind != "token":
            raise click.ClickException(f"no such token: {token_id}")
        meta = WriteMetadata(OWNER, "console", wiring.now())
        Admission(referee.roles, keys).revoke_holders([token_id], meta)
    note_command(data, "revoked", about=token_id)
