"""Static files: same content with and without compression, tags by content, and no other files."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from api.html.assets import read_asset_as_sent
from api.http.folders import static_file_path, static_folders
from tests.support.browser.pages import HEAVIEST_PICTURE
from tests.support.servers.http_table import HttpTable

NAMES = sorted(
    one.relative_to(folder).as_posix()
    for folder in static_folders()
    for one in folder.rglob("*")
    if one.is_file()
)
PICTURES = [one for one in NAMES if one.endswith((".svg", ".png", ".webp", ".jpg"))]
HEAVIEST_CARDS = 12_000
PACKED = {"Accept-Encoding": "gzip"}


@pytest.fixture(scope="module")
def table(shared_table: HttpTable) -> HttpTable:
    return shared_table


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_the_same_packed_and_not(table: HttpTable, name: str) -> None:
    plain = table.client.get(f"/static/{name}")
    packed = table.client.get(f"/static/{name}", headers=PACKED)
    assert plain.data == read_asset_as_sent(static_file_path(name))
    is_packed = packed.headers.get("Content-Encoding") == "gzip"
    assert (gzip.decompress(packed.data) if is_packed else packed.data) == plain.data
    assert len(packed.data) <= len(plain.data)
    assert (packed.headers["ETag"] != plain.headers["ETag"]) == is_packed
    assert ("Accept-Encoding" in packed.headers.get("Vary", "")) == is_packed


@pytest.mark.parametrize("name", PICTURES)
def test_no_picture_is_heavy(table: HttpTable, name: str) -> None:
    sent = len(table.client.get(f"/static/{name}", headers=PACKED).data)
    assert 100 < sent <= HEAVIEST_PICTURE


@pytest.mark.parametrize("name", [one for one in PICTURES if one.startswith("html/cards")])
def test_the_cards_are_soon_there_on_a_slow_line(table: HttpTable, name: str) -> None:
    assert len(table.client.get(f"/static/{name}", headers=PACKED).data) <= HEAVIEST_CARDS


@pytest.mark.parametrize("headers", [{}, PACKED])
def test_a_file_that_is_known_is_not_sent_again(table: HttpTable, headers: dict[str, str]) -> None:
    tag = table.client.get("/static/html/cards.svg", headers=headers).headers["ETag"]
    again = table.client.get("/static/html/cards.svg", headers={**headers, "If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("html/cards.svg", "image/svg+xml; charset=utf-8"),
        ("html/words.js", "text/javascript; charset=utf-8"),
        ("html/guinote.css", "text/css; charset=utf-8"),
        ("html/icon-192.png", "image/png"),
    ],
)
def test_a_file_is_served_with_its_content_type(table: HttpTable, name: str, kind: str) -> None:
    assert table.client.get(f"/static/{name}").headers["Content-Type"] == kind


@pytest.mark.parametrize(
    "name",
    [
        "nothing.css",
        "html/nothing.css",
        "html",
        "tablet/rules",
        "../app.py",
        "%2e%2e/app.py",
        "..%2fapp.py",
        "html/../../pages.py",
        "html/%2e%2e/%2e%2e/pages.py",
        "../html/pages.py",
        "tablet/../html/guinote.css",
        "a%00b",
        "a" * 300,
    ],
)
def test_nothing_else_is_given(table: HttpTable, name: str) -> None:
    assert table.client.get(f"/static/{name}").status_code == 404


def test_a_file_that_changed_is_sent_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client = HttpTable(tmp_path / "club").client
    monkeypatch.setattr("api.http.folders.API", tmp_path)
    file = tmp_path / "room" / "static" / "room" / "one.css"
    file.parent.mkdir(parents=True)
    file.write_text("a{}")
    first = client.get("/static/room/one.css").headers["ETag"]
    file.write_text("b{}" * 300)
    second = client.get("/static/room/one.css", headers=PACKED)
    assert second.headers["ETag"] != first
    assert gzip.decompress(second.data) == b"b{}" * 300


def test_a_module_is_sent_without_its_documentation() -> None:
    file = static_file_path("tablet/main.js")
    assert b"/**" in file.read_bytes()
    assert b"\n/**" not in read_asset_as_sent(file)
    assert b"\n " not in read_asset_as_sent(file)
    assert not [
        line for line in read_asset_as_sent(file).splitlines() if line.lstrip().startswith(b"//")
    ]
    assert [line for line in read_asset_as_sent(file).splitlines() if b"import" in line]
