"""Who may import whom, how long a room may be: read from the syntax trees."""

from __future__ import annotations

import ast
import re
import sys
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("referee", "api", "projections")
SOURCES = (*PACKAGES, "tests", "benchmarks", "docs")
LONGEST_FILE = 300
LONGEST_FUNCTION = 40
SHORT_STATEMENT = 3

LAW = {"referee.rules", "referee.events"}
TABLE = LAW | {"referee.errors", "referee.table", "msgspec"}
DECIDER = TABLE | {"referee.commands"}
FOLDED = {"referee.partida", "referee.encuentro", "referee.case", "referee.access"}
FOLDED |= {"referee.session", "referee.season", "referee.club"}
FOLDED |= {"referee.tournament", "referee.following"}
LOG = DECIDER | FOLDED | {"referee.store", "eventsourcing"}
READ_SIDE = TABLE | FOLDED | {"referee.store", "eventsourcing"}
STORE = {"referee.audit", "referee.durable", "referee.log", "msgspec", "eventsourcing"}
WEB = {"flask", "marshmallow", "flask_smorest", "webargs", "werkzeug"}
HTTP = (
    DECIDER
    | WEB
    | {"api", "projections", "referee.application", "referee.notation"}
    | {"referee.persons", "referee.keys"}
    | FOLDED
    | {"referee.opening", "referee.samples"}
)

