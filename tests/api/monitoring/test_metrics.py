"""Metrics and lines of a service with two workers, as an operator gets them."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from api.monitoring.measures import CLASSES
from api.monitoring.operators import (
    TOKEN_FILE_VARIABLE,
    TOKEN_VARIABLE,
    Operators,
    metrics_token,
)
from tests.api.monitoring.scrape import Scrape, scrape
from tests.support.guesses import use_up_strong
from tests.support.places import ROOT
from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import Served, command_of
from tests.support.waiting import wait_for

KIT: Final = ROOT / "deploy" / "monitoring"
TOKEN: Final = "kept-by-prometheus-and-by-nobody-else"
ROUTE: Final = "/api/v1/profiles"
NAME: Final = "Pilar"
ADDED: Final = {"instance", "job", "le"}
"""Labels that Prometheus adds to each sample, and the bounds of a histogram."""
BY_PROMETHEUS: Final = {"up"}


class House(Served):
    """A service whose lines are read."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            folder / "data",
            GUINOTE_LOG_FORMAT="json",
            GUINOTE_METRICS_TOKEN=TOKEN,
            GUINOTE_SIGNING="on",
            GUINOTE_NOTARY=str(folder / "notary"),
        )
        self.lines = folder / "lines"
        self.stderr = self.lines.open("wb")
        self.command = ("gunicorn", "-c", "gunicorn.conf.py", "api.server.wiring:app()")

    def web_workers(self) -> list[int]:
        return [pid for pid in self.children() if b"gunicorn" in command_of(pid)]

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        connection = self.connection()
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        found = answer.status, answer.read().decode()
        connection.close()
        return found

    def scrape(self) -> Scrape:
        status, page = self.get("/metrics")
        assert status == 200
        return scrape(page)

    def write(self, path: str, body: Any, key: str, **headers: str) -> tuple[int, Any]:
        given = {"Authorization": f"Bearer {self.token}", "Idempotency-Key": key, **headers}
        return self.ask("POST", path, body, given)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    found = House(tmp_path_factory.mktemp("house"))
    found.start()
    played(found)
    yield found
    found.kill_all()
    found.stderr.close()


def played(house: House) -> None:
    """A player, a table, acts at it, a refusal, and a wrong token."""
    assert house.write("/api/v1/players", {"name": NAME}, "player-1")[0] == 201
    asked = {"profile": {"id": "club"}, "players": 4}
    where = f"/api/v1/encuentros/{house.write('/api/v1/encuentros', asked, 'opening-1')[1]['id']}"
    assert house.write(f"{where}/partidas", None, "partida-1", **{"If-Match": '"1"'})[0] == 201
    acts = {"acts": [{"kind": "deal", "dealer": "A1"}, {"kind": "pinta", "card": "RO"}]}
    path = f"{where}/partidas/1/acts"
    status, answer = house.write(path, acts, "deal-at-1", **{"If-Match": '"0"'})
    assert status == 200, answer
    match = f'"{answer["version"]}"'
    twice = {"acts": [{"kind": "card", "seat": "A1", "card": "RO"}]}
    assert house.write(path, twice, "refused-1", **{"If-Match": match})[0] == 409
    assert house.get("/api/v1/encuentros", Authorization="Bearer wrong")[0] == 401


def test_what_every_worker_answered_is_counted_once_though_one_is_killed(house: House) -> None:
    def asked(times: int) -> float:
        before = house.scrape().total("guinote_request_seconds_count", route=ROUTE, status="2xx")
        for _ in range(times):
            assert house.get(ROUTE)[0] == 200
        after = house.scrape()
        return after.total("guinote_request_seconds_count", route=ROUTE, status="2xx") - before

    wait_for(lambda: len(house.web_workers()) == 2, "two workers")
    assert asked(30) == 30
    total = house.scrape().total("guinote_request_seconds_count", route=ROUTE)
    dead = house.web_workers()[0]
    os.kill(dead, signal.SIGKILL)
    wait_for(lambda: dead not in house.web_workers() and len(house.web_workers()) == 2, "another")
    assert house.scrape().total("guinote_request_seconds_count", route=ROUTE) == total
    assert asked(30) == 30


