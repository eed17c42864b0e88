"""Questions: acts whose lawfulness depends on a hidden hand, judged over all possible worlds.

An act is *lawful* if it is so in every possible world, *unlawful* if it is so in none, else *open*.
A verdict never changes afterwards, since sights only exclude worlds; which duty was broken may be
known later than that one was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate, product
from operator import or_
from typing import Literal, NamedTuple, TypeAlias

from referee.rules.cards import Mask, cards_in, mask_of
from referee.rules.duties import Charge
from referee.rules.evidence.worlds import Place, Places, Worlds

ActAnswer: TypeAlias = Literal["lawful", "unlawful", "open"]


class Verdict(NamedTuple):
    """Verdict on an act: a play by its duties, a cante by whether its cards were held.

    ``since`` is the line at which it was settled, 0 while open. ``proof`` are cards that were
    certainly held by then and prove it; if it is empty, an unlawful act is proved by the count of
    the cards left. ``charge`` is the duty broken, for an unlawful play, the first duty that was
    certainly broken, known since the line ``named``, and ``shown`` the cards that show it, if any.
    ``settles`` are the unseen cards on which an open act depends.
    """

    answer: ActAnswer
    since: int = 0
    charge: Charge | None = None
    proof: Mask = 0
    settles: Mask = 0
    named: int = 0
    shown: Mask = 0


class Knowledge(NamedTuple):
    """What is known of a hand: cards certainly in it, and cards possibly in it (a superset).

    A draw that nobody noted counts only if it must have happened.
    """

    certain: Mask
    possible: Mask


class CardsInPlaces(NamedTuple):
    """Which cards certainly lie, or lay, in the places of a question, and which may."""

    certain: Mask
    possible: Mask


@dataclass(slots=True)
class Question:
    """An act to be judged by what a seat held: the places of its hand, and the cards known of it.

    ``maybe`` is a place that it had filled by then, or had not, ``drawn`` a known card that it had
    drawn by then, or had not. ``had`` are cards that certainly were there, ``never`` those that
    certainly were not.
    ``charges`` are those of a play, ``sets`` what a cante says to hold, one of them wholly, and
    ``alive`` those that it may have held. ``rival``: line of an earlier cante of the same seat and
    of no suit, which may have been one of them. ``before``: the verdict before it might have said
    more sets.
    """

    line: int
    seat: int
    places: Places
    had: Mask = 0
    never: Mask = 0
    charges: tuple[Charge, ...] = ()
    sets: tuple[Mask, ...] = ()
    maybe: Places = 0
    drawn: Mask = 0
    rival: int = 0
    alive: tuple[Mask, ...] = ()
    before: Verdict | None = None
    verdict: Verdict = field(default_factory=lambda: Verdict("open"))

    @property
    def is_settled(self) -> bool:
        """Whether no further sight can change the verdict or its reason."""
        known = self.verdict
        if known.answer == "unlawful" and self.charges:
            return bool(known.shown) and known.charge == self.charges[0]
        return known.answer != "open"

    def update_verdict(
        self, worlds: Worlds, possible: list[Mask], line: int, rival: Question | None = None
    ) -> None:
        """Judge again; ``possible`` are the cards that may be in each place of the worlds."""
        if self.is_settled:
            return
        certain = certain_and_possible(self.places, possible).certain | self.had
        may = (
            certain_and_possible(self.places | self.maybe, possible).possible
            | self.had
            | self.drawn
        )
        seen = CardsInPlaces(certain & ~self.never, may & ~self.never)
        if self.charges:
            self.verdict = self._play_verdict(worlds, seen, line)
        else:
            self.verdict = self._cante_verdict(worlds, seen, line, rival)
            if self.before is not None and self.before.answer == self.verdict.answer:
                self.verdict = self.verdict._replace(since=self.before.since)
            self.before = None

    def change_sets_of_cante(self, sets: tuple[Mask, ...], *, is_alone: bool) -> None:
        """Change the sets that an announcement may mean; ``is_alone``: without its rival."""
        is_wider, self.sets = is_alone or not {*sets} <= {*self.sets}, sets
        self.rival = 0 if is_alone else self.rival
        if is_wider:
            self.before = self.verdict
        if is_wider or self.verdict.answer == "lawful":
            self.verdict = Verdict("open")

    def reopen(self) -> None:
        """Withdraw a verdict that rested on a wrong size of the hands."""
        if not (self.charges and self.verdict.shown):
            self.verdict = Verdict("open")

    def merge_places(self, hand: Places, into: Place, known: Mask, spent: Mask) -> None:
        """Replace all places of the hand by one; the ``known`` cards lay in none of them.

        If it was about some of them alone, nobody knows any more which cards were there; nor of
        those ``spent``, which were laid.
        """
        one = 1 << into
        if not hand & ~self.places and not known & ~self.had:
            self.places = self.places & ~hand | one
        else:
            self.places &= ~hand
            self.maybe = self.maybe & ~hand | one
            self.drawn |= spent

    def update_verdict_by_known_cards(self, line: int) -> None:
        """Judge again by cards known to have been held, with no conclusion on unseen cards."""
        if self.is_settled:
            return
        for charge in self.charges:
            if proof := charge.cards & self.had & ~self.never:
                self.verdict = self._unlawful_verdict(charge, proof, line)
                return
            if charge == self.verdict.charge:
                return

    def _play_verdict(self, worlds: Worlds, seen: CardsInPlaces, line: int) -> Verdict:
        """Verdict on a play by its charges, over all worlds."""
        known, live = self.verdict, 0
        for charge in self.charges:
            proof = charge.cards & seen.certain
            if proof or charge == known.charge:
                if not worlds.has_world_with_cards(0, self.places, live):
                    break
                return self._unlawful_verdict(charge, proof, line)
            live |= charge.cards & seen.possible
        else:
            if not live:
                return Verdict("lawful", line)
            if worlds.has_world_with_cards(0, self.places, live):
                return Verdict("open", settles=live)
        return self._unlawful_verdict(self._first_certain_charge(worlds, seen), 0, line)

    def _unlawful_verdict(self, charge: Charge, shown: Mask, line: int) -> Verdict:
        """Unlawful verdict; the first proof is kept unless another duty was broken."""
        known = self.verdict
        if not known.since:
            return Verdict("unlawful", line, charge, shown, named=line, shown=shown)
        if known.charge == charge and (known.shown or not shown):
            return known
        return known._replace(charge=charge, named=line, shown=shown)

    def _first_certain_charge(self, worlds: Worlds, seen: CardsInPlaces) -> Charge:
        """The first duty of which it is certain that it was broken, if none before it was."""
        reached = accumulate((charge.cards & seen.possible for charge in self.charges), or_)
        forced = [not worlds.has_world_with_cards(0, self.places, cards) for cards in reached]
        return self.charges[forced.index(True)]

    def _cante_verdict(
        self, worlds: Worlds, seen: CardsInPlaces, line: int, rival: Question | None
    ) -> Verdict:
        """Verdict on a cante by the sets that its seat may have held, over all worlds."""
        taken = rival.verdict.proof if rival and rival.verdict.answer == "lawful" else 0
        alive = self.alive = tuple(
            cards
            for cards in self.sets
            if cards != taken
            and not cards & ~seen.possible
            and worlds.has_world_with_cards(
                cards & ~self.had & ~self.drawn, self.places | self.maybe
            )
        )
        if not alive:
            return Verdict("unlawful", line)
        is_open = self._may_lack_of_each_set(worlds, seen, alive)
        if rival and rival.verdict.answer != "unlawful":
            left = ([c for c in alive if c != theirs] for theirs in rival.alive if theirs in alive)
            is_open = is_open or any(
                self._may_lack_of_each_set(worlds, seen, cards) for cards in left
            )
        if is_open:
            named = mask_of(card for cards in alive for card in cards_in(cards))
            return Verdict("open", settles=named & ~seen.certain)
        return Verdict("lawful", line, proof=alive[0] if len(alive) == 1 else 0)

    def _may_lack_of_each_set(
        self, worlds: Worlds, seen: CardsInPlaces, alive: Sequence[Mask]
    ) -> bool:
        """Whether in some world a card of each of these sets was not held."""
        for missing in product(*(cards_in(cards) for cards in alive)):
            lacked = mask_of(missing)
            if not lacked & seen.certain and worlds.has_world_with_cards(0, self.places, lacked):
                return True
        return False


def certain_and_possible(places: Places, possible: list[Mask]) -> CardsInPlaces:
    """Cards that in every world lie in these places, and those that may."""
    inside = outside = 0
    for place, cards in enumerate(possible):
        if places >> place & 1:
            inside |= cards
        else:
            outside |= cards
    return CardsInPlaces(inside & ~outside, inside)
