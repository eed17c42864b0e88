"""Values of options: what each may hold, and how a value reads from JSON or from a command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, get_args, get_type_hints

from referee.rules.profile.options import Options, option_names_of_edition

Value: TypeAlias = str | int | bool | tuple[str, ...]
OptionKind: TypeAlias = Literal["choice", "flag", "number", "set"]

NO_LIMIT = 0
RANGES: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "cut_min": (1, 19),
        "cantes_per_player": (1, 3),
        "last_trick_points": (10, 10),
        "target": (1, 230),
        "min_malas": (0, 65),
        "partidas_per_cama": (1, 9),
        "camas_per_coto": (1, 8),
        "cotos_to_win": (1, 3),
        "fixed_partidas": (1, 99),
    }
)
_CHOICES_OF_NUMBERS: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {"cantes_per_side": (2, NO_LIMIT)}
)
_SPELLINGS: Mapping[str, Mapping[object, Value]] = MappingProxyType(
    {"cantes_per_side": {"no_limit": NO_LIMIT}}
)


@dataclass(frozen=True, slots=True)
class Spec:
    """What one option may hold: ``choices`` of a choice or a set, ``low``…``high`` of a number."""

    name: str
    about: str
    default: Value
    kind: OptionKind
    choices: tuple[str | int, ...] = ()
    low: int = 0
    high: int = 0


def _kind_and_choices(name: str, hint: object) -> tuple[OptionKind, tuple[str | int, ...]]:
    """Kind and choices that the annotation of a field of ``Options`` stands for."""
    if hint is bool:
        return "flag", ()
    if name in _CHOICES_OF_NUMBERS:
        return "choice", _CHOICES_OF_NUMBERS[name]
    if hint is int:
        return "number", ()
    if get_args(hint)[-1] is Ellipsis:
        return "set", get_args(get_args(hint)[0])
    return "choice", get_args(hint)


def _option_specs() -> dict[str, Spec]:
    hints = get_type_hints(Options)
    defaults = Options()
    found = {}
    for option in (one for one in fields(Options) if one.metadata):
        kind, choices = _kind_and_choices(option.name, hints[option.name])
        low, high = RANGES[option.name] if kind == "number" else (0, 0)
        found[option.name] = Spec(
            name=option.name,
            about=option.metadata["about"],
            default=getattr(defaults, option.name),
            kind=kind,
            choices=choices,
            low=low,
            high=high,
        )
    return found


SPECS: Mapping[str, Spec] = MappingProxyType(_option_specs())


def read_json_value(name: str, given: object) -> Value:
    """Value of an option, read from JSON. ``KeyError``: no such option; ``ValueError``: unfit.

    >>> read_json_value("undertrump", "forced"), read_json_value("cantes_per_side", "no_limit")
    ('forced', 0)
    >>> read_json_value("renuncio_cases", ["trump", "follow"])
    ('follow', 'trump')
    """
    spec = SPECS[name]
    match spec.kind, given:
        case "flag", bool():
            return given
        case "number", int() if not isinstance(given, bool) and spec.low <= given <= spec.high:
            return given
        case "set", list() | tuple() if all(item in spec.choices for item in given):
            return tuple(str(choice) for choice in spec.choices if choice in given)
        case "choice", str() | int() if not isinstance(given, bool):
            return _read_choice(name, given)
    raise ValueError(name)


def _read_choice(name: str, given: str | int) -> Value:
    spelled = _SPELLINGS.get(name, {}).get(given, given)
    if spelled not in SPECS[name].choices:
        raise ValueError(name)
    return spelled


def parse_value(name: str, text: str) -> Value:
    """Value of an option written as text: ``true``, ``30``, ``forced``, ``follow,beat``.

    ``KeyError``: no such option; ``ValueError``: not a value of it.

    >>> parse_value("swap", "false"), parse_value("min_malas", "30")
    (False, 30)
    >>> parse_value("renuncio_cases", "follow,talk")
    ('follow', 'talk')
    """
    spec = SPECS[name]
    if spec.kind == "flag":
        return read_json_value(name, {"true": True, "false": False}.get(text.lower()))
    if spec.kind == "set":
        return read_json_value(name, [part.strip() for part in text.split(",") if part.strip()])
    is_number = text.isascii() and text.isdigit()
    return read_json_value(name, int(text) if is_number else text)


def print_value(name: str, value: Value) -> str:
    """Text of a value, so that ``parse_value`` gives the value back.

    >>> print_value("tute", True), print_value("renuncio_cases", ("follow", "talk"))
    ('true', 'follow,talk')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ",".join(value)
    spellings = {held: str(given) for given, held in _SPELLINGS.get(name, {}).items()}
    return spellings.get(value, str(value))


def plain_value(value: Value) -> str | int | bool | list[str]:
    """Value as the log and JSON hold it: a set as a list."""
    return list(value) if isinstance(value, tuple) else value


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
            name: _entries_by_players(
                data["id"], name, {**several.get(name, {}), **data["option"][name]}
            )
            for name in option_names_of_edition(data["edition"])
        }
    )


def read_alternatives(data: Mapping[str, Any]) -> Mapping[str, tuple[Value, ...]]:
    """Other values that the rulebook states, for the options that have any."""
    return MappingProxyType(
        {
            name: tuple(read_json_value(name, one) for one in row["alternatives"])
            for name, row in data["option"].items()
            if "alternatives" in row
        }
    )


def _entries_by_players(
    profile_id: str, name: str, row: Mapping[str, Any]
) -> Mapping[int, OptionEntry]:
    return MappingProxyType(
        {
            players: OptionEntry(
                read_json_value(name, _cell_for_players(row["value"], players)),
                Article(
                    profile_id,
                    _cell_for_players(row["section"], players),
                    _cell_for_players(row["basis"], players),
                    MappingProxyType(row.get("cases", {})),
                ),
            )
            for players in TABLES
        }
    )


def _cell_for_players(cell: Any, players: int) -> Any:
    return cell[str(players)] if isinstance(cell, dict) else cell
