"""Players as a table in a text file: spreadsheet formats are read, faults have their place."""

from __future__ import annotations

import csv
import io
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from api.club.acts import effects_of_import_lines
from api.club.players_csv import (
    FIELDS,
    MOST_LINES,
    BadFile,
    PlayerLine,
    parse_players_file,
)
from api.club.views import KnownPlayer
from api.http.spreadsheets import decode_text_file, print_csv

PLAYERS = [("Ana Gil", "Anita", "La Peña"), ("Blas", "", "")]


def read(text: str) -> list[tuple[str, str, str]]:
    return [one[1:] for one in parse_players_file(text).lines]


def faults(text: str) -> list[tuple[int, int, str]]:
    with pytest.raises(BadFile) as caught:
        parse_players_file(text)
    return [(one.line, one.column, str(one.fault)) for one in caught.value.faults]


@pytest.mark.parametrize(
    "text",
    [
        "Ana Gil;Anita;La Peña\r\nBlas;;\r\n",
        "\ufeffNombre;Apodo;Club\nAna Gil;Anita;La Peña\nBlas\n",
        'nickname,name,team\nAnita,"Ana Gil",La Peña\n,Blas,\n',
        "sep=,\r\nNOM,SOBRENOM,PENYA\r\nAna Gil,Anita,La Peña\r\nBlas,,\r\n",
        "\n;;\nAna  Gil\tAnita\tLa\u00a0Peña\n\t\t\nBlas\n\n",
        "Club;Apellidos;Nombre;Teléfono;Apodo\nLa Peña;Gil;Ana;600;Anita\n;;Blas;;\n",
        'Ana Gil;"Anita";"La Peña"\n"Blas"\n',
    ],
)
def test_what_spreadsheets_write_is_read(text: str) -> None:
    assert read(text) == PLAYERS


def test_columns_that_nobody_asks_for_are_named() -> None:
    assert parse_players_file("nombre;DNI;edad\nAna;1;2\n").ignored == ("DNI", "edad")
    assert parse_players_file("nombre;teléfono;móvil\nAna;1;2\n").ignored == ()


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_file_is_read_in_the_coding_that_it_has(coding: str) -> None:
    assert read(decode_text_file("Íñigo Peña;Ñañez\n".encode(coding))) == [
        ("Íñigo Peña", "Ñañez", "")
    ]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", [(1, 0, "no_lines")]),
        ("nombre;apodo\n", [(1, 0, "no_lines")]),
        ("apodo;club\nAna;x\n", [(1, 0, "no_name_heading")]),
        ("nombre;apodo;nombre\nAna;;\n", [(1, 3, "heading_twice")]),
        ("Ana\n;Anita;\nBlas;;x;y\n", [(2, 1, "required"), (3, 4, "cells_beyond")]),
        ("apodo;nombre\n" + "x" * 81 + ";Ana\n", [(2, 1, "length")]),
        ("Ana\nBl\u202eas;x\n", [(2, 1, "not_visible")]),
        ('sep=;\nAna\n"Blas\nCelia\n', [(3, 0, "not_csv")]),
        ('"Ana\nGil";x\nBlas;' + "y" * 81, [(1, 1, "not_visible"), (3, 2, "length")]),
    ],
)
def test_faults_are_reported_with_line_and_column(
    text: str, where: list[tuple[int, int, str]]
) -> None:
    assert faults(text) == where


def test_two_thousand_lines_are_read_and_one_more_is_not() -> None:
    lines = [f"Jugador {n};;Club" for n in range(MOST_LINES + 1)]
    assert len(read("\n".join(lines[:-1]))) == MOST_LINES
    assert faults("\n".join(lines)) == [(MOST_LINES + 1, 0, "too_many_lines")]


VISIBLE = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=20)
WORDS = st.one_of(
    VISIBLE, st.builds(lambda sign, text: sign + text, st.sampled_from("=+-@'"), VISIBLE)
)
PLAYER = st.tuples(WORDS, st.one_of(st.just(""), WORDS), st.one_of(st.just(""), WORDS))


@given(st.lists(PLAYER, min_size=1, max_size=8))
@example([(",", "", "")])
def test_what_is_printed_is_read_as_it_was_and_no_cell_is_a_formula(
    players: list[tuple[str, str, str]],
) -> None:
    text = print_csv(("nombre", "apodo", "club"), players, "es")
    cells = [cell for row in csv.reader(io.StringIO(text), delimiter=";") for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]
    assert read(text) == [
        tuple(unicodedata.normalize("NFC", one) for one in player) for player in players
    ]


KNOWN = [
    KnownPlayer("1", "Antonio García", "Toño", "Norte"),
    KnownPlayer("2", "Antonio García", "Rubio", ""),
    KnownPlayer("3", "Íñigo Peña", "", ""),
]


@pytest.mark.parametrize(
    ("line", "state", "player"),
    [
        (("antonio garcia", "", ""), "known", "1"),
        (("Antonio García", "RUBIO", ""), "known", "2"),
        (("Antonio García", "Moreno", ""), "new", ""),
        (("Antonio García", "Toño", "Sur"), "edited", "1"),
        (("Inigo Pena", "Vasco", ""), "edited", "3"),
        (("Eva", "", ""), "new", ""),
    ],
)
def test_a_player_is_found_by_name_and_distinguished_by_nickname(
    line: tuple[str, str, str], state: str, player: str
) -> None:
    (found,) = effects_of_import_lines([PlayerLine(1, *line)], KNOWN)
    assert (found.state, found.player) == (state, player)


def test_who_is_twice_in_a_list_comes_in_once() -> None:
    lines = [
        PlayerLine(1, "Eva", "", ""),
        PlayerLine(2, "EVA", "", "Norte"),
        PlayerLine(3, "Eva", "Rosa", ""),
    ]
    assert [one.state for one in effects_of_import_lines(lines, [])] == ["new", "repeated", "new"]


def test_the_fields_are_those_that_are_printed() -> None:
    assert FIELDS == PlayerLine._fields[1:]
