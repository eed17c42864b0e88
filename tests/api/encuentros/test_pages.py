"""Pages of encuentros: the data of the views in the reader's language, without scripts."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest

from api.http.folders import static_file_path
from tests.support.servers.http_table import ENCUENTROS, HttpTable, card, deal, pinta
from tests.support.servers.http_tournament import HttpTournament

VOID = {"img", "meta", "link", "input", "br", "hr", "use", "rect", "path", "circle"}


class Outline(HTMLParser):
    """Elements of a page, and its markup errors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.wrong += [f"not closed: {tag}" for tag in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"closed out of order: {tag}")

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.elements if name == tag]


@pytest.fixture(scope="module")
def table(shared_table: HttpTable) -> HttpTable:
    shared_table.client.post("/entrar", data={"token": shared_table.token})
    return shared_table


@pytest.fixture(scope="module")
def partida(table: HttpTable) -> str:
    return noted_partida(table)


def noted_partida(table: HttpTable) -> str:
    """A partida with tricks, a cante, a finding, a correction and a text."""
    where = table.partida()
    acts = [
        deal(),
        pinta("RO"),
        *(
            card(seat, token)
            for seat, token in (("A1", "3C"), ("B1", "4C"), ("A2", "5C"), ("B2", "6C"))
        ),
        {"kind": "cante", "seat": "A1", "suit": "B"},
        card("B1", "AE"),
        {"kind": "incident", "incident": "talk", "seat": "B1", "text": "<b>dijo</b> algo"},
    ]
    assert table.record(where, 0, *acts).status_code == 200
    assert (
        table.post(
            f"{where}/amendments",
            {"changes": [{"line": 4, "how": "replace", "act": card("B1", "7C")}]},
            9,
        ).status_code
        == 200
    )
    table.get(where)
    return where


def pages(partida: str) -> dict[str, str]:
    encuentro = partida.split("/")[4]
    return {
        "home": "/",
        "encuentro": f"/e/{encuentro}",
        "partida": f"/e/{encuentro}/p/1",
        "board": f"/mesa/{encuentro}",
        "rules in force": f"/e/{encuentro}/reglas",
        "rules": "/reglas",
        "profile": "/reglas/guinyot",
        "profile for two": "/reglas/sin-mazo?players=2",
        "difference": "/reglas/guinyot/y/escuela",
        "no difference": "/reglas/club/y/club",
        "login": "/entrar",
        "nothing": "/e/00000000-0000-0000-0000-000000000000",
    }


OPEN = ("rules", "profile", "profile for two", "difference", "no difference")
NAMES = ("home", "encuentro", "partida", "board", "rules in force", *OPEN, "login", "nothing")


@pytest.mark.parametrize("lang", ["es", "ca", "en", "fr"])
@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_whole_and_in_its_language(
    table: HttpTable, partida: str, name: str, lang: str
) -> None:
    answer = table.client.get(
        pages(partida)[name], headers={"Accept-Language": lang, "Accept": "text/html"}
    )
    assert answer.status_code == (404 if name == "nothing" else 200)
    outline = Outline(answer.text)
    assert outline.wrong == []
    assert outline.all("html")[0]["lang"] == lang
    assert [one for one in outline.all("script") if "src" not in one] == []
    assert [one for _, one in outline.elements if "style" in one] == []
    assert len(outline.all("h1")) == 1
    assert not re.search(
        r"\b(?:page|rule|act|how|problem|conclusion|option|value|group|basis)\.[a-z_-]+",
        answer.text.replace("/static/", ""),
    )
    assert "{{" not in answer.text
    assert "None" not in answer.text


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_readable_by_everybody(table: HttpTable, partida: str, name: str) -> None:
    outline = Outline(table.client.get(pages(partida)[name]).text)
    inputs = [one for one in outline.all("input") if one.get("type") != "hidden"]
    named = {one["id"] for one in inputs if not one.get("aria-label")}
    assert named <= {one["for"] for one in outline.all("label")}
    assert all(one.get("scope") for one in outline.all("th"))
    for one in outline.all("svg"):
        assert one.get("aria-hidden") == "true" or one.get("aria-label")
    ids = [one["id"] for _, one in outline.elements if "id" in one]
    assert len(ids) == len(set(ids))


def test_a_wide_table_scrolls_in_its_own_box(table: HttpTable, partida: str) -> None:
    for name in NAMES:
        text = table.client.get(pages(partida)[name]).text
        assert text.count("<table") == len(re.findall(r'<div class="scroll"[^>]*><table', text))


def test_a_partida_shows_tricks_findings_and_corrections(table: HttpTable, partida: str) -> None:
    text = table.client.get(pages(partida)["partida"], headers={"Accept-Language": "es"}).text
    assert 'aria-label="tres de copas"' in text
    assert 'aria-label="siete de copas"' in text
    assert "Ana canta bastos" in text
    assert '<tr id="line-4" class="gone">' in text
    assert "Jugó fuera de turno." in text


def test_what_a_person_wrote_is_text_and_never_markup(table: HttpTable, partida: str) -> None:
    text = table.client.get(pages(partida)["partida"]).text
    assert "&lt;b&gt;dijo&lt;/b&gt; algo" in text
    assert "<b>" not in text


def test_the_board_shows_no_points_of_the_running_deal(table: HttpTable, partida: str) -> None:
    text = table.app.test_client().get(pages(partida)["board"]).text
    assert 'aria-label="rey de oros"' in text
    cards = re.findall('<title>([^<]+)</title><use href="[^"]+cards', text)
    assert cards == [
        "rey de oros",
        "tres de copas",
        "siete de copas",
        "cinco de copas",
        "seis de copas",
    ]
    assert "as de espadas" not in text, "it lies on the table, and its trick is not closed"
    assert "tantos" not in text.partition("<main")[2].partition("</main>")[0]
    assert "Ana" in text
    assert "fuera de turno" not in text


