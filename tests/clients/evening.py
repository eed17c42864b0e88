"""An evening of a club, played with the Python client that is generated from the document.

``python evening.py ADDRESS TOKEN``, with the client on the path; prints the table of the evening.
"""

from __future__ import annotations

import datetime as dt
import sys
import uuid
from typing import TypeVar

from guinote_client import AuthenticatedClient
from guinote_client.api.encuentros import get_encuentro, post_encuentro_rulings
from guinote_client.api.players import post_players
from guinote_client.api.results import post_encuentro_result_reports
from guinote_client.api.sessions import (
    get_session,
    post_session_draws,
    post_session_tables,
    post_sessions,
)
from guinote_client.models import (
    EncuentroRulingIn,
    EncuentroRulingInWinner,
    EveningTablesIn,
    EveningTablesInMethod,
    PlayerIn,
    ProblemShape,
    ProfileIn,
    ReportIn,
    ReportInSide,
    SessionIn,
    Who,
)

NAMES = ("Ana", "Blas", "Celia", "Diego")
AnswerT = TypeVar("AnswerT")


def given(answer: AnswerT | ProblemShape | None) -> AnswerT:
    """The answer, which must be no problem."""
    assert answer is not None
    assert not isinstance(answer, ProblemShape), answer
    return answer


def key() -> str:
    """A new idempotency key."""
    return str(uuid.uuid4())


def play(client: AuthenticatedClient) -> list[tuple[str | None, int]]:
    """Players, an evening, its draw, its tables, their results; names and points of its table."""
    persons = [
        given(post_players.sync(client=client, body=PlayerIn(name), idempotency_key=key()))
        for name in NAMES
    ]
    there = [Who(person=one.players[0]) for one in persons]
    body = SessionIn(date=dt.date(2026, 11, 21), profile=ProfileIn(id="club"), present=there)
    begun = given(post_sessions.sync(client=client, body=body, idempotency_key=key()))
    evening = begun.id
    seen = given(get_session.sync(evening, client=client, wait=begun.position))
    drawn = given(
        post_session_draws.sync(
            evening,
            client=client,
            body=EveningTablesIn(EveningTablesInMethod.SEED, seed="a-seed-of-ours"),
            idempotency_key=key(),
            if_match=f'"{seen.version}"',
        )
    )
    opened = given(
        post_session_tables.sync(
            evening, client=client, idempotency_key=key(), if_match=f'"{drawn.version}"'
        )
    )
    last = opened.position
    for encuentro in opened.encuentros:
        last = report(client, encuentro, last)
    table = given(get_session.sync(evening, client=client, wait=last))
    return [(row.name, row.points) for row in table.standings]


def report(client: AuthenticatedClient, encuentro: uuid.UUID, seen: int) -> int:
    """The other side did not come: side A wins, and says so. Position of that on the log."""
    version = given(get_encuentro.sync(encuentro, client=client, wait=seen)).version
    ruled = given(
        post_encuentro_rulings.sync(
            encuentro,
            client=client,
            body=EncuentroRulingIn(EncuentroRulingInWinner.A, "No se presentan."),
            idempotency_key=key(),
            if_match=f'"{version}"',
        )
    )
    reported = given(
        post_encuentro_result_reports.sync(
            encuentro,
            client=client,
            body=ReportIn(Who(name="Ana"), side=ReportInSide.A),
            idempotency_key=key(),
            if_match=f'"{ruled.version}"',
        )
    )
    return reported.position


if __name__ == "__main__":
    address, token = sys.argv[1:]
    with AuthenticatedClient(base_url=address, token=token) as session:
        for name, points in play(session):
            print(name, points)
