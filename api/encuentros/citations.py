"""Articles that a ruling cites: those of the law stay on the log, other words go with its reason.

The log cannot be erased, and somebody's name may be among other words; a reason can be erased.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from msgspec.structs import replace

from referee.events import LogAmended, PartidaAct, RulingGiven, TableAct
from referee.record.record import TextRecord
from referee.rules.profile.profile import Profile, profiles, profiles_of_every_edition

_GROUNDS: Final = ("not-regulated", "sovereign")
_NUMBER: Final = re.compile(r"(?i:(art\.?|art[íi]cul[oe]|article|§) ?)?[0-9IVXLC]+([.-][0-9a-z])*")
"""A number, as the rulebook of a club has it: ``24.3``, ``art. 7``."""


def is_public_article(article: str) -> bool:
    """Whether an article has no words of somebody: one of the law, a kind of ground, or a number.

    >>> [is_public_article(one) for one in ("overtrump", "sovereign", "art. 24.3", "as Celia said")]
    [True, True, True, False]
    """
    return (
        not article
        or article in _articles_of_all_profiles()
        or _NUMBER.fullmatch(article) is not None
    )


def public_ruling_and_reason(act: RulingGiven, reason: str) -> tuple[RulingGiven, str]:
    """A ruling and its reason, as they may be recorded.

    An article that is not of the law is moved to the start of the reason.
    """
    if is_public_article(act.article):
        return act, reason
    return replace(act, article=""), ": ".join(filter(None, (act.article, reason)))


def record_with_public_articles(record: TextRecord) -> TextRecord:
    """An imported record in which rulings cite the law only.

    Any other article is moved to the reason.
    """
    texts = dict(record.texts)

    def public_table_act(act: TableAct) -> TableAct:
        if not isinstance(act, RulingGiven) or is_public_article(act.article):
            return act
        ruling, reason = public_ruling_and_reason(act, texts.get(act.text, ""))
        texts[new := f"cited {len(texts)}"] = reason
        return replace(ruling, text=new)

    def public_partida_act(act: PartidaAct) -> PartidaAct:
        if not isinstance(act, LogAmended):
            return public_table_act(act)
        changes = tuple(
            one if one.act is None else replace(one, act=public_table_act(one.act))
            for one in act.changes
        )
        return replace(act, changes=changes)

    partidas = tuple(
        replace(one, acts=tuple(public_partida_act(act) for act in one.acts))
        for one in record.partidas
    )
    return replace(record, partidas=partidas, texts=texts)


@cache
def _articles_of_all_profiles() -> frozenset[str]:
    every = [one for base in profiles() for one in profiles_of_every_edition(base.id)]
    return frozenset(_GROUNDS).union(*map(_articles_of_profile, every))


def _articles_of_profile(profile: Profile) -> set[str]:
    """Options of a profile, each alone and with its section, as a case cites them."""
    sections = {
        (name, entry.article.section)
        for name, entries in profile.entries.items()
        for entry in entries.values()
    }
    return {": ".join(filter(None, one)) for one in sections} | {name for name, _ in sections}
