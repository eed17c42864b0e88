"""The questions by which a club makes its rules: plain ones first, then every other option."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from api.http.languages import option_words, say, value_words
from api.profiles.own.length import (
    LENGTH_OPTIONS,
    OTHER_COTOS,
    OTHER_FIXED,
    length_of,
    lengths_to_offer,
)
from api.profiles.words import GROUP_OF
from referee.rules.profile.checks import SETS
from referee.rules.profile.options import OPTION_NAMES
from referee.rules.profile.profile import Profile
from referee.rules.profile.values import SPECS, Spec, Value, print_value

FieldType: TypeAlias = Literal["choice", "several", "number"]
TypedValues: TypeAlias = Callable[[str], Sequence[str] | None]
"""Typed values of a field of a form; None if the form did not have it."""

LENGTH: Final = "length"
OTHER: Final = "other"
"""Value of a choice beside which a number is typed."""
PLAIN: Final[Mapping[str, tuple[str, ...]]] = {
    "match": (LENGTH,),
    "score": ("min_malas", "min_malas_applies"),
    "vueltas": ("claim_by", "vueltas_end"),
    "cantes": (
        *("cante_needs_trick", "cantes_per_player", "cante_20_shown", "cante_40_shown", "tute"),
    ),
    "swap": ("swap", "swap_by", "two_for_seven"),
    "breaches": ("renuncio_penalty", "renuncio_until", "renuncio_costs"),
    "table": ("deck", "pack"),
}
"""Options that are asked in plain questions, by group, the most used first."""
_ASKED: Final = frozenset(one for group in PLAIN.values() for one in group)
_PRESETS: Final[Mapping[str, tuple[int, ...]]] = {"min_malas": (0, 30)}
_MOST_CHOICES: Final = 5
"""A number with at most so many values is chosen from all of them."""


class OfferedAnswer(NamedTuple):
    """An answer. ``is_base``: the one that the base profile has."""

    value: str
    text: str
    is_base: bool = False


class FormField(NamedTuple):
    """A field of the form. ``players``: for how many it is; 0 for any number of them.

    ``chosen``: what is preselected. ``low`` and ``high``: of a number, also of one typed beside the
    choice ``other``.
    """

    id: str
    kind: FieldType
    choices: tuple[OfferedAnswer, ...]
    chosen: tuple[str, ...]
    players: int = 0
    low: int = 0
    high: int = 0
    number: str = ""


class RuleQuestion(NamedTuple):
    """A question about an option, with a field, or one for each number of players."""

    option: str
    text: str
    fields: tuple[FormField, ...]


def plain_questions(
    base: Profile, shown: Profile, typed: TypedValues, lang: str
) -> dict[str, list[RuleQuestion]]:
    """The plain questions by group. ``shown``: the profile whose values are preselected."""
    return {
        group: [
            _length_question(base, shown, typed, lang)
            if name == LENGTH
            else RuleQuestion(
                name,
                say(f"ask.{name}", lang),
                tuple(fields_of_option(base, shown, name, typed, lang)),
            )
            for name in names
            if name == LENGTH or name in base.entries
        ]
        for group, names in PLAIN.items()
    }


def other_questions(
    base: Profile, shown: Profile, typed: TypedValues, lang: str
) -> dict[str, list[RuleQuestion]]:
    """Every other option by group, in the order of the rulebooks."""
    found: dict[str, list[RuleQuestion]] = {}
    for name in options_without_plain_question(base):
        asked = RuleQuestion(
            name, option_words(name, lang), tuple(fields_of_option(base, shown, name, typed, lang))
        )
        found.setdefault(GROUP_OF[name], []).append(asked)
    return found


def options_without_plain_question(base: Profile) -> list[str]:
    """Options of a profile that no plain question is about, and that have more than one value."""
    return [
        name
        for name in OPTION_NAMES
        if name in base.entries
        and name not in _ASKED
        and name not in LENGTH_OPTIONS
        and len(_values_if_few(SPECS[name])) != 1
    ]


# --- fields --------------------------------------------------------------------------------------


def fields_of_option(
    base: Profile, shown: Profile, name: str, typed: TypedValues, lang: str
) -> Iterable[FormField]:
    """Fields of an option: one, or one for each number of players if the base depends on that."""
    if name in SETS:
        held = {"players": base.players, "deck": base.decks}[name]
        now = {"players": shown.players, "deck": shown.decks}[name]
        choices = tuple(
            OfferedAnswer(str(one), say(f"ask.{name}_n", lang, n=one), one in held)
            for one in SPECS[name].choices
        )
        chosen = typed(name)
        yield FormField(
            name, "several", choices, tuple(map(str, now)) if chosen is None else tuple(chosen)
        )
        return
    for players, field_id in field_names_of(base, name):
        seated = players or shown.players[0]
        usual = base.option_entry(name, players or base.players[0]).value
        yield _form_field(
            SPECS[name],
            FormField(field_id, "choice", (), (), players),
            usual,
            shown.option_entry(name, seated).value,
            typed,
            lang,
        )


def field_names_of(base: Profile, name: str) -> list[tuple[int, str]]:
    """Numbers of players and names of the fields of an option; 0 stands for every number."""
    if isinstance(base.values[name], Mapping):
        return [(players, f"{name}-{players}") for players in base.players]
    return [(0, name)]


def _form_field(
    spec: Spec, part: FormField, usual: Value, now: Value, typed: TypedValues, lang: str
) -> FormField:
    name, sent = spec.name, typed(part.id)
    if spec.kind == "set":
        assert isinstance(usual, tuple)
        assert isinstance(now, tuple)
        every = tuple(
            OfferedAnswer(str(one), say(f"value.{name}.{one}", lang), one in usual)
            for one in spec.choices
        )
        return part._replace(
            kind="several", choices=every, chosen=now if sent is None else tuple(sent)
        )
    offered = _values_if_few(spec) or [*dict.fromkeys([*_PRESETS.get(name, ()), usual, now])]
    choices = tuple(
        OfferedAnswer(print_value(name, one), _value_words(name, one, lang), one == usual)
        for one in offered
    )
    chosen = (print_value(name, now),) if sent is None else tuple(sent)
    if _values_if_few(spec):
        return part._replace(choices=choices, chosen=chosen)
    bounds = part._replace(chosen=chosen, low=spec.low, high=spec.high)
    if name not in _PRESETS:
        return bounds._replace(kind="number")
    number = (typed(f"{part.id}-{OTHER}") or ("",))[0]
    more = OfferedAnswer(OTHER, say("own.other_number", lang))
    return bounds._replace(choices=(*choices, more), number=number)


def _values_if_few(spec: Spec) -> list[Value]:
    """Every value of an option; an empty list if it is a number with many."""
    if spec.kind == "flag":
        return [True, False]
    if spec.kind == "number":
        several = range(spec.low, spec.high + 1)
        return list(several) if len(several) <= _MOST_CHOICES else []
    return list(spec.choices)


def _value_words(name: str, value: Value, lang: str) -> str:
    if name == "min_malas":
        return say("ask.malas_n" if value else "ask.malas_none", lang, n=value)
    return value_words(name, value, lang)


def _length_question(base: Profile, shown: Profile, typed: TypedValues, lang: str) -> RuleQuestion:
    usual, now = length_of(base), length_of(shown)
    sent = typed(LENGTH)
    choices = [
        OfferedAnswer(one.form_answer, one.words(lang), one == usual)
        for one in lengths_to_offer(usual, now)
    ]
    choices += [
        OfferedAnswer(one, say(f"own.length_{one}", lang)) for one in (OTHER_COTOS, OTHER_FIXED)
    ]
    chosen = (now.form_answer,) if sent is None else tuple(sent)
    field = FormField(LENGTH, "choice", tuple(choices), chosen)
    return RuleQuestion(LENGTH, say("ask.length", lang), (field,))
