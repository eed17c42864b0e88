"""Findings of partidas, as rows and as answers, and the article that each rests on."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from uuid import UUID

import msgspec
from msgspec.structs import replace

from projections.runner.projection import FoldedBatch, Projection, replace_rows
from referee.aggregates.partida import Partida
from referee.events import FrozenProfile, SeatName, article_of_option
from referee.rules.articles import ABOUT, Rule
from referee.rules.profile.options import RenuncioCase
from referee.rules.profile.profile import Article, Basis, basis_by_option_member
from referee.table.state import Finding

CASE_OF_CONDUCT: Mapping[Rule, RenuncioCase] = {
    Rule.OUT_OF_TURN_IN_ARRASTRE: "out_of_turn_in_arrastre",
    Rule.TALK: "talk",
    Rule.SIGNAL: "talk",
}
"""Cases of renuncio besides the duties of play, by their findings."""


class ArticleData(msgspec.Struct, frozen=True):
    """Article of a rulebook on which something rests: its option, rulebook and section."""

    profile: str
    option: str
    section: str
    basis: Basis


class FindingData(msgspec.Struct, frozen=True):
    """Something that the program noticed in a record: a rule, with its place."""

    line: int
    rule: str
    seat: SeatName
    known_at: int
    facts: dict[str, object]


class WordedFindingData(FindingData, frozen=True):
    """A finding in the language of the reader, with the article that it rests on."""

    text: str
    article: ArticleData | None


def article_of_rule(
    rule: Rule | None, frozen: FrozenProfile | None, first: str = ""
) -> ArticleData | None:
    """Article of the rulebook in force on which a rule rests.

    None if the rule depends on no option.

    ``frozen`` is the profile of the encuentro; ``first`` an option that takes precedence over the
    others of the rule.
    """
    if rule is None or frozen is None:
        return None
    about = ABOUT[rule]
    options = (article_of_option(frozen, option) for option in (first, *about.options, about.cost))
    said = next((article for article in options if article), None)
    found = msgspec.convert(said, ArticleData | None)
    if found is not None and rule in CASE_OF_CONDUCT:
        article = Article(found.profile, found.section, found.basis)
        bases = basis_by_option_member(article, found.option)
        found = replace(found, basis=bases.get(CASE_OF_CONDUCT[rule], found.basis))
    return found


def finding_view(finding: Finding) -> FindingData:
    """View of something that the program noticed in a record."""
    return FindingData(
        line=finding.line,
        rule=finding.rule.value,
        seat=finding.seat,
        known_at=finding.known_at,
        facts=dict(finding.facts),
    )


class LegalityProjection(Projection):
    """One row for each finding, in the order of the record."""

    name = "legality"
    version = 1
    tables: Mapping[str, str] = {
        "finding": "CREATE TABLE finding (partida TEXT, place INTEGER, line INTEGER, rule TEXT,"
        " seat TEXT, known_at INTEGER, facts TEXT, PRIMARY KEY (partida, place)) WITHOUT ROWID",
    }

    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        """Replace the rows of the changed partidas."""
        found = {one: _finding_rows(one, state) for one, state in batch.states_of_kind(Partida)}
        replace_rows(cursor, "finding", "partida", found)


def _finding_rows(partida: str, state: Partida) -> list[tuple[object, ...]]:
    return [
        (
            partida,
            place,
            found.line,
            found.rule.value,
            found.seat,
            found.known_at,
            msgspec.json.encode(dict(found.facts)).decode(),
        )
        for place, found in enumerate(state.table.findings)
    ]


def findings_of(cursor: sqlite3.Cursor, partida_id: UUID) -> list[FindingData]:
    """Findings of a partida, in the order of its record."""
    cursor.execute(
        "SELECT line, rule, seat, known_at, facts FROM finding WHERE partida = ? ORDER BY place",
        (str(partida_id),),
    )
    return [
        FindingData(
            line=line,
            rule=rule,
            seat=seat,
            known_at=known_at,
            facts=msgspec.json.decode(facts),
        )
        for line, rule, seat, known_at, facts in cursor
    ]
