"""Telephones of players: for the organisers alone, with a word that they agree, and for a time."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from api.club.messages import parse_pasted_list
from api.club.phones import book
from api.club.phones.numbers import phones_of_names
from api.server.data_folder import Files
from tests.api.club.test_names import Site
from tests.support.html import Html
from tests.support.servers.http_table import HttpTable
from tests.support.servers.sealed_names import held, traces

NUMBER = "+34600123456"
WAYS_TO_WRITE = (b"600123456", b"600 123 456", NUMBER.encode())
NEXT_YEAR = timedelta(days=367)


@pytest.fixture
def site(table: HttpTable) -> Site:
    return Site(table)


def player(site: Site, name: str) -> str:
    site.table.position = site.table.app.extensions["guinote"]().referee.position()
    items = site.table.get("/api/v1/players").json["items"]
    return str(next(one["player"] for one in items if one["name"] == name))


def reached(site: Site, person: str) -> list[str | None]:
    """The ways by which the page of a player reaches them."""
    shown = site.table.get(f"/jugadores/{person}")
    assert shown.status_code == 200
    return Html(shown.text).values("a[href^='tel:'], a[href^='https://wa.me']", "href")


def season(site: Site, **more: str) -> str:
    body = {"name": "Liga", "since": "2026-01-01", **more}
    made = site.table.post("/api/v1/seasons", body)
    assert made.status_code == 201, made.text
    return str(made.headers["Location"])


def noted(site: Site, **form: str) -> Any:
    typed = {"phone": "600 12 34 56", "phones": "agreed", **form}
    return site.send(f"/jugadores/{site.maria}/telefono", **typed)


def texts(site: Site) -> list[str]:
    return [text for _, text in site.table.app.extensions["guinote"]().persons.ids_and_texts()]


def later(site: Site, by: timedelta) -> int:
    """Telephones that are forgotten when so much time has passed."""
    here = site.table.app.extensions["guinote"]()
    when = datetime.now(UTC) + by
    return book.forget_expired_phones(replace(here, clock=lambda: when))


# --- read ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "names", "found"),
    [
        ("1. Pilar Gil ✅ 600 123 456", ["Pilar Gil"], {"Pilar Gil": NUMBER}),
        ("GIL MUR, Pilar tel: 600-12-34-56", ["Pilar Gil Mur"], {"Pilar Gil Mur": NUMBER}),
        ("Ana Gil 0034600123456 y Luis Gil", ["Ana Gil", "Luis Gil"], {"Ana Gil": NUMBER}),
        ("Ana Gil y Luis Gil +34 600 123 456", ["Ana Gil", "Luis Gil"], {"Luis Gil": NUMBER}),
        ("600123456 Ana Gil y Luis Gil", ["Ana Gil", "Luis Gil"], {"Ana Gil": NUMBER}),
        ("[27/11/26, 21:03] +34 600 123 456: Ana Gil", ["Ana Gil"], {}),
        ("Ana Gil 12345", ["Ana Gil"], {}),
    ],
)
def test_a_number_is_of_the_name_before_it(
    line: str, names: list[str], found: dict[str, str]
) -> None:
    read = phones_of_names(parse_pasted_list(line).phones, {1: names})
    assert {one.name: one.number for one in read} == found


# --- kept ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("agreed", [True, False])
def test_a_pasted_list_of_players_keeps_telephones_if_they_agree(
    site: Site, *, agreed: bool
) -> None:
    text = "1. Blas Gil 600 123 456\n2. Eva Mur PAGADO"
    form = {"phones": "agreed"} if agreed else {}
    look = site.send("/jugadores/traer", text=text)
    assert Html(look.text).texts("fieldset li") == ["Blas Gil: 600 123 456"]
    version = str(site.table.get(f"/api/v1/players/{site.maria}").json["version"])
    assert (
        "Nuevos: 2."
        in site.send("/jugadores/traer", text=text, version=version, take="yes", **form).text
    )
    wanted = [f"tel:{NUMBER}", "https://wa.me/34600123456"] if agreed else []
    assert reached(site, player(site, "Blas Gil")) == wanted
    assert reached(site, player(site, "Eva Mur")) == []


def test_a_column_of_a_spreadsheet_and_a_known_player_count_too(site: Site) -> None:
    text = '"nombre";"móvil"\n"María Pérez";"600123456"\n'
    version = str(site.table.get(f"/api/v1/players/{site.maria}").json["version"])
    done = site.send("/jugadores/traer", text=text, version=version, take="yes", phones="agreed")
    assert done.status_code == 200
    assert reached(site, site.maria)[0] == f"tel:{NUMBER}"


@pytest.mark.parametrize("agreed", [True, False])
def test_a_pasted_pair_keeps_the_telephone_of_the_one_before_it(
    site: Site, *, agreed: bool
) -> None:
    text = "1. María Pérez y Eva Mur 600 123 456"
    assert Html(site.send("/jugadores/parejas", text=text).text).texts("fieldset li") == [
        "Eva Mur: 600 123 456"
    ]
    form = {"phones": "agreed"} if agreed else {}
    assert site.send("/jugadores/parejas", text=text, sure="yes", **form).status_code == 303
    assert len(reached(site, player(site, "Eva Mur"))) == 2 * agreed
    assert reached(site, site.maria) == []


def test_a_typed_number_needs_a_word_that_they_agree_and_one_tap_forgets_it(site: Site) -> None:
    assert noted(site, phones="").status_code == 422
    assert noted(site, phone="112").status_code == 422
    assert set(texts(site)) == {"La Pili", "la Peña"}
    assert noted(site).status_code == 303
    assert reached(site, site.maria)[0] == f"tel:{NUMBER}"
    assert noted(site, phone="+33 6 12 34 56 78").status_code == 303
    assert reached(site, site.maria)[0] == "tel:+33612345678"
    assert NUMBER not in texts(site), "the one of before is erased"
    assert noted(site, forget="yes").status_code == 303
    assert reached(site, site.maria) == []
    assert not [one for one in texts(site) if one.startswith("+")]


# --- nowhere else --------------------------------------------------------------------------------


def test_nobody_but_an_organiser_is_shown_it_and_no_file_has_it_in_clear(
    site: Site, tmp_path: Path
) -> None:
    table = site.table
    season(site)
    made = table.post("/api/v1/sessions", {"date": "2026-11-28", "profile": {"id": "club"}})
    evening = str(made.headers["Location"]).rpartition("/")[2]
    version = table.get(f"/api/v1/sessions/{evening}").json["version"]
    came = {"players": [{"person": site.maria}]}
    assert table.post(f"/api/v1/sessions/{evening}/arrivals", came, version).status_code == 200
    noted(site)
    assert f"tel:{NUMBER}" in table.get(f"/jornadas/{evening}").text
    values = {"person_id": site.maria, "session_id": evening}
    bound = table.app.url_map.bind("localhost")
    paths = [
        bound.build(rule.endpoint, {one: values[one] for one in rule.arguments})
        for rule in table.app.url_map.iter_rules()
        if "GET" in (rule.methods or ())
        and rule.arguments <= values.keys()
        and not rule.rule.endswith(("/stream", "/changes", "/descarga"))
    ]
    assert len(paths) > 60
    spectator = table.signed_in("spectator")
    for path in paths:
        for headers in ({}, spectator, table.owner()):
            content = table.client.get(path, headers=headers).get_data()
            is_of_organiser = headers == table.owner() and path in (
                f"/jugadores/{site.maria}",
                f"/jornadas/{evening}",
            )
            if not is_of_organiser:
                assert not [one for one in WAYS_TO_WRITE if one in content], (path, headers)
    for path in ("/buscar", "/jugadores/", "/api/v1/players", "/api/v1/persons"):
        assert "María Pérez" not in table.get(f"{path}?q=600123456").text
    assert traces(tmp_path, list(WAYS_TO_WRITE)) == []


def test_who_is_erased_leaves_no_telephone_and_no_byte_of_it(site: Site, tmp_path: Path) -> None:
    noted(site)
    here = site.table.app.extensions["guinote"]()
    (text,) = (one for one, said in here.persons.ids_and_texts() if said == NUMBER)
    sealed = held(Files(tmp_path).persons, text)
    assert len(sealed) == 2
    erased = site.table.client.delete(f"/api/v1/persons/{site.maria}", headers=site.table.owner())
    assert erased.status_code in (202, 204)
    assert NUMBER not in texts(site)
    assert traces(tmp_path, sealed) == []


# --- forgotten -----------------------------------------------------------------------------------


def test_it_is_forgotten_with_the_season_that_ran(site: Site) -> None:
    where = season(site)
    noted(site)
    assert "al cerrar «Liga»" in site.table.get(f"/jugadores/{site.maria}").text
    assert later(site, timedelta(days=200)) == 0
    closed = site.table.post(f"{where}/closing", None, site.table.get(where).json["version"])
    assert closed.status_code == 200, closed.text
    assert NUMBER not in texts(site)
    assert reached(site, site.maria) == []
    noted_again = site.table.app.extensions["guinote"]().security.latest_entries(9, kind="erased")
    assert len(noted_again) == 1, "so that a restored copy does not bring it back"


def test_the_page_of_a_season_forgets_with_it_too(site: Site) -> None:
    where = season(site)
    noted(site)
    path = where.replace("/api/v1/seasons", "/temporadas")
    version = str(site.table.get(where).json["version"])
    assert site.send(f"{path}/cierre", version=version).status_code == 303
    assert NUMBER not in texts(site)


@pytest.mark.parametrize(
    ("more", "kept", "gone"),
    [
        ({"until": "2027-06-30"}, timedelta(days=1), timedelta(days=365 * 2)),
        ({}, timedelta(days=360), NEXT_YEAR),
        (None, timedelta(days=29), timedelta(days=31)),
    ],
    ids=["its last day", "a season that nobody closes", "no season"],
)
def test_it_is_forgotten_when_its_time_is_over(
    site: Site, more: dict[str, str] | None, kept: timedelta, gone: timedelta
) -> None:
    if more is not None:
        season(site, **more)
    noted(site)
    assert later(site, kept) == 0
    assert later(site, gone) == 1
    assert later(site, gone) == 0
    assert NUMBER not in texts(site)
