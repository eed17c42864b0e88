"""A whole partida, recorded with the Python client that is generated from the document.

``python partida.py ADDRESS TOKEN``, with the client on the path; the opening and the acts, as they
are sent, come in JSON at its input. Prints who won, and the totals.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from evening import given, key
from guinote_client import AuthenticatedClient
from guinote_client.api.encuentros import post_encuentro_partidas, post_encuentros
from guinote_client.api.partidas import get_encuentro_partida, post_encuentro_partida_acts
from guinote_client.models import Acts, EncuentroIn

FIRST = 1
MOST = 100


def play(client: AuthenticatedClient, opening: Any, acts: list[Any]) -> tuple[str, dict[str, int]]:
    """An encuentro, its first partida, every act of it; who won, and the totals."""
    body = EncuentroIn.from_dict(opening)
    opened = given(post_encuentros.sync(client=client, body=body, idempotency_key=key()))
    given(
        post_encuentro_partidas.sync(
            opened.id, client=client, idempotency_key=key(), if_match=f'"{opened.version}"'
        )
    )
    version = 0
    for first in range(0, len(acts), MOST):
        recorded = given(
            post_encuentro_partida_acts.sync(
                opened.id,
                FIRST,
                client=client,
                body=Acts.from_dict({"acts": acts[first : first + MOST]}),
                idempotency_key=key(),
                if_match=f'"{version}"',
            )
        )
        version = recorded.version
    view = given(
        get_encuentro_partida.sync(opened.id, FIRST, client=client, wait=recorded.position)
    )
    assert view.decided is not None
    return view.decided.winner, view.totals.to_dict()


if __name__ == "__main__":
    address, token = sys.argv[1:]
    given_record = json.load(sys.stdin)
    with AuthenticatedClient(base_url=address, token=token) as session:
        winner, totals = play(session, given_record["opening"], given_record["acts"])
        print(winner, json.dumps(totals, sort_keys=True))
