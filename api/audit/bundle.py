"""The verifier as one HTML file, put together when it is asked for: the same bytes each time.

The modules are joined, each in a function of its own. The texts come from the language files of the
service. The policy of the page allows this one script and nothing else.
``python -m api.audit.bundle`` prints the page.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from api.http.languages import LANGUAGES, texts_of_language
from referee import events
from referee.log.mapper import event_classes_by_name

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "api" / "audit" / "verifier"
VENDOR = SOURCES / "vendor"
POLICY = (
    "default-src 'none'; script-src '{script}'; style-src '{style}'; "
    "base-uri 'none'; form-action 'none'"
)
KEYS = re.compile(
    r"^(verifier|one_principal|grammar|act|conclusion|how|incident|suit|rank|card|where|language)\."
    r"|^page\.(encuentro|partida)$|^bar\.home$|^help\.here$"
)
NOBLE_CRYPTO = "@noble/hashes/crypto"
_IMPORT = re.compile(r'^import (\{[^}]*\}|\* as \w+) from ["\']([^"\']+)["\'];$', re.MULTILINE)
_DECLARED = re.compile(
    r"^export ((?:async )?(?:function\*? |class |const |let )(\w+))", re.MULTILINE
)
_LISTED = re.compile(r"^export \{([^}]*)\};$", re.MULTILINE)
_DEFAULT = re.compile(r"^export default .*$", re.MULTILINE)
_COMMENTS = re.compile(
    r"/\*(?!!).*?\*/\n?|^//# sourceMappingURL=[^\n]*\n?", re.MULTILINE | re.DOTALL
)


@cache
def verifier_html() -> str:
    """The page of the verifier as HTML, in one file."""
    return _fill_verifier_template(
        lang=LANGUAGES[0], kind="", level="1", head="", told="", proof=""
    )


def verifier_html_with_proof(
    told: str,
    proof: str,
    lang: str,
    head: str = "",
    allowed: Mapping[str, str] | None = None,
) -> str:
    """The page with a proof file inside, which it checks by itself, below what is told of it.

    :param told: HTML; ``head``: what else stands in the head of the page
    :param proof: the file as JSON; empty if there is none to check yet
    :param allowed: sources by directive that the policy allows besides those of the page
    """
    kind = "brought" if proof else "unproved"
    inside = proof.replace("<", "\\u003c")
    return _fill_verifier_template(
        lang=lang,
        kind=f' class="{kind}"',
        level="2",
        head=head,
        told=told,
        proof=inside,
        policy=_policy_with_sources(allowed or {}),
    )


def _fill_verifier_template(**values: str) -> str:
    """The template of the verifier's page, filled with these values and the fixed parts."""
    parts = {**_page_parts(), **values}
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], parts["page"])


def content_security_policy(allowed: Mapping[str, str] | None = None) -> str:
    """The content security policy of the verifier's page for a header; the page states it too.

    ``allowed``: sources by directive that it allows besides those of the page.
    """
    return f"{_policy_with_sources(allowed or {})}; frame-ancestors 'none'"


def _policy_with_sources(allowed: Mapping[str, str]) -> str:
    """The content security policy of the page, with more sources allowed."""
    directives = dict(one.split(" ", 1) for one in _page_parts()["policy"].split("; "))
    for name, sources in allowed.items():
        directives[name] = f"{directives.get(name, '')} {sources}".strip()
    return "; ".join(f"{name} {sources}" for name, sources in directives.items())


@cache
def _page_parts() -> dict[str, str]:
    """The template, and its script, style, texts and policy."""
    style = "\n" + (SOURCES / "style.css").read_text("utf-8")
    script = "\n" + bundle_modules(SOURCES / "page.js")
    assert "</script" not in script
    return {
        "page": (SOURCES / "page.html").read_text("utf-8"),
        "policy": POLICY.format(script=hash_for_policy(script), style=hash_for_policy(style)),
        "style": style,
        "script": script,
        "texts": texts_and_event_keys_json(),
    }


def bundle_modules(entry: Path) -> str:
    """One script made of a JavaScript module and all that it imports."""
    order: dict[Path, str] = {}

    def add(module: Path) -> None:
        if module in order:
            return
        source = module.read_text("utf-8")
        if VENDOR in module.parents:
            source = _COMMENTS.sub("", source)  # examples in comments contain imports
        for _, name in _IMPORT.findall(source):
            add(path_of_import(module, name))
        order[module] = wrap_module(module, source)

    add(entry)
    return '"use strict";\nconst modules = {};\n' + "".join(order.values())


def path_of_import(module: Path, name: str) -> Path:
    """Path of the file that an import in a JavaScript module names."""
    if name == NOBLE_CRYPTO:
        return module.parent / "crypto.js"
    return (module.parent / name).resolve()


def wrap_module(module: Path, source: str) -> str:
    """A module as a function that is called at once and returns its exports."""
    exports = {name: name for _, name in _DECLARED.findall(source)}
    for names in _LISTED.findall(source):
        for one in filter(None, map(str.strip, names.split(","))):
            inner, _, outer = one.partition(" as ")
            exports[outer or inner] = inner

    def import_as_constant(match: re.Match[str]) -> str:
        names = match[1].removeprefix("* as ").replace(" as ", ": ")
        return (
            f"const {names} = modules[{json.dumps(module_key(path_of_import(module, match[2])))}];"
        )

    body = _DECLARED.sub(r"\1", _DEFAULT.sub("", _LISTED.sub("", source)))
    body = _IMPORT.sub(import_as_constant, body)
    answer = ", ".join(f"{outer}: {inner}" for outer, inner in sorted(exports.items()))
    target = f"modules[{json.dumps(module_key(module))}]"
    return f"{target} = (() => {{\n{body}\nreturn {{ {answer} }};\n}})();\n"


def module_key(module: Path) -> str:
    """Name of a JavaScript module in the script."""
    return module.relative_to(ROOT).as_posix()


def texts_and_event_keys_json() -> str:
    """Texts of every language, and the key of the text of every event name, as JSON for a page."""
    by_language = {
        lang: {
            key: text for key, text in sorted(texts_of_language(lang).items()) if KEYS.match(key)
        }
        for lang in LANGUAGES
    }
    descriptions = {
        name: f"{'act' if issubclass(kind, events.Act) else 'conclusion'}.{event_kind_tag(kind)}"
        for name, kind in sorted(event_classes_by_name().items())
    }
    data = {"texts": by_language, "events": descriptions}
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def event_kind_tag(kind: type[events.Fact]) -> str:
    """Kind of an event as the language files name it."""
    return str(kind.__struct_config__.tag)


def hash_for_policy(text: str) -> str:
    """Hash of an inline script or style, as a policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


if __name__ == "__main__":
    sys.stdout.write(verifier_html())
