"""A result that changed too late: what stays, what is played and what goes by each choice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from api.http.languages import say
from api.tournaments.display import TournamentDisplay
from referee.aggregates.tournament.decider import table_acts_after_settlement
from referee.aggregates.tournament.evolution import evolve
from referee.aggregates.tournament.settlement import CorrectionChoice, ways_to_settle_correction
from referee.aggregates.tournament.state import Meeting, Tournament
from referee.events.tournament import MeetingId

_DASH: Final = "\u2013"
_BETWEEN: Final = f" {_DASH} "
CorrectedKind: TypeAlias = Literal["swiss", "groups", "tie"]


class EffectDisplay(NamedTuple):
    """A sentence about what a choice does, and the cruces that it speaks of, one a line."""

    text: str
    lines: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class ChoiceDisplay:
    """A choice: its name, why it cannot be taken (``""``: it can), its effect.

    ``changed``: places of the bracket with other pairs; ``moved``: pairs with another place.
    """

    what: str
    title: str
    problem: str
    stays: EffectDisplay
    to_play: EffectDisplay
    gone: EffectDisplay
    changed: Sequence[str]
    moved: Sequence[str]


def is_result_from_table(meeting: Meeting) -> bool:
    """Whether the changed result was recorded at a table, and not told at the desk."""
    return bool(meeting.encuentro) and meeting.now == meeting.followed


def correction_choice_displays(
    state: Tournament, meeting: Meeting, display: TournamentDisplay
) -> list[ChoiceDisplay]:
    """The choices for the pending correction of a meeting, in words."""
    return [
        _Words(state, meeting, display, option).choice()
        for option in ways_to_settle_correction(state, meeting.id)
    ]


@dataclass(frozen=True, slots=True)
class _Words:
    """One choice in words."""

    state: Tournament
    meeting: Meeting
    display: TournamentDisplay
    option: CorrectionChoice

    def choice(self) -> ChoiceDisplay:
        """The choice as its section of the page shows it."""
        what, problem = self.option.act.what, self.option.problem
        return ChoiceDisplay(
            what,
            self._say(f"choice.{what}_{self._meeting_kind}", round=self.meeting.round + 1),
            say(f"tournament.{problem}", self.display.lang) if problem else "",
            EffectDisplay(self._what_stays_in_words()),
            self._effect_on_play(),
            self._effect_on_old_results(),
            self._tie_changes_in_words(),
            self._place_changes_in_words(),
        )

    @property
    def _meeting_kind(self) -> CorrectedKind:
        if self.meeting.tie is not None:
            return "tie"
        return "groups" if self.meeting.phase == "groups" else "swiss"

    @property
    def _is_old_result_counted(self) -> bool:
        """Whether the earlier result still counts: a bracket is left as it is."""
        return self.option.act.what == "leave" and self._meeting_kind == "tie"

    def _say(self, key: str, **values: object) -> str:
        return say(f"correction.{key}", self.display.lang, **values)

    def _text_with_number(self, key: str, number: int, **values: object) -> str:
        """A text with a number, in its singular where it is one."""
        return self._say(f"{key}_one" if number == 1 else f"{key}_n", n=number, **values)

    # --- what stays ------------------------------------------------------------------------------

    def _what_stays_in_words(self) -> str:
        what = self.option.act.what
        if not (self._is_old_result_counted or self.meeting.reported_outcome.is_decided):
            what = "replay"  # there is no new result that could count
        if what == "re_pair" and self._meeting_kind == "swiss":
            return self._what_stays_of_round_in_words(self.meeting.round + 1)
        return self._say(f"stays.{what}_{self._meeting_kind}")

    def _what_stays_of_round_in_words(self, number: int) -> str:
        """Words for how many meetings stay of the round that is drawn again."""
        before = [one.id for one in self.state.meetings.values() if one.round == number]
        staying = len([one for one in before if one not in self.option.gone])
        if not staying:
            return self._say("stays.round_none", round=number)
        return self._text_with_number("stays.round", staying, round=number)

    # --- what is played --------------------------------------------------------------------------

    def _effect_on_play(self) -> EffectDisplay:
        to_play = self.option.to_play
        if not to_play:
            return EffectDisplay(self._say("none"), self._byes_in_words())
        after = evolve(self.state, self.option.act)
        at = "_at_table" if table_acts_after_settlement(self.state, after) else ""
        if to_play == (self.meeting.id,):
            return EffectDisplay(self._say(f"to_play.this{at}"))
        lines = [*map(self._meeting_in_words, to_play), *self._byes_in_words()]
        return EffectDisplay(self._text_with_number(f"to_play.new{at}", len(to_play)), lines)

    def _byes_in_words(self) -> Sequence[str]:
        """Lines on who rests in a round that is drawn again; empty if nobody else does."""
        act, number = self.option.act, self.meeting.round
        if not act.pairings or act.byes == self.state.rounds[number].byes:
            return ()
        return [
            f"{say('tournament_page.bye_text', self.display.lang, pair=pair)}: "
            f"{self.display.pairs_by_number[pair].name}"
            for pair in act.byes
        ]

    # --- what disappears -------------------------------------------------------------------------

    def _effect_on_old_results(self) -> EffectDisplay:
        gone, void = self.option.gone, self.option.void
        lines = [self._pairs_and_result(one) for one in gone]
        if self.meeting.id in void:
            has_more = (
                self._text_with_number("gone.this", len(gone)) if gone else self._say("gone.this")
            )
            return EffectDisplay(has_more, lines)
        if gone:
            lost = len([one for one in gone if one in void])
            key = "gone.lost" if lost else "gone.open"
            return EffectDisplay(self._text_with_number(key, len(gone), lost=lost), lines)
        key = "gone.new_result" if self._is_old_result_counted else "gone.old_result"
        return EffectDisplay(self._say(key))

    # --- names -----------------------------------------------------------------------------------

    def _pair_in_words(self, pair: str | None) -> str:
        return f"{pair} {self.display.pairs_by_number[pair].name}" if pair else "?"

    def _pairs_in_words(self, pairs: Iterable[str | None]) -> str:
        return _BETWEEN.join(map(self._pair_in_words, pairs))

    def _meeting_in_words(self, meeting: MeetingId) -> str:
        draw = self.display.side_bracket_title_of_meeting(meeting)
        pairs = self._pairs_in_words(meeting.split("-")[-2:])
        return f"{draw}: {pairs}" if draw else pairs

    def _pairs_and_result(self, meeting: MeetingId) -> str:
        """A cruce with its round, and with its result or how far it is."""
        one = self.display.meetings_by_id[meeting]
        words = say(f"tournament_page.mark_{one.stage_or_absence}", self.display.lang)
        is_played = one.is_over and not one.is_walkover
        result = _DASH.join(map(str, one.cotos)) if is_played else words
        pairs = self._pairs_in_words(pair.number for pair in one.pairs)
        return f"{one.title} ({result}): {pairs}"

    def _tie_changes_in_words(self) -> list[str]:
        return [
            f"{self.display.round_title_with_consolation(tie[0], tie[1])}: "
            f"{self._pairs_in_words(was)} → {self._pairs_in_words(now)}"
            for tie, was, now in self.option.changed
        ]

    def _place_changes_in_words(self) -> list[str]:
        return [
            f"{self._pair_in_words(one.pair)}: "
            + say("desk.from_to", self.display.lang, before=one.places[0], after=one.places[1])
            for one in self.option.moved
        ]
