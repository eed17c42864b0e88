"""Files of Excel and LibreOffice are read as the tables that they hold."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from datetime import date, time
from io import BytesIO
from typing import TypeAlias

import pytest

from api.http.spreadsheets import BadBook, text_or_csv_of_workbook
from api.results.files.results_csv import read_results

Cell: TypeAlias = str | int | float | date | time
_EPOCH = date(1899, 12, 30)
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKED = "http://schemas.openxmlformats.org/package/2006"
_ODF = "urn:oasis:names:tc:opendocument:xmlns"


def xlsx(rows: Sequence[Sequence[Cell]]) -> bytes:
    """A book as Excel writes it; its styles 1 and 2 are those of a date and of an hour."""
    body = "".join(f"<row>{''.join(map(_xlsx_cell, row))}</row>" for row in rows)
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    return _packed(
        {
            "[Content_Types].xml": f'<Types xmlns="{_PACKED}/content-types"><Default Extension="xml" '
            f'ContentType="{kind}.sheet.main+xml"/></Types>',
            "_rels/.rels": _relations("officeDocument", "xl/workbook.xml"),
            "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_LINKS}"><sheets>'
            '<sheet name="Hoja1" sheetId="1" r:id="rId1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": _relations("worksheet", "worksheets/sheet1.xml"),
            "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}"><cellXfs><xf numFmtId="0"/>'
            '<xf numFmtId="14"/><xf numFmtId="20"/></cellXfs></styleSheet>',
            "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_MAIN}"><sheetData>{body}'
            "</sheetData></worksheet>",
        }
    )


def _relations(kind: str, target: str) -> str:
    styles = f'<Relationship Id="rId2" Type="{_LINKS}/styles" Target="styles.xml"/>'
    return (
        f'<Relationships xmlns="{_PACKED}/relationships"><Relationship Id="rId1" '
        f'Type="{_LINKS}/{kind}" Target="{target}"/>'
        f"{styles if kind == 'worksheet' else ''}</Relationships>"
    )


def _xlsx_cell(cell: Cell) -> str:
    match cell:
        case str():
            return f'<c t="inlineStr"><is><t>{cell}</t></is></c>'
        case date():
            return f'<c s="1"><v>{(cell - _EPOCH).days}</v></c>'
        case time():
            return f'<c s="2"><v>{(cell.hour * 60 + cell.minute) / 1440}</v></c>'
    return f"<c><v>{cell}</v></c>"


def ods(rows: Sequence[Sequence[Cell]]) -> bytes:
    """A book as LibreOffice writes it."""
    names = "".join(f' xmlns:{one}="{_ODF}:{one}:1.0"' for one in ("office", "table", "text"))
    body = "".join(
        f"<table:table-row>{''.join(map(_ods_cell, row))}</table:table-row>" for row in rows
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    return _packed(
        {
            "mimetype": kind,
            "META-INF/manifest.xml": f'<m:manifest xmlns:m="{_ODF}:manifest:1.0"><m:file-entry '
            f'm:full-path="/" m:media-type="{kind}"/></m:manifest>',
            "content.xml": f"<office:document-content{names}><office:body><office:spreadsheet>"
            f'<table:table table:name="Hoja1">{body}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
        }
    )


def _ods_cell(cell: Cell) -> str:
    match cell:
        case str():
            said = 'office:value-type="string"'
        case date():
            said = f'office:value-type="date" office:date-value="{cell.isoformat()}"'
        case time():
            said = f'office:value-type="time" office:time-value="PT{cell.hour:02}H{cell.minute:02}M00S"'
        case _:
            said = f'office:value-type="float" office:value="{cell}"'
    return f"<table:table-cell {said}><text:p>{cell}</text:p></table:table-cell>"


def _packed(files: dict[str, str]) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


@pytest.mark.parametrize("book", [xlsx, ods])
def test_cells_of_a_book_are_read_by_their_kind(book: type) -> None:
    rows = [
        ("Nombre", "Teléfono", "Fecha"),
        ("Ana; Gil", 600123456, date(2026, 11, 19)),
        ("Íñigo", 1.5, time(2, 1)),
    ]
    assert text_or_csv_of_workbook(book(rows)).splitlines() == [
        "Nombre;Teléfono;Fecha",
        '"Ana; Gil";600123456;2026-11-19',
        "Íñigo;1.5;2:1",
    ]


@pytest.mark.parametrize("book", [xlsx, ods])
def test_scores_of_which_a_spreadsheet_made_dates_are_scores(book: type) -> None:
    day = date(2026, 11, 19)
    rows = [
        ("Fecha", "Pareja 1", "Pareja 2", "Resultado"),
        (day, "Ana · Eva", "Blas · Luis", date(2026, 1, 2)),
        (day, "Ana · Eva", "Celia · Iris", time(2, 1)),
        (day, "Blas · Luis", "Celia · Iris", "2-0"),
        (day, "Blas · Luis", "Ana · Eva", "01-feb"),
    ]
    read = read_results(text_or_csv_of_workbook(book(rows)))
    assert [one.score for one in read.lines] == [(2, 1), (2, 1), (2, 0), (1, 2)]
    assert [(one.line, one.fault.facts["text"]) for one in read.notes] == [(2, "2-1"), (5, "1-2")]
    assert {one.day for one in read.lines} == {"2026-11-19"}


def test_a_book_that_cannot_be_read_is_refused_and_a_text_is_a_text() -> None:
    whole = xlsx([("Ana",)])
    for damaged in (whole[:200], b"PK\x03\x04" + b"x" * 50, _packed({"a": "b"})):
        with pytest.raises(BadBook):
            text_or_csv_of_workbook(damaged)
    with pytest.raises(BadBook):
        text_or_csv_of_workbook(_packed({"xl/workbook.xml": "x" * (33 * 1024 * 1024)}))
    assert text_or_csv_of_workbook("Peña".encode("cp1252")) == "Peña"
