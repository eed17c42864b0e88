"""One valid request for every operation of the API that is no GET, in the order of a club's year."""

from __future__ import annotations

from typing import Any

from tests.support.servers.http_table import ENCUENTROS, HttpTable, card, deal, pinta
from tests.support.servers.http_tournament import HttpTournament, pair

ANA, BLAS, JUDGE, OTHER = ({"name": name} for name in ("Ana", "Blas", "Julia Juez", "Óscar"))
FOUR = [{"name": name} for name in ("Ana", "Blas", "Celia", "Diego")]


def play_everything(table: HttpTable) -> None:
    """Every operation that is no GET, once at least, each answered with 2xx."""
    of_club(table)
    of_encuentro(table)
    of_case(table)
    of_result(table)
    of_season(table)
    of_tournament(table)
    of_groups(table)


def sent(table: HttpTable, path: str, body: Any = None, version: Any = None) -> Any:
    """The answer to a request that has to succeed. ``version``: an address that is read for it."""
    if isinstance(version, str):
        version = table.get(version).headers["ETag"].strip('"')
    answer = table.post(path, body, version)
    assert answer.status_code in (200, 201), (path, answer.text)
    return answer


def of_club(table: HttpTable) -> None:
    """Settings, players, one of them known twice, and a pair."""
    sent(table, "/api/v1/settings", {"four_eyes": "noted"}, "/api/v1/settings")
    sent(table, "/api/v1/profiles/check", {"profile": {"id": "club"}})
    ids = [
        sent(table, "/api/v1/players", {"name": name, "club": "Norte"}).json["players"][0]
        for name in ("Pilar", "Pilar G.", "Rosa")
    ]
    first = f"/api/v1/players/{ids[0]}"
    sent(table, first, {"nickname": "La de Ejea"}, first)
    merge = {"kept": ids[0], "gone": ids[1]}
    sent(table, "/api/v1/players/merges/preview", merge)
    sent(table, "/api/v1/players/merges", merge)
    file = {"text": "nombre;apodo\nJulián;Juli\nPilar;La de Ejea\n"}
    sent(table, "/api/v1/players/file/preview", file)
    sent(table, "/api/v1/players/file", file)
    two = {"players": [ids[0], ids[2]], "name": "Los Reyes"}
    made = sent(table, "/api/v1/pairs", two).json
    sent(table, f"/api/v1/pairs/{made['pairs'][0]}", {"name": "Las Reinas"}, made["version"])
    erased = table.client.delete(f"/api/v1/persons/{ids[2]}", headers=table.owner())
    assert erased.status_code in (202, 204)


def of_encuentro(table: HttpTable) -> None:
    """A table drawn, seated, played in part, corrected, and ruled."""
    drawn = {"method": "a_la_mas_alta", "purpose": "dealer", "candidates": ["A1", "B1", "A2", "B2"]}
    sent(table, "/api/v1/draws/preview", {"profile": {"id": "club"}, **drawn, "seed": "12345678"})
    where = str(sent(table, ENCUENTROS, {"profile": {"id": "club"}}).headers["Location"])
    seats = dict(zip(("A1", "B1", "A2", "B2"), FOUR, strict=True))
    sent(table, f"{where}/seats", {"seats": seats}, where)
    sent(table, f"{where}/draws", {**drawn, "seed": "12345678"}, where)
    partida = str(sent(table, f"{where}/partidas", version=where).headers["Location"])
    played = [deal(), pinta("RO"), card("A1", "3C"), card("B1", "AC")]
    sent(table, f"{partida}/acts/preview", {"acts": played})
    sent(table, f"{partida}/acts", {"acts": played}, partida)
    changes = {"changes": [{"line": 4, "how": "replace", "act": card("B1", "4C")}]}
    sent(table, f"{partida}/amendments/preview", changes)
    sent(table, f"{partida}/amendments", {**changes, "because": "Mal apuntada."}, partida)
    sent(table, f"{partida}/undo", version=partida)
    other = {"seat": "B2", "name": "Eva", "because": "Se va."}
    sent(table, f"{where}/substitutions", other, where)
    ruling = {"winner": "A", "because": "No se presentan."}
    sent(table, f"{where}/rulings/preview", ruling)
    sent(table, f"{where}/rulings", ruling, where)


