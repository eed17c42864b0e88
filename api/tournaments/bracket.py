"""The drawing of a bracket: which ties stand where, and the lines between them.

A large bracket is drawn in parts: the first rounds in sections that each send one pair on, and the
last rounds, in which those meet, as one part of their own. Lengths are in pixels of a drawing at
its own size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from projections.tournaments.view import TieData

MOST_WHOLE: Final = 5
"""Most rounds of a bracket that is drawn in one piece: 32 pairs."""
LEAST_SECTION: Final = 4
ROUNDS_ON_WALL: Final = 2
"""Rounds side by side on a wall, with names that are read from the back of a hall."""
WIDTH: Final = 300
LINE: Final = 28
"""Height of the line of a pair; a tie has two, a bye one."""
GAP: Final = 40
PITCH: Final = 72
HEAD: Final = 36
EDGE: Final = 4
"""Margin of a drawing for outlines at its edge."""


@dataclass(frozen=True, slots=True)
class BracketPart:
    """A part of a bracket: its rounds, first and last.

    ``number``: 0 for the last rounds, else the section from the top. ``is_whole``: the only part.
    """

    number: int
    since: int
    until: int
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class TieBox:
    """A tie at its place."""

    tie: TieData
    x: int
    y: int

    @property
    def is_bye(self) -> bool:
        """Whether a pair advances without playing."""
        return "" in self.tie.pairs

    @property
    def shown_pair_indexes(self) -> list[int]:
        """Which of the two places have a line: of a bye only that of the pair."""
        return [at for at in (0, 1) if self.tie.pairs[at] != ""]

    @property
    def height(self) -> int:
        """Height of its frame."""
        return LINE * len(self.shown_pair_indexes)


@dataclass(frozen=True, slots=True)
class BracketLayout:
    """The drawing of a part of a bracket; ``columns``: rounds, with the position of their names."""

    part: BracketPart
    columns: tuple[tuple[int, int], ...]
    boxes: tuple[TieBox, ...]
    lines: tuple[str, ...]
    width: int
    height: int


def split_bracket(ties: Sequence[TieData]) -> tuple[BracketPart, ...]:
    """Parts in which a bracket is drawn, the last rounds first.

    >>> from types import SimpleNamespace
    >>> ties = [SimpleNamespace(round=n) for n in range(1, 10)]
    >>> [len(split_bracket(ties[:rounds])) for rounds in (3, 5, 6, 9)]
    [1, 1, 5, 17]
    """
    last = _last_round(ties)
    if last <= MOST_WHOLE:
        return (BracketPart(0, 1, last, is_whole=True),)
    cut = max(LEAST_SECTION, (last + 1) // 2)
    sections = 1 << (last - cut)
    return (
        BracketPart(0, cut + 1, last),
        *(BracketPart(number, 1, cut) for number in range(1, sections + 1)),
    )


def wall_parts(ties: Sequence[TieData]) -> tuple[BracketPart, ...]:
    """Parts of a bracket for a wall: two rounds at once, from the first that is not over.

    Without parts in which nobody is known yet, and without those that are over, unless all are.
    """
    last = _last_round(ties)
    now = min((int(tie.round) for tie in ties if tie.winner is None), default=last)
    since, found = max(1, min(now, last - 1)), []
    while since <= last:
        until = min(since + ROUNDS_ON_WALL - 1, last)
        sections = 1 << (last - until)
        numbers = range(1, sections + 1) if sections > 1 else (0,)
        found += [BracketPart(number, since, until) for number in numbers]
        since = until + 1
    known = [part for part in found if any(any(tie.pairs) for tie in ties_of_part(ties, part))]
    is_open = {part: any(tie.winner is None for tie in ties_of_part(ties, part)) for part in known}
    return tuple(part for part in known if is_open[part] or not any(is_open.values()))


def ties_of_part(ties: Sequence[TieData], part: BracketPart) -> list[TieData]:
    """The ties of a part, round by round from the top."""
    return [tie for tie in ties if _is_in_part(tie, part)]


def first_part_of_pair(ties: Sequence[TieData], pair: str) -> BracketPart:
    """The part in which a pair begins; the first of all if it is in none."""
    every = split_bracket(ties)
    first = next((tie for tie in ties if tie.round == 1 and pair in tie.pairs), None)
    if every[0].is_whole or first is None:
        return every[0]
    return every[1 + (int(first.place) >> (every[1].until - 1))]


def bracket_layout(ties: Sequence[TieData], part: BracketPart) -> BracketLayout:
    """The drawing of a part; ``ties``: those of one bracket."""
    boxes = {
        (tie.round, tie.place): _box(tie, part)
        for tie in ties
        if _is_in_part(tie, part) and any(pair != "" for pair in tie.pairs)
    }
    rounds = range(part.since, part.until + 1)
    columns = tuple((number, _x_of_round(number, part)) for number in rounds)
    first = sum(1 for tie in ties if tie.round == part.since and _is_in_part(tie, part))
    return BracketLayout(
        part,
        columns,
        tuple(boxes.values()),
        tuple(_line_paths(boxes)),
        columns[-1][1] + WIDTH + EDGE,
        HEAD + PITCH * first + EDGE,
    )


def _last_round(ties: Sequence[TieData]) -> int:
    return max(int(tie.round) for tie in ties)


def _is_in_part(tie: TieData, part: BracketPart) -> bool:
    if not part.since <= tie.round <= part.until:
        return False
    return part.number == 0 or tie.place >> (part.until - tie.round) == part.number - 1


def _x_of_round(number: int, part: BracketPart) -> int:
    return EDGE + (number - part.since) * (WIDTH + GAP)


def _box(tie: TieData, part: BracketPart) -> TieBox:
    depth = tie.round - part.since
    above = max(0, part.number - 1) << (part.until - tie.round)
    middle = HEAD + (PITCH * (2 * (tie.place - above) + 1) << depth) // 2
    box = TieBox(tie, _x_of_round(tie.round, part), 0)
    return TieBox(tie, box.x, middle - box.height // 2)


def _line_paths(boxes: Mapping[tuple[int, int], TieBox]) -> Iterator[str]:
    """The line from each tie to the one that it leads to, as a path."""
    for (number, place), box in boxes.items():
        following = boxes.get((number + 1, place // 2))
        if following is not None:
            middle, onward = (one.y + one.height // 2 for one in (box, following))
            start = box.x + WIDTH
            yield f"M{start} {middle}h{GAP // 2}V{onward}h{GAP // 2}"
