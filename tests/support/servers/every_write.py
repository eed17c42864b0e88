"""One valid request for every operation of the API that is no GET, in the order of a club's year."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from referee.access.keys import Offer
from referee.aggregates.access import OWNER
from referee.events import RoleGranted
from referee.log.streams import WriteMetadata
from tests.support.analysis.renuncios import a_renuncio
from tests.support.roads.http_road import HttpRoad, id_of, play_qualifier
from tests.support.servers.http_league import HttpLeague, report
from tests.support.servers.http_table import ENCUENTROS, HttpTable, card, deal, pinta
from tests.support.servers.http_tournament import HttpTournament, pair
from tests.support.servers.kept_apps import kept_table

SIGNED_RESULTS = Path(__file__).parents[2] / "golden" / "data" / "signed_results.json"
"""What a club published once, signed."""
ANA, BLAS, JUDGE, OTHER = ({"name": name} for name in ("Ana", "Blas", "Julia Juez", "Óscar"))
PLAYED = [deal(), pinta("RO"), card("A1", "3C"), card("B1", "AC")]
FOUR = [{"name": name} for name in ("Ana", "Blas", "Celia", "Diego")]


def play_everything(table: HttpTable) -> None:
    """Every operation that is no GET, once at least, each answered with 2xx."""
    of_club(table)
    of_encuentro(table)
    of_case(table)
    of_result(table)
    of_score(table)
    of_season(table)
    of_season_of_pairs(table)
    of_tournament(table)
    of_repechage(table)
    played_league(table)
    of_road(table)
    of_ranking(table)
    of_groups(table)
    of_webhooks(table)


def sent(table: HttpTable, path: str, body: Any = None, version: Any = None) -> Any:
    """The answer to a request that has to succeed. ``version``: an address that is read for it."""
    if isinstance(version, str):
        version = table.get(version).headers["ETag"].strip('"')
    answer = table.post(path, body, version)
    assert answer.status_code in (200, 201), (path, answer.text)
    return answer


def of_club(table: HttpTable) -> None:
    """Settings, players, one of them known twice, and a pair."""
    sent(
        table,
        "/api/v1/settings",
        {"four_eyes": "noted", "time_zone": "Europe/Madrid", "league_audience": "club"},
        "/api/v1/settings",
    )
    offered = Offer("arbiter", "", OWNER)
    code = table.app.extensions["guinote"]().admission.make_offer("pairing", offered)
    sent(table, "/api/v1/pairings", {"code": code})
    of_apps(table)
    named = {"name": "Peña La Sota", "colour": "#7a1f3d", "logo": ""}
    sent(table, "/api/v1/settings/brand", named, "/api/v1/settings/brand")
    sent(table, "/api/v1/profiles/check", {"profile": {"id": "club"}})
    rules = {"name": "Normas de la Peña", "base": "club", "changes": {"min_malas": 30}}
    made = str(sent(table, "/api/v1/club/rules", rules).headers["Location"])
    sent(table, made, {**rules, "changes": {"min_malas": 25}}, made)
    sent(table, f"{made}/retirement", version=made)
    ids = [
        sent(table, "/api/v1/players", {"name": name, "club": "Norte"}).json["players"][0]
        for name in ("Pilar", "Pilar G.", "Rosa")
    ]
    first = f"/api/v1/players/{ids[0]}"
    sent(table, first, {"nickname": "La de Ejea"}, first)
    sent(table, f"{first}/playing", {"plays": False}, first)
    sent(table, f"{first}/playing", {"plays": True}, first)
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


def of_apps(table: HttpTable) -> None:
    """An app that signs in, renews its token and signs out, and another that has a token."""
    here, words = table.app.extensions["guinote"](), "caballo de copas"
    holder = here.keys.open_account("Pilar Secretaria", words)
    meta = WriteMetadata(OWNER, "console", here.clock())
    here.referee.roles.record(RoleGranted(holder, "arbiter"), meta)
    asked = {"name": "Pilar Secretaria", "password": words, "scopes": ["read:official", "record"]}
    token = sent(table, "/api/v1/sign-ins", asked).json["token"]
    for method, path in (("POST", "/own/renewal"), ("DELETE", "/own")):
        shown = {"Authorization": f"Bearer {token}"}
        json = {"json": {}} if method == "POST" else {}
        path = f"/api/v1/sign-ins{path}"
        answer = table.client.open(path, method=method, headers=shown, **json)
        assert answer.status_code in (201, 204), answer.text
        token = answer.json["token"] if answer.is_json else ""
    wanted = {"name": "Marcador", "scopes": ["read:public"], "origins": ["https://club.example"]}
    made = sent(table, "/api/v1/tokens", wanted).json
    ended = table.client.delete(f"/api/v1/tokens/{made['id']}", headers=table.owner())
    assert ended.status_code == 204


def of_webhooks(table: HttpTable) -> str:
    """Id of a webhook that stays, beside one that is changed, tried, renewed and removed."""
    asked = {"name": "La web", "address": "https://club.example/hook", "notified": ["round.drawn"]}
    kept, gone = (sent(table, "/api/v1/webhooks", asked).json["webhook"] for _ in range(2))
    one = f"/api/v1/webhooks/{gone}"
    sent(table, one, {**asked, "is_on": True})
    sent(table, f"{one}/secret")
    sent(table, f"{one}/messages", {"ask": "test"})
    headers = table.headers_of_write(None, table.key())
    assert table.client.delete(one, headers=headers).status_code == 204
    return str(kept)


def of_encuentro(table: HttpTable) -> None:
    """A table drawn, seated, played in part, corrected, and ruled."""
    drawn = {"method": "a_la_mas_alta", "purpose": "dealer", "candidates": ["A1", "B1", "A2", "B2"]}
    sent(table, "/api/v1/draws/preview", {"profile": {"id": "club"}, **drawn, "seed": "12345678"})
    where = str(sent(table, ENCUENTROS, {"profile": {"id": "club"}}).headers["Location"])
    seats = dict(zip(("A1", "B1", "A2", "B2"), FOUR, strict=True))
    sent(table, f"{where}/seats", {"seats": seats}, where)
    sent(table, f"{where}/draws", {**drawn, "seed": "12345678"}, where)
    partida = str(sent(table, f"{where}/partidas", version=where).headers["Location"])
    sent(table, f"{partida}/acts/preview", {"acts": PLAYED})
    sent(table, f"{partida}/acts", {"acts": PLAYED}, partida)
    changes = {"changes": [{"line": 4, "how": "replace", "act": card("B1", "4C")}]}
    sent(table, f"{partida}/amendments/preview", changes)
    sent(table, f"{partida}/amendments", {**changes, "because": "Mal apuntada."}, partida)
    sent(table, f"{partida}/undo", version=partida)
    other = {"seat": "B2", "name": "Eva", "because": "Se va."}
    sent(table, f"{where}/substitutions", other, where)
    ruling = {"winner": "A", "because": "No se presentan."}
    sent(table, f"{where}/rulings/preview", ruling)
    sent(table, f"{where}/rulings", ruling, where)
    sent(table, f"{where}/day", {"date": "2026-11-23"}, where)


def of_case(table: HttpTable) -> None:
    """A dispute with evidence, a ruling, an appeal, its decision."""
    case = "{encuentro_id}/cases/{c}".format(**_disputed(table))
    case = f"{ENCUENTROS}/{case}"
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
    partida, one = table.partida(), a_renuncio(2)
    sent(table, f"{partida}/acts", {"acts": one.bodies()}, 0)
    where = partida.partition("/partidas")[0]
    opening = {"by": JUDGE, "partida": 1, "lines": [one.line], "because": "Renunció."}
    opened = str(sent(table, f"{where}/cases", opening, where).headers["Location"])
    sent(table, f"{opened}/analysis", {"by": JUDGE, "line": one.line}, 1)


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


def of_score(table: HttpTable) -> None:
    """A final score told by a side, denied by the other, taken back."""
    where = table.encuentro()
    told = {"score": {"A": 2, "B": 1}, "side": "A", "by": ANA}
    sent(table, f"{where}/result/scores", told, where)
    sent(table, f"{where}/result/denials", {"side": "B", "by": BLAS}, where)
    sent(table, f"{where}/result/scores/withdrawal", {"side": "B"}, where)


def of_season(table: HttpTable) -> None:
    """A season, and an evening of it from the first arrival to its closing."""
    season = str(sent(table, "/api/v1/seasons", {"name": "Liga"}).headers["Location"])
    sent(table, f"{season}/scoring", {"attendance": 1}, season)
    days = [{"date": "2026-11-21", "time": "20:30", "place": "Casa Joan"}, {"date": "2026-11-28"}]
    sent(table, f"{season}/calendar", {"sessions": days}, season)
    body = {"date": "2026-11-21", "profile": {"id": "club"}, "present": FOUR}
    opening = {**body, "season": season.rpartition("/")[2]}
    evening = str(sent(table, "/api/v1/sessions", opening).headers["Location"])
    sent(table, f"{evening}/arrivals", {"players": [{"name": "Eva"}]}, evening)
    last = table.get(evening).json["present"][-1]
    sent(table, f"{evening}/departures", {"person": last}, evening)
    terms = {"fee": 500, "kept": 100, "prizes": [{"words": "un jamón"}]}
    payer = table.get(evening).json["present"][0]
    for one in (evening, season):
        sent(table, f"{one}/fees", terms, one)
        sent(table, f"{one}/fees/payments", {"person": payer, "paid": True}, one)
    sent(table, f"{evening}/draws", {"method": "seed", "seed": "12345678"}, evening)
    sent(table, f"{evening}/tables", version=evening)
    sent(table, f"{evening}/tables/withdrawal", version=evening)
    sent(table, f"{evening}/tables", version=evening)
    terms = {"date": "2026-11-22", "profile": {"id": "club"}, "place": "Casa Joan"}
    sent(table, f"{evening}/terms", terms, evening)
    sent(table, f"{evening}/closing", version=evening)
    sent(table, f"{evening}/reopening", version=evening)
    sent(table, f"{evening}/closing", version=evening)
    sent(table, f"{evening}/season/preview", {"season": opening["season"]})
    sent(table, f"{evening}/season", {"season": opening["season"]}, evening)
    sent(table, f"{evening}/day", {"date": "2026-11-23"}, evening)
    line = {"text": "2026-11-29;1;Gala · Hugo;2;Iris · Joel;1\n", "season": opening["season"]}
    rules = {**line, "profile": {"id": "club"}}
    sent(table, "/api/v1/sessions/file/preview", rules)
    sent(table, "/api/v1/sessions/file", rules)
    sent(table, f"{season}/closing", version=season)


def of_season_of_pairs(table: HttpTable) -> None:
    """A season of pairs, and an evening to which two come: made before, and made there."""
    season = str(
        sent(table, "/api/v1/seasons", {"name": "Liga", "of": "pairs"}).headers["Location"]
    )
    body = {"date": "2026-11-28", "profile": {"id": "club"}, "of": "pairs"}
    opening = {**body, "season": season.rpartition("/")[2], "pairs": [{"players": FOUR[:2]}]}
    evening = str(sent(table, "/api/v1/sessions", opening).headers["Location"])
    (pair,) = table.get(evening).json["pairs"]
    sent(table, f"{evening}/departures", {"pair": pair}, evening)
    two = [{"pair": pair}, {"players": FOUR[2:], "name": "Los Nuevos"}]
    sent(table, f"{evening}/arrivals", {"pairs": two}, evening)
    sent(table, f"{evening}/draws", {"method": "seed", "seed": "12345678"}, evening)
    sent(table, f"{evening}/tables", version=evening)


def of_repechage(table: HttpTable) -> None:
    """A knock-out in which two of six losers are drawn back in."""
    cup = HttpTournament(table, 12, format="knock_out", repechage="lots")
    cup.draw()
    cup.do("pairs/3/payment", {"paid": True})
    cup.do("price", {"fee": 1000, "prizes": [{"amount": 30000}, {"words": "Un jamón"}]})
    cup.do("draw/withdrawal", {"reason": "Faltaba una pareja."})
    cup.draw()
    cup.do("tables/names", {"names": ["Mesa del rincón", "", "La de la barra"]})
    cup.do("rounds/1/hours", {"hours": ["17:00", "19:00"]})
    cup.do(f"meetings/{cup.open()[0]['id']}/hour", {"hour": "19:00"})
    for one in cup.open():
        cup.win(one, one["pairs"][0])
    cup.do("repechage", {"word_from": "La rifa"})
    cup.do("repechage/lots", {"word": "4711"})


def of_tournament(table: HttpTable) -> None:
    """A Swiss tournament of three rounds, with a result that is corrected too late."""
    played = HttpTournament(table, 8, format="swiss", rounds=3)
    played.do("pairs", {"pairs": [pair(9)]})
    played.do("pairs/9/substitution", {"players": [{"name": "Eva"}, {"name": "Fermín"}]})
    played.do("pairs/9/withdrawal")
    played.do("pairs/9/return")
    played.do("pairs/9/withdrawal")
    played.draw()
    played.do("pairs/8/absences", {"round": 1})
    played.do("pairs/8/absences/withdrawal", {"round": 1})
    played.do("rounds")
    played.do("rounds/1/withdrawal")
    played.do("rounds")
    played.do("tables")
    played.do("rounds/1/clock", {"minutes": 50})
    played.do("rounds/1/clock/stop")
    first = played.view()["rounds"][0]["meetings"][0]
    played.do(f"meetings/{first['id']}/call")
    played.do(f"meetings/{first['id']}/encuentro")
    played.do(f"meetings/{first['id']}/encuentro/calling-off")
    played.do(f"meetings/{first['id']}/result", {"winner": first["pairs"][0], "is_walkover": True})
    played.do(f"meetings/{first['id']}/result/withdrawal")
    played.play_open()
    played.do("rounds")
    played.win(first, first["pairs"][1])
    played.do(f"meetings/{first['id']}/settlement", {"what": "leave"})
    played.play_open()
    played.rounds(1)
    played.do("closing")
    played.do("signed-list")
    played.do("reopening")
    played.do("cancellation")
    played.do("reopening")
    played.do("day", {"date": "2026-11-23"})


def played_league(table: HttpTable) -> HttpLeague:
    """A league of four bars: a match played, one lost by absence, a sanction, a withdrawal."""
    league = HttpLeague(table, "Bar Ana", "Bar Blas", "Peña Celia", "Casino", rules={"legs": 1})
    league.schedule(time="21:30")
    match, other = league.match("1", "2"), league.match("4", "1")
    league.preview(report(match, 6, 0))
    pairs = [[{"name": "Ana"}, {"name": "Eva"}]]
    league.do(
        {"kind": "player_register", "team": "1", "person": {"name": "Ana"}, "since": "2026-01-01"},
        {"kind": "lineup", "match": match, "team": "1", "pairs": pairs},
        report(match, 4, 2),
        {"kind": "match_forfeit", "match": other, "absent": ["1"], "reason": "No vienen."},
        {"kind": "team_sanction", "team": "1", "points": 1, "reason": "Avisó tarde."},
        {"kind": "team_withdraw", "team": "3", "reason": "Sin jugadores."},
    )
    return league


def of_road(table: HttpTable) -> HttpRoad:
    """A road with a qualifier here and one elsewhere, an invitation, a renunciation, a final."""
    final = HttpTournament(table, 0, format="knock_out")
    road, played = HttpRoad(table, id_of(final), 6), play_qualifier(table, "w")
    named = {"name": "Bar", "places": 2}
    here = {"kind": "qualifier_add", **named, "tournament": id_of(played)}
    road.do(here, {"kind": "qualifier_add", **named}, {"kind": "list_take", "qualifier": "1"})
    guest = [{"name": "Eva"}, {"name": "Iván"}]
    road.preview({"kind": "place_renounce", "entry": "1-1"})
    road.do(
        {"kind": "pair_invite", "players": guest, "reason": "Campeones"},
        {"kind": "place_renounce", "entry": "1-1", "reason": "No puede"},
        {"kind": "final_enter"},
    )
    return road


def of_ranking(table: HttpTable) -> str:
    """What the club publishes, and two rankings with a club in them; returns the last address."""
    sent(table, "/api/v1/publication", {"choice": "published"})
    other, ranking = (
        str(sent(table, "/api/v1/rankings", {"name": name}).headers["Location"])
        for name in ("Comarca", "Provincia")
    )
    file, address = SIGNED_RESULTS.read_text("utf-8"), "https://sota.example/api/v1/publication"
    named = {"name": "La Sota", "key": json.loads(file)["key"], "address": address}
    taken = {"kind": "publication_take", "club": "1", "file": file}
    sent(table, f"{other}/acts", {"acts": [{"kind": "club_admit", **named}, taken]}, 1)
    person = f"{other}/people/{table.get(other).json['rows'][0]['person']}"
    assert table.client.delete(person, headers=table.owner()).status_code in (202, 204)
    sent(table, f"{ranking}/acts", {"acts": [{"kind": "club_admit", **named}, taken]}, 1)
    with patch("api.rankings.publications.get_content", return_value=file.encode()):
        sent(table, f"{ranking}/clubs/1/reading")
    piece = {"upload": "0" * 16, "size": 3, "at": 0, "piece": "e30K"}
    sent(table, "/api/v1/rankings/files", piece)
    sent(table, f"{ranking}/acts", {"acts": [{"kind": "club_address", "club": "1"}]}, 3)
    return ranking


def of_groups(table: HttpTable) -> None:
    """Two groups, and the knock-out after them."""
    played = HttpTournament(table, 4, format="groups", groups=2, qualify=1)
    played.draw()
    played.rounds(1)
    played.do("knock-out")


@contextmanager
def used_club(folder: Path) -> Iterator[HttpTable]:
    """A club that has been through everything, with something at each stage."""
    with kept_table(folder) as table:
        play_everything(table)
        starting_places(table)
        yield table


class Place(NamedTuple):
    """Values of the parameters of paths, and the operations for which it was prepared."""

    values: dict[str, str]
    good_for: tuple[str, ...] = ()


def starting_places(table: HttpTable) -> list[Place]:
    """Places at which much is possible: tournaments, an evening, tables, each at a stage."""
    return [*_tournaments(table), *_evenings(table), *_tables(table)]


def _tournaments(table: HttpTable) -> list[Place]:
    committed = HttpTournament(table, 4, format="knock_out")
    committed.do("draw", {"heads": 2})
    drawn = HttpTournament(table, 4, format="swiss", rounds=2)
    drawn.draw()
    running = HttpTournament(table, 4, format="swiss", rounds=2)
    running.draw()
    running.do("rounds")
    running.do("tables")
    running.do("rounds/1/clock", {"minutes": 50})
    late = HttpTournament(table, 4, format="swiss", rounds=3)
    late.draw()
    late.rounds(1)
    late.do("rounds")
    first = late.view()["rounds"][0]["meetings"][0]
    late.win(first, first["pairs"][1])
    grouped = HttpTournament(table, 4, format="groups", groups=2, qualify=1)
    grouped.draw()
    grouped.rounds(1)
    over = HttpTournament(table, 2, format="knock_out")
    over.draw()
    over.play_open()
    meetings = ("post_tournament_meeting_call", "post_tournament_meeting_encuentro")
    return [
        place_of(committed, "post_tournament_lots"),
        place_of(drawn, "post_tournament_rounds", "post_tournament_pair_absences"),
        place_of(running, *meetings, "post_tournament_round_clock_stop"),
        place_of(late, "post_tournament_meeting_settlement", "get_tournament_meeting_choices"),
        place_of(grouped, "post_tournament_knock_out"),
        place_of(over, "post_tournament_closing"),
    ]


def place_of(played: HttpTournament, *good_for: str) -> Place:
    """A tournament, its first pair, and the first meeting of its first round if it has one."""
    found = {"tournament_id": played.path.rpartition("/")[2], "pair": "1"}
    if rounds := played.view()["rounds"]:
        found |= {"number": "1", "meeting": rounds[0]["meetings"][0]["id"]}
    return Place(found, good_for)


def _evenings(table: HttpTable) -> list[Place]:
    body = {"date": "2026-11-21", "profile": {"id": "club"}, "present": FOUR}
    season = str(sent(table, "/api/v1/seasons", {"name": "Copa"}).headers["Location"])
    of_season = {**body, "season": season.rpartition("/")[2]}
    evening = str(sent(table, "/api/v1/sessions", of_season).headers["Location"])
    sent(table, f"{evening}/draws", {"method": "seed"}, evening)
    opened = sent(table, f"{evening}/tables", version=evening).json["encuentros"]
    where = f"{ENCUENTROS}/{opened[0]}"
    sent(table, f"{where}/rulings", {"winner": "A", "because": "No vienen."}, where)
    drawn = str(sent(table, "/api/v1/sessions", of_season).headers["Location"])
    sent(table, f"{drawn}/draws", {"method": "seed"}, drawn)
    present = table.get(evening).json["present"]
    in_season = {"season_id": season.rpartition("/")[2], "person_id": present[0]}
    return [
        Place({"session_id": drawn.rpartition("/")[2]}, ("post_session_tables",)),
        Place({"session_id": evening.rpartition("/")[2]}),
        Place(in_season, ("get_season_player",)),
    ]


def _tables(table: HttpTable) -> list[Place]:
    disputed, open_still, ruled, appealed = (_disputed(table) for _ in range(4))
    verdict = {"effect": "partida", "ground": {"kind": "sovereign"}, "because": "Visto."}
    ruling = {"by": JUDGE, "verdict": {**verdict, "side": "A"}, "appeal_minutes": 30}
    for one in (ruled, appealed):
        _confirmed(table, f"{ENCUENTROS}/{one['encuentro_id']}/cases/1/ruling", ruling)
    case = f"{ENCUENTROS}/{appealed['encuentro_id']}/cases/1"
    sent(table, f"{case}/appeal", {"by": BLAS, "side": "B", "because": "No."}, case)
    signed, decided = (table.encuentro() for _ in range(2))
    for one in (signed, decided):
        table.partida(one)
        sent(table, f"{one}/rulings", {"winner": "A", "because": "No vienen."}, one)
    sent(table, f"{signed}/result/signature", {"by": JUDGE, "because": "Ya."}, signed)
    result = "post_encuentro_result"
    ended = (f"{result}_reports", f"{result}_signature", f"{result}_contests")
    deciding = ("post_encuentro_case_decision", "post_encuentro_case_decision_preview")
    return [
        Place(disputed, ("post_encuentro_case_ruling", "post_encuentro_partida_amendments")),
        Place(open_still, ("post_encuentro_case_closing",)),
        Place(ruled, ("post_encuentro_case_appeal",)),
        Place(appealed, deciding),
        Place({"encuentro_id": signed.rpartition("/")[2]}, (f"{result}_reopenings",)),
        Place({"encuentro_id": decided.rpartition("/")[2], "n": "1"}, ended),
    ]


def _disputed(table: HttpTable) -> dict[str, str]:
    """A partida with some acts, and a case about one of them."""
    partida = table.partida()
    assert table.record(partida, 0, *PLAYED).status_code == 200
    where = partida.removesuffix("/partidas/1")
    opening = {"by": ANA, "side": "A", "partida": 1, "lines": [3], "because": "No asistió."}
    sent(table, f"{where}/cases", opening, where)
    return {"encuentro_id": where.rpartition("/")[2], "n": "1", "c": "1"}
