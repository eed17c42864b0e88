"""Entries of a profile: each value of an option with its article, read from a data file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from referee.rules.profile.options import names_in
from referee.rules.profile.values import Value, read_value

Basis: TypeAlias = Literal["stated", "inferred", "silent"]
OptionEntries: TypeAlias = Mapping[str, Mapping[int, "OptionEntry"]]

TABLES = (4, 3, 2)


@dataclass(frozen=True, slots=True)
class Article:
    """Source of a value: a profile, a heading of its rulebook, and whether that states it.

    ``cases``: of a value that is a set, what each of its cases rests on, if that is not the same
    for all. ``basis`` is then the weakest of them.
    """

    profile: str
    section: str
    basis: Basis
    cases: Mapping[str, Basis] = field(default_factory=dict, hash=False, repr=False)


@dataclass(frozen=True, slots=True)
class OptionEntry:
    """Value of an option and its article."""

    value: Value
    article: Article


def read_entries(data: Mapping[str, Any]) -> OptionEntries:
    """Entries of all options by number of players, from the content of a profile's file.

    A cell of the file may be a table by number of players. ``KeyError``: an option of its edition
    is missing; ``ValueError``: a value is unfit.
    """
    several = {
        "players": {"value": {str(players): players for players in TABLES}},
        "deck": {"value": data["decks"][0]},
    }
    return MappingProxyType(
        {
            name: _by_players(data["id"], name, {**several.get(name, {}), **data["option"][name]})
            for name in names_in(data["edition"])
        }
    )


def read_alternatives(data: Mapping[str, Any]) -> Mapping[str, tuple[Value, ...]]:
    """Other values that the rulebook states, for the options that have any."""
    return MappingProxyType(
        {
            name: tuple(read_value(name, one) for one in row["alternatives"])
            for name, row in data["option"].items()
            if "alternatives" in row
        }
    )


def _by_players(profile_id: str, name: str, row: Mapping[str, Any]) -> Mapping[int, OptionEntry]:
    return MappingProxyType(
        {
            players: OptionEntry(
                read_value(name, _cell(row["value"], players)),
                Article(
                    profile_id,
                    _cell(row["section"], players),
                    _cell(row["basis"], players),
                    MappingProxyType(row.get("cases", {})),
                ),
            )
            for players in TABLES
        }
    )


def _cell(cell: Any, players: int) -> Any:
    return cell[str(players)] if isinstance(cell, dict) else cell
