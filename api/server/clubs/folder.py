"""The folder of an installation: what is where of each club, and the names by which it is asked.

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

from api.http.access.host_names import host_name, is_loopback
from api.server.clubs.schema import check_database, limit_connections
from api.server.data_folder import (
    FILE_MODE,
    FOLDER_MODE,
    GIVEN_KEY_VARIABLE,
    KEY_VARIABLE,
    LOG_VARIABLE,
    Files,
    address_of_club,
)
from api.server.faults.exits import end
from referee.log.durable import replace_file
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


def check_name(name: str) -> str:
    """A name that a club can have: letters of a to z, digits and hyphens, as in the name of a host.

    :raises BadClubName: it is another one

    >>> check_name("pena-la-sota")
    'pena-la-sota'
    """
    if not _NAME.fullmatch(name) or name in RESERVED:
        raise BadClubName(name)
    return name


def check_new_name(name: str) -> str:
    """A name that a new club can have.

    :raises BadClubName: it is another one
    """
    if name in OF_THE_LOBBY:
        raise BadClubName(name)
    return check_name(name)


def clubs_folder() -> ClubsFolder:
    """The folder of the environment, with what it needs.

    :raises SystemExit: a setting is of one house alone
    """
    for name in _OF_ONE_HOUSE:
        if os.environ.get(name):
            end(f"{name}: not for many clubs, each of which has its own", exits.EX_CONFIG)
    found = ClubsFolder(Path(os.environ[CLUBS_VARIABLE]))
    found.prepare()
    check_database([found.data(name) for name in found.names()])
    limit_connections()
    return found


class ClubsFolder:
    """The folder.

    ``domain``: a club is asked at ``NAME.DOMAIN``, or if ``is_by_path`` at ``DOMAIN/NAME/``; and at
    hosts of its own.
    """

    def __init__(self, folder: Path) -> None:
        self.path, self.domain = folder, DEFAULT_DOMAIN
        self.is_by_path = (folder / _BY_PATH).exists()
        with suppress(OSError):
            self.domain = (folder / _DOMAIN).read_text("ascii").strip()

    def prepare(self) -> None:
        """Make what is missing of it."""
        for one in (self.path, *(self.path / name for name in (_CLUBS, _NOTARIES, _HOSTS, _GONE))):
            one.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)

    def choose_domain(self, domain: str, *, is_by_path: bool = False) -> None:
        """Have every club be asked under another name; processes hear of it when they begin anew.

        :raises BadClubName: it cannot be the name of a host, or a club has the name of a page
        """
        if (chosen := host_name(domain)) != DEFAULT_DOMAIN and self._host_file(chosen) is None:
            raise BadClubName(domain)
        if is_by_path:
            for name in OF_THE_LOBBY & {*self.names()}:
                raise BadClubName(name)
            replace_file(self.path / _BY_PATH, "", FILE_MODE)
        else:
            (self.path / _BY_PATH).unlink(missing_ok=True)
        replace_file(self.path / _DOMAIN, f"{chosen}\n", FILE_MODE)
        self.domain, self.is_by_path = chosen, is_by_path

    def data(self, name: str) -> Path:
        """The data folder of a club."""
        return self.path / _CLUBS / check_name(name)

    def files(self, name: str) -> Files:
        """Files of a club.

        :raises WrongHouse: it is in a database that no setting names
        """
        data = self.data(name)
        return Files(data, address_of_club(data))

    def notary(self, name: str) -> Path:
        """The folder of the notary of a club."""
        return self.path / _NOTARIES / check_name(name)

    def backups(self, name: str) -> Path:
        """Where the daily backups of a club are: not in its folder, so they do not fill it."""
        return self.path / _BACKUPS / check_name(name)

    @property
    def backups_of_gone(self) -> Path:
        """Where the daily backups of removed clubs are: on the disk on which they were."""
        return self.path / _BACKUPS

    @property
    def gone(self) -> Path:
        """The folder of clubs that were removed, until their time is over."""
        return self.path / _GONE

    def has(self, name: str) -> bool:
        """Whether there is such a club."""
        return bool(_NAME.fullmatch(name)) and (self.path / _CLUBS / name).is_dir()

    def names(self) -> list[str]:
        """Names of all clubs, sorted."""
        return sorted(
            one.name for one in (self.path / _CLUBS).glob("*") if _NAME.fullmatch(one.name)
        )

    # --- hosts ---------------------------------------------------------------------------------

    def club_of(self, asked: str, path: str = "") -> str | None:
        """The club that a host is of, or a path at the host of all clubs; None if of none."""
        host = host_name(asked)
        if self.is_of_all(host):
            found = path[1:].partition("/")[0]
            return found if self.has(found) and found not in OF_THE_LOBBY else None
        name, _, domain = host.partition(".")
        is_below = domain == self.domain and not self.is_by_path
        found = name if is_below else self._club_of_own(host)
        return found if found and self.has(found) else None

    def is_of_all(self, asked: str) -> bool:
        """Whether the clubs are below a host, each at its path."""
        host = host_name(asked)
        is_computer = is_loopback(host) and not host.endswith(".localhost")
        return self.is_by_path and (host == self.domain or is_computer)

    def _club_of_own(self, host: str) -> str:
        file = self._host_file(host)
        try:
            return "" if file is None else file.read_text("ascii").strip()
        except (OSError, UnicodeError):
            return ""

    def hosts_of(self, name: str) -> list[str]:
        """Where a club is asked: at its place, then by hosts of its own."""
        return [self.place_of(check_name(name)), *sorted(self._own_hosts(name))]

    def place_of(self, name: str) -> str:
        """Where every club is: at a host under the domain, or at a path below it."""
        return f"{self.domain}/{name}" if self.is_by_path else f"{name}.{self.domain}"

    def _own_hosts(self, name: str) -> Iterator[str]:
        for file in (self.path / _HOSTS).glob("*"):
            if self._club_of_own(file.name) == name:
                yield file.name

    def name_host(self, name: str, host: str) -> None:
        """Have a host lead to a club, and no longer to another one.

        :raises BadClubName: it cannot be the name of a host
        """
        file = self._host_file(host_name(host))
        if file is None:
            raise BadClubName(host)
        replace_file(file, f"{check_name(name)}\n", FILE_MODE)

    def forget_hosts(self, name: str) -> None:
        """No host but the one under the domain leads to a club any more."""
        for host in list(self._own_hosts(name)):
            (self.path / _HOSTS / host).unlink(missing_ok=True)

    def _host_file(self, host: str) -> Path | None:
        return self.path / _HOSTS / host if _HOST.fullmatch(host) else None

    # --- open and shut --------------------------------------------------------------------------

    def is_shut(self, name: str) -> bool:
        """Whether nobody may enter a club for now: it is moved, restored or upgraded."""
        return (self.data(name) / _SHUT).exists()

    def may_enter(self, name: str) -> bool:
        """Whether a club is there, and not shut."""
        return self.has(name) and not self.is_shut(name)

    def shut(self, name: str) -> None:
        """Let nobody enter any more; processes that have it open close it soon."""
        (self.data(name) / _SHUT).touch(FILE_MODE)

    def reopen(self, name: str) -> None:
        """Let everybody enter again."""
        (self.data(name) / _SHUT).unlink(missing_ok=True)
