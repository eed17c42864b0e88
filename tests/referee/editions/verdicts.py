"""Verdicts of every published edition of the six profiles, on records that are kept with them.

``PYTHONPATH=. python tests/referee/editions/verdicts.py`` writes ``tests/golden/editions.txt`` again: the
records stay, what each edition says of them is worked out anew. A line that changes is another verdict on what
is already played, so it changes on purpose or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from referee.aggregates.commands import Record
from referee.aggregates.encuentro import freeze_profile
from referee.aggregates.partida import Partida, decide, fold
from referee.events import PartidaOpened
from referee.record import parse_record
from referee.rules.profile.options import EDITIONS
from referee.rules.profile.profile import profile
from referee.table.counts import assess_claim, partida_totals
from referee.table.verdicts import judge_acts
from tests.support.places import ROOT

FILE = ROOT / "tests" / "golden" / "editions.txt"
EACH = " / "
EVERY = "every"
FRENCH = "baraja-francesa"


class Kept(NamedTuple):
    """A record of a table: its profile, players and deck, what it is about, and its acts."""

    profile: str
    players: int
    deck: int
    about: str
    acts: str

    @property
    def title(self) -> str:
        """The first line."""
        return f"{self.profile} {self.players} {self.deck}: {self.about}"

    @property
    def text(self) -> str:
        """The text record."""
        pack = "french_queen_sota" if self.profile == FRENCH else "spanish"
        tags = {"Guinote": "1", "Players": self.players, "Deck": self.deck, "Pack": pack}
        header = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
        return f"{header}\npartida 1\n" + self.acts.replace(EACH, "\n") + "\n"


def blocks() -> list[tuple[Kept, str]]:
    """The records of the file, each with its block."""
    found = FILE.read_text(encoding="utf-8").strip().split("\n\n")[1:]
    return [(_read(*block.splitlines()[:2]), block) for block in found]


def said_in(block: str) -> dict[str, str]:
    """What a block says, by edition."""
    lines = (line.partition(" = ") for line in block.splitlines()[2:])
    return {name: words for name, _, words in lines}


def _read(title: str, acts: str) -> Kept:
    table, _, about = title.partition(": ")
    name, players, deck = table.split()
    return Kept(name, int(players), int(deck), about, acts)


def played_under(record: Kept, edition: str) -> Partida:
    """The partida under an edition of its profile."""
    frozen = freeze_profile(profile(record.profile, edition), record.players, record.deck)
    state = fold([PartidaOpened("a table", 1, frozen.options, frozen.hash)])
    for act in parse_record(record.text).partidas[0].acts:
        state = decide(Record(act), state).state
    return state


def said_of(state: Partida) -> list[str]:
    """Acts that were not known at once to be lawful, claim, other findings, totals and winner."""
    return [*_words(state)]


def _words(state: Partida) -> Iterator[str]:
    table, told = state.table, set[tuple[object, ...]]()
    for row in judge_acts(table, state.standing_acts, with_slips=False):
        told.add((row.line, row.rule, row.since))
        if (row.answer, row.since) != ("lawful", row.line):
            why = f" {row.rule}" if row.rule else ""
            yield f"{row.line} {row.answer}{f' {row.since}' if row.since else ''}{why}"
    if read := assess_claim(table):
        yield f"claim {read.answer} {read.lower} {read.upper}"
    for one in sorted(table.findings, key=lambda one: (one.line, one.known_at, one.rule)):
        if (one.line, one.rule, one.known_at) not in told:
            yield f"% {one.line} {one.rule} {one.known_at}"
    totals = table.decided.totals if table.decided else partida_totals(table)
    yield " ".join(f"{side} {total}" for side, total in totals.items())
    if table.decided:
        yield f"{table.decided.winner or 'nobody'} by {table.decided.how}"


def block_of(record: Kept) -> str:
    """A record with what every edition says of it, and what only some say."""
    said = {edition: said_of(played_under(record, edition)) for edition in EDITIONS}
    first, *others = said.values()
    same = [words for words in first if all(words in other for other in others)]
    lines = {EVERY: same} | {
        edition: [one for one in words if one not in same] for edition, words in said.items()
    }
    told = [f"{name} = {EACH.join(words)}" for name, words in lines.items() if words]
    return "\n".join([record.title, record.acts, *told])


def written(records: Iterable[Kept], told: Iterable[str] | None = None) -> str:
    """The file of these records, with these blocks or as they are judged now."""
    about = (
        "# Verdicts of every published edition: a record a block, what every edition says of it, and what each alone.\n"
        "# Renewed by: PYTHONPATH=. .venv/bin/python tests/referee/editions/verdicts.py"
    )
    return "\n\n".join([about, *(map(block_of, records) if told is None else told)]) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(record for record, _ in blocks()), encoding="utf-8")
