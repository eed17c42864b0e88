"""Final scores of an encuentro: which ones its format can end with, given what is recorded.

A score counts cotos, or partidas where their number is fixed. Somebody may tell it without a word
about the partidas, so it can say more than the record does, and never less.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Final, TypeAlias

from referee.rules.cotos import Standing, leader
from referee.rules.profile.options import Options
from referee.rules.seats import SIDES, Side

FinalScore: TypeAlias = Mapping[Side, int]
"""Cotos of each side, or partidas where their number is fixed."""

LONGEST_COUNT: Final = 2
"""Digits of a count: an encuentro has 99 partidas at most."""


def standing_at_start(options: Options) -> Standing:
    """Standing of an encuentro of which nothing is recorded."""
    nothing = dict.fromkeys(SIDES[options.players], 0)
    return Standing(nothing, nothing, nothing)


def score_of(standing: Standing, options: Options) -> dict[Side, int]:
    """The part of a standing that a final score counts."""
    is_fixed = options.match_format == "fixed_partidas"
    return dict(standing.partidas if is_fixed else standing.cotos)


def score_text(score: FinalScore) -> str:
    """A score as it is written.

    >>> score_text({"B": 1, "A": 2})
    '2-1'
    """
    return "-".join(str(score[side]) for side in sorted(score))


def read_score(text: str, players: int) -> dict[Side, int]:
    """A score from how it is written. ``ValueError``: it is none of so many players.

    >>> read_score("2-1", 4), read_score("0-2-1", 3)
    ({'A': 2, 'B': 1}, {'A': 0, 'B': 2, 'C': 1})
    """
    counts = text.split("-")
    if not all(one.isascii() and one.isdigit() and len(one) <= LONGEST_COUNT for one in counts):
        raise ValueError(text)
    return dict(zip(SIDES[players], map(int, counts), strict=True))


def most_in_all(options: Options, recorded: Standing) -> int:
    """The sum of a final score of fixed partidas: those that somebody won, and those to come.

    It is 0 where cotos are counted.
    """
    is_fixed = options.match_format == "fixed_partidas"
    return options.fixed_partidas - recorded.won_by_nobody if is_fixed else 0


def ends_match(score: FinalScore, options: Options) -> bool:
    """Whether the format can end with a score, whatever was played.

    Of cotos one side has exactly those that win, and the others fewer; fixed partidas add up to
    their number, less those that nobody won.

    >>> ends_match({"A": 2, "B": 0}, Options()), ends_match({"A": 2, "B": 2}, Options())
    (True, False)
    """
    if set(score) != set(SIDES[options.players]) or min(score.values()) < 0:
        return False
    if options.match_format == "fixed_partidas":
        return sum(score.values()) <= options.fixed_partidas
    made = sorted(score.values())
    return made[-1] == options.cotos_to_win > made[-2]


def is_possible(score: FinalScore, options: Options, recorded: Standing) -> bool:
    """Whether an encuentro with this record can end with a score.

    >>> from referee.rules.cotos import standing
    >>> one_coto = standing([(1, "B", False), (2, "B", False), (3, "B", False)], Options())
    >>> [is_possible(score, Options(), one_coto) for score in ({"A": 2, "B": 0}, {"A": 2, "B": 1})]
    [False, True]
    """
    if recorded.match_winner is not None:
        return dict(score) == score_of(recorded, options)
    made = score_of(recorded, options)
    if not ends_match(score, options) or any(score[side] < made[side] for side in made):
        return False
    if options.match_format == "fixed_partidas":
        return sum(score.values()) == most_in_all(options, recorded)
    return True


def final_scores(options: Options, recorded: Standing) -> tuple[dict[Side, int], ...]:
    """Every final score that an encuentro with this record can end with, best first for side A.

    >>> [tuple(score.values()) for score in final_scores(Options(), standing_at_start(Options()))]
    [(2, 0), (2, 1), (1, 2), (0, 2)]
    """
    found = _candidates(options, recorded)
    return tuple(sorted(found, key=lambda score: _order(score, options)))


def _candidates(options: Options, recorded: Standing) -> Iterator[dict[Side, int]]:
    if recorded.match_winner is not None:
        yield score_of(recorded, options)
        return
    sides, made = SIDES[options.players], score_of(recorded, options)
    is_fixed = options.match_format == "fixed_partidas"
    most = most_in_all(options, recorded) if is_fixed else options.cotos_to_win
    free = sides[:-1] if is_fixed else sides  # of fixed partidas the last side has the rest
    for counts in product(*(range(made[side], most + 1) for side in free)):
        rest = (most - sum(counts),) if is_fixed else ()
        score = dict(zip(sides, (*counts, *rest), strict=True))
        if is_possible(score, options, recorded):
            yield score


def _order(score: FinalScore, options: Options) -> tuple[int, ...]:
    """Place of a score in a list: those that side A wins, from the clearest to the narrowest."""
    sides = SIDES[options.players]
    first, others = score[sides[0]], [score[side] for side in sides[1:]]
    return (max(others) - first, *(-one for one in others))


def standing_with_score(recorded: Standing, score: FinalScore, options: Options) -> Standing:
    """The standing with a score that was told; what is recorded of the partidas stays.

    >>> standing_with_score(standing_at_start(Options()), {"A": 2, "B": 1}, Options()).match_winner
    'A'
    """
    if recorded.match_winner is not None:
        return recorded
    if options.match_format == "fixed_partidas":
        return replace(recorded, partidas=dict(score), match_winner=leader(score))
    nothing = dict.fromkeys(score, 0)
    return replace(
        recorded, partidas=nothing, camas=nothing, cotos=dict(score), match_winner=leader(score)
    )
