"""Claims judged at their moment: where it is in the order of play, with the points of then."""

from __future__ import annotations

from msgspec.structs import replace

from referee.aggregates.partida import Partida, fold
from referee.analysis.claims import ReachData, RestData, judge_claims
from referee.events import (
    CardPlayed,
    Change,
    ClaimMade,
    Conceded,
    LogAmended,
    RestClaimed,
    RulingGiven,
    TableAct,
)
from referee.rules.profile.options import Options
from tests.support.analysis.marks import NEEDS_ENGINE
from tests.support.records.dealt_out import Player, opened


def played() -> list[TableAct]:
    player = Player(Options(), 3, observed=True)
    player.deal("B1")
    return player.acts


def judged(*acts: TableAct | LogAmended) -> list[ReachData | RestData]:
    """Every claim of a partida, without its line: an inserted one has a later number."""
    state: Partida = fold([opened(Options()), *acts])
    assert state.reading is not None
    found = judge_claims(state.reading)
    return [replace(one, line=0) for one in (*found.reaches, *found.rests)]


@NEEDS_ENGINE
def test_a_claim_that_is_noted_later_is_judged_where_it_was_made() -> None:
    acts = played()
    at = [n for n, act in enumerate(acts) if isinstance(act, CardPlayed)][-7]
    seat = acts[at].seat  # type: ignore[union-attr]  # a card
    for claim in (RestClaimed(seat), ClaimMade(seat)):
        noted = LogAmended((Change(at + 1, "insert", claim),))
        (told,) = judged(*acts[:at], claim, *acts[at:])
        assert judged(*acts, noted) == [told]
        assert judged(*acts, noted, LogAmended((Change(len(acts) + 1, "withdraw"),))) == []


def test_points_of_a_ruling_make_the_target_and_take_it_off_again() -> None:
    def ruled(points: int) -> RulingGiven:
        return RulingGiven("points", "", side="A", points=points)

    def since(*acts: TableAct) -> tuple[int | None, int]:
        (told,) = judged(*start, *acts, Conceded("A"))
        return told.since, told.cards

    acts = played()
    start, more = acts[:20], acts[20:26]
    laid = sum(isinstance(act, CardPlayed) for act in more)
    assert laid > 0
    assert since() == (None, 0)
    assert since(ruled(110)) == (21, 0)
    assert since(ruled(110), *more) == (21, laid)
    assert since(ruled(110), ruled(-110), *more) == (None, 0)
    assert since(ruled(110), ruled(-110), *more, ruled(110)) == (23 + len(more), 0)
