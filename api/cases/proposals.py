"""Proposals for a case: who complains of what and why, likely rulings, articles by relevance.

They fill in a form for the arbiter, who decides. Nothing here is recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

import msgspec

from api.audit import trail
from api.cases import acta_data
from api.cases.acta_types import LineWordsData
from api.cases.exhibits import (
    Exhibits,
    ExhibitTrickData,
    exhibits_of_lines,
    lines_with_breach_or_accusation,
)
from api.encuentros.words import namer_of_stored_acts
from api.http.languages import language, option_words, say
from api.profiles.words import GROUP_OF
from projections.legality.evidence import VerdictData
from referee import events as ev
from referee.errors import NotFound
from referee.kinds import partida_id
from referee.rules.articles import ABOUT
from referee.rules.seats import SEATS, SIDES, side_of

_BY_ACT: Final[Mapping[type[ev.TableAct], tuple[str, ...]]] = {
    ev.CardPlayed: ("renuncio_cases", "duties_from", "renuncio_penalty"),
    ev.RenuncioDenounced: ("renuncio_cases", "renuncio_until", "false_accusation"),
    ev.CanteAnnounced: ("cante_window", "cante_needs_trick", "cante_20_shown", "false_cante"),
    ev.PintaSwapped: ("swap_window", "swap_by", "swap_needs_trick", "wrong_swap"),
    ev.ClaimMade: ("claim_in", "claim_by"),
    ev.DealStarted: ("misdeal", "next_dealer"),
}
"""Options that an act without a known breach may have to do with, the likeliest first."""
_WHY: Final[Mapping[type[ev.TableAct], str]] = {
    ev.CanteAnnounced: "cante",
    ev.PintaSwapped: "swap",
    ev.ClaimMade: "claim",
    ev.RestClaimed: "rest",
    ev.DealStarted: "deal",
    ev.RenuncioDenounced: "denounce",
}


class ArticleChoiceData(msgspec.Struct, frozen=True):
    """An option that a ruling may cite, in words; ``is_silent``: the rulebook says nothing."""

    option: str
    title: str
    is_silent: bool


class ArticlesData(msgspec.Struct, frozen=True):
    """Options that a ruling may cite: the relevant ones by relevance, then all by topic."""

    relevant: list[ArticleChoiceData]
    topics: dict[str, list[ArticleChoiceData]]


def suggest_case_reason(found: Exhibits) -> str:
    """Reason proposed for opening a case, without names: the breach, the card and its trick."""
    lang = language()
    said = [say("case.why.denounce", lang)] if found.denunciation else []
    if found.rule:
        said.append(say(f"rule.{found.rule.value}", lang, **_facts_of_breach(found)))
    for line in found.lines:
        act, place = found.acts.get(line), found.places.get(line)
        if isinstance(act, ev.CardPlayed) and place:
            said.append(say("case.why.card", lang, card=act.card, trick=place[1]))
        elif not found.rule and act is not None and type(act) in _WHY:
            said.append(say(f"case.why.{_WHY[type(act)]}", lang))
    return " ".join(dict.fromkeys(said))


def _facts_of_breach(found: Exhibits) -> dict[str, object]:
    of_line = (found.findings[line] for line in found.lines if line in found.findings)
    one = next((each for each in of_line if each.rule == found.rule), None)
    return {} if one is None else {k: v for k, v in one.facts.items() if k != "seat"}


def suggest_ruling_reason(found: Exhibits) -> str:
    """Reason proposed for a ruling, from the record: the breach, what is not proved, or nothing."""
    lang = language()
    judged = found.verdicts_in_dispute
    if not judged:
        return ""
    if judged[0].verdict == "unlawful" and found.rule:
        breach = say(f"rule.{found.rule.value}", lang, **_facts_of_breach(found))
        return " ".join((breach, say("case.why.proved", lang)))
    return say(f"case.why.{judged[0].verdict}", lang)


def likely_ruling_values(found: Exhibits, profile: ev.FrozenProfile, players: int) -> list[str]:
    """Likely rulings as values of the form, the likeliest first."""
    own = list(dict.fromkeys(side_of(seat) for seat in found.accused_seats))
    others = [side for side in SIDES[players] if side not in own] or own
    partida, warnings = [f"partida:{one}" for one in others], [f"warning:{one}" for one in own]
    breach = next((one for one in found.verdicts_in_dispute if one.verdict == "unlawful"), None)
    if not own:
        return ["none"]
    if breach is None:
        return ["none", *partida, *warnings]
    if isinstance(found.acts[breach.line], ev.CanteAnnounced):
        return [f"annul_act:{breach.line}", *warnings, "none", *partida]
    if found.rule is None or ABOUT[found.rule].kind != "duty":
        return [*warnings, "none", *partida]
    if profile.options.get("renuncio_penalty") == "replay_deal":
        return ["replay_deal", *partida, *warnings, "none"]
    return [f"renuncio:{breach.line}", *partida, *warnings, "none"]


def articles_to_cite(found: Exhibits, profile: ev.FrozenProfile) -> ArticlesData:
    """Options that a ruling may cite; that on which the breach rests is the first relevant one."""
    names = _relevant_options(found)
    known = {name: _article_choice(name, profile) for name in profile.options}
    topics: dict[str, list[ArticleChoiceData]] = {}
    for name, one in known.items():
        topics.setdefault(GROUP_OF[name], []).append(one)
    return ArticlesData(relevant=[known[name] for name in names if name in known], topics=topics)


def _relevant_options(found: Exhibits) -> list[str]:
    names = [one.article.option for one in found.verdicts_in_dispute if one.article]
    if found.rule is not None:
        about = ABOUT[found.rule]
        names += [*about.options, about.cost]
        names += ["renuncio_penalty"] if about.kind == "duty" else []
    for line in found.lines:
        act = found.acts.get(line)
        names += _BY_ACT.get(type(act), ()) if act is not None else ()
    return list(dict.fromkeys(filter(None, names)))


def _article_choice(name: str, profile: ev.FrozenProfile) -> ArticleChoiceData:
    is_silent = profile.basis.get(name, "silent") == "silent"
    return ArticleChoiceData(option=name, title=option_words(name, language()), is_silent=is_silent)


def ruling_values_by_effect(found: Exhibits, players: int) -> dict[str, list[str]]:
    """Every ruling that a person may choose, as values of the form by effect."""
    sides, seats = SIDES[players], SEATS[players]
    lines = [line for line in found.lines if line in found.acts]
    cards = [line for line in lines if isinstance(found.acts[line], ev.CardPlayed)]
    chosen = {
        "partida": [f"partida:{side}" for side in sides],
        "warning": [f"warning:{side}" for side in sides],
        "points": [f"points:{side}" for side in sides],
        "annul_act": [f"annul_act:{line}" for line in lines],
        "renuncio": [f"renuncio:{line}" for line in cards],
        "annul_deal": ["annul_deal"],
        "replay_deal": ["replay_deal"],
        "dealer": [f"dealer:{seat}" for seat in seats],
        "none": ["none"],
    }
    return {effect: values for effect, values in chosen.items() if values}


def seats_likeliest_to_complain(
    found: Exhibits, seats: Mapping[ev.SeatName, str]
) -> list[ev.SeatName]:
    """Seats in the order in which they are likely to complain.

    Who denounced, the other side, the accused side.
    """
    said, accused = found.denunciation, found.accused_seats
    own = {side_of(seat) for seat in accused}
    first = said.by if said and said.by not in accused else ""
    return sorted(seats, key=lambda seat: (seat != first, side_of(seat) in own))


class PointedData(msgspec.Struct, frozen=True):
    """Acts that are disputed, with their tricks and verdicts, and how the form is filled in.

    ``who``: seats that may complain, the likeliest first; ``is_known``: whether the first one did.
    """

    partida: int
    lines: list[int]
    acts: list[LineWordsData]
    tricks: list[ExhibitTrickData]
    verdicts: dict[int, VerdictData]
    who: list[ev.SeatName]
    is_known: bool
    because: str


def case_form_prefill_or_none(
    encuentro_id: UUID, number: int, lines: Sequence[int], names: Mapping[ev.SeatName, str]
) -> PointedData | None:
    """What the form that opens a case says of these lines; None if the partida has none of them."""
    try:
        found = exhibits_of_lines(encuentro_id, number, lines)
        found = exhibits_of_lines(encuentro_id, number, lines_with_breach_or_accusation(found))
    except NotFound:
        return None
    if not found.lines:
        return None
    entries = [
        one
        for one in trail.complete_trail(partida_id(encuentro_id, number))
        if acta_data.is_act(one)
    ]
    named = {seat: name for seat, name in names.items() if name}
    who = seats_likeliest_to_complain(found, named)
    said, called = found.denunciation, namer_of_stored_acts(encuentro_id, number)
    return PointedData(
        partida=number,
        lines=list(found.lines),
        acts=[acta_data.line_words_data(one, called) for one in entries if one.line in found.lines],
        tricks=found.tricks,
        verdicts=found.verdicts,
        who=who,
        is_known=said is not None and who[:1] == [said.by],
        because=suggest_case_reason(found),
    )
