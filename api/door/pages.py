"""Pages of the players' door."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
from flask import Blueprint, Response, render_template
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup
from msgspec.structs import asdict

from api.audit.bundle import content_security_policy, verifier_html_with_proof
from api.audit.rest import has_final_result
from api.cases import views as case_views
from api.door.card import partida_result_png
from api.encuentros import views
from api.encuentros.views import table_names_of_encuentro
from api.html import assets, qr_codes
from api.html.addresses import encuentro_door_for_others, origin_for_others
from api.http.access import guard, records
from api.http.access.prefix import prefix
from api.http.folders import static_file_path
from api.http.languages import language, players_phrase_of_side, say, use_card_pack
from api.http.services import await_position_in_request, current_services
from api.http.table_names import use_table_names
from api.replay.file import bundle_three_scripts, hash_for_policy, replay_html, style_sheet
from api.replay.replays import (
    ReplayData,
    ReplayRequest,
    is_partida_decided,
    replay_of,
    replay_source_of_partida,
    table_names_of_replay,
)
from referee.aggregates.encuentro import UNDECIDED, Encuentro
from referee.analysis.engine import wasm_base64
from referee.audit.proofs import NotSigned
from referee.errors import NotFound
from referee.events import options_from
from referee.rules.seats import SIDES

_MARK: Final = "[[part:{}]]"


class Films(NamedTuple):
    """The replays as inline scripts of a page, and the sources that its policy has to allow."""

    html: Markup
    allowed: Mapping[str, str]


def films_of_replays(replays: Sequence[ReplayData]) -> Films:
    """HTML with replays as data, what they share in it once, and the policy for its scripts."""
    parts = _part_of_share_mark()
    films = [
        _data_script(f"film-{one.partida}", _replace_shared_parts(parts, replay_html(one)))
        for one in replays
    ]
    opener = _opener_script_text()
    script = Markup('<script type="module">') + Markup(opener) + Markup("</script>")  # noqa: S704 - our own
    html = Markup("\n").join([_data_script("film-parts", parts), *films, script])
    first, others, _ = bundle_three_scripts()
    hashes = " ".join(hash_for_policy(text) for text in (first, others, opener))
    return Films(
        html,
        {
            "script-src": f"'wasm-unsafe-eval' {hashes}",
            "style-src": hash_for_policy(style_sheet()),
            "worker-src": "blob:",
        },
    )


@cache
def _part_of_share_mark() -> dict[str, str]:
    """Scripts, style and engine of the replay by their marks."""
    first, others, worker = bundle_three_scripts()
    texts = {
        "module": first,
        "script": others,
        "worker": worker,
        "style": style_sheet(),
        "engine": wasm_base64(),
    }
    return {_MARK.format(name): text for name, text in texts.items()}


def _replace_shared_parts(parts: Mapping[str, str], text: str) -> str:
    """The text of a replay file with a mark in the place of each shared part."""
    for mark, part in parts.items():
        text = text.replace(part, mark)
    return text


def _data_script(name: str, value: object) -> Markup:
    """A value as an inline script that holds data."""
    return Markup('<script type="application/json" id="{}">{}</script>').format(
        name, htmlsafe_json_dumps(msgspec.to_builtins(value))
    )


@cache
def _opener_script_text() -> str:
    """Text of the script that opens a replay."""
    return static_file_path("door/films.js").read_text("utf-8")


def has_decision(encuentro_id: UUID) -> bool:
    """Whether an encuentro or a partida of it is decided, so that its page can tell something."""
    try:
        state = current_services().referee.encuentros.encuentro(encuentro_id)
    except NotFound:
        return False
    return state.win is not None or bool(_numbers_of_decided_partidas(state))


def _numbers_of_decided_partidas(state: Encuentro) -> list[int]:
    """Numbers of the decided partidas."""
    return [one.partida for one in state.partidas if one.how != UNDECIDED]


class Door(NamedTuple):
    """The players' page of an encuentro as HTML, and the content security policy that it needs."""

    html: str
    policy: str


