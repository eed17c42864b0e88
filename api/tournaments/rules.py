"""How a tournament is played, in sentences for everybody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from api.http.languages import say
from projections.facts import FactData

_OF_PERSONS: Final = ("buchholz", "sonneborn_berger")
"""Criteria that are named after somebody."""


def rules_in_words(plan: FactData, lang: str) -> list[str]:
    """How a tournament is played, as its plan says."""
    return [say(f"tournament_page.{key}", lang, **facts) for key, facts in _sentences(plan, lang)]


def _sentences(plan: FactData, lang: str) -> Iterator[tuple[str, dict[str, object]]]:
    """Keys of the sentences, with the values in them."""
    kind = plan["format"]
    yield f"rules.{kind}", {name: plan[name] for name in ("rounds", "groups", "qualify")}
    if plan["repechage"] != "none":
        yield f"repechage_{plan['repechage']}", {}
    for name in ("has_consolation", "has_third_place"):
        if plan[name]:
            yield f"rules.{name}", {}
    if kind != "knock_out":
        yield "rules.points", plan["scoring"]
        order = [_criterion(one, lang) for one in plan["criteria"] if one != "points"]
        yield ("rules.ties", {"order": ", ".join(order)}) if order else ("rules.no_ties", {})
    absence = "walkover" if kind == "knock_out" else plan["absence"]
    yield f"rules.{absence}", {}
    if plan["minutes"]:
        yield "rules.minutes", {"n": plan["minutes"]}


def _criterion(one: str, lang: str) -> str:
    """Name of a criterion within a sentence."""
    name = say(f"standings.{one}", lang)
    return name if one in _OF_PERSONS else name[:1].lower() + name[1:]
