"""Profiles: the rules that a table plays by, each value with its article and its basis.

Six profiles come as data files, one for each rulebook and ``club``, their common ground. A club's
own profile is one of them with changed options. What a table plays by are the ``Options`` that a
profile gives for its players and its deck.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product
from types import MappingProxyType
from typing import Any, TypeAlias

from referee.rules.profile.checks import (
    SETS,
    BadProfile,
    Changes,
    ProfileProblem,
    contradictions_at_tables,
    read_changes_and_problems,
)
from referee.rules.profile.options import (
    EDITIONS,
    NEWEST,
    OPTION_NAMES,
    Options,
    option_names_of_edition,
    option_values,
    options_from_values,
)
from referee.rules.profile.values import (
    SPECS,
    TABLES,
    Article,
    Basis,
    OptionEntries,
    OptionEntry,
    Value,
    parse_value,
    plain_value,
    read_alternatives,
    read_entries,
)

__all__ = [
    "PROFILE_IDS",
    "Article",
    "BadProfile",
    "Basis",
    "Frozen",
    "OptionEntry",
    "Profile",
    "ProfileProblem",
    "UnknownProfile",
    "basis_by_option_member",
    "freeze",
    "hash_of_values",
    "is_intact",
    "options_of_frozen_profile",
    "parse_value",
    "profile",
    "profile_by_id_at_edition",
    "profile_with_options_or_newest",
    "profiles",
    "profiles_of_every_edition",
]

Frozen: TypeAlias = dict[str, Any]

PROFILE_IDS = ("club", "guinyot", "escuela", "ludoteka", "baraja-francesa", "sin-mazo")
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_EDITION = re.compile(r"[0-9A-Za-z]+([.-][0-9A-Za-z]+)*")
_NAME_LENGTH = 64


class UnknownProfile(LookupError):  # noqa: N818 - an answer to a question, not a failure
    """An id that none of the six profiles has."""


@dataclass(frozen=True, slots=True, repr=False)
class Profile:
    """Rules of play: players and decks allowed, and each option's value by number of players.

    ``players`` and ``decks``: what is allowed, the default first. ``alternatives``: other values
    that the rulebook states. ``base``: id of the profile that this one changes.
    """

    id: str
    edition: str
    title: str
    language: str
    base: str | None
    players: tuple[int, ...]
    decks: tuple[int, ...]
    entries: OptionEntries = field(hash=False)
    alternatives: Mapping[str, tuple[Value, ...]] = field(hash=False)

    @property
    def values(self) -> Mapping[str, Value | Mapping[int, Value]]:
        """Value of each option; a mapping by number of players where it depends on that.

        Without ``players`` and ``deck``, of which a profile allows several.
        """
        return {
            name: self._value_or_values_by_players(name)
            for name in self.entries
            if name not in SETS
        }

    def _value_or_values_by_players(self, name: str) -> Value | Mapping[int, Value]:
        by_players = {players: self.entries[name][players].value for players in self.players}
        different = set(by_players.values())
        return by_players if len(different) > 1 else different.pop()

    def option_entry(self, name: str, players: int | None = None) -> OptionEntry:
        """Value of an option and its article; the default of one that its edition lacks.

        ``KeyError``: no such option or players.
        """
        if name not in self.entries and name in SPECS:
            return OptionEntry(SPECS[name].default, Article(self.id, "", "silent"))
        return self.entries[name][self.players[0] if players is None else players]

    def article(self, name: str, players: int | None = None) -> Article:
        """Article behind the value of an option. ``KeyError``: no such option or players."""
        return self.option_entry(name, players).article

    def basis(self, name: str, players: int | None = None) -> Basis:
        """Whether the rulebook states the value, it follows, or the rulebook is silent."""
        return self.article(name, players).basis

    def options(self, players: int | None = None, deck: int | None = None) -> Options:
        """Options of a table. ``BadProfile`` if it allows not so many players or cards.

        >>> profile("escuela").options(4, 48).stock_size
        24
        """
        seated = self.players[0] if players is None else players
        cards = self.decks[0] if deck is None else deck
        asked = (("players", seated, self.players), ("deck", cards, self.decks))
        problems = [
            ProfileProblem(f"{name}-not-allowed", (name,), {"given": given, "allowed": allowed})
            for name, given, allowed in asked
            if given not in allowed
        ]
        if problems:
            raise BadProfile(*problems)
        values: dict[str, Any] = {name: by[seated].value for name, by in self.entries.items()}
        return options_from_values({**values, "players": seated, "deck": cards})

    def options_of_every_table(self) -> list[Options]:
        """Options of every table that the profile allows."""
        return [self.options(*table) for table in product(self.players, self.decks)]

    def changed(
        self, new_id: str, edition: str, changes: Mapping[str, object], title: str = ""
    ) -> Profile:
        """A club's own profile: this one with changed options, which the club thereby states.

        Changes are JSON values: text, number, truth value, list, or a table by number of players
        (``{"4": 10, "3": 13}``); ``players`` and ``deck`` may be lists, the default first.
        ``BadProfile`` with all faults at once.
        """
        read = read_changes_and_problems(changes)
        made = replace(
            self,
            id=new_id,
            edition=edition,
            title=title,
            base=self.id,
            players=read.players or self.players,
            decks=read.decks or self.decks,
            entries=_entries_with_changes(self, new_id, read),
            alternatives={n: v for n, v in self.alternatives.items() if n not in read.names},
        )
        faulty = {name for problem in read.problems for name in problem.options}
        unknown = [n for n in read.values if n not in self.entries]
        problems = _problems_of_id_and_edition(new_id, edition) + read.problems
        problems += [ProfileProblem("unknown-option", (name,)) for name in unknown]
        problems += [
            p
            for p in contradictions_at_tables(made.options_of_every_table())
            if faulty.isdisjoint(p.options)
        ]
        if problems:
            raise BadProfile(*problems)
        return made

    @property
    def id_at_edition(self) -> str:
        """Id of the profile, with the edition if that is not the newest: ``club@2026-1``."""
        return self.id if self.edition == NEWEST else f"{self.id}@{self.edition}"

    def __repr__(self) -> str:
        """Expression of one of the six; of a club's own profile its names, without the options."""
        if self.base is not None:
            return f"<Profile {self.id} {self.edition}, changed from {self.base}>"
        edition = () if self.edition == NEWEST else (self.edition,)
        return f"profile({', '.join(map(repr, (self.id, *edition)))})"


