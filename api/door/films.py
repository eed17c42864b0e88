"""The replays of an encuentro inside the saved door: shown card by card without this server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

import msgspec
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from api.http.folders import static_file
from api.replay.file import bundle_scripts, file_of, hash_of, style
from api.replay.replays import ReplayData
from referee.analysis.engine import module_text

_MARK: Final = "[[part:{}]]"


class Films(NamedTuple):
    """The replays as inline scripts of a page, and the sources that its policy has to allow."""

    html: Markup
    allowed: Mapping[str, str]


def films_of(replays: Sequence[ReplayData]) -> Films:
    """Replays as data of a page; what their files share is in it once."""
    parts = _parts_of_all()
    films = [_as_data(f"film-{one.partida}", _without(parts, file_of(one))) for one in replays]
    opener = _opener()
    script = Markup('<script type="module">') + Markup(opener) + Markup("</script>")  # noqa: S704 - our own
    html = Markup("\n").join([_as_data("film-parts", parts), *films, script])
    first, others, _ = bundle_scripts()
    hashes = " ".join(hash_of(text) for text in (first, others, opener))
    return Films(
        html,
        {
            "script-src": f"'wasm-unsafe-eval' {hashes}",
            "style-src": hash_of(style()),
            "worker-src": "blob:",
        },
    )


@cache
def _parts_of_all() -> dict[str, str]:
    """Scripts, style and engine of the replay by their marks."""
    first, others, worker = bundle_scripts()
    texts = {
        "module": first,
        "script": others,
        "worker": worker,
        "style": style(),
        "engine": module_text(),
    }
    return {_MARK.format(name): text for name, text in texts.items()}


def _without(parts: Mapping[str, str], text: str) -> str:
    """A page with marks in the places of its shared parts."""
    for mark, part in parts.items():
        text = text.replace(part, mark)
    return text


def _as_data(name: str, value: object) -> Markup:
    """A value as an inline script that holds data."""
    return Markup('<script type="application/json" id="{}">{}</script>').format(
        name, htmlsafe_json_dumps(msgspec.to_builtins(value))
    )


@cache
def _opener() -> str:
    """The script that opens a replay."""
    return static_file("door/films.js").read_text("utf-8")