def test_a_stranger_is_asked_for_the_token(table: HttpTable, partida: str) -> None:
    stranger = table.app.test_client()
    for name in ("encuentro", "partida", "rules in force"):
        answer = stranger.get(pages(partida)[name])
        assert answer.status_code == 302
        assert answer.headers["Location"] == f"/entrar?next={pages(partida)[name]}"
    for name in ("home", "board", *OPEN):
        assert stranger.get(pages(partida)[name]).status_code == 200


def test_a_chosen_language_is_kept(table: HttpTable) -> None:
    client = table.app.test_client()
    client.get("/entrar?lang=ca")
    assert 'lang="ca"' in client.get("/entrar", headers={"Accept-Language": "fr"}).text


def test_a_redirect_keeps_a_chosen_language_and_the_interface_does_not(
    table: HttpTable, partida: str
) -> None:
    client = table.app.test_client()
    redirected = client.get(f"{pages(partida)['encuentro']}?lang=ca")
    assert redirected.status_code == 302
    assert redirected.headers["Set-Cookie"].startswith("lang=ca;")
    assert "Set-Cookie" not in table.client.get("/api/v1/encuentros?lang=ca").headers


@pytest.mark.parametrize(
    ("sent", "lang"),
    [("de, fr;q=0.5", "fr"), ("ca-ES", "ca"), ("de", "es"), ("", "es"), (";;,", "es")],
)
def test_a_language_is_negotiated(table: HttpTable, sent: str, lang: str) -> None:
    client = table.app.test_client()
    assert f'<html lang="{lang}">' in client.get("/entrar", headers={"Accept-Language": sent}).text


def crumbs(client: Any, path: str) -> list[tuple[str, str]]:
    """Addresses and words of what is above a page."""
    (found,) = re.findall(r'<nav class="crumbs".*?</nav>', client.get(path).text)
    return re.findall(r'<a href="([^"]*)">([^<]*)</a>', found)


def test_a_page_of_an_encuentro_leads_to_the_evening_or_tournament_that_it_belongs_to(
    table: HttpTable,
) -> None:
    opening = {"date": "2026-11-21", "players": 4, "profile": {"id": "club"}}
    evening = table.post("/api/v1/sessions", opening).json["id"]
    tournament = HttpTournament(table, 0, format="knock_out").path.rpartition("/")[2]
    everywhere = [("/mesas/", "Todas las mesas")]
    of_evening = [
        ("/jornadas/", "Jornadas"),
        (f"/jornadas/{evening}", "Jornada 21 de noviembre de 2026"),
    ]
    of_tournament = [("/torneos/", "Torneos"), (f"/torneos/{tournament}", "Torneo de San Roque")]
    cases = [
        (evening, of_evening, everywhere),
        (tournament, of_tournament, of_tournament),
        (None, everywhere, everywhere),
    ]
    for held_in, above, above_for_a_device in cases:
        body = {"profile": {"id": "club"}, "players": 4, "held_in": held_in}
        opened = table.post(ENCUENTROS, {key: value for key, value in body.items() if value})
        encuentro = opened.headers["Location"]
        table.get(encuentro)
        path = f"/e/{opened.json['id']}"
        assert crumbs(table.client, path) == [("/", "Inicio"), *above]
        assert crumbs(table.client, f"{path}/acta") == [
            ("/", "Inicio"),
            *above,
            (path, "Encuentro"),
        ]
        assert crumbs(table.scorer(encuentro), path) == [("/", "Inicio"), *above_for_a_device]
        begun = table.post(f"{encuentro}/partidas", {}, table.get(encuentro).json["version"])
        assert begun.status_code == 201
        table.get(encuentro)
        assert crumbs(table.client, f"/repeticion/{opened.json['id']}/1") == [
            ("/", "Inicio"),
            *(above if held_in else []),
            (path, "Encuentro"),
            (f"{path}/p/1", "Partida 1"),
        ]
    assert table.client.get(f"/e/{evening}").status_code == 404


def test_the_pages_are_light(table: HttpTable, partida: str) -> None:
    assert len(table.client.get(pages(partida)["partida"]).data) < 100_000


def test_a_cursor_of_nobody_is_refused(table: HttpTable) -> None:
    assert table.client.get("/mesas/?cursor=zzz").status_code == 422


def contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def colours(sheet: str) -> list[dict[str, str]]:
    light, dark = (
        dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", part))
        for part in sheet.split("prefers-color-scheme")[:2]
    )
    return [light, {**light, **dark}]


PAIRS = [
    ("ink", "paper"),
    ("ink", "card"),
    ("soft", "paper"),
    ("soft", "card"),
    ("accent", "paper"),
    ("accent", "card"),
    ("on-felt", "felt"),
    ("ink", "mark"),
    ("accent", "mark"),
    ("oros", "face"),
    ("copas", "face"),
    ("espadas", "face"),
    ("bastos", "face"),
]


@pytest.mark.parametrize(("front", "back"), PAIRS)
def test_words_stand_out_by_day_and_by_night(front: str, back: str) -> None:
    sheet = static_file_path("html/guinote.css").read_text("utf-8")
    for scheme in colours(sheet):
        assert contrast(scheme[front], scheme[back]) >= 4.5, (front, back)