def _entries_with_changes(base: Profile, new_id: str, changes: Changes) -> OptionEntries:
    stated = Article(new_id, "", "stated")
    values = dict(changes.values)
    if changes.players:
        values["players"] = {players: players for players in TABLES}
    if changes.decks:
        values["deck"] = dict.fromkeys(TABLES, changes.decks[0])
    changed = {
        name: {**base.entries[name], **{key: OptionEntry(one, stated) for key, one in by.items()}}
        for name, by in values.items()
        if name in base.entries
    }
    return MappingProxyType({**base.entries, **changed})


def _problems_of_id_and_edition(new_id: str, edition: str) -> list[ProfileProblem]:
    fits = {
        "id-malformed": _ID.fullmatch(new_id) and len(new_id) <= _NAME_LENGTH,
        "edition-malformed": _EDITION.fullmatch(edition) and len(edition) <= _NAME_LENGTH,
    }
    return [ProfileProblem(code, ()) for code, fit in fits.items() if not fit]


@cache
def profile(profile_id: str, edition: str = NEWEST) -> Profile:
    """One of the six profiles, of an edition. ``UnknownProfile`` for any other id or edition.

    >>> profile("guinyot").values["min_malas"], profile("guinyot").article("min_malas").section
    (30, "Les deu d'últimes")
    """
    if profile_id not in PROFILE_IDS:
        raise UnknownProfile(profile_id)
    if edition not in EDITIONS:
        raise UnknownProfile(f"{profile_id} {edition}")
    data = _read_data_file(f"{profile_id}.toml")
    for earlier in reversed(EDITIONS[EDITIONS.index(edition) : -1]):
        _revert_to_edition(data, _read_data_file(f"editions/{earlier}.toml"), earlier)
    return _from_toml(data)


def _read_data_file(name: str) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415 - with files, a fifth of the time to import the law
    from importlib.resources import files  # noqa: PLC0415 - as above

    source = files(__package__) / "data" / name
    return tomllib.loads(source.read_bytes().decode())


def _revert_to_edition(data: dict[str, Any], was: Mapping[str, Any], edition: str) -> None:
    """Change the content of a profile's file, in place, to that of an earlier edition."""
    rows = {name: data["option"][name] for name in option_names_of_edition(edition)}
    for name, cells in was.get(data["id"], {}).items():
        rows[name] = {**rows[name], **cells}
    data.update(edition=edition, option=rows)


