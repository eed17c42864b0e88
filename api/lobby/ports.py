"""The interface of an installation for its lobby: which clubs there are, and how one is made."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Literal, NamedTuple, Protocol, TypeAlias

NameFault: TypeAlias = Literal["", "impossible", "taken"]
"""Why no club can have a short name; empty if one can."""
ClubHealth: TypeAlias = Literal["ok", "unsigned", "damaged", "unread"]
"""``unread``: its database does not answer, or it is shut: then it may be restored or moved, and
nobody opens its log.
"""


class ShortNameTaken(Exception):  # noqa: N818 - what is the case
    """Another club has the short name."""


class ClubFacts(NamedTuple):
    """What the owner of an installation sees of a club. ``size``: bytes on the disk.

    ``written``, ``signed``: when its log was last written, and last signed.
    """

    name: str
    is_shut: bool
    events: int
    size: int
    written: datetime | None
    signed: datetime | None
    health: ClubHealth


class InstalledClubs(Protocol):
    """The clubs of an installation."""

    @property
    def domain(self) -> str:
        """Domain of the installation; each club is a host under it, or a path if ``is_by_path``."""
        ...

    @property
    def is_by_path(self) -> bool:
        """Whether each club is a path below the domain, and not a host under it."""
        ...

    def has(self, name: str) -> bool:
        """Whether there is a club of this short name."""
        ...

    def names(self) -> list[str]:
        """Short names of all clubs, sorted."""
        ...

    def is_shut(self, name: str) -> bool:
        """Whether nobody may enter a club for now."""
        ...

    def short_name_fault(self, short: str) -> NameFault:
        """Why no new club can have this short name; empty if one can."""
        ...

    def hold_making_lock(self) -> AbstractContextManager[None]:
        """Lock for making a club: no other process makes one meanwhile."""
        ...

    def is_made_with_invitation(self, invitation: str, short: str) -> bool:
        """Whether there is a club of this short name that was made with an invitation.

        A later club may have the name of one that has left.
        """
        ...

    def make_club_by_invitation(self, short: str, name: str, invitation: str) -> None:
        """Make a club with an invitation, and with the name that its pages show.

        :raises ShortNameTaken: there is one of this short name
        """
        ...

    def make_example_club(self, short: str, lang: str, invitation: str) -> str:
        """Make an example club beside another; returns its short name, empty if that is taken."""
        ...

    def renew_first_admin_link(self, short: str, root: str) -> str | None:
        """New link for the first admin of a club, voiding earlier ones; None if it has one."""
        ...

    def facts_of_clubs(self, names: Sequence[str]) -> list[ClubFacts]:
        """Size, health and dates of each of these clubs, read from outside."""
        ...

    def free_bytes(self) -> int:
        """Number of bytes left on the disk."""
        ...

    def shut(self, short: str) -> None:
        """Let nobody enter a club."""
        ...

    def reopen(self, short: str) -> None:
        """Let everybody enter again."""
        ...
