"""Commands for an installation of many clubs."""

from __future__ import annotations

import getpass
import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import click
import msgspec

from api.cli.bench import print_json
from api.cli.data import pack_house_with_progress, progress_bar, unpack_house_at
from api.http.access.tokens import Owner
from api.lobby.book import LobbyBook, Signup
from api.server import wiring
from api.server.clubs.birth import (
    ClubExists,
    hold_files_of_new_club,
    make_club,
    make_first_admin_link,
)
from api.server.clubs.departure import (
    NotRemoved,
    RemovedClub,
    clubs_removed,
    remove_club,
    restore_club,
)
from api.server.clubs.folder import CLUBS_VARIABLE, BadClubName, ClubsFolder
from api.server.clubs.limits import MEGABYTE, Limits, read_limits, set_limits, size_of_club
from api.server.clubs.upgrade import needs_upgrade, upgrade_club
from api.server.clubs.usage import PATIENCE_S, StillInUse, lock_club
from referee.log.faults import error_in_one_line
from referee.release import RELEASE

_log = logging.getLogger(__name__)
clubs_option = click.option(
    "--clubs",
    envvar=CLUBS_VARIABLE,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of an installation of many clubs, each with a folder of its own in it.",
)
_name = click.argument("name")
_SIGNUPS: Final[Mapping[str, Signup]] = {"on": "asked", "mail": "mail", "off": "off"}


@click.group()
@click.option(
    "--folder",
    envvar=CLUBS_VARIABLE,
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the installation.",
)
@click.pass_context
def clubs(context: click.Context, folder: Path) -> None:
    """Clubs of an installation, each with a data folder FOLDER/clubs/NAME."""
    context.obj = ClubsFolder(folder)
    context.obj.make_missing_folders()


@clubs.command("domain")
@click.argument("name", required=False)
@click.option("--by-path", is_flag=True, help="For one name alone: a club is at NAME/CLUB/.")
@click.pass_obj
def print_or_choose_domain(folder: ClubsFolder, name: str | None, *, by_path: bool) -> None:
    """Print the name of the installation, or choose one: a club is at CLUB.NAME."""
    if name is not None:
        with _convert_club_name_faults():
            folder.choose_domain(name, is_by_path=by_path)
    click.echo(f"{folder.domain}/" if folder.is_by_path else folder.domain)


@clubs.command("add")
@_name
@click.option("--host", "hosts", multiple=True, help="A name of its own, such as penya.example.")
@click.option("--root", default="https://", show_default=True, help="What its links begin with.")
@click.pass_obj
def add_club(folder: ClubsFolder, name: str, hosts: tuple[str, ...], root: str) -> None:
    """Make a club; prints its address, and the link with which its first admin begins."""
    with _convert_club_name_faults():
        make_club(folder, name)
        for host in hosts:
            folder.assign_host(name, host)
    address = root + (hosts[0] if hosts else folder.addresses_of_club(name)[0])
    print_json(
        {
            "club": name,
            "address": f"{address}/",
            "link": make_first_admin_link(folder.data_folder(name), address),
        }
    )


@clubs.command("invite")
@click.option("--root", default="https://", show_default=True, help="What its link begins with.")
@click.pass_obj
def print_club_invitation(folder: ClubsFolder, root: str) -> None:
    """Print a link with which somebody makes a club, once, within fourteen days."""
    with closing(LobbyBook(folder.path, time.time)) as book:
        click.echo(f"{root}{folder.domain}/nuevo/{book.create_invitation()}")


@clubs.command("signup")
@click.argument("state", type=click.Choice(tuple(_SIGNUPS)))
@click.pass_obj
def choose_signup_mode(folder: ClubsFolder, state: str) -> None:
    """Let anybody ask for a club (on), make one by a code in a mail (mail), or nobody (off).

    Who asks waits for the owner of the installation; so does everybody where no mail is sent.
    """
    with closing(LobbyBook(folder.path, time.time)) as book:
        book.set_signup_mode(_SIGNUPS[state])


@clubs.command("token")
@click.option("--new", is_flag=True, help="Replace it; its sign-ins end.")
@click.pass_obj
def print_or_replace_token(folder: ClubsFolder, *, new: bool) -> None:
    """Print the token of the owner's page, DOMAIN/instalacion."""
    owner = Owner(folder.path)
    click.echo(owner.rotate() if new else owner.token())


@clubs.command("list")
@click.pass_obj
def list_clubs(folder: ClubsFolder) -> None:
    """Print every club, one JSON line each: its hosts, and whether it is shut; and removed ones."""
    for name in folder.names():
        print_json(
            {"club": name, "hosts": folder.addresses_of_club(name), "shut": folder.is_shut(name)}
        )
    for gone in clubs_removed(folder):
        _print_removed_club(gone)


@clubs.command("host")
@_name
@click.argument("name_of_host", metavar="HOST")
@click.pass_obj
def assign_host_to_club(folder: ClubsFolder, name: str, name_of_host: str) -> None:
    """Have a name of a host lead to a club."""
    with _convert_club_name_faults():
        folder.assign_host(_require_club(folder, name), name_of_host)


@clubs.command("shut")
@_name
@click.pass_obj
def shut_club(folder: ClubsFolder, name: str) -> None:
    """Shut a club to everybody while it is restored or moved; ends once no process has it open.

    It ends once no process has the club open.
    """
    folder.shut(_require_club(folder, name))
    _await_nobody(folder, name)


@clubs.command("open")
@_name
@click.pass_obj
def reopen_club(folder: ClubsFolder, name: str) -> None:
    """Let everybody enter a club again."""
    folder.reopen(_require_club(folder, name))


