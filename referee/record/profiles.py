"""The profile of a text record: frozen from its header, and written back into a header."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from referee import events as ev
from referee.aggregates.encuentro import freeze_profile
from referee.record.errors import RecordError, RecordFact
from referee.record.parsing import ReadRecord, TextPlace
from referee.record.record import TextRecord
from referee.rules.profile.options import option_values
from referee.rules.profile.profile import (
    PROFILE_IDS,
    BadProfile,
    Profile,
    ProfileProblem,
    UnknownProfile,
    profile_with_options_or_newest,
    profiles_of_every_edition,
)
from referee.rules.profile.values import plain_value

_TABLE: Final = ("players", "deck")


@dataclass(slots=True)
class CannotImport(Exception):  # noqa: N818 - an answer about a record
    """A record that no encuentro can hold: a stable code, where, and the detail."""

    code: str
    field: str
    detail: str


def frozen_profile_of_record(record: TextRecord) -> ev.FrozenProfile:
    """The profile of a record, frozen for its table.

    :raises CannotImport: it is unknown, or differs from the profile of the record
    """
    name = record.base or record.profile or "club"
    try:
        every = _possible_editions(name, record)
    except UnknownProfile:
        raise CannotImport("unknown_profile", "profile", name) from None
    found: list[ev.FrozenProfile] = []
    problems: list[ProfileProblem] = []
    for known in every:
        try:
            one = _freeze_with_record_changes(known, record)
        except BadProfile as bad:
            problems = problems or list(bad.problems)
            continue
        if record.hash in ("", one.hash):
            return one
        found.append(one)
    if found:
        raise CannotImport("other_edition", "hash", found[0].hash)
    names = sorted({name for problem in problems for name in problem.options})
    codes = sorted({problem.code for problem in problems})
    raise CannotImport("profile", ",".join(names), ",".join(codes))


def _possible_editions(name: str, record: TextRecord) -> tuple[Profile, ...]:
    """Editions of one of the six profiles that a record may mean, the likeliest first.

    The edition of a club's own profile is its own, and only the hash tells that of its base.
    """
    every = profiles_of_every_edition(name)
    named = tuple(one for one in every if one.edition == record.edition)
    return every if record.base or not named else named


def _freeze_with_record_changes(known: Profile, record: TextRecord) -> ev.FrozenProfile:
    try:
        return freeze_profile(
            _profile_with_record_changes(known, record, {}), record.players, record.deck
        )
    except BadProfile:
        if not record.base:
            raise
        only = {"players": [record.players], "deck": [record.deck]}
        return freeze_profile(
            _profile_with_record_changes(known, record, only), record.players, record.deck
        )


def _profile_with_record_changes(
    known: Profile, record: TextRecord, only: Mapping[str, list[int]]
) -> Profile:
    """The profile with the changes of a record, which are for its number of players."""
    if not record.base and not record.options and not only:
        return known
    changes = {name: {str(record.players): value} for name, value in record.options.items()}
    edition = record.edition or known.edition
    return known.changed(record.profile or known.id, edition, {**changes, **only})


def base_and_changes(frozen: ev.FrozenProfile) -> tuple[str, ev.OptionValues]:
    """Base of a changed profile (else empty), and each value that differs from the base."""
    base = next((one for one in (frozen.base, frozen.id) if one in PROFILE_IDS), "club")
    table, of_base = (
        ev.options_from(frozen.options),
        profile_with_options_or_newest(frozen.options, base),
    )
    try:
        known = of_base.options(table.players, table.deck)
    except BadProfile:
        known = of_base.options()
    values = {name: plain_value(value) for name, value in option_values(known).items()}
    changed = {
        name: value
        for name, value in frozen.options.items()
        if name not in _TABLE and values.get(name) != value
    }
    return "" if base == frozen.id else base, changed


def import_error_at_tag(cannot: CannotImport, read: ReadRecord) -> RecordError:
    """Fault of a record whose import failed, at the tag to blame; else at the first line."""
    names = [*cannot.field.lower().split(","), "base", "profile"]
    if cannot.field == "seats":
        names = cannot.detail.lower().split(",")
    found = (read.tags[name] for name in names if name in read.tags)
    return import_error_at_place(cannot, next(found, TextPlace(1, 1)))


def import_error_at_place(cannot: CannotImport, place: TextPlace) -> RecordError:
    """Fault of a record that cannot be imported, at a place of its text."""
    facts: dict[str, RecordFact] = {"field": cannot.field, "detail": cannot.detail}
    return RecordError("malformed", cannot.code, place.line, place.column, facts)
