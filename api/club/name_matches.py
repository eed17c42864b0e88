"""Typed names and the players of the club: who has this name, and who has nearly this name.

Case, accents and blanks never count. A name that one player has means that player. One that several
have, or that somebody nearly has, is a doubt: the form comes back with the question who it is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from api.club.messages import name_in_mixed_case, parse_pasted_list
from api.club.views import KnownPlayer
from api.http.names import fold_name

OTHER: Final = "other"
"""Answer to a doubt: somebody else."""
NO_ANSWERS: Final[Mapping[str, str]] = MappingProxyType({})
_NICKNAME: Final = re.compile(r"(.*\S)\s*\((.+)\)")
_SHORTEST: Final = 5
"""Length from which names that differ by one letter are nearly equal."""
_MOST: Final = 5
_ONE_SURNAME: Final = 2
_FITTING: Final = {
    "one surname": "two surnames",
    "two surnames": "one surname",
    "initial": "whole",
    "whole": "initial",
}
"""Kind of key that the other name has to have, where it is not the same kind."""


class NameDoubt(NamedTuple):
    """A typed name that may be one of several players.

    ``field``: of the form, for the answer; ``answer``: a player, ``other``, or empty.
    """

    name: str
    field: str
    players: tuple[KnownPlayer, ...]
    answer: str = ""


class KnownNames:
    """The names of the players, prepared to be compared with typed ones."""

    def __init__(self, players: Iterable[KnownPlayer]) -> None:
        self._same: dict[str, list[KnownPlayer]] = defaultdict(list)
        self._like: dict[tuple[str, str], list[KnownPlayer]] = defaultdict(list)
        for one in players:
            self._same[fold_name(one.name)].append(one)
            for key in {*_match_keys(one.name), *_nickname_keys(one.nickname)}:
                self._like[key].append(one)

    def players_of_name(self, typed: str) -> list[KnownPlayer]:
        """Players of this name; a nickname in brackets chooses among them."""
        whole, (name, nickname) = self._same.get(fold_name(typed), []), _split_nickname(typed)
        return whole or [
            one
            for one in self._same.get(fold_name(name), ())
            if fold_name(one.nickname) == fold_name(nickname)
        ]

    def players_of_similar_name(self, typed: str) -> list[KnownPlayer]:
        """Players with a similar name, or with this nickname.

        Those with exactly this name are left out.

        Nearly: the same words in another order, one letter more, less or other, one surname of two,
        an initial.
        """
        name, _ = _split_nickname(typed)
        equal = {
            one.player
            for one in (*self.players_of_name(typed), *self._same.get(fold_name(name), ()))
        }
        found = {
            one.player: one
            for kind, key in (*_match_keys(name), *_nickname_keys(name))
            for one in self._like.get((_FITTING.get(kind, kind), key), ())
            if one.player not in equal
        }
        return list(found.values())[:_MOST]

    def player_meant(self, typed: str, answers: Mapping[str, str]) -> KnownPlayer | None:
        """The player whom a typed name means; None if it is somebody new, or in doubt."""
        same = self.players_of_name(typed)
        if answer := answers.get(answer_field_of_name(typed), ""):
            return next(
                (
                    one
                    for one in (*same, *self.players_of_similar_name(typed))
                    if one.player == answer
                ),
                None,
            )
        return same[0] if len(same) == 1 else None

    def doubts_about_names(
        self, typed: Iterable[str], answers: Mapping[str, str], *, is_new: bool = False
    ) -> list[NameDoubt]:
        """Typed names that may mean several players, with the answers so far.

        ``is_new``: An exact match is a doubt too.
        """
        found = []
        for name in dict.fromkeys(typed):
            same = self.players_of_name(name)
            if len(same) == 1 and not is_new:
                continue
            if players := (
                *same,
                *([] if same and not is_new else self.players_of_similar_name(name)),
            ):
                answer = answers.get(answer_field_of_name(name), "")
                is_one = answer in {OTHER, *(one.player for one in players)}
                found.append(
                    NameDoubt(name, answer_field_of_name(name), players, answer if is_one else "")
                )
        return found


def _split_nickname(typed: str) -> tuple[str, str]:
    """A name, and the nickname in brackets behind it."""
    found = _NICKNAME.fullmatch(typed)
    return (found[1], found[2]) if found else (typed, "")


def are_name_doubts_answered(doubts: Iterable[NameDoubt]) -> bool:
    """Whether the user has answered for each doubtful name which player it means."""
    return all(one.answer for one in doubts)


def answer_field_of_name(typed: str) -> str:
    """Name of the form field in which the user says which player a typed name means."""
    return f"is {fold_name(typed)}"


def name_lines(text: str) -> list[str]:
    """The names of a list as it was sent, a line each."""
    lines = (one.text.strip() for one in parse_pasted_list(text).lines)
    return [name_in_mixed_case(line) for line in lines if line]


def _match_keys(name: str) -> Iterator[tuple[str, str]]:
    """Keys of a name; two names are nearly equal if one of them fits (``_FITTING``)."""
    words = [word for word in re.split(r"[\s.,]+", fold_name(name)) if word]
    text = " ".join(words)
    yield "words", " ".join(sorted(words))
    if len(text) >= _SHORTEST:
        yield "near", text
        letters = (at for at, sign in enumerate(text) if sign.isalpha())
        yield from (("near", text[:at] + text[at + 1 :]) for at in letters)
    if len(words) > 1:
        first, second = words[:2]
        yield "one surname" if len(words) == _ONE_SURNAME else "two surnames", f"{first} {second}"
        if second[0].isalpha():
            kind = "initial" if len(second) == 1 else "whole"
            yield kind, f"{first} {second[0]}"


def _nickname_keys(nickname: str) -> Iterator[tuple[str, str]]:
    if nickname:
        yield "nickname", fold_name(nickname)
