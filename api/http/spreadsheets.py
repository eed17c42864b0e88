"""CSV files for spreadsheets: one format for every export, read back exactly.

What is printed: UTF-8 with a byte order mark, semicolons, every cell in quotation marks, lines that
end in CRLF, a decimal comma where the language has one. A text that a spreadsheet would read as a
formula gets an apostrophe, which reading removes. What is read: also commas, tabs, and what
spreadsheets save.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Final, NamedTuple, TypeAlias

from api.http.fields import FieldFault

SEPARATORS: Final = ";\t,"
MARK: Final = "\ufeff"
Cell: TypeAlias = str | int | float | Decimal
_POINT_LANGUAGES: Final = frozenset({"en"})
_DECLARED: Final = re.compile(r"sep=(.)", re.IGNORECASE)
_RECORD: Final = re.compile(r'(?:"[^"]*"|[^"\r\n])+')
_QUOTED: Final = re.compile(r'"[^"]*"')
# A formula may begin where a cell begins: also after what another program takes for a separator.
_BEGINNING: Final = r"(\A|[;,|\t\n\r\"])([^\S\t\n\r]|[\u200b\u2060\ufeff])*"
_SIGN: Final = r"(?=[=+\-@\uff1d\uff0b\uff0d\uff20\t\r])"
_FORMULA: Final = re.compile(f"(?P<before>{_BEGINNING})(?P<rest>'*){_SIGN}")
_GUARDED: Final = re.compile(f"(?P<before>{_BEGINNING})'(?P<rest>'*){_SIGN}")


class NumberedCells(NamedTuple):
    """A row of a CSV file: its line number, and its cells."""

    line: int
    cells: list[str]


class BadTable(Exception):  # noqa: N818 - it says what the table is
    """A quotation that does not end; ``line``: where its row begins."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def guard_formula(text: str) -> str:
    """A text with an apostrophe where a spreadsheet would read a formula.

    >>> guard_formula("=1+1"), guard_formula("Ana"), guard_formula("a; =1")
    ("'=1+1", 'Ana', "a; '=1")
    """
    return _FORMULA.sub(r"\g<before>'\g<rest>", text)


def remove_formula_guard(text: str) -> str:
    """A text without the apostrophe that guards it from being read as a formula.

    >>> remove_formula_guard(guard_formula("'=1")), remove_formula_guard("O'Donnell")
    ("'=1", "O'Donnell")
    """
    return _GUARDED.sub(r"\g<before>\g<rest>", text)


def print_csv(head: Sequence[str], rows: Iterable[Sequence[Cell]], lang: str) -> str:
    r"""A table as CSV. Numbers stay numbers; texts are guarded.

    >>> print_csv(("jugador", "media"), [("-x", 1.5)], "es")
    '\ufeff"jugador";"media"\r\n"\'-x";"1,5"\r\n'
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=";", quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow([guard_formula(one) for one in head])
    writer.writerows([_print_cell(one, lang) for one in row] for row in rows)
    return MARK + out.getvalue()


def _print_cell(cell: Cell, lang: str) -> str:
    return guard_formula(cell) if isinstance(cell, str) else print_number(cell, lang)


def print_number(number: float | Decimal, lang: str) -> str:
    """A number with the decimal sign of a language.

    >>> print_number(Decimal("5.50"), "es"), print_number(Decimal("5.50"), "en")
    ('5,50', '5.50')
    """
    text = str(number)
    return text if lang in _POINT_LANGUAGES else text.replace(".", ",")


def decode_text_file(content: bytes) -> str:
    """Text of a file in UTF-8, UTF-16 with a byte order mark, or Windows-1252.

    >>> decode_text_file("Peña".encode("utf-8-sig")), decode_text_file("Peña".encode("cp1252"))
    ('Peña', 'Peña')
    """
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def parse_numbered_rows(text: str) -> Iterator[NumberedCells]:
    """Rows of a CSV text, as this program or a spreadsheet wrote it; empty rows too.

    :raises BadTable: a quotation does not end
    """
    text = text.removeprefix(MARK)
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
            yield NumberedCells(begun + skipped, [remove_formula_guard(cell) for cell in cells])
            begun = reader.line_num + 1
    except csv.Error:
        raise BadTable(begun + skipped) from None


def _separator_of(text: str) -> str:
    """Separator of a CSV text: the most frequent one in its first row with content."""
    rows = (row[0] for row in _RECORD.finditer(text))
    first = next((row for row in rows if row.strip(f"{SEPARATORS} ")), "")
    bare = _QUOTED.sub("", first)
    return max(SEPARATORS, key=bare.count)


_ARCHIVE: Final = b"PK\x03\x04"
_OLD_BOOK: Final = b"\xd0\xcf\x11\xe0"
_LARGEST: Final = 32 * 1024 * 1024
"""Bytes of a book when it is unpacked."""
_MOST_ROWS: Final = 5_000
_MINUTE_S: Final = 60
_HOUR_S: Final = 3_600


class BadBook(Exception):  # noqa: N818 - it says what the file is
    """A file that looks like a workbook and cannot be read."""

    fault = FieldFault("not_a_book")


def text_or_csv_of_workbook(content: bytes) -> str:
    """CSV text of the first sheet of a workbook, or the text of any other file.

    :raises BadBook: a book that cannot be read
    """
    if not content.startswith((_ARCHIVE, _OLD_BOOK)):
        return decode_text_file(content)
    rows = _sheet_rows(content)
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=";", lineterminator="\n").writerows(
        [_plain_cell(cell) for cell in row] for row in rows[:_MOST_ROWS]
    )
    return out.getvalue()


def _sheet_rows(content: bytes) -> list[list[object]]:
    """Rows of the first sheet of a workbook that is not empty.

    :raises BadBook: the file is damaged, too large, or no book
    """
    from python_calamine import (  # noqa: PLC0415 - at the first book: most processes read none
        CalamineError,
        CalamineWorkbook,
    )

    try:
        if content.startswith(_ARCHIVE):
            with zipfile.ZipFile(io.BytesIO(content)) as packed:
                if sum(one.file_size for one in packed.infolist()) > _LARGEST:
                    raise BadBook
        with CalamineWorkbook.from_filelike(io.BytesIO(content)) as book:
            sheets = (book.get_sheet_by_index(at) for at in range(len(book.sheet_names)))
            tables = (sheet.to_python(skip_empty_area=True) for sheet in sheets)
            return next(([list(row) for row in one] for one in tables if one), [])
    except (CalamineError, zipfile.BadZipFile, ValueError, OSError):
        raise BadBook from None


def _plain_cell(cell: object) -> str:
    """A cell as text on one line."""
    match cell:
        case datetime():
            return cell.date().isoformat()
        case date():
            return cell.isoformat()
        case time():
            return f"{cell.hour}:{cell.minute}"
        case timedelta():
            seconds = int(cell.total_seconds())
            return f"{seconds // _HOUR_S}:{seconds % _HOUR_S // _MINUTE_S}"
        case float() if cell.is_integer():
            return str(int(cell))
    return " ".join(str(cell).split())
