"""Figures of disputed cards and claims in words: what was lost, what could still be reached."""

from __future__ import annotations

import msgspec

from api.encuentros.words import act_names
from api.http.languages import language, say
from projections.cases.views import RenuncioCostData
from projections.views import widen
from referee.aggregates.partida import Partida
from referee.analysis.claims import ClaimsData, ReachData, RestData
from referee.rules.seats import side_of


def cost_words(cost: RenuncioCostData) -> list[str]:
    """What a card took, in sentences."""
    lang, side = language(), side_of(cost.seat)
    amounts = [_amount(points, lang) for points in dict.fromkeys((cost.most, cost.least))]
    if cost.tried == 1:
        return [
            say("case.cost.exact", lang, side=side, amount=amounts[0]),
            say(f"case.cost.turned_{cost.turned}", lang),
        ]
    key = "case.cost.range" if len(amounts) > 1 else "case.cost.always"
    drawn = "all" if cost.seed is None else "drawn"
    words = [
        say(f"case.cost.{drawn}", lang, tried=cost.tried, seed=cost.seed or 0),
        say(key, lang, side=side, amount=amounts[0], other=amounts[-1]),
    ]
    if cost.ways < cost.tried:
        words.insert(1, say("case.cost.breach", lang, ways=cost.ways))
    if len(amounts) > 1:
        same = cost.ways - cost.more - cost.less
        words.append(say("case.cost.split", lang, more=cost.more, less=cost.less, same=same))
    return [*words, say(f"case.cost.turned_{cost.turned}", lang)]


def _amount(cost: int, lang: str) -> str:
    """How many points more or fewer."""
    name = "more" if cost < 0 else "less" if cost else "same"
    return say(f"case.cost.{name}_1" if abs(cost) == 1 else f"case.cost.{name}", lang, n=abs(cost))


class StillReachData(ReachData, frozen=True):
    """A claim or a concession, judged; ``text``: in the reader's language."""

    text: list[str]


class ClaimOfRestData(RestData, frozen=True):
    """A claim of the rest, judged; ``text``: in the reader's language."""

    text: str


class WordedClaimsData(msgspec.Struct, frozen=True):
    """Claims of the target and concessions, and claims of the rest, in words."""

    reaches: list[StillReachData]
    rests: list[ClaimOfRestData]


def claims_in_words(state: Partida, found: ClaimsData, lang: str = "") -> WordedClaimsData:
    """Judged claims of a partida in a language, that of the request if none is said."""
    lang = lang or language()
    return WordedClaimsData(
        reaches=[
            widen(StillReachData, one, text=_reach_words(state, one, lang)) for one in found.reaches
        ],
        rests=[widen(ClaimOfRestData, one, text=_rest_words(one, lang)) for one in found.rests],
    )


def _reach_words(state: Partida, one: ReachData, lang: str) -> list[str]:
    """Whether the target could be reached, or since when it was; a missing engine too."""
    facts = {
        "side": one.side,
        "target": state.start.options.target,
        "total": one.total or 0,
        "most": one.most or 0,
    }
    if one.since is not None:
        called = act_names(state, lang)(one.since)
        return [say("case.reach.since", lang, **facts, act=called, cards=one.cards)]
    kind = "exact" if one.is_exact else "sum"
    key = "unknown" if one.most is None else f"{one.answer}_{kind}"
    words = [say(f"case.reach.{key}", lang, **facts)]
    return [*words, say("case.cost.no_analysis", lang)] if one.not_known else words


def _rest_words(one: RestData, lang: str) -> str:
    group = "cost" if one.answer in ("on_request", "no_analysis") else "rest"
    return say(f"case.{group}.{one.answer}", lang, seat=one.seat, ways=one.ways)
