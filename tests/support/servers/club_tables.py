"""Tables and tournaments of a club in every state that a board may show, played over HTTP."""

from __future__ import annotations

import itertools
from typing import Any

from tests.support.records.table_deals import tricks_worth
from tests.support.servers.http_table import ENCUENTROS, SEATS
from tests.support.servers.served import Served

MOST_AT_ONCE = 64
KEYS = itertools.count()
"""Of all directors: they write at one server."""
PAIRED = ("Pilar Gracia", "Joaquín Lahoz", "Mari Carmen Íñiguez", "Chesús Bernal", "Montse Royo")
PEOPLE = ("Pilar", "Joaquín", "Mari Carmen", "Chesús", "Ángel", "Montse", "Fermín", "Blanca")


def deal(dealer: str, card: str = "RO") -> list[dict[str, Any]]:
    return [{"kind": "deal", "dealer": dealer}, {"kind": "pinta", "card": card}]


def trick(seat: str, points: int = 0) -> dict[str, Any]:
    return {"kind": "trick", "seat": seat, "points": points}


def cante(seat: str, suit: str = "") -> dict[str, Any]:
    return {"kind": "cante", "seat": seat, **({"suit": suit} if suit else {})}


def whole_deal(dealer: str, a: int) -> list[dict[str, Any]]:
    """A deal of four that A1 finishes, with so many points for A."""
    worth = tricks_worth({"A": a, "B": 120 - a}, 4)
    won = [trick(f"{side}1", points) for side in worth for points in worth[side]]
    return [*deal(dealer), *won, *[trick("A1")] * (10 - len(won))]


