"""Live boards: a message for each public change, and for nothing else."""

from __future__ import annotations

import random
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.board import boards
from api.http import live
from api.http.live import (
    BoardMessage,
    LiveHub,
    LiveStream,
    NoFreeStream,
    StreamPlaces,
    StreamReader,
)
from referee.aggregates.commands import Record
from referee.aggregates.encuentro import freeze_profile
from referee.events import (
    CanteAnnounced,
    CardPlayed,
    DealStarted,
    EncuentroOpened,
    IncidentNoted,
    PintaTurned,
)
from referee.rules.profile.profile import profile
from tests.api.http.test_secrets import world
from tests.support.servers.http_table import HttpTable, card, deal, pinta
from tests.support.servers.kept_apps import kept_app, kept_table
from tests.support.servers.long_runs import RUNS
from tests.support.servers.one_log import ENCUENTRO, META, PARTIDA, new_referee
from tests.support.servers.streams import listening

PUBLIC = f"/api/v1/public/encuentros/{ENCUENTRO}"
SALA = "/api/v1/public/sala"
MESA = f"/mesa/{ENCUENTRO}"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[HttpTable]:
    with kept_table(tmp_path) as found:
        hub_of(found).beat_s = 0.2
        yield found


def hub_of(table: HttpTable) -> LiveHub:
    hub = table.app.extensions["guinote"]().hub
    assert isinstance(hub, LiveHub)
    return hub


def public(encuentro: str) -> str:
    return encuentro.replace("/v1/", "/v1/public/")


def test_a_void_cante_is_heard_seen_and_shown_in_the_hall(table: HttpTable) -> None:
    """A 40 while its rey lies on the table; the 20 of the same trick stays as it was announced."""
    encuentro = table.encuentro()
    partida = table.partida(encuentro)
    acts = [deal(), pinta("RO"), {"kind": "trick", "seat": "A1", "points": 11}]
    table.record(partida, 0, *acts, {"kind": "cante", "seat": "A1", "suit": "C"})
    table.get(partida)
    with listening(table.client, f"{public(encuentro)}/stream") as heard:
        heard.wait(lambda: len(heard.views) == 1)
        table.record(partida, 4, {"kind": "cante", "seat": "A2", "suit": "O"})
        heard.wait(lambda: len(heard.views) == 2)
        cantes = heard.views[-1][1]["partida"]["deal"]["cantes"]
    assert [(one["seat"], one["void"]) for one in cantes] == [("A1", False), ("A2", True)]
    assert table.get(public(encuentro)).json["partida"]["deal"]["cantes"] == cantes
    (shown,) = table.get(SALA).json["tables"]
    assert shown["partida"]["deal"]["cantes"] == cantes
    board = table.get(f"/mesa/{encuentro.split('/')[4]}").text
    assert board.count("<s>Las 40</s> nulo") == board.count("nulo") == 1
    hall = table.get("/sala/").text
    assert hall.count("</s> nulo") == hall.count("nulo") == 1


def test_a_stream_begins_with_the_view_and_goes_on_with_each_change(table: HttpTable) -> None:
    encuentro = table.encuentro()
    partida = table.partida(encuentro)
    table.get(partida)
    with listening(table.client, f"{public(encuentro)}/stream") as heard:
        heard.wait(lambda: len(heard.views) == 1)
        assert heard.bytes.startswith(b"retry: 2000\n\n")
        table.record(partida, 0, deal())
        heard.wait(lambda: len(heard.views) == 2)
        table.record(partida, 1, pinta("7O"))
        heard.wait(lambda: len(heard.views) == 3)
        assert [view["partida"]["phase"] for _, view in heard.views] == [
            *("waiting", "dealing", "free")
        ]
        table.get(partida)
        whole = table.client.get(public(encuentro))
        assert heard.views[-1] == (whole.headers["ETag"].strip('"'), whole.json)


def test_what_is_secret_is_no_message(table: HttpTable) -> None:
    encuentro = table.encuentro()
    partida = table.partida(encuentro)
    table.record(partida, 0, deal(), pinta("7O"))
    table.get(partida)
    with listening(table.client, f"{public(encuentro)}/stream") as heard:
        with listening(table.app.test_client(), f"{SALA}/stream") as hall:
            heard.wait(lambda: len(heard.views) == 1)
            hall.wait(lambda: len(hall.views) == 1)
            talk = {"kind": "incident", "incident": "talk", "seat": "A1", "text": "secreto"}
            table.record(partida, 2, card("A1", "AE"), talk)
            table.get(partida)
            seen = heard.beats, hall.beats
            heard.wait(lambda: heard.beats > seen[0] + 2)
            hall.wait(lambda: hall.beats > seen[1] + 2)
            assert (len(heard.views), len(hall.views)) == (1, 1)
            assert b"secreto" not in heard.bytes + hall.bytes


