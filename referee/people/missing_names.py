"""Names that cannot be read: the house goes on by its seats until they are put back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from referee.events import PersonId, TextId
from referee.people.key_file import MasterKey, PersonsError, Random
from referee.people.persons import Persons, SealedPart


class NamesLost(PersonsError):  # noqa: N818 - it says what is the case
    """The store of the names is damaged, or is not there; the text says which."""


class LostNames(Persons):
    """In place of names that cannot be read: none is known, and none is stored or erased.

    What is added now would lie in another store than the names of before, and what is erased now
    would be back with their copy. The master key is there, so accounts and hashes stay as they are.
    """

    is_lost = True

    def __init__(self, folder: Path, *, why: str, random: Random, key: MasterKey) -> None:
        """``folder``: an empty one that nobody else uses; ``why``: what is wrong, in a line.

        :raises PersonsError: the master key is missing or malformed
        """
        super().__init__(folder / "persons.sqlite", random=random, key=key)
        self._why = why

    def is_named(self, person: PersonId) -> bool:
        """Whether a person has a name.

        :raises NamesLost: always
        """
        self._refuse()

    def rename(self, person: PersonId, name: str) -> bool:
        """Replace a name.

        :raises NamesLost: always
        """
        self._refuse()

    def check(self) -> None:
        """Check that names can be read.

        :raises NamesLost: always
        """
        self._refuse()

    def note_sealed(self, part: SealedPart, erased: object = ()) -> None:
        """Note that a part is sealed.

        :raises NamesLost: always
        """
        self._refuse()

    def _add(self, table: str, values: Sequence[str]) -> list[str]:
        if values:
            self._refuse()
        return []

    def _delete(self, stored: Sequence[PersonId | TextId], *, is_noted: bool) -> bool:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise NamesLost(self._why)
