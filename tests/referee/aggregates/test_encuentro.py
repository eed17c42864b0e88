"""The encuentro: seats, partidas followed, cotos, and what an undecided partida holds up."""

from __future__ import annotations

from dataclasses import replace
from typing import Self

import pytest

from referee.aggregates.commands import EncuentroCommand, Follow, Note
from referee.aggregates.encuentro import (
    Encuentro,
    EncuentroOutcome,
    act_to_change_day,
    decide,
    encuentro_outcome,
    fold,
    options_of,
    persons_by_seat_at_partida,
    standing_of,
)
from referee.errors import Refused
from referee.events import (
    CodeGiven,
    CotoWon,
    DrawMade,
    EncuentroCalledOff,
    EncuentroOpened,
    EncuentroRevised,
    EncuentroRuled,
    EncuentroWon,
    FrozenProfile,
    OpeningChanged,
    PartidaStarted,
    PlayersSeated,
    PlayerSubstituted,
)
from referee.rules.articles import Rule
from referee.rules.profile.options import OPTION_NAMES, Options
from referee.rules.profile.values import plain_value

CLUB = Options(cotos_to_win=1)
THREE = replace(CLUB, players=3)
SEATED = PlayersSeated({"A1": "p1", "B1": "p2", "A2": "p3", "B2": "p4"})


def opening(options: Options) -> EncuentroOpened:
    values = {name: plain_value(getattr(options, name)) for name in OPTION_NAMES}
    return EncuentroOpened(FrozenProfile("club", "1", "hash", values))


class Meeting:
    """An encuentro as recorded so far."""

    def __init__(self, options: Options = CLUB) -> None:
        self.state: Encuentro = fold(decide(Note(opening(options)), fold([])))

    def tell(self, *commands: EncuentroCommand) -> Self:
        for command in commands:
            self.state = fold(decide(command, self.state), self.state)
        return self

    def play(self, text: str) -> Self:
        """Partidas started and won by these sides, in order."""
        for winner in text.split():
            number = len(self.state.partidas) + 1
            self.tell(Note(PartidaStarted(number)), won(number, winner))
        return self

    def refuses(self, act: object, rule: Rule) -> Self:
        with pytest.raises(Refused) as caught:
            self.tell(Note(act))
        assert caught.value.rule == rule
        return self


def won(number: int, winner: str, *, whole: bool = False) -> Follow:
    return Follow(number, winner, "claim", {"A": 101, "B": 20}, whole)


def open_again(number: int) -> Follow:
    return Follow(number, "", "undecided", {})


def test_an_encuentro_is_opened_once_under_a_frozen_profile() -> None:
    meeting = Meeting()
    assert options_of(meeting.state) == CLUB
    assert meeting.state.version == 1
    meeting.refuses(opening(CLUB), Rule.ENCUENTRO_CLOSED)


def test_everybody_sits_somewhere_and_nobody_twice() -> None:
    meeting = Meeting().tell(Note(SEATED))
    assert dict(meeting.state.seats) == SEATED.seats
    meeting.refuses(PlayersSeated({"A1": "p1", "B1": "p2"}), Rule.SEATS_INCOMPLETE)
    twice = PlayersSeated({"A1": "p1", "B1": "p1", "A2": "p3", "B2": "p4"})
    meeting.refuses(twice, Rule.SEATS_INCOMPLETE)
    meeting.refuses(PlayerSubstituted("C1", "p9"), Rule.SEAT_UNKNOWN)
    meeting.refuses(PlayerSubstituted("A1", "p2"), Rule.SEATS_INCOMPLETE)
    meeting.tell(Note(PlayerSubstituted("A1", "p9"))).tell(Note(PlayerSubstituted("B1", "p2")))
    assert dict(meeting.state.seats) == {**SEATED.seats, "A1": "p9"}
    Meeting(THREE).tell(Note(PlayersSeated({"A1": "p1", "B1": "p2", "C1": "p3"})))