def of_case(table: HttpTable) -> None:
    """A dispute with evidence, a ruling, an appeal, its decision."""
    partida = table.partida()
    assert table.record(partida, 0, deal(), pinta(), card("A1", "AC")).status_code == 200
    where = partida.removesuffix("/partidas/1")
    opening = {"by": ANA, "side": "A", "partida": 1, "lines": [3], "because": "No asistió."}
    case = str(sent(table, f"{where}/cases", opening, where).headers["Location"])
    sent(table, f"{case}/evidence", {"by": BLAS, "lines": [3], "note": "Lo vi."}, case)
    verdict = {"effect": "partida", "ground": {"kind": "sovereign"}, "because": "Visto."}
    ruling = {"by": JUDGE, "verdict": {**verdict, "side": "A"}, "appeal_minutes": 30}
    _confirmed(table, f"{case}/ruling", ruling)
    sent(table, f"{case}/appeal", {"by": BLAS, "side": "B", "because": "No es cierto."}, case)
    decision = {**verdict, "effect": "warning", "side": "B"}
    _confirmed(
        table, f"{case}/decision", {"by": OTHER, "because": "No probado.", "verdict": decision}
    )
    sent(table, f"{case}/closing", {"by": OTHER}, case)


def _confirmed(table: HttpTable, address: str, body: dict[str, Any]) -> None:
    seen = sent(table, f"{address}/preview", body).json
    sent(table, address, {**body, "partida_version": seen["partida_version"]}, seen["version"])


def of_result(table: HttpTable) -> None:
    """A result reported, confirmed by a code, signed, reopened, contested."""
    where = table.encuentro()
    table.partida(where)
    sent(table, f"{where}/rulings", {"winner": "A", "because": "No vienen."}, where)
    code = sent(table, f"{where}/result/codes", {"side": "B"}, where).json["code"]
    sent(table, f"{where}/result/reports", {"by": ANA, "side": "A"}, where)
    agreed = {"by": BLAS, "side": "B", "code": code}
    sent(table, f"{where}/result/confirmations", agreed, where)
    sent(table, f"{where}/result/signature", {"by": JUDGE}, where)
    reopened = {"by": JUDGE, "second": OTHER, "because": "Un error."}
    sent(table, f"{where}/result/reopenings", reopened, where)
    contest = {"by": BLAS, "side": "B", "because": "No fue así.", "partida": 1}
    sent(table, f"{where}/result/contests", contest, where)


def of_season(table: HttpTable) -> None:
    """A season, and an evening of it from the first arrival to its closing."""
    season = str(sent(table, "/api/v1/seasons", {"name": "Liga"}).headers["Location"])
    sent(table, f"{season}/scoring", {"attendance": 1}, season)
    body = {"date": "2026-11-21", "profile": {"id": "club"}, "present": FOUR}
    opening = {**body, "season": season.rpartition("/")[2]}
    evening = str(sent(table, "/api/v1/sessions", opening).headers["Location"])
    sent(table, f"{evening}/arrivals", {"players": [{"name": "Eva"}]}, evening)
    last = table.get(evening).json["present"][-1]
    sent(table, f"{evening}/departures", {"person": last}, evening)
    sent(table, f"{evening}/draws", {"method": "seed", "seed": "12345678"}, evening)
    sent(table, f"{evening}/tables", version=evening)
    sent(table, f"{evening}/closing", version=evening)
    sent(table, f"{season}/closing", version=season)


def of_tournament(table: HttpTable) -> None:
    """A Swiss tournament of three rounds, with a result that is corrected too late."""
    played = HttpTournament(table, 8, format="swiss", rounds=3)
    played.do("pairs", {"pairs": [pair(9)]})
    played.do("pairs/9/substitution", {"players": [{"name": "Eva"}, {"name": "Fermín"}]})
    played.do("pairs/9/withdrawal")
    played.draw()
    played.do("pairs/8/absences", {"round": 1})
    played.do("rounds")
    played.do("tables")
    played.do("rounds/1/clock", {"minutes": 50})
    played.do("rounds/1/clock/stop")
    first = played.view()["rounds"][0]["meetings"][0]
    played.do(f"meetings/{first['id']}/call")
    played.do(f"meetings/{first['id']}/encuentro")
    played.play_open()
    played.do("rounds")
    played.win(first, first["pairs"][1])
    played.do(f"meetings/{first['id']}/settlement", {"what": "leave"})
    played.play_open()
    played.rounds(1)
    played.do("closing")


def of_groups(table: HttpTable) -> None:
    """Two groups, and the knock-out after them."""
    played = HttpTournament(table, 4, format="groups", groups=2, qualify=1)
    played.draw()
    played.rounds(1)
    played.do("knock-out")
