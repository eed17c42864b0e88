"""Pairs of a tournament as lines of text, or as the table that the program exports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from api.club.matching import NO_ANSWERS
from api.club.pairs.lines import PairLine, SplitLine, pairs_of, split_lines
from api.club.players_csv import CellFault
from api.club.reading import KnownPlayer, PartnersData
from api.http.languages import LANGUAGES, say
from api.http.spreadsheets import BadTable, read_table


def read_pairs(
    text: str,
    of_pair: int,
    known: Sequence[KnownPlayer],
    pairs: Sequence[PartnersData] = (),
    answers: Mapping[str, str] = NO_ANSWERS,
) -> tuple[list[PairLine], list[CellFault]]:
    """The pairs of a text, and what is wrong with it: lines, or the exported table of the pairs."""
    exported = _of_table(text)
    lines = split_lines(text) if exported is None else exported
    return pairs_of(lines, of_pair, known, pairs, answers)


def _of_table(text: str) -> list[SplitLine] | None:
    """Rows of a table under our headings, without the numbers of the pairs; None if it is none."""
    try:
        head, *rows = read_table(text)
    except (BadTable, ValueError):
        return None
    headings = {say("tournament_page.pair", lang) for lang in LANGUAGES}
    if not head.cells or head.cells[0] not in headings:
        return None
    parted = [(line, tuple(cell.strip() for cell in cells[1:])) for line, cells in rows]
    kept = [(line, tuple(cell for cell in cells if cell)) for line, cells in parted]
    return [SplitLine(line, (), (cells,)) for line, cells in kept if cells]
