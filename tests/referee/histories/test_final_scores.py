"""Random histories of an encuentro: scores told and undone among partidas, rulings, reports."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from projections.board.views import public_encuentro
from projections.scores.encuentros import encuentro_view, possible_final_scores_view
from projections.seasons.results import player_results
from referee.aggregates.commands import EncuentroCommand, Note
from referee.aggregates.encuentro import (
    Encuentro,
    conclusions_from_state,
    decide,
    encuentro_outcome,
    final_score_in_force,
    fold,
    options_of,
    result_stage,
    standing_of,
    standing_over_partidas,
)
from referee.aggregates.result import is_denied
from referee.audit.verify.streams import encuentro_conclusion_differences
from referee.errors import Refused
from referee.events import (
    Act,
    EncuentroEvent,
    EncuentroOpened,
    EncuentroRuled,
    FinalScoreTold,
    FinalScoreWithdrawn,
    PartidaStarted,
    PlayersSeated,
    ResultConfirmed,
    ResultDenied,
    ResultMadeOfficial,
    ResultReported,
)
from referee.log.mapper import RecordedEvent
from referee.rules.match_scores import may_still_end_with_score, score_of_standing
from referee.rules.profile.options import Options
from referee.rules.seats import SEATS, SIDES
from tests.referee.aggregates.test_encuentro import open_again, opening, won
from tests.support.servers.one_log import ENCUENTRO

FORMATS = (
    Options(cotos_to_win=1, camas_per_coto=1),
    Options(camas_per_coto=2),
    Options(players=2, cotos_to_win=3, camas_per_coto=1),
    Options(players=3, camas_per_coto=1),
    Options(match_format="fixed_partidas", fixed_partidas=3),
    Options(players=3, match_format="fixed_partidas", fixed_partidas=2),
)
STEPS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 10**6)), max_size=40)


def command(kind: int, number: int, state: Encuentro) -> EncuentroCommand:
    """Something that somebody may try, chosen by two numbers."""
    options = options_of(state)
    sides = SIDES[options.players]
    side, at = sides[number % len(sides)], number % max(len(state.partidas), 1) + 1
    official = "official" if number % 3 == 0 else ""
    score = {one: number // 7**place % 4 for place, one in enumerate(sides)}
    if listed := possible_final_scores_view(state).scores:
        score = listed[number % len(listed)] if number % 4 else score
    match kind:
        case 0 | 1:
            return Note(PartidaStarted(len(state.partidas) + 1))
        case 2 if state.partidas:
            return won(at, side if number % 5 else "", whole=number % 11 == 0)
        case 3 if state.partidas:
            return open_again(at)
        case 4:
            return Note(FinalScoreWithdrawn("" if official else side, official))
        case 5:
            return Note(
                ResultReported(f"p{number % 4}", "" if official else side, "", "", official)
            )
        case 6:
            return Note(ResultConfirmed("" if number % 2 else "q", side))
        case 7:
            return Note(ResultDenied("", side))
        case 8 if number % 5 == 0:
            ruled = Note(EncuentroRuled(side, "t"))
            return ruled if number % 2 else Note(ResultMadeOfficial("judge", "t"))
        case _:
            return Note(FinalScoreTold(score, "" if official else side, official))


def history(options: Options, steps: list[tuple[int, int]]) -> list[tuple[EncuentroEvent, ...]]:
    """Events of each step that was not refused; a refusal leaves nothing behind."""
    seats = PlayersSeated({seat: seat.lower() for seat in SEATS[options.players]})
    made = [decide(Note(opening(options)), Encuentro())]
    state = fold(made[0])
    made.append(decide(Note(seats), state))
    state = fold(made[-1], state)
    for kind, number in steps:
        try:
            events = decide(command(kind, number, state), state)
        except Refused:
            continue
        made.append(events)
        state = fold(events, state)
        agrees(state)
    return made


def agrees(state: Encuentro) -> None:
    """Everything that is shown of an encuentro says the same."""
    options, view = options_of(state), encuentro_view("e", state)
    public, outcome, score = (
        public_encuentro("e", state),
        encuentro_outcome(state),
        final_score_in_force(state),
    )
    assert state.stated == conclusions_from_state(state) or set(state.stated) == set(
        conclusions_from_state(state)
    )
    assert view.standing == public.standing
    assert view.decided == public.decided
    shown = getattr(view.standing, view.final.counts)
    if score is not None:
        assert (shown, state.ruled) == (score, None)
        assert may_still_end_with_score(score, options, standing_over_partidas(state))
        assert outcome.stage == result_stage(state) != "open"
        assert outcome.winner == standing_of(state).match_winner
    counted = {row.person: row for row in player_results("e", state, {})}
    of_fixed = options.match_format == "fixed_partidas"
    made = score_of_standing(standing_of(state), options)
    for seat, person in state.seats:
        row = counted[person]
        gained, lost = (
            (row.partidas, row.partidas_lost) if of_fixed else (row.cotos, row.cotos_lost)
        )
        if is_denied(state.result, state.outcome_with_partidas):
            assert gained == lost == 0
        elif not standing_of(state).beyond:
            assert gained == made[seat[0]]
            assert lost == sum(made.values()) - made[seat[0]]


def stored(made: list[tuple[EncuentroEvent, ...]]) -> list[RecordedEvent]:
    """The history as the log has it."""
    rows: list[RecordedEvent] = []
    line = 0
    for events in made:
        line += isinstance(events[0], Act)
        for event in events:
            rows.append(RecordedEvent(ENCUENTRO, len(rows) + 1, line, "t", "by", "on", "s", event))
    return rows


@given(st.sampled_from(FORMATS), STEPS)
def test_a_rebuilt_encuentro_is_the_live_one_and_nothing_of_it_is_wrong(options, steps) -> None:
    made = history(options, steps)
    rows = stored(made)
    assert list(encuentro_conclusion_differences(rows)) == []
    assert isinstance(rows[0].event, EncuentroOpened)


@given(st.sampled_from(FORMATS), STEPS, st.integers(0, 10**6))
def test_an_undo_leaves_all_as_it_was(options, steps, number) -> None:
    state = fold(event for events in history(options, steps) for event in events)
    listed = possible_final_scores_view(state).scores
    if not listed:
        return
    told = Note(FinalScoreTold(listed[number % len(listed)], "", "official"))
    try:
        after = fold(decide(told, state), state)
    except Refused:
        return
    report = decide(Note(ResultReported("", entered_by="official")), after)
    after = fold(report, after)
    assert result_stage(after) == "official"
    undone = fold(decide(Note(FinalScoreWithdrawn("", "official")), after), after)
    assert (undone.latest_final_score, undone.win, result_stage(undone)) == (
        state.latest_final_score,
        state.win,
        result_stage(state),
    )
    assert undone.result == state.result