def test_acts_refusals_and_failures_are_counted(house: House) -> None:
    found = house.scrape()
    assert found.total("guinote_acts_total") >= 4
    assert found.total("guinote_refusals_total") == 1
    assert found.total("guinote_security_events_total", kind="token_failed") == 1
    assert found.total("guinote_write_wait_seconds_count") > 4
    assert list(found.of("guinote_writers_waiting")) == [0.0]
    assert list(found.of("guinote_ready")) == [1.0]


def test_an_open_board_is_counted_until_it_is_left(house: House) -> None:
    connection = house.connection()
    connection.request("GET", "/api/v1/public/sala/stream")
    answer = connection.getresponse()
    assert answer.status == 200
    answer.readline()
    wait_for(lambda: house.scrape().total("guinote_streams_open") == 1, "an open board")
    answer.close()
    connection.close()
    wait_for(lambda: house.scrape().total("guinote_streams_open") == 0, "no board")


def test_to_everybody_else_the_metrics_are_an_unknown_page(house: House) -> None:
    local, token = {}, {"Authorization": f"Bearer {TOKEN}"}
    proxied = {"X-Forwarded-For": "127.0.0.1"}
    for headers in (local, token, {**token, **proxied}):
        assert house.get("/metrics", **headers)[0] == 200
    refused = (
        proxied,
        {"Forwarded": "for=127.0.0.1"},
        {"Host": "club.example"},
        {"Authorization": "Bearer wrong"},
        {"Authorization": f"Basic {TOKEN}", **proxied},
    )
    for headers in refused:
        host = {"Host": f"localhost:{house.port}", **headers}
        unknown = house.get("/metricz", **host)
        assert unknown[0] in (404, 421)
        assert house.get("/metrics", **host) == unknown


def test_guesses_at_the_token_of_monitoring_have_to_wait_and_the_right_one_never(
    table: HttpTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(path: str, token: str) -> int:
        sent, place = {"Authorization": f"Bearer {token}"}, {"REMOTE_ADDR": "10.0.0.1"}
        answer = table.app.test_client().get(path, headers=sent, environ_overrides=place)
        return int(answer.status_code)

    monkeypatch.setitem(table.app.extensions, "operators", Operators(TOKEN))
    assert [asked("/metrics", "guess") for _ in range(3)] == [404] * 3
    assert [asked("/readyz", "guess") for _ in range(2)] == [200] * 2
    use_up_strong(table.app, "10.0.0.1")
    assert asked("/readyz", "guess") == 429
    assert [asked(path, "guess") for path in ("/metrics", "/metricz")] == [429] * 2
    assert [asked("/readyz", one) for one in (TOKEN, table.token)] == [200] * 2
    assert asked("/metricz", table.token) == 404
    kinds = [one.kind for one in table.app.extensions["guinote"]().security.latest_entries(9)]
    assert kinds.count("token_failed") == 5


def test_a_token_that_could_be_guessed_is_refused_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, "prometheus")
    with pytest.raises(SystemExit, match=f"{TOKEN_VARIABLE}: the token has fewer than 32"):
        metrics_token()
    file = tmp_path / "token"
    file.write_text("prometheus\n")
    monkeypatch.setenv(TOKEN_FILE_VARIABLE, str(file))
    with pytest.raises(SystemExit, match=TOKEN_FILE_VARIABLE):
        metrics_token()
    file.write_text(f"{TOKEN}\n")
    assert metrics_token() == TOKEN


