"""Stand-in for names that cannot be read: the house runs without names until they are restored."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from referee.events import PersonId, TextId
from referee.people.master_key import MasterKey, PersonsError, Random
from referee.people.persons import Persons, SealedPart


class NamesLost(PersonsError):  # noqa: N818 - it says what is the case
    """Error: the store of the names is damaged or missing; the text says which."""


class LostNames(Persons):
    """Stand-in for a store of names that cannot be read.

    Nobody has a name, and nothing can be stored or erased.

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
        """Raise an error: names cannot be read now.

        :raises NamesLost: always
        """
        self._refuse()

    def rename(self, person: PersonId, name: str) -> bool:
        """Raise an error: names cannot be written now.

        :raises NamesLost: always
        """
        self._refuse()

    def check_key_and_store(self) -> None:
        """Raise an error: names cannot be read now.

        :raises NamesLost: always
        """
        self._refuse()

    def note_part_as_sealed(self, part: SealedPart, erased: object = ()) -> None:
        """Raise an error: nothing can be noted beside lost names.

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
