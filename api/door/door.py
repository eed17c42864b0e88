"""The door of an encuentro: a page that says what was decided and why, and checks the proof.

It is the verifier with the proof inside, so it works as well when it is saved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

import msgspec
from flask import render_template
from markupsafe import Markup
from msgspec.structs import asdict

from api.audit.bundle import page_with_proof, policy
from api.audit.rest import is_over
from api.cases import views as case_views
from api.door.films import Films, films_of
from api.encuentros import views
from api.encuentros.views import table_names
from api.html.addresses import origin_for_others
from api.http.access.prefix import prefix
from api.http.languages import language, say, side_phrase, speaking_of
from api.http.services import current_services
from api.http.table_names import at_table
from api.replay.replays import ReplayRequest, replay_of, source_of, table_of
from referee.aggregates.encuentro import UNDECIDED, Encuentro
from referee.audit.proofs import NotSigned
from referee.errors import NotFound
from referee.events import options_from
from referee.rules.seats import SIDES


def has_decision(encuentro_id: UUID) -> bool:
    """Whether there is something to tell: the encuentro is decided, or a partida of it is."""
    try:
        state = current_services().referee.encuentros.encuentro(encuentro_id)
    except NotFound:
        return False
    return state.won is not None or bool(_numbers_of_decided(state))


def _numbers_of_decided(state: Encuentro) -> list[int]:
    """Numbers of the decided partidas."""
    return [one.partida for one in state.partidas if one.how != UNDECIDED]


class Door(NamedTuple):
    """The page, and the policy that it needs."""

    html: str
    policy: str


def door_of(encuentro_id: UUID, *, is_saved: bool = False) -> Door:
    """The door of an encuentro in the language of the reader.

    ``is_saved``: as a file of their own, with the replays inside.

    :raises NotFound: there is no such encuentro
    """
    view, lang = views.encuentro(encuentro_id), language()
    won = view.decided
    root = f"{origin_for_others() if is_saved else ''}{prefix()}"
    is_official = is_over(encuentro_id)
    proof = _proof_of(encuentro_id) if is_official else ""
    numbers = _numbers_of_decided(current_services().referee.encuentros.encuentro(encuentro_id))
    films = _films(encuentro_id, numbers) if is_saved else Films(Markup(), {})
    seated = table_names(current_services(), encuentro_id)
    with speaking_of(options_from(view.profile.options).pack), at_table(seated):
        names = {
            "versus": [side_phrase(side, lang).text for side in SIDES[view.players]],
            "won": say("conclusion.encuentro_won", lang, **asdict(won)) if won else "",
        }
        head = "" if is_saved else _head(encuentro_id, numbers, names)
        told = render_template(
            "door/door.html",
            view=view,
            root=root,
            is_saved=is_saved,
            partidas=[_partida(encuentro_id, n, root, is_saved=is_saved) for n in numbers],
            films=films.html,
            ruled=[one for one in case_views.cases(encuentro_id).items if one.ruled],
            is_over=is_official,
            has_proof=bool(proof),
            **names,
        )
    return Door(page_with_proof(told, proof, lang, head, films.allowed), policy(films.allowed))


def _head(encuentro_id: UUID, numbers: Sequence[int], names: Mapping[str, Sequence[str]]) -> str:
    """What the page is where its address is sent: the card of the latest partida."""
    last = numbers[-1] if numbers else 0
    return render_template("door/head.html", encuentro=encuentro_id, last=last, **names)


def _films(encuentro_id: UUID, numbers: Sequence[int]) -> Films:
    """The replays as everybody may see them: a file goes from hand to hand."""
    sources = (source_of(encuentro_id, n, for_all=True) for n in numbers)
    return films_of([replay_of(one, ReplayRequest()) for one in sources])


def _partida(encuentro_id: UUID, n: int, root: str, *, is_saved: bool) -> str:
    """A partida as the page tells it: who won, what was against the rules, what was ruled."""
    replay = replay_of(source_of(encuentro_id, n), ReplayRequest())
    broken = [one for one in replay.verdicts if one.verdict == "unlawful"]
    with at_table(table_of(replay)):
        return render_template(
            "door/partida.html", replay=replay, broken=broken, root=root, is_saved=is_saved
        )


def _proof_of(encuentro_id: UUID) -> str:
    """The proof file of an encuentro; empty before anything of it is signed."""
    try:
        return msgspec.json.encode(current_services().auditor.proof(encuentro_id)).decode()
    except NotSigned:
        return ""
