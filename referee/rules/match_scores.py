"""Final scores of an encuentro: which ones its format can end with, given what is recorded.

A score counts cotos, or partidas where their number is fixed. Somebody may tell it without a word
about the partidas, so it can say more than the record does, and never less.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Final, TypeAlias

from referee.rules.articles import Rule, mark_rule_decider
from referee.rules.profile.options import Options
from referee.rules.seats import SIDES, Side


@dataclass(frozen=True, slots=True)
class CotoMade:
    """A coto that was made: its number from 1, its winner, and the partida that completed it."""

    coto: int
    winner: Side
    partida: int


@dataclass(frozen=True, slots=True)
class Standing:
    """How an encuentro stands.

    ``partidas`` and ``camas`` are those of the running coto (all of them with a fixed number);
    ``match_winner`` is ``""`` for a draw and None while the match goes on; ``won_by_nobody``
    counts decided partidas without a winner.
    """

    partidas: dict[Side, int]
    camas: dict[Side, int]
    cotos: dict[Side, int]
    made: tuple[CotoMade, ...] = ()
    match_winner: Side | None = None
    decided_by: int = 0
    beyond: tuple[int, ...] = field(default=())
    won_by_nobody: int = 0


@mark_rule_decider(Rule.COTO, Rule.MATCH)
def match_standing(outcomes: Iterable[tuple[int, Side, bool]], options: Options) -> Standing:
    """Standing after the decided partidas ``(number, winner, whole match)``, in order.

    A winner ``""`` counts for nobody. Partidas after the one that decided the match are
    ``beyond`` it and count for nothing.

    >>> three = [(1, "A", False), (2, "B", False), (3, "A", False), (4, "A", False)]
    >>> match_standing(three, Options(cotos_to_win=1)).match_winner
    'A'
    """
    sides = SIDES[options.players]
    partidas, camas, cotos = (dict.fromkeys(sides, 0) for _ in range(3))
    made: list[CotoMade] = []
    winner: Side | None = None
    decided_by, counted, nobody, beyond = 0, 0, 0, []
    for number, side, whole_match in outcomes:
        if winner is not None:
            beyond.append(number)
            continue
        counted += 1
        nobody += not side
        if side:
            partidas[side] += 1
        if whole_match:
            winner = side
        elif options.match_format == "fixed_partidas":
            if counted == options.fixed_partidas:
                winner = leading_side_or_empty(partidas)
        elif side and partidas[side] == options.partidas_per_cama:
            partidas = dict.fromkeys(sides, 0)
            camas[side] += 1
            if camas[side] == options.camas_per_coto:
                camas = dict.fromkeys(sides, 0)
                cotos[side] += 1
                made.append(CotoMade(len(made) + 1, side, number))
                winner = side if cotos[side] == options.cotos_to_win else None
        decided_by = number if winner is not None else 0
    return Standing(partidas, camas, cotos, tuple(made), winner, decided_by, tuple(beyond), nobody)


def leading_side_or_empty(partidas: Mapping[Side, int]) -> Side:
    """Side with most partidas, ``""`` if several have as many.

    >>> leading_side_or_empty({"A": 5, "B": 3}), leading_side_or_empty({"A": 4, "B": 4})
    ('A', '')
    """
    most = max(partidas.values())
    leaders = [side for side, won in partidas.items() if won == most]
    return leaders[0] if len(leaders) == 1 else ""


FinalScore: TypeAlias = Mapping[Side, int]
"""Cotos of each side, or partidas where their number is fixed."""

LONGEST_COUNT: Final = 2
"""Digits of a count: an encuentro has 99 partidas at most."""


def standing_at_start(options: Options) -> Standing:
    """Standing of an encuentro of which nothing is recorded."""
    nothing = dict.fromkeys(SIDES[options.players], 0)
    return Standing(nothing, nothing, nothing)


def score_of_standing(standing: Standing, options: Options) -> dict[Side, int]:
    """The part of a standing that a final score counts."""
    is_fixed = options.match_format == "fixed_partidas"
    return dict(standing.partidas if is_fixed else standing.cotos)


def score_text(score: FinalScore) -> str:
    """Text of a score: the number of each side, with hyphens between.

    >>> score_text({"B": 1, "A": 2})
    '2-1'
    """
    return "-".join(str(score[side]) for side in sorted(score))


def read_score(text: str, players: int) -> dict[Side, int]:
    """Score of a text. ``ValueError`` if it is none of so many players.

    >>> read_score("2-1", 4), read_score("0-2-1", 3)
    ({'A': 2, 'B': 1}, {'A': 0, 'B': 2, 'C': 1})
    """
    counts = text.split("-")
    if not all(one.isascii() and one.isdigit() and len(one) <= LONGEST_COUNT for one in counts):
        raise ValueError(text)
    return dict(zip(SIDES[players], map(int, counts), strict=True))


def score_sum_of_fixed_partidas(options: Options, recorded: Standing) -> int:
    """Sum of a final score where the partidas are fixed: those won, and those still to come.

    It is 0 where cotos are counted.
    """
    is_fixed = options.match_format == "fixed_partidas"
    return options.fixed_partidas - recorded.won_by_nobody if is_fixed else 0


def is_final_score(score: FinalScore, options: Options) -> bool:
    """Whether a match of this format can end with a score, whatever was played.

    Of cotos one side has exactly those that win, and the others fewer; fixed partidas add up to
    their number, less those that nobody won.

    >>> is_final_score({"A": 2, "B": 0}, Options()), is_final_score({"A": 2, "B": 2}, Options())
    (True, False)
    """
    if set(score) != set(SIDES[options.players]) or min(score.values()) < 0:
        return False
    if options.match_format == "fixed_partidas":
        return sum(score.values()) <= options.fixed_partidas
    made = sorted(score.values())
    return made[-1] == options.cotos_to_win > made[-2]


def may_still_end_with_score(score: FinalScore, options: Options, recorded: Standing) -> bool:
    """Whether an encuentro with this record can still end with a score.

    >>> from referee.rules.match_scores import match_standing
    >>> one_coto = match_standing([(1, "B", False), (2, "B", False), (3, "B", False)], Options())
    >>> scores = [{"A": 2, "B": 0}, {"A": 2, "B": 1}]
    >>> [may_still_end_with_score(score, Options(), one_coto) for score in scores]
    [False, True]
    """
    if recorded.match_winner is not None:
        return dict(score) == score_of_standing(recorded, options)
    made = score_of_standing(recorded, options)
    if not is_final_score(score, options) or any(score[side] < made[side] for side in made):
        return False
    if options.match_format == "fixed_partidas":
        return sum(score.values()) == score_sum_of_fixed_partidas(options, recorded)
    return True


def final_scores_still_possible(
    options: Options, recorded: Standing
) -> tuple[dict[Side, int], ...]:
    """Every final score that an encuentro with this record can end with, best first for side A.

    >>> possible = final_scores_still_possible(Options(), standing_at_start(Options()))
    >>> [tuple(score.values()) for score in possible]
    [(2, 0), (2, 1), (1, 2), (0, 2)]
    """
    found = _yield_possible_final_scores(options, recorded)
    return tuple(sorted(found, key=lambda score: _sort_key(score, options)))


def _yield_possible_final_scores(options: Options, recorded: Standing) -> Iterator[dict[Side, int]]:
    if recorded.match_winner is not None:
        yield score_of_standing(recorded, options)
        return
    sides, made = SIDES[options.players], score_of_standing(recorded, options)
    is_fixed = options.match_format == "fixed_partidas"
    most = score_sum_of_fixed_partidas(options, recorded) if is_fixed else options.cotos_to_win
    free = sides[:-1] if is_fixed else sides  # of fixed partidas the last side has the rest
    for counts in product(*(range(made[side], most + 1) for side in free)):
        rest = (most - sum(counts),) if is_fixed else ()
        score = dict(zip(sides, (*counts, *rest), strict=True))
        if may_still_end_with_score(score, options, recorded):
            yield score


def _sort_key(score: FinalScore, options: Options) -> tuple[int, ...]:
    """Sort key of a score: first those that side A wins, from the clearest to the narrowest."""
    sides = SIDES[options.players]
    first, others = score[sides[0]], [score[side] for side in sides[1:]]
    return (max(others) - first, *(-one for one in others))


def standing_with_reported_score(
    recorded: Standing, score: FinalScore, options: Options
) -> Standing:
    """The standing with a reported score instead of its own; unchanged if the match is won.

    >>> start = standing_at_start(Options())
    >>> standing_with_reported_score(start, {"A": 2, "B": 1}, Options()).match_winner
    'A'
    """
    if recorded.match_winner is not None:
        return recorded
    if options.match_format == "fixed_partidas":
        return replace(recorded, partidas=dict(score), match_winner=leading_side_or_empty(score))
    nothing = dict.fromkeys(score, 0)
    return replace(
        recorded,
        partidas=nothing,
        camas=nothing,
        cotos=dict(score),
        match_winner=leading_side_or_empty(score),
    )
