"""Ratings of a period of play by Glicko-2, for players and for pairs.

``docs/law/seasons.md`` explains what is rated. Ratings are on the usual scale (initial rating 1500,
initial deviation 350).
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from glicko2.math import (
    DEFAULT_TAU,
    mu_to_rating,
    phi_to_rd,
    rating_to_mu,
    rd_to_phi,
    update_rating,
)

BEGIN_RATING: Final = 1500.0
BEGIN_DEVIATION: Final = 350.0
BEGIN_VOLATILITY: Final = 0.06
WIDEST: Final = 1000.0
"""How far above or below a player an opponent counts: there the weaker one wins once in 300 times.

The method divides by that chance: without a bound it has no answer where the chance is nearly 0.
"""

RatedId: TypeAlias = str
"""A person, or the persons of a pair in the order of their ids, with a blank between."""


class Rating(NamedTuple):
    """A Glicko-2 rating: rating, deviation, volatility."""

    rating: float = BEGIN_RATING
    deviation: float = BEGIN_DEVIATION
    volatility: float = BEGIN_VOLATILITY


class RatedSide(NamedTuple):
    """Persons on a side of an encuentro, and their score: 1 won, 0.5 level, 0 lost."""

    persons: tuple[str, ...]
    score: float


Opponent: TypeAlias = tuple[Rating, float]
"""An opponent, and the score against them."""


def id_of_pair(persons: Iterable[str]) -> RatedId:
    """Rating id of the pair of these persons."""
    return " ".join(sorted(persons))


def rating_after_period(
    before: Rating, met: Sequence[Opponent], tau: float = DEFAULT_TAU
) -> Rating:
    """Rating after a period of play against these opponents.

    Without opponents only its deviation grows.
    """
    least, most = before.rating - WIDEST, before.rating + WIDEST
    opponents = [
        (rating_to_mu(min(max(o.rating, least), most)), rd_to_phi(o.deviation), score)
        for o, score in met
    ]
    mu, phi = rating_to_mu(before.rating), rd_to_phi(before.deviation)
    now = update_rating(mu, phi, before.volatility, opponents, tau)
    return Rating(mu_to_rating(now.mu), min(phi_to_rd(now.phi), BEGIN_DEVIATION), now.sigma)


def rating_after_idle_periods(before: Rating, periods: int) -> Rating:
    """Rating after periods without play: only its deviation grows, by the volatility."""
    if not periods:
        return before
    phi = rd_to_phi(before.deviation)
    wider = phi_to_rd(math.sqrt(phi**2 + periods * before.volatility**2))
    return before._replace(deviation=min(wider, BEGIN_DEVIATION))


def player_ratings_after(
    played: Iterable[Sequence[RatedSide]],
    before: Mapping[RatedId, Rating],
    of: Container[RatedId] | None = None,
) -> dict[RatedId, Rating]:
    """Ratings of players after a period of play; ``of``: only of these.

    Sides meet: a player's opponent is rated as far above the player as the mean of the other side
    is above the mean of the own side.
    """
    met: dict[RatedId, list[Opponent]] = {}
    for sides in played:
        means = [_mean_rating(one, before) for one in sides]
        for mine, other, score in _side_meetings(sides):
            own, theirs = means[mine], means[other]
            for person in sides[mine].persons:
                level = before[person].rating + theirs.rating - own.rating
                met.setdefault(person, []).append((Rating(level, theirs.deviation), score))
    return {
        one: rating_after_period(before[one], met[one]) for one in met if of is None or one in of
    }


def pair_ratings_after(
    played: Iterable[Sequence[RatedSide]], before: Mapping[RatedId, Rating]
) -> dict[RatedId, Rating]:
    """Ratings of pairs after a period in which pairs played against pairs."""
    met: dict[RatedId, list[Opponent]] = {}
    for sides in played:
        for mine, other, score in _side_meetings(sides):
            if len(sides[mine].persons) > 1:
                theirs = before[id_of_pair(sides[other].persons)]
                met.setdefault(id_of_pair(sides[mine].persons), []).append((theirs, score))
    return {one: rating_after_period(before[one], met[one]) for one in met}


def _side_meetings(sides: Sequence[RatedSide]) -> list[tuple[int, int, float]]:
    """Two indices and the first's score of sides that met; of three, the two losers did not."""
    return [
        (mine, other, (1 + own.score - theirs.score) / 2)
        for mine, own in enumerate(sides)
        for other, theirs in enumerate(sides)
        if mine != other and not (own.score == theirs.score == 0)
    ]


def _mean_rating(side: RatedSide, before: Mapping[RatedId, Rating]) -> Rating:
    """A side as one player: mean of the ratings, and quadratic mean of their deviations."""
    ratings = [before[one] for one in side.persons]
    uncertain = math.sqrt(sum(one.deviation**2 for one in ratings) / len(ratings))
    return Rating(sum(one.rating for one in ratings) / len(ratings), uncertain)
