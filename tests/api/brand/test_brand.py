"""Name, logo and colour of the club: chosen by an admin, checked, readable, the same everywhere."""

from __future__ import annotations

import io
import itertools
import json
import struct
import zlib
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser, expect

from api.brand.brand import Brand, brand
from api.brand.colours import LEAST_CONTRAST, contrast, day_palette, night_palette
from api.brand.png import NoPicture, plain_png
from api.cli.main import main
from tests.support.browser.pages import (
    PHONE,
    READ,
    no_violations_in_any_language,
    visiting,
)
from tests.support.servers.accounts import OURS, joined
from tests.support.servers.club_tables import board_of
from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import Served

SIGNATURE = b"\x89PNG\r\n\x1a\n"
KEYS = itertools.count()


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(side: int = 4, *more: bytes, pixels: bytes | None = None) -> bytes:
    """A picture of one colour, with further chunks before its pixels."""
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    rows = (b"\0" + b"\x7a\x1f\x3d" * side) * side if pixels is None else pixels
    parts = [
        chunk(b"IHDR", header),
        *more,
        chunk(b"IDAT", zlib.compress(rows)),
        chunk(b"IEND", b""),
    ]
    return SIGNATURE + b"".join(parts)


PLACE = chunk(b"eXIf", b"taken at home, 41.65 N")
NONE_OF_THEM = {
    "svg": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    "jpeg": b"\xff\xd8\xff\xe0" + b"\0" * 40,
    "cut": png()[:-3],
    "damaged": png().replace(b"IDAT", b"IDAU"),
    "large": png(257),
    "more than it says": png(4, pixels=b"\0" * 10_000),
    "less than it says": png(4, pixels=b"\0" * 5),
    "no pixels": SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 4, 8, 2, 0, 0, 0)),
}


def test_of_a_picture_only_the_picture_stays() -> None:
    assert plain_png(png(4, PLACE) + b"and more") == png(4)


@pytest.mark.parametrize("content", NONE_OF_THEM.values(), ids=NONE_OF_THEM)
def test_nothing_else_is_taken(content: bytes) -> None:
    with pytest.raises(NoPicture):
        plain_png(content)


@given(st.binary(max_size=80))
def test_any_bytes_are_a_picture_or_none(content: bytes) -> None:
    for tried in (content, SIGNATURE + content, SIGNATURE + chunk(b"IHDR", content[:13]) + content):
        try:
            found = plain_png(tried)
        except NoPicture:
            continue
        assert found.startswith(SIGNATURE)


@given(st.integers(0, 0xFFFFFF))
def test_text_on_any_colour_can_be_read(number: int) -> None:
    colour = f"#{number:06x}"
    day, night = day_palette(colour), night_palette(colour)
    for one, other in (
        (day.felt, "#fdfaf1"),
        (day.accent, "#f7f4ec"),
        (day.accent, "#fffdf8"),
        (night.felt, "#f4efdf"),
        (night.accent, "#15201b"),
        (night.accent, "#1d2b25"),
    ):
        assert contrast(one, other) >= LEAST_CONTRAST, (colour, one, other)


def chosen(client: Any, table: HttpTable, **form: Any) -> Any:
    """The answer to the form of the page."""
    version = str(table.app.extensions["guinote"]().referee.settings.settings().version)
    sent = {"key": f"{next(KEYS):032x}", "version": version, **form}
    return client.post("/casa/marca", data=sent, headers=OURS, content_type="multipart/form-data")


def shown(table: HttpTable) -> Brand:
    with table.app.test_request_context():
        return brand()


@pytest.fixture
def admin(table: HttpTable) -> Any:
    return joined(table, "Pilar", role="admin")


def test_a_club_that_chose_nothing_has_nothing(table: HttpTable) -> None:
    assert shown(table) == Brand()


