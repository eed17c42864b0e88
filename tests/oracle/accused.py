"""Random partidas with renuncios, and with accusations and rulings about them in every order."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from tests.oracle.habits import CHANGES, RENUNCIO_CHANGES, Habits
from tests.oracle.law import TABLES, lawful_cards, rules_of
from tests.oracle.partidas import Table
from tests.oracle.reading import read
from tests.oracle.renuncios import Accusations
from tests.oracle.texts import Written, header_of

OF_DUTIES = ("beat_partner", "trump_partner", "beat_after_trumped", "overtrump", "undertrump")
DUTY_CHANGES = {option: CHANGES[option] for option in OF_DUTIES}


@dataclass
class Accused(Table):
    """A table at which cards are laid against the duties, and somebody speaks of it."""

    broken: list[tuple[int, str, int]] = field(default_factory=list)
    """Line, seat and trick of each breach, also of those that the record does not prove."""
    said: list[int] = field(default_factory=list)
    """Lines of accusations and of rulings."""
    tricks: int = 0
    is_free: bool = True
    plays_left: int = 99

    @property
    def text(self) -> str:
        """What was written so far."""
        return Written(header_of(self.rules, self.changes), self.lines).text

    def _trick(self, leader: str, *, free: bool) -> str:
        self.tricks += 1
        self.is_free = free
        return super()._trick(leader, free=free)

    def _state_facts(self) -> None:
        if self.lines[-1].startswith(("reparto", "pinta", "tiene")):
            return
        self._see_breach()
        super()._state_facts()
        if self.rules.talk_is_renuncio and self.happens(self.habits.accuses / 2):
            self._talk()
        if self.broken and self.happens(self.habits.accuses):
            self.speak()
        self.plays_left -= not self.is_free
        is_over = self.plays_left <= 0 or not any(self.hands.values())
        self.has_ended = is_over or (bool(self.said) and has_loser(self.text))

    def _see_breach(self) -> None:
        """Take note of a card that was laid against a duty."""
        if not self.plays or self.is_free:
            return
        *before, (seat, card) = self.plays
        hand = {*self.hands[seat], card}
        if card not in lawful_cards(hand, before, seat, self.trump, self.rules):
            self.broken.append((len(self.lines), seat, self.tricks))

    def _talk(self) -> None:
        seat = self.chance.choice(self.rules.seats)
        self.lines.append(f"incidente charla {seat}")
        is_closed = len(self.plays) == self.rules.players
        self.broken.append((len(self.lines), seat, self.tricks + is_closed))

    def speak(self) -> None:
        """An accusation, or a ruling of the arbiter, most of the time about a true breach."""
        line, seat, trick = self.chance.choice(self.broken)
        others = [one for one in self.rules.seats if one[0] != seat[0]]
        if self.said and self.happens(0.15):
            about = self.chance.choice([*self.said, line])
            self.lines.append(f'resuelve anula-linea linea {about} "se retira"')
        elif self.happens(0.4):
            self.lines.append(f'resuelve renuncio-linea linea {line} "visto por todos"')
        else:
            named = f" baza {trick}" if self.happens(0.8) else ""
            self.lines.append(f"renuncio {self.chance.choice(others)} contra {seat}{named}")
        self.said.append(len(self.lines))

    def speak_on(self) -> None:
        """What is said and shown when the partida is over, or play is stopped."""
        for _ in range(self.chance.randint(1, 5)):
            if self.broken and self.happens(0.7):
                self.speak()
            else:
                kind = self.chance.choice(self.habits.kinds)
                getattr(self, f"_fact_{kind}")(self.chance.choice(self.rules.seats))


def has_loser(text: str) -> bool:
    """Whether a renuncio has decided the partida."""
    return Accusations(read(text)).lost_by() is not None


def accused(seed: int, habits: Habits) -> Written:
    """A random partida in which there are renuncios, cut off some time after the stock is gone."""
    chance = random.Random(seed)
    tables = [table for table in TABLES if table[0] == "sin-mazo" or chance.random() < habits.stock]
    name, players, deck = chance.choice(tables)
    changes = {
        option: chance.choice(values)
        for option, values in {**RENUNCIO_CHANGES, **DUTY_CHANGES}.items()
        if chance.random() < habits.changes
    }
    table = Accused(rules_of(name, players, deck, **changes), chance, habits, changes)
    if chance.random() < habits.cut:
        table.plays_left = chance.randint(players, 5 * players)
    table.play_deal(chance.choice(table.rules.seats))
    table.speak_on()
    return Written(header_of(table.rules, changes), table.lines)
