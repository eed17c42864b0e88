"""Sequences of requests along the links of the document, deep in a table, an evening, a tournament.

Schemathesis chooses what follows what. Most bodies are valid ones of ``every_write``, the rest is
made up; a part of the sequences begins at places where much is possible already.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test

from api.http.operations import WITHIN
from tests.support.servers.documented import document_of, operation_of
from tests.support.servers.every_write import (
    ANA,
    BLAS,
    FOUR,
    Place,
    place_of,
    play_everything,
    sent,
    starting_places,
)
from tests.support.servers.http_league import HttpLeague
from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import HttpTournament
from tests.support.servers.long_runs import RUNS

DOCUMENT = "/api/openapi.json"
LEAST, MOST, STEPS, SEED = 6, 150 * RUNS, 40, 20261124
"""Sequences: after the least, only until enough operations succeeded, since the library draws a
part by true chance."""
MISSED = 0.15 if RUNS == 1 else 0.0
"""Part of the operations that a short run may miss by chance; a long run misses none."""
OUT_OF_REACH = {
    "get_encuentro_proof": "the notary has signed nothing",
    "post_encuentro_result_confirmations": "needs the code of a side, which is shown once",
}
IN_PREPARED = 0.6
"""Part of the requests that are made at a prepared place, not at the one that the link names."""
UNCOMMON = 0.15
"""Part of the requests that keep what was made up for them."""
COMMON = {"common": "one of those that succeeded"}
"""In place of a body that would not be kept: most of the time went into making up bodies."""


class Recording(HttpTable):
    """A club that remembers the bodies of the writes that succeeded, by operation."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.bodies: dict[str, list[Any]] = defaultdict(list)

    def post(self, path: str, body: Any = None, *args: Any, **more: Any) -> Any:
        answer = super().post(path, body, *args, **more)
        if answer.status_code < 300:
            self.bodies[operation_of(self.app, path, "POST")].append(body or {})
        return answer


class Explorer:
    """What the sequences know of the club, and what they found out."""

    def __init__(self, table: Recording) -> None:
        self.table = table
        play_everything(table)
        self.arrange_places()
        for body in table.bodies["post_sessions"]:
            body.pop("season", None)  # it is closed
        withdrawn = {"by": {"name": "Julia Juez"}, "because": "La retiran."}
        table.bodies["post_encuentro_case_closing"].append(withdrawn)
        players = [one["player"] for one in table.get("/api/v1/players").json["items"]]
        table.bodies["post_pairs"] = [{"players": players[:2], "name": "Los Reyes"}]
        self.bodies = {name: list(of) for name, of in table.bodies.items()}
        self.chance = random.Random(SEED)
        self.answered: dict[str, set[int]] = defaultdict(set)
        self.asked = linked(document_of(table.app)) - set(OUT_OF_REACH)
        paths = document_of(table.app)["paths"]
        self.views = [path for path in paths if _id(paths[path].get("get")) in WITHIN]
        self.requests = 0

    def arrange_places(self) -> None:
        """Prepare new places, since the sequences use up those that are there."""
        self.places = [*starting_places(self.table), *places_that_chance_misses(self.table)]

    def arrange(self, case: Any) -> None:
        """Make a request one that may succeed, with a chance that it stays as it was made up."""
        self.requests += 1
        case.headers = {**(case.headers or {}), "Idempotency-Key": f"explored-{self.requests:06}"}
        case.headers.pop("Authorization", None)
        name = _id(case.operation.definition.raw)
        is_uncommon = self.chance.random() < UNCOMMON
        if case.operation.body and self.bodies.get(name):
            is_uncommon = case.body != COMMON
        if is_uncommon:
            return
        needed = set(case.path_parameters or {})
        fitting = [one for one in self.places if needed and needed <= set(one.values)]
        if fitting and self.chance.random() < IN_PREPARED:
            prepared = [one for one in fitting if name in one.good_for]
            values = self.chance.choice(prepared or fitting).values
            case.path_parameters = {one: values[one] for one in needed}
        if self.bodies.get(name):
            case.body, case.media_type = self.chance.choice(self.bodies[name]), "application/json"
        self._read_first(case, name)

    def _read_first(self, case: Any, name: str) -> None:
        """The version of now, and a person who is there, as who looks at the view has them."""
        path = case.operation.path
        above = max((one for one in self.views if path.startswith(one)), key=len, default=None)
        case.query = {"profile": "escuela"} if name == "get_encuentro_partida_what_if" else {}
        if above is None or case.operation.method != "post":
            return
        view = self.table.get(above.format(**case.path_parameters))
        if view.status_code != 200:
            return
        if "If-Match" in case.headers:
            case.headers["If-Match"] = f'"{view.json["version"]}"'
        if name == "post_session_departures" and view.json["present"]:
            case.body = {"person": view.json["present"][-1]}

    def note(self, case: Any, status: int) -> None:
        """What was answered."""
        self.answered[_id(case.operation.definition.raw)].add(status)

    def missed(self) -> dict[str, list[int]]:
        """Linked operations that were never answered with success, with their answers."""
        found = {one: self.answered.get(one, set()) for one in self.asked}
        return {one: sorted(many) for one, many in found.items() if not any(map(is_success, many))}

    def has_enough(self) -> bool:
        """Whether no more operations were missed than a run of this length may miss."""
        return len(self.missed()) <= MISSED * len(self.asked)


