"""The data folder: where each file of a house is. Only its owner may read it.

Older folders are made private.
"""

from __future__ import annotations

import os
import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from api.server.faults.exits import WrongHouse, end_process, exit_line_and_code
from referee.log.ports import Address
from referee.people.master_key import GivenKey, KeyFile, MasterKey
from referee.system import exits, ports

FOLDER_MODE: Final = 0o700
FILE_MODE: Final = 0o600
OURS: Final = (
    "*.sqlite",
    "*.sqlite-*",
    "*.sqlite.*",
    "owner.token",
    "persons.key",
    "https/*.key",
    "https/*.pem",
)
"""Files that only their owner may read. The checkpoint and the notary's public key are public."""
OF_THE_FIRST_START: Final = ("owner.token", "persons.sqlite")
"""Files that a folder has from its first start on."""
HOSTS_MARK: Final = "hosts.checked"
"""In a folder with this file, requests for unknown hosts are refused, not only reported."""


FOLDER_VARIABLE: Final = "GUINOTE_DATA"
DEFAULT_FOLDER: Final = "var"
LOG_VARIABLE: Final = "GUINOTE_LOG"
"""Where the log is, if not in the data folder: ``postgresql://user@host/database``."""
CLUBS_LOG_VARIABLE: Final = "GUINOTE_CLUBS_LOG"
"""The database of an installation, in which each of its clubs has a schema of its own."""
SCHEMA_FILE: Final = "schema"
"""The file of a data folder that names the schema in which its club is."""
KEY_VARIABLE: Final = "GUINOTE_PERSONS_KEY"
"""File of the master key of the names; by default it is beside them."""
GIVEN_KEY_VARIABLE: Final = "GUINOTE_PERSONS_SECRET"
"""The master key itself: 64 hexadecimal digits, the same for every computer of a house."""


@dataclass(frozen=True, slots=True)
class Files:
    """Addresses of the log, the names, the accounts, the security log and the views of one house.

    ``elsewhere``: address of a log that is not in the folder, and of what is beside it.
    """

    folder: Path
    elsewhere: str = ""

    @property
    def log(self) -> Address:
        """The log: every event."""
        return self.elsewhere or self.folder / "log.sqlite"

    @property
    def views(self) -> Path:
        """Views of the log, which may be lost."""
        return self.folder / "views.sqlite"

    @property
    def persons(self) -> Address:
        """Names and texts, which may be erased: beside the log."""
        return self.elsewhere or self.folder / "persons.sqlite"

    @property
    def accounts(self) -> Address:
        """Accounts, and hashes of tokens and codes: beside the log."""
        return self.elsewhere or self.folder / "access.sqlite"

    @property
    def security_log(self) -> Address:
        """The security log: beside the log."""
        return self.elsewhere or self.folder / "security.sqlite"

    @property
    def master_key_file(self) -> Path:
        """The file of the master key, unless a variable gives the key itself."""
        named = os.environ.get(KEY_VARIABLE)
        return Path(named) if named else self.folder / "persons.key"

    @property
    def master_key_source(self) -> MasterKey:
        """The master key of names and texts."""
        given = os.environ.get(GIVEN_KEY_VARIABLE)
        return GivenKey(GIVEN_KEY_VARIABLE, given) if given else KeyFile(self.master_key_file)


def schema_name_or_empty(folder: Path) -> str:
    """Name of the PostgreSQL schema that holds a club; empty if the club is in its folder."""
    try:
        return (folder / SCHEMA_FILE).read_text("ascii").strip()
    except FileNotFoundError:
        return ""


def database_address_or_empty(folder: Path) -> str:
    """Database address of the schema that holds a club; empty if the club is in its folder.

    :raises WrongHouse: no setting names the database
    """
    if not (schema := schema_name_or_empty(folder)):
        return ""
    if not (database := os.environ.get(CLUBS_LOG_VARIABLE)):
        raise WrongHouse(f"{folder} is in PostgreSQL: {CLUBS_LOG_VARIABLE} is to name it")
    from referee.log.postgres.schemas import address_of_schema  # noqa: PLC0415 - few have the driver

    return address_of_schema(database, schema)


def prepare_data_folder(folder: Path) -> None:
    """Make the data folder if need be, private to its owner; a new one refuses unknown hosts.

    :raises SystemExit: it cannot be made, or others may read it, and that cannot be changed
    """
    try:
        is_new = not any((folder / name).exists() for name in OF_THE_FIRST_START)
        folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        _restrict_mode_or_exit(folder, FOLDER_MODE)
        for pattern in OURS:
            for file in folder.glob(pattern):
                _restrict_mode_or_exit(file, FILE_MODE)
        if is_new:
            enable_host_check(folder)
    except OSError as error:
        end_process(*exit_line_and_code(error, folder))


def enable_host_check(folder: Path) -> None:
    """Refuse unknown hosts from now on."""
    if not has_host_check(folder):
        (folder / HOSTS_MARK).touch(FILE_MODE)


def has_host_check(folder: Path) -> bool:
    """Whether requests for unknown hosts are refused."""
    return (folder / HOSTS_MARK).exists()


def _restrict_mode_or_exit(path: Path, mode: int) -> None:
    try:
        found = path.stat().st_mode
        if not ports.is_mode_open_to_others(found):
            return
        if not found & stat.S_ISVTX:  # a folder that many users share, such as the temporary one
            path.chmod(mode)
            found = path.stat().st_mode
    except FileNotFoundError:  # a journal that another process has just removed
        return
    except OSError as error:
        end_process(_mode_error_text(path, mode, str(error)), exits.EX_NOPERM)
    if ports.is_mode_open_to_others(found):
        end_process(
            _mode_error_text(path, mode, "its mode cannot be changed here"), exits.EX_NOPERM
        )
    sys.stderr.write(f"{path}: others could read it; its mode is now {mode:o}\n")


def _mode_error_text(path: Path, mode: int, why: str) -> str:
    return (
        f"{path}: others may read it ({why}). Give it the mode {mode:o}, or choose another folder."
    )
