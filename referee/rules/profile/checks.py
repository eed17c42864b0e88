"""Contradictions between options; a refusal names the options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from referee.rules.profile.options import Options, deck_size, packet_sizes
from referee.rules.profile.values import SPECS, Spec, Value, read_json_value

THREE = 3


@dataclass(frozen=True, slots=True)
class ProfileProblem:
    """One reason to refuse a profile: a code, the options it lies between, and the facts."""

    code: str
    options: tuple[str, ...]
    facts: Mapping[str, object] = field(default_factory=dict)


class BadProfile(Exception):  # noqa: N818 - a refusal is an answer, not an error of the program
    """A profile that nobody could play by, with every problem found."""

    def __init__(self, *problems: ProfileProblem) -> None:
        super().__init__(*problems)
        self.problems: tuple[ProfileProblem, ...] = problems


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Options that exclude each other; ``holds`` says whether a profile has the contradiction."""

    code: str
    options: tuple[str, ...]
    about: str
    holds: Callable[[Options], bool]


def _count_of_dealt_cards(options: Options) -> int:
    """Number of cards that are dealt to all."""
    return options.hand_size * options.players


def _is_turned_from_stock(options: Options) -> bool:
    return options.pinta_from == "first_stock_card"


def _has_leftover_contradiction(options: Options) -> bool:
    """Whether the fortieth card of three is left on the table or is the pinta, but not both."""
    return (
        options.players == THREE
        and options.deck == 40  # noqa: PLR2004 - 48 cards leave none over
        and (options.three_deck == "leftover_on_table") != (options.pinta_from == "leftover_card")
    )


CONTRADICTIONS: tuple[Contradiction, ...] = (
    Contradiction(
        "hands-exceed-deck",
        ("hand_size", "deck"),
        "The deck has too few cards to deal so many to each.",
        lambda o: _count_of_dealt_cards(o) > deck_size(o),
    ),
    Contradiction(
        "ten-of-48",
        ("hand_size", "deck"),
        "Ten cards each are dealt from 40 cards, not from 48.",
        lambda o: (o.hand_size, o.deck) == (10, 48),
    ),
    Contradiction(
        "packets-do-not-fit",
        ("deal_packets", "hand_size"),
        "Two packets of three make a hand of six.",
        lambda o: sum(packet_sizes(o)) != o.hand_size,
    ),
    Contradiction(
        "no-card-to-turn",
        ("pinta_from", "hand_size"),
        "All cards are dealt, so no stock is left whose first card could be turned.",
        lambda o: _is_turned_from_stock(o) and _count_of_dealt_cards(o) == deck_size(o),
    ),
    Contradiction(
        "dealers-last-card-before-stock",
        ("pinta_from", "hand_size"),
        "The dealer's last card is turned only where it is the last of the deck.",
        lambda o: o.pinta_from == "dealers_last_card" and _count_of_dealt_cards(o) < deck_size(o),
    ),
    Contradiction(
        "leftover-without-three",
        ("pinta_from", "players"),
        "Only three players have a card left over.",
        lambda o: o.pinta_from == "leftover_card" and o.players != THREE,
    ),
    Contradiction(
        "leftover-not-turned",
        ("three_deck", "pinta_from"),
        "With three players the card left on the table and the card turned are the same.",
        _has_leftover_contradiction,
    ),
    Contradiction(
        "leftover-of-48",
        ("pinta_from", "deck"),
        "Of 48 cards more than one is left over.",
        lambda o: (o.pinta_from, o.deck) == ("leftover_card", 48),
    ),
    Contradiction(
        "leftover-not-one",
        ("pinta_from", "hand_size"),
        "The deal leaves more than the one card over, or none.",
        lambda o: o.pinta_from == "leftover_card" and _count_of_dealt_cards(o) + 1 != deck_size(o),
    ),
    Contradiction(
        "swap-without-stock",
        ("swap", "pinta_from"),
        "Without a stock nobody can swap the pinta.",
        lambda o: o.swap and not _is_turned_from_stock(o),
    ),
    Contradiction(
        "swap-nothing-undealt",
        ("swap", "hand_size"),
        "All cards are dealt, so nobody can swap the pinta.",
        lambda o: o.swap and _is_turned_from_stock(o) and _count_of_dealt_cards(o) >= deck_size(o),
    ),
    Contradiction(
        "two-for-seven-without-swap",
        ("two_for_seven", "swap"),
        "Without the swap no dos can follow the siete.",
        lambda o: o.two_for_seven and not o.swap,
    ),
    Contradiction(
        "duties-with-stock",
        ("duties_from", "pinta_from"),
        "While there is a stock any card may be played.",
        lambda o: o.duties_from == "first_trick" and _is_turned_from_stock(o),
    ),
    Contradiction(
        "duties-await-no-stock",
        ("duties_from", "pinta_from"),
        "Duties that begin when the stock is gone need a stock.",
        lambda o: o.duties_from == "stock_empty" and not _is_turned_from_stock(o),
    ),
)


