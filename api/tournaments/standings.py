"""Standings in words: each place with the criterion that decided it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from api.http.languages import say
from api.money.amounts import print_amount, prize_lines
from api.tournaments.display import TournamentDisplay
from api.tournaments.rounds import MeetingDisplay, PairDisplay
from api.tournaments.views import ToldAwardData
from projections.facts import FactData
from projections.tournaments.view import PlaceData, PointItemData

_PLAYED_OUT = 2
"""Places of a knock-out that a final decides."""


class PrizeDisplay(NamedTuple):
    """Prizes of some places in words; ``each``: the share of each pair, where all is money."""

    places: str
    what: str
    pairs: tuple[PairDisplay, ...]
    each: str


def prize_displays(display: TournamentDisplay) -> list[PrizeDisplay]:
    """Prizes in the order of their places; those that the same pairs share are one."""
    prizes = display.view.prizes
    by_pairs = groupby(prizes, key=lambda one: tuple(one.pairs) or one.place)
    return [_display_of_prizes_together(list(together), display) for _, together in by_pairs]


def _display_of_prizes_together(
    prizes: Sequence[ToldAwardData], display: TournamentDisplay
) -> PrizeDisplay:
    lang = display.lang
    first, last = (say("fees.place", lang, n=one.place) for one in (prizes[0], prizes[-1]))
    places = say("tournament_page.rows_from", lang, since=first, until=last)
    pairs = tuple(display.pairs_by_number[one] for one in prizes[0].pairs)
    total = sum(one.amount for one in prizes)
    is_shared = len(pairs) > 1 and all(one.amount for one in prizes)
    return PrizeDisplay(
        first if first == last else places,
        " + ".join(prize_lines([(one.amount, one.words) for one in prizes], lang)),
        pairs,
        print_amount(total // len(pairs), lang) if is_shared else "",
    )


def prize_places_explanation(display: TournamentDisplay) -> str:
    """How the places that have a prize are found; empty if the final alone decides them."""
    plan = display.view.plan
    if plan["format"] in ("swiss", "round_robin"):
        return say("tournament_page.prizes_by_points", display.lang)
    if len(display.view.prizes) <= _PLAYED_OUT:
        return ""
    key = "prizes_third_played" if plan["has_third_place"] else "prizes_shared"
    return say(f"tournament_page.{key}", display.lang)


def price_values(display: TournamentDisplay) -> dict[str, object]:
    """Template values for fee and prizes."""
    fee = display.view.fee
    return {
        "fee": print_amount(fee, display.lang) if fee else "",
        "prizes": prize_displays(display),
        "prizes_why": prize_places_explanation(display),
    }


@dataclass(frozen=True, slots=True)
class RowDisplay:
    """A pair at its place; ``why``: reason for its place, ``""`` if it is the points."""

    place: int
    pair: str
    points: int
    won: int
    level: int
    lost: int
    why: str


@dataclass(frozen=True, slots=True)
class ResultDisplay:
    """A round of a pair: its cruce, or why it had none; its points where there are any."""

    round: int
    title: str
    meeting: MeetingDisplay | None
    reason: str
    points: int | None


@dataclass(frozen=True, slots=True)
class CriterionDisplay:
    """A criterion: its name, and its explanation."""

    name: str
    text: str


def standings_rows(standings: Sequence[PlaceData], lang: str) -> list[RowDisplay]:
    """The rows of standings with their reasons in words."""
    before: Sequence[PlaceData | None] = (None, *standings)
    return [_row(row, above, lang) for above, row in zip(before, standings, strict=False)]


def tournament_standings_rows(display: TournamentDisplay) -> list[RowDisplay]:
    """Rows of the tournament's standings; in a knock-out with the last round each pair reached."""
    found = display.view.standings
    if display.is_by_points:
        return standings_rows(found, display.lang)
    return [_knock_out_row(row, display) for row in found]


def criteria(plan: FactData, lang: str) -> list[CriterionDisplay]:
    """The criteria of a tournament in their order, explained."""
    return [
        CriterionDisplay(say(f"standings.{one}", lang), say(f"standings.{one}_text", lang))
        for one in plan["criteria"]
    ]


def results_of_pair(
    row: PlaceData | None, met: Sequence[MeetingDisplay], lang: str
) -> list[ResultDisplay]:
    """Results of a pair by round: finished cruces, or why there was none."""
    given = {item.round: item for item in row.rounds} if row else {}
    played = [
        ResultDisplay(one.round, one.title, one, "", _points_in_round(given, one.round))
        for one in met
        if one.is_over
    ]
    idle = [
        ResultDisplay(
            number,
            say("tournament_page.round_n", lang, n=number),
            None,
            say(f"standings.reason_{item.reason}", lang),
            item.points,
        )
        for number, item in given.items()
        if not item.opponent
    ]
    return sorted([*played, *idle], key=lambda one: one.round)


def _points_in_round(given: Mapping[int, PointItemData], number: int) -> int | None:
    return given[number].points if number in given else None


def _row(row: PlaceData, above: PlaceData | None, lang: str) -> RowDisplay:
    reasons = [item.reason for item in row.rounds]
    return RowDisplay(
        row.place,
        row.pair,
        row.points,
        reasons.count("won"),
        reasons.count("level"),
        reasons.count("lost"),
        _reason_in_words(row, above, lang),
    )


def _knock_out_row(row: PlaceData, display: TournamentDisplay) -> RowDisplay:
    reached = _criterion_value_or_none(row, "round")
    why = (
        display.round_title("main", reached) if reached else say("standings.left_out", display.lang)
    )
    return RowDisplay(row.place, row.pair, 0, 0, 0, 0, why)


def _reason_in_words(row: PlaceData, above: PlaceData | None, lang: str) -> str:
    by = row.by
    if above is None or by in ("first", "points"):
        return ""
    if by == "level":
        return say("standings.why_level", lang)
    mine, other = _criterion_value_or_none(row, by), _criterion_value_or_none(above, by)
    if by == "lot":
        return say("standings.why_lot", lang)
    name = say(f"standings.{by}", lang)
    return say("standings.why", lang, criterion=name, value=mine, other=other)


def _criterion_value_or_none(row: PlaceData, criterion: str) -> int | None:
    values = (int(one.value) for one in row.items if one.criterion == criterion)
    return next(values, None)
