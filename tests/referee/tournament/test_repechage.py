"""The repechage: everybody plays the first round, and some who lost it are drawn back in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.aggregates.tournament.decider import is_possible
from referee.aggregates.tournament.formats.knock_out import Tie
from referee.aggregates.tournament.formats.places import all_ties
from referee.aggregates.tournament.lots import commitment_of_lots, lots_differences, reveal_lots
from referee.aggregates.tournament.repechage import (
    make_repechage_commitment,
    repechage_commitment_or_none,
)
from referee.aggregates.tournament.settlement import ways_to_settle_correction
from referee.aggregates.tournament.state import repechage_lots_to_draw
from referee.events.tournament import (
    PairEntered,
    PairWithdrawn,
    RepechageCommitted,
    RepechageDrawn,
    ResultTold,
)
from tests.referee.tournament.test_own_entries import refused
from tests.support.records.tournament_play import ID, SEED, Play

HOWS = ("lots", "ties")


def opened(pairs: int, how: str = "ties", **more: object) -> Play:
    play = Play("knock_out", pairs, repechage=how, **more)
    play.draw()
    return play


def first_round(play: Play, *lost_by_both: str) -> None:
    """Play the first round; the lower number wins, or nobody where a pair is named."""
    for one in [one for one in play.open() if one.round == 1]:
        if set(one.pairs) & set(lost_by_both):
            play.do(ResultTold(one.id, is_walkover=True))
        else:
            play.win(one.id, min(one.pairs, key=int))


def draw_again(play: Play) -> tuple[str, ...]:
    draft = RepechageCommitted(ID, (), "", "sealed")
    play.do(make_repechage_commitment(play.state, draft, SEED))
    return tuple(play.do(RepechageDrawn(SEED)).order)


def ties_of_bracket(play: Play, bracket: str, number: int = 1) -> list[Tie]:
    return [tie for tie in all_ties(play.state) if tie.id[:2] == (bracket, number)]


def going_on(play: Play) -> list[str]:
    pairs = [pair for tie in ties_of_bracket(play, "main", 2) for pair in tie.pairs]
    assert None not in pairs
    return [pair for pair in pairs if pair]


def test_everybody_plays_the_first_round_and_an_odd_pair_rests() -> None:
    assert len(opened(12).open()) == 6
    play = opened(61)
    assert len([one for one in play.open() if one.round == 1]) == 30
    (rest,) = [tie for tie in ties_of_bracket(play, "main") if sum(map(bool, tie.pairs)) == 1]
    assert rest.winner == "1"


@pytest.mark.parametrize("how", HOWS)
def test_the_bracket_comes_out_even(how: str) -> None:
    play = opened(12, how)
    first_round(play)
    order = draw_again(play)
    assert sorted(order, key=int) == ["7", "8", "9", "10", "11", "12"]
    again = ties_of_bracket(play, "repechage")
    if how == "lots":
        assert [tie.winner for tie in again] == list(order[:2])
    else:
        assert [tie.pairs for tie in again] == [order[:2], order[2:4]]
        for one in [one for one in play.open() if one.id.startswith("repechage")]:
            assert one.round == 2
            play.win(one.id, one.pairs[0])
    assert len(going_on(play)) == 8
    play.play_open()
    assert play.view()["champion"] == "1"


def test_who_is_drawn_where_there_are_fewer_losers_than_two_for_a_place() -> None:
    play = opened(10)  # five go on, five lost, three places: two ties, and one goes straight in
    first_round(play)
    order = draw_again(play)
    again = ties_of_bracket(play, "repechage")
    assert [tie.pairs for tie in again] == [order[:2], order[2:4], (order[4], "")]


def test_a_place_that_both_pairs_of_a_tie_leave_is_filled_too() -> None:
    play = opened(16)
    first_round(play, "3")  # eight ties, seven go on
    order = draw_again(play)
    assert len(order) == 7
    assert [tie.pairs for tie in ties_of_bracket(play, "repechage")] == [order[:2]]
    play.play_open()
    assert len(going_on(play)) == 8


def test_who_did_not_come_or_has_withdrawn_is_not_drawn() -> None:
    play = opened(12)
    first_round(play)
    last = next(one for one in play.state.meetings.values() if "12" in one.pairs)
    play.do(ResultTold(last.id, "1", is_walkover=True))
    play.do(PairWithdrawn("11"))
    assert sorted(draw_again(play), key=int) == ["7", "8", "9", "10"]


def test_without_a_free_place_or_two_who_want_it_nothing_is_drawn() -> None:
    even = opened(16)
    first_round(even)
    assert refused(even, RepechageCommitted(ID, (), "", "sealed")) == "no-repechage"
    even.play_open()
    assert even.view()["champion"] == "1"
    alone = opened(6, "lots")  # three go on, one place
    first_round(alone)
    alone.do(PairWithdrawn("4"))
    alone.do(PairWithdrawn("5"))
    assert refused(alone, RepechageCommitted(ID, (), "", "sealed")) == "no-repechage"
    assert sorted(going_on(alone)) == ["1", "2", "3", "6"]


@pytest.mark.parametrize("how", HOWS)
def test_the_only_one_that_wants_a_place_keeps_it_when_it_withdraws_later(how: str) -> None:
    play = opened(5, how)  # 1 rests
    first = {frozenset(one.pairs): one.id for one in play.open()}
    play.do(ResultTold(first[frozenset("25")], "2", is_walkover=True))
    play.win(first[frozenset("34")], "3")
    assert sorted(going_on(play)) == ["1", "2", "3", "4"]
    met = next(one for one in play.open() if "4" in one.pairs)
    (beaten,) = set(met.pairs) - {"4"}
    play.win(met.id, "4")
    play.do(PairWithdrawn("4"))
    play.play_open()
    assert sorted(going_on(play)) == ["1", "2", "3", "4"]
    assert play.view()["champion"] not in (None, "4", beaten)


def test_it_is_drawn_once_after_the_first_round_by_the_seed_committed_to() -> None:
    play = opened(12)
    draft = RepechageCommitted(ID, (), "c" * 64, "sealed")
    assert refused(play, draft) == "round-open"
    first_round(play)
    assert refused(play, RepechageDrawn(SEED)) == "not-committed"
    play.do(make_repechage_commitment(play.state, draft, SEED))
    assert refused(play, RepechageDrawn("f" * 32)) == "seed-not-committed"
    published = repechage_commitment_or_none(play.state)
    assert published is not None
    drawn = play.do(RepechageDrawn(SEED))
    made = reveal_lots(published, SEED)
    assert made.outcome.order == drawn.order
    assert lots_differences(made, published.commitment) == ()
    assert refused(play, draft) == "already-drawn"


def test_a_result_that_changes_between_the_two_steps_voids_the_commitment() -> None:
    play = opened(12)
    first_round(play)
    play.do(make_repechage_commitment(play.state, RepechageCommitted(ID, (), "", "sealed"), SEED))
    changed = next(one for one in play.state.meetings.values() if set(one.pairs) == {"2", "11"})
    play.win(changed.id, "11")
    assert repechage_commitment_or_none(play.state) is None
    assert refused(play, RepechageDrawn(SEED)) == "not-committed"
    assert "2" in draw_again(play)


@pytest.mark.parametrize("how", HOWS)
def test_a_corrected_tie_sends_its_other_pair_and_the_preview_says_so(how: str) -> None:
    play = opened(12, how)
    first_round(play)
    order = draw_again(play)
    lost = order[0]
    tie = next(one for one in play.state.meetings.values() if lost in one.pairs)
    other = next(pair for pair in tie.pairs if pair != lost)
    play.play_open()
    play.win(tie.id, lost)
    (pending,) = play.state.meetings_with_pending_correction()
    chosen = next(
        c for c in ways_to_settle_correction(play.state, pending.id) if c.act.what == "re_pair"
    )
    before = set(play.state.meetings)
    play.settle(tie.id, "re_pair")
    after = set(play.state.meetings)
    assert (set(chosen.gone), set(chosen.new)) == (before - after, after - before)
    assert ties_of_bracket(play, "repechage")[0].pairs[0] == other
    play.play_open()
    assert len(going_on(play)) == 8


def tie_of_first_round(play: Play, pair: str) -> str:
    first = (one for one in play.state.meetings.values() if one.round == 1)
    return next(one.id for one in first if pair in one.pairs)


def test_a_tie_lost_by_both_that_was_won_after_all_has_one_place_fewer_to_draw_for() -> None:
    play = opened(8)
    first_round(play, "1")
    draw_again(play)
    (again,) = ties_of_bracket(play, "repechage")
    (met,) = (one for one in play.open() if one.tie == again.id)
    play.win(tie_of_first_round(play, "1"), "1")
    (pending,) = play.state.meetings_with_pending_correction()
    leave, _, re_pair = ways_to_settle_correction(play.state, pending.id)
    assert not leave.changed
    assert (again.id, again.pairs, ("", "")) in re_pair.changed
    assert met.id in re_pair.gone
    play.settle(pending.id, "re_pair")
    assert not ties_of_bracket(play, "repechage")
    play.play_open()
    assert play.view()["champion"] == "1"


def test_a_tie_played_again_deals_nobody_out_anew_without_a_choice() -> None:
    play = opened(10)  # five losers for three places: two ties, and one goes straight in
    first_round(play)
    order = draw_again(play)
    met = next(one.id for one in play.open() if set(one.pairs) == set(order[2:4]))
    play.win(met, order[2])
    tie = tie_of_first_round(play, order[4])
    play.win(tie, order[4])
    play.settle(tie, "replay")
    play.do(ResultTold(tie, is_walkover=True))  # four places: one tie, and three go straight in
    (pending,) = play.state.meetings_with_pending_correction()
    assert play.state.meetings[met].counts.winner == order[2]
    again = next(
        c for c in ways_to_settle_correction(play.state, pending.id) if c.act.what == "re_pair"
    )
    assert met in again.void
    play.settle(tie, "re_pair")
    play.play_open()
    assert play.view()["champion"]


def test_a_tie_played_again_that_moves_nobody_else_counts_at_once() -> None:
    play = opened(10)
    first_round(play)
    order = draw_again(play)
    tie = tie_of_first_round(play, order[0])
    play.win(tie, order[0])
    play.settle(tie, "replay")
    play.win(tie, order[0])
    assert not play.state.meetings_with_pending_correction()


def test_a_late_pair_meets_the_one_that_rests_until_the_repechage_is_drawn() -> None:
    play = opened(11)
    play.do(PairEntered("", ("x", "y")))
    assert any(set(one.pairs) == {"1", "12"} for one in play.open())
    assert refused(play, PairEntered("", ("v", "w"))) == "bracket-full"
    later = opened(11)
    first_round(later)
    draw_again(later)
    assert refused(later, PairEntered("", ("x", "y"))) == "bracket-full"


def test_it_is_of_a_knock_out_without_a_consolation() -> None:
    with pytest.raises(Exception, match="repechage-or-consolation"):
        Play("knock_out", 4, repechage="lots", has_consolation=True)
    with pytest.raises(Exception, match="not-in-this-format"):
        Play("swiss", 4, repechage="lots")
    usual = Play("knock_out", 4)
    usual.draw()
    assert refused(usual, RepechageCommitted(ID, (), "", "sealed")) == "not-in-this-format"


@given(st.integers(2, 70), st.sampled_from(HOWS), st.data())
def test_whatever_comes_it_ends_with_a_champion_or_nobody(
    pairs: int, how: str, data: st.DataObject
) -> None:
    play = opened(pairs, how, has_third_place=True)
    most = 3 * pairs
    while most:
        most -= 1
        if is_possible(RepechageCommitted(ID, (), "", "sealed"), play.state):
            draw_again(play)
        if not play.open():
            break
        one = play.open()[0]
        choices = [*one.pairs] * 4 + [""]
        winner = data.draw(st.sampled_from(choices))
        play.do(ResultTold(one.id, winner, is_walkover=not winner))
    finals = [tie for tie in all_ties(play.state) if tie.id[0] == "main"]
    assert finals[-1].winner is not None
    assert (
        commitment_of_lots(repechage_lots_to_draw(play.state.repechage), SEED)
        if play.state.repechage
        else 1
    )
