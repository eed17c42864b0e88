"""The text of a record that the oracle makes up: its header, and its lines."""

from __future__ import annotations

from dataclasses import dataclass

from tests.oracle.law import EDITIONS, SUITS, Rules

FRENCH = str.maketrans({"R": "K", "S": "Q"})
FRENCH_SUITS = dict(zip(SUITS, "DHSC", strict=True))
WORDS = dict(zip(SUITS, ("oros", "copas", "espadas", "bastos"), strict=True))
FRENCH_WORDS = dict(zip(SUITS, ("diamantes", "corazones", "picas", "treboles"), strict=True))


@dataclass
class Written:
    """A record as text: the header, and one act a line."""

    header: str
    lines: list[str]

    @property
    def text(self) -> str:
        """The text record."""
        return f"{self.header}\npartida 1\n" + "".join(f"{line}\n" for line in self.lines)


def header_of(rules: Rules, changes: dict[str, str | int | bool]) -> str:
    """Tags of a record under these rules."""
    name = f'[Profile "{"propio" if changes else rules.profile}"]\n'
    base = f'[Base "{rules.profile}"]\n' if changes else ""
    edition = f'[Edition "{rules.edition}"]\n' if rules.edition != EDITIONS[-1] else ""
    pack = "french_queen_sota" if rules.french else "spanish"
    table = f'[Players "{rules.players}"]\n[Deck "{rules.deck}"]\n[Pack "{pack}"]\n'
    options = "".join(f"[Option {key} {_plain(changes[key])}]\n" for key in sorted(changes))
    return f'[Guinote "1"]\n{name}{edition}{base}{table}{options}'


def _plain(value: str | int | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else f'"{value}"'
