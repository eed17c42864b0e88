"""Players of a table in a text file, as spreadsheets and this program write it.

A line of headings, in any of the four languages, is optional.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import marshmallow as ma

from api.club.messages import Message, SeenPhone, name_in_mixed_case, parse_pasted_list
from api.club.schemas import PlayerIn
from api.http.fields import GENERAL, FieldFault, fault_of_message
from api.http.spreadsheets import MARK, SEPARATORS, BadTable, NumberedCells, parse_numbered_rows

MOST_LINES: Final = 2_000
FIELDS: Final = ("name", "nickname", "club")
_HEADINGS: Final = {
    "name": ("nombre", "jugador", "nom", "name", "player", "joueur", "nombre y apellidos"),
    "surname": ("apellidos", "apellido", "cognoms", "cognom", "surname", "last name"),
    "nickname": ("apodo", "mote", "alias", "sobrenom", "malnom", "nickname", "surnom"),
    "club": ("club", "peña", "penya", "equipo", "equip", "team", "équipe"),
    "phone": (
        *("teléfono", "telefono", "tel", "tel.", "móvil", "movil", "telèfon", "mòbil"),
        *("phone", "telephone", "mobile", "téléphone", "portable"),
    ),
}
_FIELD_OF: Final = {word: field for field, words in _HEADINGS.items() for word in words}
_SHAPE: Final = PlayerIn()
_BLANKS: Final = re.compile(r"[ \t\u00a0]+")


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
    """The players of a file, headings of unknown columns, and what is left out of its lines.

    ``phones``: telephones of the lines.
    """

    lines: tuple[PlayerLine, ...]
    ignored: tuple[str, ...]
    left_out: tuple[CellFault, ...] = ()
    phones: tuple[SeenPhone, ...] = ()


def parse_players_file(text: str) -> PlayersFile:
    """Players and telephones parsed from the text of a file or a pasted list.

    :raises BadFile: something in it is wrong
    """
    message = None if _is_quoted_table(text) else parse_pasted_list(text)
    rows = list(rows_with_content(text if message is None else message.names_as_text))
    columns, ignored, is_headed = _parse_headings(rows[:1])
    body = rows[1:] if is_headed else rows
    faults: list[CellFault] = []
    lines = [one for row in body if (one := _player_line_or_none(row, columns, faults))]
    if not body:
        faults.append(CellFault(1, 0, FieldFault("no_lines")))
    if len(body) > MOST_LINES:
        at = body[MOST_LINES][0]
        faults.insert(0, CellFault(at, 0, FieldFault("too_many_lines", max=MOST_LINES)))
    if faults:
        raise BadFile(faults)
    if message is None:
        return PlayersFile(tuple(lines), ignored, (), tuple(_phones_in_column(body, columns)))
    return PlayersFile(tuple(lines), ignored, faults_for_left_out_text(message), message.phones)


def _phones_in_column(rows: Sequence[NumberedCells], columns: Sequence[str]) -> Iterator[SeenPhone]:
    """The telephones of a table that a program wrote, if it has a column of them."""
    for line, cells in rows if "phone" in columns else ():
        for cell in cells[columns.index("phone") :][:1]:
            yield SeenPhone(line, cell, ())


def faults_for_left_out_text(message: Message) -> tuple[CellFault, ...]:
    """Faults that tell what was left out of each line of a pasted list."""
    return tuple(CellFault(line, 0, fault) for line, fault in message.left_out)


def _is_quoted_table(text: str) -> bool:
    """Whether a text is a table that a program wrote: its cells are in quotation marks."""
    return text.startswith((MARK, '"'))


def rows_with_content(text: str) -> Iterator[NumberedCells]:
    """Rows of a table that are not empty; a row of nothing but separators is empty.

    :raises BadFile: a quotation does not end
    """
    try:
        for line, cells in parse_numbered_rows(text):
            found = [_BLANKS.sub(" ", cell).strip() for cell in cells]
            if any(found) and (len(found) > 1 or found[0].strip(SEPARATORS)):
                yield NumberedCells(line, found)
    except BadTable as bad:
        raise BadFile([CellFault(bad.line, 0, FieldFault("not_csv"))]) from None


def _parse_headings(head: Sequence[NumberedCells]) -> tuple[list[str], tuple[str, ...], bool]:
    """Field of each column, unknown headings, and whether there are headings.

    :raises BadFile: headings without the name, or one of them twice
    """
    line, cells = head[0] if head else (0, [])
    columns = [_FIELD_OF.get(cell.casefold(), "") for cell in cells]
    is_headed = "name" in columns or (all(columns) and bool(columns))
    if not is_headed:
        return [*FIELDS], (), False
    for at, field in enumerate(columns):
        if field not in ("", "phone") and field in columns[:at]:
            raise BadFile([CellFault(line, at + 1, FieldFault("heading_twice"))])
    if "name" not in columns:
        raise BadFile([CellFault(line, 0, FieldFault("no_name_heading"))])
    ignored = [cell for cell, field in zip(cells, columns, strict=True) if cell and not field]
    return columns, tuple(ignored), True


def _player_line_or_none(
    row: NumberedCells, columns: Sequence[str], faults: list[CellFault]
) -> PlayerLine | None:
    """A player; None if a value is wrong, and then the fault is added."""
    number, cells = row
    if any(cells[len(columns) :]):
        fault = FieldFault("cells_beyond", max=len(columns))
        faults.append(CellFault(number, len(columns) + 1, fault))
        return None
    given = dict(zip(columns, cells, strict=False))
    name = name_in_mixed_case(f"{given.get('name', '')} {given.get('surname', '')}".strip())
    body = {one: given[one] for one in FIELDS[1:] if given.get(one)}
    if name:
        body["name"] = name
    try:
        found = _SHAPE.load(body)
    except ma.ValidationError as error:
        messages: dict[str, list[str]] = error.messages_dict
        for field, (message, *_) in messages.items():
            fault = fault_of_message(message) or FieldFault(GENERAL)
            faults.append(CellFault(number, columns.index(field) + 1, fault))
        return None
    return PlayerLine(number, found["name"], found.get("nickname", ""), found.get("club", ""))
