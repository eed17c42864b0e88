"""Answers of the form to changes of a profile, and what is wrong with them in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from api.http.languages import say
from api.profiles.own.length import LENGTH_OPTIONS, OTHER_COTOS, OTHER_FIXED, length_of
from api.profiles.own.questions import (
    LENGTH,
    OTHER,
    PLAIN,
    TypedValues,
    field_names_of,
    options_without_plain_question,
)
from referee.events import RuleChanges, RuleValue
from referee.rules.profile.checks import SETS, ProfileProblem
from referee.rules.profile.profile import Profile
from referee.rules.profile.values import SPECS, Value, parse_value, plain_value, read_json_value


class Answers(NamedTuple):
    """Changes that a form asks for, and faults by option."""

    changes: RuleChanges
    faults: dict[str, list[str]]


def read_answers(base: Profile, typed: TypedValues, lang: str) -> Answers:
    """What a form changes in a profile, and what is wrong with it.

    A field that is missing changes nothing.
    """
    found = Answers({}, {})
    try:
        found.changes.update(_length_changes(base, typed))
    except ValueError:
        found.faults[LENGTH] = [say("own.wrong_length", lang)]
    plain_ones = [one for group in PLAIN.values() for one in group if one in base.entries]
    for name in (*plain_ones, *options_without_plain_question(base)):
        try:
            change = (
                _players_or_decks_change(base, name, typed)
                if name in SETS
                else _option_change(base, name, typed)
            )
        except ValueError:
            found.faults[name] = [_wrong_value_words(name, lang)]
            continue
        if change is not None:
            found.changes[name] = change
    return found


def _wrong_value_words(name: str, lang: str) -> str:
    spec = SPECS[name]
    if spec.kind == "number":
        return say("own.wrong_number", lang, low=spec.low, high=spec.high)
    return say("own.wrong_choice", lang)


def _length_changes(base: Profile, typed: TypedValues) -> RuleChanges:
    usual, sent = length_of(base), _first_value(typed(LENGTH))
    if sent is None:
        return {}
    if sent == OTHER_COTOS:
        cotos, partidas = (
            _require_number_in_form(typed, f"{LENGTH}-{one}") for one in ("cotos", "partidas")
        )
        sent = f"{cotos}x{partidas}x1"
    elif sent == OTHER_FIXED:
        sent = str(_require_number_in_form(typed, f"{LENGTH}-fixed"))
    made = usual.with_form_answer(sent)
    for name, value in zip(LENGTH_OPTIONS, made, strict=True):
        read_json_value(name, value)
    return made.changes_from(usual)


def _players_or_decks_change(
    base: Profile, name: str, typed: TypedValues
) -> list[str | int] | None:
    """Allowed players or decks, those of the base first; None: as the base has them."""
    sent = typed(name)
    held = {"players": base.players, "deck": base.decks}[name]
    if sent is None:
        return None
    asked = {int(str(parse_value(name, one))) for one in sent}
    if not asked:
        raise ValueError(name)
    order = [*held, *(int(one) for one in SPECS[name].choices if one not in held)]
    chosen: list[str | int] = [one for one in order if one in asked]
    return None if chosen == [*held] else chosen


def _option_change(
    base: Profile, name: str, typed: TypedValues
) -> RuleValue | dict[str, RuleValue] | None:
    """The value of an option if the base has another, by players if it depends on them."""
    changed: dict[str, RuleValue] = {}
    for players, field in field_names_of(base, name):
        value = _value_in_form(name, field, typed)
        if value is not None and value != base.option_entry(name, players or None).value:
            changed[str(players)] = _plain_value(value)
    if not changed:
        return None
    return changed.get("0", changed)


def _value_in_form(name: str, field: str, typed: TypedValues) -> Value | None:
    sent = typed(field)
    if sent is None:
        return None
    if SPECS[name].kind == "set":
        return read_json_value(name, list(sent))
    text = _first_value(sent) or ""
    if text == OTHER:
        text = _first_value(typed(f"{field}-{OTHER}")) or ""
    return parse_value(name, text)


def _plain_value(value: Value) -> RuleValue:
    found = plain_value(value)
    return [*found] if isinstance(found, list) else found


def _first_value(sent: Sequence[str] | None) -> str | None:
    return sent[0].strip() if sent else None


def _require_number_in_form(typed: TypedValues, field: str) -> int:
    text = _first_value(typed(field)) or ""
    if not (text.isascii() and text.isdecimal() and len(text) < len("1000")):
        raise ValueError(field)
    return int(text)


def problems_by_option(problems: Iterable[ProfileProblem], lang: str) -> dict[str, list[str]]:
    """Contradictions of a profile in words, under each option that they concern."""
    found: dict[str, list[str]] = {}
    for one in problems:
        tables = one.facts.get("tables", ())
        words = say(f"clash.{one.code}", lang)
        if isinstance(tables, tuple) and tables:
            players = sorted({number for number, _ in tables}, reverse=True)
            words = say("clash.at", lang, what=words, players=", ".join(map(str, players)))
        for option in one.options or ("",):
            asked = LENGTH if option in LENGTH_OPTIONS else option
            found.setdefault(asked, []).append(words)
    return found


def reader_of_typed_values(form: Mapping[str, Sequence[str]]) -> TypedValues:
    """A function that gives the typed values of a field.

    Boxes of which none is ticked count as sent if the form had them.
    """

    def values_of_field(field: str) -> Sequence[str] | None:
        return form.get(field, () if f"{field}-asked" in form else None)

    return values_of_field
