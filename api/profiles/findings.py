"""Findings in words, each with the article of the profile in force that it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from api.http.languages import language, say
from api.http.services import current_services
from projections.legality.findings import FindingData, WordedFindingData, article_of_rule
from projections.views import view_as
from referee.events import FrozenProfile
from referee.rules.articles import Rule


def frozen_profile_of_encuentro(encuentro_id: UUID) -> FrozenProfile:
    """The frozen profile of an encuentro.

    :raises NotFound: there is none
    """
    opened = current_services().referee.encuentros.encuentro(encuentro_id).opened
    assert opened is not None
    return opened.profile


def findings_with_text_and_article(
    findings: Sequence[FindingData], encuentro_id: UUID
) -> list[WordedFindingData]:
    """Findings in the language of the reader, with the article that each rests on."""
    if not findings:
        return []
    frozen, lang = frozen_profile_of_encuentro(encuentro_id), language()
    return [
        view_as(
            WordedFindingData,
            one,
            text=say(f"rule.{one.rule}", lang, **{**one.facts, "seat": one.seat}),
            article=article_of_rule(Rule(one.rule), frozen),
        )
        for one in findings
    ]
