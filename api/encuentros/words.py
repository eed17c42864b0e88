"""Acts and conclusions of a partida in words, for every page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias
from uuid import UUID

import msgspec

from api.http.languages import (
    UNKNOWN,
    join_names,
    language,
    player_names_of_side,
    say,
    texts_of_language,
)
from api.http.services import current_services
from projections.facts import FactData
from referee.aggregates.partida import Partida
from referee.events import PartidaAct, TextId
from referee.kinds import partida_id

TextOf = Callable[[TextId], str | None]
NameOfAct: TypeAlias = Callable[[int], str]
"""What people call the act of a line."""


def act_in_words(act: FactData, lang: str, text_of: TextOf, called: NameOfAct) -> str:
    """An act in words, as players say it; of a ruling, its effect and its reason.

    ``text_of``: a text by its id. ``called``: what the acts of the partida are called.
    """
    kind = act_kind_as_text_key(act)
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


def ruling_article_in_words(article: str, lang: str) -> str:
    """What a ruling on the log rests on: an option and its section, a kind of ground, or a text."""
    option, _, section = article.partition(": ")
    words = texts_of_language(lang)
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
            f"{player_names_of_side(side, lang)} {points}" for side, points in one["totals"].items()
        )
        return f"{said}: {totals}"
    return said


def act_kind_as_text_key(act: FactData) -> str:
    """Kind of an act as the end of a key of texts; another if its suit or card was not seen."""
    kind = str(act["kind"])
    if kind == "cante" and not act.get("suit"):
        return "cante_hidden"
    return "draw_unseen" if kind == "draw" and not act.get("card") else kind


def act_name(act: FactData, lang: str) -> str:
    """An act as a noun in a sentence."""
    facts = {name: value for name, value in act.items() if name != "text"}
    return say(f"called.{act_kind_as_text_key(act)}", lang, **facts)


def act_namer_of_lines(acts: Iterable[tuple[int, PartidaAct]], lang: str = "") -> NameOfAct:
    """A function from a line to the name of its act.

    A line without an act has the name of an entry that is gone.
    """
    by_line, lang = dict(acts), lang or language()

    def line_name(line: int) -> str:
        act = by_line.get(line)
        return say("called.gone", lang) if act is None else act_name(_act_as_fact(act), lang)

    return line_name


def act_namer_of_partida(state: Partida, lang: str = "") -> NameOfAct:
    """A function from a line to the name of the act that stands there, else of the one recorded."""
    stands = {one.line: one.act for one in state.standing_acts}
    return act_namer_of_lines({**{one.line: one.act for one in state.log}, **stands}.items(), lang)


def namer_of_stored_acts(encuentro_id: UUID, number: int) -> NameOfAct:
    """A function from a line of a stored partida to the name of its act.

    The partida is read when it is first asked.
    """
    found: list[NameOfAct] = []

    def line_name(line: int) -> str:
        if not found:
            service = current_services().referee.encuentros
            found.append(
                act_namer_of_partida(service.partida_by_id(partida_id(encuentro_id, number)))
            )
        return found[0](line)

    return line_name


def join_names_of_lines(lines: Iterable[int], called: NameOfAct, lang: str = "") -> str:
    """Names of the acts of some lines, each once, joined in one text."""
    return join_names(list(dict.fromkeys(called(line) for line in lines)), lang or language())


def _act_as_fact(act: PartidaAct) -> FactData:
    found: FactData = msgspec.to_builtins(act)
    return found
