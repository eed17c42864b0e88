"""Addresses of the house begin with its prefix wherever they are written, so that it can be below any path."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from api.http.access.prefix import prefix
from api.server.clubs.folder import OF_THE_LOBBY
from tests.api.http.test_access_matrix import routes
from tests.support.places import ROOT

API = ROOT / "api"
NO_ADDRESSES = (
    "api/server/",
    "api/cli/",
    "api/monitoring/",
    "api/document/",
    "api/audit/verifier/vendor/",
)
ASKING = {"startswith", "endswith", "match", "fullmatch", "add_url_rule", "lobby_address"}
"""Functions that are given a path of the house as it is: they compare it, or put the prefix before it."""
PATHS = {
    "api/http/rest.py:/api",  # of a route
    "api/tournaments/views.py:/api/v1/tournaments/",  # in a view, which is hashed as it is
    'api/audit/verifier/page.js:/verificador"',  # looked for at the end of the page's own
    'api/html/static/html/prefix.js:/static/"',  # the prefix stands before it
}
"""What begins alike and is no address."""
EXPRESSION = re.compile(r"\{[{%].*?[}%]\}", re.DOTALL)


@cache
def beginning() -> re.Pattern[str]:
    """How an address of the house begins, after a quotation mark."""
    first = {route.rule.split("/")[1] for route in routes()} - {""} | OF_THE_LOBBY | {"static"}
    return re.compile(rf"/(?:{'|'.join(map(re.escape, sorted(first)))})(?=[/?#\"'`{{$]|$)")


def files(ending: str) -> list[Path]:
    """Files of the outside that may have addresses."""
    every = sorted(API.rglob(f"*{ending}"))
    return [one for one in every if not str(one.relative_to(ROOT)).startswith(NO_ADDRESSES)]


def bare_in(file: Path, found: Iterable[str]) -> list[str]:
    return [one for text in found if (one := f"{file.relative_to(ROOT)}:{text}") not in PATHS]


def test_an_address_in_a_template_begins_with_the_prefix() -> None:
    attribute = re.compile(
        r"\s(?:href|src|action|formaction|poster|data-[a-z-]+|content)=[\"']/.{0,30}"
    )
    bare = []
    for file in files(".html"):
        text = file.read_text("utf-8")
        bare += bare_in(file, attribute.findall(text))
        for expression in EXPRESSION.findall(text):
            begun = re.finditer(r"(?<!~ )(?<!here\()[\"'](?=/)", expression)
            bare += bare_in(
                file, (expression for one in begun if beginning().match(expression, one.end()))
            )
    assert bare == [], 'write href="{{ prefix }}/…", or prefix ~ "/…"'


def test_an_address_in_a_module_begins_with_the_prefix() -> None:
    bare = []
    for file in files(".js"):
        begun = re.findall(r"(?<=[\"'`])/[\w/-]*[\"'`?#$]", file.read_text("utf-8"))
        bare += bare_in(file, filter(beginning().match, begun))
    assert bare == [], "import prefix of html/prefix.js, and write `${prefix}/…`"


def test_an_address_in_python_begins_with_the_prefix() -> None:
    bare = []
    for file in files(".py"):
        bare += bare_in(file, bare_strings(ast.parse(file.read_text("utf-8"))))
    assert bare == [], f'write f"{{{prefix.__name__}()}}/…", or url_for'


def bare_strings(tree: ast.AST) -> Iterator[str]:
    """Strings within functions that begin as an address, but for those that are compared."""
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        text = beginning_of(node)
        if text and beginning().match(text) and not is_part(above[node]) and is_made(node, above):
            yield text


def beginning_of(node: ast.AST) -> str:
    if isinstance(node, ast.JoinedStr):
        first = node.values[0] if node.values else None
        return beginning_of(first) if isinstance(first, ast.Constant) else ""
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return node.value if is_text and len(node.value) > 1 else ""


def is_part(node: ast.AST) -> bool:
    """Whether a string in this place is the rest of an address, or asked for in one."""
    if isinstance(node, ast.Call):
        name = (
            node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        )
        return name in ASKING
    return isinstance(node, ast.JoinedStr | ast.Compare)


def is_made(node: ast.AST, above: dict[ast.AST, ast.AST]) -> bool:
    """Whether a function makes it: a route or a constant has no prefix."""
    while node in above:
        child, node = node, above[node]
        if isinstance(node, ast.FunctionDef):
            return child in node.body
        if isinstance(node, ast.Lambda):
            return True
    return False


def test_every_cookie_is_of_the_house_alone() -> None:
    wrong = []
    for file in files(".py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            is_cookie = node.func.attr in ("set_cookie", "delete_cookie")
            if is_cookie and "path" not in {one.arg for one in node.keywords}:
                wrong.append(f"{file.relative_to(ROOT)}:{node.lineno}")
    assert wrong == [], "path=cookie_path()"
