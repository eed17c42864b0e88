"""The replay as one self-contained file, which needs no network.

The modules of the page are the source: each becomes a function of one classic script, in the order
of their imports, since a local file cannot import modules. The module of the engine is a script
of its own: a Worker is made of its text and that of the worker's module, which the page only holds.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from functools import cache, partial
from pathlib import PurePosixPath

import msgspec
from jinja2 import Environment, FileSystemLoader, Template, pass_context
from jinja2.runtime import Context
from jinja2.utils import htmlsafe_json_dumps

from api.html.assets import card_symbols, without_comments
from api.http.folders import MissingValue, static_file_path, template_folders
from api.http.languages import (
    current_card_pack,
    template_functions,
    texts_of_families,
    texts_of_language,
    use_card_pack,
)
from api.http.moments import day_words
from api.http.table_names import use_table_names
from api.profiles.own.views import article_citation, profile_name
from api.replay.replays import ReplayData, table_names_of_replay
from referee.analysis.engine import wasm_base64
from referee.rules.profile.profile import PROFILE_IDS

_WORDS = ("replay", "analysis", "grammar", "card", "suit", "rank", "basis", "authority", "rulebook")
_NAMES_OF_ACTS = ("called.card", "called.gone", "act.card", "act.cante", "slip.lead")
_MAIN = PurePosixPath("replay/main.js")
_ENGINE = PurePosixPath("replay/engine.js")
_WORKER = PurePosixPath("replay/analysis_worker.js")
_SHEETS = ("html/guinote.css", "replay/replay.css")
_IMPORT = re.compile(r'^import \{ ([^}]+) \} from "([^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:const|class) (\w+))", re.MULTILINE)
_FONT = re.compile(r"^@font-face .*\n", re.MULTILINE)


def replay_html(replay: ReplayData) -> str:
    """A replay as one self-contained HTML page, in the language of the replay."""
    with use_card_pack(replay.pack), use_table_names(table_names_of_replay(replay)):
        return _render_page(replay, str(replay.lang))


def _render_page(replay: ReplayData, lang: str) -> str:
    data = {"replay": replay, "words": _page_texts(replay, lang)}
    engine = wasm_base64() if replay.arrastres else ""
    compiles = "'wasm-unsafe-eval' " if engine else ""
    works = "worker-src blob:; " if engine else ""
    first, others, worker = bundle_three_scripts()
    return _file_template().render(
        replay=replay,
        lang=lang,
        data={name: _json(value) for name, value in data.items()},
        **template_functions(lang),
        rules_name=partial(profile_name, lang=lang),
        citation=partial(article_citation, lang=lang),
        drawings=card_symbols_of_replay(replay),
        engine_module=first,
        script=others,
        style=style_sheet(),
        engine=engine,
        worker=worker,
        policy=(
            f"default-src 'none'; script-src {compiles}{hash_for_policy(first)} "
            f"{hash_for_policy(others)}; {works}style-src "
            f"{hash_for_policy(style_sheet())}; base-uri 'none'; form-action 'none'"
        ),
    )


def _page_texts(replay: ReplayData, lang: str) -> dict[str, str]:
    """Texts that the page needs, without rulebooks that the replay does not cite."""
    inside = _json(replay)
    left_out = {f"rulebook.{one}" for one in PROFILE_IDS if f'"profile": "{one}"' not in inside}
    return {key: text for key, text in replay_texts(replay, lang).items() if key not in left_out}


def _json(value: object) -> str:
    return htmlsafe_json_dumps(msgspec.to_builtins(value))


def replay_texts(replay: ReplayData, lang: str) -> dict[str, str]:
    """Texts that the page of a replay needs, and the name of its rules if the club made them."""
    own, acts = replay.own_profile, texts_of_families(lang, "called", "act", "slip")
    named = {} if own in PROFILE_IDS else {f"rulebook.{own}": profile_name(own, lang=lang)}
    found = {key: acts[key] for key in _NAMES_OF_ACTS}
    return {**texts_of_families(lang, *_WORDS), **found, **named}


def hash_for_policy(text: str) -> str:
    """The hash of a script or a style for a content security policy."""
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


@cache
def bundle_three_scripts() -> tuple[str, str, str]:
    """The three scripts of the page: the engine, the other modules, and the Worker.

    The second and the third run after the first.
    """
    order = [_ENGINE]
    _add_in_order(_MAIN, order)
    names = {path: f"m{index}" for index, path in enumerate([*order, _WORKER])}
    first, *others = (_wrap_module(path, names) for path in order)
    strict = '"use strict";\n'
    return strict + first, strict + "".join(others), _wrap_module(_WORKER, names)


@cache
def style_sheet() -> str:
    """The style sheets of the page as one text, without the font."""
    sheets = (without_comments(_source_text(PurePosixPath(name))) for name in _SHEETS)
    return _FONT.sub("", "".join(sheets))


def _add_in_order(path: PurePosixPath, order: list[PurePosixPath]) -> None:
    """Add a JavaScript module to the order, after the modules that it imports."""
    for _, needed in _IMPORT.findall(_source_text(path)):
        other = _path_of_import(path, needed)
        if other not in order:
            _add_in_order(other, order)
    order.append(path)


def _wrap_module(path: PurePosixPath, names: Mapping[PurePosixPath, str]) -> str:
    """Source text of a JavaScript module as a function that returns its exports."""

    def destructure(found: re.Match[str]) -> str:
        variables = found[1].replace(" as ", ": ")
        return f"const {{ {variables} }} = {names[_path_of_import(path, found[2])]};\n"

    source = _source_text(path)
    exported = ", ".join(name for _, name in _EXPORT.findall(source))
    body = without_comments(_EXPORT.sub(r"\1", _IMPORT.sub(destructure, source)))
    assert not re.search(r"^(import|export)\b", body, re.MULTILINE), path
    assert "</script" not in body, path
    return f"const {names[path]} = (() => {{\n{body}return {{ {exported} }};\n}})();\n"


def _path_of_import(path: PurePosixPath, needed: str) -> PurePosixPath:
    parts: list[str] = []
    for part in (path.parent / needed).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return PurePosixPath(*parts)


@cache
def _source_text(path: PurePosixPath) -> str:
    return static_file_path(str(path)).read_text("utf-8")


def card_symbols_of_replay(replay: ReplayData) -> str:
    """SVG symbols of the cards, suits and back of a replay, as one text, in the pack in use."""
    return card_symbols({card for deal in replay.deals for card in deal.cards}, current_card_pack())


@cache
def _file_template() -> Template:
    made = Environment(
        loader=FileSystemLoader(template_folders()),
        undefined=MissingValue,
        autoescape=True,
        keep_trailing_newline=True,
    )
    made.filters["day"] = _day_words
    return made.get_template("replay/replay_file.html")


@pass_context
def _day_words(context: Context, day: str) -> str:
    """A day in words of the file's language."""
    return day_words(day, texts_of_language(context["lang"]))
