"""Pages of an evening over HTTP: who is here, tables drawn and taken back, changed, closed, opened again."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from tests.support.days import today
from tests.support.servers.http_table import ENCUENTROS, HttpTable

OURS = {"Sec-Fetch-Site": "same-origin"}
NAMES = "Ana\nBlas\nCelia\nDiego\nEva\nFermín\nGloria\nHugo"
FORM = {"date": "2026-11-26", "profile": "club", "of": "persons"}


class Secretary:
    """A browser of the secretary: pages as text, forms as they are sent."""

    def __init__(self, table: HttpTable) -> None:
        self.table = table
        self.client = table.app.test_client()
        self.client.post("/entrar", data={"token": table.token})
        self.path = ""
        self._keys = 0

    def page(self, path: str = "") -> str:
        """Text of a page, with all that was written."""
        here = self.table.app.extensions["guinote"]()
        assert here.reads.wait(here.referee.position(), 30)
        return str(self.client.get(path or self.path).text)

    def send(self, path: str, **form: Any) -> Any:
        """The answer to a form."""
        self._keys += 1
        data = {"key": f"{self._keys:032d}", **form}
        return self.client.post(path, data=data, headers=OURS)

    def open(self, **form: Any) -> str:
        """The evening that a form opens."""
        answer = self.send("/jornadas/", **{**FORM, **form})
        assert answer.status_code == 303, answer.text
        self.path = answer.headers["Location"].partition("?")[0]
        return self.page()

    def do(self, what: str, **form: Any) -> Any:
        """A form of the evening, at its present version."""
        return self.send(f"{self.path}/{what}", version=self.version, **form)

    @property
    def version(self) -> int:
        return int(self.view["version"])

    @property
    def view(self) -> dict[str, Any]:
        self.page()
        found = self.table.get(f"/api/v1/sessions/{self.path.rpartition('/')[2]}").json
        return dict(found)

    def ids(self, *names: str) -> list[str]:
        found = {name: who for who, name in self.view["names"].items()}
        return [found[name] for name in names]


@pytest.fixture
def secretary(table: HttpTable) -> Secretary:
    return Secretary(table)


def test_a_form_sent_twice_opens_one_evening(secretary: Secretary) -> None:
    sent = {**FORM, "names-persons": NAMES, "do": "draw", "key": "a" * 32}
    first, again = (secretary.client.post("/jornadas/", data=sent, headers=OURS) for _ in range(2))
    where = [one.headers["Location"].partition("?")[0] for one in (first, again)]
    assert where[0] == where[1]
    secretary.path = where[0]
    assert len(secretary.view["draws"]) == 1
    assert len(secretary.view["present"]) == 8


def test_too_few_are_told_how_many_are_missing_and_offered_no_draw(secretary: Secretary) -> None:
    page = secretary.open(**{"names-persons": "Ana\nBlas\nCelia", "do": "draw"})
    assert "3 personas" in page
    assert "falta 1 para una mesa" in page
    assert "/sorteo" not in page
    assert secretary.view["draws"] == []


def test_a_name_that_one_player_has_means_that_player(secretary: Secretary) -> None:
    secretary.open(**{"names-persons": NAMES})
    before = secretary.view["present"]
    secretary.open(**{"names-persons": NAMES.upper()})
    assert sorted(secretary.view["present"]) == sorted(before)


def test_the_same_again_has_day_place_and_those_of_last_time(secretary: Secretary) -> None:
    secretary.open(**{"names-persons": NAMES, "place": "Casa Joan"})
    assert "La misma de la última vez" in secretary.page("/jornadas/")
    page = secretary.page("/jornadas/nueva?como=misma")
    assert page.count(" checked") == 8 + 1
    assert 'value="Casa Joan"' in page
    other = secretary.page("/jornadas/nueva")
    assert other.count(" checked") == 1


def test_a_season_is_given_its_calendar_and_the_same_again_is_its_next_day(
    secretary: Secretary,
) -> None:
    begun = {"name": "Liga", "since": "2026-11-01", "until": "2027-01-10", "of": "persons"}
    made = secretary.send("/temporadas/", **begun)
    league = made.headers["Location"].partition("?")[0]
    first = secretary.page(f"{league}/calendario?weekday=5&since=2026-11-01&until=2027-01-10")
    days = re.findall(r'name="day" value="([0-9-]+)" checked', first)
    assert (days[0], days[-1], len(days)) == ("2026-11-07", "2027-01-09", 10)
    this_day = today()
    coming = [(this_day + timedelta(days=n)).isoformat() for n in (0, 9)]
    at = {"time": "20:15", "place": "El Casino"}
    saved = secretary.send(f"{league}/calendario", version=1, day=[coming[0]], more=coming[1], **at)
    assert saved.status_code == 303, saved.text
    change = secretary.page(f"{league}/calendario")
    assert re.findall(r'name="day" value="([0-9-]+)" checked', change) == coming
    before = (this_day - timedelta(days=3)).isoformat()
    here = {"names-persons": NAMES, "season-persons": league.rpartition("/")[2]}
    secretary.open(**here, date=before)
    again = secretary.page("/jornadas/nueva?como=misma")
    assert f'name="date" type="date" required value="{coming[0]}"' in again
    assert 'value="El Casino"' in again
    secretary.open(**here, date=coming[0])
    again = secretary.page("/jornadas/nueva?como=misma")
    assert f'name="date" type="date" required value="{coming[1]}"' in again


def test_a_calendar_without_times_stays_without_and_readers_are_not_given_its_form(
    secretary: Secretary,
) -> None:
    begun = {"name": "Liga", "since": "2026-12-20", "of": "persons"}
    league = secretary.send("/temporadas/", **begun).headers["Location"].partition("?")[0]
    asked = f"{league}/calendario?weekday=6&since=9999-12-20&until=9999-12-31"
    assert re.findall(r'name="day" value="([0-9-]+)"', secretary.page(asked)) == ["9999-12-26"]
    assert 'value="20:30"' in secretary.page(league)
    days = {"day": ["2027-01-07", "2027-01-14"], "time": "", "place": ""}
    saved = secretary.send(f"{league}/calendario", version=1, **days)
    assert saved.status_code == 303, saved.text
    assert 'name="time" type="time" value=""' in secretary.page(f"{league}/calendario")
    read = secretary.table.app.test_client().get(league).text
    assert "/calendario.ics" in read
    assert '/calendario"' not in read


def test_a_wrong_calendar_is_said_and_keeps_its_ticks(secretary: Secretary) -> None:
    begun = {"name": "Liga", "since": "2026-11-01", "until": "2026-12-31", "of": "persons"}
    league = secretary.send("/temporadas/", **begun).headers["Location"].partition("?")[0]
    secretary.page(league)
    asked = {"weekday": "3", "since": "2026-11-01", "until": "2026-12-31", "place": "x" * 81}
    wrong = secretary.send(f"{league}/calendario", version=1, day=["2026-11-26"], **asked)
    assert wrong.status_code == 422
    assert re.findall(r'name="day" value="([0-9-]+)" checked', wrong.text) == ["2026-11-26"]
    none = secretary.page(f"{league}/calendario?weekday=9&since=2026-12-31&until=2026-12-01")
    assert "No hay ningún día" in none


def test_somebody_is_found_and_the_ticks_stay(secretary: Secretary) -> None:
    secretary.open(**{"names-persons": NAMES})
    ana, eva = secretary.ids("Ana", "Eva")
    sent = {**FORM, "person": [ana], "q-persons": "ev", "do": "find"}
    found = secretary.send("/jornadas/nueva", **sent).text
    assert re.search(f'value="{ana}" checked', found)
    assert f'value="{eva}"' in found
    same = secretary.send("/jornadas/nueva", **{**FORM, "do": "same"}).text
    assert same.count(" checked") == 8 + 1


def test_who_is_here_is_what_is_ticked_and_who_went_comes_back(secretary: Secretary) -> None:
    secretary.open(**{"names-persons": NAMES})
    ana, blas, *others = secretary.ids(*NAMES.split("\n"))
    gone = secretary.do(
        "presentes", do="save", person=[blas, *others], **{"names-persons": "Íñigo"}
    )
    assert f"gone={ana}" in gone.headers["Location"]
    page = secretary.page(gone.headers["Location"])
    assert "Ana se ha ido." in page
    assert len(secretary.view["present"]) == 8
    assert secretary.do("llegadas", person=ana).status_code == 303
    assert ana in secretary.view["present"]
    assert "se ha ido" not in secretary.page(gone.headers["Location"])
    nothing = secretary.do("presentes", do="save", person=secretary.view["present"])
    assert nothing.status_code == 303


def test_tables_are_drawn_again_and_taken_back_until_something_is_recorded(
    secretary: Secretary,
) -> None:
    page = secretary.open(**{"names-persons": NAMES + "\nÍñigo", "do": "draw"})
    assert "Descansa esta vez:" in page
    assert secretary.do("sorteo", method="seed").status_code == 303
    assert len(secretary.view["draws"]) == 2
    assert secretary.do("mesas").status_code == 303
    assert "Volver a sortear las mesas" in secretary.page()
    assert secretary.do("mesas/vuelta").status_code == 303
    assert secretary.view["encuentros"] == []
    assert secretary.do("mesas").status_code == 303
    first = secretary.view["encuentros"][0]["id"]
    table = secretary.table
    ruling = {"winner": "A", "because": "así quedó"}
    version = table.get(f"{ENCUENTROS}/{first}").json["version"]
    assert table.post(f"{ENCUENTROS}/{first}/rulings", ruling, version).status_code == 200
    page = secretary.page()
    assert "Volver a sortear las mesas" not in page
    assert "/cambio" not in page
    assert secretary.do("mesas/vuelta").status_code == 409


def test_tables_by_rotation_go_on_by_rotation(secretary: Secretary) -> None:
    secretary.open(**{"names-persons": NAMES, "do": "draw"})
    assert re.search(r'name="method" value="rotation" checked', secretary.page())
    assert secretary.do("sorteo", method="rotation").status_code == 303
    assert "se juntan los que menos se han juntado hoy" in secretary.page()
    assert 'type="hidden" name="method" value="rotation"' in secretary.page()
    assert secretary.do("mesas").status_code == 303
    here = secretary.view["present"]
    assert secretary.do("presentes", do="draw", person=here).status_code == 303
    played, next_ones = secretary.view["draws"][-2:]
    sides = [
        {frozenset(side) for table in draw["tables"] for side in table["sides"]}
        for draw in (played, next_ones)
    ]
    assert next_ones["method"] == "rotation"
    assert not sides[0] & sides[1]


def test_a_draw_that_somebody_missed_is_drawn_again_before_it_plays(secretary: Secretary) -> None:
    secretary.open(**{"names-persons": NAMES, "do": "draw"})
    present = secretary.view["present"]
    assert f"{secretary.path}/mesas" in secretary.page()
    secretary.do("presentes", do="save", person=present[1:])
    page = secretary.page()
    assert "Sortea otra vez." in page
    assert f'action="{secretary.path}/mesas"' not in page


def test_an_evening_changes_its_day_place_and_rules(secretary: Secretary) -> None:
    secretary.open(**{"names-persons": NAMES, "do": "draw"})
    form = {"date": "2026-12-03", "place": "El Casino", "profile": "escuela"}
    assert secretary.do("cambio", **form).status_code == 303
    view = secretary.view
    assert (view["date"], view["place"], view["profile"]["id"]) == tuple(form.values())


def test_closing_says_which_tables_are_not_played_and_the_evening_opens_again(
    secretary: Secretary,
) -> None:
    secretary.open(**{"names-persons": NAMES, "do": "draw"})
    secretary.do("mesas")
    assert "Sin resultado: Mesa 1, Mesa 2." in secretary.page()
    assert secretary.do("cierre").status_code == 303
    page = secretary.page()
    assert "Volver a abrir la jornada" in page
    assert "data-attendance" not in page
    assert secretary.do("reapertura").status_code == 303
    assert secretary.view["closed"] is False


def test_pairs_are_seated_by_hand_and_keep_their_numbers(secretary: Secretary) -> None:
    lines = "Los Reyes: Ana y Blas\nCelia y Diego\nEva y Fermín\nGloria y Hugo"
    secretary.open(of="pairs", **{"names-pairs": lines})
    view = secretary.view
    ana = secretary.ids("Ana")[0]
    one, two, three, four = sorted(view["pairs"], key=lambda pair: ana not in view["pairs"][pair])
    seats = {f"table-{one}": "2", f"side-{one}": "A", f"table-{two}": "2", f"side-{two}": "B"}
    assert secretary.do("sorteo", method="hand", **seats).status_code == 303
    (drawn,) = secretary.view["draws"][-1]["tables"]
    assert drawn["number"] == 2
    page = secretary.page()
    assert "Los Reyes (" in page
    assert "Descansa esta vez:" in page
    secretary.do("mesas")
    assert "Los Reyes<span" in secretary.page()
    assert 'data-first="3"' in secretary.page()
    assert "Mesa 2" in secretary.page(f"{secretary.path}/hoja")
    assert {three, four} < set(secretary.view["pairs"])


def test_a_name_that_several_players_have_is_asked_about_in_pasted_pairs(
    secretary: Secretary,
) -> None:
    for club in ("El Casino", "La Peña"):
        listed = secretary.table.post("/api/v1/players", {"name": "Ana Gil", "club": club})
        assert listed.status_code == 201, listed.text
    sent = {"of": "pairs", "names-pairs": "Los Reyes: Ana Gil y Blas"}
    secretary.page("/jugadores/")
    asked = secretary.send("/jornadas/", **{**FORM, **sent})
    assert asked.status_code == 422
    meant = re.search(r'name="is ana gil" value="([0-9a-f]{32})".*?La Peña', asked.text)
    choices = re.findall(r'name="is ana gil" value="([^"]+)"', asked.text)
    assert meant, asked.text
    assert len(choices) == 3
    secretary.open(**sent, **{"is ana gil": choices[1]})
    assert choices[1] in secretary.view["present"]
    again = secretary.do("presentes", **sent, pair=list(secretary.view["pairs"]))
    assert again.status_code == 422
    assert 'name="is ana gil"' in again.text


def test_a_line_that_is_no_pair_is_named_and_nothing_is_lost(secretary: Secretary) -> None:
    lines = "Ana y Blas\nCelia"
    answer = secretary.send("/jornadas/", **{**FORM, "of": "pairs", "names-pairs": lines})
    assert answer.status_code == 422
    assert "Línea 2" in answer.text
    assert "Ana y Blas\nCelia</textarea>" in answer.text
    wrong = secretary.send("/jornadas/", **{**FORM, "date": "ayer", "names-persons": "Ana"})
    assert wrong.status_code == 422
