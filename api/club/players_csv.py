"""Players as a table in a text file, as spreadsheets write and read it.

The separator is a semicolon, a comma or a tab. A line of headings, in any of the four languages, is
optional. A text that a spreadsheet would read as a formula is printed with an apostrophe before it,
which reading removes.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

import marshmallow as ma

from api.club.schemas import PlayerIn
from api.http.faults import GENERAL, FieldFault, known

MOST_LINES: Final = 2_000
FIELDS: Final = ("name", "nickname", "club")
_SEPARATORS: Final = ";\t,"
_HEADINGS: Final = {
    "name": ("nombre", "jugador", "nom", "name", "player", "joueur", "nombre y apellidos"),
    "surname": ("apellidos", "apellido", "cognoms", "cognom", "surname", "last name"),
    "nickname": ("apodo", "mote", "alias", "sobrenom", "malnom", "nickname", "surnom"),
    "club": ("club", "peña", "penya", "equipo", "equip", "team", "équipe"),
}
_FIELD_OF: Final = {word: field for field, words in _HEADINGS.items() for word in words}
_FORMULA: Final = re.compile(r"'*[=+\-@\t\r]")
_SHAPE: Final = PlayerIn()
_BLANKS: Final = re.compile(r"[ \t\u00a0]+")
_DECLARED: Final = re.compile(r"sep=(.)", re.IGNORECASE)


class PlayerLine(NamedTuple):
    """A player of a file: the number of the first line, and its values."""

    line: int
    name: str
    nickname: str
    club: str


class CellFault(NamedTuple):
    """A fault in a file: line and column from 1; column 0 is the whole line."""

    line: int
    column: int
    fault: FieldFault


class BadFile(Exception):  # noqa: N818 - it says what the file is
    """A file with something wrong in it; nothing of it is taken."""

    def __init__(self, faults: Sequence[CellFault]) -> None:
        super().__init__(faults)
        self.faults = tuple(faults)


class PlayersFile(NamedTuple):
    """The players of a file, and headings of unknown columns."""

    lines: tuple[PlayerLine, ...]
    ignored: tuple[str, ...]


def decoded(content: bytes) -> str:
    """Text of a file: UTF-8 with or without a byte order mark, UTF-16 with one, else Windows-1252.

    >>> decoded("Peña".encode("utf-8-sig")), decoded("Peña".encode("cp1252"))
    ('Peña', 'Peña')
    """
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def print_players(players: Iterable[Sequence[str]], headings: Sequence[str]) -> str:
    """The file of some players (name, nickname, club), under headings.

    >>> print_players([("Ana", "=1+1", "")], ("nombre", "apodo", "club")).splitlines()[1]
    "Ana;'=1+1;"
    """
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";")
    writer.writerow(headings)
    writer.writerows([_guarded(cell) for cell in one] for one in players)
    return "\ufeff" + out.getvalue()


def read_players(text: str) -> PlayersFile:
    """The players of a file.

    :raises BadFile: something in it is wrong
    """
    rows = list(_rows(text.removeprefix("\ufeff")))
    columns, ignored, is_headed = _columns(rows[:1])
    body = rows[1:] if is_headed else rows
    faults: list[CellFault] = []
    lines = [one for row in body if (one := _line(row, columns, faults))]
    if not body:
        faults.append(CellFault(1, 0, FieldFault("no_lines")))
    if len(body) > MOST_LINES:
        at = body[MOST_LINES][0]
        faults.insert(0, CellFault(at, 0, FieldFault("too_many_lines", max=MOST_LINES)))
    if faults:
        raise BadFile(faults)
    return PlayersFile(tuple(lines), ignored)


NumberedCells: TypeAlias = tuple[int, list[str]]
"""Number of the line where a row begins, and its cells."""


def _rows(text: str) -> Iterator[NumberedCells]:
    """Rows of a file that hold something; a row with one cell of other separators is empty.

    :raises BadFile: a quotation does not end
    """
    first, _, rest = text.partition("\n")
    declared = _DECLARED.fullmatch(first.strip('\r" '))
    skipped = 1 if declared else 0
    body = rest if declared else text
    reader = csv.reader(
        io.StringIO(body, newline=""),
        delimiter=declared[1] if declared else _separator_of(body),
        strict=True,
    )
    begun = 1
    try:
        for cells in reader:
            found = [_plain(cell) for cell in cells]
            if any(found) and (len(found) > 1 or found[0].strip(_SEPARATORS)):
                yield begun + skipped, found
            begun = reader.line_num + 1
    except csv.Error:
        raise BadFile([CellFault(begun + skipped, 0, FieldFault("not_csv"))]) from None


def _separator_of(text: str) -> str:
    """The most frequent separator of the first line with a word."""
    first = next((line for line in text.splitlines() if line.strip(f"{_SEPARATORS} ")), "")
    bare = re.sub(r'"[^"]*"', "", first)
    return max(_SEPARATORS, key=bare.count)


def _columns(head: Sequence[NumberedCells]) -> tuple[list[str], tuple[str, ...], bool]:
    """Field of each column, unknown headings, and whether there are headings.

    :raises BadFile: headings without the name, or one of them twice
    """
    line, cells = head[0] if head else (0, [])
    columns = [_FIELD_OF.get(cell.casefold(), "") for cell in cells]
    is_headed = "name" in columns or (all(columns) and bool(columns))
    if not is_headed:
        return [*FIELDS], (), False
    for at, field in enumerate(columns):
        if field and field in columns[:at]:
            raise BadFile([CellFault(line, at + 1, FieldFault("heading_twice"))])
    if "name" not in columns:
        raise BadFile([CellFault(line, 0, FieldFault("no_name_heading"))])
    ignored = [cell for cell, field in zip(cells, columns, strict=True) if cell and not field]
    return columns, tuple(ignored), True


def _line(row: NumberedCells, columns: Sequence[str], faults: list[CellFault]) -> PlayerLine | None:
    """A player; None if a value is wrong, and then the fault is added."""
    number, cells = row
    if any(cells[len(columns) :]):
        fault = FieldFault("cells_beyond", max=len(columns))
        faults.append(CellFault(number, len(columns) + 1, fault))
        return None
    given = dict(zip(columns, cells, strict=False))
    name = f"{given.get('name', '')} {given.get('surname', '')}".strip()
    body = {one: given[one] for one in FIELDS[1:] if given.get(one)}
    if name:
        body["name"] = name
    try:
        found = _SHAPE.load(body)
    except ma.ValidationError as error:
        messages: dict[str, list[str]] = error.messages_dict
        for field, (message, *_) in messages.items():
            fault = known(message) or FieldFault(GENERAL)
            faults.append(CellFault(number, columns.index(field) + 1, fault))
        return None
    return PlayerLine(number, found["name"], found.get("nickname", ""), found.get("club", ""))


def _plain(cell: str) -> str:
    """A cell without its apostrophe, and with single blanks."""
    found = cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
    return _BLANKS.sub(" ", found).strip()


def _guarded(cell: str) -> str:
    return f"'{cell}" if _FORMULA.match(cell) else cell