def render_door_page(encuentro_id: UUID, *, is_saved: bool = False) -> Door:
    """HTML of the players' page of an encuentro in the language of the reader, and its policy.

    ``is_saved``: as a file of their own, with the replays inside.

    :raises NotFound: there is no such encuentro
    """
    view, lang = views.official_encuentro_view(encuentro_id), language()
    won = view.decided
    root = f"{origin_for_others() if is_saved else ''}{prefix()}"
    is_official = has_final_result(encuentro_id)
    proof = _proof_text_of_encuentro(encuentro_id) if is_official else ""
    numbers = _numbers_of_decided_partidas(
        current_services().referee.encuentros.encuentro(encuentro_id)
    )
    films = _replays_for_file(encuentro_id, numbers) if is_saved else Films(Markup(), {})
    seated = table_names_of_encuentro(current_services(), encuentro_id)
    with use_card_pack(options_from(view.profile.options).pack), use_table_names(seated):
        names = {
            "versus": [players_phrase_of_side(side, lang).text for side in SIDES[view.players]],
            "won": say("conclusion.encuentro_won", lang, **asdict(won)) if won else "",
        }
        head = "" if is_saved else _head_html(encuentro_id, numbers, names)
        told = render_template(
            "door/door.html",
            view=view,
            root=root,
            is_saved=is_saved,
            partidas=[_partida_html(encuentro_id, n, root, is_saved=is_saved) for n in numbers],
            films=films.html,
            ruled=[one for one in case_views.cases_of_encuentro(encuentro_id).items if one.ruled],
            is_over=is_official,
            has_proof=bool(proof),
            **names,
        )
    return Door(
        verifier_html_with_proof(told, proof, lang, head, films.allowed),
        content_security_policy(films.allowed),
    )


def _head_html(
    encuentro_id: UUID, numbers: Sequence[int], names: Mapping[str, Sequence[str]]
) -> str:
    """Tags in the head of the page by which a messenger shows the result card with its address."""
    last = numbers[-1] if numbers else 0
    return render_template("door/head.html", encuentro=encuentro_id, last=last, **names)


def _replays_for_file(encuentro_id: UUID, numbers: Sequence[int]) -> Films:
    """Replays for the saved file, with what everybody may see, since a file is passed on."""
    sources = (replay_source_of_partida(encuentro_id, n, for_all=True) for n in numbers)
    return films_of_replays([replay_of(one, ReplayRequest()) for one in sources])


def _partida_html(encuentro_id: UUID, n: int, root: str, *, is_saved: bool) -> str:
    """HTML about one partida: who won, what was against the rules, what was ruled."""
    replay = replay_of(replay_source_of_partida(encuentro_id, n), ReplayRequest())
    broken = [one for one in replay.verdicts if one.verdict == "unlawful"]
    with use_table_names(table_names_of_replay(replay)):
        return render_template(
            "door/partida.html", replay=replay, broken=broken, root=root, is_saved=is_saved
        )


def _proof_text_of_encuentro(encuentro_id: UUID) -> str:
    """Text of the proof file of an encuentro; empty before anything of it is signed."""
    try:
        return msgspec.json.encode(
            current_services().auditor.prove_encuentro(encuentro_id)
        ).decode()
    except NotSigned:
        return ""


blp = Blueprint("door", __name__)
_PLACE = "/encuentro/<uuid:encuentro_id>"


@blp.get(_PLACE)
@guard.requires("read")
@records.open_record_when(has_decision)
def show_door(encuentro_id: UUID) -> Response:
    """What became of an encuentro, why, and its proof, checked by the page itself"""
    await_position_in_request()
    made = _door_response(render_door_page(encuentro_id))
    records.keep_code_in_cookie(made, encuentro_id)
    return made


@blp.get(f"{_PLACE}/fichero")
@guard.requires("read")
@records.open_record_when(has_decision)
def download_door_page(encuentro_id: UUID) -> Response:
    """The page of an encuentro as one file, to be kept"""
    made = _door_response(render_door_page(encuentro_id, is_saved=True))
    name = f"encuentro-{str(encuentro_id)[:8]}.html"
    made.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return made


@blp.get(f"{_PLACE}/tarjeta/<int(min=1,max=9999):n>.png")
@guard.requires("read")
@guard.open_when(is_partida_decided)
def show_partida_result_png(encuentro_id: UUID, n: int) -> Response:
    """Who won a partida and how, as a picture to be shared"""
    await_position_in_request()
    made = Response(partida_result_png(encuentro_id, n), content_type="image/png")
    made.headers["Cache-Control"] = "private, max-age=300"
    return made


@blp.get(f"{_PLACE}/qr.svg")
@guard.requires("read")
@records.open_record_when(has_decision)
def show_address_qr(encuentro_id: UUID) -> Response:
    """QR code with the address of the page of an encuentro"""
    return qr_codes.qr_response(encuentro_door_for_others(encuentro_id))


def _door_response(shown: Door) -> Response:
    """Response with the page, which allows its own scripts and nothing else."""
    made = Response(shown.html, content_type="text/html; charset=utf-8")
    made.headers["Content-Security-Policy"] = shown.policy
    made.headers["Cache-Control"] = "no-store"
    return assets.compress_if_accepted(made)
