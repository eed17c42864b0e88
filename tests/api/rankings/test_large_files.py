"""A season of a big club, whose file is larger than a request: by address, in pieces, on a page."""

from __future__ import annotations

import base64
import io
import json
import os
import random
import re
import time
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from api.html.forms import new_form_key
from api.http.bodies import MAX_BYTES
from api.publication.issue import issue_changes
from api.uploads.pieces import UPLOADS, sweep_uploads
from referee.events.rankings import NameAgreed, StatedResult
from referee.log.streams import WriteMetadata
from tests.api.rankings.http_ranking import RANKINGS, HttpRanking
from tests.api.rankings.publisher import publisher
from tests.api.rankings.ranked_club import RankedClub
from tests.api.roads.road_desk import RoadForms
from tests.support.servers.kept_apps import kept_table

PEOPLE, RESULTS = 200, 2_000
PIECE = 150_000


def publish_season(club: RankedClub) -> str:
    """The signed file of a club of many people who agreed, and played all year."""
    here = club.table.app.extensions["guinote"]()
    draw = random.Random(1)
    public = [draw.randbytes(16).hex() for _ in range(PEOPLE)]
    names = here.persons.add_texts([f"Nombre Apellido {n}" for n in range(PEOPLE)])
    acts = [NameAgreed(f"{n:032}", names[n], public[n]) for n in range(PEOPLE)]
    here.referee.publication.record(acts, WriteMetadata("", "program", here.clock()))
    day = str(here.clock().date())
    months: dict[str, list[StatedResult]] = {}
    for _ in range(RESULTS):
        a, b, c, d = draw.sample(public, 4)
        found = StatedResult(day, "club", ((a, b), (c, d)), draw.randint(1, 2))
        months.setdefault(day[:7], []).append(found)
    stated = {month: tuple(found) for month, found in months.items()}
    with (
        patch("api.publication.issue.results_by_month", return_value=stated),
        patch("api.publication.issue.superfluous_ids", return_value=set()),
        club.table.app.app_context(),
    ):
        issue_changes(here)
    return club.file()


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RankedClub]:
    folder = tmp_path_factory.mktemp("big")
    (folder / "data").mkdir()
    with kept_table(folder / "data") as table:
        club = RankedClub(table, folder)
        club.publish()
        yield club


@pytest.fixture(scope="module")
def file(club: RankedClub) -> str:
    found = publish_season(club)
    assert len(found) > MAX_BYTES
    return found


def bring(ranking: HttpRanking, file: str, one: str) -> None:
    """Send a file in pieces, the second of them twice and the third too early."""
    content, there = file.encode(), 0
    pieces = {at: content[at : at + PIECE] for at in range(0, len(content), PIECE)}

    def send(at: int) -> int:
        piece = base64.b64encode(pieces[at]).decode()
        body = {"upload": one, "size": len(content), "at": at, "piece": piece}
        return int(ranking.table.post(f"{RANKINGS}/files", body).json["there"])

    assert send(0) == PIECE
    assert send(2 * PIECE) == PIECE, "bytes before it are missing"
    for at in [*pieces][1:]:
        there = send(at)
        assert send(at) == there, "it is there already"
    assert there == len(content)


def waiting(club: RankedClub) -> list[Path]:
    return [*(club.folder / "data" / UPLOADS).glob(".*")]


def test_a_large_file_is_taken_in_pieces(club: RankedClub, file: str) -> None:
    ranking, one = HttpRanking(club.table), "0123456789abcdef"
    key = json.loads(file)["key"]
    ranking.do({"kind": "club_admit", "name": "La Grande", "key": key})
    asked = {"kind": "publication_take", "club": "1", "upload": one}
    assert ranking.ask(asked).json["rule"] == "upload-gone"
    bring(ranking, file, one)
    assert [oct(path.stat().st_mode)[-3:] for path in waiting(club)] == ["600"]
    ranking.do(asked)
    assert waiting(club) == []
    view = ranking.view()
    assert (view["results"], len(view["rows"])) == (RESULTS, PEOPLE)
    taken = ranking.table.client.get(f"{ranking.path}/clubs/1/publication")
    assert json.loads(taken.text) == json.loads(file)


def test_a_large_file_is_read_by_address(club: RankedClub, file: str) -> None:
    club.table.app.extensions["webhook_setting"] = "local"
    ranking, key = HttpRanking(club.table), json.loads(file)["key"]
    with publisher() as elsewhere:
        elsewhere.text = file
        named = {"name": "La Grande", "key": key, "address": elsewhere.address}
        ranking.do({"kind": "club_admit", **named})
        assert club.table.post(f"{ranking.path}/clubs/1/reading").json["is_taken"]
    assert ranking.view()["results"] == RESULTS


def test_what_is_compared_on_the_page_stays_on_the_server(club: RankedClub, file: str) -> None:
    ranking, one = HttpRanking(club.table), "0123456789abcdef"
    bring(ranking, file, one)
    desk, owner = f"{ranking.home}/direccion?lang=es", club.table.owner()
    asked = {"kind": "club_admit", "name": "La Grande", "upload": one, "key": new_form_key()}
    compare = club.table.client.post(desk, headers=owner, data=asked)
    assert len(compare.text) < 20_000
    form = RoadForms(compare.text).of("club_admit", upload=one)
    made = club.table.client.post(desk, headers=owner, data=form)
    assert made.status_code == 303, made.text
    club.table.position = int(re.findall(r"wait=(\d+)", made.headers["Location"])[0])
    assert ranking.view()["results"] == RESULTS
    assert waiting(club) == []


def test_a_small_file_waits_on_the_server_too_and_is_forgotten(club: RankedClub, file: str) -> None:
    ranking = HttpRanking(club.table)
    content = json.dumps({**json.loads(file), "months": {}}).encode()
    desk, owner = f"{ranking.home}/direccion?lang=es", club.table.owner()
    sent = {"kind": "club_admit", "key": new_form_key(), "file": (io.BytesIO(content), "club.json")}
    refused = club.table.client.post(desk, headers=owner, data=sent)
    assert "«months»" in refused.text
    assert waiting(club) == [], "what is not as it was signed is not kept"
    bring(ranking, file, "fedcba9876543210")
    (one,) = waiting(club)
    sweep_uploads(one.parent)
    assert waiting(club) == [one]
    os.utime(one, (time.time() - 7_200,) * 2)
    sweep_uploads(one.parent)
    assert waiting(club) == []


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"size": 5 * 1024 * 1024}, "invalid"),
        ({"piece": "no base 64"}, "bad_ranking"),
        ({"size": 1, "piece": "aaaa"}, "bad_ranking"),
        ({"upload": "../../persons"}, "invalid"),
    ],
)
def test_a_piece_that_cannot_be_is_refused(
    club: RankedClub, body: dict[str, object], said: str
) -> None:
    asked = {"upload": "0" * 16, "size": 3, "at": 0, "piece": "aaaa", **body}
    assert club.table.post(f"{RANKINGS}/files", asked).json["code"] == said
    assert waiting(club) == []
