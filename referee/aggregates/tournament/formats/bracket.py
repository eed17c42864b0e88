"""The knock-out of a tournament as it stands: its ties by the results that count."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from referee.aggregates.tournament.field import Pair
from referee.aggregates.tournament.formats.knock_out import KnockOut, Tie, TieId, ties_of
from referee.aggregates.tournament.state import Meeting, Tournament
from referee.errors import Refused
from referee.events.tournament import MeetingId


def knock_out_of(state: Tournament) -> KnockOut | None:
    """The knock-out, once its order is known."""
    if not state.order:
        return None
    plan, forfeited = state.plan, frozenset[TieId]()
    if not plan.consoles_absent or plan.repechage != "none":
        held = (one for one in state.meetings.values() if one.counts.is_walkover)
        forfeited = frozenset(one.tie for one in held if one.tie is not None)
    two = plan.has_consolation, plan.has_third_place
    gone, drawn = state.not_drawn, state.second_chances
    return KnockOut(state.order, *two, forfeited, plan.repechage, gone, drawn)


def tie_round(state: Tournament, tie: TieId, final: int) -> int:
    """Number of the round of the tournament in which a tie is played."""
    bracket, number, _ = tie
    again = state.plan.repechage == "ties"
    within = {
        "main": number + (again and number > 1),
        "repechage": 2,
        "consolation": number + 1,
        "third": final + again,
    }
    return len(state.rounds) + within[bracket]


def tie_meeting_id(number: int, tie: Tie) -> MeetingId:
    """Id of the meeting of the two pairs of a tie."""
    bracket, _, place = tie.id
    return f"{bracket}-{number}-{place}-{tie.pairs[0]}-{tie.pairs[1]}"


def ties_now(state: Tournament) -> tuple[Tie, ...]:
    """Every tie by the results that count; a result between other pairs is ignored."""
    knock_out = knock_out_of(state)
    if knock_out is None:
        return ()
    held = {one.tie: one for one in state.meetings.values() if one.tie is not None}
    won = {tie: one.counts.winner for tie, one in held.items() if one.counts.winner is not None}
    try:
        found = ties_of(knock_out, won)
    except Refused:
        return _ties_by_round(knock_out, held)
    is_sound = all(held[tie.id].pairs == tie.pairs for tie in found if tie.id in won)
    return found if is_sound else _ties_by_round(knock_out, held)


def _ties_by_round(knock_out: KnockOut, held: Mapping[TieId, Meeting]) -> tuple[Tie, ...]:
    """Ties with the results of each round in turn, on which those of the next depend."""
    kept: dict[TieId, Pair] = {}
    seen: set[tuple[str, int]] = set()
    found = ties_of(knock_out, kept)
    while left := [key for key in dict.fromkeys(tie.id[:2] for tie in found) if key not in seen]:
        for tie in _of_round(found, left[0]):
            one = held.get(tie.id)
            if one is None or one.pairs != tie.pairs:
                continue
            if one.counts.winner is not None:
                kept[tie.id] = one.counts.winner
        seen.add(left[0])
        found = ties_of(knock_out, kept)
    return found


def _of_round(ties: tuple[Tie, ...], key: tuple[str, int]) -> list[Tie]:
    return [
        tie
        for found, group in groupby(ties, lambda tie: tie.id[:2])
        for tie in group
        if found == key
    ]
