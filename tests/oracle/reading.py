"""Reader of text records for the oracle: the acts of a partida, deal by deal.

It reads only what the generator of the oracle writes, and fails on anything else.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from tests.oracle.law import EDITIONS, SUITS, Play, Rules, rules_of, winning

FRENCH_RANKS = str.maketrans("KQJ", "RSC")
FRENCH_SUITS = {"D": "O", "H": "C", "S": "E", "C": "B"}
SHOWN = {"vistas": True, "tapadas": False}
SUIT_OF_WORD = {
    "oros": "O",
    "copas": "C",
    "espadas": "E",
    "bastos": "B",
    "diamantes": "O",
    "corazones": "C",
    "picas": "E",
    "treboles": "B",
}
RULINGS = {"anula-linea": "anula", "renuncio-linea": "confirma"}
NUMBERS = ("cantes_per_player", "cantes_per_side", "min_malas", "target")


class Act(NamedTuple):
    """A numbered line: its word, who, the cards named, and what else the line says.

    ``many``: cards that were drawn, or that a hand was found to have. ``by``: who asks or accuses.
    ``about``: the line that a ruling is about, or the trick and ``deal`` the deal of an accusation.
    """

    line: int
    word: str
    seat: str = ""
    cards: tuple[str, ...] = ()
    suits: str = ""
    shown: bool | None = None
    whole: bool = False
    many: int = 1
    by: str = ""
    about: int = 0
    deal: int = 0


@dataclass
class Deal:
    """Acts of one deal, and what follows from them without any judgement."""

    rules: Rules
    acts: list[Act] = field(default_factory=list)
    kept: dict[Any, Any] = field(default_factory=dict, repr=False)
    """What was found of this deal (see ``once``)."""
    cuts: dict[int, Deal] = field(default_factory=dict, repr=False)
    """The deal after so many acts, shared by all its cuts."""

    @cached_property
    def dealer(self) -> str:
        """Who dealt."""
        return self.acts[0].seat

    @cached_property
    def left_out(self) -> str:
        """The dos that was taken out before the deal."""
        return next(iter(self.acts[0].cards), "")

    @cached_property
    def pinta(self) -> str:
        """The turned card."""
        turned = [act.cards[0] for act in self.acts if act.word == "pinta"]
        return turned[0]

    @property
    def trump(self) -> str:
        """Suit of the turned card."""
        return self.pinta[1]

    @cached_property
    def tricks(self) -> list[list[Act]]:
        """Plays of each trick, the last of them perhaps unfinished."""
        plays = [act for act in self.acts if act.word == "play"]
        many = self.rules.players
        return [plays[at : at + many] for at in range(0, len(plays), many)]

    @cached_property
    def takers(self) -> list[str]:
        """Who took each closed trick."""
        closed = [trick for trick in self.tricks if len(trick) == self.rules.players]
        return [winning(laid(trick), self.trump, self.rules)[0] for trick in closed]

    @cached_property
    def gaps(self) -> int:
        """Number of tricks after which cards are drawn."""
        if self.rules.pinta_from != "first_stock_card":
            return 0
        dealt = self.rules.hand_size * self.rules.players
        cards = len(self.rules.cards) - (1 if self.left_out else 0)
        return (cards - dealt) // self.rules.players

    @cached_property
    def many_tricks(self) -> int:
        """Number of tricks of the whole deal."""
        return self.gaps + self.rules.hand_size

    def tricks_before(self, line: int) -> int:
        """Number of tricks closed before this line."""
        return sum(one < line for one in self.closings)

    @cached_property
    def closings(self) -> tuple[int, ...]:
        """Line that closes each trick."""
        return tuple(map(self.closes, range(1, len(self.takers) + 1)))

    def closes(self, number: int) -> int:
        """Line that closes this trick, counted from 1."""
        return self.tricks[number - 1][-1].line

    def opens(self, number: int) -> int | None:
        """Line of the lead of this trick, counted from 1."""
        return self.tricks[number - 1][0].line if number <= len(self.tricks) else None

    def position(self, play: Act) -> tuple[int, list[Act]]:
        """Number of the trick of a play, and the plays of that trick before it."""
        number, at = self._places[play.line]
        return number, self.tricks[number - 1][:at]

    @cached_property
    def _places(self) -> dict[int, tuple[int, int]]:
        """Trick of each line with a play, counted from 1, and the number of plays before it there."""
        return {
            play.line: (number, at)
            for number, trick in enumerate(self.tricks, 1)
            for at, play in enumerate(trick)
        }

    def assert_orderly(self) -> None:
        """Assert that cards fall and are drawn in turn: of anything else the oracle knows nothing."""
        assert [act.word for act in self.acts[:2]] == ["reparto", "pinta"][: len(self.acts)]
        assert sum(act.word == "pinta" for act in self.acts) <= 1
        leads = [self.rules.order_from(self.dealer)[1], *self.takers]
        for leader, trick in zip(leads, self.tricks, strict=False):
            assert [play.seat for play in trick] == list(self.rules.order_from(leader))[
                : len(trick)
            ]
        drawn: list[tuple[int, str]] = []
        for act in self.acts:
            if act.word == "draw":
                gap = self.tricks_before(act.line)
                opens = self.opens(gap + 1)
                assert 0 < gap <= self.gaps
                assert opens is None or act.line < opens
                drawn.append((gap, act.seat))
        assert len(drawn) == len(set(drawn))
        self._assert_balanced()

    def _assert_balanced(self) -> None:
        """Assert that a card dealt or drawn too many is missing elsewhere: the stock comes out even."""
        found = [act.many - self.rules.hand_size for act in self.acts if act.word == "tiene"]
        assert sum(found) == 0
        many = {
            (self.tricks_before(act.line), act.seat): act.many
            for act in self.acts
            if act.word == "draw"
        }
        for (gap, seat), cards in many.items():
            if cards == 0:
                assert many.get((gap - 1, seat)) == 2
            elif cards > 1:
                is_over = len(self.tricks) > gap + 1
                assert not is_over or many.get((gap + 1, seat)) == 0

    def annulled(self) -> set[int]:
        """Lines that a ruling annulled before the deal was over."""
        is_over = len(self.takers) == self.many_tricks
        end = self.closes(self.many_tricks) if is_over else self.acts[-1].line
        return {act.about for act in self.acts if act.word == "anula" and act.line <= end}

    def cut(self, line: int) -> Deal:
        """The deal as it was recorded up to this line: the same one each time."""
        many = bisect_right(self.acts, line, key=lambda act: act.line)
        if many not in self.cuts:
            self.cuts[many] = Deal(self.rules, self.acts[:many], cuts=self.cuts)
        return self.cuts[many]


Given = ParamSpec("Given")
Found = TypeVar("Found")


def once(
    find: Callable[Concatenate[Deal, Given], Found],
) -> Callable[Concatenate[Deal, Given], Found]:
    """A function of a deal that keeps with the deal what it found: each question is asked again and again."""

    @wraps(find)
    def kept(deal: Deal, *given: Given.args, **named: Given.kwargs) -> Found:
        key = find, given, *named.items()
        if key not in deal.kept:
            deal.kept[key] = find(deal, *given, **named)
        found: Found = deal.kept[key]
        return found

    return kept


@dataclass
class Record:
    """A partida: the rules of its table, and its acts."""

    rules: Rules
    acts: list[Act]

    @cached_property
    def deals(self) -> list[Deal]:
        """Its deals, each from its ``reparto``."""
        found: list[Deal] = []
        for act in self.acts:
            if act.word == "reparto":
                found.append(Deal(self.rules))
            found[-1].acts.append(act)
        return found


def laid(plays: Sequence[Act]) -> tuple[Play, ...]:
    """Plays as pairs of seat and card."""
    return tuple((play.seat, play.cards[0]) for play in plays)


@lru_cache(4)
def read(text: str) -> Record:
    """Parse a text record."""
    tags = dict(re.findall(r'^\[(\w+) "?([^"]*?)"?\]$', text, re.MULTILINE))
    changes = dict(re.findall(r'^\[Option (\w+) "?([^"]*?)"?\]$', text, re.MULTILINE))
    name = tags.get("Base") or tags["Profile"]
    values = {option: _value(option, value) for option, value in changes.items()}
    values["edition"] = tags.get("Edition", EDITIONS[-1])
    rules = rules_of(name, int(tags["Players"]), int(tags["Deck"]), **values)
    body = text.split("partida 1\n", 1)[1]
    acts = [act for line in body.splitlines() for act in _acts(line.split(), french=rules.french)]
    return Record(rules, [act._replace(line=number) for number, act in enumerate(acts, 1)])


def _value(option: str, text: str) -> str | int | bool | None:
    if text in ("true", "false"):
        return text == "true"
    if option == "cantes_per_side" and text == "0":
        return None  # no limit
    return int(text) if option in NUMBERS else text


def _acts(words: list[str], *, french: bool) -> Iterator[Act]:
    """Acts of one line of the record."""
    if not words:
        return
    word, rest = words[0], words[1:]
    seat = rest[0] if rest else ""
    if word == "+":
        for at in range(0, len(rest), 2):
            seen = () if rest[at + 1] == "?" else (_card(rest[at + 1], french=french),)
            yield Act(0, "draw", rest[at], seen)
    elif re.fullmatch(r"[ABC][12]", word):
        for at in range(0, len(words), 2):
            yield Act(0, "play", words[at], (_card(words[at + 1], french=french),))
    elif word == "reparto":
        out = rest[rest.index("sin") + 1 :][:1] if "sin" in rest else []
        yield Act(0, word, seat, _cards(out, french=french))
    elif word == "pinta":
        yield Act(0, word, "", _cards(rest, french=french))
    elif word in ("cartas", "ahora", "cambia"):
        yield Act(0, word, seat, _cards(rest[1:], french=french))
    elif word == "canta":
        yield Act(0, word, seat, suits=SUIT_OF_WORD.get(rest[1], ""), shown=SHOWN.get(rest[-1]))
    elif word == "tute":
        rank = {"reyes": "R", "sotas": "S"}[rest[1]]
        four = tuple(rank + suit for suit in SUITS)
        yield Act(0, word, seat, four, shown=SHOWN.get(rest[-1]))
    elif word == "pregunta":
        yield Act(0, word, rest[2], suits=SUIT_OF_WORD.get(rest[3], ""), by=seat)
    elif word in ("resuelve", "renuncio", "incidente"):
        yield _about_conduct(word, rest)
    elif word == "tiene":
        yield Act(0, word, seat, many=int(rest[1]))
    elif word == "malrobo":
        yield _wrong_draw(rest, french=french)
    elif word == "ensena":
        yield _shown(rest, french=french)
    else:
        assert word in ("101", "cuenta"), words
        yield Act(0, word, seat)


def _about_conduct(word: str, rest: list[str]) -> Act:
    """A ruling, an accusation of a renuncio, or an incident."""
    if word == "incidente":
        return Act(0, rest[0], rest[1])
    if word == "resuelve":
        assert rest[1] == "linea", rest
        return Act(0, RULINGS[rest[0]], about=int(rest[2]))
    told = dict(zip(rest[3::2], map(int, rest[4::2]), strict=True))
    trick, deal = told.get("baza", 0), told.get("reparto", 0)
    return Act(0, word, rest[2], by=rest[0], about=trick, deal=deal)


def _wrong_draw(rest: list[str], *, french: bool) -> Act:
    """A draw out of order, of two cards, or of none."""
    many = {"turno": 1, "dos": 2, "nada": 0}[rest[1]]
    return Act(0, "draw", rest[0], _cards(rest[2:], french=french), many=many)


def _shown(rest: list[str], *, french: bool) -> Act:
    """Cards and voids that a seat shows."""
    at = rest.index("sin") if "sin" in rest else len(rest)
    cards = [word for word in rest[1:at] if word != "todas"]
    suits = "".join(SUIT_OF_WORD[word] for word in rest[at + 1 :])
    return Act(0, "ensena", rest[0], _cards(cards, french=french), suits, whole="todas" in rest)


def _cards(words: Sequence[str], *, french: bool) -> tuple[str, ...]:
    return tuple(_card(word, french=french) for word in words)


def _card(word: str, *, french: bool) -> str:
    if not french:
        return word
    return word[0].translate(FRENCH_RANKS) + FRENCH_SUITS[word[1]]
