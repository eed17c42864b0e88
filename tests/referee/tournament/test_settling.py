"""A result that changed after something was drawn from it: what each choice does, by format."""

from __future__ import annotations

from referee.aggregates.tournament.formats.places import group_tables, knock_out_order_or_empty
from referee.aggregates.tournament.settlement import ways_to_settle_correction
from referee.events.tournament import PhaseBegun, RoundDrawn
from tests.support.records.tournament_play import Play


def groups_played() -> tuple[Play, str]:
    """Two groups of four, the knock-out begun; the meeting that made 4 second of its group."""
    play = Play("groups", 8)
    play.draw()
    for _ in range(3):
        play.do(RoundDrawn(0))
        play.play_open()
    play.do(PhaseBegun())
    assert play.state.order[:4] == ("1", "2", "4", "3")
    found = next(m.id for m in play.state.meetings.values() if set(m.pairs) == {"4", "5"})
    return play, found


def test_a_group_result_that_sends_nobody_else_on_counts_at_once() -> None:
    play, _ = groups_played()
    last = next(m for m in play.state.meetings.values() if set(m.pairs) == {"5", "8"})
    play.win(last.id, "8")
    assert play.state.meetings_with_pending_correction() == ()
    assert play.state.meetings[last.id].counts.winner == "8"


def test_a_group_result_that_would_send_another_on_waits() -> None:
    play, meeting = groups_played()
    before = play.state
    play.win(meeting, "5", cotos=(0, 2))
    (pending,) = play.state.meetings_with_pending_correction()
    assert pending.id == meeting
    assert play.state.order == before.order
    leave, replay, again = ways_to_settle_correction(play.state, meeting)
    assert not leave.changed
    assert not leave.gone
    assert replay.to_play == (meeting,)
    assert again.act.order == ("1", "2", "5", "3")
    assert {pair for _, was, now in again.changed for pair in {*was} ^ {*now}} == {"4", "5"}


def test_leaving_it_corrects_the_table_and_not_the_bracket() -> None:
    play, meeting = groups_played()
    order = play.state.order
    play.win(meeting, "5", cotos=(0, 2))
    play.settle(meeting, "leave")
    assert play.state.order == order
    rows = play.view()["groups"][0]["standings"]
    assert [row["pair"] for row in rows][:2] == ["1", "5"]


def test_pairing_again_draws_the_bracket_and_keeps_what_it_does_not_touch() -> None:
    play, meeting = groups_played()
    other = next(m for m in play.open() if "4" not in m.pairs)
    theirs = next(m for m in play.open() if "4" in m.pairs)
    play.win(other.id, other.pairs[0])
    play.win(theirs.id, "4")
    play.win(meeting, "5", cotos=(0, 2))
    again = ways_to_settle_correction(play.state, meeting)[2]
    assert theirs.id in again.void
    assert other.id not in again.void
    play.settle(meeting, "re_pair")
    assert play.state.order == ("1", "2", "5", "3")
    assert play.state.meetings[other.id].counts.winner == other.pairs[0]
    assert theirs.id not in play.state.meetings
    assert {pair for one in play.open() for pair in one.pairs} >= {"5"}
    assert play.state.meetings_with_pending_correction() == ()


def test_replaying_opens_the_meeting_and_touches_nothing_else() -> None:
    play, meeting = groups_played()
    play.win(meeting, "5", cotos=(0, 2))
    play.settle(meeting, "replay")
    assert play.state.meetings[meeting].is_open
    play.win(meeting, "5")
    assert play.state.meetings[meeting].counts.winner == "5"
    assert play.state.meetings_with_pending_correction() == ()
    assert play.state.order[:4] == ("1", "2", "4", "3")


def test_who_goes_on_is_decided_on_logs_of_before_with_opponents_not_met_yet() -> None:
    """A meeting of a group is to be played again: the table waits for it, the order does not."""
    play = Play("groups", 8)
    play.draw()
    for _ in range(3):
        play.do(RoundDrawn(0))
        for one in play.open():
            play.win(one.id, "")
    play.do(PhaseBegun())
    places = {row.pair: row.place for row in group_tables(play.state)[0]}
    better, other, best, last = sorted(places, key=places.__getitem__)
    for winner, loser, cotos in [
        (best, better, 0),
        (better, last, 1),
        (other, last, 1),
        (best, last, 0),
        (best, other, 0),
    ]:
        found = next(m for m in play.state.meetings.values() if {winner, loser} == {*m.pairs})
        play.win(found.id, winner, cotos=tuple(cotos * (pair == winner) for pair in found.pairs))
        if play.state.meetings_with_pending_correction():
            play.settle(found.id, "replay" if winner == best and loser == better else "leave")
    (again,) = (m for m in play.open() if m.tie is None)
    assert {*again.pairs} == {best, better}
    rows = group_tables(play.state)[0]
    assert [row.pair for row in rows] == [best, other, better, last]
    assert rows[2].by == "buchholz"
    assert {pair for pair in knock_out_order_or_empty(play.state) if pair in places} == {
        best,
        better,
    }


def test_a_tie_left_as_it_was_keeps_the_pair_that_advanced() -> None:
    play = Play("knock_out", 8)
    play.draw()
    first = play.open()[0]
    winner, loser = first.pairs
    play.play_open(lambda one: one.pairs[0])
    champion = play.view()["champion"]
    play.win(first.id, loser)
    view = play.view()
    assert view["pending"][0]["now"]["winner"] == loser
    assert view["champion"] == champion == winner
    play.settle(first.id, "leave")
    view = play.view()
    assert view["pending"] == []
    assert view["champion"] == winner


def test_a_tie_paired_again_voids_only_what_rests_on_it() -> None:
    play = Play("knock_out", 8)
    play.draw()
    first = play.open()[0]
    winner, loser = first.pairs
    play.play_open(lambda one: one.pairs[0])
    play.win(first.id, loser)
    again = ways_to_settle_correction(play.state, first.id)[2]
    assert len(again.void) == 2
    play.settle(first.id, "re_pair")
    assert set(again.void).isdisjoint(play.state.meetings)
    (waiting,) = play.open()
    assert loser in waiting.pairs
    assert winner not in waiting.pairs
    assert sum(not one.is_open for one in play.state.meetings.values()) == 5


def test_a_swiss_result_changed_in_its_cotos_alone_moves_no_pairing_and_counts() -> None:
    play = Play("swiss", 8)
    play.draw()
    play.do(RoundDrawn(0))
    play.play_open()
    play.do(RoundDrawn(0))
    first = next(iter(play.state.meetings.values()))
    play.win(first.id, str(first.counts.winner), cotos=(2, 0))
    assert play.state.meetings_with_pending_correction() == ()
    assert play.state.meetings[first.id].counts.cotos == (2, 0)
