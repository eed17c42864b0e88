"""Random histories of a tournament: no rematch, at most one bye, and corrections that hold."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from projections.tournaments.rounds import Rounds
from referee.aggregates.tournament.evolution import fold
from referee.aggregates.tournament.settlement import ways_to_settle_correction
from referee.aggregates.tournament.state import Meeting, Tournament
from referee.errors import Refused
from referee.events.tournament import (
    AbsenceNoted,
    AbsenceWithdrawn,
    EntriesOpened,
    Format,
    PairApplied,
    PairEntered,
    PairReturned,
    PairWithdrawn,
    PhaseBegun,
    ResultTold,
    RoundDrawn,
    TournamentAct,
    TournamentClosed,
)
from tests.support.records.tournament_play import Play
from tests.support.servers.long_runs import RUNS

FORMATS: tuple[Format, ...] = ("swiss", "round_robin", "knock_out", "groups")


def drawn(state: Tournament) -> dict[str, Any]:
    """What was drawn: who meets whom in each round, and in each tie."""
    ties = {one.id for one in state.meetings.values() if one.tie is not None}
    return {"rounds": state.rounds, "order": state.order, "ties": ties}


class Anything(Play):
    """A random tournament."""

    def __init__(self, data: st.DataObject, format_: Format) -> None:
        self.data = data
        rounds = {"rounds": 3} if format_ == "swiss" else {}
        brackets = format_ in ("knock_out", "groups")
        more = {
            "has_consolation": brackets and data.draw(st.booleans()),
            "has_third_place": brackets and data.draw(st.booleans()),
            "absence": data.draw(st.sampled_from(["walkover", "not_paired"])),
            **rounds,
        }
        super().__init__(format_, data.draw(st.integers(8, 13)), **more)
        self.apply()
        self.draw(seeded=data.draw(st.integers(0, 4)))

    def apply(self) -> None:
        """Pairs enter and leave by themselves; nobody waits while there is a place."""
        self.do(EntriesOpened(most=self.data.draw(st.integers(10, 15))))
        for _ in range(self.data.draw(st.integers(0, 6))):
            number = self.state.entered + 1
            there = sorted({**self.state.entries, **self.state.waiting}, key=int)
            if len(self.state.entries) > 8 and self.data.draw(st.booleans()):
                self.do(PairWithdrawn(self.data.draw(st.sampled_from(there))))
            else:
                self.do(PairApplied("", (f"{number}a", f"{number}b")))
            assert self.state.terms is not None
            is_full = len(self.state.entries) >= self.state.terms.most
            assert is_full or not self.state.waiting
            assert [*self.state.waiting] == sorted(self.state.waiting, key=int)

    def result(self, meeting: Meeting) -> ResultTold:
        may_be_level = meeting.tie is None
        winners = [*meeting.pairs, *([""] if may_be_level else [])]
        cotos = st.tuples(st.integers(0, 2), st.integers(0, 2))
        winner = self.data.draw(st.sampled_from(winners))
        return ResultTold(meeting.id, winner, self.data.draw(cotos))

    def step(self) -> None:
        """A random possible act, mostly the next step."""
        meetings = list(self.state.meetings.values())
        waiting, pending = self.open(), self.state.meetings_with_pending_correction()
        what = self.data.draw(st.integers(0, 9))
        if pending and what < 8:
            self.settle_any(pending[0])
        elif waiting and what < 6:
            self.do(self.result(self.data.draw(st.sampled_from(waiting))))
        elif meetings and what == 6:
            self.correct(self.data.draw(st.sampled_from(meetings)))
        elif what == 7:
            pair = self.data.draw(st.sampled_from(sorted(self.state.entries, key=int)))
            self.attempt(
                AbsenceNoted(pair, self.state.last_round_number + self.data.draw(st.booleans()))
            )
        elif what == 8 and self.data.draw(st.integers(0, 3)) == 0:
            pair = self.data.draw(st.sampled_from(sorted(self.state.entries, key=int)))
            if not self.attempt(PairWithdrawn(pair)):
                self.attempt(PairReturned(pair))
        elif what == 8 and self.state.absences:
            number, pair = self.data.draw(st.sampled_from(sorted(self.state.absences)))
            self.attempt(AbsenceWithdrawn(pair, number))
        elif what == 9 and self.data.draw(st.integers(0, 2)) == 0:
            number = self.state.entered + 1
            self.attempt(PairEntered("", (f"{number}a", f"{number}b")))
        elif not self.attempt(RoundDrawn(0)):
            self.attempt(PhaseBegun())

    def attempt(self, act: TournamentAct) -> bool:
        try:
            self.do(act)
        except Refused:
            return False
        return True

    def correct(self, meeting: Meeting) -> None:
        """Report a result again: draws that depend on it do not change."""
        before = drawn(self.state)
        was = self.state.meetings[meeting.id].counts
        self.do(self.result(meeting))
        now = self.state.meetings[meeting.id]
        assert self.state.rounds == before["rounds"]
        assert self.state.order == before["order"]
        if was.is_decided:
            assert before["ties"] <= drawn(self.state)["ties"]
        if now.is_correction_pending:
            assert now.counts == was

    def settle_any(self, meeting: Meeting) -> None:
        """Take one of the choices, and compare its announced effect with the real one."""
        options = [
            one for one in ways_to_settle_correction(self.state, meeting.id) if not one.problem
        ]
        chosen = self.data.draw(st.sampled_from(options))
        before = set(self.state.meetings)
        self.settle(meeting.id, chosen.act.what)
        assert set(chosen.gone) == before - set(self.state.meetings)
        assert set(chosen.new) == set(self.state.meetings) - before
        assert all(self.state.meetings[at].is_open for at in chosen.to_play)
        assert meeting.id not in {one.id for one in self.state.meetings_with_pending_correction()}

    def finish(self) -> None:
        """Continue to the end."""
        for _ in range(60):
            for one in self.state.meetings_with_pending_correction():
                if one.id in {now.id for now in self.state.meetings_with_pending_correction()}:
                    self.settle_any(one)
            self.play_open(lambda one: self.data.draw(st.sampled_from(one.pairs)))
            if not self.attempt(RoundDrawn(0)) and not self.attempt(PhaseBegun()):
                break


@given(st.data(), st.sampled_from(FORMATS))
@settings(max_examples=20 * RUNS)
def test_whatever_happens_the_rounds_are_sound(data: st.DataObject, format_: Format) -> None:
    play, live = Anything(data, format_), Rounds()
    for _ in range(data.draw(st.integers(0, 40))):
        play.step()
        seen = live.encode_rounds(play.state)
        assert seen == Rounds().encode_rounds(play.state)
    state = play.state
    met = Counter(frozenset(pairing) for one in state.rounds for pairing in one.pairings)
    assert max(met.values(), default=1) == 1
    for one in state.rounds:
        named = [pair for pairing in one.pairings for pair in pairing] + list(one.byes)
        assert len(named) == len(set(named))
    if format_ == "swiss":
        byes = Counter(pair for one in state.rounds for pair in one.byes)
        assert max(byes.values(), default=1) == 1
    assert fold(play.events) == state


@given(st.data(), st.sampled_from(FORMATS))
@settings(max_examples=13 * RUNS)
def test_a_tournament_can_always_be_ended_and_says_who_won(
    data: st.DataObject, format_: Format
) -> None:
    play = Anything(data, format_)
    for _ in range(data.draw(st.integers(0, 15))):
        play.step()
    play.finish()
    if not play.attempt(TournamentClosed()):
        left = {one.id for one in play.open()}
        assert not left
        assert format_ in ("swiss", "groups")  # nobody is left to be paired, or to go on
        return
    view = play.view()
    if view["bracket"]:
        final = [one for one in view["bracket"] if one["bracket"] == "main"][-1]
        assert view["champion"] == final["winner"]
    first = [row["pair"] for row in view["standings"] if row["place"] == 1]
    if view["champion"] is None:
        assert len(first) > 1
    else:
        assert first == [view["champion"]]


@given(st.data(), st.sampled_from(FORMATS))
@settings(max_examples=13 * RUNS)
def test_a_result_put_right_is_worth_one_that_was_right_at_once(
    data: st.DataObject, format_: Format
) -> None:
    """Reported wrongly, then corrected: results and draws equal those of a correct report."""
    right, wrong = (Play(format_, 8) for _ in range(2))
    for play in (right, wrong):
        play.draw()
        if format_ != "knock_out":
            play.do(RoundDrawn(0))
    meeting = data.draw(st.sampled_from(right.open()))
    one, other = data.draw(st.permutations(meeting.pairs))
    right.win(meeting.id, one)
    wrong.win(meeting.id, one)
    for play in (right, wrong):
        play.play_open()
        if format_ != "knock_out":
            play.do(RoundDrawn(0))
    wrong.win(meeting.id, other)
    wrong.win(meeting.id, one)
    assert wrong.state.meetings_with_pending_correction() == ()
    assert wrong.view()["rounds"] == right.view()["rounds"]
    assert wrong.state.order == right.state.order


@given(st.data())
@settings(max_examples=13 * RUNS)
def test_a_wrong_result_settled_by_pairing_again_gives_the_tournament_of_the_right_one(
    data: st.DataObject,
) -> None:
    format_ = data.draw(st.sampled_from(["swiss", "knock_out"]))
    right, wrong = (Play(format_, data.draw(st.just(8))) for _ in range(2))
    for play in (right, wrong):
        play.draw()
        if format_ == "swiss":
            play.do(RoundDrawn(0))
    meeting = data.draw(st.sampled_from(right.open()))
    winner, loser = meeting.pairs
    right.win(meeting.id, winner)
    wrong.win(meeting.id, loser)
    for play in (right, wrong):
        for one in play.open():
            if one.round == 1:
                play.win(one.id, min(one.pairs, key=int))
        if format_ == "swiss":
            play.do(RoundDrawn(0))
    wrong.win(meeting.id, winner)
    if wrong.state.meetings[meeting.id].is_correction_pending:
        wrong.settle(meeting.id, "re_pair")
    assert set(wrong.state.meetings) == set(right.state.meetings)
    assert {at: one.counts for at, one in wrong.state.meetings.items()} == {
        at: one.counts for at, one in right.state.meetings.items()
    }
