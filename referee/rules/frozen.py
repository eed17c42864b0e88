"""Frozen profile: what an encuentro plays by for ever, whatever becomes of the profile."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, TypeAlias

from referee.rules.option_values import plain
from referee.rules.options import OPTION_NAMES, Options
from referee.rules.profile import Article, Profile

Frozen: TypeAlias = dict[str, Any]


def frozen(profile: Profile, players: int, deck: int | None = None) -> Frozen:
    """Profile frozen for one table: plain JSON, with every value, its article, and the hash.

    ``sources`` names for each option the profile in whose rulebook the article stands: a club's
    own profile for what it changed, else the profile it is based on.
    """
    options = profile.options(players, deck)
    values = {name: plain(value) for name, value in asdict(options).items()}
    articles = {name: profile.article(name, players) for name in OPTION_NAMES}
    return {
        "id": profile.id,
        "edition": profile.edition,
        "base": profile.base,
        "hash": hash_of(profile.id, profile.edition, values),
        "players": options.players,
        "deck": options.deck,
        "options": values,
        "basis": {name: article.basis for name, article in articles.items()},
        "sections": {name: article.section for name, article in articles.items()},
        "sources": {name: article.profile for name, article in articles.items()},
    }


def hash_of(id: str, edition: str, values: Mapping[str, object]) -> str:
    """SHA-256 in hex over id, edition and all values, written as canonical JSON."""
    content = {"id": id, "edition": edition, "options": dict(values)}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def is_intact(table: Mapping[str, Any]) -> bool:
    """Whether the values of a frozen profile are those that its hash was made of."""
    found = hash_of(table["id"], table["edition"], table["options"])
    return bool(found == table["hash"])


def thaw(table: Mapping[str, Any]) -> Options:
    """Options of a frozen profile. One that is older than an option gets its default."""
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in table["options"].items()
        if name in OPTION_NAMES
    }
    return Options(**values)


def article_of(table: Mapping[str, Any], option: str) -> Article:
    """Article behind an option of a frozen profile. ``KeyError``: no such option."""
    return Article(table["sources"][option], table["sections"][option], table["basis"][option])
