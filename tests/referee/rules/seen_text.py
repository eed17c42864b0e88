"""Sights of a small deal, and evidence from them, as text."""

from __future__ import annotations

from referee.rules.articles import Rule
from referee.rules.cards import CARD, Mask, mask_of_tokens, tokens_in
from referee.rules.duties import Charge
from referee.rules.evidence.questions import Verdict
from referee.rules.evidence.sights import (
    NOBODY,
    UNSEEN,
    Dealt,
    Drew,
    Held,
    Hidden,
    Lacked,
    Played,
    Recalled,
    Resized,
    Sang,
    Sight,
    Stacked,
    Swapped,
    Turned,
    WasDealt,
)
from referee.rules.evidence.verdicts import Evidence

SEATS = "ABC"
DUTIES = ("first duty", "second duty")


def cards(words: list[str]) -> Mask:
    return mask_of_tokens(words)


def sets(words: list[str]) -> list[Mask]:
    """Sets of cards between commas."""
    return [cards(part.split()) for part in " ".join(words).split(",") if part.strip()]


def dealt(text: str) -> Dealt:
    """``2C 4C 5C: A 1, B 1, stock 1``."""
    deck, places = text.split(":")
    sizes = [int(place.split()[1]) for place in places.split(",")]
    return Dealt(1, cards(deck.split()), tuple(sizes[:-1]), sizes[-1])


def sight(line: int, text: str) -> Sight:
    """``A lays AO against 4C 5C, 3O``, and so on; ``-``: not written down, ``+``: with the one before."""
    who, verb, *rest = text.lstrip("-+ ").split()
    line, seat = {"-": 0, "+": line - 1}.get(text[0], line), SEATS.find(who)
    match verb:
        case "lays":
            against = zip(sets(rest[2:]), DUTIES, strict=False)
            charges = tuple(Charge(Rule.FOLLOW, mask, duty) for mask, duty in against)
            return Played(line, seat, CARD[rest[0]], charges)
        case "draws":
            return Drew(line, seat, CARD[rest[0]] if rest else UNSEEN)
        case "drew":
            return Recalled(line, seat, CARD[rest[0]])
        case "shows":
            return Held(line, seat, cards(rest))
        case "shows?":
            return Held(line, seat, cards(rest), drawing=True)
        case "lacks":
            return Lacked(line, seat, cards(rest))
        case "had":
            return WasDealt(line, seat, cards(rest), whole=False)
        case "swaps" | "swaps?":
            return Swapped(line, seat, CARD[rest[0]], CARD[rest[1]], drawing=verb == "swaps?")
        case "sings" | "sings?":
            return Sang(line, seat, tuple(sets(rest)), drawing=verb == "sings?")
        case "has":
            return Resized(line, seat, int(rest[0]))
        case "turns":
            return Turned(line, CARD[rest[0]], seat if who in SEATS else NOBODY)
        case "keeps":
            return Stacked(line, cards(rest))
    assert verb == "unseen", text
    return Hidden(line, tuple(SEATS.index(one) for one in who))


def sights_of(deal: str, *lines: str) -> list[Sight]:
    """A deal and these sights, whose lines count from 2."""
    return [dealt(deal), *(sight(line, text) for line, text in enumerate(lines, 2))]


def seen(deal: str, *lines: str) -> Evidence:
    """Evidence after a deal and these sights."""
    return Evidence().see_all(sights_of(deal, *lines))


def said(verdict: Verdict) -> str:
    """``unlawful since 3, first duty: 4C``, perhaps with ``, named 8: 5C``, or ``open: 4C 5C``."""
    words = verdict.answer + (f" since {verdict.since}" if verdict.since else "")
    words += f", {verdict.charge.option}" if verdict.charge else ""
    cards = " ".join(tokens_in(verdict.proof | verdict.settles))
    words += f": {cards}" if cards else ""
    if verdict.named == verdict.since or verdict.charge is None:
        return words
    shown = " ".join(tokens_in(verdict.shown))
    return f"{words}, named {verdict.named}" + (f": {shown}" if shown else "")


def hands(evidence: Evidence) -> str:
    """Of each hand the cards that are in it, then those that may be: ``AO (2C) | - (2C 4C)``."""
    return " | ".join(
        f"{' '.join(tokens_in(known.certain)) or '-'}"
        f" ({' '.join(tokens_in(known.possible & ~known.certain))})"
        for known in evidence.knowledge()
    )
