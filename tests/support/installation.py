"""A real server of many clubs, and one of its clubs as a server that tests ask."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from api.server.clubs.birth import make_club
from api.server.clubs.folder import CLUBS_VARIABLE, ClubsFolder
from tests.support.servers.served import Served, command_of


class Installation(Served):
    """``guinote serve --clubs``; ``made``: names of clubs that are made before its start."""

    def __init__(self, folder: Path, *made: str, **settings: str) -> None:
        self.clubs = ClubsFolder(folder)
        for name in made:
            make_club(self.clubs, name)
        super().__init__(folder, **{CLUBS_VARIABLE: str(folder), **settings})
        self.command = ("api.cli", "serve")

    def club(self, name: str) -> ServedClub:
        """One of its clubs, at its host."""
        return ServedClub(self, name)

    def club_below(self, name: str) -> Served:
        """One of its clubs, at its path."""
        found = Served(self.clubs.data_folder(name))
        found.port, found.prefix = self.port, f"/{name}"
        return found

    def who_has(self, name: str) -> list[int]:
        """Processes of the server that have a file of a club open."""
        folder = f"{self.clubs.data_folder(name)}/"
        return [
            pid for pid in self.children() if any(file.startswith(folder) for file in files_of(pid))
        ]

    def beside(self, module: str) -> list[int]:
        """Processes that run a module beside the workers."""
        return [pid for pid in self.children() if module.encode() in command_of(pid)]


class ServedClub(Served):
    """A club of a server that runs."""

    def __init__(self, server: Installation, name: str) -> None:
        super().__init__(server.clubs.data_folder(name))
        self.port, self.server, self.host_name = server.port, server, f"{name}.localhost"

    def page(self, path: str) -> tuple[int, str]:
        """Status and text of a page."""
        connection = self.connection()
        connection.request("GET", path, headers={"Host": self.host_name})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def _ask_once(
        self, method: str, path: str, body: Any, headers: dict[str, str] | None
    ) -> tuple[int, dict[str, Any]]:
        return super()._ask_once(method, path, body, {**(headers or {}), "Host": self.host_name})


def files_of(pid: int) -> set[str]:
    """Files that a process has open."""
    found = set[str]()
    for one in Path(f"/proc/{pid}/fd").iterdir():
        try:
            found.add(os.readlink(one))
        except OSError:  # closed meanwhile
            continue
    return found