def test_what_was_seen_before_is_not_sent_again(table: HttpTable) -> None:
    encuentro = table.encuentro()
    table.get(encuentro)
    tag = table.client.get(public(encuentro)).headers["ETag"].strip('"')
    seen = {"Last-Event-ID": tag}
    with listening(table.client, f"{public(encuentro)}/stream", **seen) as heard:
        heard.wait(lambda: heard.beats > 1)
        assert heard.views == []
    hub_of(table).is_closing = False
    with listening(table.client, f"{public(encuentro)}/stream", **{"Last-Event-ID": "1"}) as heard:
        heard.wait(lambda: len(heard.views) == 1)


def test_a_name_that_is_erased_goes_from_the_boards(table: HttpTable, monkeypatch) -> None:
    monkeypatch.setattr(live, "AFRESH_S", 0.2)
    encuentro = table.encuentro()
    person = table.get(encuentro).json["seats"]["A1"]
    with listening(table.client, f"{public(encuentro)}/stream") as heard:
        heard.wait(lambda: bool(heard.views))
        assert heard.views[0][1]["seats"]["A1"] == "Ana"
        erased = table.app.test_client().delete(f"/api/v1/persons/{person}", headers=table.owner())
        assert erased.status_code in (202, 204)
        heard.wait(lambda: heard.views[-1][1]["seats"]["A1"] is None)


def test_a_board_of_nothing_takes_no_place(table: HttpTable) -> None:
    nothing = "/api/v1/public/encuentros/00000000-0000-0000-0000-000000000000/stream"
    for _ in range(live.DEFAULT_STREAMS + 5):
        assert table.client.get(nothing).status_code == 404
    assert table.client.get(f"{SALA}/stream?after=1").status_code == 422


def test_too_many_streams_are_asked_to_poll_instead(table: HttpTable) -> None:
    open_ones = [
        table.client.get(
            f"{SALA}/stream", environ_overrides={"REMOTE_ADDR": f"10.0.0.{n % (live.SHARE + 1)}"}
        )
        for n in range(live.DEFAULT_STREAMS)
    ]
    assert {one.status_code for one in open_ones} == {200}
    refused = table.client.get(f"{SALA}/stream")
    assert (refused.status_code, refused.json["code"]) == (503, "streams_full")
    assert refused.headers["Retry-After"] == "5"
    assert table.client.get(SALA).status_code == 200
    open_ones.pop().close()
    open_ones.append(table.client.get(f"{SALA}/stream"))
    assert open_ones[-1].status_code == 200
    for one in open_ones:
        one.close()


