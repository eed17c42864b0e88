"""Processor time of a ranking between clubs: its table, the projector, and who asks for it.

``python -m benchmarks.club.ranking [CLUBS] [RESULTS]`` prints a table. Each club has 40 persons and
results of a year. Five of them play in the next club too; a result in ten has an unnamed person.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path

import msgspec

from projections.rankings.computation import PublishedClub, rank
from referee.aggregates.publication import digest_of_month
from referee.audit.result_files import PublishedPerson
from referee.events.rankings import (
    ClubAdmitted,
    PublicationTaken,
    PublicId,
    RankingAct,
    RankingOpened,
    StatedJoint,
    StatedPerson,
    StatedResult,
    TakenPerson,
)
from referee.log.streams import WriteMetadata
from tests.support.proofs.signing_club import SigningClub
from tests.support.servers.http_table import HttpTable

PERSONS = 40
VISITORS = 5
UNNAMED = 0.1
DAYS = 365
LAST = datetime(2026, 12, 31, tzinfo=UTC)
SEED = 41
MOST_S = 120.0


def taken_s(do: Callable[[], object]) -> float:
    """Processor time of all threads during a call: other work of the computer is not in it."""
    begun = time.process_time()
    do()
    return time.process_time() - begun


def clubs_of(count: int, results: int) -> list[PublishedClub]:
    """Clubs in a circle, each with persons who play in the next one too."""
    chance = random.Random(SEED)
    return [_club(number, count, results, chance) for number in range(count)]


def _club(number: int, count: int, results: int, chance: random.Random) -> PublishedClub:
    ids = [_person(number, at) for at in range(PERSONS)]
    people = [StatedPerson(one, _joints(number, at, count)) for at, one in enumerate(ids)]
    months: dict[str, list[StatedResult]] = {}
    for _ in range(results):
        day = (date(2026, 1, 1) + timedelta(chance.randrange(DAYS))).isoformat()
        a, b, c, d = chance.sample(ids, 4)
        sides = ((a, b), (c, "" if chance.random() < UNNAMED else d))
        months.setdefault(day[:7], []).append(
            StatedResult(day, "club", sides, chance.randint(1, 2))
        )
    return PublishedClub(_signer(number).fingerprint, people, months)


@cache
def _signer(number: int) -> SigningClub:
    return SigningClub(number)


def _person(club: int, at: int) -> PublicId:
    return f"{club * PERSONS + at:032x}"


def _joints(club: int, at: int, count: int) -> tuple[StatedJoint, ...]:
    """The first persons play in the club after, where they are the next ones."""
    if at >= 2 * VISITORS or count == 1:
        return ()
    step = 1 if at < VISITORS else -1
    other = (club + step) % count
    joint = f"{(club if step == 1 else other) * VISITORS + at % VISITORS:032x}"
    key = _signer(other).fingerprint
    return (StatedJoint(joint, key, _person(other, at + step * VISITORS)),)


def acts_of(clubs: list[PublishedClub]) -> Iterator[list[RankingAct]]:
    """Acts that admit each club with its publication."""
    for number, club in enumerate(clubs):
        signer = _signer(number)
        named = [PublishedPerson(one.person, one.person, one.joints) for one in club.people]
        months = {month: tuple(results) for month, results in club.months.items()}
        signed = signer.publish(named, months, LAST)
        people = tuple(TakenPerson(one.person, one.name, one.joints) for one in named)
        digests = {month: digest_of_month(month, results) for month, results in months.items()}
        event = msgspec.json.encode(signed.event).decode()
        taken = ("", "", people, months, digests, signed.checkpoint, event)
        yield [
            ClubAdmitted(f"club {number}", signer.key),
            PublicationTaken(str(number + 1), signed.event.index, *taken),
        ]


def ask_of_house(clubs: list[PublishedClub], table: HttpTable) -> Iterator[tuple[str, float]]:
    """The projector for a publication at most, the first table, later ones."""
    here = table.app.extensions["guinote"]()
    meta = WriteMetadata("bench", "bench", datetime.now(UTC))
    opened = here.referee.rankings.open(RankingOpened("Provincia"), meta)
    waits = []
    for acts in acts_of(clubs):
        answer = here.referee.rankings.record(opened.id, acts, meta)
        waits.append(taken_s(lambda at=answer.position: here.reads.wait(at, MOST_S)))
    yield "the projector, for a publication at most", max(waits)
    path = f"/api/v1/rankings/{opened.id}"
    yield "the table, asked for the first time", taken_s(lambda: table.get(path))
    yield "the table, asked for again", taken_s(lambda: table.get(path))
    person = table.get(path).json["rows"][0]["person"]
    yield "a person in it", taken_s(lambda: table.get(f"{path}/people/{person}"))


def main(count: int, results: int) -> None:
    """Compute a table alone, then in a house."""
    clubs = clubs_of(count, results)
    print(f"| {count} clubs with {results} results each | s |\n|---|---|")
    print(f"| computed alone | {taken_s(lambda: rank(clubs)):.2f} |")
    with tempfile.TemporaryDirectory() as folder, closing(HttpTable(Path(folder))) as table:
        for what, taken in ask_of_house(clubs, table):
            print(f"| {what} | {taken:.2f} |")


if __name__ == "__main__":
    main(*(int(one) for one in sys.argv[1:] or ("100", "800")))