def test_a_page_about_a_store_that_fails_has_a_heading(
    table: HttpTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> None:
        raise OSError("the disk is gone")

    monkeypatch.setitem(table.app.extensions, "guinote", fails)
    assert shown(table) == Brand()


def test_an_admin_chooses_and_every_page_can_show_it(table: HttpTable, admin: Any) -> None:
    logo = (io.BytesIO(png(8, PLACE)), "escudo.png")
    answer = chosen(
        admin, table, name="  Peña   La Sota ", own_colour="yes", colour="#FFCC00", logo=logo
    )
    assert answer.status_code == 303
    found = shown(table)
    assert (found.name, found.sheet) == ("Peña La Sota", "/marca/ffcc00.css")
    visitor = table.app.test_client()
    picture = visitor.get(found.logo)
    assert (picture.mimetype, picture.data) == ("image/png", png(8))
    assert "immutable" in picture.headers["Cache-Control"]
    assert b"--felt: #8c7000" in visitor.get(found.sheet).data
    chosen(admin, table, name="", no_logo="yes", colour="#ffcc00")
    assert shown(table) == Brand()
    assert visitor.get(found.logo).status_code == 404


def test_boards_and_the_tablet_say_whose_they_are(table: HttpTable, admin: Any) -> None:
    paths = {"/sala/": table.app.test_client(), board_of(table.encuentro()): admin}
    assert all('class="club"' not in reader.get(path).text for path, reader in paths.items())
    worker = admin.get("/arbitro/sw.js").text
    chosen(admin, table, name="Peña <La Sota>", logo=(io.BytesIO(png()), "e.png"))
    for path, reader in paths.items():
        page = reader.get(path).text
        assert "<span>Peña &lt;La Sota&gt;</span>" in page
        assert f'<img src="{shown(table).logo}" alt=""' in page
    assert 'data-club="Peña &lt;La Sota&gt;"' in admin.get("/arbitro/").text
    assert admin.get("/arbitro/sw.js").text != worker, "a tablet keeps the page with the name"


def test_the_log_has_neither_the_name_nor_the_picture(table: HttpTable, admin: Any) -> None:
    """Both can be erased, as any text."""
    chosen(admin, table, name="Peña La Sota", logo=(io.BytesIO(png()), "e.png"))
    here = table.app.extensions["guinote"]()
    held = here.referee.settings.settings()
    assert "Sota" not in f"{held}"
    here.persons.erase(held.name, held.logo)
    assert shown(table).name == ""
    assert table.app.test_client().get(shown(table).logo).status_code == 404


def test_the_address_of_a_logo_gives_no_other_text(table: HttpTable) -> None:
    text = table.app.extensions["guinote"]().persons.add_text("c2VjcmV0")
    assert table.app.test_client().get(f"/marca/{text}.png").status_code == 404


@pytest.mark.parametrize("content", [NONE_OF_THEM["svg"], png(4) + b"\0" * 60_000])
def test_a_wrong_picture_is_refused_in_words(table: HttpTable, admin: Any, content: bytes) -> None:
    answer = chosen(admin, table, name="Peña", logo=(io.BytesIO(content), "x.png"))
    assert answer.status_code == 422
    assert "Esa imagen no sirve" in answer.text
    assert shown(table) == Brand()


def test_a_wrong_colour_is_none(table: HttpTable, admin: Any) -> None:
    bad = {"own_colour": "yes", "colour": "red;} body{"}
    assert chosen(admin, table, **bad).status_code == 400
    assert table.app.test_client().get("/marca/zzzzzz.css").status_code == 404


@pytest.mark.parametrize("lang", READ)
def test_a_photo_is_scaled_before_it_is_sent_and_a_colour_shows_at_once(
    browser: Browser, served: Served, lang: str
) -> None:
    """Of 900 by 600 pixels; an SVG is refused in the page."""
    path = f"/casa/marca?lang={lang}"
    with visiting(browser, served, path, signed_in=True, **PHONE) as page:
        no_violations_in_any_language(page)
        photo = page.evaluate(
            """() => { const canvas = document.createElement("canvas");
              [canvas.width, canvas.height] = [900, 600];
              canvas.getContext("2d").fillRect(0, 0, 700, 400);
              return canvas.toDataURL("image/jpeg"); }"""
        )
        content = b64decode(photo.partition(",")[2])
        page.set_input_files(
            "#logo", {"name": "x.svg", "mimeType": "image/svg+xml", "buffer": b"<svg/>"}
        )
        expect(page.locator("#bad")).to_be_visible()
        page.set_input_files(
            "#logo", {"name": "x.jpg", "mimeType": "image/jpeg", "buffer": content}
        )
        expect(page.locator("#scaled")).to_be_visible()
        page.locator("#colour").fill("#7a1f3d")
        felt = "getComputedStyle(document.documentElement).getPropertyValue('--felt').trim()"
        page.wait_for_function(f"() => {felt} === '#7a1f3d'")
        page.locator(".brand-form button").click()
        logo = page.locator(".logo img")
        expect(logo).to_be_visible()
        size = logo.evaluate(
            "(one) => one.decode().then(() => [one.naturalWidth, one.naturalHeight])"
        )
        assert size == [192, 192]


# --- over HTTP, and by the command ---------------------------------------------------------------

BRAND = "/api/v1/settings/brand"


def chosen_by(table: HttpTable, **body: str) -> Any:
    return table.post(BRAND, body, table.get(BRAND).json["version"])


def test_a_program_chooses_what_a_page_does(table: HttpTable) -> None:
    logo = b64encode(png(4, PLACE)).decode()
    answer = chosen_by(table, name="Peña La Sota", colour="#7a1f3d", logo=logo)
    assert answer.status_code == 200, answer.text
    shown = table.get(BRAND).json
    assert (shown["name"], shown["colour"]) == ("Peña La Sota", "#7a1f3d")
    picture = table.app.test_client().get(shown["logo"]).data
    assert picture == plain_png(png(4, PLACE))
    assert "Peña La Sota" in table.app.test_client().get("/").text
    chosen_by(table, logo="", name="")
    assert table.get(BRAND).json == {
        **shown,
        "version": shown["version"] + 2,
        "name": "",
        "logo": "",
    }


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("name", "a" * 41, "not_visible"),
        ("colour", "red", "pattern"),
        ("logo", "no base 64", "not_a_picture"),
        ("logo", b64encode(png(257)).decode(), "not_a_picture"),
        ("logo", "A" * 70_000, "too_long"),
    ],
)
def test_what_no_page_could_show_is_refused(
    table: HttpTable, field: str, value: str, code: str
) -> None:
    answer = chosen_by(table, **{field: value})
    assert answer.status_code == 422
    assert answer.json["codes"]["json"][field] == [code]
    assert table.get(BRAND).json["version"] == 0


def test_the_command_chooses_them_too(tmp_path: Path) -> None:
    picture = tmp_path / "logo.png"
    picture.write_bytes(png())
    data = tmp_path / "data"

    def settings(*words: str) -> Any:
        return CliRunner().invoke(main, ["--data", str(data), "settings", *words])

    said = settings("--club-name", "Peña La Sota", "--club-logo", str(picture))
    assert said.exit_code == 0, said.output
    named = json.loads(said.stdout.splitlines()[-1])
    assert (named["has_club_name"], named["has_club_logo"]) == (True, True)
    for words in (("--club-colour", "red"), ("--club-name", "a" * 41)):
        assert settings(*words).exit_code == 2
    picture.write_bytes(b"GIF89a")
    assert settings("--club-logo", str(picture)).exit_code == 2
    gone = json.loads(settings("--no-club-logo").stdout.splitlines()[-1])
    assert (gone["has_club_name"], gone["has_club_logo"]) == (True, False)