def test_a_draw_is_kept() -> None:
    draw = DrawMade("a_reyes", "dealer", ("A1", "B1"), (("A1", "RO"),), {"A1": "dealer"})
    meeting = Meeting().tell(Note(draw))
    assert meeting.state.draws == (draw,)
    assert meeting.state.version == 2


def test_partidas_follow_one_another() -> None:
    meeting = Meeting().refuses(PartidaStarted(2), Rule.PARTIDA_RUNNING)
    meeting.tell(Note(PartidaStarted(1))).refuses(PartidaStarted(2), Rule.PARTIDA_RUNNING)
    meeting.tell(won(1, "A")).refuses(PartidaStarted(1), Rule.PARTIDA_RUNNING)
    meeting.tell(Note(PartidaStarted(2)))
    assert [p.partida for p in meeting.state.partidas] == [1, 2]


def test_an_encuentro_is_called_off_only_while_nothing_is_recorded_at_it() -> None:
    meeting = Meeting().tell(Note(SEATED), Note(EncuentroCalledOff()))
    assert meeting.state.is_called_off
    for late in (PartidaStarted(1), SEATED, EncuentroCalledOff(), CodeGiven("A", "c", "hash")):
        meeting.refuses(late, Rule.ENCUENTRO_CALLED_OFF)
    Meeting().tell(Note(PartidaStarted(1))).refuses(EncuentroCalledOff(), Rule.ENCUENTRO_BEGUN)
    ruled = Meeting().tell(Note(EncuentroRuled("A", "why")))
    ruled.refuses(EncuentroCalledOff(), Rule.ENCUENTRO_BEGUN)


def test_profile_day_and_place_change_only_while_nothing_is_recorded() -> None:
    other, three = opening(replace(CLUB, cotos_to_win=2)).profile, opening(THREE).profile
    meeting = Meeting().tell(Note(OpeningChanged(three)), Note(OpeningChanged(other, "bar", "day")))
    opened = meeting.state.opened
    assert opened is not None
    assert (opened.profile, opened.place, opened.date) == (other, "bar", "day")
    meeting.tell(Note(SEATED)).refuses(OpeningChanged(three), Rule.SEATS_INCOMPLETE)
    meeting.tell(Note(PartidaStarted(1))).refuses(OpeningChanged(other), Rule.ENCUENTRO_BEGUN)


def test_the_day_alone_is_corrected_whatever_was_recorded() -> None:
    meeting = Meeting().tell(Note(SEATED), Note(PartidaStarted(1)))
    meeting.tell(Note(act_to_change_day(meeting.state, "2026-11-27")))
    opened = meeting.state.opened
    assert opened is not None
    assert opened.date == "2026-11-27"
    assert opened.profile == opening(CLUB).profile
    meeting.refuses(act_to_change_day(meeting.state, "2026-11-27"), Rule.ENCUENTRO_BEGUN)


def test_an_outcome_takes_no_line() -> None:
    meeting = Meeting().play("A")
    assert meeting.state.version == 2


def test_partidas_make_cotos_and_cotos_the_encuentro() -> None:
    meeting = Meeting(Options()).play("A B A A")
    assert CotoWon(1, "A", 4) in meeting.state.stated
    assert meeting.state.win is None
    assert standing_of(meeting.state).partidas == {"A": 0, "B": 0}
    meeting.play("B B B A A A")
    assert meeting.state.win == EncuentroWon("A", 10)
    meeting.refuses(PartidaStarted(11), Rule.ENCUENTRO_CLOSED)


def test_a_fixed_number_of_partidas_may_be_a_draw() -> None:
    options = Options(match_format="fixed_partidas", fixed_partidas=2)
    meeting = Meeting(options).play("A B")
    assert meeting.state.win == EncuentroWon("", 2)


def test_a_whole_match_may_be_lost_at_once() -> None:
    meeting = Meeting(Options()).tell(Note(PartidaStarted(1)), won(1, "B", whole=True))
    assert meeting.state.win == EncuentroWon("B", 1)


