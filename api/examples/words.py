"""Records of the rules in words: what happens in each, and what the option makes of it."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from api.examples.records import (
    PlayedRecord,
    RuleRecord,
    contrary_options,
    play_record,
    profile_ids_with_value,
)
from api.http.languages import (
    option_words,
    player_phrase_of_seat,
    players_phrase_of_side,
    say,
    use_card_pack,
    value_words,
)
from api.http.table_names import TableNames, use_table_names
from api.profiles.own.views import profile_name
from api.profiles.words import OptionTitleData
from api.replay.replays import ReplayData, ReplayRequest, ReplaySource, replay_of
from referee.aggregates.partida import Partida
from referee.events import CardPlayed, OptionValue
from referee.record import TextRecord
from referee.record.profiles import frozen_profile_of_record
from referee.rules.profile.profile import PROFILE_IDS
from referee.rules.seats import SEATS, SIDES

_BEGINNING: Final = re.compile(r"(?<=\. )\w")
"""The first letter of a sentence that follows another one."""


_NAMES: Final = {"A1": "Pilar", "B1": "Andrés", "A2": "Nieves", "B2": "Joaquín", "C1": "Cruz"}
"""Who sits at the table of an example; the files have the codes of the seats alone."""


class ExampleSide(NamedTuple):
    """A value of the option, who has it, and what comes out of the record under it.

    ``won``: who wins what the option decides, or that nobody does yet; ``noted``: what the program
    notes. ``also``: other options that have to change for this value.
    """

    value: str
    holders: str
    won: str
    noted: list[str]
    also: list[str]


class Example(NamedTuple):
    """A record of a rule in words; ``contrary`` is None if no other value is possible.

    ``acts``: what was recorded of each partida.
    """

    name: str
    option: str
    title: str
    about: str
    rules: str
    acts: list[list[str]]
    here: ExampleSide
    contrary: ExampleSide | None
    text: str


class ExampleRowData(OptionTitleData, frozen=True):
    """An option with what happens in a record of it."""

    name: str
    about: str


def example_row(one: RuleRecord, lang: str) -> ExampleRowData:
    """An example as the list shows it: its option, and what happens in it."""
    return ExampleRowData(
        option=one.option,
        title=option_words(one.option, lang),
        name=one.name,
        about=what_happens_in_words(one, lang),
    )


def example_value_in_words(one: RuleRecord, record: TextRecord, lang: str) -> str:
    """The value, in words, that the option of an example has in a record."""
    return _value_in_words(one.option, frozen_profile_of_record(record).options[one.option], lang)


def _table_names(record: TextRecord) -> TableNames:
    seats = SEATS[record.players]
    return TableNames(record.players, {seat: _NAMES[seat] for seat in seats})


def what_happens_in_words(one: RuleRecord, lang: str) -> str:
    """What happens in an example, in a sentence or two."""
    players = one.record.players
    with use_table_names(_table_names(one.record)):
        seats = {seat: player_phrase_of_seat(seat, lang) for seat in SEATS[players]}
        sides = {side: players_phrase_of_side(side, lang) for side in SIDES[players]}
        said = say(f"example.{one.name}", lang, **seats, **sides)
    return _BEGINNING.sub(lambda found: found[0].upper(), said)


def example_of_record(one: RuleRecord, lang: str) -> Example:
    """An example in words: its acts, and what comes out of it under both values."""
    return Example(
        one.name,
        one.option,
        option_words(one.option, lang),
        what_happens_in_words(one, lang),
        _profile_in_words(one.record, lang),
        _acts_in_words(play_record(one.record)),
        _outcome_under_value(one, one.record, lang),
        None if one.contrary is None else _outcome_under_value(one, one.contrary, lang),
        one.text,
    )


def replay_of_last_partida(record: TextRecord) -> ReplayData:
    """The replay of the last partida of a record, in which the option decides."""
    played = play_record(record)
    return _partida_replay(played, played.partidas[-1])


def _partida_replay(played: PlayedRecord, partida: Partida) -> ReplayData:
    texts = played.record.texts.get
    source = ReplaySource(partida, played.profile, _table_names(played.record), text_of=texts)
    return replay_of(source, ReplayRequest())


def _acts_in_words(played: PlayedRecord) -> list[list[str]]:
    """The acts of each partida in words."""
    replays = (_partida_replay(played, partida) for partida in played.partidas)
    return [[step.text for step in replay.steps] for replay in replays]


def _profile_in_words(record: TextRecord, lang: str) -> str:
    """The rules of a record in words: its profile, and the options that it changes."""
    changed = [_option_in_words(name, value, lang) for name, value in record.options.items()]
    return ". ".join([profile_name(record.base or record.profile, lang=lang), *changed])


def _option_in_words(name: str, value: OptionValue, lang: str) -> str:
    return say("examples.also", lang, option=name, value=_value_in_words(name, value, lang))


def _value_in_words(name: str, value: OptionValue, lang: str) -> str:
    return value_words(name, tuple(value) if isinstance(value, list) else value, lang)


def _outcome_under_value(one: RuleRecord, record: TextRecord, lang: str) -> ExampleSide:
    """What comes out of a record under one value of the option."""
    played = play_record(record)
    options = played.profile.options
    names = contrary_options(one.record) if record is one.contrary else {}
    return ExampleSide(
        _value_in_words(one.option, options[one.option], lang),
        _holders_of_value_text(one, record, options[one.option], lang),
        _winner_text(one, played, lang),
        _finding_texts(one, played, lang),
        [_option_in_words(name, options[name], lang) for name in names if name != one.option],
    )


def _holders_of_value_text(
    one: RuleRecord, record: TextRecord, value: OptionValue, lang: str
) -> str:
    """Which profiles have a value of the option, in a sentence."""
    held = profile_ids_with_value(one.option, value, record.players)
    match len(held):
        case 0:
            return say("examples.held_by_none", lang)
        case n if n == len(PROFILE_IDS):
            return say("examples.held_by_all", lang)
        case _:
            names = ", ".join(profile_name(each, lang=lang) for each in held)
            return say("examples.held_by", lang, names=names)


def _winner_text(one: RuleRecord, played: PlayedRecord, lang: str) -> str:
    """Who wins what the option decides; empty if it decides something else."""
    with use_table_names(_table_names(played.record)):
        if one.differs == "match":
            winner = played.standing.match_winner
            if winner is None:
                return say("examples.match_undecided", lang)
            return say("conclusion.encuentro_won", lang, winner=winner)
        won = played.partidas[-1].table.decided
        if won is None:
            return say("examples.undecided", lang) if one.differs == "winner" else ""
        said = say("conclusion.partida_won", lang, winner=won.winner)
        return f"{said}, {say(f'how.{won.how}', lang)}"


def _finding_texts(one: RuleRecord, played: PlayedRecord, lang: str) -> list[str]:
    """What the program notes, what that costs, and how the card is called where that differs."""
    with use_card_pack(played.record.pack), use_table_names(_table_names(played.record)):
        found = [
            say(f"rule.{noted.rule.value}", lang, **{**dict(noted.facts), "seat": noted.seat})
            for partida in played.partidas
            for noted in partida.table.findings
        ]
        match one.differs:
            case "finding" if not found:
                return [say("examples.nothing_noted", lang)]
            case "cost":
                cost = example_value_in_words(one, played.record, lang)
                return [*found, say("examples.cost", lang, text=cost)]
            case "card":
                last = played.record.partidas[-1].acts[-1]
                assert isinstance(last, CardPlayed)
                return [*found, say("examples.card", lang, card=last.card)]
            case _:
                return found
