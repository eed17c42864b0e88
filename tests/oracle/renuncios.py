"""Renuncios: which the record proves, which nobody has to denounce, and whose act loses (section 5).

A renuncio is *proved* from the first line after which no world is left in which the card was lawful;
*for all* if everybody saw a card that proves it: a hand that was entered is the arbiter's secret, and
what only the count of the unseen cards proves is no sight.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tests.oracle.mistakes import is_slip
from tests.oracle.reading import Act, Deal, Record, once
from tests.oracle.verdicts import accusers_of, play_answer
from tests.oracle.worlds import worlds_of

SECRET = ("cartas", "ahora")


@dataclass(frozen=True)
class Renuncio:
    """A breach that is proved at a line; ``for_all``: the line that proves it to everybody, or 0."""

    act: Act
    trick: int
    proved: int
    for_all: int


class Accusations:
    """What follows from the renuncios of a partida, from accusations and from rulings about them."""

    def __init__(self, record: Record) -> None:
        self.record, self.rules = record, record.rules
        self.deals = record.deals
        self.annulled = {act.about for act in record.acts if act.word == "anula"}

    def lost_by(self) -> Act | None:
        """The act that loses the partida: the earliest of those that may cost it by then."""
        costly = list(self.costly())
        if not costly or self.rules.renuncio_penalty == "replay_deal":
            return None
        first = min((one.act for _, one in costly), key=lambda act: act.line)
        if self.rules.renuncio_costs == "when_denounced":
            return first
        fell = min(max(said, one.proved) for said, one in costly)
        earlier = (one.act for one in self._unasked(fell, before=first.line))
        return next(earlier, first)

    def asked(self) -> list[int]:
        """Lines of the renuncios that the arbiter is asked about."""
        if self.rules.renuncio_costs != "when_proved":
            return []
        now = self.record.acts[-1].line + 1
        lines = [one.act.line for one in self._unasked(now, before=now)]
        return [line for line in lines if line not in self._confirmed]

    @cached_property
    def _confirmed(self) -> dict[int, int]:
        """Lines of confirmed acts, each with that of its ruling."""
        found: dict[int, int] = {}
        for ruling in self.record.acts:
            if ruling.word == "confirma" and ruling.line not in self.annulled:
                if not self._is_late(ruling):
                    found.setdefault(ruling.about, ruling.line)
        return found

    def _is_late(self, ruling: Act) -> bool:
        """Whether a deal was counted before a renuncio of it was confirmed that nobody denounced."""
        if self.rules.renuncio_costs != "when_proved":
            return False
        (deal,) = [deal for deal in self.deals if _is_of(deal, ruling.about)]
        return 0 < counted_at(deal) < ruling.line

    def costly(self) -> Iterator[tuple[int, Renuncio]]:
        """Renuncios that were denounced in time or confirmed, each with the line that said so."""
        for number, deal in enumerate(self.deals, 1):
            for said in deal.acts:
                if said.word == "renuncio" and said.line not in self.annulled:
                    yield from ((said.line, one) for one in self._denounced(number, said))
        for about, line in self._confirmed.items():
            for deal in self.deals:
                yield from ((line, one) for one in self._of(deal) if one.act.line == about)

    def _denounced(self, number: int, said: Act) -> Iterator[Renuncio]:
        """Renuncios of the accused player that an accusation means, made in time in deal ``number``."""
        until, here = self.rules.renuncio_until, self.deals[number - 1]
        for at, deal in enumerate(self.deals[:number], 1):
            named = said.deal or (number if said.about else at)
            if at != named or (until != "end_of_partida" and deal is not here):
                continue
            for one in self._of(deal):
                is_meant = one.act.seat == said.seat and said.about in (0, one.trick)
                is_late = until == "next_trick" and here.tricks_before(said.line) > one.trick
                if is_meant and not is_late and one.act.line < said.line:
                    yield one

    def _of(self, deal: Deal) -> list[Renuncio]:
        """Renuncios of a deal that no ruling annulled."""
        return [one for one in renuncios_of(deal) if one.act.line not in self.annulled]

    def _unasked(self, line: int, before: int) -> Iterator[Renuncio]:
        """Acts before a line that cost something without a denunciation: proved to all, and no slip, by then."""
        for deal in self.deals:
            if 0 < counted_at(deal) < line or deal.acts[0].line > line:
                continue
            then = deal.cut(line)
            for one in self._of(then):
                if (
                    one.act.line < before
                    and one.for_all
                    and (one.act.word != "play" or not is_slip(then, one.act))
                ):
                    yield one


def counted_at(deal: Deal) -> int:
    """Line at which a first deal is counted: that of its last card; 0 if it is not."""
    return deal.closes(deal.many_tricks) if len(deal.takers) == deal.many_tricks else 0


def _is_of(deal: Deal, line: int) -> bool:
    return deal.acts[0].line <= line <= deal.acts[-1].line


@once
def renuncios_of(deal: Deal) -> list[Renuncio]:
    """Renuncios that the record of a deal proves by now."""
    found = []
    for act in deal.acts:
        if act.word == "play":
            if proved := proved_at(deal, act):
                seen = seen_at(deal, act)
                found.append(Renuncio(act, deal.position(act)[0], proved, seen))
        elif act.word == "charla" and deal.rules.talk_is_renuncio:
            trick = deal.tricks_before(act.line) + 1
            found.append(Renuncio(act, trick, act.line, act.line))
    return found


def proved_at(deal: Deal, play: Act) -> int:
    """Line from which a card was certainly laid against a duty; 0 if it is not proved."""
    against = accusers_of(deal, play)
    if not against or play_answer(worlds_of(deal), play, against) != "unlawful":
        return 0
    known = min([deal.acts[-1].line, *_sights(deal, play, against)])
    while known > play.line:
        if play_answer(worlds_of(deal.cut(known - 1)), play, against) != "unlawful":
            break
        known -= 1
    return known


@once
def public_deal(deal: Deal) -> Deal:
    """The deal as everybody saw it."""
    return Deal(deal.rules, [act for act in deal.acts if act.word not in SECRET])


def seen_at(deal: Deal, play: Act) -> int:
    """Line at which everybody saw a card that proves the breach in the hand of the seat; or 0."""
    against = accusers_of(deal, play)
    public = public_deal(deal)
    before = {
        card
        for act in public.acts
        if act.word == "ensena" and act.seat == play.seat and act.line < play.line
        for card in act.cards
    }
    here = worlds_of(public)[0]
    held = (before - here.elsewhere(play.seat, play.line)) | here.publicly_held(
        play.seat, play.line
    )
    return play.line if held & against else min(_sights(public, play, against), default=0)


def _sights(deal: Deal, play: Act, cards: set[str]) -> list[int]:
    """Lines after a play that show one of these cards in the same hand."""
    later = (act for act in deal.acts if act.line > play.line)
    return [act.line for act in later if _shows(act, play.seat, cards)]


def _shows(act: Act, seat: str, cards: set[str]) -> bool:
    """Whether an act shows one of these cards in a hand in which it was before."""
    return (
        act.word in ("play", "ensena", "ahora") and act.seat == seat and bool(cards & {*act.cards})
    )
