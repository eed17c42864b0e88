"""Claims and concessions in words: whether 101 could still be reached, and whose the rest was."""

from __future__ import annotations

from typing import TypedDict

from api.encuentros.act_names import act_names
from api.http.languages import language, say
from referee.aggregates.partida import Partida
from referee.analysis.claims import ClaimsData, ReachData, RestData


class StillReachData(ReachData):
    """A claim or a concession, judged; ``text``: in the reader's language."""

    text: list[str]


class ClaimOfRestData(RestData):
    """A claim of the rest, judged; ``text``: in the reader's language."""

    text: str


class WordedClaimsData(TypedDict):
    """Claims of the target and concessions, and claims of the rest, in words."""

    reaches: list[StillReachData]
    rests: list[ClaimOfRestData]


def claims_in_words(state: Partida, found: ClaimsData, lang: str = "") -> WordedClaimsData:
    """Judged claims of a partida in a language, that of the request if none is said."""
    lang = lang or language()
    return {
        "reaches": [{**one, "text": _reach_words(state, one, lang)} for one in found["reaches"]],
        "rests": [{**one, "text": _rest_words(one, lang)} for one in found["rests"]],
    }


def _reach_words(state: Partida, one: ReachData, lang: str) -> list[str]:
    """Whether the target could be reached, or since when it was; a missing engine too."""
    facts = {
        "side": one["side"],
        "target": state.start.options.target,
        "total": one["total"] or 0,
        "most": one["most"] or 0,
    }
    if one["since"] is not None:
        called = act_names(state, lang)(one["since"])
        return [say("case.reach.since", lang, **facts, act=called, cards=one["cards"])]
    kind = "exact" if one["is_exact"] else "sum"
    key = "unknown" if one["most"] is None else f"{one['answer']}_{kind}"
    words = [say(f"case.reach.{key}", lang, **facts)]
    return [*words, say("case.cost.no_analysis", lang)] if one["not_known"] else words


def _rest_words(one: RestData, lang: str) -> str:
    group = "cost" if one["answer"] in ("on_request", "no_analysis") else "rest"
    return say(f"case.{group}.{one['answer']}", lang, seat=one["seat"], ways=one["ways"])
