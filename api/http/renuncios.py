"""The renuncio that decided a partida, in words: on boards, replays and actas."""

from __future__ import annotations

from api.http.languages import say
from projections.legality.evidence import RenuncioData


def renuncio_in_words(found: RenuncioData, lang: str) -> str:
    """A renuncio in words: whose, which card in which trick, what was due, and the proof."""
    place = {"seat": found.seat, "deal": found.deal, "trick": found.trick}
    if found.card:
        said = [say("renuncio.card", lang, card=found.card, **place)]
    else:
        said = [say("renuncio.conduct", lang, seat=found.seat)]
    said.append(say(f"rule.{found.rule}", lang, seat=found.seat))
    if found.proof:
        said.append(say("renuncio.proof", lang, card=found.proof))
    return " ".join(said)
