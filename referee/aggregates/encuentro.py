"""The encuentro as a decider: seats, profile, and the standing over its partidas."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, assert_never

import msgspec
from msgspec.structs import replace

from referee import events as ev
from referee.aggregates import result as results
from referee.aggregates.commands import EncuentroCommand, Follow, FollowCase, Note
from referee.aggregates.result import Outcome, Result, ResultStage
from referee.errors import Refused
from referee.rules.articles import Rule
from referee.rules.match_scores import (
    Standing,
    is_final_score,
    match_standing,
    may_still_end_with_score,
    score_of_standing,
    score_text,
    standing_with_reported_score,
)
from referee.rules.profile.options import Options
from referee.rules.profile.profile import Frozen, Profile, freeze
from referee.rules.seats import SEATS, SIDES

UNDECIDED: ev.How = "undecided"


class Telling(msgspec.Struct, frozen=True):
    """A final score that was told, and the result before it, to which a withdrawal returns."""

    act: ev.FinalScoreTold
    before: Result


class Encuentro(msgspec.Struct, frozen=True):
    """An encuentro folded from its log.

    ``partidas`` has one entry for each partida started, in order; ``version`` counts the acts.
    ``seatings``: who sat where, with the partida from which on. ``tellings``: final scores that
    were told and not taken back; the last one may count.
    """

    opened: ev.EncuentroOpened | None = None
    version: int = 0
    seats: tuple[tuple[ev.SeatName, ev.PersonId], ...] = ()
    draws: tuple[ev.DrawMade, ...] = ()
    partidas: tuple[ev.OutcomeFollowed, ...] = ()
    ruled: ev.SideName | None = None
    is_called_off: bool = False
    stated: tuple[ev.EncuentroConclusion, ...] = ()
    result: Result = Result()
    seatings: tuple[tuple[int, tuple[tuple[ev.SeatName, ev.PersonId], ...]], ...] = ()
    tellings: tuple[Telling, ...] = ()

    @property
    def outcome_with_partidas(self) -> Outcome:
        """The win (None while open), how each partida stands, and the score told if it counts."""
        return Outcome(self.win, self.partidas, final_score_in_force(self))

    @property
    def latest_final_score(self) -> dict[ev.SideName, int] | None:
        """The final score that was told last, if it was not taken back."""
        return self.tellings[-1].act.score if self.tellings else None

    @property
    def win(self) -> ev.EncuentroWon | None:
        """How the encuentro was decided, if it was."""
        return next((c for c in self.stated if isinstance(c, ev.EncuentroWon)), None)

    @property
    def partidas_after_undecided(self) -> tuple[int, ...]:
        """Numbers of decided partidas that come after one that a correction left undecided."""
        numbers = [p.partida for p in self.partidas if p.how == UNDECIDED]
        return tuple(p.partida for p in self.partidas if numbers and p.partida > numbers[0])


INITIAL = Encuentro()


def evolve(state: Encuentro, event: ev.EncuentroEvent) -> Encuentro:  # noqa: C901, PLR0911, PLR0912 - a case an event
    """The encuentro after one event. It never refuses: only ``decide`` checks rules."""
    match event:
        case ev.EncuentroOpened():
            return replace(state, opened=event, version=state.version + 1)
        case ev.OpeningChanged(profile, place, date):
            assert state.opened is not None
            opened = replace(state.opened, profile=profile, place=place, date=date)
            return replace(state, opened=opened, version=state.version + 1)
        case ev.DrawMade():
            return replace(state, draws=(*state.draws, event), version=state.version + 1)
        case ev.PlayersSeated():
            seats = tuple(sorted(event.seats.items()))
            version = state.version + 1
            return replace(state, seats=seats, seatings=((0, seats),), version=version)
        case ev.PlayerSubstituted():
            seats = tuple(sorted({**dict(state.seats), event.seat: event.person}.items()))
            sat = (
                *state.seatings,
                (event.partida or _current_or_next_partida_number(state), seats),
            )
            return replace(state, seats=seats, seatings=sat, version=state.version + 1)
        case ev.PartidaStarted():
            begun = ev.OutcomeFollowed(event.number, "", UNDECIDED, {})
            return replace(state, partidas=(*state.partidas, begun), version=state.version + 1)
        case ev.EncuentroRuled():
            return replace(state, ruled=event.winner, version=state.version + 1)
        case ev.FinalScoreTold() | ev.FinalScoreWithdrawn():
            return _evolve_final_score(replace(state, version=state.version + 1), event)
        case ev.EncuentroCalledOff():
            return replace(state, is_called_off=True, version=state.version + 1)
        case ev.OutcomeFollowed():
            partidas = tuple(event if p.partida == event.partida else p for p in state.partidas)
            return replace(state, partidas=partidas)
        case ev.EncuentroRevised():
            return replace(state, stated=tuple(c for c in state.stated if c != event.revised))
        case ev.CotoWon() | ev.EncuentroWon():
            return replace(state, stated=(*state.stated, event))
        case ev.CaseFollowed():
            return replace(
                state, result=results.evolve(state.result, event, state.outcome_with_partidas)
            )
        case (
            ev.CodeGiven()
            | ev.ResultReported()
            | ev.ResultConfirmed()
            | ev.ResultDenied()
            | ev.ResultContested()
            | ev.ResultMadeOfficial()
            | ev.ResultReopened()
        ):
            result = results.evolve(state.result, event, state.outcome_with_partidas)
            return replace(state, result=result, version=state.version + 1)
        case _:
            assert_never(event)


def _evolve_final_score(
    state: Encuentro, event: ev.FinalScoreTold | ev.FinalScoreWithdrawn
) -> Encuentro:
    """The encuentro with one more final score, or without the one that was told last."""
    if isinstance(event, ev.FinalScoreTold):
        return replace(state, tellings=(*state.tellings, Telling(event, state.result)))
    if not state.tellings:
        return state
    result = results.result_with_earlier_reports(state.result, state.tellings[-1].before)
    return replace(state, tellings=state.tellings[:-1], result=result)


def _current_or_next_partida_number(state: Encuentro) -> int:
    """Number of the partida that is played, or comes next."""
    is_played = bool(state.partidas) and state.partidas[-1].how == UNDECIDED
    return len(state.partidas) + (0 if is_played else 1)


def persons_by_seat_at_partida(state: Encuentro, partida: int) -> dict[ev.SeatName, ev.PersonId]:
    """Who sat where when a partida ended."""
    sat = [seats for since, seats in state.seatings if since <= partida]
    return dict(sat[-1]) if sat else {}


def fold(events: Iterable[ev.EncuentroEvent], state: Encuentro = INITIAL) -> Encuentro:
    """The encuentro after these events."""
    for event in events:
        state = evolve(state, event)
    return state


def options_of(state: Encuentro) -> Options:
    """Options frozen when the encuentro was opened."""
    assert state.opened is not None
    return ev.options_from(state.opened.profile.options)


def standing_over_partidas(state: Encuentro) -> Standing:
    """Partidas, camas and cotos of each side, over the partidas that are decided."""
    decided = ((p.partida, p.winner, p.whole_match) for p in state.partidas if p.how != UNDECIDED)
    return match_standing(decided, options_of(state))


def final_score_in_force(state: Encuentro) -> dict[ev.SideName, int] | None:
    """The final score that was told; None if there is none, or a ruling or the record overrides it.

    It does not if the arbiter decided the encuentro, or if the record contradicts it.
    """
    told = state.latest_final_score
    if told is None or state.ruled is not None or state.opened is None:
        return None
    return (
        told
        if may_still_end_with_score(told, options_of(state), standing_over_partidas(state))
        else None
    )


def standing_of(state: Encuentro) -> Standing:
    """Standing of the encuentro: over its decided partidas, and the final score that was told."""
    score, recorded = final_score_in_force(state), standing_over_partidas(state)
    return (
        recorded
        if score is None
        else standing_with_reported_score(recorded, score, options_of(state))
    )


def result_stage(state: Encuentro) -> ResultStage:
    """Stage of the result: from provisional to official."""
    return results.stage(
        state.result, state.outcome_with_partidas, SIDES[options_of(state).players]
    )


class EncuentroOutcome(NamedTuple):
    """Outcome of an encuentro, for the tournament or session that it belongs to. Empty while open.

    ``winner``: a side, ``""`` for a draw. ``cotos``, ``partidas``: of sides A and B.
    """

    stage: ResultStage
    winner: ev.SideName = ""
    cotos: tuple[int, int] = (0, 0)
    partidas: tuple[int, int] = (0, 0)


def encuentro_outcome(state: Encuentro) -> EncuentroOutcome:
    """How the encuentro ended, with cotos and partidas; stage ``open`` if it did not."""
    if state.win is None:
        return EncuentroOutcome("open")
    now = standing_of(state)
    won = [p.winner for p in state.partidas if p.how != UNDECIDED]
    partidas = (won.count("A"), won.count("B"))
    if (
        options_of(state).match_format == "fixed_partidas"
        and final_score_in_force(state) is not None
    ):
        partidas = (now.partidas.get("A", 0), now.partidas.get("B", 0))
    cotos = (now.cotos.get("A", 0), now.cotos.get("B", 0))
    return EncuentroOutcome(result_stage(state), state.win.winner, cotos, partidas)


def conclusions_from_state(state: Encuentro) -> tuple[ev.EncuentroConclusion, ...]:
    """Conclusions that follow from the state.

    Each coto that was made, and the encuentro if it is won.
    """
    now = standing_of(state)
    found: list[ev.EncuentroConclusion] = [
        ev.CotoWon(c.coto, c.winner, c.partida) for c in now.made
    ]
    if state.ruled is not None:
        found.append(ev.EncuentroWon(state.ruled, len(state.partidas)))
    elif final_score_in_force(state) is not None and now.match_winner is not None:
        found.append(ev.EncuentroWon(now.match_winner, len(state.partidas)))
    elif now.match_winner is not None and not _has_undecided_before(state, now.decided_by):
        found.append(ev.EncuentroWon(now.match_winner, now.decided_by))
    return tuple(found)


def _has_undecided_before(state: Encuentro, until: int) -> bool:
    return any(p.how == UNDECIDED and p.partida < until for p in state.partidas)


def decide(command: EncuentroCommand, state: Encuentro) -> tuple[ev.EncuentroEvent, ...]:
    """The act or the outcome to be recorded, and the conclusions that change with it.

    :raises Refused: if it cannot be true.
    """
    match command:
        case Note(act, four_eyes):
            _refuse_impossible_encuentro_act(state, act, four_eyes)
            return (act, *_conclusion_changes(state, act))
        case Follow(partida, winner, how, totals, whole_match):
            event = ev.OutcomeFollowed(partida, winner, how, totals, whole_match)
            return (event, *_conclusion_changes(state, event))
        case FollowCase(case, partida, stage, lines):
            if not 1 <= partida <= len(state.partidas):
                raise Refused(Rule.PARTIDA_UNKNOWN, partida=partida)
            return (ev.CaseFollowed(case, partida, stage, lines),)
        case _:
            assert_never(command)


def _conclusion_changes(
    state: Encuentro, event: ev.EncuentroEvent
) -> tuple[ev.EncuentroEvent, ...]:
    concluded = conclusions_from_state(evolve(state, event))
    gone = tuple(ev.EncuentroRevised(old) for old in state.stated if old not in concluded)
    return (*gone, *(new for new in concluded if new not in state.stated))


def _refuse_impossible_encuentro_act(
    state: Encuentro, act: ev.EncuentroAct, four_eyes: ev.FourEyes
) -> None:
    if isinstance(act, ev.EncuentroOpened):
        if state.opened is not None:
            raise Refused(Rule.ENCUENTRO_CLOSED)
        return
    if state.is_called_off:
        raise Refused(Rule.ENCUENTRO_CALLED_OFF)
    options = options_of(state)
    if isinstance(act, ev.ResultAct):
        sides = SIDES[options.players]
        results.refuse_impossible_result_act(
            state.result, act, state.outcome_with_partidas, sides, four_eyes
        )
        return
    if _is_day_correction(act, state):
        return
    if state.result.official is not None:
        raise Refused(Rule.ACTA_SIGNED)
    _refuse_impossible_other_act(state, act, options)


def _refuse_impossible_other_act(state: Encuentro, act: ev.EncuentroAct, options: Options) -> None:
    match act:
        case ev.OpeningChanged() | ev.EncuentroCalledOff():
            _refuse_impossible_opening_change(state, act)
        case ev.PlayersSeated(seats) if set(seats) != set(SEATS[options.players]):
            raise Refused(Rule.SEATS_INCOMPLETE, seats=sorted(SEATS[options.players]))
        case ev.PlayersSeated(seats) if len(set(seats.values())) < len(seats):
            raise Refused(Rule.SEATS_INCOMPLETE, seats=sorted(seats))
        case ev.PlayerSubstituted(seat=seat) if seat not in SEATS[options.players]:
            raise Refused(Rule.SEAT_UNKNOWN, seat=seat)
        case ev.PlayerSubstituted(seat, person) if person in {
            sitting for at, sitting in state.seats if at != seat
        }:
            raise Refused(Rule.SEATS_INCOMPLETE, seats=[seat])
        case ev.EncuentroRuled(winner=winner) if winner and winner not in SIDES[options.players]:
            raise Refused(Rule.SIDE_UNKNOWN, side=winner)
        case ev.PartidaStarted(number):
            _refuse_impossible_partida_start(state, number)
        case ev.FinalScoreTold() | ev.FinalScoreWithdrawn():
            _refuse_impossible_final_score(state, act, options)
        case _:
            pass


def act_to_change_day(state: Encuentro, day: str) -> ev.OpeningChanged:
    """The act that changes only the day of an encuentro."""
    assert state.opened is not None
    return ev.OpeningChanged(state.opened.profile, state.opened.place, day)


def _is_day_correction(act: ev.EncuentroAct, state: Encuentro) -> bool:
    """Whether an act changes only the day, as after a wrong clock; this is possible at any time."""
    if not isinstance(act, ev.OpeningChanged) or state.opened is None:
        return False
    return act.date != state.opened.date and act == act_to_change_day(state, act.date)


def _refuse_impossible_opening_change(
    state: Encuentro, act: ev.OpeningChanged | ev.EncuentroCalledOff
) -> None:
    """Refuse a change of the opening, or calling it off, once something was recorded.

    And a profile for another number of players.
    """
    if state.partidas or state.win is not None:
        raise Refused(Rule.ENCUENTRO_BEGUN)
    if isinstance(act, ev.EncuentroCalledOff):
        return
    seats = SEATS[ev.options_from(act.profile.options).players]
    if state.seats and {seat for seat, _ in state.seats} != set(seats):
        raise Refused(Rule.SEATS_INCOMPLETE, seats=sorted(seats))


def _refuse_impossible_partida_start(state: Encuentro, number: int) -> None:
    if state.win is not None:
        raise Refused(Rule.ENCUENTRO_CLOSED, winner=state.win.winner)
    last = state.partidas[-1] if state.partidas else None
    if last is not None and last.how == UNDECIDED:
        raise Refused(Rule.PARTIDA_RUNNING, partida=last.partida)
    if number != len(state.partidas) + 1:
        raise Refused(Rule.PARTIDA_RUNNING, partida=number)


def _refuse_impossible_final_score(
    state: Encuentro, act: ev.FinalScoreTold | ev.FinalScoreWithdrawn, options: Options
) -> None:
    results.refuse_late_final_score(
        state.result, act, state.outcome_with_partidas, SIDES[options.players]
    )
    if state.ruled is not None:
        raise Refused(Rule.ENCUENTRO_RULED, winner=state.ruled)
    if isinstance(act, ev.FinalScoreWithdrawn):
        if state.latest_final_score is None:
            raise Refused(Rule.FINAL_SCORE_NOT_TOLD)
        return
    recorded = standing_over_partidas(state)
    if may_still_end_with_score(act.score, options, recorded):
        return
    facts = {"score": score_text(act.score)}
    if recorded.match_winner is None and not is_final_score(act.score, options):
        raise Refused(Rule.FINAL_SCORE_IMPOSSIBLE, **facts)
    made = score_text(score_of_standing(recorded, options))
    raise Refused(Rule.FINAL_SCORE_AGAINST_RECORD, **facts, recorded=made)


def freeze_profile(profile: Profile, players: int, deck: int | None = None) -> ev.FrozenProfile:
    """The profile with every value it has for this number of players and this deck.

    :raises BadProfile: nobody could play by it; the options are named
    """
    return convert_frozen_profile(freeze(profile, players, deck))


def convert_frozen_profile(table: Frozen) -> ev.FrozenProfile:
    """A frozen profile in the form in which events have it."""
    names = ev.FrozenProfile.__struct_fields__
    held = {name: value or "" for name, value in table.items() if name in names}
    return msgspec.convert(held, ev.FrozenProfile)
