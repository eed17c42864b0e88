"""The verifier as one HTML file: ``PYTHONPATH=. python docs/verifier/build.py`` writes it.

The modules are joined, each in a function of its own. The texts come from the language files of the
service. The policy of the page allows this one script and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import typing
from pathlib import Path

from api.http.languages import LANGUAGES, texts
from referee import events
from referee.log.mapper import every_name

HERE = Path(__file__).resolve().parent
VENDOR = HERE / "vendor"
TARGET = HERE.parents[1] / "api" / "audit" / "verificador.html"
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


def bundle(entry: Path) -> str:
    """One script of a module and all that it imports."""
    order: dict[Path, str] = {}

    def add(module: Path) -> None:
        if module in order:
            return
        source = module.read_text("utf-8")
        if VENDOR in module.parents:
            source = _COMMENTS.sub("", source)  # examples in comments contain imports
        for _, name in _IMPORT.findall(source):
            add(resolved(module, name))
        order[module] = wrapped(module, source)

    add(entry)
    return '"use strict";\nconst modules = {};\n' + "".join(order.values())


def resolved(module: Path, name: str) -> Path:
    """File that an import of a module names."""
    if name == NOBLE_CRYPTO:
        return module.parent / "crypto.js"
    return (module.parent / name).resolve()


def wrapped(module: Path, source: str) -> str:
    """A module as a function that is called at once and returns its exports."""
    exported = {name: name for _, name in _DECLARED.findall(source)}
    for listed in _LISTED.findall(source):
        for one in filter(None, map(str.strip, listed.split(","))):
            inner, _, outer = one.partition(" as ")
            exported[outer or inner] = inner

    def imported(match: re.Match[str]) -> str:
        names = match[1].removeprefix("* as ").replace(" as ", ": ")
        return f"const {names} = modules[{json.dumps(key(resolved(module, match[2])))}];"

    body = _DECLARED.sub(r"\1", _DEFAULT.sub("", _LISTED.sub("", source)))
    body = _IMPORT.sub(imported, body)
    returned = ", ".join(f"{outer}: {inner}" for outer, inner in sorted(exported.items()))
    target = f"modules[{json.dumps(key(module))}]"
    return f"{target} = (() => {{\n{body}\nreturn {{ {returned} }};\n}})();\n"


def key(module: Path) -> str:
    """Name of a module in the script."""
    return module.relative_to(HERE.parents[1]).as_posix()


def texts_json() -> str:
    """Texts of every language, and the text of every stored name, as JSON for a page."""
    by_language = {
        lang: {key: text for key, text in sorted(texts(lang).items()) if KEYS.match(key)}
        for lang in LANGUAGES
    }
    described = {
        name: f"{'act' if issubclass(kind, events.Act) else 'conclusion'}.{tag(kind)}"
        for name, kind in sorted(every_name().items())
    }
    found = json.dumps(
        {"texts": by_language, "events": described}, ensure_ascii=False, separators=(",", ":")
    )
    return found.replace("<", "\\u003c")


def tag(kind: typing.Any) -> str:
    """Kind of an event as the language files name it."""
    return str(kind.__struct_config__.tag)


def hashed(text: str) -> str:
    """Hash of an inline script or style, as a policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def built() -> str:
    """The whole page."""
    style = "\n" + (HERE / "style.css").read_text("utf-8")
    script = "\n" + bundle(HERE / "page.js")
    assert "</script" not in script
    parts = {
        "policy": POLICY.format(script=hashed(script), style=hashed(style)),
        "style": style,
        "script": script,
        "texts": texts_json(),
    }
    page = (HERE / "page.html").read_text("utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], page)


if __name__ == "__main__":
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(built(), "utf-8")
    print(f"{TARGET.name}: {TARGET.stat().st_size:,} bytes")
