"""Page of options and profiles.

``python docs/generate_profiles.py`` writes ``docs/law/profiles.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from referee.rules.profile.checks import CONTRADICTIONS
from referee.rules.profile.profile import Profile, profiles
from referee.rules.profile.values import SPECS, OptionEntry, Spec, print_value

PAGE = Path(__file__).parent / "law" / "profiles.md"
NOTHING = "-"
MARKS = {"stated": "", "inferred": " (i)", "silent": " (s)"}
INTRODUCTION = """\
# Options and profiles

<!-- Written by docs/generate_profiles.py from the profiles themselves. Do not edit. -->

A table plays by a *profile*: a value for each of the options below. Each rulebook is one profile,
`club` is their common ground, and a club's own profile is one of these with changed options. An
encuentro freezes its profile, id, edition, every value and a hash over them, before the first deal.

Every value has a *basis*: the rulebook **states** it; it is **inferred** (i), which means that it
follows from what the rulebook says; or the rulebook is **silent** (s), and the referee says so in
each ruling that rests on it. What a club changes, the club states.

What an option decides is seen in [the records](records.md): one for each, to which the table below
leads, and the same under the contrary value.
"""


def page() -> str:
    """The whole page."""
    return "\n".join(
        [
            INTRODUCTION,
            *_section("Profiles", _profile_rows()),
            *_section("Options", _option_rows()),
            *_section("Values", _value_rows()),
            "A value in brackets after *or* is another one that the rulebook states. Numbers of",
            "players stand before a value that depends on them.",
            "",
            *_section("Articles", _article_rows()),
            "Headings of the rulebooks in their own language; an option without one rests on the",
            "silence of the rulebook. `club` has no rulebook but this project's own.",
            "",
            *_section("Contradictions", _contradiction_rows()),
            "A profile with one of these is refused, the options named, for every number of",
            "players and every deck that it allows.",
            "",
        ]
    )


def _section(title: str, rows: Iterable[Sequence[str]]) -> list[str]:
    head, *body = rows
    lines = ["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *body)]
    return [f"## {title}", "", *lines, ""]


def _profile_rows() -> Iterable[Sequence[str]]:
    yield "profile", "edition", "rulebook", "language", "players", "decks"
    for one in profiles():
        players, decks = (", ".join(map(str, several)) for several in (one.players, one.decks))
        yield (
            f"`{one.id}`",
            one.edition,
            one.title or NOTHING,
            one.language or NOTHING,
            players,
            decks,
        )


def _option_rows() -> Iterable[Sequence[str]]:
    yield "option", "meaning", "values", "default"
    for spec in SPECS.values():
        default = print_value(spec.name, spec.default)
        record = f"[`{spec.name}`](records/{spec.name}.guinote)"
        yield record, spec.about, _allowed(spec), f"`{default}`"


def _allowed(spec: Spec) -> str:
    match spec.kind:
        case "flag":
            return "`true`, `false`"
        case "number":
            return f"{spec.low}" if spec.low == spec.high else f"{spec.low} to {spec.high}"
        case "set":
            return "any of " + ", ".join(f"`{choice}`" for choice in spec.choices)
    return ", ".join(f"`{print_value(spec.name, choice)}`" for choice in spec.choices)


def _value_rows() -> Iterable[Sequence[str]]:
    yield "option", *(f"`{one.id}`" for one in profiles())
    for name in SPECS:
        yield f"`{name}`", *(_value(one, name) for one in profiles())


def _value(profile: Profile, name: str) -> str:
    if name in {"players", "deck"}:
        several = profile.players if name == "players" else profile.decks
        return ", ".join(map(str, several)) + MARKS[profile.basis(name)]
    entries = [profile.entries[name][players] for players in profile.players]
    if len({entry.value for entry in entries}) == 1:
        return _entry(name, entries[0]) + _alternatives(profile, name)
    by_players = zip(profile.players, entries, strict=True)
    return ", ".join(f"{players}: {_entry(name, entry)}" for players, entry in by_players)


def _entry(name: str, entry: OptionEntry) -> str:
    return print_value(name, entry.value) + MARKS[entry.article.basis]


def _alternatives(profile: Profile, name: str) -> str:
    others = profile.alternatives.get(name, ())
    return " or [" + ", ".join(print_value(name, value) for value in others) + "]" if others else ""


def _article_rows() -> Iterable[Sequence[str]]:
    shown = [one for one in profiles() if one.title]
    yield "option", *(f"`{one.id}`" for one in shown)
    for name in SPECS:
        yield f"`{name}`", *(_headings(one, name) for one in shown)


def _headings(profile: Profile, name: str) -> str:
    headings = dict.fromkeys(profile.article(name, players).section for players in profile.players)
    return "; ".join(heading for heading in headings if heading) or NOTHING


def _contradiction_rows() -> Iterable[Sequence[str]]:
    yield "code", "options", "why"
    for row in CONTRADICTIONS:
        yield f"`{row.code}`", ", ".join(f"`{name}`" for name in row.options), row.about


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
