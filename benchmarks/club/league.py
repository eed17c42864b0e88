"""A league of 300 teams in 30 divisions: its page, and the way of a result to the public table.

Half of its matches are told, with the pairs of both teams. Pages of all divisions are asked for
over a real gunicorn, one after another; a result is timed from its request until the page of its
division, which waits for it, shows the points.

    python -m benchmarks.club.league [--divisions 30] [--teams 10] [--times 300] [--results 50]
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

from api.server import wiring
from benchmarks.club.tournament import Director
from benchmarks.server.acts import Server
from referee.events import league as ev
from referee.log.streams import WriteMetadata

PLAYERS = 14
META = WriteMetadata("bench", "bench", datetime(2026, 11, 21, 20, tzinfo=UTC))
AT_ONCE = 500


def batches(acts: Iterable[ev.LeagueAct], size: int) -> Iterator[list[ev.LeagueAct]]:
    left = iter(acts)
    while batch := [*islice(left, size)]:
        yield batch


def entries(names: Any, divisions: int, teams: int) -> Iterator[ev.LeagueAct]:
    """Teams, each with its list."""
    for number in range(divisions * teams):
        team = str(number + 1)
        venue = names.put_text(f"Bar {team}")
        yield ev.TeamEntered(venue, venue, number // teams + 1)
        for at in range(PLAYERS):
            person = names.add_person(f"Jugador {team}-{at}")
            yield ev.PlayerRegistered(team, person, "2026-01-01")


def results(referee: Any, league: UUID, chance: random.Random) -> Iterator[ev.LeagueAct]:
    """Both lineups and the result of each match of the first half of the calendar."""
    state = referee.leagues.league(league)
    last = max(one.round for one in state.matches.values()) // 2
    for match in [one for one in state.matches.values() if one.round <= last]:
        for team in match.teams:
            listed = [one.person for one in state.teams[team].players]
            yield ev.LineupNamed(
                match.id, team, tuple(zip(listed[0:12:2], listed[1:12:2], strict=True))
            )
        told = tuple(ev.PartidaTold(chance.choice(("home", "away"))) for _ in range(6))
        yield ev.MatchReported(match.id, told)


def played(folder: Path, divisions: int, teams: int) -> UUID:
    """A league with half of its results, in a data folder."""
    where = wiring.files_of_folder(folder)
    chance = random.Random(7)
    with closing(wiring.open_persons(where)) as names, closing(wiring.open_referee(where)) as run:
        every = tuple(ev.LeagueDivision(promoted=2, relegated=2) for _ in range(divisions))
        opened = ev.LeagueOpened(names.add_text("Liga"), divisions=every)
        league = UUID(str(run.leagues.open(opened, META).id))
        for acts in batches(entries(names, divisions, teams), AT_ONCE):
            run.leagues.record(league, acts, META)
        days = [(date(2026, 1, 9) + timedelta(days=7 * at)).isoformat() for at in range(60)]
        run.leagues.record(league, [ev.MatchesScheduled(tuple(days), "21:30")], META)
        for acts in batches([*results(run, league, chance)], AT_ONCE):
            run.leagues.record(league, acts, META)
    return league


def await_views(director: Director, path: str) -> None:
    """Wait until a server that was just started has worked the league out."""
    for _ in range(600):
        director.http.request("GET", path)
        answer = director.http.getresponse()
        answer.read()
        if answer.status == 200:
            return
        time.sleep(0.1)
    raise SystemExit("the league was not worked out")


def page(director: Director, path: str) -> str:
    """A page as it is sent, without waiting for more than it asks for."""
    director.http.request("GET", path)
    answer = director.http.getresponse()
    text = answer.read().decode()
    if answer.status != 200:
        raise SystemExit(f"{path}: {answer.status}")
    director.bytes = len(text)
    return text


def points(text: str) -> list[str]:
    return re.findall(r'class="n points">(-?\d+)', text)


def way_of_a_result(director: Director, home: str, open_matches: list[str]) -> Iterator[float]:
    """Seconds from the request with a result until the public page has it."""
    for match in open_matches:
        path = f"{home}?division={match.partition('-')[0]}"
        before = points(page(director, path))
        told = [{"winner": "home"}] * 6
        began = time.perf_counter()
        body = {"acts": [{"kind": "match_report", "match": match, "partidas": told}]}
        director.do("acts", "a result is written", body)
        after = points(page(director, f"{path}&wait={director.position}"))
        yield time.perf_counter() - began
        assert before != after


def row(what: str, times: list[float]) -> None:
    found = sorted(1000 * one for one in times)
    p50, p99 = found[len(found) // 2], found[int(len(found) * 0.99)]
    print(f"{what:36}{len(found):>7}{p50:>12.1f}{p99:>10.1f}{found[-1]:>10.1f}")


def measure(server: Server, director: Director, args: argparse.Namespace) -> None:
    await_views(director, director.path)
    view = director.view()
    director.version = view["version"]
    home = director.path.replace("/api/v1/leagues", "/ligas")
    took, worked = [], server.cpu_s()
    for at in range(args.times):
        began = time.perf_counter()
        page(director, f"{home}?division={at % args.divisions + 1}")
        took.append(time.perf_counter() - began)
    cost = (server.cpu_s() - worked) / args.times
    matches = [one for each in view["divisions"] for one in each["matches"]]
    waiting = [one["match"] for one in matches if one["stage"] == "planned"]
    chance = random.Random(7)
    size = f"{len(view['teams'])} teams, {len(matches)} matches, {view['version']} acts"
    print(f"{size}; a page of {director.bytes // 1000} KB, {1000 * cost:.0f} ms of the server")
    print(f"{'':36}{'times':>7}{'p50 ms':>12}{'p99 ms':>10}{'most ms':>10}")
    row("the page of a division", took)
    row("a result until the page shows it",
        [*way_of_a_result(director, home, chance.sample(waiting, args.results))])  # fmt: skip
    row("of it, the answer to the result", director.took["a result is written"])


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--divisions", type=int, default=30)
    asked.add_argument("--teams", type=int, default=10)
    asked.add_argument("--times", type=int, default=300)
    asked.add_argument("--results", type=int, default=50)
    args = asked.parse_args()
    with tempfile.TemporaryDirectory() as where:
        folder = Path(where)
        league = played(folder / "data", args.divisions, args.teams)
        server = Server("api.server.wiring:app()", folder)
        try:
            director = Director(server, (folder / "data" / "owner.token").read_text().strip())
            director.ask("POST", "/api/v1/settings", {"league_audience": "everybody"})
            director.path = f"/api/v1/leagues/{league}"
            measure(server, director, args)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
