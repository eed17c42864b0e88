"""Results of evenings as a table in a text file, as spreadsheets and this program write it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from api.club.pairs.lines import BETWEEN_PLAYERS
from api.club.players_csv import BadFile, CellFault, rows_with_content
from api.http.fields import FieldFault
from api.http.names import fold_name
from api.http.spreadsheets import NumberedCells
from referee.rules.match_scores import LONGEST_COUNT

MOST_LINES: Final = 1_000
_WORDS: Final = {
    "day": "fecha dia data date day jour",
    "table": "mesa taula table",
    "score": "resultado marcador resultat marcador result score",
    "winner": "ganador guanyador winner vainqueur",
    "side": "pareja bando equipo parella bandol equip side pair team equipe camp paire",
    "made": "tanteo tanteig cotos partidas puntos tantos score made",
    "player": "jugador jugadora player joueur joueuse",
}
"""Words of headings by what stands below them, without case and accents."""
_MEANING: Final = {word: what for what, words in _WORDS.items() for word in words.split()}
_OF_EACH: Final = frozenset({"side", "made", "player"})
"""What a heading has a number for: that of the side, or of the player."""
_WITHOUT_HEADINGS: Final = ("day", "table", "side 1", "made 1", "side 2", "made 2")
_OF_THREE: Final = (*_WITHOUT_HEADINGS, "side 3", "made 3")
_HEADING: Final = re.compile(r"(\w+?)\s*([1-4]?)")
_YEAR_FIRST: Final = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T].*)?")
_DAY_FIRST: Final = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?:[ T].*)?")
_BETWEEN_COUNTS: Final = re.compile(r"\s*(?:[-\u2013\u2014:/]|\ba\b)\s*")
_NAMED_MONTH: Final = re.compile(r"(?:(\d{1,2})[- ])?([a-z]{3,4})\.?(?:[- ](\d{2}))?")
_MONTHS: Final = {
    **dict.fromkeys(("ene", "gen", "jan"), 1),
    **dict.fromkeys(("feb", "fev"), 2),
    "mar": 3,
    **dict.fromkeys(("abr", "apr", "avr"), 4),
    **dict.fromkeys(("may", "mai"), 5),
    **dict.fromkeys(("jun", "juin"), 6),
    **dict.fromkeys(("jul", "juil"), 7),
    **dict.fromkeys(("ago", "aug", "aou"), 8),
    **dict.fromkeys(("sep", "set"), 9),
    "oct": 10,
    "nov": 11,
    **dict.fromkeys(("dic", "dec", "des"), 12),
}
"""Months by the beginnings of their names, in four languages, without accents."""
_LARGEST_TABLE: Final = 200
_PLAYERS_OF_PAIRS: Final = 4


class ResultLine(NamedTuple):
    """A result of a file: line, day, table (0: not said), sides as written, what each made.

    One side without a score says who came and did not play.
    """

    line: int
    day: str
    table: int
    sides: tuple[str, ...]
    score: tuple[int, ...]

    @property
    def has_only_attendance(self) -> bool:
        """Whether it only says who came."""
        return len(self.sides) == 1 and not self.score


class ResultsFile(NamedTuple):
    """The results of a file, what is wrong in other lines, headings of unknown columns.

    ``notes``: scores of which a spreadsheet had made dates, as they are read.
    """

    lines: tuple[ResultLine, ...]
    faults: tuple[CellFault, ...]
    ignored: tuple[str, ...]
    notes: tuple[CellFault, ...] = ()


def read_results(text: str) -> ResultsFile:
    """The results of a file; a line that cannot be read has a fault.

    >>> tuple(read_results("19/11/2026;4;Ana · Eva;2;Blas · Luis;1").lines[0])
    (1, '2026-11-19', 4, ('Ana · Eva', 'Blas · Luis'), (2, 1))
    """
    try:
        rows = list(rows_with_content(text))
        columns, ignored, is_headed = _parse_headings(rows[:1])
    except BadFile as bad:
        return ResultsFile((), bad.faults, ())
    body = rows[1:] if is_headed else rows
    lines, faults, notes = [], [], []
    for row in body[:MOST_LINES]:
        read = _read_line(row, columns)
        notes += _date_score_warnings(row, columns)
        if isinstance(read, CellFault):
            faults.append(read)
        else:
            lines.append(read)
    if not body:
        faults.append(CellFault(1, 0, FieldFault("no_results")))
    if len(body) > MOST_LINES:
        at = body[MOST_LINES].line
        faults.insert(0, CellFault(at, 0, FieldFault("too_many_lines", max=MOST_LINES)))
    return ResultsFile(tuple(lines), tuple(faults), ignored, tuple(notes))


def _parse_headings(
    head: Sequence[NumberedCells],
) -> tuple[Sequence[str], tuple[str, ...], bool]:
    """What stands in each column, unknown headings, and whether there are headings.

    :raises BadFile: neither headings with a day nor a day, or a heading twice
    """
    line, cells = head[0] if head else (1, [""])
    if _day_or_empty(cells[0]) or not head:
        own = _OF_THREE if len(cells) > len(_WITHOUT_HEADINGS) + 1 else _WITHOUT_HEADINGS
        return (*own, "winner"), (), False
    columns = [_column_of_heading(cell) for cell in cells]
    if "day" not in columns:
        raise BadFile([CellFault(line, 0, FieldFault("no_day_heading"))])
    for at, what in enumerate(columns):
        if what and what in columns[:at]:
            raise BadFile([CellFault(line, at + 1, FieldFault("heading_twice"))])
    ignored = [cell for cell, what in zip(cells, columns, strict=True) if cell and not what]
    return columns, tuple(ignored), True


def _column_of_heading(heading: str) -> str:
    """What a column has, by its heading; empty if the heading is unknown.

    >>> [_column_of_heading(one) for one in ("Fecha", "Pareja 2", "tanteo 1", "resultado", "edad")]
    ['day', 'side 2', 'made 1', 'score', '']
    """
    found = _HEADING.fullmatch(fold_name(heading))
    word, number = (found[1], found[2]) if found else ("", "")
    if number:
        what = "made" if word == "score" else _MEANING.get(word, "")
        return f"{what} {number}" if what in _OF_EACH else ""
    what = _MEANING.get(word, "")
    return "" if what in _OF_EACH else what


def _read_line(row: NumberedCells, columns: Sequence[str]) -> ResultLine | CellFault:
    """A result, or what is wrong with its line."""
    number, cells = row
    if any(cells[len(columns) :]):
        return CellFault(number, len(columns) + 1, FieldFault("cells_beyond", max=len(columns)))
    given = {what: cell for what, cell in zip(columns, cells, strict=False) if cell}

    def fault(what: str, code: str) -> CellFault:
        return CellFault(
            number, columns.index(what) + 1 if what in columns else 0, FieldFault(code)
        )

    day = _day_or_empty(given.get("day", ""))
    if not day:
        return fault("day", "not_a_day")
    table = given.get("table", "0")
    if not (table.isascii() and table.isdecimal() and int(table[:6]) <= _LARGEST_TABLE):
        return fault("table", "not_whole")
    sides = _side_texts(given, columns)
    score = _score_or_none(given, len(sides))
    if score is None:
        return fault("score" if "score" in columns else "made 1", "score_wanted")
    return ResultLine(number, day, int(table), sides, score)


def _day_or_empty(text: str) -> str:
    """A day as the program writes it; empty if a text is none.

    >>> [_day_or_empty(one) for one in ("2026-11-19", "19/11/2026", "5.1.26", "31/11/2026", "Ana")]
    ['2026-11-19', '2026-11-19', '2026-01-05', '', '']
    """
    if found := _YEAR_FIRST.fullmatch(text):
        year, month, day = found.groups()
    elif found := _DAY_FIRST.fullmatch(text):
        day, month, year = found.groups()
    else:
        return ""
    try:
        return date(int(year if year[2:] else f"20{year}"), int(month), int(day)).isoformat()
    except ValueError:
        return ""


def _score_from_date_cell(text: str, day: str) -> str:
    """The score of which a spreadsheet made a date, as it was typed; empty if a text is no date.

    The day stands first, as in Spain. Where no day has such a number the program took the month
    and the year, and the date is of another year than the evening.

    >>> cells = ("2026-01-02", "02-ene", "2020-01-01", "2-1")
    >>> [_score_from_date_cell(one, "19/11/2026") for one in cells]
    ['2-1', '2-1', '1-20', '']
    """
    if named := _NAMED_MONTH.fullmatch(fold_name(text)):
        first, word, last = named.groups()
        month = next((n for start, n in _MONTHS.items() if word.startswith(start)), 0)
        return "" if not month else f"{int(first)}-{month}" if first else f"{month}-{int(last)}"
    year, month_of, day_of = (_day_or_empty(text) or "--").split("-")
    if not year:
        return ""
    if day_of == "01" and year != _day_or_empty(day)[:4]:
        return f"{int(month_of)}-{int(year[2:])}"
    return f"{int(day_of)}-{int(month_of)}"


def _date_score_warnings(row: NumberedCells, columns: Sequence[str]) -> list[CellFault]:
    """Notice of a score that a spreadsheet had made a date, with the score as it was read."""
    given = dict(zip(columns, row.cells, strict=False))
    read = _score_from_date_cell(given.get("score", ""), given.get("day", ""))
    if not read:
        return []
    fault = FieldFault("score_as_day", text=read)
    return [CellFault(row.line, columns.index("score") + 1, fault)]


def _side_texts(given: Mapping[str, str], columns: Sequence[str]) -> tuple[str, ...]:
    """The sides as written: each in a cell, or its players in cells of their own."""
    sides = tuple(given[one] for one in ("side 1", "side 2", "side 3") if one in given)
    if sides:
        return sides
    places = [one for one in columns if one.startswith("player ")]
    players = [given[one] for one in sorted(places) if one in given]
    if len(places) < _PLAYERS_OF_PAIRS or len(players) < _PLAYERS_OF_PAIRS:
        return tuple(players)
    return BETWEEN_PLAYERS.join(players[:2]), BETWEEN_PLAYERS.join(players[2:])


def _score_or_none(given: Mapping[str, str], sides: int) -> tuple[int, ...] | None:
    """What each side made; nothing for one side that only came, None if it cannot be read."""
    if "score" in given:
        made = _BETWEEN_COUNTS.split(
            _score_from_date_cell(given["score"], given["day"]) or given["score"]
        )
    else:
        made = [given[one] for one in ("made 1", "made 2", "made 3") if one in given]
    if not made and sides == 1:
        return ()
    are_counts = all(one.isascii() and one.isdecimal() for one in made)
    if not are_counts or len(made) != sides or any(len(one) > LONGEST_COUNT for one in made):
        return None
    return tuple(map(int, made))
