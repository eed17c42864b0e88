"""A result corrected after the next round was drawn: the choices and what each would change."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.aggregates.tournament.formats.knock_out import (
    KnockOut,
    champion,
    playable_ties,
    ties_of_knock_out,
)
from referee.aggregates.tournament.formats.standings import standings
from referee.aggregates.tournament.history import History, PlayedPairing, check_history
from referee.aggregates.tournament.settlement import (
    correction_choices_of_pairing,
    correction_choices_of_tie,
)
from referee.errors import Refused
from tests.referee.tournament.swiss_field import field, played, tournaments


def two_rounds() -> History:
    return played(played(History(field(8))))


def by_name(history: History, correct: PlayedPairing) -> dict:
    return {choice.what: choice for choice in correction_choices_of_pairing(history, correct)}


def test_each_choice_says_what_it_would_change():
    """P5 beat P1 in the first round, and not the other way round."""
    history = two_rounds()
    correct = PlayedPairing(1, ("P1", "P5"), "P5")
    found = by_name(history, correct)
    assert list(found) == ["leave", "replay", "re_pair"]
    leave, replay, again = found["leave"], found["replay"], found["re_pair"]

    assert (leave.gone, leave.new, leave.void, leave.to_play) == ((), (), (), ())
    points = {one.pair: one.points for one in leave.moved}
    assert (points["P1"], points["P5"]) == ((4, 2), (2, 4))

    assert (replay.gone, replay.new) == ((), ())
    assert [met.pairs for met in replay.void] == [("P1", "P5")]
    assert replay.to_play == ((1, ("P1", "P5")),)

    assert again.gone == ((2, ("P1", "P3")), (2, ("P5", "P7")))
    assert again.new == again.to_play == ((2, ("P3", "P5")), (2, ("P1", "P7")))
    assert [met.pairs for met in again.void] == [("P1", "P3"), ("P5", "P7")]
    kept = (history.met[5], history.met[7])
    assert again.after.met == (correct, *history.met[1:4], *kept)


def test_a_result_of_a_pairing_that_is_drawn_again_still_counts():
    history = two_rounds()
    choice = by_name(history, replace(history.met[0], partidas=(3, 0)))["re_pair"]
    assert (choice.gone, choice.new, choice.void, choice.to_play) == ((), (), (), ())
    assert choice.after == by_name(history, replace(history.met[0], partidas=(3, 0)))["leave"].after


def test_nothing_is_drawn_again_while_the_round_is_the_last():
    history = two_rounds()
    assert list(by_name(history, replace(history.met[-1], winner=""))) == ["leave", "replay"]


@pytest.mark.parametrize(
    ("correct", "code"),
    [
        (PlayedPairing(1, ("P1", "P2"), "P1"), "nothing-to-correct"),
        (PlayedPairing(3, ("P1", "P5"), "P1"), "nothing-to-correct"),
        (PlayedPairing(1, ("P1", "P5"), "P9"), "winner-unknown"),
    ],
)
def test_a_correction_that_cannot_be_is_refused(correct, code):
    with pytest.raises(Refused) as error:
        correction_choices_of_pairing(two_rounds(), correct)
    assert error.value.rule == code


@given(tournaments(), st.data())
@settings(deadline=None)
def test_a_choice_changes_what_it_says_and_nothing_else(history, data):
    assume(history.met)
    wrong = data.draw(st.sampled_from(history.met))
    correct = replace(wrong, winner=data.draw(st.sampled_from([*wrong.pairs, ""])))
    kept = replace(history)
    for choice in correction_choices_of_pairing(history, correct):
        check_history(choice.after)
        was, now = ({m.round_and_pairs: m for m in h.met} for h in (history, choice.after))
        if choice.problem:
            assert choice.after == history
            continue
        assert was.keys() - now.keys() == {met.round_and_pairs for met in choice.void}
        assert {key for key in now if now[key] != was[key]} <= {correct.round_and_pairs}
        before, after = (
            {(n, frozenset(p)) for n, one in enumerate(h.rounds, 1) for p in one.pairings}
            for h in (history, choice.after)
        )
        assert before - after == {(n, frozenset(p)) for n, p in choice.gone}
        assert after - before == {(n, frozenset(p)) for n, p in choice.new}
        assert choice.after.rounds[: wrong.round] == history.rounds[: wrong.round]
        rows = ({row.pair: row.place for row in standings(h)} for h in (history, choice.after))
        old, new = rows
        moved = {one.pair: one.places for one in choice.moved}
        assert all(old[pair] == new[pair] for pair in old if pair not in moved)
    assert history == kept


# --- the knock-out -------------------------------------------------------------------------------


def test_the_choices_of_a_tie_reported_wrongly():
    eight = KnockOut(tuple(f"P{n}" for n in range(1, 9)))
    won = {("main", 1, 0): "P1", ("main", 1, 1): "P4", ("main", 2, 0): "P1"}
    leave, replay, again = correction_choices_of_tie(eight, won, ("main", 1, 0), "P8")
    assert (leave.changed, leave.void, leave.after) == ((), (), won)
    assert replay.changed == (
        (("main", 2, 0), ("P1", "P4"), (None, "P4")),
        (("main", 3, 0), ("P1", None), (None, None)),
    )
    assert set(replay.void) == {("main", 1, 0), ("main", 2, 0)}
    assert again.changed[0] == (("main", 2, 0), ("P1", "P4"), ("P8", "P4"))
    assert again.void == (("main", 2, 0),)
    assert again.after == {("main", 1, 0): "P8", ("main", 1, 1): "P4"}
    for tie, winner, code in [
        (("main", 1, 2), "P3", "nothing-to-correct"),
        (("main", 1, 0), "P5", "winner-unknown"),
    ]:
        with pytest.raises(Refused) as error:
            correction_choices_of_tie(eight, won, tie, winner)
        assert error.value.rule == code


@given(st.integers(2, 20), st.booleans(), st.booleans(), st.data())
@settings(deadline=None)
def test_a_knock_out_put_right_goes_on_to_one_winner(number, consolation, third, data):
    knock_out = KnockOut(tuple(f"P{n}" for n in range(number)), consolation, third)
    won = {}
    for _ in range(data.draw(st.integers(1, 2 * number))):
        waiting = list(playable_ties(ties_of_knock_out(knock_out, won)))
        if waiting:
            tie = data.draw(st.sampled_from(waiting))
            won[tie.id] = data.draw(st.sampled_from(tie.pairs))
    wrong = data.draw(st.sampled_from(list(won)))
    pairs = next(tie.pairs for tie in ties_of_knock_out(knock_out, won) if tie.id == wrong)
    winner = next(pair for pair in pairs if pair != won[wrong])
    for choice in correction_choices_of_tie(knock_out, won, wrong, winner):
        ties = ties_of_knock_out(knock_out, choice.after)
        assert choice.what == "leave" or choice.after.get(wrong) != won[wrong]
        assert {at for at in won if at not in choice.after} == set(choice.void)
        after = dict(choice.after)
        while waiting := list(playable_ties(ties)):
            after |= {tie.id: tie.pairs[0] for tie in waiting}
            ties = ties_of_knock_out(knock_out, after)
        assert champion(ties) in knock_out.order
