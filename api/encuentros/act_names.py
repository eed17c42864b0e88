"""Acts of a partida as people name them: *el as de copas de Ana*, and no number of a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias
from uuid import UUID

import msgspec

from api.http.languages import join_names, language, say
from api.http.services import current_services
from projections.facts import FactData
from referee.aggregates.partida import Partida
from referee.events import PartidaAct
from referee.kinds import partida_id

NameOfAct: TypeAlias = Callable[[int], str]
"""What people call the act of a line."""


def kind_as_seen(act: FactData) -> str:
    """The kind of an act, which is another where its suit or its card was not seen."""
    kind = str(act["kind"])
    if kind == "cante" and not act.get("suit"):
        return "cante_hidden"
    return "draw_unseen" if kind == "draw" and not act.get("card") else kind


def act_name(act: FactData, lang: str) -> str:
    """An act as a noun in a sentence."""
    facts = {name: value for name, value in act.items() if name != "text"}
    return say(f"called.{kind_as_seen(act)}", lang, **facts)


def act_names_of(acts: Iterable[tuple[int, PartidaAct]], lang: str = "") -> NameOfAct:
    """Names of acts by their lines; a line that holds none of them is an entry that is gone."""
    by_line, lang = dict(acts), lang or language()

    def called(line: int) -> str:
        act = by_line.get(line)
        return say("called.gone", lang) if act is None else act_name(_fact(act), lang)

    return called


def act_names(state: Partida, lang: str = "") -> NameOfAct:
    """Names of the acts of a partida as they stand; of those that were corrected, as they were."""
    stands = {one.line: one.act for one in state.acts}
    return act_names_of({**{one.line: one.act for one in state.log}, **stands}.items(), lang)


def act_names_in(encuentro_id: UUID, number: int) -> NameOfAct:
    """Names of the acts of a stored partida, which is read only if one is asked for."""
    found: list[NameOfAct] = []

    def called(line: int) -> str:
        if not found:
            service = current_services().referee.encuentros
            found.append(act_names(service.partida(partida_id(encuentro_id, number))))
        return found[0](line)

    return called


def several(lines: Iterable[int], called: NameOfAct, lang: str = "") -> str:
    """Names of the acts of some lines in a row."""
    return join_names(list(dict.fromkeys(called(line) for line in lines)), lang or language())


def _fact(act: PartidaAct) -> FactData:
    found: FactData = msgspec.to_builtins(act)
    return found
