"""Faults of a text record by their causes: of each cause only the first fault is reported."""

from __future__ import annotations

from collections.abc import Iterable

from referee import events as ev
from referee.errors import Refused
from referee.record.errors import Code, RecordError
from referee.record.lexicon import PACKS
from referee.record.reader import card_readings
from referee.rules.articles import Rule

STRING_FAULTS = frozenset({Code.STRING_UNCLOSED, Code.ESCAPE_UNKNOWN})
_ONE_HABIT = frozenset(
    {Code.PACK_NOT_STATED, Code.TAG_AFTER_ACTS, Code.CARD_UNKNOWN_HERE, Code.SEAT_MALFORMED}
)
_ONE_WORD = frozenset(
    {
        Code.WORD_UNKNOWN,
        Code.SIDE_MALFORMED,
        Code.CARD_MALFORMED,
        Code.SUIT_MALFORMED,
        Code.ZERO_OR_OROS,
        Code.CARD_OF_TWO_PACKS,
    }
)


def faults_with_own_cause(ordered: Iterable[RecordError]) -> list[RecordError]:
    """Faults of a text, given in order, without those that follow from an earlier one.

    The same word that cannot be read is told once, and so are cards of another pack, seats of
    other names, a header among the acts with all that it heads, and seats that line after line
    leaves out.
    """
    found: list[RecordError] = []
    seen: set[tuple[str, ...]] = set()
    seat_left_out = -1
    for one in ordered:
        cause = _cause_key(one)
        if one.code == Code.SEAT_LEFT_OUT:
            is_new = one.line > seat_left_out + 1
            seat_left_out = one.line
        elif one.code == Code.PARTIDA_TWICE:
            is_new = (Code.TAG_AFTER_ACTS,) not in seen
        else:
            is_new = not cause or cause not in seen
        seen.add(cause)
        if is_new:
            found.append(one)
    return found


def _cause_key(one: RecordError) -> tuple[str, ...]:
    """Key of the likely cause of a fault; empty if the fault stands alone."""
    if one.code in _ONE_HABIT:
        return (one.code,)
    if one.code == Code.SOMETHING_MISSING and one.facts.get("expected") == "card":
        return one.code, str(one.line)
    token = str(one.facts.get("token", "")).upper()
    if one.code == Code.CARD_MALFORMED and any(card_readings(token, pack) for pack in PACKS):
        return (one.code,)
    return (one.code, token) if token and one.code in _ONE_WORD else ()


_ALONE = frozenset(
    {
        Rule.CARD_NOT_IN_DECK,
        Rule.CARD_PLAYED_BEFORE,
        Rule.CARD_NAMED_TWICE,
        Rule.SEAT_UNKNOWN,
        Rule.SIDE_UNKNOWN,
        Rule.CUT_IMPOSSIBLE,
    }
)
"""Rules that an act breaks by itself, whatever became of the acts before it."""


_ASIDE = (
    ev.IncidentNoted,
    ev.LogAmended,
    ev.RenuncioDenounced,
    ev.RulingGiven,
    ev.SuitRequested,
    ev.TrickReviewed,
)
"""Acts that leave the cards where they are: what follows is not refused for want of them."""


class PartidaCauses:
    """Tells which refused acts of a partida were refused for a cause of their own.

    After a refused act the table is not as it was: what is refused then tells nothing new, until
    another deal begins, unless the act alone is wrong. Each rule that a seat or a card breaks by
    itself is told once, and a line that was written twice is told by its first card.
    """

    def __init__(self) -> None:
        self._acts: list[ev.PartidaAct] = []
        self._refused: set[tuple[str, str]] = set()
        self._has_gap = False
        self._has_lost_pinta = False
        self._repeated = -1

    def add_act_and_check_cause(self, act: ev.PartidaAct, refused: Refused | None) -> bool:
        """Add the next act; the result says whether it was refused for a cause of its own."""
        self._acts.append(act)
        if refused is None:
            self._repeated = -1
            if isinstance(act, ev.DealStarted):
                self._has_gap, self._has_lost_pinta = self._has_lost_pinta, False
            return False
        is_repeated = self._note_play_and_check_repeat(act)
        card = str(refused.facts.get("card", ""))
        cause = (refused.rule, card if refused.rule is Rule.CARD_PLAYED_BEFORE else "")
        is_new = not self._has_gap or (refused.rule in _ALONE and cause not in self._refused)
        self._has_gap = self._has_gap or not isinstance(act, _ASIDE)
        self._has_lost_pinta = self._has_lost_pinta or isinstance(act, ev.PintaTurned)
        self._refused.add(cause)
        return is_new and not is_repeated

    def _note_play_and_check_repeat(self, act: ev.PartidaAct) -> bool:
        """Note this act; whether it goes on a line of plays that was written before."""
        first, before = self._acts.index(act), self._repeated
        is_again = isinstance(act, ev.CardPlayed) and first < len(self._acts) - 1
        self._repeated = first if is_again else -1
        return is_again and before >= 0 and first == before + 1
