"""Pairs of a tournament as lines of text, matched with the players of the club."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from api.club.players_csv import CellFault
from api.club.reading import KnownPlayer, PartnersData
from api.http.faults import FieldFault
from api.http.fields import MAX_NAME
from api.http.languages import LANGUAGES, say
from api.http.names import words_of
from api.http.spreadsheets import BadTable, read_table
from referee.tournament.field import MOST

_BETWEEN: Final = re.compile(r"\s*[/;,\t&+·|]\s*|\s+[-\u2013\u2014]\s+")
_NICKNAME: Final = re.compile(r"(.*\S)\s*\((.+)\)")
_LARGEST: Final = 10_000


class NamedPlayer(NamedTuple):
    """A player of a line: name and person; ``person`` is empty for a new player."""

    name: str
    person: str


class PairLine(NamedTuple):
    """A pair that is to enter, and its strength."""

    line: int
    players: tuple[NamedPlayer, ...]
    strength: int


def read_pairs(
    text: str, of_pair: int, known: Sequence[KnownPlayer], pairs: Sequence[PartnersData] = ()
) -> tuple[list[PairLine], list[CellFault]]:
    """The pairs of a text, a line each, and what is wrong with it.

    A line is the name of a pair of the club, or the names of its players. Separators are a slash, a
    semicolon, a comma, a tab or a dash between blanks; a number at the end is the strength. A
    nickname in brackets identifies one of several players of a name. The exported table of the
    pairs of a tournament is read as well.
    """
    by_name: dict[str, list[KnownPlayer]] = {}
    for one in known:
        by_name.setdefault(_folded(one.name), []).append(one)
    named_pairs = _by_name(pairs, of_pair)
    faults: list[CellFault] = []
    found: list[PairLine] = []
    for number, parts in _lines(text):
        strength = int(parts.pop()) if _is_strength(parts[-1]) else 0
        if parts and _folded(" ".join(parts)) in named_pairs:
            found.append(PairLine(number, named_pairs[_folded(" ".join(parts))], strength))
            continue
        if len(parts) != of_pair:
            faults.append(CellFault(number, 0, FieldFault("players_wanted", n=of_pair)))
            continue
        players = [_named(part, by_name) for part in parts]
        wrong = [CellFault(number, 0, one) for one in players if isinstance(one, FieldFault)]
        faults += wrong
        named = tuple(one for one in players if isinstance(one, NamedPlayer))
        if not wrong:
            found.append(PairLine(number, named, strength))
    if not found and not faults:
        faults.append(CellFault(1, 0, FieldFault("no_lines")))
    if len(found) > MOST:
        fault = FieldFault("too_many_lines", max=MOST)
        faults.append(CellFault(found[MOST].line, 0, fault))
    return found, faults


def _lines(text: str) -> list[tuple[int, list[str]]]:
    """Lines that hold something, in their parts: typed, or of the exported table of pairs."""
    rows = _of_table(text)
    if rows is None:
        lines = enumerate(text.splitlines(), 1)
        rows = [(number, _BETWEEN.split(line.strip())) for number, line in lines]
    parted = [(number, [part for part in parts if part]) for number, parts in rows]
    return [one for one in parted if one[1]]


def _of_table(text: str) -> list[tuple[int, list[str]]] | None:
    """Players of each row of a table under our headings; None if it is none."""
    try:
        head, *rows = read_table(text)
    except (BadTable, ValueError):
        return None
    headings = {say("tournament_page.pair", lang) for lang in LANGUAGES}
    if not head.cells or head.cells[0] not in headings:
        return None
    return [(line, [cell.strip() for cell in cells[1:]]) for line, cells in rows]


def _by_name(pairs: Sequence[PartnersData], of_pair: int) -> dict[str, tuple[NamedPlayer, ...]]:
    """Players of each pair of the club by its name."""
    return {
        _folded(one["name"]): tuple(map(NamedPlayer, one["names"], one["players"]))
        for one in pairs
        if one["name"] and len(one["players"]) == of_pair
    }


def _is_strength(part: str) -> bool:
    return part.isascii() and part.isdecimal() and int(part) <= _LARGEST


def _named(part: str, by_name: Mapping[str, Sequence[KnownPlayer]]) -> NamedPlayer | FieldFault:
    """The player with a name; a fault if there are several, or if it cannot be a name."""
    with_nickname = _NICKNAME.fullmatch(part)
    name, nickname = with_nickname.groups() if with_nickname else (part, "")
    if len(part) > MAX_NAME or not part.isprintable():
        return FieldFault("length", min=1, max=MAX_NAME)
    fitting = [
        one
        for one in by_name.get(_folded(name), ())
        if not nickname or _folded(one.nickname) == _folded(nickname)
    ]
    if len(fitting) > 1:
        return FieldFault("several_players", text=part)
    return NamedPlayer(fitting[0].name, fitting[0].player) if fitting else NamedPlayer(part, "")


def _folded(text: str) -> str:
    return " ".join(words_of(text))
