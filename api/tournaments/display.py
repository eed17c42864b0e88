"""The display of a tournament: its view in the words and the order of the pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any, Final

from api.http.languages import UNKNOWN, say
from api.http.names import words_of_folded_name
from api.tournaments.rounds import (
    MeetingDisplay,
    PairDisplay,
    RoundDisplay,
    clock_display,
    side_bracket_title,
)
from api.tournaments.views import LinkedTournamentData
from projections.facts import FactData
from projections.tournaments.rounds import MeetingData, RoundData
from projections.tournaments.view import GroupData, TieData

_OF_PERSONS: Final = ("buchholz", "sonneborn_berger")
"""Criteria that are named after somebody."""


def rules_in_words(plan: FactData, lang: str) -> list[str]:
    """Sentences that say how a tournament is played, by its plan."""
    return [
        say(f"tournament_page.{key}", lang, **facts)
        for key, facts in _sentence_keys_and_values(plan, lang)
    ]


def _sentence_keys_and_values(plan: FactData, lang: str) -> Iterator[tuple[str, dict[str, object]]]:
    """Keys of the sentences, with the values in them."""
    kind = plan["format"]
    yield f"rules.{kind}", {name: plan[name] for name in ("rounds", "groups", "qualify")}
    if plan["repechage"] != "none":
        yield f"repechage_{plan['repechage']}", {}
    for name in ("has_consolation", "has_third_place"):
        if plan[name]:
            yield f"rules.{name}", {}
    if kind != "knock_out":
        yield "rules.points", plan["scoring"]
        order = [_criterion_in_words(one, lang) for one in plan["criteria"] if one != "points"]
        yield ("rules.ties", {"order": ", ".join(order)}) if order else ("rules.no_ties", {})
    absence = "walkover" if kind == "knock_out" else plan["absence"]
    yield f"rules.{absence}", {}
    if plan["minutes"]:
        yield "rules.minutes", {"n": plan["minutes"]}


def _criterion_in_words(one: str, lang: str) -> str:
    """Name of a criterion within a sentence."""
    name = say(f"standings.{one}", lang)
    return name if one in _OF_PERSONS else name[:1].lower() + name[1:]


_NAMED_ROUNDS: Final = ("final", "semifinal", "quarter", "eighth", "sixteenth", "thirtysecond")


class TournamentDisplay:
    """A tournament in a language. Values are computed when a page uses them."""

    def __init__(self, view: LinkedTournamentData, lang: str) -> None:
        self.view, self.lang = view, lang

    @property
    def name(self) -> str:
        """Name of the tournament."""
        return self.view.name or UNKNOWN

    @cached_property
    def pairs_by_number(self) -> Mapping[str, PairDisplay]:
        """Every pair by its number."""
        return {
            one.pair: PairDisplay(
                one.pair,
                tuple(name or say("grammar.nameless", self.lang) for name in one.players),
                one.is_withdrawn,
                one.name,
            )
            for one in self.view.pairs
        }

    @cached_property
    def rounds(self) -> tuple[RoundDisplay, ...]:
        """The rounds as drawn."""
        return tuple(self._round_display(one) for one in self.view.rounds)

    @property
    def current_or_last_round(self) -> RoundDisplay | None:
        """The round that is played: the first that is not over, else the last."""
        waiting = (one for one in self.rounds if not one.is_over)
        return next(waiting, self.rounds[-1] if self.rounds else None)

    @property
    def meetings_with_call(self) -> list[MeetingDisplay]:
        """Cruces whose pairs are called to their tables, by table."""
        found = [one for each in self.rounds for one in each.meetings if one.mark == "called"]
        return sorted(found, key=lambda one: one.table)

    @property
    def champion(self) -> PairDisplay | None:
        """The pair that won the tournament; None until one has."""
        return self.pairs_by_number.get(self.view.champion or "")

    @cached_property
    def ties_by_bracket(self) -> Mapping[str, list[TieData]]:
        """Ties of each bracket, the main one first."""
        ties = sorted(self.view.bracket, key=lambda tie: _BRACKETS.index(tie.bracket))
        return {name: list(its) for name, its in groupby(ties, key=lambda tie: tie.bracket)}

    @cached_property
    def meetings_by_id(self) -> Mapping[str, MeetingDisplay]:
        """Every cruce by its id."""
        return {one.id: one for each in self.rounds for one in each.meetings}

    def own_table_name_or_empty(self, table: int) -> str:
        """What the club calls a table; empty if it has only its number."""
        names = self.view.table_names
        return names[table - 1] or "" if 0 < table <= len(names) else ""

    @property
    def is_by_points(self) -> bool:
        """Whether places come from points, not from rounds of a knock-out."""
        return not self.view.bracket

    def meetings_of_pair(self, pair: str) -> list[MeetingDisplay]:
        """The cruces of a pair, in order."""
        return [
            one for one in self.meetings_by_id.values() if pair in {p.number for p in one.pairs}
        ]

    def meetings_at_table(self, table: int) -> list[MeetingDisplay]:
        """The cruces at a table: the current or next one first, then earlier ones."""
        its = [one for one in self.meetings_by_id.values() if one.table == table]
        waiting = [one for one in its if not one.is_over]
        return waiting + [one for one in reversed(its) if one.is_over]

    def find_pairs(self, wanted: str) -> list[PairDisplay]:
        """Pairs by their number or by beginnings of names, without accents or case."""
        asked = wanted.strip()
        if asked.isdigit():
            return [one for one in self.pairs_by_number.values() if one.number == asked]
        beginnings = words_of_folded_name(asked)
        said = {
            one: words_of_folded_name(f"{one.title} {one.players_in_one_line}")
            for one in self.pairs_by_number.values()
        }
        return [one for one, words in said.items() if _matches_search(beginnings, words)]

    def bracket_title(self, bracket: str) -> str:
        """Name of a bracket."""
        return say(f"tournament_page.bracket_{bracket}", self.lang)

    def round_title_with_consolation(self, bracket: str, number: int) -> str:
        """Name of a round of a bracket, after that of the bracket for the consolation alone."""
        title = self.round_title(bracket, number)
        if bracket != "consolation":
            return title
        return f"{self.bracket_title(bracket)} · {title}"

    def side_bracket_title_of_meeting(self, meeting: str) -> str:
        """Name of the bracket of a cruce, also of one that is not drawn; empty for the main one.

        The id of the cruce of a tie begins with its bracket.
        """
        bracket = meeting.partition("-")[0]
        return side_bracket_title(bracket if bracket in _BRACKETS else "", self.lang)

    def round_title(self, bracket: str, number: int) -> str:
        """Name of a round of a bracket: final, semifinal, …"""
        if bracket in ("third", "repechage"):
            return self.bracket_title(bracket)
        left = max(tie.round for tie in self.ties_by_bracket[bracket]) - number
        if left < len(_NAMED_ROUNDS):
            return say(f"tournament_page.{_NAMED_ROUNDS[left]}", self.lang)
        return say("tournament_page.round_n", self.lang, n=number)

    # --- construction ------------------------------------------------------------------

    @cached_property
    def _ties_by_meeting(self) -> Mapping[str, TieData]:
        return {tie.meeting: tie for tie in self.view.bracket if tie.meeting}

    @cached_property
    def _ids_with_pending_correction(self) -> frozenset[str]:
        return frozenset(one.meeting for one in self.view.pending)

    def _round_display(self, one: RoundData) -> RoundDisplay:
        meetings = tuple(self._meeting_display(each) for each in one.meetings)
        titles = {each.title for each in meetings}
        title = say("tournament_page.round_n", self.lang, n=one.number)
        if one.phase == "knock_out" and meetings:
            main = (
                each.title
                for each in meetings
                if self._bracket_of_meeting_or_empty(each.id) == "main"
            )
            title = next(main, min(titles))
        return RoundDisplay(
            one.phase,
            one.number,
            title,
            tuple(self.pairs_by_number[pair] for pair in one.byes),
            meetings,
            clock_display(one.clock),
            tuple((self.pairs_by_number[a], self.pairs_by_number[b]) for a, b in one.repeats if b),
            tuple(self.pairs_by_number[a] for a, b in one.repeats if not b),
        )

    def _bracket_of_meeting_or_empty(self, meeting: str) -> str:
        return (
            str(self._ties_by_meeting[meeting].bracket) if meeting in self._ties_by_meeting else ""
        )

    def _meeting_display(self, one: MeetingData) -> MeetingDisplay:
        first, second = (self.pairs_by_number[pair] for pair in one.pairs)
        is_over = one.winner is not None
        return MeetingDisplay(
            id=one.id,
            round=one.round,
            title=self._meeting_title(one),
            draw=self.side_bracket_title_of_meeting(one.id),
            pairs=(first, second),
            table=one.table,
            encuentro=one.encuentro,
            mark=_mark_of_meeting(one),
            winner=one.winner,
            cotos=tuple(one.cotos) if is_over else (),
            partidas=tuple(one.partidas) if any(one.partidas) else (),
            is_walkover=one.is_walkover,
            is_correction_pending=one.id in self._ids_with_pending_correction,
            hour=one.hour,
            table_name=self.own_table_name_or_empty(one.table),
        )

    def _meeting_title(self, one: MeetingData) -> str:
        tie = self._ties_by_meeting.get(one.id)
        if tie is None:
            return say("tournament_page.round_n", self.lang, n=one.round)
        return self.round_title_with_consolation(tie.bracket, tie.round)


def _matches_search(beginnings: Sequence[str], words: Sequence[str]) -> bool:
    return all(any(word.startswith(one) for word in words) for one in beginnings)


_BRACKETS: Final = ("main", "repechage", "third", "consolation")
_UNSURE: Final = ("provisional", "disputed")


def _mark_of_meeting(one: MeetingData) -> str:
    if one.winner is not None:
        return str(one.stage) if one.stage in _UNSURE else "done"
    if one.stage == "playing":
        return "playing"
    return "called" if one.called else "open"


def portion_and_starts(
    rows: Sequence[Any], since: int, size: int
) -> tuple[Sequence[Any], list[int]]:
    """Rows from number ``since`` on (from 1), and the start of each portion."""
    starts = list(range(1, max(2, len(rows) + 1), size))
    return rows[since - 1 : since - 1 + size], starts


def groups_with_meetings_by_pairs(
    display: TournamentDisplay,
) -> Iterator[tuple[GroupData, Mapping[tuple[str, str], MeetingDisplay]]]:
    """Each group with the cruces of its pairs, each by both pairs in either order."""
    met = {
        key: one
        for each in display.rounds
        if each.phase == "groups"
        for one in each.meetings
        for key in (_pair_numbers_of_meeting(one), _pair_numbers_of_meeting(one)[::-1])
    }
    for group in display.view.groups:
        its = set(group.pairs)
        yield group, {key: one for key, one in met.items() if its >= set(key)}


def _pair_numbers_of_meeting(one: MeetingDisplay) -> tuple[str, str]:
    return one.pairs[0].number, one.pairs[1].number
