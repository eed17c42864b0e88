"""The club's own rules for reading: by name, as profiles, and every profile in words."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from flask import g, has_request_context

from api.http.languages import basis_or_own, language, say
from api.http.moments import club_time
from api.http.names import words_of_folded_name
from api.http.services import current_services
from projections.club_rules import RulesRow, rows_of_club_rules
from projections.seasons.projection import session_rows
from projections.views import view_as
from referee.aggregates.club_rules import ClubRules, profile_of_edition
from referee.events import RuleChanges, RulesId, RulesStated
from referee.rules.profile.options import NEWEST
from referee.rules.profile.profile import (
    PROFILE_IDS,
    Profile,
    UnknownProfile,
    profile_by_id_at_edition,
)

TABLE_SUFFIX = "-mesa"
"""End of the id of a profile that a table changed for itself."""


class KnownEdition(NamedTuple):
    """An edition of a set of rules: its number, the day it was stated, what was stated."""

    edition: int
    day: str
    stated: RulesStated


class KnownRules(NamedTuple):
    """A set of rules with its name; ``editions``: the newest first."""

    rules: RulesId
    name: str
    is_retired: bool
    editions: tuple[KnownEdition, ...]

    @property
    def newest(self) -> KnownEdition:
        """The edition in force."""
        return self.editions[0]

    @property
    def is_behind(self) -> bool:
        """Whether the base profile has a newer edition, which the club has not taken."""
        return self.newest.stated.base_edition != NEWEST

    def profile(self, edition: int | None = None) -> Profile:
        """The rules as a profile, in a given edition or in the newest.

        :raises UnknownProfile: there is no such edition
        """
        for one in self.editions:
            if edition in (None, one.edition):
                return profile_of_edition(one.stated, one.edition)
        raise UnknownProfile(self.rules)


class RulesEditionData(msgspec.Struct, frozen=True):
    """An edition of a set of rules, and the day on which it was stated."""

    edition: int
    day: str
    base: str
    base_edition: str
    changes: RuleChanges


class ClubRulesData(RulesEditionData, frozen=True):
    """A set of rules as it is in force. ``behind``: its base has a newer edition."""

    id: RulesId
    name: str
    players: list[int]
    decks: list[int]
    retired: bool
    behind: bool


class Offered(NamedTuple):
    """A profile that a table may choose. ``is_own``: rules of the club."""

    id: str
    name: str
    is_own: bool


# --- sets of rules -------------------------------------------------------------------------------


def club_rules_by_id() -> dict[RulesId, KnownRules]:
    """Every set of rules of the club by id, retired ones too, in the order they were made.

    Read once in each request; none outside of one, as for a file that a command writes.
    """
    if not has_request_context():
        return {}
    if "club_rules" not in g:
        with current_services().reads.reading() as cursor:
            rows = rows_of_club_rules(cursor)
        said = current_services().persons.texts_by_id([one.name for one in rows]) if rows else {}
        by_set: dict[RulesId, list[RulesRow]] = {}
        for one in rows:
            by_set.setdefault(one.rules, []).append(one)
        g.club_rules = {
            rules: _rules_of_edition_rows(mine, said.get(mine[0].name) or "")
            for rules, mine in by_set.items()
        }
    found: dict[RulesId, KnownRules] = g.club_rules
    return found


def _rules_of_edition_rows(rows: list[RulesRow], name: str) -> KnownRules:
    editions = tuple(
        KnownEdition(
            one.edition,
            club_time(one.at).date().isoformat(),
            RulesStated(
                one.rules,
                one.name,
                one.base,
                one.base_edition,
                msgspec.json.decode(one.changes, type=RuleChanges),
            ),
        )
        for one in reversed(rows)
    )
    return KnownRules(
        rows[0].rules, name or say("rulebook.nameless", language()), bool(rows[0].retired), editions
    )


def rules_in_use() -> list[KnownRules]:
    """Sets of rules that are not retired, by name."""
    found = [one for one in club_rules_by_id().values() if not one.is_retired]
    return sorted(found, key=lambda one: words_of_folded_name(one.name))


def rules_view(one: KnownRules) -> ClubRulesData:
    """Data of a set of rules of the club, for an answer over HTTP."""
    chosen = one.profile()
    return view_as(
        ClubRulesData,
        edition_view(one.newest),
        id=one.rules,
        name=one.name,
        players=list(chosen.players),
        decks=list(chosen.decks),
        retired=one.is_retired,
        behind=one.is_behind,
    )


def edition_view(one: KnownEdition) -> RulesEditionData:
    """Data of an edition of a set of rules, for an answer over HTTP."""
    return RulesEditionData(
        edition=one.edition,
        day=one.day,
        base=one.stated.base,
        base_edition=one.stated.base_edition,
        changes=one.stated.changes,
    )


def rules_in_log(rules: str) -> ClubRules | None:
    """A set of rules as the log has it now, for a write; None: the club has none of this id."""
    return current_services().referee.rules.rules().sets.get(rules)


# --- every profile -------------------------------------------------------------------------------


def require_profile(name: str) -> Profile:
    """A profile by its id, one of the six or the club's own; an edition after ``@``.

    :raises UnknownProfile: there is none
    """
    profile_id, _, edition = name.partition("@")
    own = club_rules_by_id().get(profile_id)
    if own is None:
        return profile_by_id_at_edition(name)
    if edition and not (edition.isascii() and edition.isdecimal() and len(edition) < len("10000")):
        raise UnknownProfile(name)
    return own.profile(int(edition) if edition else None)


def profile_name(profile_id: str, base: str = "", lang: str = "") -> str:
    """What players call a profile: the name the club gave it, or that of its rulebook.

    ``base``: the profile that it changes, for one that is neither. ``lang``: by default that of the
    reader.
    """
    lang, own = lang or language(), club_rules_by_id().get(profile_id)
    if own is not None:
        return own.name
    if profile_id in PROFILE_IDS:
        return say(f"rulebook.{profile_id}", lang)
    base = base or profile_id.removesuffix(TABLE_SUFFIX)
    if base in PROFILE_IDS or base in club_rules_by_id():
        return say("rulebook.changed", lang, name=profile_name(base, lang=lang))
    return say("rulebook.other", lang)


def article_citation(profile_id: str, section: str, basis: str, lang: str = "") -> str:
    """An article in words: the rules, the section, and what the value rests on."""
    lang = lang or language()
    said = say(f"basis.{basis_or_own(section, basis)}", lang)
    key = "authority.section" if section else "authority.whole"
    return say(key, lang, rules=profile_name(profile_id, lang=lang), section=section, basis=said)


def profile_choices() -> list[Offered]:
    """Profiles that a table may choose: the club's own by name, then the six."""
    own = [Offered(one.rules, one.name, is_own=True) for one in rules_in_use()]
    return own + [Offered(one, profile_name(one), is_own=False) for one in PROFILE_IDS]


def usual_profile_id() -> str:
    """Id of the profile that a form preselects.

    That of the latest evening, else the club's own, else one of the six.
    """
    with current_services().reads.reading() as cursor:
        latest = session_rows(cursor, 1)
    own = rules_in_use()
    fitting = [one.profile.id for one in latest] + [one.rules for one in own[:1]]
    known = {*PROFILE_IDS, *(one.rules for one in own)}
    return next((one for one in fitting if one in known), PROFILE_IDS[0])
