"""Changes to a profile, read from JSON; every fault is reported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.rules.profile.checks import ProfileProblem
from referee.rules.profile.values import SPECS, Spec, Value, read_value

SETS = ("players", "deck")
"""Options of which a profile allows several values; a table has one of them."""


@dataclass(slots=True)
class Changes:
    """Changes read: allowed players and decks, values by number of players, faults found."""

    players: tuple[int, ...] | None = None
    decks: tuple[int, ...] | None = None
    values: dict[str, dict[int, Value]] = field(default_factory=dict)
    problems: list[ProfileProblem] = field(default_factory=list)

    @property
    def names(self) -> frozenset[str]:
        """Options that are changed."""
        sets = {"players": self.players, "deck": self.decks}
        return frozenset(self.values) | {name for name, given in sets.items() if given}


def read_changes(changes: Mapping[str, object]) -> Changes:
    """Changes read from JSON. A value may be a table by number of players."""
    found = Changes()
    for name, given in changes.items():
        spec = SPECS.get(name)
        if spec is None:
            found.problems.append(ProfileProblem("unknown-option", (name,)))
            continue
        try:
            _read(found, name, given)
        except ValueError:
            facts = {"given": given, "allowed": choices_of(spec)}
            found.problems.append(ProfileProblem("wrong-value", (name,), facts))
    return found


def choices_of(spec: Spec) -> tuple[object, ...]:
    """What an option may hold, for an answer: its choices, or the lowest and highest number."""
    if spec.kind == "flag":
        return (True, False)
    return (spec.low, spec.high) if spec.kind == "number" else spec.choices


def _read(found: Changes, name: str, given: object) -> None:
    """Add one change. ``ValueError`` if it is unfit."""
    if name == "players":
        found.players = _read_set(name, given)
    elif name == "deck":
        found.decks = _read_set(name, given)
    elif isinstance(given, Mapping) and given:
        found.values[name] = {_players(key): read_value(name, one) for key, one in given.items()}
    else:
        value = read_value(name, given)
        found.values[name] = {int(players): value for players in SPECS["players"].choices}


def _read_set(name: str, given: object) -> tuple[int, ...]:
    """Allowed numbers, the default first, from one number or a list of them."""
    several = given if isinstance(given, list | tuple) else [given]
    numbers = tuple(int(read_value(name, one)) for one in several)  # type: ignore[arg-type] # a choice of numbers
    if not numbers or len(set(numbers)) != len(numbers):
        raise ValueError
    return numbers


def _players(key: object) -> int:
    """Number of players that heads a table; JSON has it as text."""
    if str(key) not in {str(choice) for choice in SPECS["players"].choices}:
        raise ValueError
    return int(str(key))
