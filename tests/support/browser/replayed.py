"""Partidas of a real service to replay, and a replay as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from api.http.table_names import TableNames
from api.replay.file import replay_html
from api.replay.replays import ReplayRequest, ReplaySource, replay_of
from referee.aggregates.encuentro import freeze_profile
from referee.aggregates.partida import fold
from referee.events import TableAct
from referee.rules.profile.options import Options
from referee.rules.profile.profile import profile, profile_by_id_at_edition
from tests.support.records.dealt_out import Player, opened
from tests.support.servers.served import Served

NAMES = {"A1": "Pilar", "B1": "Andrés", "A2": "Concha", "B2": "Joaquín"}


class Club:
    """A client of a service, as its owner."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.keys = self.position = 0

    def post(self, path: str, body: Any, version: int | None = None) -> dict[str, Any]:
        self.keys += 1
        headers = {
            "Authorization": f"Bearer {self.served.token}",
            "Idempotency-Key": f"replay-key-{self.keys:06}",
        }
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        status, answer = self.served.ask("POST", path, body, headers)
        assert status in (200, 201), answer
        self.position = answer["position"]
        return answer

    def read(self) -> None:
        """Wait until the views have what was sent."""
        headers = {"Authorization": f"Bearer {self.served.token}"}
        path = f"/api/v1/encuentros?wait={self.position}"
        assert self.served.ask("GET", path, None, headers)[0] == 200

    def partida(self, profile: str, acts: list[dict[str, Any]]) -> str:
        """Path of the replay of a partida with these acts."""
        seats = {seat: {"name": name} for seat, name in NAMES.items()}
        body = {"profile": {"id": profile}, "players": 4, "seats": seats}
        opened_now = self.post("/api/v1/encuentros", body)
        where = f"/api/v1/encuentros/{opened_now['id']}"
        self.post(f"{where}/partidas", {}, opened_now["version"])
        for start in range(0, len(acts), 50):
            self.post(f"{where}/partidas/1/acts", {"acts": acts[start : start + 50]}, start)
        self.read()
        return f"/repeticion/{opened_now['id']}/1"


def saved_file(folder: Path, name: str, players: int, acts: list[TableAct]) -> Path:
    """The replay of a partida by a profile, saved as one file."""
    state = fold([opened(profile_by_id_at_edition(name).options(players)), *acts])
    frozen = freeze_profile(profile(name), players, 40)
    path = folder / "partida.html"
    source = ReplaySource(state, frozen, TableNames(players))
    path.write_text(replay_html(replay_of(source, ReplayRequest())), "utf-8")
    return path


def whole(seed: int, *, observed: bool) -> list[Any]:
    player = Player(Options(), seed, observed=observed)
    player.breaches_left = 2
    player.partida()
    return player.acts
