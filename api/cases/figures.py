"""Figures of a disputed card in words: what it took beside the best lawful one."""

from __future__ import annotations

from api.http.languages import language, say
from projections.cases.views import RenuncioCostData
from referee.rules.seats import side_of


def cost_words(cost: RenuncioCostData) -> list[str]:
    """What a card took, in sentences."""
    lang, side = language(), side_of(cost["seat"])
    amounts = [_amount(points, lang) for points in dict.fromkeys((cost["most"], cost["least"]))]
    if cost["tried"] == 1:
        return [
            say("case.cost.exact", lang, side=side, amount=amounts[0]),
            say(f"case.cost.turned_{cost['turned']}", lang),
        ]
    key = "case.cost.range" if len(amounts) > 1 else "case.cost.always"
    drawn = "all" if cost["seed"] is None else "drawn"
    words = [
        say(f"case.cost.{drawn}", lang, tried=cost["tried"], seed=cost["seed"] or 0),
        say(key, lang, side=side, amount=amounts[0], other=amounts[-1]),
    ]
    if cost["ways"] < cost["tried"]:
        words.insert(1, say("case.cost.breach", lang, ways=cost["ways"]))
    if len(amounts) > 1:
        same = cost["ways"] - cost["more"] - cost["less"]
        words.append(say("case.cost.split", lang, more=cost["more"], less=cost["less"], same=same))
    return [*words, say(f"case.cost.turned_{cost['turned']}", lang)]


def _amount(cost: int, lang: str) -> str:
    """How many points more or fewer."""
    name = "more" if cost < 0 else "less" if cost else "same"
    return say(f"case.cost.{name}_1" if abs(cost) == 1 else f"case.cost.{name}", lang, n=abs(cost))