def profile_by_id_at_edition(name: str) -> Profile:
    """One of the six profiles by its id, or by id and edition. ``UnknownProfile``: neither.

    >>> profile_by_id_at_edition("club@2026-1").edition
    '2026-1'
    >>> profile_by_id_at_edition("club").id_at_edition
    'club'
    """
    profile_id, _, edition = name.partition("@")
    return profile(profile_id, edition or NEWEST)


def profiles() -> tuple[Profile, ...]:
    """The six profiles, ``club`` first."""
    return tuple(profile(profile_id) for profile_id in PROFILE_IDS)


def profiles_of_every_edition(profile_id: str) -> tuple[Profile, ...]:
    """Every edition of one of the six profiles, the newest first."""
    return tuple(profile(profile_id, edition) for edition in reversed(EDITIONS))


def profile_with_options_or_newest(table: Mapping[str, Any], profile_id: str) -> Profile:
    """One of the six profiles, of the edition with just these option names, else the newest."""
    fitting = (
        one for one in profiles_of_every_edition(profile_id) if set(one.entries) == set(table)
    )
    return next(fitting, profile(profile_id))


def freeze(chosen: Profile, players: int, deck: int | None = None) -> Frozen:
    """Profile frozen for one table: plain JSON, with every value, its article, and the hash.

    ``sources`` names for each option the profile in whose rulebook the article stands: a club's
    own profile for what it changed, else the profile it is based on.
    """
    options = chosen.options(players, deck)
    values = {
        n: plain_value(value) for n, value in option_values(options).items() if n in chosen.entries
    }
    articles = {name: chosen.article(name, players) for name in values}
    return {
        "id": chosen.id,
        "edition": chosen.edition,
        "base": chosen.base,
        "hash": hash_of_values(chosen.id, chosen.edition, values),
        "players": options.players,
        "deck": options.deck,
        "options": values,
        "basis": {name: article.basis for name, article in articles.items()},
        "sections": {name: article.section for name, article in articles.items()},
        "sources": {name: article.profile for name, article in articles.items()},
    }


def basis_by_option_member(article: Article, option: str) -> Mapping[str, Basis]:
    """Basis of each member of an option that is a set, for an article of a frozen profile.

    Empty if all cases rest on the same. Read in the rulebook of the article: a frozen profile does
    not have it, since those of a published edition never change.

    >>> article = Article("escuela", "EL RENUNCIO", "inferred")
    >>> basis_by_option_member(article, "renuncio_cases")["trump"]
    'inferred'
    """
    if article.profile not in PROFILE_IDS or option not in profile(article.profile).entries:
        return {}
    found = profile(article.profile).article(option)
    return found.cases if found.basis == article.basis else {}


def hash_of_values(profile_id: str, edition: str, values: Mapping[str, object]) -> str:
    """SHA-256 in hex over id, edition and all values, written as canonical JSON."""
    content = {"id": profile_id, "edition": edition, "options": dict(values)}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def is_intact(table: Mapping[str, Any]) -> bool:
    """Whether the values of a frozen profile are those that its hash was made of."""
    found = hash_of_values(table["id"], table["edition"], table["options"])
    return bool(found == table["hash"])


def options_of_frozen_profile(table: Mapping[str, Any]) -> Options:
    """Options of a frozen profile. One that is older than an option gets its default."""
    return options_from_values(table["options"])


def _from_toml(data: Mapping[str, Any]) -> Profile:
    rulebook = data.get("rulebook", {"title": "", "language": ""})
    return Profile(
        id=data["id"],
        edition=data["edition"],
        title=rulebook["title"],
        language=rulebook["language"],
        base=None,
        players=tuple(data["players"]),
        decks=tuple(data["decks"]),
        entries=read_entries(data),
        alternatives=read_alternatives(data),
    )


def different_options(one: Profile, other: Profile, players: int) -> tuple[str, ...]:
    """Options in which two profiles differ for a number of players, in the order of ``Options``.

    The ``deck`` is among them when they allow other decks. ``BadProfile``: one of them is not for
    so many.

    >>> from referee.rules.profile.profile import profile
    >>> different_options(profile("club"), profile("ludoteka"), 4)[:3]
    ('deal_packets', 'swap_only_for_value', 'cante_20_shown')
    """
    first, second = one.options(players), other.options(players)
    found = {n for n in OPTION_NAMES if n not in SETS and getattr(first, n) != getattr(second, n)}
    if one.decks != other.decks:
        found.add("deck")
    return tuple(name for name in OPTION_NAMES if name in found)
