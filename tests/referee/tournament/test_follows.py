"""A tournament follows the encuentros held in it, and both can be verified."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from projections.runner.log import LogReader
from referee.audit.verify.club import differences_in_tournament
from referee.audit.verify.conclusions import differences_in_all_streams
from referee.events.tournament import LotsDrawn, MeetingFollowed, RoundDrawn
from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import HttpTournament, decide


def test_a_meeting_follows_its_encuentro(table: HttpTable) -> None:
    played = HttpTournament(table, 4, format="knock_out")
    played.draw()
    first = played.open()[0]
    opened = played.ask(f"meetings/{first['id']}/encuentro")
    assert opened.status_code == 201, opened.text
    played.version = opened.json["version"]
    encuentro = opened.headers["Location"]
    seats = table.get(encuentro).json
    names = [seats["names"][seats["seats"][seat]] for seat in ("A1", "B1", "A2", "B2")]
    one, other = first["pairs"]
    assert names == [f"Ana {one}", f"Ana {other}", f"Blas {one}", f"Blas {other}"]
    assert played.open()[0]["stage"] == "playing"
    decide(table, encuentro, "B")
    ended = played.view()["rounds"][0]["meetings"][0]
    assert (ended["winner"], ended["stage"]) == (other, "provisional")
    assert ended["cotos"][1] > ended["cotos"][0]
    version = table.get(encuentro).json["version"]
    signed = table.post(
        f"{encuentro}/result/signature", {"by": {"name": "Rosa"}, "because": "sí"}, version
    )
    assert signed.status_code == 200, signed.text
    assert played.view()["rounds"][0]["meetings"][0]["stage"] == "official"


def test_an_encuentro_asked_for_again_is_the_same(table: HttpTable) -> None:
    played = HttpTournament(table, 4, format="knock_out")
    played.draw()
    first = played.open()[0]
    where = f"meetings/{first['id']}/encuentro"
    one, two = (played.ask(where, key="the-same-key") for _ in range(2))
    assert one.json["encuentro"] == two.json["encuentro"]
    assert one.headers["Location"] == two.headers["Location"]
    played.view()
    assert played.ask(where).json["reason"] == "meeting-held"


def test_an_encuentro_between_others_than_should_meet_is_followed_no_more(
    table: HttpTable,
) -> None:
    played = HttpTournament(table, 4, format="knock_out")
    played.draw()
    first, other = played.open()
    for one in (first, other):
        played.win(one, one["pairs"][0])
    (final,) = played.open()
    opened = played.ask(f"meetings/{final['id']}/encuentro")
    played.version = opened.json["version"]
    played.win(first, first["pairs"][1])
    assert [one["id"] for one in played.open()] == [final["id"]]
    played.do(f"meetings/{first['id']}/settlement", {"what": "re_pair"})
    (now,) = played.open()
    assert now["pairs"][0] == first["pairs"][1]
    decide(table, opened.headers["Location"], "A")
    assert played.view()["champion"] is None
    assert [one["id"] for one in played.open()] == [now["id"]]
    played.play_open(lambda one: one["pairs"][0])
    assert played.view()["champion"] == first["pairs"][1]
    assert list(differences_in_all_streams(logged(table))) == []


def test_tables_that_end_at_the_same_moment_are_all_followed(table: HttpTable) -> None:
    played = HttpTournament(table, 8, format="swiss", rounds=3)
    played.draw()
    played.do("rounds")
    encuentros = []
    for one in played.open():
        opened = played.ask(f"meetings/{one['id']}/encuentro")
        played.version = opened.json["version"]
        encuentros.append(opened.headers["Location"])
    with ThreadPoolExecutor(4) as pool:
        for _ in pool.map(lambda where: decide(table, where, "B"), encuentros):
            pass
    meetings = played.view()["rounds"][0]["meetings"]
    assert [one["winner"] for one in meetings] == [one["pairs"][1] for one in meetings]
    assert list(differences_in_all_streams(logged(table))) == []


def flipped(table: HttpTable, encuentro: str) -> list[dict[str, Any]]:
    """What would change if the first of two partidas had gone to the other side: the preview."""
    partida = f"{encuentro}/partidas/1"
    version = table.get(partida).json["version"]
    other = {"kind": "result", "winner": "B", "how": "concession"}
    changes = {"changes": [{"line": 1, "how": "replace", "act": other}], "because": "acta"}
    answer = table.post(f"{partida}/amendments/preview", changes, version)
    assert answer.status_code == 200, answer.text
    return answer.json


def test_a_preview_says_what_it_would_change_in_the_tournament(table: HttpTable) -> None:
    played = HttpTournament(table, 4, format="swiss", rounds=2)
    played.draw()
    played.do("rounds")
    first = played.open()[0]
    opened = played.ask(f"meetings/{first['id']}/encuentro")
    encuentro = opened.headers["Location"]
    decide(table, encuentro, "A")
    played.view()
    winner = first["pairs"][0]
    before = flipped(table, encuentro)
    points = {row["pair"]: row["points"] for row in before["before"]["tournament"]["rows"]}
    would = {row["pair"]: row["points"] for row in before["after"]["tournament"]["rows"]}
    assert (points[winner], would[winner]) == (2, 0)
    assert [word for word in before["words"] if word.startswith(f"Torneo, pareja {winner}: 2 → 0")]
    played.play_open()
    played.do("rounds")
    late = flipped(table, encuentro)
    assert late["before"]["tournament"] == {"pending": []}
    assert late["after"]["tournament"] == {"pending": [first["id"]]}


def logged(table: HttpTable) -> LogReader:
    return LogReader(table.app.extensions["guinote"].files.log)


def test_a_tournament_is_worked_out_again_from_its_acts_and_its_encuentros(
    table: HttpTable,
) -> None:
    played = HttpTournament(table, 6, format="swiss", rounds=2)
    played.draw()
    played.do("rounds")
    first = played.open()[0]
    opened = played.ask(f"meetings/{first['id']}/encuentro")
    decide(table, opened.headers["Location"], "A")
    played.view()
    played.play_open()
    played.do("rounds")
    assert list(differences_in_all_streams(logged(table))) == []
    stream = UUID(played.path.rpartition("/")[2])
    history = logged(table).history(stream, 2**62)
    whats = {
        RoundDrawn: ("changed_conclusion", {"pairings": (("1", "2"), ("3", "4"), ("5", "6"))}),
        LotsDrawn: ("changed_conclusion", {"order": ("6", "5", "4", "3", "2", "1")}),
        MeetingFollowed: ("outcome_wrong", {"winner": first["pairs"][1]}),
    }
    for kind, (what, changed) in whats.items():
        at = next(n for n, one in enumerate(history) if isinstance(one.event, kind))
        forged = [*history]
        event = replace(history[at].event, **changed)
        forged[at] = replace(history[at], event=event)
        found = list(differences_in_tournament(forged, logged(table)))
        assert found[0].what == what, kind
