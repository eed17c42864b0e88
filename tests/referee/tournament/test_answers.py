"""Every page of a tournament in every state of every format: answered, small, and current."""

from __future__ import annotations

import gzip
import hashlib
import json

import pytest

from tests.support.read_pages import HEAVIEST_PAGE
from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import HttpTournament

PAGES = (
    *("", "/parejas", "/parejas?busca=ana", "/sorteo", "/ficheros", "/mesa/1", "/qr.svg"),
    *("/clasificacion", "/imprimir/clasificacion", "/imprimir/mesas", "/imprimir/parejas"),
    *("/grupos", "/imprimir/grupos", "/calendario.ics"),
    *("/parejas.csv", "/cruces.csv", "/clasificacion.csv"),
)
OF_ROUNDS = ("/rondas/1", "/imprimir/ronda", "/imprimir/ronda?ronda=1")
OF_BRACKETS = (
    *("/cuadro", "/cuadro?cuadro=third", "/cuadro?cuadro=none&parte=99", "/imprimir/cuadro"),
)
NONSENSE = ("/clasificacion?desde=7", "/parejas?desde=x", "/parejas?desde=-1", "/grupos?desde=99")
FORMATS = {
    "swiss": {"format": "swiss", "rounds": 3},
    "round_robin": {"format": "round_robin"},
    "knock_out": {"format": "knock_out", "has_third_place": True, "has_consolation": True},
    "groups": {"format": "groups", "groups": 2, "qualify": 2, "has_third_place": True},
}


class Reader:
    """A client without an account."""

    def __init__(self, played: HttpTournament) -> None:
        self.played = played
        self.home = played.path.replace("/api/v1/tournaments", "/torneos")
        self.moment = played.path.replace("/api/v1/", "/api/v1/public/")

    def status(self, path: str) -> int:
        return int(self.played.table.client.get(self.home + path).status_code)

    def sent(self, path: str) -> bytes:
        answer = self.played.table.client.get(self.home + path, headers={"Accept-Encoding": "gzip"})
        assert answer.status_code == 200, path
        return bytes(answer.data)

    def text(self, path: str) -> str:
        return gzip.decompress(self.sent(path)).decode()

    def sees(self, *paths: str) -> None:
        self.played.view()
        assert {path: self.status(path) for path in paths} == dict.fromkeys(paths, 200)

    def misses(self, *paths: str) -> None:
        assert {path: self.status(path) for path in paths} == dict.fromkeys(paths, 404)


@pytest.mark.parametrize("name", FORMATS)
def test_every_page_is_there_from_the_first_day_to_the_last(table: HttpTable, name: str) -> None:
    reader = Reader(played := HttpTournament(table, 0, **FORMATS[name]))
    reader.sees(*PAGES, *NONSENSE)
    reader.misses(*OF_ROUNDS, *OF_BRACKETS, "/pareja/1", "/pareja/1/qr.svg")
    played = HttpTournament(table, 9, **FORMATS[name])
    reader = Reader(played)
    played.do("draw", {"heads": 9})
    reader.sees(*PAGES, "/pareja/1", "/pareja/1/qr.svg")
    played.do("lots")
    reader.sees(*PAGES, *NONSENSE, "/pareja/9")
    if name != "knock_out":
        played.do("rounds")
    reader.sees(*PAGES, *OF_ROUNDS, "/pareja/9")
    played.do("pairs/2/withdrawal")
    reader.sees(*PAGES, *OF_ROUNDS, "/pareja/2")
    if name == "groups":
        played.play_open()
        played.rounds(4)
        played.do("knock-out")
    if name in ("groups", "knock_out"):
        reader.sees(*PAGES, *OF_ROUNDS, *OF_BRACKETS)
        played.play_open()
        reader.sees(*PAGES, *OF_ROUNDS, *OF_BRACKETS, "/pareja/1")
    reader.misses("/rondas/99", "/pareja/99", "/pareja/-1")


def test_the_last_day_shows_who_has_won(table: HttpTable) -> None:
    played = HttpTournament(table, 4, format="knock_out")
    played.draw()
    played.play_open()
    reader = Reader(played)
    played.view()
    assert "Ganan el torneo" in reader.text("")


def test_a_pair_out_of_a_knock_out_sees_how_far_it_came(table: HttpTable) -> None:
    played = HttpTournament(table, 8, format="knock_out")
    played.draw()
    played.play_open()
    played.view()
    page = Reader(played).text("/pareja/7")
    assert "5 de 8" in page
    assert "Cuartos de final" in page
    assert "Empatada" not in page


def test_five_hundred_and_twelve_pairs_are_light_on_every_page(table: HttpTable) -> None:
    played = HttpTournament(table, 512, format="swiss", rounds=2)
    played.draw()
    played.do("rounds")
    played.view()
    reader = Reader(played)
    for path in (*PAGES, *OF_ROUNDS, "/pareja/500"):
        assert len(reader.sent(path)) < HEAVIEST_PAGE / 3, path  # beside sheets and modules
    assert reader.text("/rondas/1").count('class="two"') == 64
    assert reader.text("/rondas/1?desde=193").count('class="two"') == 64
    assert reader.text("/parejas?busca=Ana+512").count('class="who"') == 1


def test_a_page_is_another_exactly_when_its_moment_is(table: HttpTable) -> None:
    played = HttpTournament(table, 4, format="round_robin")
    played.draw()
    played.do("rounds")
    played.view()
    reader = Reader(played)

    def seen() -> tuple[str, str]:
        played.view()
        moment = table.client.get(reader.moment)
        assert moment.headers["ETag"] == f'"{moment.json["hash"]}"'
        again = table.client.get(reader.moment, headers={"If-None-Match": moment.headers["ETag"]})
        assert again.status_code == 304
        page = table.client.get(reader.home).data
        return moment.json["hash"], hashlib.sha256(page).hexdigest()

    first = seen()
    assert seen() == first
    played.win(played.open()[0], played.open()[0]["pairs"][0])
    then = seen()
    assert then[0] != first[0]
    assert then[1] != first[1]
    erased = json.loads(table.get("/api/v1/persons?q=Ana 1").data)["items"][0]["person"]
    answer = table.client.delete(f"/api/v1/persons/{erased}", headers=table.owner())
    assert answer.status_code in (200, 204)
    last = seen()
    assert last[0] != then[0]
    assert "Ana 1<" not in table.client.get(f"{reader.home}/pareja/1").text