# What each room may import, besides the standard library; the longest name that fits counts.
ROOMS: dict[str, set[str]] = {
    "referee/__init__.py": set(),
    "referee/rules": {"referee.rules"},
    "referee/events.py": {"referee.rules", "msgspec"},
    "referee/events": {"referee.rules", "referee.events", "msgspec"},
    "referee/errors.py": {"referee.rules"},
    "referee/commands.py": LAW,
    "referee/opening.py": LAW | {"msgspec"},
    "referee/samples.py": LAW | {"msgspec"},
    "referee/lawful.py": LAW | {"msgspec"},
    "referee/table": TABLE,
    "referee/partida.py": DECIDER,
    "referee/encuentro.py": DECIDER | {"referee.encuentro"},
    "referee/case.py": DECIDER,
    "referee/tournament": LAW | {"referee.tournament", "msgspec"},
    # a commitment is a hash of canonical JSON
    "referee/tournament/lots.py": {"referee.rules", "referee.tournament", "msgspec", "rfc8785"},
    "referee/access.py": DECIDER,
    "referee/following.py": DECIDER | {"referee.encuentro", "referee.tournament"},
    "referee/session.py": DECIDER | {"referee.session"},
    "referee/season.py": DECIDER,
    "referee/club.py": DECIDER,
    "referee/notation": TABLE | {"referee.notation"},
    # a record is checked by asking the decider whether each act is possible
    "referee/notation/check.py": DECIDER | {"referee.notation", "referee.partida"},
    "referee/store.py": TABLE | {"referee.store", "eventsourcing"},
    "referee/verify.py": LOG | {"referee.verify"},
    "referee/audit": {"referee.audit", "cryptography", "msgspec", "rfc8785"},
    "referee/notary.py": {"referee.audit", "referee.log", "msgspec"},
    "referee/audit/proofs.py": {"referee.audit", "referee.log", "msgspec"},
    "referee/audit/walk.py": {"referee.audit", "referee.log"},
    "referee/audit/verifying.py": {"referee.audit", "referee.log", "msgspec"},
    "referee/application.py": LOG | {"referee.application", "referee.log"},
    "referee/durable.py": set(),
    "referee/log.py": {"referee.audit", "msgspec", "eventsourcing"},
    "referee/log_stores.py": {"referee.log", "referee.sqlite", "referee.postgres", "eventsourcing"},
    "referee/sqlite.py": STORE | {"referee.sqlite"},
    "referee/postgres.py": STORE | {"referee.postgres", "referee.sqlite", "psycopg"},
    "referee/keys.py": {"referee.durable", "referee.events", "werkzeug"},
    "referee/persons.py": {"referee.durable", "referee.events", "referee.persons"}
    | {"cryptography"},
    "projections": READ_SIDE | {"projections", "referee.durable", "referee.log"},
    "projections/glicko.py": {"glicko2"},
    "api": HTTP,
    "api/acta_data.py": HTTP | {"referee.audit"},
    "api/actas.py": HTTP | {"markupsafe"},
    "api/tournament_files.py": {"api", "icalendar"},
    "api/qr_codes.py": HTTP | {"segno", "markupsafe"},
    "api/replay_pages.py": HTTP | {"segno"},
    "api/replay_file.py": HTTP | {"jinja2"},
    "api/auditing.py": READ_SIDE
    | {"projections", "referee.application", "referee.audit", "referee.log", "referee.log_stores"}
    | {"referee.notary", "referee.verify"},
    "api/admission.py": {"api", "referee.durable"},
    "api/projecting.py": set(),
    "api/serving.py": {"gunicorn", "eventsourcing"}
    | {"api.live", "api.patience", "api.projecting", "api.spreading", "api.wiring"},
    "api/spreading.py": {"gunicorn", "api.patience"},
    "api/patience.py": set(),
    "api/certificates.py": {"cryptography"},
    "api/backup.py": {"api", "projections", "referee.log"},
}
# A room of several files, each named after the first.
SPLIT = re.compile(
    r"^referee/(application|sqlite|postgres|store|partida|encuentro|case|session|verify|persons)_\w+\.py$"
)
ROOTS = {"api/wiring.py", "projections/__main__.py"}
PURE = (
    *("referee/rules", "referee/events", "referee/errors", "referee/commands", "referee/opening"),
    *("referee/table", "referee/partida", "referee/encuentro", "referee/case", "referee/access"),
    *("referee/session", "referee/season", "referee/club"),
    *("referee/notation", "referee/tournament"),
    *("referee/samples", "referee/lawful"),
)
CHANCE_CLOCK_AND_OUTSIDE = {
    *("random", "secrets", "uuid", "time", "datetime", "os", "sys", "socket", "sqlite3"),
    *("pathlib", "logging", "threading", "asyncio", "subprocess", "tempfile", "urllib", "http"),
}
READS_ITS_DATA = {"referee/rules/profile.py": {"importlib", "tomllib"}}
NO_ROOM_IS_CALLED = {"utils", "util", "helpers", "helper", "common", "manager", "managers", "misc"}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def python(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def shown(paths: list[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("path", [pytest.param(path, id=name_of(path)) for path in paths])


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imported(path: Path) -> tuple[str, ...]:
    """Every name that a file imports, with its module: ``referee.rules.cards.TOKENS``."""
    found: list[str] = []
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{name_of(path)}: a relative import hides where it points"
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return tuple(found)


def is_root(path: Path) -> bool:
    return name_of(path) in ROOTS or bool(re.match(r"^api/cli(_\w+)?\.py$", name_of(path)))


def room(path: Path) -> set[str]:
    """What a file may import: the room with the longest name that it lies in."""
    name = SPLIT.sub(r"referee/\1.py", name_of(path))
    fitting = [one for one in ROOMS if name == one or name.startswith(one + "/")]
    assert fitting, f"{name} has no room: say in ROOMS what it may import"
    main = max(fitting, key=len)
    itself = main.removesuffix(".py").replace("/", ".")
    return ROOMS[main] | ({itself} if name != name_of(path) else set())


def is_within(name: str, allowed: set[str]) -> bool:
    """Whether a name lies in one of these modules, or in a file split off from one."""
    return any(re.match(rf"{re.escape(one)}(_\w+)?(\.|$)", name) for one in allowed)


@shown(python(*PACKAGES))
def test_imports_point_inwards(path: Path) -> None:
    if is_root(path):
        return  # a composition root puts everything together
    allowed = room(path)
    outside = [
        name
        for name in imported(path)
        if name.split(".")[0] not in sys.stdlib_module_names and not is_within(name, allowed)
    ]
    assert not outside


@shown([path for path in python("referee") if name_of(path).startswith(PURE)])
def test_the_inside_knows_no_chance_no_clock_and_no_outside(path: Path) -> None:
    barred = CHANCE_CLOCK_AND_OUTSIDE | {"importlib", "tomllib"}
    barred -= READS_ITS_DATA.get(name_of(path), set())
    assert not [name for name in imported(path) if name.split(".")[0] in barred]
    called = {
        node.func.id
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & {"open", "print", "input", "exec", "eval", "__import__"}


@shown([path for path in python(*PACKAGES) if not is_root(path)])
def test_only_a_process_imports_a_composition_root(path: Path) -> None:
    if name_of(path) == "api/serving.py":
        return  # the server of ``guinote serve`` makes the application in its workers
    roots = {"api.wiring", "api.serving", "api.cli", "projections.__main__"}
    assert not [name for name in imported(path) if is_within(name, roots)]


@shown(python("api", "projections"))
def test_nobody_decides_but_the_application(path: Path) -> None:
    deciders = {"referee.partida", "referee.encuentro", "referee.case"}
    named = {
        alias.asname or alias.name
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom) and node.module == "referee"
        for alias in node.names
        if alias.name in ("partida", "encuentro", "case")
    }
    asked = {
        f"{node.value.id}.{node.attr}"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    assert not {f"{name}.decide" for name in deciders} & set(imported(path))
    assert not {f"{name}.decide" for name in named} & asked


@shown(python("projections"))
def test_the_read_side_hears_no_commands_and_refuses_nothing(path: Path) -> None:
    assert not [n for n in imported(path) if is_within(n, {"referee.commands", "referee.errors"})]


def texts() -> list[Path]:
    kinds = (".py", ".js", ".html", ".css")
    found = [p for folder in SOURCES for p in sorted((ROOT / folder).rglob("*"))]
    return [p for p in [*found, *sorted(ROOT.glob("*.py"))] if p.suffix in kinds and is_ours(p)]


# Put together out of docs/verifier, where each file is measured.
BUILT = {"api/verifier/verificador.html"}


def is_ours(path: Path) -> bool:
    return name_of(path) not in BUILT and not {"vendor", "golden", "logs", "__pycache__"} & set(
        path.parts
    )


@shown(texts())
def test_a_file_is_one_room(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE


def is_dispatch(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function is a table of cases: one ``match``, with two short statements at most."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    rest = [statement for statement in body if not isinstance(statement, ast.Match)]
    return len(body) == len(rest) + 1 and len(rest) <= 2 and all(map(is_short, rest))


def is_short(statement: ast.stmt) -> bool:
    return (statement.end_lineno or statement.lineno) - statement.lineno < SHORT_STATEMENT


def long_functions(path: Path) -> Iterator[str]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not is_dispatch(node):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > LONGEST_FUNCTION:
                yield f"{node.name}: {lines} lines"


@shown([*python(*SOURCES), ROOT / "dev.py"])
def test_a_function_is_one_thought(path: Path) -> None:
    assert not list(long_functions(path))


@shown([*python(*SOURCES), ROOT / "dev.py", ROOT / "gunicorn.conf.py"])
def test_what_is_switched_off_says_which_check_and_why(path: Path) -> None:
    with path.open("rb") as file:
        comments = [
            t.string for t in tokenize.tokenize(file.readline) if t.type == tokenize.COMMENT
        ]
    ignored = [c for c in comments if re.match(r"#\s*type:\s*ignore", c)]
    unchecked = [c for c in comments if re.match(r"#\s*(ruff:\s*)?noqa", c, re.IGNORECASE)]
    assert not [
        c for c in ignored if not re.match(r"# type: ignore\[[\w-]+(, ?[\w-]+)*\]  ?# \w", c)
    ]
    assert not [c for c in unchecked if not re.match(r"# noqa: [A-Z]+\d+(, ?[A-Z]+\d+)* - \w", c)]


def test_no_room_is_called_utils() -> None:
    parts = {part for path in python(*SOURCES) for part in (*path.parts, path.stem)}
    assert not parts & NO_ROOM_IS_CALLED


def test_every_room_is_there() -> None:
    may_be_split = {"referee/events.py", "referee/events"}
    missing = {one for one in ROOMS if not (ROOT / one).exists()}
    assert len(missing & may_be_split) == 1
    assert not missing - may_be_split
