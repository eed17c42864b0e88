"""Lists as people send them are read: lines of WhatsApp, of mail and of spreadsheets."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pytest

from api.club.messages import parse_pasted_list
from api.club.pairs.lines import pairs_and_faults_in_text
from api.club.players_csv import parse_players_file
from tests.api.club.test_names import Site
from tests.api.results.test_workbooks import xlsx
from tests.support.servers.http_table import HttpTable

_HERE = Path(__file__).parent
_SIGN = re.compile(r"<U\+([0-9A-F]{4})>")
_LISTS = [
    (part.strip("\n").partition("\n")[0].lstrip("# "), part.strip("\n").partition("\n")[2])
    for part in (_HERE / "pasted_lists.txt").read_text(encoding="utf-8").split("%%\n")
]


def _pairs(text: str) -> list[str]:
    found, faults = pairs_and_faults_in_text(text, (), ())
    assert faults == []
    return [
        " + ".join(who.name for who in one.players) + (f" = {one.name}" if one.name else "")
        for one in found
    ]


@pytest.mark.parametrize(("title", "case"), _LISTS, ids=[title for title, _ in _LISTS])
def test_a_list_is_read_as_it_was_sent(title: str, case: str) -> None:
    sent, _, wanted = case.partition("=>\n")
    text = _SIGN.sub(lambda sign: chr(int(sign[1], 16)), sent)
    of = title.rpartition(" | ")[2]
    found = _pairs(text) if of == "pairs" else [one.name for one in parse_players_file(text).lines]
    assert found == wanted.strip("\n").split("\n")


def test_the_lists_are_as_many_as_were_asked_for() -> None:
    assert len(_LISTS) >= 47


@pytest.mark.parametrize(
    "spelling",
    [
        "María Pérez",
        "MARÍA PÉREZ",
        "maría pérez",
        "PÉREZ, María",
        "1. María Pérez",
        "1.María Pérez",
        "1) María Pérez",
        "1.- María Pérez",
        "01 - María Pérez",
        "1️⃣ María Pérez",
        "- María Pérez",
        "*María Pérez*",
        "María Pérez ✅",
        "María Pérez PAGADO",
        "María Pérez (pagado)",
        "María Pérez - 10€",
        "María Pérez 600 123 456",
        "María Pérez, 600123456",
        "+34 600 12 34 56 María Pérez",
        "María Pérez <maria@example.org>",
        "\u200eMaría\u00a0Pérez\u200e",
        "[27/11/26, 21:03] Luis: María Pérez",
        "> María Pérez",
    ],
)
def test_a_name_is_the_same_however_it_is_spelled(spelling: str) -> None:
    (one,) = parse_players_file(spelling).lines
    assert one.name.casefold() == "maría pérez"


def test_what_is_left_out_is_told_and_a_telephone_is_not_repeated() -> None:
    out = parse_pasted_list("Ana Gil 600 123 456 PAGADO\nHola, soy Eva 600 654 321").left_out
    told = [(line, str(fault), fault.facts.get("text", "")) for line, fault in out]
    assert told == [
        (1, "phone_left_out", ""),
        (1, "marks_left_out", "PAGADO"),
        (2, "line_left_out", "Hola, soy Eva …"),
    ]


def test_a_pasted_pair_is_looked_at_before_its_telephone_is_dropped(table: HttpTable) -> None:
    site = Site(table)
    text = "1. Blas Gil y Eva Mur 600 123 456 PAGADO"
    shown = site.send("/jugadores/parejas", text=text)
    assert shown.status_code == 422
    assert "El teléfono no es del nombre." in shown.text
    assert site.names() == ["María Pérez"]
    assert site.send("/jugadores/parejas", text=text, sure="yes").status_code == 303
    assert site.names() == ["Blas Gil", "Eva Mur", "María Pérez"]


def test_a_pasted_list_of_players_is_looked_at_and_then_taken(table: HttpTable) -> None:
    site = Site(table)
    text = "LISTA\n1. Blas Gil 600 123 456\n2. Eva Mur PAGADO"
    shown = site.send("/jugadores/traer", text=text)
    assert [words in shown.text for words in ("Línea 2: El teléfono", "PAGADO", ">LISTA<")] == [
        True,
        True,
        False,
    ]
    assert site.names() == ["María Pérez"]


def test_a_book_is_brought_on_the_page_and_a_damaged_one_is_told(table: HttpTable) -> None:
    site = Site(table)
    content = xlsx([("Nombre", "Móvil"), ("Blas Gil", 600123456), ("Eva Mur", "")])
    shown = site.send("/jugadores/traer", file=(BytesIO(content), "socios.xlsx"))
    assert (shown.status_code, "Blas Gil" in shown.text) == (200, True)
    assert "Blas Gil: 600 123 456" in shown.text
    damaged = site.send("/jugadores/traer", file=(BytesIO(content[:90]), "socios.xlsx"))
    assert (damaged.status_code, "hoja de cálculo" in damaged.text) == (422, True)
