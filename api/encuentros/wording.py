"""Acts and conclusions of a partida in words, for every page."""

from __future__ import annotations

from collections.abc import Callable

from api.encuentros.act_names import NameOfAct, kind_as_seen
from api.http.languages import UNKNOWN, say, side_name, texts
from projections.facts import FactData
from referee.events import TextId

TextOf = Callable[[TextId], str | None]


def act_in_words(act: FactData, lang: str, text_of: TextOf, called: NameOfAct) -> str:
    """An act in words, as players say it; of a ruling, its effect and its reason.

    ``text_of``: a text by its id. ``called``: what the acts of the partida are called.
    """
    kind = kind_as_seen(act)
    text = (text_of(act["text"]) if act.get("text") else None) or ""
    if kind == "ruling":
        return say("act.ruling", lang, text=f"{effect_in_words(act, lang, called)} {text}".strip())
    facts = {**act, "text": text}
    if kind == "show" and not act.get("cards"):
        kind = "show_void"
        facts["suits"] = ", ".join(say(f"suit.{suit}", lang) for suit in act.get("void", ()))
    return say(f"act.{kind}", lang, **facts)


def effect_in_words(ruling: FactData, lang: str, called: NameOfAct) -> str:
    """The effect of a ruling, of a case or on the log of a partida."""
    side, line = ruling.get("side") or ruling.get("seat", "")[:1], ruling.get("line", 0)
    facts = {"seat": ruling.get("seat", ""), "points": ruling.get("points", 0), "side": side}
    about = called(line) if line else UNKNOWN
    return say(f"effect.{ruling['effect']}", lang, **facts, line=about)


def ruling_article(article: str, lang: str) -> str:
    """What a ruling on the log rests on: an option and its section, a kind of ground, or a text."""
    option, _, section = article.partition(": ")
    words = texts(lang)
    if named := words.get(f"option.{option}"):
        return say("authority.option", lang, option=named, section=section) if section else named
    return words.get(f"ground.{article.replace('-', '_')}", article).rstrip(".")


def conclusion_in_words(one: FactData, lang: str) -> str:
    """A conclusion in words, with its reason."""
    said = say(f"conclusion.{one['kind']}", lang, **one)
    if one["kind"] == "partida_won":
        return f"{said}, {say('how.' + one['how'], lang)}"
    if one["kind"] == "deal_counted":
        totals = " · ".join(
            f"{side_name(side, lang)} {points}" for side, points in one["totals"].items()
        )
        return f"{said}: {totals}"
    return said
