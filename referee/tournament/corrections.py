"""A result corrected after the next round was drawn: the choices, and what each would change.

Nothing is rewired by itself: whoever decides gets the tournament as each choice would leave it,
beside what would change, and records the one that is chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

import msgspec
from msgspec.structs import replace

from referee.errors import Refused
from referee.events.tournament import USUAL, Criterion, Settlement
from referee.tournament.field import Pair
from referee.tournament.formats.knock_out import KnockOut, TieId, Won, ties_of
from referee.tournament.formats.standings import standings
from referee.tournament.formats.swiss import next_round
from referee.tournament.history import History, Pairing, PlayedPairing, check_history
from referee.tournament.rules import TournamentRule


class Moved(msgspec.Struct, frozen=True):
    """A pair that a choice moves in the table: places and points before and after."""

    pair: Pair
    places: tuple[int, int]
    points: tuple[int, int]


class Choice(msgspec.Struct, frozen=True):
    """What can be done about a corrected result, and what comes of it.

    ``gone``, ``new``: pairings of later rounds, with their round. ``void``: results that would no
    longer count. ``to_play``: what must be played because of it. ``problem``: why it cannot be
    chosen, a code, or ``""``. ``after``: the tournament as it would be.
    """

    what: Settlement
    moved: tuple[Moved, ...]
    gone: tuple[tuple[int, Pairing], ...]
    new: tuple[tuple[int, Pairing], ...]
    void: tuple[PlayedPairing, ...]
    to_play: tuple[tuple[int, Pairing], ...]
    after: History
    problem: str = ""


def choices(
    history: History,
    correct: PlayedPairing,
    criteria: Sequence[Criterion] = USUAL,
    lot_seed: str = "",
) -> tuple[Choice, ...]:
    """What can be done about the result of a pairing that was told wrong.

    ``leave``: the result counts as corrected, later rounds stay as drawn. ``replay``: it is played
    again, later rounds stay. ``re_pair``: it counts as corrected, and the rounds after it are
    drawn again; offered only if there are any.

    :raises Refused: the pairing is none of that round, or nobody told a result of it
    """
    if correct.key not in {met.key for met in history.met}:
        raise Refused(TournamentRule.NOTHING_TO_CORRECT, round=correct.round, pairs=correct.pairs)
    corrected = _with(history, correct)
    check_history(corrected)
    others = tuple(met for met in history.met if met.key != correct.key)
    after: dict[Settlement, History] = {"leave": corrected, "replay": replace(history, met=others)}
    problem = ""
    if len(history.rounds) > correct.round:
        try:
            after["re_pair"] = _paired_again(corrected, correct.round)
        except Refused as wrong:
            after["re_pair"], problem = history, wrong.rule.value
    return tuple(
        _choice(what, history, found, (criteria, lot_seed), problem if what == "re_pair" else "")
        for what, found in after.items()
    )


def _with(history: History, correct: PlayedPairing) -> History:
    met = tuple(correct if met.key == correct.key else met for met in history.met)
    return replace(history, met=met)


def _paired_again(corrected: History, number: int) -> History:
    """The tournament with the round after this one drawn again, and those after that taken back.

    Whoever was absent stays so; a result of a pairing that is drawn again still counts.
    """
    drawn = corrected.rounds[number]
    named = {pair for pairing in drawn.pairings for pair in pairing} | {drawn.bye}
    until = tuple(met for met in corrected.met if met.round <= number)
    before = replace(corrected, rounds=corrected.rounds[:number], met=until)
    absent = frozenset(before.present()) - named
    again = next_round(before, absent)
    pairings = {frozenset(pairing) for pairing in again.pairings}
    kept = (
        met for met in corrected.met if met.round == number + 1 and frozenset(met.pairs) in pairings
    )
    return replace(before, rounds=(*before.rounds, again), met=(*until, *kept))


def _choice(
    what: Settlement,
    before: History,
    after: History,
    table: tuple[Sequence[Criterion], str],
    problem: str,
) -> Choice:
    was, now = _pairings(before), _pairings(after)
    told = {met.key for met in after.met}
    void = tuple(met for met in before.met if met.key not in told)
    is_open = {(met.round, frozenset(met.pairs)) for met in void} | (now.keys() - was.keys())
    return Choice(
        what,
        _moved(before, after, table),
        tuple(pairing for key, pairing in was.items() if key not in now),
        tuple(pairing for key, pairing in now.items() if key not in was),
        void,
        tuple(pairing for key, pairing in now.items() if key in is_open),
        after,
        problem,
    )


def _pairings(history: History) -> Mapping[tuple[int, frozenset[Pair]], tuple[int, Pairing]]:
    """Every pairing by its round and its pairs, in no order."""
    return {
        (number, frozenset(pairing)): (number, pairing)
        for number, one in enumerate(history.rounds, 1)
        for pairing in one.pairings
    }


def _moved(
    before: History, after: History, table: tuple[Sequence[Criterion], str]
) -> tuple[Moved, ...]:
    was = {row.pair: row for row in standings(before, *table)}
    found = []
    for row in standings(after, *table):
        old = was[row.pair]
        points = (
            sum(item.points for item in old.points),
            sum(item.points for item in row.points),
        )
        if old.place != row.place or points[0] != points[1]:
            found.append(Moved(row.pair, (old.place, row.place), points))
    return tuple(found)


# --- the knock-out -------------------------------------------------------------------------------


class TieChoice(msgspec.Struct, frozen=True):
    """What can be done about a tie that somebody else has won.

    ``changed``: ties in which somebody else would stand, with who stands there now and then.
    ``void``: ties whose result would no longer count. ``after``: the ties won, as they would be.
    """

    what: Settlement
    changed: tuple[tuple[TieId, tuple[Pair | None, ...], tuple[Pair | None, ...]], ...]
    void: tuple[TieId, ...]
    after: Mapping[TieId, Pair]


def tie_choices(knock_out: KnockOut, won: Won, tie: TieId, winner: Pair) -> tuple[TieChoice, ...]:
    """What can be done about a tie told wrong.

    ``leave``: whoever went on stays in; ``replay``: it is open until it is played again, and so is
    what follows from it; ``re_pair``: the right winner takes the place.

    :raises Refused: nobody told a result of it, or the winner is none of its pairs
    """
    if tie not in won:
        raise Refused(TournamentRule.NOTHING_TO_CORRECT, tie=tie)
    without = {at: who for at, who in won.items() if at != tie}
    return (
        TieChoice("leave", (), (), dict(won)),
        _tie_choice("replay", knock_out, won, without),
        _tie_choice("re_pair", knock_out, won, {**without, tie: winner}),
    )


def _tie_choice(
    what: Settlement, knock_out: KnockOut, won: Won, changed: Mapping[TieId, Pair]
) -> TieChoice:
    before = ties_of(knock_out, won)
    pairs = {tie.id: tie.pairs for tie in before}
    kept: dict[TieId, Pair] = {}
    for _, ties in groupby(before, key=lambda tie: tie.id[:2]):
        now = {tie.id: tie.pairs for tie in ties_of(knock_out, kept)}
        for tie in ties:
            if tie.id in changed and now[tie.id] == tie.pairs:
                kept[tie.id] = changed[tie.id]
    after = ties_of(knock_out, kept)
    return TieChoice(
        what,
        tuple((tie.id, pairs[tie.id], tie.pairs) for tie in after if tie.pairs != pairs[tie.id]),
        tuple(at for at in won if at not in kept),
        kept,
    )