@clubs.command("export")
@_name
@click.argument("target", type=click.Path(path_type=Path), metavar="FILE")
@click.pass_obj
def move_club_to_file(folder: ClubsFolder, name: str, target: Path) -> None:
    """Pack a whole club into one file, to go on elsewhere; here it is shut, and closed."""
    was_shut = folder.is_shut(_require_club(folder, name))
    folder.shut(name)
    try:
        _await_nobody(folder, name)
        pack_house_with_progress(folder.files(name), folder.notary_folder(name), target)
    except BaseException:
        if not was_shut:
            folder.reopen(name)
        raise
    click.echo(f"what is left of {name} here is closed: guinote clubs remove {name}", err=True)


@clubs.command("import")
@_name
@click.argument("source", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.pass_obj
def import_club(folder: ClubsFolder, name: str, source: Path) -> None:
    """Have a packed house go on as a club: as a new one, or as the one that left this name."""
    if folder.has(name):
        moved = unpack_house_at(source, folder.files(name), folder.notary_folder(name))
        folder.reopen(name)
    else:
        with _convert_club_name_faults(), hold_files_of_new_club(folder, name) as where:
            moved = unpack_house_at(source, where, folder.notary_folder(name))
    address = f"https://{folder.addresses_of_club(name)[0]}/"
    print_json({"club": name, "address": address, "house": moved.house, "events": moved.events})


@clubs.command("remove")
@_name
@click.option("--by", default=getpass.getuser, help="Who removes it; by default the user.")
@click.pass_obj
def remove_one_club(folder: ClubsFolder, name: str, by: str) -> None:
    """Remove a club; its data are deleted after 30 days, and a note about it stays."""
    with _convert_still_in_use(name):
        _print_removed_club(remove_club(folder, _require_club(folder, name), by, wiring.now()))


@clubs.command("restore")
@_name
@click.pass_obj
def restore_removed_club(folder: ClubsFolder, name: str) -> None:
    """Restore a removed club."""
    try:
        restore_club(folder, name)
    except NotRemoved:
        raise click.ClickException(
            f"no removed club {name!r} that could come back, or another has its name"
        ) from None
    print_json(
        {"club": name, "hosts": folder.addresses_of_club(name), "shut": folder.is_shut(name)}
    )


@clubs.command("limit")
@_name
@click.option("--people", type=click.IntRange(min=0), help="Most people it may name; 0 for any.")
@click.option(
    "--disk", type=click.IntRange(min=0), metavar="MB", help="Most of its folder; 0 for any."
)
@click.pass_obj
def print_or_set_limits(
    folder: ClubsFolder, name: str, people: int | None, disk: int | None
) -> None:
    """Print the limits of a club and what it uses, or set them."""
    data = folder.data_folder(_require_club(folder, name))
    limits = read_limits(data)
    if people is not None or disk is not None:
        limits = Limits(
            limits.people if people is None else people, limits.disk_mb if disk is None else disk
        )
        set_limits(data, limits)
    with closing(wiring.open_persons(folder.files(name))) as persons:
        used = {
            "people": len(persons.person_ids()),
            "disk_mb": size_of_club(folder.files(name)) / MEGABYTE,
        }
    print_json({"club": name, "limits": msgspec.structs.asdict(limits), "used": used})


@clubs.command("upgrade")
@click.pass_obj
def upgrade_every_club(folder: ClubsFolder) -> None:
    """Bring each club to this release in turn; stop at the first that cannot be.

    It goes on there when it is run again. A club that is shut is left out.
    """
    for name in folder.names():
        if folder.is_shut(name):
            print_json({"club": name, "shut": True})
        elif needs_upgrade(folder.data_folder(name)):
            try:
                with progress_bar(name) as report:
                    events = upgrade_club(folder, name, wiring.now(), report)
            except Exception as error:  # noqa: BLE001 - whatever it is, the next are left alone
                _log.debug("the upgrade of %s", name, exc_info=True)
                raise click.ClickException(
                    f"{name}: {error_in_one_line(error)}. The clubs after it are as they were"
                ) from None
            print_json({"club": name, "release": RELEASE, "events": events})


def _print_removed_club(gone: RemovedClub) -> None:
    when = {"deleted": gone.deleted} if gone.deleted else {"until": gone.deletion_time}
    print_json(
        msgspec.to_builtins(
            {
                "club": gone.club,
                "removed": gone.removed,
                **when,
                "by": gone.by,
                **msgspec.structs.asdict(gone.went),
            }
        )
    )


def _await_nobody(folder: ClubsFolder, name: str) -> None:
    """Wait until no process has a club open.

    :raises click.ClickException: one has it for too long
    """
    with _convert_still_in_use(name), lock_club(folder.data_folder(name), PATIENCE_S):
        pass


@contextmanager
def _convert_still_in_use(name: str) -> Iterator[None]:
    """Convert the error that a club is still in use into one line."""
    try:
        yield
    except StillInUse:
        raise click.ClickException(
            f"{name}: somebody still takes an answer of it; try again in a moment"
        ) from None


def _require_club(folder: ClubsFolder, name: str) -> str:
    """The name, after a check that there is such a club.

    :raises click.ClickException: there is none
    """
    if not folder.has(name):
        raise click.ClickException(f"no club {name!r} in {folder.path}")
    return name


@contextmanager
def _convert_club_name_faults() -> Iterator[None]:
    """Convert errors about names of clubs into one line."""
    try:
        yield
    except BadClubName as bad:
        raise click.ClickException(
            f"{bad}: no name for a club; letters a to z, digits and hyphens, as in penya-la-sota"
        ) from None
    except ClubExists as taken:
        raise click.ClickException(f"there is a club {taken} already") from None
