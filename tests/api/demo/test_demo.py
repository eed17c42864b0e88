"""The demonstration: offered in an empty data folder, recorded with all checks, and only once."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import pytest
from click.testing import CliRunner

from api.cli.main import main
from api.demo.filling import NAMES, SEASON
from api.http.languages import LANGUAGES, say
from tests.support.browser.pages import TABLET, address, no_violations, visiting
from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import Served

FILL = "/demostracion"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> HttpTable:
    table = HttpTable(tmp_path_factory.mktemp("demo"))
    strict = table.post("/api/v1/settings", {"four_eyes": "required"}, 0)
    assert strict.status_code == 200, "the sides of the demonstration are two principals"
    answer = table.client.post(FILL, headers=table.owner())
    assert answer.status_code == 303, answer.text
    return table


def test_the_season_is_played_and_signed(filled: HttpTable) -> None:
    services = filled.app.extensions["guinote"]()
    assert services.referee.seasons.season(SEASON).opened is not None
    found = filled.get("/api/v1/encuentros?limit=200").json["items"]
    of_season = [one for one in found if one["decided"]]
    assert len(of_season) == 4 * 2 * 3
    stages = {
        services.referee.encuentros.encuentro(UUID(one["id"])).result.official for one in of_season
    }
    assert None not in stages
    assert {name for one in of_season for name in one["names"].values()} <= set(NAMES)


def test_the_tournament_is_in_its_second_round(filled: HttpTable) -> None:
    (one,) = filled.get("/api/v1/tournaments").json["items"]
    view = filled.get(f"/api/v1/tournaments/{one['id']}").json
    done = [[meeting["winner"] for meeting in each["meetings"]] for each in view["rounds"]]
    assert [len(each) - each.count(None) for each in done] == [4, 1]
    assert sum(row["points"] for row in view["standings"]) == 2 * 5
    assert (view["stage"], view["pending"]) == ("running", [])


def test_the_hand_is_disputed_and_its_renuncio_proved(filled: HttpTable) -> None:
    (one,) = [
        one
        for one in filled.get("/api/v1/encuentros?limit=200").json["items"]
        if not one["decided"] and one["date"] == ""
    ]
    where = f"/api/v1/encuentros/{one['id']}"
    (case,) = filled.get(f"{where}/cases").json["items"]
    (line,) = case["lines"]
    verdicts = filled.get(f"{where}/partidas/1/evidence").json["acts"]
    (found,) = [each for each in verdicts if each["verdict"] == "unlawful"]
    assert (found["line"], found["seat"], case["stage"]) == (line, "B1", "open")


def test_the_front_door_shows_what_is_under_way(filled: HttpTable) -> None:
    stranger, owner = filled.app.test_client(), filled.client
    for client, seen in ((stranger, (True, False)), (owner, (True, True))):
        page = client.get("/", headers=filled.owner() if client is owner else {}).text
        assert ("Torneo de otoño" in page, "Liga de los jueves" in page) == seen


def test_an_installation_is_filled_once(filled: HttpTable) -> None:
    before = filled.app.extensions["guinote"]().referee.log.position()
    assert filled.client.post(FILL, headers=filled.owner()).status_code == 412
    assert filled.app.extensions["guinote"]().referee.log.position() == before


def test_it_is_an_honest_log_on_the_command_line_too(tmp_path: Path) -> None:
    where = ["--data", str(tmp_path)]
    for lang in ("ca", "es"):
        done = CliRunner().invoke(main, [*where, "demo", "--lang", lang])
        assert done.exit_code == (lang == "es"), done.output
    assert CliRunner().invoke(main, [*where, "verify"]).exit_code == 0


def test_an_empty_installation_offers_it_on_its_front_page(browser, served: Served) -> None:
    for lang in LANGUAGES:
        with visiting(browser, served, f"/?lang={lang}", signed_in=True, **TABLET) as page:
            button = page.get_by_role("button", name=say("demo.fill", lang))
            assert button.count() == 1
            no_violations(page)
            if lang == LANGUAGES[-1]:
                button.click()
                page.wait_for_url(address(served, "/"))
                assert page.locator('a[href^="/e/"]').count() > 20
                assert button.count() == 0
                no_violations(page)
