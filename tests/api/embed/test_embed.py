"""Pieces in the page of another site, a board for a stream, and the code that one copies."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Frame, Page, expect

from tests.api.embed.other_site import OtherSite, other_site
from tests.support.browser.kept_pages import kept_page
from tests.support.browser.pages import (
    READ,
    TELEVISION,
    address,
    no_violations_in_any_language,
    visiting,
)
from tests.support.servers.club_tables import PEOPLE, Director, board_of, deal, trick, whole_deal
from tests.support.servers.served import Served

_PIECE = "iframe[data-guinote]"
_ALPHA = """async (picture) => {
  const bitmap = await createImageBitmap(await (await fetch(picture)).blob());
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  canvas.drawImage(bitmap, 0, 0);
  return [[5, 5], [bitmap.width / 2, bitmap.height / 2], [200, bitmap.height - 80]]
    .map(([x, y]) => canvas.getImageData(x, y, 1, 1).data[3]);
}"""


class Shown(NamedTuple):
    """A club with two tables and a tournament, and the site that may embed it."""

    director: Director
    site: OtherSite
    table: str
    tournament: str
    season: str

    @property
    def served(self) -> Served:
        return self.director.served

    @property
    def pieces(self) -> dict[str, str]:
        """Each piece, and the words that are on it."""
        return {
            f"/incrustar{board_of(self.table)}": PEOPLE[0],
            "/incrustar/sala": PEOPLE[0],
            f"/incrustar/torneos/{self.tournament}/cuadro": "Semifinales",
            f"/incrustar/torneos/{self.tournament}/clasificacion": "Clasificación",
            f"/incrustar/temporadas/{self.season}": "Ada Bel",
        }


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    with other_site() as site:
        named = site.origin()
        served = Served(
            tmp_path_factory.mktemp("embedded"),
            is_forked=True,
            GUINOTE_EMBED_ORIGINS=named,
            GUINOTE_CORS_ORIGINS=named,
        )
        served.start()
        try:
            director = Director(served)
            table = director.table(*PEOPLE[:4])
            director.won(table, "A")
            director.partida(table, *whole_deal("B2", 74), *deal("A1", "AB"), trick("A1", 3))
            director.id = director.tournament(8, format="knock_out", tables=4)
            director.do("tables", {})
            first = director.open()[0]
            director.win(first, first["pairs"][0])
            director.read(director.path)
            yield Shown(director, site, table, str(director.id), published_season(director))
        finally:
            served.kill_all()


def published_season(director: Director) -> str:
    """A season of a published league with a result."""
    director.write("/api/v1/settings", {"league_audience": "everybody"}, 0)
    season = str(director.write("/api/v1/seasons", {"name": "Liga", "rules": "club"})["id"])
    text = "2020-01-02;1;Ada Bel · Bea Cid;2;Cira Dol · Dora Ena;0"
    director.write("/api/v1/sessions/file", {"text": text, "season": season})
    return season


def embed(shown: Shown, page: Page, body: str, host: str = "127.0.0.1") -> Frame | None:
    """Open a page of the other site with a piece in it; the frame of the piece."""
    shown.site.pages["/"] = f"<!doctype html><title>club</title><body>{body}"
    page.goto(f"{shown.site.origin(host)}/")
    return page.locator(_PIECE).element_handle().content_frame()


def frame(served: Served, path: str) -> str:
    return f'<iframe data-guinote width="700" height="40" src="{address(served, path)}"></iframe>'


def copied(page: Page, shown: Shown, path: str) -> str:
    """The code that a page for officials offers, as the browser has it in its field."""
    page.goto(address(shown.served, f"{path}/compartir"))
    return page.locator("textarea").first.input_value()


def test_what_one_copies_fits_the_board_follows_the_table_and_grows_on_a_narrow_screen(
    browser: Browser, shown: Shown
) -> None:
    """On a page of another origin; nothing in it is cut, also after it grew."""
    season = f"/temporadas/{shown.season}"
    with visiting(browser, shown.served, "/healthz", signed_in=True) as page:
        code = copied(page, shown, board_of(shown.table))
        of_season = copied(page, shown, season)
    context = browser.new_context(locale="es-ES", viewport={"width": 800, "height": 700})
    site = context.new_page()
    piece = embed(shown, site, code)
    assert piece is not None
    expect(piece.get_by_text(PEOPLE[0]).first).to_be_visible()
    whole(site)
    expect(piece.locator("#state")).to_have_attribute("data-state", "live")
    before = site.locator(_PIECE).bounding_box()
    shown.director.act(f"{shown.table}/partidas/2", {"kind": "cante", "seat": "A1", "suit": "C"})
    expect(piece.locator(".cantes li")).to_have_count(1)
    whole(site)
    assert before
    site.set_viewport_size({"width": 420, "height": 700})
    whole(site)
    assert site.locator(_PIECE).bounding_box() != before
    site.set_viewport_size({"width": 390, "height": 700})
    piece = embed(shown, site, of_season)
    assert piece is not None
    expect(piece.get_by_role("link", name="Ada Bel")).to_be_visible()
    whole(site)
    context.close()


def whole(site: Page) -> None:
    """The frame becomes exactly as tall as what is in it, and nothing is wider."""
    frames = [one for one in site.frames if one != site.main_frame]
    size = "() => [document.documentElement.getBoundingClientRect().height, innerHeight, document.documentElement.scrollWidth - innerWidth]"
    for one in frames:
        one.wait_for_function(
            "() => Math.abs(document.documentElement.getBoundingClientRect().height - innerHeight) <= 1"
        )
        height, _, over = one.evaluate(size)
        assert height > 100
        assert over <= 0


def test_each_piece_has_its_colours_there_and_is_in_no_other_frame_nor_are_the_pages_in_any(
    browser: Browser, shown: Shown
) -> None:
    """A link of a piece opens a window beside the page."""
    context = browser.new_context(locale="es-ES")
    page = context.new_page()
    for path, words in shown.pieces.items():
        for ground, scheme in (("claro", "light"), ("oscuro", "dark")):
            piece = embed(shown, page, frame(shown.served, f"{path}?fondo={ground}"))
            assert piece is not None
            expect(piece.get_by_text(words).first).to_be_visible()
            of_root = "getComputedStyle(document.documentElement).colorScheme"
            assert piece.evaluate(of_root) == scheme, path
        is_refused(shown, page, path, "localhost")
    for path in ("/sala/", "/"):
        is_refused(shown, page, path, "127.0.0.1")
    piece = embed(shown, page, frame(shown.served, "/incrustar/sala"))
    assert piece is not None
    with context.expect_page() as opened:
        piece.get_by_role("link", name="Ver la página entera").click()
    expect(opened.value.locator("h1")).to_have_text("Sala")
    context.close()


def is_refused(shown: Shown, page: Page, path: str, host: str) -> None:
    """The browser shows nothing of it in a frame of this site."""
    refused = embed(shown, page, frame(shown.served, path), host)
    assert refused is not None
    page.wait_for_load_state("load")
    assert refused.url.startswith("chrome-error:"), path


def test_by_the_policy_of_a_browser_the_named_site_reads_the_public_api_and_no_other(
    browser: Browser, shown: Shown
) -> None:
    """With a header that needs a preflight, and as a stream."""
    sala = address(shown.served, "/api/v1/public/sala")
    ask = """(sala) => fetch(sala, { headers: { "If-None-Match": '"x"' } })
      .then((answer) => answer.json()).then((hall) => hall.tables.length, () => -1)"""
    hear = """(stream) => new Promise((done) => {
      const source = new EventSource(stream);
      const end = (heard) => { source.close(); done(heard); };
      source.onopen = () => end(true);
      source.onerror = () => end(false);
    })"""
    closed = address(shown.served, "/api/v1/encuentros")
    context = browser.new_context()
    page = context.new_page()
    shown.site.pages["/"] = "<!doctype html><title>club</title>"
    for host, tables, heard in (("127.0.0.1", 1, True), ("localhost", -1, False)):
        page.goto(f"{shown.site.origin(host)}/")
        assert page.evaluate(ask, sala) == tables
        assert page.evaluate(hear, f"{sala}/stream") is heard
        assert page.evaluate("(at) => fetch(at).then(() => true, () => false)", closed) is False
    context.close()


def test_the_picture_of_a_board_for_a_stream_has_no_background_but_under_the_names(
    browser: Browser, shown: Shown
) -> None:
    path = f"{board_of(shown.table)}/emision"
    with visiting(browser, shown.served, path, **TELEVISION) as page:
        expect(page.get_by_text(PEOPLE[0]).first).to_be_visible()
        picture = page.screenshot(omit_background=True)
        data = f"data:image/png;base64,{b64encode(picture).decode()}"
        other = page.context.new_page()
        other.goto("about:blank")
        corner, middle, names = other.evaluate(_ALPHA, data)
        assert (corner, middle) == (0, 0)
        assert names > 200


@pytest.mark.parametrize("lang", READ)
def test_the_pages_for_officials_have_contrast(browser: Browser, shown: Shown, lang: str) -> None:
    for at in (board_of(shown.table), "/sala", f"/torneos/{shown.tournament}"):
        path = f"{at}/compartir?lang={lang}"
        with kept_page(browser, shown.served, path, signed_in=True) as page:
            expect(page.locator("code").first).to_have_text(shown.site.origin())
            no_violations_in_any_language(page)