def test_every_line_is_json_and_has_no_name_and_no_secret(house: House) -> None:
    def lines() -> list[dict[str, Any]]:
        return [json.loads(line) for line in house.lines.read_text("utf-8").splitlines()]

    def of_acts() -> dict[str, Any] | None:
        requests = (one for one in lines() if one.get("event") == "request")
        acts = (one for one in requests if one["route"].endswith("/acts"))
        return next((one for one in acts if one["status"] == 200), None)

    acts = wait_for(of_acts, "the line of an act")
    assert list(acts) == [
        "at",
        "level",
        "event",
        "method",
        "route",
        "status",
        "ms",
        "by",
        "request",
    ]
    assert acts["route"] == "/api/v1/encuentros/{encuentro_id}/partidas/{n}/acts"
    assert (acts["method"], acts["status"], acts["by"]) == ("POST", 200, "owner")
    assert any(one.get("logger") == "gunicorn.error" for one in lines())
    text = house.lines.read_text("utf-8")
    for secret in (NAME, house.token, TOKEN):
        assert secret not in text
    house.get("/nowhere-at-all?code=SECRET")
    wait_for(lambda: any(one.get("route") == "none" for one in lines()), "a line")
    assert "SECRET" not in house.lines.read_text("utf-8")
    assert "nowhere" not in house.lines.read_text("utf-8")


# --- the kit ---------------------------------------------------------------------------------------


def alerts() -> dict[str, str]:
    """Expression of each alert rule."""
    groups = yaml.safe_load((KIT / "alerts.yml").read_text("utf-8"))["groups"]
    return {rule["alert"]: rule["expr"] for group in groups for rule in group["rules"]}


def panels() -> dict[str, str]:
    """Expressions of each panel of the dashboard, and its lists of values."""
    board = json.loads((KIT / "dashboard.json").read_text("utf-8"))
    found = {
        f"{panel['title']} {target['refId']}": target["expr"]
        for panel in board["panels"]
        for target in panel["targets"]
    }
    return found | {one["name"]: one["query"] for one in board["templating"]["list"][1:]}


EXPRESSIONS = {**alerts(), **panels()}


@pytest.fixture(scope="module")
def found(house: House) -> Scrape:
    """A scrape after the log was signed."""

    def signed() -> Scrape | None:
        found = house.scrape()
        return found if list(found.of("guinote_checkpoint_age_seconds")) else None

    return wait_for(signed, "a checkpoint")


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_an_expression_asks_for_what_a_service_has(name: str, found: Scrape) -> None:
    expression = EXPRESSIONS[name]
    for opened, closed in ("()", "{}", "[]"):
        assert expression.count(opened) == expression.count(closed)
    named = re.findall(r"\b(guinote_\w+|up)\b(?:\{([^}]*)\})?", expression)
    assert named
    there = {one for one, _, _ in found.samples} | BY_PROMETHEUS
    labels: set[str] = set(ADDED)
    for metric, matchers in named:
        assert metric in there, metric
        own = found.labels(metric)
        labels |= own
        for label, how, text in re.findall(r'(\w+)\s*(=~|=)\s*"([^"]*)"', matchers):
            assert label in own | ADDED, (metric, label)
            values = found.values(metric, label) | set(CLASSES.values())
            asked = set(text.split("|") if how == "=~" else [text])
            assert label in ADDED or asked <= values, (metric, label, asked)
    for by in re.findall(r"by \(([^)]*)\)", expression):
        assert set(by.split(", ")) <= labels, by


def test_every_alert_is_explained_on_the_page() -> None:
    page = (ROOT / "docs" / "operating" / "monitoring.md").read_text("utf-8")
    assert set(re.findall(r"^\| `(Guinote\w+)` \|", page, re.MULTILINE)) == set(alerts())


def test_the_rules_are_those_that_prometheus_is_told_to_read() -> None:
    settings = yaml.safe_load((KIT / "prometheus.yml").read_text("utf-8"))
    assert [KIT / name for name in settings["rule_files"]] == [KIT / "alerts.yml"]
    assert [one["job_name"] for one in settings["scrape_configs"]] == ["guinote"]