class Club:
    """The owner as a client of a server: opens tables and records acts there."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.position = 0
        self._keys = itertools.count()

    def _ask(self, method: str, path: str, body: Any = None, **headers: str) -> dict[str, Any]:
        sent = {"Authorization": f"Bearer {self.served.token}", **headers}
        status, answer = self.served.ask(method, path, body, sent)
        assert status in (200, 201), (status, path, answer)
        self.position = max(self.position, answer.get("position", 0))
        return answer

    def write(self, path: str, body: Any, version: int | None = None) -> dict[str, Any]:
        headers = {"Idempotency-Key": f"club-key-{next(self._keys):06}"}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        return self._ask("POST", path, body, **headers)

    def read(self, path: str) -> dict[str, Any]:
        """Content of a path, with the latest write included."""
        return self._ask("GET", path, None, **{"Guinote-Position": str(self.position)})

    def table(
        self, *names: str, profile: str = "club", players: int = 4, day: str = "", **more: Any
    ) -> str:
        """Path of a new encuentro; without names nobody is seated."""
        seats = {seat: {"name": name} for seat, name in zip(SEATS[players], names, strict=False)}
        body: dict[str, Any] = {"profile": {"id": profile, **more}, "players": players}
        if day:
            body["date"] = day
        if seats:
            body["seats"] = seats
        return f"{ENCUENTROS}/{self.write(ENCUENTROS, body)['id']}"

    def partida(self, encuentro: str, *acts: dict[str, Any]) -> str:
        """Path of the next partida, with its first acts."""
        begun = self.write(f"{encuentro}/partidas", {}, self.read(encuentro)["version"])
        partida = f"{encuentro}/partidas/{begun['number']}"
        if acts:
            self.act(partida, *acts)
        return partida

    def act(self, partida: str, *acts: dict[str, Any]) -> None:
        self.write(f"{partida}/acts", {"acts": list(acts)}, self.read(partida)["version"])

    def won(self, encuentro: str, *winners: str) -> None:
        """Record partidas by their winners only."""
        for winner in winners:
            self.partida(encuentro, {"kind": "result", "winner": winner})

    def rule(self, encuentro: str, winner: str) -> None:
        body = {"winner": winner, "because": "se hizo tarde"}
        self.write(f"{encuentro}/rulings", body, self.read(encuentro)["version"])


def board_of(encuentro: str) -> str:
    """Path of the board of a table."""
    return f"/mesa/{encuentro.split('/')[4]}"


def every_state(club: Club) -> dict[str, str]:
    """Path of a table in each state."""
    return {**four_in_each_phase(club), **over(club), **others(club)}


def four_in_each_phase(club: Club) -> dict[str, str]:
    found = {"new": club.table(*PEOPLE[:4]), "nobody": club.table()}
    for name in ("waiting", "dealing", "free", "arrastre", "vueltas", "counting", "decided"):
        found[name] = club.table(*(PEOPLE[:4] if len(name) % 2 else PEOPLE[4:]))
        club.won(found[name], *"ABA"[: len(name) % 4])
    club.partida(found["waiting"])
    club.partida(found["dealing"], *deal("B2")[:1])
    club.partida(found["free"], *deal("B2", "7C"), trick("A1", 21), cante("A1", "E"), cante("A2"))
    tricks = [trick("B1", 10), cante("B2", "B"), trick("B1", 4), *[trick("A1")] * 3]
    club.partida(found["arrastre"], *deal("A1", "CO"), *tricks)
    running = [
        *deal("A1", "AB"),
        trick("A2", 11),
        cante("A1", "B"),
        trick("B1", 3),
        cante("B1", "C"),
    ]
    club.partida(found["vueltas"], *whole_deal("B2", 74), *running)
    claim = {"kind": "claim", "seat": "A2"}
    club.partida(
        found["counting"],
        *whole_deal("B2", 51),
        *running[:3],
        {**trick("A1"), "points": None},
        claim,
    )
    club.partida(found["decided"], *whole_deal("B2", 100))
    long = (
        "María del Pilar Sanjuán Lahuerta",
        "Juan Francisco",
        "José Antonio Labordeta",
        "Wenceslao",
    )
    found["long names"] = club.table(*long)
    club.partida(found["long names"], *whole_deal("B2", 30), *running)
    return found


def over(club: Club) -> dict[str, str]:
    found = {"over": club.table(*PEOPLE[4:])}
    club.won(found["over"], *"ABAABBAAA")
    found["draw"] = club.table(*PEOPLE[:4], profile="sin-mazo")
    club.won(found["draw"], *"AB" * 4)
    return found


def others(club: Club) -> dict[str, str]:
    found = {"two": club.table("Julia", "Sancho", players=2)}
    club.partida(found["two"], *deal("B1", "2E"))
    found["three"] = club.table("Neus", "Arnau", "Laia", profile="guinyot", players=3)
    club.won(found["three"], *"CACB")
    club.partida(found["three"], *deal("C1", "3B"), trick("C1", 4), cante("C1", "B"))
    changes = {"partidas_per_cama": 3, "camas_per_coto": 2}
    found["camas"] = club.table(
        *PEOPLE[:4], profile="guinyot", changes=changes, **{"as": {"id": "casa", "edition": "1"}}
    )
    club.won(found["camas"], *"AABAB")
    return found


class Director(Club):
    """Who runs a tournament at a real server; ``id``: of the one that a test goes on with."""

    id: str

    def __init__(self, served: Served) -> None:
        super().__init__(served)
        self._keys = KEYS

    def tournament(self, pairs: int, day: str = "2026-10-12", **plan: Any) -> str:
        """Id of a tournament whose pairs have entered and whose lots are drawn."""
        body = {"name": "Torneo del Pilar", "place": "Casino", "date": day}
        opened = self.write(
            "/api/v1/tournaments", {**body, "profile": {"id": "club"}, "plan": plan}
        )
        self.path = f"/api/v1/tournaments/{opened['id']}"
        self.version = opened["version"]
        names = itertools.cycle(PAIRED)
        for start in range(0, pairs, MOST_AT_ONCE):
            entering = range(start, min(pairs, start + MOST_AT_ONCE))
            players = [[{"name": next(names)}, {"name": next(names)}] for _ in entering]
            self.do("pairs", {"pairs": [{"players": two} for two in players]})
        self.do("draw", {"heads": pairs})
        self.do("lots", {})
        return str(opened["id"])

    def do(self, what: str, body: Any = None) -> None:
        answer = self.write(f"{self.path}/{what}", body, self.version)
        self.version = answer["version"]

    def open(self) -> list[Any]:
        rounds = self.read(self.path)["rounds"]
        return [one for drawn in rounds for one in drawn["meetings"] if one["winner"] is None]

    def win(self, meeting: Any, winner: str) -> None:
        cotos = [2, 1] if winner == meeting["pairs"][0] else [1, 2]
        self.do(f"meetings/{meeting['id']}/result", {"winner": winner, "cotos": cotos})