def test_a_stream_of_several_begins_with_one_look_at_each_that_there_is(
    table: HttpTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    encuentro = public(table.encuentro()).removeprefix("/api/v1/public/")
    looks: list[Any] = []
    hall = boards.read_hall_board
    monkeypatch.setattr(boards, "read_hall_board", lambda here: looks.append(here) or hall(here))
    monkeypatch.setattr(
        LiveHub, "refresh_boards", lambda _: None
    )  # only the looks with which it begins
    table.get(f"/api/v1/public/{encuentro}")  # the views have it
    nobody = f"sessions/{UUID(int=1)}"
    assert table.client.get(f"/api/v1/public/changes?of={nobody}").status_code == 404
    asked = f"/api/v1/public/changes?of=sala&of={encuentro}&of={nobody}"
    with listening(table.client, asked) as heard:
        heard.wait(lambda: heard.beats > 0)
        assert heard.bytes.count(b"event: change\n") == 2
        assert len(looks) == 1


def watched(hub: LiveHub, address: str, *, is_known: bool = False) -> LiveStream | None:
    """A stream, or None if no place was free."""
    reader = StreamReader(address, is_known)
    try:
        return hub.open_stream("hall", lambda: BoardMessage("1", b"{}"), reader)
    except NoFreeStream:
        return None


def test_one_visitor_takes_no_more_than_a_share_of_the_places() -> None:
    hub = LiveHub(lambda: 0, 48, random.random)
    greedy = [watched(hub, "10.0.0.1") for _ in range(96)]
    assert sum(one is not None for one in greedy) == 12
    assert watched(hub, "10.0.0.2") is not None
    assert watched(hub, "10.0.0.1", is_known=True) is not None
    next(one for one in greedy if one is not None).close()
    assert watched(hub, "10.0.0.1") is not None
    assert watched(hub, "10.0.0.1") is None
    hub.close()


def test_visitors_behind_a_proxy_that_hides_their_addresses_have_no_share() -> None:
    hub = LiveHub(lambda: 0, 48, random.random)
    assert sum(watched(hub, "") is not None for _ in range(96)) == 48
    hub.close()


def test_a_board_of_the_house_takes_the_place_of_the_oldest_stranger() -> None:
    hub = LiveHub(lambda: 0, 8, random.random)
    strangers = [watched(hub, f"10.0.0.{n}") for n in range(8)]
    assert watched(hub, "10.0.0.9") is None
    boards = [watched(hub, "10.0.0.9", is_known=True) for _ in range(8)]
    assert all(boards)
    for one in strangers:
        assert one is not None
        assert list(one.events(""))[1:] == [b"id: 1\nevent: view\ndata: {}\n\n"]  # and over
        one.close()
    assert watched(hub, "10.0.0.9", is_known=True) is None
    assert watched(hub, "10.0.0.9") is None
    hub.close()


def test_a_board_of_a_house_takes_the_place_of_a_stranger_at_the_house_with_most() -> None:
    places = StreamPlaces(6)
    crowded, other, ours = (LiveHub(lambda: 0, 6, random.random, places) for _ in range(3))
    first = watched(other, "10.0.0.1", is_known=True)
    at_ours = watched(ours, "10.0.0.2")
    strangers = [watched(crowded, f"10.0.1.{n}") for n in range(2)]
    fourth = LiveHub(lambda: 0, 6, random.random, places)
    more = [watched(fourth, f"10.0.2.{n}", is_known=True) for n in range(2)]
    assert all((first, at_ours, *strangers, *more))
    assert watched(ours, "10.0.0.3") is None
    assert watched(ours, "10.0.0.3", is_known=True) is not None
    left = [one.is_left for one in (first, at_ours, *strangers, *more) if one is not None]
    assert left == [False, False, True, False, False, False]
    assert strangers[0] is not None
    assert list(strangers[0].events(""))[1:] == [b"id: 1\nevent: view\ndata: {}\n\n"]  # and over
    for hub in (crowded, other, ours, fourth):
        hub.close()


def test_a_stream_ends_when_its_client_is_gone_and_not_at_the_next_heartbeat() -> None:
    hub = LiveHub(lambda: 0, 8, random.random)
    hub.beat_s = hub.life_s = 3_600.0
    ours, theirs = socket.socketpair()
    reader = StreamReader(connection=ours.fileno())
    stream = hub.open_stream("hall", lambda: BoardMessage("1", b"{}"), reader)
    events = stream.events("1")
    assert next(events).startswith(b"retry:")
    theirs.close()
    assert list(events) == []
    stream.close()
    hub.close()
    ours.close()


def test_an_answer_that_is_never_begun_gives_its_place_back(table: HttpTable) -> None:
    for _ in range(2 * live.DEFAULT_STREAMS):
        answer = table.client.head(f"{SALA}/stream")
        answer.close()
        assert answer.status_code == 200
    assert table.client.get(f"{SALA}/stream").status_code == 200


def test_a_stream_ends_after_its_life_and_all_end_with_the_process(table: HttpTable) -> None:
    hub_of(table).life_s = 0.3
    client = table.app.test_client()
    assert client.get(f"{SALA}/stream").data.count(b"event: view") == 1
    hub_of(table).life_s = 300.0
    with listening(table.client, f"{SALA}/stream") as heard:
        heard.wait(lambda: bool(heard.views))
        table.app.extensions["guinote"].end_streams()
        heard.wait(lambda: heard.is_over)
    assert client.get(f"{SALA}/stream").status_code == 503


def test_a_board_that_fails_does_not_stop_the_others() -> None:
    hub = LiveHub(lambda: 0, 4, random.random)
    shown = {"good": "1", "bad": "1"}

    def ask(name: str) -> BoardMessage:
        if shown[name] == "2" and name == "bad":
            raise OSError(name)
        return BoardMessage(shown[name], b"{}")

    bad, good = (hub.open_stream(name, lambda name=name: ask(name)) for name in ("bad", "good"))
    shown.update(good="2", bad="2")
    hub.refresh_boards()
    hub.life_s = 0.0
    assert b"id: 2\n" in b"".join(good.events("1"))
    assert b"id:" not in b"".join(bad.events("1"))
    hub.close()


def test_a_board_that_cannot_be_asked_takes_no_place() -> None:
    hub = LiveHub(lambda: 0, 1, random.random)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            hub.open_stream("one", lambda: BoardMessage(str(1 / 0), b""))
    first = hub.open_stream("one", lambda: BoardMessage("1", b"{}"))
    with pytest.raises(NoFreeStream):
        hub.open_stream("two", lambda: BoardMessage("1", b"{}"))
    first.close()
    first.close()
    hub.open_stream("two", lambda: BoardMessage("1", b"{}"))
    with pytest.raises(NoFreeStream):
        hub.open_stream("one", lambda: BoardMessage("1", b"{}"))


class World:
    """A site whose log is written by another writer, and the bytes of its two streams.

    Its profile lets a side claim in the first deal, so the last trick is a secret too.
    """

    def __init__(self, folder: Path, salt: int) -> None:
        self._kept = ExitStack()
        self.app = self._kept.enter_context(kept_app(folder))
        self.here = self.app.extensions["guinote"]()
        self.here.hub._position = lambda: 0  # it queries when the test calls ``look``
        self.here.hub.beat_s = self.here.hub.life_s = 1e6
        self.referee = new_referee(folder / "log.sqlite", salt)
        opened = EncuentroOpened(freeze_profile(profile("baraja-francesa"), 4, 40))
        self.referee.encuentros.open(opened, META, ENCUENTRO)
        self.referee.encuentros.start_partida(ENCUENTRO, META)
        self._follow()

    def _follow(self) -> None:
        assert self.here.reads.wait(self.here.referee.position(), 20)

    def pages(self) -> bytes:
        """Both boards, in two languages; what others embed of them, and the board of a stream."""
        client = self.app.test_client()
        asked = [f"{at}?lang={lang}" for at in (MESA, "/sala/") for lang in ("es", "en")]
        asked += [f"/incrustar{MESA}", "/incrustar/sala", f"{MESA}/emision"]
        return b"".join(client.get(at).data for at in asked)

    def play(self, commands: list[Any]) -> tuple[bytes, bytes, bytes]:
        client, pages = self.app.test_client(), []
        with (
            listening(client, f"{PUBLIC}/stream") as one,
            listening(client, f"{SALA}/stream") as all_,
        ):
            for command in commands:
                self.referee.encuentros.record_partida_acts(PARTIDA, [command], META)
                self._follow()
                self.here.hub.refresh_boards()
                tags = [self.app.test_client().get(at).headers["ETag"] for at in (PUBLIC, SALA)]
                for heard, tag in zip((one, all_), tags, strict=True):
                    heard.wait(lambda h=heard, t=tag: h.views and f'"{h.views[-1][0]}"' == t)
                if pages[-1:] != [now := self.pages()]:
                    pages.append(now)
        return one.bytes, all_.bytes, b"".join(pages)

    def close(self) -> None:
        self.referee.close()
        self.app.extensions["guinote"].close()
        self._kept.close()


@settings(max_examples=3 * RUNS)
@given(
    st.integers(0, 2**32),
    st.integers(0, 2**32),
    st.integers(1, 4),
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["O", "C", ""])), max_size=2),
)
def test_streams_of_worlds_that_differ_in_secrets_are_the_same_bytes(
    tmp_path_factory, first, second, tricks, cantes
):
    folder, heard = tmp_path_factory.mktemp("worlds"), []
    for name, seed in (("one", first), ("two", second)):
        one = World(folder / name, seed + 1)
        kinds = random.Random(seed).choices(
            ["talk", "signal", "late"], k=random.Random(seed).randint(0, 4)
        )
        asides = [Record(IncidentNoted(kind, "A1", "", f"text{seed}")) for kind in kinds]
        acts = world(seed, tricks, cantes)
        heard.append(one.play([*acts[:2], *asides, *acts[2:]]))
        one.close()
    assert heard[0] == heard[1]
    announced = sum(at < tricks for at, _ in cantes)
    assert heard[0][0].count(b"event: view") == 3 + tricks + announced


def test_streams_tell_apart_what_is_announced(tmp_path: Path) -> None:
    """Check of the test above: with one more cante the bytes differ."""
    acts = [Record(DealStarted("B2")), Record(PintaTurned("7O")), Record(CardPlayed("A1", "AE"))]
    heard = []
    for name, more in (("one", []), ("two", [Record(CanteAnnounced("A1", "C"))])):
        one = World(tmp_path / name, 1)
        heard.append(one.play([*acts, *more]))
        one.close()
    assert heard[1][0].startswith(heard[0][0])
    assert heard[0][0] != heard[1][0]
    assert heard[0][1] != heard[1][1]
    assert heard[0][2] != heard[1][2]