def places_that_chance_misses(table: HttpTable) -> list[Place]:
    """Places where operations are possible to which sequences hardly come by themselves."""
    told, denied, empty = (table.encuentro() for _ in range(3))
    for one in (told, denied):
        said = {"score": {"A": 2, "B": 1}, "side": "A", "by": ANA}
        sent(table, f"{one}/result/scores", said, one)
    sent(table, f"{denied}/result/denials", {"side": "B", "by": BLAS}, denied)
    table.partida(empty)
    rules = {"name": f"Normas {_last(told)}", "base": "club", "changes": {"min_malas": 30}}
    own = str(sent(table, "/api/v1/club/rules", rules).headers["Location"])
    league = HttpLeague(table, "Bar Ana", "Bar Blas", "Peña Celia", "Casino", rules={"legs": 1})
    league.schedule(time="21:30")
    (ranking, *_) = table.get("/api/v1/rankings").json["items"]
    body = {"date": "2026-11-21", "profile": {"id": "club"}, "present": FOUR}
    evening = str(sent(table, "/api/v1/sessions", body).headers["Location"])
    sent(table, f"{evening}/closing", version=evening)
    acts, result = "post_encuentro_partida_acts", "post_encuentro_result"
    of_ranking = ("get_ranking_people", "get_ranking_club_publication")
    return [
        Place({"encuentro_id": _last(told)}, (f"{result}_denials",)),
        Place({"encuentro_id": _last(denied)}, (f"{result}_scores_withdrawal",)),
        Place({"encuentro_id": _last(empty), "n": "1"}, (acts, f"{acts}_preview")),
        Place({"rules_id": _last(own)}, ("post_club_rule",)),
        Place({"league_id": league.id}, ("post_league_acts_preview",)),
        Place({"ranking_id": ranking["id"], "club": "1"}, of_ranking),
        Place({"session_id": _last(evening)}, ("post_session_reopening",)),
        *_late_tournaments(table),
    ]


