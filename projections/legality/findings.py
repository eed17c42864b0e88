"""Findings of a partida, so far as the cards are known, and the article that each rests on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict, cast

from referee.events import FrozenProfile, SeatName, article_in
from referee.rules.articles import ABOUT, Rule
from referee.rules.profile.options import RenuncioCase
from referee.rules.profile.profile import Article, Basis, bases_of_cases
from referee.table.state import Finding

CASE_OF_CONDUCT: Mapping[Rule, RenuncioCase] = {
    Rule.OUT_OF_TURN_IN_ARRASTRE: "out_of_turn_in_arrastre",
    Rule.TALK: "talk",
    Rule.SIGNAL: "talk",
}
"""Cases of renuncio besides the duties of play, by their findings."""


class ArticleData(TypedDict):
    """Where a value comes from: an option, in whose rulebook and section, on what it rests."""

    profile: str
    option: str
    section: str
    basis: Basis


class FindingData(TypedDict):
    """A finding as plain JSON values."""

    line: int
    rule: str
    seat: SeatName
    known_at: int
    facts: dict[str, object]


class WordedFindingData(FindingData):
    """A finding in the language of the reader, with the article that it rests on."""

    text: str
    article: ArticleData | None


def article_of(
    rule: Rule | None, frozen: FrozenProfile | None, first: str = ""
) -> ArticleData | None:
    """Article of the rulebook in force that a rule rests on; None if it rests on no option.

    ``frozen`` is the profile of the encuentro; ``first`` an option that takes precedence over the
    others of the rule.
    """
    if rule is None or frozen is None:
        return None
    about = ABOUT[rule]
    options = (article_in(frozen, option) for option in (first, *about.options, about.cost))
    found = next((cast("ArticleData", article) for article in options if article), None)
    if found is not None and rule in CASE_OF_CONDUCT:
        article = Article(found["profile"], found["section"], found["basis"])
        bases = bases_of_cases(article, found["option"])
        found["basis"] = bases.get(CASE_OF_CONDUCT[rule], found["basis"])
    return found


def finding_view(finding: Finding) -> FindingData:
    """A finding as plain JSON values."""
    return {
        "line": finding.line,
        "rule": finding.rule.value,
        "seat": finding.seat,
        "known_at": finding.known_at,
        "facts": dict(finding.facts),
    }