def test_an_outcome_corrected_corrects_the_cotos() -> None:
    meeting = Meeting().play("A A A")
    assert meeting.state.win == EncuentroWon("A", 3)
    events = decide(won(3, "B"), meeting.state)
    revised = [event.revised for event in events if isinstance(event, EncuentroRevised)]
    assert revised == [CotoWon(1, "A", 3), EncuentroWon("A", 3)]
    meeting.tell(won(3, "B"))
    assert meeting.state.stated == ()
    meeting.play("A")
    assert meeting.state.win == EncuentroWon("A", 4)


def test_a_partida_undecided_again_leaves_the_later_ones_and_flags_them() -> None:
    meeting = Meeting().play("A B A A").tell(open_again(2))
    assert meeting.state.partidas_after_undecided == (3, 4)
    assert meeting.state.win is None
    assert [p.winner for p in meeting.state.partidas] == ["A", "", "A", "A"]
    meeting.tell(won(2, "B"))
    assert meeting.state.partidas_after_undecided == ()
    assert meeting.state.win == EncuentroWon("A", 4)


def test_while_one_is_undecided_play_goes_on_but_nothing_closes() -> None:
    meeting = Meeting().play("A B").tell(open_again(1)).play("A A A")
    assert meeting.state.win is None
    assert CotoWon(1, "A", 5) in meeting.state.stated
    meeting.tell(won(1, "B"))
    assert meeting.state.win == EncuentroWon("A", 5)


def test_the_last_one_undecided_again_is_the_one_to_play() -> None:
    meeting = Meeting().play("A A A").tell(open_again(3))
    assert meeting.state.partidas_after_undecided == ()
    assert meeting.state.win is None
    meeting.refuses(PartidaStarted(4), Rule.PARTIDA_RUNNING)


def test_a_partida_without_a_winner_counts_for_nobody() -> None:
    meeting = Meeting().play("A").tell(Note(PartidaStarted(2)), Follow(2, "", "ruling", {}))
    assert standing_of(meeting.state).camas == {"A": 1, "B": 0}


def test_the_arbiter_decides_the_encuentro() -> None:
    meeting = Meeting().play("A B").tell(open_again(1))
    meeting.refuses(EncuentroRuled("C", "text"), Rule.SIDE_UNKNOWN)
    meeting.tell(Note(EncuentroRuled("B", "text")))
    assert meeting.state.win == EncuentroWon("B", 2)
    meeting.tell(Note(EncuentroRuled("", "text")))
    assert meeting.state.win == EncuentroWon("", 2)
    meeting.refuses(PartidaStarted(3), Rule.ENCUENTRO_CLOSED)


def test_three_sides_meet_too() -> None:
    options = replace(THREE, camas_per_coto=2)
    meeting = Meeting(options).play("A B C C")
    assert meeting.state.win == EncuentroWon("C", 4)
    Meeting(THREE).tell(Note(EncuentroRuled("C", "text")))


def test_what_an_encuentro_is_held_in_learns_how_it_ended() -> None:
    meeting = Meeting(replace(CLUB, camas_per_coto=2))
    assert encuentro_outcome(meeting.state) == EncuentroOutcome("open")
    meeting.play("A B A")
    outcome = encuentro_outcome(meeting.state)
    assert (outcome.winner, outcome.cotos, outcome.partidas) == ("A", (1, 0), (2, 1))


def test_who_sat_where_is_known_of_each_partida() -> None:
    meeting = Meeting()
    assert persons_by_seat_at_partida(meeting.state, 1) == {}
    meeting.tell(Note(SEATED)).play("A")
    meeting.tell(Note(PlayerSubstituted("A1", "p5", partida=2)))
    assert persons_by_seat_at_partida(meeting.state, 1)["A1"] == "p1"
    assert persons_by_seat_at_partida(meeting.state, 2)["A1"] == "p5"
