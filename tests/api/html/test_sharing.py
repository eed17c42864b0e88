"""How pages look where their address is sent, and the text that is sent with it."""

from __future__ import annotations

from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.api.results.test_addresses import Phones
from tests.api.results.test_scores import Evening
from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import HttpTournament


def shown(table: HttpTable, path: str) -> tuple[dict[str, str], str]:
    """What the head says of a page for others, and the text that its button shares."""
    tree = LexborHTMLParser(table.get(path).text)
    metas = tree.css('meta[property^="og:"]')
    said = {str(one.attributes["property"]): str(one.attributes["content"]) for one in metas}
    field = tree.css_first("#share-text")
    return said, field.text() if field else ""


@pytest.mark.parametrize(
    ("lang", "evening", "table_1"),
    [
        ("es", "Jornada", "Mesa 1"),
        ("ca", "Jornada", "Taula 1"),
        ("en", "Evening", "Table 1"),
        ("fr", "Soirée", "Table 1"),
    ],
)
def test_the_text_of_an_evening_has_its_results_in_each_language(
    shared: Evening, lang: str, evening: str, table_1: str
) -> None:
    said, text = shown(shared.table, f"{shared.path}?lang={lang}")
    first, line, address = text.strip().splitlines()
    assert first.startswith(evening)
    assert line.startswith(f"{table_1}: ")
    assert sorted(line.partition(": ")[2].split(" – ")[0][-2:] + line[-2:]) == sorted(" 2 0")
    assert address == f"http://localhost{shared.path}"
    assert (said["og:title"], said["og:description"], said["og:url"]) == (first, line, address)


def test_each_public_page_says_how_it_is_shown_and_its_picture_is_there(shared: Evening) -> None:
    table = shared.table
    season = table.post("/api/v1/seasons", season_body())
    path = f"/temporadas/{season.headers['Location'].rpartition('/')[2]}"
    player = table.get("/api/v1/players").json["items"][0]
    for address, title in (
        (path, "Liga"),
        (f"/jugador/{player['player']}", player["name"]),
        (f"/mesa/{shared.id}", " – "),
    ):
        said, _ = shown(table, address)
        assert title in said["og:title"]
        picture = said["og:image"].removeprefix("http://localhost")
        assert table.get(picture).mimetype == "image/png"


def test_a_private_address_has_a_preview_that_does_not_repeat_it(table: HttpTable) -> None:
    phones = Phones(table)
    said, _ = shown(table, phones.address())
    assert said["og:title"] == "Mesa 1"
    assert " – " in said["og:description"]
    assert "og:url" not in said
    secret = phones.address().removeprefix("/m/")
    assert not any(secret in one for one in said.values())


def test_a_tournament_is_shared_with_its_champions(table: HttpTable) -> None:
    run = HttpTournament(table, 2, format="knock_out")
    run.draw()
    run.play_open()
    home = run.path.replace("/api/v1/tournaments", "/torneos")
    said, text = shown(table, home)
    name, _, champion, address = text.strip().splitlines()
    assert (name, address) == ("Torneo de San Roque · 21 de noviembre de 2026", said["og:url"])
    assert champion.startswith("Ganan el torneo: ")


def test_a_replay_is_shared_with_its_sides_and_the_address_of_its_seat(table: HttpTable) -> None:
    """A frame in a page of somebody else has neither button nor preview."""
    encuentro = table.encuentro()
    table.partida(encuentro)
    place = f"/repeticion/{encuentro.rpartition('/')[2]}/1"
    said, _ = shown(table, place)
    page = LexborHTMLParser(table.get(f"{place}?puesto=A1").text)
    assert said["og:title"] == page.css_first("h1").text().strip()
    assert " – " in said["og:description"]
    assert said["og:url"] == f"http://localhost{place}"
    (button,) = page.css("#share button[data-share]")
    field = page.css_first(f"#{button.attributes['data-share']}")
    assert field.attributes["value"] == f"http://localhost{place}?puesto=A1"
    framed = table.get(f"{place}?marco=1").text
    assert "og:" not in framed
    assert "data-share" not in framed


def season_body() -> dict[str, Any]:
    scoring = {"encuentro_won": 3, "encuentro_level": 1, "coto_won": 1, "attendance": 1}
    return {"name": "Liga", "scoring": scoring}


@pytest.fixture
def shared(table: HttpTable) -> Evening:
    evening = Evening(table)
    evening.tap("2-0")
    evening.caught_up()
    return evening
