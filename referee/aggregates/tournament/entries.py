"""Who takes part in a tournament, and how it is to be played."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from referee.aggregates.tournament.field import (
    FEWEST,
    MOST,
    MOST_TOGETHER,
    NOBODY,
    Pair,
    bracket_size,
)
from referee.aggregates.tournament.lots import commitment_of_lots
from referee.aggregates.tournament.rules import TournamentRule
from referee.aggregates.tournament.state import Tournament, TournamentEntry, lots_to_draw
from referee.errors import Refused
from referee.events import PersonId
from referee.events import tournament as ev


def check_opening(act: ev.TournamentOpened, state: Tournament) -> None:
    """Refuse a tournament with an unplayable plan.

    :raises Refused: the plan is incomplete, or has options that its format does not know
    """
    plan = act.plan
    if state.opened is not None:
        raise Refused(TournamentRule.ALREADY_OPEN)
    if len(set(plan.criteria)) < len(plan.criteria) or plan.criteria[:1] != ("points",):
        raise Refused(TournamentRule.CRITERIA_ORDER, criteria=plan.criteria)
    wanted = {"groups": plan.format == "groups", "rounds": plan.format == "swiss"}
    given = {"groups": bool(plan.groups or plan.qualify), "rounds": bool(plan.rounds)}
    if wanted != given or (wanted["groups"] and not _has_enough_groups(plan)):
        raise Refused(TournamentRule.PLAN_INCOMPLETE, format=plan.format)
    has_knock_out = plan.format in ("knock_out", "groups")
    if (plan.has_consolation or plan.has_third_place) and not has_knock_out:
        raise Refused(TournamentRule.NOT_IN_THIS_FORMAT, format=plan.format)
    if plan.repechage != "none":
        _check_repechage(plan)
    if act.profile.options["players"] == 3:  # noqa: PLR2004 - three play each alone
        raise Refused(TournamentRule.PLAYERS_NUMBER, found=3)


def _check_repechage(plan: ev.TournamentPlan) -> None:
    if plan.format != "knock_out":
        raise Refused(TournamentRule.NOT_IN_THIS_FORMAT, format=plan.format)
    if plan.has_consolation:
        raise Refused(TournamentRule.REPECHAGE_OR_CONSOLATION)


def _has_enough_groups(plan: ev.TournamentPlan) -> bool:
    return plan.groups >= FEWEST and plan.qualify >= 1


def decide_entry(
    act: ev.PairEntered | ev.PairSubstituted | ev.PairWithdrawn | ev.AbsenceNoted, state: Tournament
) -> ev.TournamentAct:
    """An act about who takes part; a new pair gets its number.

    :raises Refused: it comes too late, or is about somebody else
    """
    if isinstance(act, ev.PairEntered):
        _refuse_late_entry(state)
        if len(state.entries) == MOST:
            raise Refused(TournamentRule.PAIRS_NUMBER, found=MOST + 1, least=FEWEST, most=MOST)
        check_players(act.players, state)
        return replace(act, pair=str(state.entered + 1))
    if isinstance(act, ev.PairWithdrawn) and act.pair in state.waiting:
        return act
    if act.pair not in state.entries or state.entries[act.pair].until is not None:
        raise Refused(TournamentRule.PAIR_UNKNOWN, pair=act.pair)
    if isinstance(act, ev.PairSubstituted):
        check_players(act.players, state, act.pair)
    if isinstance(act, ev.AbsenceNoted):
        refuse_before_draw(state)
        if (
            not 1 <= act.round <= state.last_round_number + 1
            or (act.round, act.pair) in state.absences
        ):
            raise Refused(TournamentRule.ROUND_UNKNOWN, round=act.round)
    return act


def decide_own_entries(
    act: ev.EntriesOpened | ev.EntriesClosed | ev.PairApplied, state: Tournament
) -> ev.TournamentAct:
    """An act about pairs that enter by themselves; such a pair gets its number.

    :raises Refused: it comes too late, or plays already
    """
    if isinstance(act, ev.EntriesOpened):
        if state.drawn is not None:
            raise Refused(TournamentRule.ALREADY_DRAWN)
        return act
    if isinstance(act, ev.EntriesClosed):
        if not state.are_entries_open:
            raise Refused(TournamentRule.NOT_NOTED)
        return act
    if not state.may_pairs_enter:
        raise Refused(TournamentRule.ENTRIES_CLOSED)
    if len(state.entries) + len(state.waiting) == MOST:
        raise Refused(TournamentRule.PAIRS_NUMBER, found=MOST + 1, least=FEWEST, most=MOST)
    check_players(act.players, state)
    return replace(act, pair=str(state.entered + 1))


def _refuse_late_entry(state: Tournament) -> None:
    if state.drawn is None or state.plan.format == "swiss":
        return
    if state.plan.format != "knock_out":
        raise Refused(TournamentRule.TOO_LATE, format=state.plan.format)
    if opponent_of_next_late_pair(state) is None:
        raise Refused(TournamentRule.BRACKET_FULL)


def opponent_of_next_late_pair(state: Tournament) -> Pair | None:
    """Pair that the next late pair of a knock-out meets: the last one with a bye.

    None if there is none.

    If everybody plays the first round, that is the pair that rests, until the repechage is drawn.
    """
    if state.drawn is None or state.plan.format != "knock_out":
        return None
    pairs = len(state.order)
    if state.plan.repechage != "none":
        return state.order[0] if pairs % 2 and state.repechage_drawn is None else None
    rank = bracket_size(pairs) - 1 - pairs
    return state.order[rank] if rank >= 0 else None


def check_players(players: tuple[PersonId, ...], state: Tournament, own: Pair = NOBODY) -> None:
    """Refuse players of a pair who are too many or too few, or play for another pair.

    ``own``: Number of their pair if it has one.

    :raises Refused: too many or too few, or one of them plays for another pair
    """
    if len(players) != state.players_per_pair:
        wanted = state.players_per_pair
        raise Refused(TournamentRule.PLAYERS_NUMBER, found=len(players), wanted=wanted)
    others = [
        one for pair, players in players_of_pairs(state).items() if pair != own for one in players
    ]
    if len(set(players)) < len(players) or not set(players).isdisjoint(others):
        raise Refused(TournamentRule.PERSON_TWICE)


def players_of_pairs(state: Tournament) -> dict[Pair, tuple[PersonId, ...]]:
    """Players of each pair that has not withdrawn; before the draw of those that wait too."""
    waiting = state.waiting.values() if state.drawn is None else ()
    entries = (*state.entries.values(), *waiting)
    return {e.pair: e.players for e in entries if e.until is None}


def all_entries(state: Tournament) -> Mapping[Pair, TournamentEntry]:
    """Every pair that ever entered, also those that wait or have left."""
    return {**state.withdrawn, **state.waiting, **state.entries}


def refuse_oversize_groups(state: Tournament) -> None:
    """Refuse more pairs than can all meet each other, in a round robin or in its groups.

    Only asked when pairs enter: tournaments of before had no bound.

    :raises Refused: there are too many
    """
    groups = {"round_robin": 1, "groups": state.plan.groups}.get(state.plan.format)
    if groups and len(state.entries) > groups * MOST_TOGETHER:
        raise Refused(
            TournamentRule.TOO_MANY_TO_MEET,
            found=len(state.entries),
            most=groups * MOST_TOGETHER,
            together=MOST_TOGETHER,
        )


def pairs_by_strength(state: Tournament) -> tuple[Pair, ...]:
    """Pairs in the order in which a draw takes them: by strength, then by number."""
    entries = sorted(state.entries.values(), key=lambda e: (-e.strength, int(e.pair)))
    return tuple(e.pair for e in entries)


def refuse_before_draw(state: Tournament) -> None:
    """Refuse an act before the draw.

    :raises Refused: it was not
    """
    if state.drawn is None:
        raise Refused(TournamentRule.NOT_DRAWN)


def commitment_act_for_seed(
    state: Tournament, draft: ev.DrawCommitted, seed: str
) -> ev.DrawCommitted:
    """The act that commits a tournament to a seed; a draft says all but pairs and commitment.

    :raises Refused: nothing can be drawn like this
    """
    act = replace(draft, pairs=pairs_by_strength(state))
    return replace(act, commitment=commitment_of_lots(lots_to_draw(state, act), seed).commitment)
