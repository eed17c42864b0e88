"""The card of a partida: a picture for everybody once it is decided, and what a message shows of its pages."""

from __future__ import annotations

import struct
import zlib

from api.door.card import HIGH, WIDE, CardWords, draw_result_picture
from api.door.picture import LARGE, MIDDLE, SMALL, fit_text, text_width
from tests.api.door.test_door import RENUNCIO
from tests.api.replay.test_rest import disputed
from tests.support.html import Html
from tests.support.servers.http_table import HttpTable

WON = CardWords(
    club="Guiñote",
    day="",
    partida="Partida 1",
    winner="Ganan Ana y Celia",
    how="por renuncio",
    rows=(("Ana y Celia", "0", True), ("Blas y Diego", "0", False)),
    standing="Partidas 1\u20130 · Cotos 0\u20130",
)


def pixels_of(picture: bytes) -> bytes:
    """Pixels of a PNG, each row after its filter."""
    found, at = b"", 8
    while at < len(picture):
        (size,) = struct.unpack(">I", picture[at : at + 4])
        name, data = picture[at + 4 : at + 8], picture[at + 8 : at + 8 + size]
        assert picture[at + 8 + size : at + 12 + size] == struct.pack(">I", zlib.crc32(name + data))
        found += data if name == b"IDAT" else b""
        at += 12 + size
    return zlib.decompress(found)


def test_a_decided_partida_has_a_card_for_everybody_and_its_pages_show_it(table: HttpTable) -> None:
    partida = disputed(table)
    encuentro = partida.split("/")[4]
    nobody = table.app.test_client()
    path = f"/encuentro/{encuentro}/tarjeta/1.png"
    assert nobody.get(path).status_code == 302
    assert table.record(partida, 10, RENUNCIO).status_code == 200
    card = nobody.get(path)
    assert (card.status_code, card.content_type) == (200, "image/png")
    assert struct.unpack(">II", card.data[16:24]) == (WIDE, HIGH) == (1200, 630)
    assert len(pixels_of(card.data)) == HIGH * (WIDE + 1)
    assert nobody.get(path.replace("1.png", "2.png")).status_code in (302, 404)
    for page in (f"/encuentro/{encuentro}", f"/repeticion/{encuentro}/1"):
        html = Html(nobody.get(page).text)
        shown = dict(
            zip(html.values("meta", "property"), html.values("meta", "content"), strict=True)
        )
        assert str(shown["og:image"]).endswith(path), page
    door = Html(nobody.get(f"/encuentro/{encuentro}").text)
    board = Html(nobody.get(f"/mesa/{encuentro}?wait=60").text)
    assert path in door.values("a", "href")
    assert path in board.values("a", "href")
    assert path not in Html(nobody.get(f"/encuentro/{encuentro}/fichero").text).values("a", "href")


def test_a_card_says_what_the_board_says_and_no_card_that_was_played(table: HttpTable) -> None:
    partida = disputed(table)
    assert table.record(partida, 10, RENUNCIO).status_code == 200
    encuentro = table.get(partida.rpartition("/partidas")[0]).json
    card = table.app.test_client().get(f"/encuentro/{encuentro['id']}/tarjeta/1.png")
    assert not any(encuentro["partidas"][0]["totals"].values())
    rows = tuple((name, "", name == "Ana y Celia") for name in ("Ana y Celia", "Blas y Diego"))
    assert card.data == draw_result_picture(WON._replace(rows=rows, standing="Partidas 1\u20130"))


def test_a_long_name_is_cut_and_a_letter_that_nobody_drew_is_another_one() -> None:
    long = "Wenceslao Íñiguez de Heredia y Ortiz de Zárate " * 3
    for size in (SMALL, MIDDLE, LARGE):
        short = fit_text(long, size, 700)
        assert text_width(short, size) <= 700 < text_width(short[:-1] + "mm…", size)
    assert text_width("ǎ", SMALL) == text_width("a", SMALL)
    assert text_width("漢", SMALL) == text_width("·", SMALL)
    assert len(
        pixels_of(draw_result_picture(WON._replace(winner=long, club=long, how=long)))
    ) == HIGH * (WIDE + 1)
