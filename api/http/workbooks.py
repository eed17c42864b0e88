"""Files of spreadsheet programs (.xlsx, .ods, .xls) as a table in a text.

The first sheet that holds something is read. A date is printed as a day, so that a score of which
the program made a date is recognised where a score is wanted.
"""

from __future__ import annotations

import csv
import io
import zipfile
from datetime import date, datetime, time, timedelta
from typing import Final

from api.http.faults import FieldFault
from api.http.spreadsheets import decode

_ARCHIVE: Final = b"PK\x03\x04"
_OLD_BOOK: Final = b"\xd0\xcf\x11\xe0"
_LARGEST: Final = 32 * 1024 * 1024
"""Bytes of a book when it is unpacked."""
_MOST_ROWS: Final = 5_000
_MINUTE_S: Final = 60
_HOUR_S: Final = 3_600


class BadBook(Exception):  # noqa: N818 - it says what the file is
    """A file that looks like that of a spreadsheet program and cannot be read."""

    fault = FieldFault("not_a_book")


def text_of_file(content: bytes) -> str:
    """The text of a file: that of its first sheet, or of its bytes.

    :raises BadBook: a book that cannot be read
    """
    if not content.startswith((_ARCHIVE, _OLD_BOOK)):
        return decode(content)
    rows = _rows(content)
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=";", lineterminator="\n").writerows(
        [_print(cell) for cell in row] for row in rows[:_MOST_ROWS]
    )
    return out.getvalue()


def _rows(content: bytes) -> list[list[object]]:
    """Rows of the first sheet that holds something.

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


def _print(cell: object) -> str:
    """A cell as a text; no cell holds a line break."""
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
