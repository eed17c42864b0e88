"""The draw of a repechage: who lost the first round, committed to and then drawn as any other."""

from __future__ import annotations

from msgspec.structs import replace

from referee.aggregates.tournament.entries import refuse_before_draw
from referee.aggregates.tournament.field import Pair
from referee.aggregates.tournament.formats.knock_out import (
    indices_of_ties_nobody_won,
    ties_with_loser_for_repechage,
)
from referee.aggregates.tournament.formats.places import all_ties, knock_out_or_none
from referee.aggregates.tournament.lots import (
    LotsCommitment,
    commitment_of_lots,
    refuse_impossible_lots,
    reveal_lots,
)
from referee.aggregates.tournament.rules import TournamentRule
from referee.aggregates.tournament.state import Tournament, repechage_lots_to_draw
from referee.errors import Refused
from referee.events.tournament import RepechageCommitted, RepechageDrawn


def decide_repechage(
    act: RepechageCommitted | RepechageDrawn, state: Tournament
) -> RepechageCommitted | RepechageDrawn:
    """The commitment with the pairs that lost, or the draw with their order.

    :raises Refused: it comes too early or too late, or is not the one committed to
    """
    pairs = require_repechage_pairs(state)
    if isinstance(act, RepechageCommitted):
        act = replace(act, pairs=pairs)
        refuse_impossible_lots(repechage_lots_to_draw(act))
        return act
    committed = repechage_commitment_or_none(state)
    if committed is None:
        raise Refused(TournamentRule.NOT_COMMITTED)
    return replace(act, order=reveal_lots(committed, act.seed, act.word).outcome.order)


def require_repechage_pairs(state: Tournament) -> tuple[Pair, ...]:
    """Pairs that lost the first round and are there, in the order of its ties.

    :raises Refused: it is not over, or there is nothing to draw
    """
    refuse_before_draw(state)
    if state.repechage_drawn is not None:
        raise Refused(TournamentRule.ALREADY_DRAWN)
    knock_out = knock_out_or_none(state)
    if knock_out is None or knock_out.repechage == "none":
        raise Refused(TournamentRule.NOT_IN_THIS_FORMAT, format=state.plan.format)
    pending = [one.id for one in state.meetings_with_pending_correction()]
    if pending:
        raise Refused(TournamentRule.CORRECTION_PENDING, meetings=pending)
    left = [one.id for one in state.meetings.values() if one.round == 1 and one.is_open]
    if left:
        raise Refused(TournamentRule.ROUND_OPEN, meetings=left)
    first = [tie for tie in all_ties(state) if tie.id[:2] == ("main", 1)]
    losers = tuple(
        tie.loser for tie in ties_with_loser_for_repechage(knock_out, first) if tie.loser
    )
    if not indices_of_ties_nobody_won(first) or len(losers) <= 1:
        raise Refused(TournamentRule.NO_REPECHAGE)
    return losers


def is_repechage_due(state: Tournament) -> bool:
    """Whether the repechage can be drawn now."""
    try:
        return bool(require_repechage_pairs(state))
    except Refused:
        return False


def repechage_commitment_or_none(state: Tournament) -> LotsCommitment | None:
    """The published commitment; None without one, or if other pairs are now to be drawn."""
    act = state.repechage
    if act is None or (state.repechage_drawn is None and not _has_current_pairs(act, state)):
        return None
    lots = repechage_lots_to_draw(act)
    return LotsCommitment(lots.draw_version, lots, act.commitment)


def _has_current_pairs(act: RepechageCommitted, state: Tournament) -> bool:
    return is_repechage_due(state) and require_repechage_pairs(state) == act.pairs


def make_repechage_commitment(
    state: Tournament, draft: RepechageCommitted, seed: str
) -> RepechageCommitted:
    """The act that commits to a seed; a draft says all but pairs and commitment.

    After the draw it is a request that is sent again, which the writer answers or refuses.

    :raises Refused: there is nothing to draw now
    """
    drawn = None if state.repechage_drawn is None else state.repechage
    act = replace(draft, pairs=require_repechage_pairs(state) if drawn is None else drawn.pairs)
    return replace(act, commitment=commitment_of_lots(repechage_lots_to_draw(act), seed).commitment)
