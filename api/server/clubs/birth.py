"""How a club is made: its folder with its house, ready for its first admin."""

from __future__ import annotations

import logging
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from api.demo.content import Demo
from api.http.access.tokens import Owner
from api.server import wiring
from api.server.clubs.folder import ClubsFolder, require_name_for_new_club
from api.server.clubs.schema import drop_club_schema, prepare_club_storage
from api.server.data_folder import FILE_MODE, Files, prepare_data_folder
from api.server.faults.exits import STORE_ERRORS
from referee.access.keys import Offer
from referee.aggregates.access import OWNER
from referee.events import ClubNamed, LeagueAudienceChosen
from referee.log.durable import write_file_atomically
from referee.log.faults import error_in_one_line
from referee.log.streams import WriteMetadata
from referee.system import ports

_INVITATION: Final = "invitation"
_UNBORN_S: Final = 86_400.0
_OPENING: Final = "opening.lock"

_log = logging.getLogger(__name__)


class ClubExists(Exception):  # noqa: N818 - what is the case
    """There is a club of this name."""


def make_club(
    folder: ClubsFolder, name: str, furnish: Callable[[Files], None] | None = None
) -> None:
    """Make a club, whole or not at all. ``furnish``: writes its first events.

    :raises BadClubName: no club can have this name
    :raises ClubExists: another one has it
    """
    with hold_files_of_new_club(folder, name) as where:
        wiring.initialise_house(where)
        Owner(where.folder).token()
        with closing(wiring.LazyServices(where, with_projector=False)) as services:
            services()  # what is made at the first opening is made now, and nobody waits for it
        if furnish is not None:
            furnish(where)
        if folder.notary_folder(name).exists():  # of one that is removed or comes back just now
            raise ClubExists(name)


@contextmanager
def hold_files_of_new_club(folder: ClubsFolder, name: str) -> Iterator[Files]:
    """Files of a new club to fill; the club exists once the block ends, or not at all.

    :raises BadClubName: no club can have this name
    :raises ClubExists: another one has it
    """
    require_name_for_new_club(name)
    folder.make_missing_folders()
    beside = Path(tempfile.mkdtemp(dir=folder.path, prefix=".new-"))
    try:
        prepare_data_folder(beside)
        yield prepare_club_storage(beside)
        move_club_into_place(folder, name, beside)
    except BaseException:
        with suppress(*STORE_ERRORS):
            _remove_unfinished_club(beside)
        raise


def remove_unfinished_clubs(folder: ClubsFolder) -> None:
    """Remove what is left of clubs whose making was interrupted a day ago or more."""
    for beside in folder.path.glob(".new-*"):
        try:
            if time.time() - beside.stat().st_mtime >= _UNBORN_S:
                _remove_unfinished_club(beside)
        except STORE_ERRORS as error:  # the others go on, and it is tried again
            _log.warning("%s is not deleted: %s", beside, error_in_one_line(error))


def _remove_unfinished_club(beside: Path) -> None:
    """Remove the folder of an unfinished club, and its database schema before that."""
    drop_club_schema(beside)
    shutil.rmtree(beside, ignore_errors=True)


def move_club_into_place(folder: ClubsFolder, name: str, beside: Path) -> None:
    """Move the prepared folder of a new club to its place.

    :raises ClubExists: there is one
    """
    target = folder.data_folder(name)
    try:
        beside.rename(target)  # onto nothing, or onto an empty folder
    except OSError:
        if target.exists():
            raise ClubExists(name) from None
        raise


@contextmanager
def lock_store_opening(folder: Path) -> Iterator[None]:
    """Keep other processes from opening the stores in a folder meanwhile."""
    with (folder / _OPENING).open("a") as lock:
        ports.lock(lock.fileno())
        yield


def name_club(where: Files, name: str) -> None:
    """Set the name that the pages of a club show."""
    with (
        closing(wiring.open_referee(where)) as referee,
        closing(wiring.open_persons(where)) as persons,
    ):
        named = ClubNamed(persons.add_texts([name])[0])
        referee.settings.record_settings_acts([named], WriteMetadata(OWNER, "server", wiring.now()))


def store_invitation_id(data: Path, invitation: str) -> None:
    """Store the id of the invitation with which a club was made."""
    write_file_atomically(data / _INVITATION, f"{invitation}\n", FILE_MODE)


def invitation_id_or_empty(data: Path) -> str:
    """Id of the invitation that a club was made with; empty if it was made otherwise."""
    with suppress(OSError, UnicodeError):
        return (data / _INVITATION).read_text("ascii").strip()
    return ""


def fill_club_with_demo(where: Files, lang: str) -> None:
    """Fill a club with the demonstration, and show its league to everybody."""
    with (
        closing(wiring.open_referee(where)) as referee,
        closing(wiring.open_persons(where)) as persons,
    ):
        Demo(referee, persons, wiring.now(), lang).fill()
        shown = WriteMetadata(OWNER, "server", wiring.now())
        referee.settings.record_settings_acts([LeagueAudienceChosen("everybody")], shown)


def make_first_admin_link(data: Path, root: str) -> str | None:
    """Make a link with which the first admin opens an account; None if there is an admin.

    Earlier ones are withdrawn: with two of them, a second admin could follow the first unseen.
    """
    first, where = Offer("admin", "", OWNER), wiring.files_of_folder(data)
    with (
        closing(wiring.open_referee(where)) as referee,
        closing(wiring.open_accounts(where)) as keys,
    ):
        if referee.roles.access().has_admin:
            return None
        for one in keys.offers():
            if one.offer == first:
                keys.withdraw_offer(one.id)
        return f"{root}/alta#{keys.make_offer('invitation', first)}"