def contradictions(options: Options) -> tuple[Contradiction, ...]:
    """Contradictions in the options of one table."""
    return tuple(row for row in CONTRADICTIONS if row.holds(options))


def contradictions_at_tables(tables: Iterable[Options]) -> list[ProfileProblem]:
    """Contradictions in the options of these tables, each with the players and decks of it."""
    found: dict[Contradiction, list[tuple[int, int]]] = {}
    for options in tables:
        for row in contradictions(options):
            found.setdefault(row, []).append((options.players, options.deck))
    return [
        ProfileProblem(row.code, row.options, {"tables": tuple(at)}) for row, at in found.items()
    ]


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


def read_changes_and_problems(changes: Mapping[str, object]) -> Changes:
    """Changes read from JSON, with the problems found; a value may be a mapping by players."""
    found = Changes()
    for name, given in changes.items():
        spec = SPECS.get(name)
        if spec is None:
            found.problems.append(ProfileProblem("unknown-option", (name,)))
            continue
        try:
            _add_change(found, name, given)
        except ValueError:
            facts = {"given": given, "allowed": choices_or_bounds(spec)}
            found.problems.append(ProfileProblem("wrong-value", (name,), facts))
    return found


def choices_or_bounds(spec: Spec) -> tuple[object, ...]:
    """Values that an option may hold: its choices, or the lowest and the highest number."""
    if spec.kind == "flag":
        return (True, False)
    return (spec.low, spec.high) if spec.kind == "number" else spec.choices


def _add_change(found: Changes, name: str, given: object) -> None:
    """Add one change. ``ValueError`` if it is unfit."""
    if name == "players":
        found.players = _read_one_or_more_numbers(name, given)
    elif name == "deck":
        found.decks = _read_one_or_more_numbers(name, given)
    elif isinstance(given, Mapping) and given:
        found.values[name] = {
            _player_count_of_key(key): read_json_value(name, one) for key, one in given.items()
        }
    else:
        value = read_json_value(name, given)
        found.values[name] = {int(players): value for players in SPECS["players"].choices}


def _read_one_or_more_numbers(name: str, given: object) -> tuple[int, ...]:
    """Allowed numbers, the default first, from one number or a list of them."""
    several = given if isinstance(given, list | tuple) else [given]
    numbers = tuple(int(read_json_value(name, one)) for one in several)  # type: ignore[arg-type] # a choice of numbers
    if not numbers or len(set(numbers)) != len(numbers):
        raise ValueError
    return numbers


def _player_count_of_key(key: object) -> int:
    """Number of players that a key of a JSON mapping stands for; ``ValueError``: none."""
    if str(key) not in {str(choice) for choice in SPECS["players"].choices}:
        raise ValueError
    return int(str(key))
