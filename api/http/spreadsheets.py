"""Tables for spreadsheets: one form of CSV for everything that is exported, and read back exactly.

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
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Final, NamedTuple, TypeAlias

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
    """A row of a table: the number of the line where it begins, and its cells."""

    line: int
    cells: list[str]


class BadTable(Exception):  # noqa: N818 - it says what the table is
    """A quotation that does not end; ``line``: where its row begins."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def guard(text: str) -> str:
    """A text that no spreadsheet reads as a formula.

    >>> guard("=1+1"), guard("Ana"), guard("a; =1")
    ("'=1+1", 'Ana', "a; '=1")
    """
    return _FORMULA.sub(r"\g<before>'\g<rest>", text)


def without_guard(text: str) -> str:
    """The text that was guarded; of any other text what it is without such an apostrophe.

    >>> without_guard(guard("'=1")), without_guard("O'Donnell")
    ("'=1", "O'Donnell")
    """
    return _GUARDED.sub(r"\g<before>\g<rest>", text)


def print_table(head: Sequence[str], rows: Iterable[Sequence[Cell]], lang: str) -> str:
    r"""A table as CSV. Numbers stay numbers; texts are guarded.

    >>> print_table(("jugador", "media"), [("-x", 1.5)], "es")
    '\ufeff"jugador";"media"\r\n"\'-x";"1,5"\r\n'
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=";", quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow([guard(one) for one in head])
    writer.writerows([_print(one, lang) for one in row] for row in rows)
    return MARK + out.getvalue()


def _print(cell: Cell, lang: str) -> str:
    return guard(cell) if isinstance(cell, str) else print_number(cell, lang)


def print_number(number: float | Decimal, lang: str) -> str:
    """A number with the decimal sign of a language.

    >>> print_number(Decimal("5.50"), "es"), print_number(Decimal("5.50"), "en")
    ('5,50', '5.50')
    """
    text = str(number)
    return text if lang in _POINT_LANGUAGES else text.replace(".", ",")


def decode(content: bytes) -> str:
    """Text of a file: UTF-8 with or without a byte order mark, UTF-16 with one, else Windows-1252.

    >>> decode("Peña".encode("utf-8-sig")), decode("Peña".encode("cp1252"))
    ('Peña', 'Peña')
    """
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def read_table(text: str) -> Iterator[NumberedCells]:
    """Rows of a table as spreadsheets and this program write it, empty ones too.

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
            yield NumberedCells(begun + skipped, [without_guard(cell) for cell in cells])
            begun = reader.line_num + 1
    except csv.Error:
        raise BadTable(begun + skipped) from None


def _separator_of(text: str) -> str:
    """The most frequent separator of the first row that holds something."""
    rows = (row[0] for row in _RECORD.finditer(text))
    first = next((row for row in rows if row.strip(f"{SEPARATORS} ")), "")
    bare = _QUOTED.sub("", first)
    return max(SEPARATORS, key=bare.count)
