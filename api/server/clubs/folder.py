"""The folder of an installation.

Where the files of each club are, and which host or path leads to a club.

Nothing is kept in a list: a club is there if its folder is, and the name of a host, or the first
part of a path, says which folder to look for. So 10,000 known clubs cost no more than ten.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from api.http.access.hosts import host_without_port, is_loopback
from api.server.clubs.schema import exit_if_bad_database_setting, limit_database_connections
from api.server.data_folder import (
    FILE_MODE,
    FOLDER_MODE,
    GIVEN_KEY_VARIABLE,
    KEY_VARIABLE,
    LOG_VARIABLE,
    Files,
    database_address_or_empty,
)
from api.server.faults.exits import end_process
from referee.log.durable import write_file_atomically
from referee.system import exits

CLUBS_VARIABLE: Final = "GUINOTE_CLUBS"
"""The folder; empty for a house alone."""
DEFAULT_DOMAIN: Final = "localhost"
LONGEST: Final = 40
RESERVED: Final = frozenset(("www", "api", "static", "mail", "guinote"))
"""Names of hosts that no club gets."""
OF_THE_LOBBY: Final = frozenset(
    (
        "empezar",
        "entrar",
        "healthz",
        "instalacion",
        "libre",
        "livez",
        "metrics",
        "nuevo",
        "pedir",
        "readyz",
        "tls",
    )
)
"""First parts of paths of the lobby: no new club has such a name, by which it may be asked."""
_HOST: Final = re.compile(r"(?=.{4,253}$)(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{1,63}")
_NAME: Final = re.compile(rf"[a-z0-9](?:[a-z0-9-]{{0,{LONGEST - 2}}}[a-z0-9])?")
_CLUBS, _NOTARIES, _HOSTS, _GONE = "clubs", "notary", "hosts", "gone"
_BACKUPS: Final = "backups"
"""Made at the first backup: it may be a link to another disk, which is not there at a start."""
_SHUT: Final = "shut"
_OF_ONE_HOUSE: Final = (LOG_VARIABLE, KEY_VARIABLE, GIVEN_KEY_VARIABLE)
_DOMAIN: Final = "domain"
_BY_PATH: Final = "by-path"


class BadClubName(ValueError):  # noqa: N818 - it says what the name is
    """A name that no club can have."""


def require_valid_club_name(name: str) -> str:
    """The name, after a check that a club can have it: letters a to z, digits and hyphens.

    :raises BadClubName: it is another one

    >>> require_valid_club_name("pena-la-sota")
    'pena-la-sota'
    """
    if not _NAME.fullmatch(name) or name in RESERVED:
        raise BadClubName(name)
    return name


def require_name_for_new_club(name: str) -> str:
    """The name, after a check that a new club can have it.

    :raises BadClubName: it is another one
    """
    if name in OF_THE_LOBBY:
        raise BadClubName(name)
    return require_valid_club_name(name)


def prepare_clubs_folder() -> ClubsFolder:
    """Make the clubs folder of the environment ready; limits connections to the database too.

    :raises SystemExit: a setting is of one house alone
    """
    for name in _OF_ONE_HOUSE:
        if os.environ.get(name):
            end_process(f"{name}: not for many clubs, each of which has its own", exits.EX_CONFIG)
    found = ClubsFolder(Path(os.environ[CLUBS_VARIABLE]))
    found.make_missing_folders()
    exit_if_bad_database_setting([found.data_folder(name) for name in found.names()])
    limit_database_connections()
    return found


class ClubsFolder:
    """The folder of an installation of many clubs.

    ``domain``: a club is asked at ``NAME.DOMAIN``, or if ``is_by_path`` at ``DOMAIN/NAME/``; and at
    hosts of its own.
    """

    def __init__(self, folder: Path) -> None:
        self.path, self.domain = folder, DEFAULT_DOMAIN
        self.is_by_path = (folder / _BY_PATH).exists()
        with suppress(OSError):
            self.domain = (folder / _DOMAIN).read_text("ascii").strip()

    def make_missing_folders(self) -> None:
        """Make the folders that are missing."""
        for one in (self.path, *(self.path / name for name in (_CLUBS, _NOTARIES, _HOSTS, _GONE))):
            one.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)

    def choose_domain(self, domain: str, *, is_by_path: bool = False) -> None:
        """Set the domain of the installation, which each club has in its address.

        Takes effect at a restart.

        :raises BadClubName: it cannot be the name of a host, or a club has the name of a page
        """
        if (chosen := host_without_port(domain)) != DEFAULT_DOMAIN and self._host_file(
            chosen
        ) is None:
            raise BadClubName(domain)
        if is_by_path:
            for name in OF_THE_LOBBY & {*self.names()}:
                raise BadClubName(name)
            write_file_atomically(self.path / _BY_PATH, "", FILE_MODE)
        else:
            (self.path / _BY_PATH).unlink(missing_ok=True)
        write_file_atomically(self.path / _DOMAIN, f"{chosen}\n", FILE_MODE)
        self.domain, self.is_by_path = chosen, is_by_path

    def data_folder(self, name: str) -> Path:
        """The data folder of a club."""
        return self.path / _CLUBS / require_valid_club_name(name)

    def files(self, name: str) -> Files:
        """Files of a club.

        :raises WrongHouse: it is in a database that no setting names
        """
        data = self.data_folder(name)
        return Files(data, database_address_or_empty(data))

    def notary_folder(self, name: str) -> Path:
        """The folder of the notary of a club."""
        return self.path / _NOTARIES / require_valid_club_name(name)

    def backup_folder(self, name: str) -> Path:
        """Folder of the daily backups of a club, outside its data folder."""
        return self.path / _BACKUPS / require_valid_club_name(name)

    @property
    def backup_folder_of_removed_clubs(self) -> Path:
        """Folder of the daily backups of removed clubs, on the same disk as before."""
        return self.path / _BACKUPS

    @property
    def folder_of_removed_clubs(self) -> Path:
        """Folder of removed clubs, until they are deleted."""
        return self.path / _GONE

    def has(self, name: str) -> bool:
        """Whether there is a club of this name."""
        return bool(_NAME.fullmatch(name)) and (self.path / _CLUBS / name).is_dir()

    def names(self) -> list[str]:
        """Names of all clubs, sorted."""
        return sorted(
            one.name for one in (self.path / _CLUBS).glob("*") if _NAME.fullmatch(one.name)
        )

    # --- hosts ---------------------------------------------------------------------------------

    def club_of_host_and_path(self, asked: str, path: str = "") -> str | None:
        """Name of the club to which a host and a path lead; None if to no club."""
        host = host_without_port(asked)
        if self.is_host_of_club_paths(host):
            found = path[1:].partition("/")[0]
            return found if self.has(found) and found not in OF_THE_LOBBY else None
        name, _, domain = host.partition(".")
        is_below = domain == self.domain and not self.is_by_path
        found = name if is_below else self._club_of_own_host_or_empty(host)
        return found if found and self.has(found) else None

    def is_host_of_club_paths(self, asked: str) -> bool:
        """Whether clubs are at paths, and this host is the one above them."""
        host = host_without_port(asked)
        is_computer = is_loopback(host) and not host.endswith(".localhost")
        return self.is_by_path and (host == self.domain or is_computer)

    def _club_of_own_host_or_empty(self, host: str) -> str:
        file = self._host_file(host)
        try:
            return "" if file is None else file.read_text("ascii").strip()
        except (OSError, UnicodeError):
            return ""

    def addresses_of_club(self, name: str) -> list[str]:
        """Addresses at which a club is asked: its usual one, then host names of its own."""
        return [
            self.usual_host_and_path_of_club(require_valid_club_name(name)),
            *sorted(self._own_hosts_of_club(name)),
        ]

    def usual_host_and_path_of_club(self, name: str) -> str:
        """Usual address of a club: a host under the domain, or a path below it."""
        return f"{self.domain}/{name}" if self.is_by_path else f"{name}.{self.domain}"

    def _own_hosts_of_club(self, name: str) -> Iterator[str]:
        for file in (self.path / _HOSTS).glob("*"):
            if self._club_of_own_host_or_empty(file.name) == name:
                yield file.name

    def assign_host(self, name: str, host: str) -> None:
        """Make a host name lead to a club, and to no other.

        :raises BadClubName: it cannot be the name of a host
        """
        file = self._host_file(host_without_port(host))
        if file is None:
            raise BadClubName(host)
        write_file_atomically(file, f"{require_valid_club_name(name)}\n", FILE_MODE)

    def forget_hosts(self, name: str) -> None:
        """Remove all host names of a club other than its usual address."""
        for host in list(self._own_hosts_of_club(name)):
            (self.path / _HOSTS / host).unlink(missing_ok=True)

    def _host_file(self, host: str) -> Path | None:
        return self.path / _HOSTS / host if _HOST.fullmatch(host) else None

    # --- open and shut --------------------------------------------------------------------------

    def is_shut(self, name: str) -> bool:
        """Whether a club is shut to everybody for now, while it is moved, restored or upgraded."""
        return (self.data_folder(name) / _SHUT).exists()

    def may_enter(self, name: str) -> bool:
        """Whether a club is there, and not shut."""
        return self.has(name) and not self.is_shut(name)

    def shut(self, name: str) -> None:
        """Shut a club to everybody; processes that have it open close it soon."""
        (self.data_folder(name) / _SHUT).touch(FILE_MODE)

    def reopen(self, name: str) -> None:
        """Open a club to everybody again."""
        (self.data_folder(name) / _SHUT).unlink(missing_ok=True)
