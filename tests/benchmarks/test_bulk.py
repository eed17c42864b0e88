"""A log written in bulk is one that the program could have written: every check holds on it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import UUID

import msgspec
import pytest
from click.testing import CliRunner

from api.cli.main import main
from api.server import wiring
from benchmarks.scale.bulk import BulkClub, write_log
from benchmarks.scale.stock import PROFILE
from referee.aggregates.commands import Record
from referee.audit.auditor import Auditor, TrustedNotes, audit_proof
from referee.audit.notary import Notary
from referee.audit.publication import Published
from referee.audit.verification import verify_log
from referee.events import DealStarted, EncuentroOpened
from referee.kinds import partida_id
from referee.log.stores import open_for_audit
from referee.log.streams import WriteMetadata
from tests.support.servers.one_log import NOW

EVENTS = 5_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bulk") / "data"


@pytest.fixture(scope="module")
def club(folder: Path) -> Iterator[BulkClub]:
    found = write_log(folder, EVENTS, tables=2, evenings=1, stock=1)
    run(folder, "rebuild")
    return found


def run(folder: Path, *words: str) -> str:
    done = CliRunner().invoke(main, ["--data", str(folder), *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stderr


def test_verification_finds_no_difference(club: BulkClub, folder: Path) -> None:
    assert "0 differences" in run(folder, "verify")


def test_it_has_what_a_club_has(club: BulkClub, folder: Path) -> None:
    with closing(sqlite3.connect(folder / "log.sqlite")) as log:
        counts = dict(log.execute("SELECT topic, count(*) FROM stored_events GROUP BY topic"))
        (written,) = log.execute("SELECT count(*) FROM receipts").fetchone()
    assert sum(counts.values()) >= EVENTS
    assert counts["SeasonOpened.1"] == len(club.seasons) > 1
    assert counts["TournamentOpened.1"] >= 1
    assert counts["ResultMadeOfficial.1"] == 2 * counts["SessionOpened.1"]
    assert counts["PairNamed.1"] == len(club.members) // 2
    assert counts["CardPlayed.1"] < written < sum(counts.values())


def test_a_proof_of_its_last_encuentro_holds(club: BulkClub, folder: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(folder / "log.sqlite")) as db:
        (stream,) = db.execute(
            "SELECT originator_id FROM stored_events WHERE topic = 'ResultMadeOfficial.1'"
            " ORDER BY position DESC"
        ).fetchone()
    with (
        closing(Notary(tmp_path / "keys", bytes)) as notary,
        closing(Auditor(folder / "log.sqlite", folder)) as auditor,
    ):
        with closing(open_for_audit(folder / "log.sqlite")) as log:
            assert notary.sign(log)
        notary.publish(Published(folder / "log.sqlite", folder))
        proof = auditor.prove_encuentro(UUID(stream))
    found = audit_proof(msgspec.json.encode(proof), TrustedNotes(notary.key))
    assert not found.wrong
    assert not found.missing
    assert proof.recorded == len(proof.events) > 500


def test_an_act_is_recorded_after_it(club: BulkClub, folder: Path) -> None:
    meta = WriteMetadata("owner", "tablet", NOW)
    with closing(wiring.open_referee(wiring.files_of_folder(folder))) as referee:
        last = referee.position()
        encuentro = referee.encuentros.open(EncuentroOpened(PROFILE), meta).id
        referee.encuentros.start_partida(encuentro, meta)
        act = Record(DealStarted("A1"))
        answer = referee.encuentros.record_partida_acts(partida_id(encuentro, 1), [act], meta)
    assert answer.position == last + 4
    with closing(open_for_audit(folder / "log.sqlite")) as log, log.hold_snapshot():
        assert not verify_log(log).differences


def test_the_page_of_a_season_shows_its_players(club: BulkClub, folder: Path) -> None:
    app = wiring.app(folder, with_projector=False)
    page = app.test_client().get(f"/temporadas/{club.seasons[-1]}")
    app.extensions["guinote"].close()
    assert page.status_code == 200
    assert "Socio 1.1" in page.text