def _late_tournaments(table: HttpTable) -> list[Place]:
    """Tournaments with a draw taken back, a repechage, a list that was signed, pairs that left."""
    undrawn = HttpTournament(table, 2, format="knock_out")
    undrawn.draw()
    undrawn.do("draw/withdrawal", {"reason": "Faltaba una pareja."})
    beaten, committed = (
        HttpTournament(table, 6, format="knock_out", repechage="lots") for _ in range(2)
    )
    for one in (beaten, committed):
        one.draw()
        for meeting in one.open():
            one.win(meeting, meeting["pairs"][0])
    committed.do("repechage", {"word_from": "La rifa"})
    closed, signed = (HttpTournament(table, 2, format="knock_out") for _ in range(2))
    for one in (closed, signed):
        one.draw()
        one.play_open()
        one.do("closing")
    signed.do("signed-list")
    left, absent = (HttpTournament(table, 4, format="swiss", rounds=2) for _ in range(2))
    left.do("pairs/1/withdrawal")
    absent.draw()
    absent.do("pairs/1/absences", {"round": 1})
    of, pair = "post_tournament", "post_tournament_pair"
    return [
        Place({**place_of(undrawn).values, "number": "1"}, ("get_tournament_former_draw",)),
        place_of(beaten, f"{of}_repechage"),
        place_of(committed, f"{of}_repechage_lots", "get_tournament_repechage"),
        place_of(closed, f"{of}_signed_list", f"{of}_reopening"),
        place_of(signed, "get_tournament_signed_list"),
        place_of(left, f"{pair}_return"),
        place_of(absent, f"{pair}_absences_withdrawal"),
    ]


def _last(address: str) -> str:
    return address.rpartition("/")[2]


def is_success(status: int) -> bool:
    return 200 <= status < 300


def _id(operation: dict[str, Any] | None) -> str:
    return "" if operation is None else str(operation["operationId"])


def machine(explorer: Explorer) -> type[Any]:
    """The state machine that schemathesis makes of the links, with the owner as its user."""
    schema = schemathesis.openapi.from_wsgi(DOCUMENT, explorer.table.app)
    is_uncommon = st.integers(1, 100).map(lambda one: one <= 100 * UNCOMMON)

    @schema.hook
    def before_generate_body(context: Any, strategy: Any) -> Any:
        if not explorer.bodies.get(_id(context.operation.definition.raw)):
            return strategy
        return is_uncommon.flatmap(lambda is_so: strategy if is_so else st.just(COMMON))

    class Machine(schema.as_state_machine()):  # type: ignore[misc]  # the library makes it
        simplest = True

        def step(self, input: Any) -> Any:  # noqa: A002 - the name that the library gives it
            if Machine.simplest:  # the first sequence of hypothesis is always the same
                Machine.simplest = False
                hypothesis.reject()
            return super().step(input)

        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            return {"headers": explorer.table.owner()}

        def before_call(self, case: Any) -> None:
            explorer.arrange(case)

        def after_call(self, response: Any, case: Any) -> None:
            explorer.note(case, response.status_code)

        def validate_response(self, response: Any, case: Any, **more: Any) -> None:
            assert response.status_code < 500, (case.operation.label, response.text)

    return Machine


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Explorer]:
    with closing(Recording(tmp_path_factory.mktemp("explored"))) as table:
        table.app.extensions["guinote"]().hub.life_s = 0.0
        explorer = Explorer(table)
        found = machine(explorer)
        once = settings(
            max_examples=2,  # the simplest, and another; each begins with what those before left
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        for number in range(MOST):
            if not explorer.missed() or (number >= LEAST and explorer.has_enough()):
                break
            found.simplest = True
            if number % 4 == 0:
                explorer.arrange_places()
            run_state_machine_as_test(seed(SEED + number)(found), settings=once)
        yield explorer


def linked(document: dict[str, Any]) -> set[str]:
    """Operations that a link leads to or from."""
    found: set[str] = set()
    for methods in document["paths"].values():
        for one in methods.values():
            for answer in one.get("responses", {}).values() if isinstance(one, dict) else ():
                if links := answer.get("links"):
                    found |= {one["operationId"], *links}
    return found


def test_no_sequence_ends_in_a_fault_and_linked_operations_succeed(
    explored: Explorer,
) -> None:
    missed = explored.missed()
    assert len(missed) <= MISSED * len(explored.asked), missed


def test_a_link_leads_deep_into_a_table_an_evening_and_a_tournament(table: HttpTable) -> None:
    asked = linked(document_of(table.app))
    assert len(asked) > 80
    deep = {"post_encuentro_case_decision", "post_tournament_meeting_settlement"}
    assert deep | {"post_session_tables", "get_encuentro_partida_what_if"} <= asked
